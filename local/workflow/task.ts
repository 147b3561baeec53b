import * as z from "zod";

/** A Lambda function behind a Task state: JSON in, JSON out. */
export type Task = (input: unknown) => Promise<unknown>;

/** Largest input or result of a state, in bytes of UTF-8 (Step Functions quota). */
export const MAX_PAYLOAD_BYTES = 262_144;

/**
 * An error as a Task state of AWS sees it: the name is matched by `ErrorEquals`, the message becomes `Cause`.
 * The interpreter reads `isRetryable` and `isCatchable` to keep a terminal error away from `States.ALL`.
 */
class TaskError extends Error {
  readonly isRetryable: boolean;
  readonly isCatchable: boolean;

  constructor(name: string, cause: string, options: ErrorOptions & { terminal: boolean }) {
    super(cause, options);
    this.name = name;
    this.isRetryable = !options.terminal;
    this.isCatchable = !options.terminal;
  }
}

/**
 * Runs a task as if AWS invoked a function: input and result pass through JSON, an error arrives with its name
 * and a JSON `Cause` of `{ errorType, errorMessage, trace }`. Once the execution has ended it gives up on a task
 * that is still running, which frees its time limit, and starts no more.
 */
export async function runTask(task: Task, input: unknown, ended: AbortSignal): Promise<z.core.util.JSONType> {
  const { promise: end, reject } = Promise.withResolvers<never>();
  const giveUp = () =>
    reject(new TaskError("States.Runtime", "The execution has ended.", { terminal: true }));
  if (ended.aborted) giveUp();
  ended.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([end, ...(ended.aborted ? [] : [invoke(task, input)])]);
  } finally {
    ended.removeEventListener("abort", giveUp);
  }
}

async function invoke(task: Task, input: unknown): Promise<z.core.util.JSONType> {
  const result = await call(task, JSON.parse(JSON.stringify(input)));
  const text = JSON.stringify(result) ?? "null";
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) {
    const cause =
      "The task returned a result with a size exceeding the maximum number of bytes service limit.";
    throw new TaskError("States.DataLimitExceeded", cause, { terminal: true });
  }
  return z.json().parse(JSON.parse(text));
}

async function call(task: Task, input: unknown): Promise<unknown> {
  try {
    return await task(input);
  } catch (cause) {
    const error = cause instanceof Error ? cause : undefined;
    const errorType = error?.name ?? typeof cause;
    const errorMessage = error?.message ?? String(cause);
    const trace = error?.stack?.split("\n") ?? [];
    throw new TaskError(errorType, JSON.stringify({ errorType, errorMessage, trace }), {
      cause,
      terminal: false,
    });
  }
}
