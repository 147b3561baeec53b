import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { StateMachine, type StateMachineDefinition } from "aws-local-stepfunctions";
import * as z from "zod";
import { AwsFailure, awsJson, listen, operation } from "../stand-in.ts";

export type Machine = {
  /** The ARN that clients name: `arn:aws:states:<region>:<account>:stateMachine:<name>`. */
  readonly arn: string;
  /** The machine in the Amazon States Language, as data. */
  readonly definition: unknown;
  /** The function for each `Resource` of a Task state. */
  readonly tasks: Readonly<Record<string, TaskFunction>>;
  /** Whether a test has already validated the definition, see `loadWorkflow`. */
  readonly isValid?: boolean;
};

type WorkflowsOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  readonly machines: readonly Machine[];
};

export type Workflows = {
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
};

const startInput = z.object({
  stateMachineArn: z.string(),
  name: z.string().min(1).max(80).optional(),
  input: z.string().default("{}"),
});

/**
 * Starts a Step Functions stand-in that answers `StartSyncExecution` on the loopback interface. Clients need
 * `disableHostPrefix: true`, because the SDK otherwise puts `sync-` before the host. Throws for a machine
 * that would behave differently on AWS (see `loadWorkflow`), and if the port is taken.
 */
export async function startWorkflows(options: WorkflowsOptions): Promise<Workflows> {
  const machines = new Map(
    options.machines.map(({ arn, definition, tasks, isValid }) => {
      const workflow = loadWorkflow(definition, new Set(Object.keys(tasks)), isValid);
      return [arn, { arn, workflow, tasks }] as const;
    }),
  );
  const stopping = new AbortController();
  const server = createServer(
    awsJson({
      target: "AWSStepFunctions",
      invalid: (message) => new AwsFailure("ValidationException", message),
      operations: {
        StartSyncExecution: operation(startInput, ({ stateMachineArn, name, input }) => {
          const machine = machines.get(stateMachineArn);
          if (machine === undefined) {
            throw new AwsFailure(
              "StateMachineDoesNotExist",
              `State machine does not exist: '${stateMachineArn}'`,
            );
          }
          return startSync({ ...machine, name: name ?? randomUUID(), input, stopping: stopping.signal });
        }),
      },
    }),
  );
  const { endpoint, stop } = await listen(server, options.port);
  return {
    endpoint,
    stop: async () => {
      stopping.abort();
      await stop();
    },
  };
}

type Start = {
  readonly arn: string;
  readonly workflow: Workflow;
  readonly tasks: Readonly<Record<string, TaskFunction>>;
  readonly name: string;
  readonly input: string;
  readonly stopping: AbortSignal;
};

async function startSync({ arn, workflow, tasks, name, input, stopping }: Start) {
  const executionArn = `${arn.replace(":stateMachine:", ":express:")}:${name}:${randomUUID()}`;
  const started = Date.now();
  const outcome = await execute({
    workflow,
    tasks,
    arn: executionArn,
    name,
    input: parseInput(input),
    stopping,
  });
  const stopped = Date.now();
  return {
    executionArn,
    stateMachineArn: arn,
    name,
    // Timestamps of the JSON protocol are seconds with a fraction.
    startDate: started / 1000,
    stopDate: stopped / 1000,
    input,
    inputDetails: { included: true },
    ...outcome,
    ...(outcome.status === "SUCCEEDED" && { outputDetails: { included: true } }),
    billingDetails: {
      billedMemoryUsedInMB: 64,
      billedDurationInMilliseconds: Math.max(100, Math.ceil((stopped - started) / 100) * 100),
    },
  };
}

function parseInput(input: string): unknown {
  if (Buffer.byteLength(input) > MAX_PAYLOAD_BYTES) {
    throw new AwsFailure("InvalidExecutionInput", `The input is larger than ${MAX_PAYLOAD_BYTES} bytes.`);
  }
  try {
    return JSON.parse(input);
  } catch (cause) {
    throw new AwsFailure(
      "InvalidExecutionInput",
      `Invalid State Machine Execution Input: '${String(cause)}'`,
    );
  }
}

/** Seconds that an Express execution may take on AWS. */
const EXPRESS_SECONDS = 300;

/** Fields that the interpreter silently ignores, although AWS obeys them. */
const UNSUPPORTED = [
  "Assign",
  "HeartbeatSeconds",
  "HeartbeatSecondsPath",
  "Arguments",
  "Output",
  "Items",
  "Credentials",
  "ItemReader",
  "ItemBatcher",
  "ResultWriter",
  "ToleratedFailureCount",
  "ToleratedFailurePercentage",
] as const;

const state = z.looseObject({ Type: z.string() });
type MachineState = z.output<typeof state>;
const machine = z.looseObject({
  StartAt: z.string(),
  States: z.record(z.string(), state),
  TimeoutSeconds: z.int().positive().default(EXPRESS_SECONDS),
});
const definition = z.custom<StateMachineDefinition>((value) => machine.safeParse(value).success);

export type Workflow = {
  readonly machine: StateMachine;
  /** The resource that each Task state calls. */
  readonly resources: ReadonlyMap<string, string>;
  /** The time limit of an execution. The caller must enforce it. */
  readonly limitSeconds: number;
};

/**
 * Loads a state machine in the Amazon States Language.
 *
 * Throws with all reasons for a definition that is invalid, calls a resource outside `known`, or would behave
 * differently on AWS: JSONata, variables, heartbeats, distributed maps. A machine runs at most 300 s, as
 * Express workflows do; a Task state without its own limit at most 60 s (the interpreter's default). The
 * check compiles the language's schema in 0.2 s, so `isValid` skips it for a definition that a test has
 * validated.
 */
export function loadWorkflow(source: unknown, known: ReadonlySet<string>, isValid = false): Workflow {
  const states = allStates(source);
  const resources = new Map(
    states.filter(([, { Type }]) => Type === "Task").map(([name, { Resource }]) => [name, String(Resource)]),
  );
  const problems = [
    ...languageProblems("The machine", source),
    ...states.flatMap(([name, one]) => stateProblems(name, one)),
    ...duplicates(states.map(([name]) => name)).map((name) => `Two states are called ${name}.`),
    ...[...resources]
      .filter(([, resource]) => !known.has(resource))
      .map(([name, resource]) => `State ${name} calls ${resource}, for which no task is given.`),
  ];
  if (problems.length > 0) throw new Error(`The workflow cannot run here:\n${problems.join("\n")}`);
  // The interpreter's own time limit would let a state that waits for its retry run once more.
  const { TimeoutSeconds, ...unlimited } = machine.parse(source);
  return {
    // Resources were checked above against `known`, so they need not look like ARNs.
    machine: new StateMachine(definition.parse(unlimited), {
      validationOptions: { checkArn: false, noValidate: isValid },
    }),
    resources,
    limitSeconds: Math.min(TimeoutSeconds, EXPRESS_SECONDS),
  };
}

/** The states of a machine and of the machines inside its Parallel and Map states. */
function allStates(source: unknown): readonly (readonly [string, MachineState])[] {
  return Object.entries(machine.parse(source).States).flatMap(([name, one]) => {
    const branches = z.array(z.unknown()).default([]).parse(one.Branches);
    const inner = [...branches, one.Iterator, one.ItemProcessor].filter((nested) => nested !== undefined);
    return [[name, one] as const, ...inner.flatMap(allStates)];
  });
}

function stateProblems(name: string, one: MachineState): readonly string[] {
  const where = `State ${name}`;
  const nested = z.array(z.looseObject({})).default([]);
  const parts = [one, ...nested.parse(one.Catch), ...nested.parse(one.Choices)];
  const used = UNSUPPORTED.filter((field) => parts.some((part) => field in part));
  const emptyResult = one.Type === "Pass" && "Result" in one && !one.Result;
  const inner = JSON.stringify([one.Branches, one.Iterator, one.ItemProcessor]);
  return [
    ...languageProblems(where, one),
    ...used.map((field) => `${where} uses ${field}, which would be ignored.`),
    ...(emptyResult ? [`${where} has an empty Result, which would be ignored.`] : []),
    ...(inner.includes("$$.Execution.Input")
      ? [`${where} would see its own input as $$.Execution.Input.`]
      : []),
  ];
}

function languageProblems(where: string, source: unknown): readonly string[] {
  const language = z
    .looseObject({ QueryLanguage: z.string().default("JSONPath") })
    .parse(source).QueryLanguage;
  return language === "JSONPath" ? [] : [`${where} is in ${language}; only JSONPath runs.`];
}

function duplicates(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

type ExecutionOutcome =
  | { readonly status: "SUCCEEDED"; readonly output: string }
  | { readonly status: "FAILED" | "TIMED_OUT"; readonly error: string; readonly cause: string };

export type Execution = {
  readonly workflow: Workflow;
  readonly tasks: Readonly<Record<string, TaskFunction>>;
  readonly arn: string;
  readonly name: string;
  readonly input: unknown;
  /** Ends the execution early. It is then FAILED with `States.Runtime`. */
  readonly stopping: AbortSignal;
};

/** Runs an execution to its end and leaves no timer behind. A failure is returned, not thrown. */
async function execute({
  workflow,
  tasks,
  arn,
  name,
  input,
  stopping,
}: Execution): Promise<ExecutionOutcome> {
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

/** The interpreter wraps errors: the real error is the cause. */
function failure(error: unknown): ExecutionOutcome {
  const real = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(real instanceof Error)) return { status: "FAILED", error: "States.Runtime", cause: String(real) };
  return { status: "FAILED", error: real.name, cause: real.message };
}

/** A Lambda function behind a Task state: JSON in, JSON out. */
export type TaskFunction = (input: unknown) => Promise<unknown>;

/** The largest input or result of a state, in bytes of UTF-8 (Step Functions quota). */
const MAX_PAYLOAD_BYTES = 262_144;

/**
 * An error as a Task state on AWS sees it: `ErrorEquals` matches the name, and the message becomes `Cause`.
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
 * Runs a task as if AWS invoked a function: input and result pass through JSON, and an error has its name and
 * a JSON `Cause` of `{ errorType, errorMessage, trace }`. After the execution's end it abandons a running
 * task, which clears its timer, and starts no more.
 */
async function runTask(
  task: TaskFunction,
  input: unknown,
  ended: AbortSignal,
): Promise<z.core.util.JSONType> {
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

async function invoke(task: TaskFunction, input: unknown): Promise<z.core.util.JSONType> {
  const result = await call(task, JSON.parse(JSON.stringify(input)));
  const text = JSON.stringify(result) ?? "null";
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) {
    const cause =
      "The task returned a result with a size exceeding the maximum number of bytes service limit.";
    throw new TaskError("States.DataLimitExceeded", cause, { terminal: true });
  }
  return z.json().parse(JSON.parse(text));
}

async function call(task: TaskFunction, input: unknown): Promise<unknown> {
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
