import { beforeAll, describe, expect, test } from "vitest";
import { type Job, jobs, queues } from "../../functions/jobs.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { settingsOf } from "../../infra/stages.ts";
import { alarmsOf, looksAt } from "./alarms.ts";
import { synthesize } from "./assembly.ts";
import { type Found, type Reader, reader } from "./reading.ts";

const rows: readonly (Route | Job)[] = [...routes, ...jobs];
let stage: Reader;
let alarms: ReadonlyMap<string, Found>;

beforeAll(async () => {
  stage = reader(await synthesize("prod"));
  alarms = alarmsOf(stage);
});

function alarm(name: string): Found {
  const found = alarms.get(name);
  if (found === undefined) throw new TypeError(`There is no alarm ${name}`);
  return found;
}

/** Of each function the one alarm whose name ends so. */
function watchers(ending: string): ReadonlyMap<string, string> {
  const found = [...alarms].filter(([name]) => name.endsWith(ending));
  return new Map(
    found.flatMap(([name, one]) =>
      looksAt(stage, one).metrics.map(({ dimensions }) => [String(dimensions.FunctionName), name] as const),
    ),
  );
}

describe("the functions", () => {
  test("are each watched by one alarm for crashes and one for slowness, in groups that an alarm can hold", () => {
    for (const ending of ["-errors", "-slow"]) {
      const watched = watchers(ending);
      expect([...watched.keys()].sort()).toEqual(
        rows.map(({ id }) => stage.name(stage.lambda(id), "Ref")).sort(),
      );
      for (const name of new Set(watched.values())) {
        const { expressions, metrics: looked } = looksAt(stage, alarm(name));
        expect(looked.length).toBeLessThanOrEqual(10);
        expect(expressions.length).toBeLessThanOrEqual(10);
      }
    }
  });

  test("are slow by the slowest hundredth of their calls and their own time limits", () => {
    const slow = [...alarms].filter(([name]) => name.endsWith("-slow"));
    const shares = slow.flatMap(([, found]) => looksAt(stage, found).expressions);
    for (const { id, timeoutSeconds } of rows) {
      expect(shares).toContain(`100 * d_${id.replaceAll("-", "_")} / ${timeoutSeconds * 1000}`);
    }
    for (const [, found] of slow) {
      expect(found.resource.Properties).toMatchObject({ Threshold: 80, EvaluationPeriods: 3 });
      for (const { statistic } of looksAt(stage, found).metrics) expect(statistic).toBe("p99");
    }
  });

  test("are told in the alarm's own words, by their ids", () => {
    for (const { id } of rows) {
      const name = watchers("-errors").get(stage.name(stage.lambda(id), "Ref")) ?? "";
      expect(String(alarm(name).resource.Properties.AlarmDescription)).toMatch(new RegExp(`[ ,]${id}[,.]`));
    }
  });

  test("that handle money are a group of their own", () => {
    const groups = watchers("-errors");
    const named = (id: string) => groups.get(stage.name(stage.lambda(id), "Ref"));
    for (const { id, access } of rows) {
      const pays = access.some((one) => one.startsWith("relayers:"));
      expect([id, named(id) === "payments-errors"]).toEqual([id, pays]);
    }
  });

  test("are refused nowhere in the account without a word of it", () => {
    expect(looksAt(stage, alarm("functions-throttled")).metrics).toEqual([
      { namespace: "AWS/Lambda", name: "Throttles", statistic: "Sum", dimensions: {} },
    ]);
  });

  test("that the clock starts are watched for silence", () => {
    const clocked = rows.flatMap((row) =>
      "trigger" in row && row.trigger.kind === "schedule" ? [`${row.id}-stopped`] : [],
    );
    expect(clocked.length).toBeGreaterThan(1);
    for (const name of clocked) {
      expect(alarm(name).resource.Properties).toMatchObject({
        ComparisonOperator: "LessThanThreshold",
        Threshold: 1,
        TreatMissingData: "breaching",
      });
    }
    expect([...alarms.keys()].filter((name) => name.endsWith("-stopped")).sort()).toEqual(clocked.sort());
  });
});

test("everything that can fail unseen has its alarm", () => {
  const names = queues.flatMap(({ name, deadLetterQueue }) => [
    `${name}-waiting`,
    `${deadLetterQueue}-letters`,
  ]);
  for (const name of [
    ...names,
    "clock-dead-letters",
    "api-failures",
    "edge-failures",
    "table-throttles",
    "table-failures",
    "audit-failures",
    "settlements-late",
    "settled-not-delivered",
    "relayer-gas",
    "auditor-gas",
    "settlements-failing",
    "gas-burned",
    "relayers-busy",
    "rpc-failures",
    "model-failures",
    "model-cost",
    "defects",
  ]) {
    expect([...alarms.keys()]).toContain(name);
  }
});

test("their number stays one that people can know", () => {
  expect(alarms.size).toBeLessThan(45);
});

test("each alarm tells the addressee, when it comes and when it goes, what it means and where the runbook says what to do", () => {
  const topic = stage.name(stage.only("AWS::SNS::Topic"), "Ref");
  expect(alarms.size).toBe(stage.ofType("AWS::CloudWatch::Alarm").length);
  for (const { stack, resource } of alarms.values()) {
    const { AlarmActions, OKActions, AlarmDescription } = resource.Properties;
    for (const actions of [AlarmActions, OKActions]) {
      expect(Array.isArray(actions) && actions.map((action) => stage.text(action, stack))).toEqual([topic]);
    }
    expect(AlarmDescription).toMatch(/^.{30,}\. What to do: docs\/operations\.md#[a-z-]+$/);
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
