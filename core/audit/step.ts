import type * as z from "zod";
import { AppError } from "../error.ts";

/**
 * One step of the state machine: input parsed, operation run, plain output. A refusal's stable code becomes the error's
 * name, because the state machine's `Retry` knows errors by nothing else.
 */
export function step<Input, Output>(
  form: z.ZodType<Input>,
  operation: (input: Input) => Output | Promise<Output>,
): (event: unknown) => Promise<Output> {
  return async (event) => {
    try {
      return await operation(form.parse(event));
    } catch (error) {
      throw error instanceof AppError ? new StepError(error) : error;
    }
  };
}

class StepError extends Error {
  override readonly name: string;

  constructor(cause: AppError) {
    super(described(cause), { cause });
    this.name = cause.code;
  }
}

/** An error's message and its causes': the state machine keeps one text. */
function described(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${described(error.cause)})` : error.message;
}
