import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { CloudFormationClient, type Stack } from "@aws-sdk/client-cloudformation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addStack, makeAccount } from "../../bench/rehearsal/aws/account.ts";
import { startAws } from "../../bench/rehearsal/aws/index.ts";
import { checkTriggers, planRollbackAlarms, rollbackAlarms } from "../../infra/deploy/stacks.ts";
import { startPart } from "../support/provide.ts";
import { listAlarms } from "./alarms.ts";
import { synthesize } from "./assembly.ts";
import { makeReader } from "./reading.ts";

const account = makeAccount("123456789012", "us-east-1");
const watch = "prod-press-market-watch";
const makeArn = (name: string) => `arn:aws:cloudwatch:us-east-1:123456789012:alarm:${watch}-${name}`;
let client: CloudFormationClient;
let stacks: readonly Stack[];

const aws = startPart(() => startAws(account));
beforeAll(() => {
  account.signers.add("AKIA");
  const credentials = { accessKeyId: "AKIA", secretAccessKey: "secret" };
  client = new CloudFormationClient({ region: "us-east-1", endpoint: aws.endpoint, credentials });
  const made = ["storage", "web", "audit", "jobs", "reading", "api", "watch"].map((id) =>
    addStack(account, `prod-press-market-${id}`, "UPDATE_COMPLETE"),
  );
  for (const name of [...rollbackAlarms.slice(1), "relayer-gas"]) {
    const physicalId = `${watch}-${name}`;
    const type = "AWS::CloudWatch::Alarm";
    made.at(-1)?.resources.set(name, { logicalId: name, type, physicalId, key: physicalId, properties: {} });
  }
  stacks = made.map(({ name, id }) => ({
    StackName: name,
    StackId: id,
    StackStatus: "UPDATE_COMPLETE",
    CreationTime: new Date(0),
  }));
});
afterAll(() => client.destroy());

test("every stage with alarms has the alarms that roll an update back, and not more of these alarms than AWS accepts", async () => {
  expect(rollbackAlarms.length).toBeLessThanOrEqual(5);
  for (const stage of ["staging", "prod"]) {
    const alarms = listAlarms(makeReader(await synthesize(stage)));
    expect([...alarms.keys()]).toEqual(expect.arrayContaining([...rollbackAlarms]));
  }
});

describe("a stage is updated", () => {
  test("the existing alarms watch an update of every stack except the stack of the alarms", async () => {
    const order = await planRollbackAlarms(client, "prod", stacks, { despite: false });
    const Type = "AWS::CloudWatch::Alarm";
    const RollbackTriggers = rollbackAlarms.slice(1).map((name) => ({ Arn: makeArn(name), Type }));
    const makeRollbackConfiguration = (MonitoringTimeInMinutes: number) => ({
      RollbackTriggers,
      MonitoringTimeInMinutes,
    });
    expect(order).toEqual({
      "prod-press-market-storage": makeRollbackConfiguration(0),
      "prod-press-market-web": makeRollbackConfiguration(0),
      "prod-press-market-audit": makeRollbackConfiguration(5),
      "prod-press-market-jobs": makeRollbackConfiguration(5),
      "prod-press-market-reading": makeRollbackConfiguration(5),
      "prod-press-market-api": makeRollbackConfiguration(5),
    });
  });

  test("no alarm watches a stage's first update or an update that ignores alarms, and an update that ignores alarms also clears the saved triggers", async () => {
    const none = { RollbackTriggers: [], MonitoringTimeInMinutes: 0 };
    const [storage] = stacks;
    if (storage === undefined) throw new Error("No stack");
    const first = await planRollbackAlarms(client, "prod", [storage], { despite: false });
    expect(first).toEqual({ "prod-press-market-storage": none });
    const despite = await planRollbackAlarms(client, "prod", stacks, { despite: true });
    expect(Object.values(despite)).toEqual(Array(6).fill(none));
  });

  test("the check of rollback triggers names a stack whose update ran without its triggers", () => {
    const [api] = stacks.slice(5);
    if (api?.StackName === undefined) throw new Error("No stack");
    const triggers = { RollbackTriggers: [{ Arn: makeArn("defects-many"), Type: "AWS::CloudWatch::Alarm" }] };
    const order = { [api.StackName]: triggers };
    const updated = { ...api, LastUpdatedTime: new Date(1) };
    expect(() => checkTriggers(order, [api], [updated])).toThrow(`not "${makeArn("defects-many")}"`);
    expect(() =>
      checkTriggers(order, [api], [{ ...updated, RollbackConfiguration: triggers }]),
    ).not.toThrow();
    // The check finds no fault in a new stack or in a stack that was not changed.
    expect(() => checkTriggers(order, [api], [api])).not.toThrow();
    expect(() => checkTriggers(order, [], [updated])).not.toThrow();
  });
});

/** A program that updates a stack as SST does, with the client that SST loads. */
const program = `
  import { createRequire } from "node:module";
  const require = createRequire(import.meta.resolve("sst/cli/sst.js"));
  const { CloudFormationClient, UpdateStackCommand, DescribeStacksCommand } = require("@aws-sdk/client-cloudformation");
  const credentials = { accessKeyId: "none", secretAccessKey: "none" };
  const client = new CloudFormationClient({ region: "us-east-1", credentials });
  const seen = [];
  client.middlewareStack.add(() => async ({ input }) => { seen.push(input); return { output: {} }; }, { step: "initialize" });
  await client.send(new UpdateStackCommand({ StackName: "one" }));
  await client.send(new UpdateStackCommand({ StackName: "two" }));
  await client.send(new DescribeStacksCommand({ StackName: "one" }));
  console.log(JSON.stringify(seen));
`;

test("SST's own client sends the rollback triggers only with its updates", () => {
  const RollbackConfiguration = { RollbackTriggers: [], MonitoringTimeInMinutes: 5 };
  const root = join(import.meta.dirname, "../..");
  const preload = join(root, "infra/deploy/preload.ts");
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", preload, "--input-type=module", "--eval", program],
    {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env.PATH, ROLLBACK_ORDER: JSON.stringify({ one: RollbackConfiguration }) },
    },
  );
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^\[/), ""]);
  expect(JSON.parse(stdout)).toEqual([
    { StackName: "one", RollbackConfiguration },
    { StackName: "two" },
    { StackName: "one" },
  ]);
});
