import * as z from "zod";
import type { Workflow } from "./definition.ts";
import { runTask, type Task } from "./task.ts";

export type Outcome =
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
