import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";

/** A refusal that the SDK turns into its own exception. */
export class AwsFailure extends Error {
  /** Shape name in the service's model, such as `QueueDoesNotExist`. */
  readonly type: string;
  /** Error code of the older query protocol, which SQS still sends beside the type. */
  readonly queryCode: string | undefined;
  readonly status: number;

  constructor(type: string, message: string, options: { queryCode?: string; status?: number } = {}) {
    super(message);
    this.name = type;
    this.type = type;
    this.queryCode = options.queryCode;
    this.status = options.status ?? 400;
  }
}

/** One action of a service: the parsed body and a signal that fires when the caller hangs up. */
export type Operation = (body: unknown, gone: AbortSignal) => unknown;

type AwsJsonService = {
  /** What precedes the dot in `X-Amz-Target`, such as `AmazonSQS`. */
  readonly target: string;
  readonly operations: Readonly<Record<string, Operation>>;
  /** The refusal of a body that does not fit its schema. */
  readonly invalid: (message: string) => AwsFailure;
};

class InputMismatch extends Error {}

/** Checks a body against its schema before the action sees it. */
export function operation<T extends z.ZodType>(
  schema: T,
  run: (input: z.output<T>, gone: AbortSignal) => unknown,
): Operation {
  return (body, gone) => {
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw new InputMismatch(z.prettifyError(parsed.error));
    return run(parsed.data, gone);
  };
}

/**
 * Serves an AWS service over the AWS JSON protocol, in the version that the client speaks; signatures are ignored.
 *
 * An unexpected error is logged and answered with 500 without its text.
 */
export function awsJson(service: AwsJsonService): RequestListener {
  return async (request, response) => {
    const gone = hangUp(request, response);
    try {
      response.setHeader("content-type", request.headers["content-type"] ?? "application/x-amz-json-1.0");
      reply(response, 200, await dispatch(service, request, gone));
    } catch (error) {
      // A caller that hangs up while sending breaks its own request: nobody is left to answer.
      if (gone.aborted) return;
      const failure = toFailure(service, error);
      if (failure.queryCode !== undefined) {
        response.setHeader("x-amzn-query-error", `${failure.queryCode};Sender`);
      }
      reply(response, failure.status, { __type: failure.type, message: failure.message });
    }
  };
}

/** Fires when the caller closes its side; the end of the socket is known earlier than the response's close. */
function hangUp({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = () => controller.abort();
  socket.once("end", leave);
  response.once("close", () => {
    socket.off("end", leave);
    leave();
  });
  return controller.signal;
}

async function dispatch(service: AwsJsonService, request: IncomingMessage, gone: AbortSignal) {
  const [target, action] = String(request.headers["x-amz-target"]).split(".");
  const run = target === service.target && action !== undefined ? service.operations[action] : undefined;
  if (run === undefined) {
    throw new AwsFailure("UnknownOperationException", `${target}.${action} is not served by this stand-in.`);
  }
  return run(parseJson(await text(request)), gone);
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (cause) {
    throw new AwsFailure("SerializationException", `The body is not JSON: ${String(cause)}`);
  }
}

function toFailure(service: AwsJsonService, error: unknown): AwsFailure {
  if (error instanceof AwsFailure) return error;
  if (error instanceof InputMismatch) return service.invalid(error.message);
  console.error(`${service.target} failed`, error);
  return new AwsFailure("InternalFailure", "The stand-in failed.", { status: 500 });
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { "x-amzn-requestid": randomUUID() });
  response.end(JSON.stringify(body ?? {}));
}
