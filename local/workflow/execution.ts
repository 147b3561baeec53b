import * as z from "zod";
import type { Workflow } from "./definition.ts";

type Outcome =
  | { readonly status: "SUCCEEDED"; readonly output: string }
  | { readonly status: "FAILED" | "TIMED_OUT"; readonly error: string; readonly cause: string };

export type Execution = {
  readonly workflow: Workflow;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly arn: string;
  readonly name: string;
  /** Any JSON value. */
  readonly input: unknown;
  /** Ends the execution early: it is then FAILED with `States.Runtime`. */
  readonly stopping: AbortSignal;
};

/** Runs an execution to its end and leaves no timer behind. A failure is an outcome, not an exception. */
export async function execute({ workflow, tasks, arn, name, input, stopping }: Execution): Promise<Outcome> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), workflow.limitSeconds * 1000);
  const finished = new AbortController();
  const ended = AbortSignal.any([stopping, limit.signal, finished.signal]);
  const handlers = [...workflow.resources].map(([state, resource]) => {
    const task = tasks[resource];
    if (task === undefined) throw new Error(`No task is given for ${resource}.`);
    return [state, (taskInput: unknown) => runTask(task, taskInput, ended)] as const;
  });
  const run = workflow.machine.run(z.json().parse(input), {
    overrides: { taskResourceLocalHandlers: Object.fromEntries(handlers) },
    context: { Execution: { Id: arn, Name: name } },
  });
  ended.addEventListener("abort", run.abort, { once: true });
  if (ended.aborted) run.abort();
  try {
    return { status: "SUCCEEDED", output: JSON.stringify(await run.result) };
  } catch (error) {
    if (limit.signal.aborted) return TIMED_OUT;
    return stopping.aborted ? STOPPED : failure(error);
  } finally {
    clearTimeout(timer);
    finished.abort();
  }
}

const TIMED_OUT: Outcome = {
  status: "TIMED_OUT",
  error: "States.Timeout",
  cause: "The execution ran longer than its time limit.",
};
const STOPPED: Outcome = { status: "FAILED", error: "States.Runtime", cause: "The stand-in was stopped." };

/** The interpreter wraps what went wrong: the real error is the cause. */
function failure(error: unknown): Outcome {
  const real = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(real instanceof Error)) return { status: "FAILED", error: "States.Runtime", cause: String(real) };
  return { status: "FAILED", error: real.name, cause: real.message };
}

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
async function runTask(task: Task, input: unknown, ended: AbortSignal): Promise<z.core.util.JSONType> {
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
