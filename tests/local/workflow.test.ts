import {
  InvalidExecutionInput,
  SFNClient,
  StartSyncExecutionCommand,
  StateMachineDoesNotExist,
} from "@aws-sdk/client-sfn";
import { afterEach, describe, expect, test } from "vitest";
import type { LocalServer } from "../../local/stand-in.ts";
import { type Machine, startWorkflows } from "../../local/workflow/index.ts";
import { localAws } from "../support/aws.ts";

const ARN = "arn:aws:states:us-east-1:000000000000:stateMachine:audit";
const WORK = "arn:aws:lambda:us-east-1:000000000000:function:work";
const OTHER = "arn:aws:lambda:us-east-1:000000000000:function:other";

let workflows: LocalServer | undefined;
let client: SFNClient | undefined;

afterEach(async () => {
  client?.destroy();
  await workflows?.stop();
  workflows = undefined;
});

async function start(definition: unknown, tasks: Machine["tasks"]): Promise<SFNClient> {
  workflows = await startWorkflows({ arn: ARN, definition, tasks });
  client = new SFNClient({
    endpoint: workflows.endpoint,
    ...localAws,
    disableHostPrefix: true,
    maxAttempts: 1,
  });
  return client;
}

const run = (sfn: SFNClient, input: unknown) =>
  sfn.send(new StartSyncExecutionCommand({ stateMachineArn: ARN, input: JSON.stringify(input) }));

const makeSingleTask = (fields: object = {}) => ({
  StartAt: "Work",
  States: { Work: { Type: "Task", Resource: WORK, End: true, ...fields } },
});

const failing = makeSingleTask({
  Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "Done" }],
});
const caught = { ...failing, States: { ...failing.States, Done: { Type: "Succeed" } } };

describe("a failing task is handled as its Catch rules say", () => {
  test("the error of a failing task reaches Catch in AWS's form: Error, and Cause as a JSON string", async () => {
    const sfn = await start(caught, { [WORK]: () => Promise.reject(new TypeError("no quote")) });
    const { failure, press } = JSON.parse((await run(sfn, { press: 1 })).output ?? "");
    expect(press).toBe(1);
    expect(failure.Error).toBe("TypeError");
    expect(JSON.parse(failure.Cause)).toEqual({
      errorType: "TypeError",
      errorMessage: "no quote",
      trace: expect.arrayContaining(["TypeError: no quote"]),
    });
  });

  test("if a task answers more than 256 KiB, the execution fails even if the task has a Catch", async () => {
    const sfn = await start(caught, { [WORK]: async () => "x".repeat(262_144) });
    expect(await run(sfn, {})).toMatchObject({ status: "FAILED", error: "States.DataLimitExceeded" });
  });
});

describe("tasks and executions have time limits", () => {
  test("a task that exceeds its time limit fails with States.Timeout", async () => {
    const sfn = await start(makeSingleTask({ TimeoutSeconds: 1 }), { [WORK]: () => new Promise(() => {}) });
    expect(await run(sfn, {})).toMatchObject({ status: "FAILED", error: "States.Timeout" });
  });

  test("an execution that exceeds the state machine's time limit ends as TIMED_OUT and starts no further task", async () => {
    let calls = 0;
    const retry = [{ ErrorEquals: ["States.ALL"], IntervalSeconds: 60, MaxAttempts: 9 }];
    const sfn = await start(
      { ...makeSingleTask({ Retry: retry }), TimeoutSeconds: 1 },
      {
        [WORK]: async () => {
          calls += 1;
          throw new Error("again");
        },
      },
    );
    expect(await run(sfn, {})).toMatchObject({ status: "TIMED_OUT", error: "States.Timeout" });
    expect(calls).toBe(1);
  });
});

describe("unknown or unsupported state machines and invalid inputs are refused", () => {
  test("an unknown state machine, and an input that is not JSON, are refused with AWS's exceptions", async () => {
    const sfn = await start(makeSingleTask(), { [WORK]: async () => 1 });
    const unknown = new StartSyncExecutionCommand({ stateMachineArn: `${ARN}x`, input: "{}" });
    await expect(sfn.send(unknown)).rejects.toBeInstanceOf(StateMachineDoesNotExist);
    const broken = new StartSyncExecutionCommand({ stateMachineArn: ARN, input: "{" });
    await expect(sfn.send(broken)).rejects.toBeInstanceOf(InvalidExecutionInput);
  });

  const makeParallel = (fields: object) => ({
    StartAt: "Both",
    States: { Both: { Type: "Parallel", End: true, Branches: [makeSingleTask(fields)] } },
  });
  test.each([
    ["JSONata for the machine", { QueryLanguage: "JSONata", ...makeSingleTask() }, "QueryLanguage"],
    ["JSONata for a state", makeSingleTask({ QueryLanguage: "JSONata" }), "QueryLanguage"],
    ["Assign", makeSingleTask({ Assign: { x: 1 } }), "Assign"],
    [
      "Assign in a Catch",
      makeSingleTask({ Catch: [{ ErrorEquals: ["E"], Assign: {}, Next: "Work" }] }),
      "Assign",
    ],
    ["HeartbeatSeconds in a branch", makeParallel({ HeartbeatSeconds: 5 }), "HeartbeatSeconds"],
    ["a context object", makeParallel({ Parameters: { "a.$": "$$.Execution.Input" } }), "$$.Execution"],
    [
      "a resource without a task",
      makeSingleTask({ Resource: OTHER }),
      `calls ${OTHER}, for which no task is given`,
    ],
  ])("the loader of state machines refuses %s", async (_what, definition, message) => {
    await expect(start(definition, { [WORK]: async () => 1 })).rejects.toThrow(message);
  });
});
