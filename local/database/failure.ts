import * as z from "zod";

/** What a failed request answers: the JSON 1.0 protocol's error body under its status. */
export interface Failure {
  readonly statusCode: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const apiVersion = "com.amazonaws.dynamodb.v20120810";
const failureShape = z.object({ statusCode: z.int(), body: z.looseObject({ __type: z.string() }) });
const messageShape = z.object({ body: z.object({ message: z.string() }) });

/** An error of the DynamoDB API, in the shape of those that dynalite throws. */
export class ApiError extends Error implements Failure {
  override readonly name = "ApiError";
  readonly statusCode = 400;
  readonly body: Readonly<Record<string, unknown>>;

  /** @param type the exception's name, such as `TransactionCanceledException` */
  constructor(type: string, members: Readonly<Record<string, unknown>>) {
    super(type);
    this.body = { __type: `${apiVersion}#${type}`, ...members };
  }
}

/** The answer that an error stands for, or undefined where it is no error of the API but a fault of ours. */
export function failureOf(error: unknown): Failure | undefined {
  return failureShape.safeParse(error).data;
}

/** The exception's name without its namespace, such as `ValidationException`. */
export function failureType(error: unknown): string | undefined {
  return failureShape.safeParse(error).data?.body.__type.split("#")[1];
}

/** The message of an error of dynalite's. */
export function failureMessage(error: unknown): string {
  return messageShape.safeParse(error).data?.body.message ?? "";
}
