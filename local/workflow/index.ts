import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import * as z from "zod";
import { AwsFailure, awsJson, listen, operation } from "../stand-in.ts";
import { execute, loadWorkflow, MAX_PAYLOAD_BYTES, type Task, type Workflow } from "./execution.ts";

export type Machine = {
  /** ARN that clients name, `arn:aws:states:<region>:<account>:stateMachine:<name>`. */
  readonly arn: string;
  /** The machine in the Amazon States Language, as data. */
  readonly definition: unknown;
  /** What runs for each `Resource` of a Task state. */
  readonly tasks: Readonly<Record<string, Task>>;
  /** Whether a test has found the definition valid, see `loadWorkflow`. */
  readonly isValid?: boolean;
};

type WorkflowsOptions = {
  /** 0 takes a free port. */
  readonly port: number;
  readonly machines: readonly Machine[];
};

export type Workflows = {
  readonly endpoint: string;
  /** Ends running executions and closes the port. */
  readonly stop: () => Promise<void>;
};

const startInput = z.object({
  stateMachineArn: z.string(),
  name: z.string().min(1).max(80).optional(),
  input: z.string().default("{}"),
});

/**
 * Starts a Step Functions stand-in that answers `StartSyncExecution` on the loopback interface.
 *
 * Clients need `disableHostPrefix: true`, as the SDK puts `sync-` before the host otherwise. Throws for a machine
 * that would run differently here than on AWS (see `loadWorkflow`), and when the port is taken.
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
  readonly tasks: Readonly<Record<string, Task>>;
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
