import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { StateMachine, type StateMachineDefinition } from "aws-local-stepfunctions";
import * as z from "zod";
import { AwsFailure, type LocalServer, listen, makeAwsListener, makeOperation } from "../stand-in.ts";

export type Machine = {
  /** The ARN that clients name: `arn:aws:states:<region>:<account>:stateMachine:<name>`. */
  readonly arn: string;
  /** The state machine as an object in the Amazon States Language. Use only a state machine that a test has validated. */
  readonly definition: unknown;
  /** The functions that Task states call. Each function is stored under the `Resource` that the states name. */
  readonly tasks: Readonly<Record<string, TaskFunction>>;
};

const startInput = z.object({ stateMachineArn: z.string(), input: z.string().default("{}") });

/**
 * Starts a Step Functions stand-in that answers `StartSyncExecution` for one machine on the loopback interface.
 * Clients of the stand-in need `disableHostPrefix: true`, because the SDK otherwise puts `sync-` before the host. Throws for a machine that
 * would behave differently on AWS (see `loadWorkflow`).
 */
export async function startWorkflows({ arn, definition, tasks }: Machine): Promise<LocalServer> {
  const workflow = loadWorkflow(definition, new Set(Object.keys(tasks)));
  const stopping = new AbortController();
  const server = createServer(
    makeAwsListener({
      target: "AWSStepFunctions",
      makeInputError: (message) => new AwsFailure("ValidationException", message),
      operations: {
        StartSyncExecution: makeOperation(startInput, async ({ stateMachineArn, input }) => {
          if (stateMachineArn !== arn) {
            throw new AwsFailure(
              "StateMachineDoesNotExist",
              `State machine does not exist: '${stateMachineArn}'`,
            );
          }
          const executionArn = `${arn.replace(":stateMachine:", ":express:")}:${randomUUID()}`;
          const outcome = await execute(workflow, tasks, parseInput(input), stopping.signal);
          return { executionArn, stateMachineArn: arn, ...outcome };
        }),
      },
    }),
  );
  const { endpoint, stop } = await listen(server);
  return {
    endpoint,
    stop: async () => {
      stopping.abort();
      await stop();
    },
  };
}

function parseInput(input: string): z.core.util.JSONType {
  if (Buffer.byteLength(input) > MAX_PAYLOAD_BYTES) {
    throw new AwsFailure("InvalidExecutionInput", `The input is larger than ${MAX_PAYLOAD_BYTES} bytes.`);
  }
  try {
    return z.json().parse(JSON.parse(input));
  } catch (cause) {
    throw new AwsFailure(
      "InvalidExecutionInput",
      `Invalid State Machine Execution Input: '${String(cause)}'`,
    );
  }
}

/** The maximum time, in seconds, of an Express execution on AWS. */
const EXPRESS_SECONDS = 300;

/** Features that AWS supports, but that the interpreter ignores or treats differently without an error. */
const unsupported =
  /"(?:QueryLanguage|Assign|Arguments|Output|Items|Credentials|ItemReader|ItemBatcher|ResultWriter|HeartbeatSeconds(?:Path)?|ToleratedFailure\w+)":|"Result":(?:false|0|""|null)|\$\$\.Execution/;

const state = z.looseObject({ Type: z.string() });
const machine = z.looseObject({
  StartAt: z.string(),
  States: z.record(z.string(), state),
  TimeoutSeconds: z.int().positive().default(EXPRESS_SECONDS),
});
const definition = z.custom<StateMachineDefinition>((value) => machine.safeParse(value).success);

type Workflow = {
  readonly machine: StateMachine;
  /** The resource that each Task state of the machine calls. */
  readonly resources: ReadonlyMap<string, string>;
  /** The time limit of an execution, which the caller must enforce. */
  readonly limitSeconds: number;
};

/**
 * Loads a valid state machine in the Amazon States Language. A machine runs for at most 300 s, like an Express workflow on AWS. A Task
 * state without a time limit of its own runs for at most 60 s (the interpreter's default). Throws for a machine that calls a resource
 * outside `known`, or that would behave differently on AWS because of JSONata, variables, heartbeats or distributed maps.
 */
export function loadWorkflow(source: unknown, known: ReadonlySet<string>): Workflow {
  const [word] = unsupported.exec(JSON.stringify(source)) ?? [];
  if (word !== undefined) throw new Error(`The workflow cannot run here: it uses ${word}`);
  const calls = listCalls(source);
  const resources = new Map(calls);
  if (resources.size < calls.length) throw new Error("Two states of the workflow have the same name.");
  for (const [name, resource] of calls) {
    if (!known.has(resource)) throw new Error(`State ${name} calls ${resource}, for which no task is given.`);
  }
  // The interpreter's own time limit is not used: with this limit, a state that waits for its retry would run once more after the limit.
  const { TimeoutSeconds, ...unlimited } = machine.parse(source);
  // The definition is not validated here, because compiling the schema of the Amazon States Language would take 0.2 s.
  const options = { validationOptions: { noValidate: true } };
  return {
    machine: new StateMachine(definition.parse(unlimited), options),
    resources,
    limitSeconds: Math.min(TimeoutSeconds, EXPRESS_SECONDS),
  };
}

/** The name and the resource of each Task state of a machine, including the Task states inside Parallel and Map states. */
function listCalls(source: unknown): readonly (readonly [string, string])[] {
  return Object.entries(machine.parse(source).States).flatMap(([name, { Type, Resource, ...one }]) => {
    const branches = z.array(z.unknown()).default([]).parse(one.Branches);
    const inner = [...branches, one.Iterator, one.ItemProcessor].filter((nested) => nested !== undefined);
    return [...(Type === "Task" ? [[name, String(Resource)] as const] : []), ...inner.flatMap(listCalls)];
  });
}

type ExecutionOutcome =
  | { readonly status: "SUCCEEDED"; readonly output: string }
  | { readonly status: "FAILED" | "TIMED_OUT"; readonly error: string; readonly cause: string };

/**
 * Runs an execution to its end and leaves no timer behind. A failure of the execution is returned, not thrown. If `stopping` is aborted,
 * the execution ends early. An execution that was ended early has the state FAILED with `States.Runtime`.
 */
async function execute(
  { machine, resources, limitSeconds }: Workflow,
  tasks: Machine["tasks"],
  input: z.core.util.JSONType,
  stopping: AbortSignal,
): Promise<ExecutionOutcome> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitSeconds * 1000);
  const finished = new AbortController();
  const ended = AbortSignal.any([stopping, limit.signal, finished.signal]);
  const handlers = [...resources].map(([state, resource]) => {
    const task = tasks[resource];
    if (task === undefined) throw new Error(`No task is given for ${resource}.`);
    return [state, (taskInput: unknown) => runTask(task, taskInput, ended)] as const;
  });
  const run = machine.run(input, {
    overrides: { taskResourceLocalHandlers: Object.fromEntries(handlers) },
  });
  ended.addEventListener("abort", run.abort, { once: true });
  if (ended.aborted) run.abort();
  try {
    return { status: "SUCCEEDED", output: JSON.stringify(await run.result) };
  } catch (error) {
    if (limit.signal.aborted) return TIMED_OUT;
    return stopping.aborted ? STOPPED : describeFailure(error);
  } finally {
    clearTimeout(timer);
    finished.abort();
  }
}

const TIMED_OUT: ExecutionOutcome = {
  status: "TIMED_OUT",
  error: "States.Timeout",
  cause: "The execution ran longer than its time limit.",
};
const STOPPED: ExecutionOutcome = {
  status: "FAILED",
  error: "States.Runtime",
  cause: "The stand-in was stopped.",
};

/** The interpreter wraps errors, so the real error is the `cause` of the wrapping error. */
function describeFailure(error: unknown): ExecutionOutcome {
  const real = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(real instanceof Error)) return { status: "FAILED", error: "States.Runtime", cause: String(real) };
  return { status: "FAILED", error: real.name, cause: real.message };
}

/** A Lambda function that a Task state calls. The function takes JSON and returns JSON. */
export type TaskFunction = (input: unknown) => Promise<unknown>;

/** The maximum size of a state's input or result, in bytes of UTF-8 (Step Functions quota). */
const MAX_PAYLOAD_BYTES = 262_144;

/**
 * An error in the form that a Task state on AWS gets: `ErrorEquals` matches the name, and the message becomes `Cause`.
 * The interpreter reads `isRetryable` and `isCatchable`, so that `States.ALL` does not match a terminal
 * error.
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
 * Runs a task as AWS runs a function: input and result are converted to JSON and back. If a task throws an error, the state's error has the
 * same name, and its `Cause` is the JSON of `{ errorType, errorMessage, trace }`. After the execution has ended, no further task is
 * started. If a task still runs when the execution ends, its result is ignored and its timer is stopped.
 */
async function runTask(
  task: TaskFunction,
  input: unknown,
  endSignal: AbortSignal,
): Promise<z.core.util.JSONType> {
  const { promise: end, reject } = Promise.withResolvers<never>();
  const giveUp = () =>
    reject(new TaskError("States.Runtime", "The execution has ended.", { terminal: true }));
  if (endSignal.aborted) giveUp();
  endSignal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([end, ...(endSignal.aborted ? [] : [invoke(task, input)])]);
  } finally {
    endSignal.removeEventListener("abort", giveUp);
  }
}

async function invoke(task: TaskFunction, input: unknown): Promise<z.core.util.JSONType> {
  const result = await callFunction(task, JSON.parse(JSON.stringify(input)));
  const text = JSON.stringify(result) ?? "null";
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) {
    const cause =
      "The task returned a result with a size exceeding the maximum number of bytes service limit.";
    throw new TaskError("States.DataLimitExceeded", cause, { terminal: true });
  }
  return z.json().parse(JSON.parse(text));
}

async function callFunction(task: TaskFunction, input: unknown): Promise<unknown> {
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
