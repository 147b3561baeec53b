import { beforeAll, expect, test } from "vitest";
import { jobs, queues } from "../../functions/jobs.ts";
import { routes } from "../../functions/routes.ts";
import { settingsOf } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { type Reader, reader } from "./reading.ts";

let stage: Reader;

beforeAll(async () => {
  stage = reader(await synthesize("prod"));
});

const prefix = "prod-press-market-watch-";
const names = () =>
  stage
    .ofType("AWS::CloudWatch::Alarm")
    .map(({ resource }) => String(resource.Properties.AlarmName).replace(prefix, ""));

test("every function is watched for crashes, refusals and slowness against its own time limit", () => {
  for (const { id, timeoutSeconds } of [...routes, ...jobs]) {
    expect(names()).toEqual(expect.arrayContaining([`${id}-errors`, `${id}-throttles`, `${id}-slow`]));
    const slow = stage
      .ofType("AWS::CloudWatch::Alarm")
      .find(({ resource }) => resource.Properties.AlarmName === `${prefix}${id}-slow`);
    expect(slow?.resource.Properties).toMatchObject({
      MetricName: "Duration",
      ExtendedStatistic: "p99",
      Threshold: timeoutSeconds * 800,
    });
  }
});

test("what the clock starts is watched for silence", () => {
  const clocked = jobs.filter(({ trigger }) => trigger.kind === "schedule").map(({ id }) => `${id}-stopped`);
  const silent = stage
    .ofType("AWS::CloudWatch::Alarm")
    .filter(({ resource }) => resource.Properties.TreatMissingData === "breaching")
    .map(({ resource }) => {
      expect(resource.Properties).toMatchObject({ ComparisonOperator: "LessThanThreshold", Threshold: 1 });
      return String(resource.Properties.AlarmName).replace(prefix, "");
    });
  expect(clocked.length).toBeGreaterThan(0);
  expect(silent).toEqual(clocked);
});

test("every queue is watched for waiting and for given-up messages, and table, edge, audits and model for failures", () => {
  for (const { name, deadLetterQueue } of queues) {
    expect(names()).toEqual(expect.arrayContaining([`${name}-waiting`, `${deadLetterQueue}-letters`]));
  }
  expect(names()).toEqual(
    expect.arrayContaining([
      "api-failures",
      "edge-failures",
      "table-throttles",
      "table-failures",
      "audit-failures",
      "model-failures",
    ]),
  );
});

test("each alarm tells the addressee, when it comes and when it goes, and names its page in the runbook", () => {
  const topic = stage.name(stage.only("AWS::SNS::Topic"), "Ref");
  const alarms = stage.ofType("AWS::CloudWatch::Alarm");
  expect(new Set(names()).size).toBe(alarms.length);
  for (const { stack, resource } of alarms) {
    const { AlarmActions, OKActions, AlarmDescription, AlarmName } = resource.Properties;
    for (const actions of [AlarmActions, OKActions]) {
      expect(Array.isArray(actions) && actions.map((action) => stage.text(action, stack))).toEqual([topic]);
    }
    expect(AlarmDescription).toContain(`docs/operations.md, ${String(AlarmName).replace(prefix, "")}.`);
  }
  expect(stage.only("AWS::SNS::Subscription").resource.Properties).toMatchObject({
    Protocol: "email",
    Endpoint: settingsOf("prod").alarms?.email,
  });
});

test("the budget warns before the month's money is spent", () => {
  expect(stage.only("AWS::Budgets::Budget").resource.Properties).toMatchObject({
    Budget: {
      BudgetLimit: { Amount: settingsOf("prod").alarms?.budgetUsd, Unit: "USD" },
      TimeUnit: "MONTHLY",
    },
  });
});

test("a personal stage has a dashboard and wakes nobody", async () => {
  const personal = reader(await synthesize("jane"));
  expect(personal.ofType("AWS::CloudWatch::Dashboard")).toHaveLength(1);
  for (const type of ["AWS::CloudWatch::Alarm", "AWS::SNS::Topic", "AWS::Budgets::Budget"]) {
    expect(personal.ofType(type)).toEqual([]);
  }
});
