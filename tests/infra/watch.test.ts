import { describe, expect, test } from "vitest";
import { type Job, jobs, queues } from "../../functions/jobs.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { rollbackAlarms } from "../../infra/deploy/stacks.ts";
import { findSettings } from "../../infra/stages.ts";
import { listAlarms, readAlarm, requireAlarm } from "./alarms.ts";
import { synthesize } from "./assembly.ts";
import { makeReader } from "./reading.ts";

const rows: readonly (Route | Job)[] = [...routes, ...jobs];
const stage = makeReader(await synthesize("prod"));
const alarms = listAlarms(stage);
const findAlarm = (name: string) => requireAlarm(alarms, name);

/** For each function, finds the only alarm whose name has the given ending. */
function mapFunctionsToAlarms(ending: string): ReadonlyMap<string, string> {
  const found = [...alarms].filter(([name]) => name.endsWith(ending));
  return new Map(
    found.flatMap(([name, one]) =>
      readAlarm(stage, one).metrics.flatMap(({ dimensions: { FunctionName } }) =>
        FunctionName === undefined ? [] : [[String(FunctionName), name] as const],
      ),
    ),
  );
}

describe("the functions are watched by alarms", () => {
  test("each function is watched by an alarm for crashes and an alarm for slowness, and each alarm watches only as many functions as fit into one alarm", () => {
    for (const ending of ["-errors", "-slow"]) {
      const watched = mapFunctionsToAlarms(ending);
      expect([...watched.keys()].sort()).toEqual(
        rows.map(({ id }) => stage.formatName(stage.lambda(id), "Ref")).sort(),
      );
      for (const name of new Set(watched.values())) {
        const { expressions, metrics: looked } = readAlarm(stage, findAlarm(name));
        expect(looked.length).toBeLessThanOrEqual(10);
        expect(expressions.length).toBeLessThanOrEqual(10);
      }
    }
  });

  test("a function counts as slow when more than one in a hundred of its calls take longer than 80 % of its time limit", () => {
    const slow = [...alarms].filter(([name]) => name.endsWith("-slow"));
    const shares = slow.flatMap(([, found]) => readAlarm(stage, found).expressions);
    for (const { id, timeoutSeconds } of rows) {
      expect(shares).toContain(`100 * d_${id.replaceAll("-", "_")} / ${timeoutSeconds * 1000}`);
    }
    for (const [, found] of slow) {
      expect(found.resource.Properties).toMatchObject({ Threshold: 80, EvaluationPeriods: 3 });
      for (const { statistic } of readAlarm(stage, found).metrics) expect(statistic).toBe("p99");
    }
  });

  test("an alarm's description names the id of each function that the alarm watches", () => {
    const groups = mapFunctionsToAlarms("-errors");
    for (const { id } of rows) {
      const name = groups.get(stage.formatName(stage.lambda(id), "Ref")) ?? "";
      expect(String(findAlarm(name).resource.Properties.AlarmDescription)).toMatch(
        new RegExp(`[ ,]${id}[,.]`),
      );
    }
  });

  test("functions that handle money have their own group of alarms", () => {
    const groups = mapFunctionsToAlarms("-errors");
    const findGroup = (id: string) => groups.get(stage.formatName(stage.lambda(id), "Ref"));
    for (const { id, access } of rows) {
      const pays = access.some((one) => one.startsWith("relayers:"));
      expect([id, findGroup(id) === "payments-errors"]).toEqual([id, pays]);
    }
  });

  const makeThrottles = (ids: readonly string[]) =>
    ids.map((id) => ({
      namespace: "AWS/Lambda",
      name: "Throttles",
      statistic: "Sum",
      dimensions: { FunctionName: stage.formatName(stage.lambda(id), "Ref") },
    }));

  test("throttled payment functions raise an urgent alarm, and other throttled functions raise an ordinary alarm", () => {
    const refused = readAlarm(stage, findAlarm("payments-throttled")).metrics;
    const paying = rows.filter(({ access }) => access.some((one) => one.startsWith("relayers:")));
    const errands = ["move", "votes-gas"];
    expect(refused).toEqual(makeThrottles(paying.map(({ id }) => id).filter((id) => !errands.includes(id))));
    expect(readAlarm(stage, findAlarm("concurrency-used")).metrics).toEqual([
      {
        namespace: "AWS/Lambda",
        name: "UnreservedConcurrentExecutions",
        statistic: "Maximum",
        dimensions: {},
      },
    ]);
    const reserved = Object.values(findSettings("prod").limits.reserved).reduce((sum, runs) => sum + runs, 0);
    const { Threshold } = findAlarm("concurrency-used").resource.Properties;
    expect(Threshold).toBe(Math.floor(0.8 * (findSettings("prod").quotas.concurrency - reserved)));
  });

  test("requests that the maximum concurrency of an endpoint refuses do not count as failures of the API, unless the endpoint takes payments", () => {
    const { limits } = findSettings("prod");
    const capped = routes
      .filter(({ id }) => {
        const { burst } = limits.routes[id] ?? limits.gateway;
        return (limits.reserved[id] ?? burst) < burst;
      })
      .map(({ id }) => id)
      .filter((id) => !["pay-treasury", "pay-publisher"].includes(id));
    expect(capped).toEqual(expect.arrayContaining(["move", "receipts", "mcp", "rpc", "votes-gas"]));
    const { expressions, metrics } = readAlarm(stage, findAlarm("api-failures"));
    expect(metrics.filter(({ name }) => name === "Throttles")).toEqual(makeThrottles(capped));
    expect(expressions).toContain(
      `2 * errors - SUM([${["errors", "postponed", ...capped.map((_, index) => `refused${index}`)].join(", ")}])`,
    );
  });

  test("a stage without reserved runs counts every refusal of Lambda as a failure of the API", async () => {
    const dev = makeReader(await synthesize("dev"));
    const { expressions, metrics } = readAlarm(dev, requireAlarm(listAlarms(dev), "api-failures"));
    expect(metrics.filter(({ name }) => name === "Throttles")).toEqual([]);
    expect(expressions).toContain("2 * errors - SUM([errors, postponed])");
  });

  test("an alarm is raised if the clock should start a function and the function does not run", () => {
    const clocked = rows.flatMap(({ id, ...row }) =>
      "trigger" in row && row.trigger.kind === "schedule" ? [{ id, minutes: row.trigger.everyMinutes }] : [],
    );
    for (const { id, minutes } of clocked) {
      expect(findAlarm(`${id}-stopped`).resource.Properties).toMatchObject({
        ComparisonOperator: "LessThanThreshold",
        EvaluationPeriods: 1,
        MetricName: "Invocations",
        Period: 3 * 60 * minutes,
        Threshold: 1,
        TreatMissingData: "breaching",
      });
    }
    const watched = clocked.map(({ id }) => `${id}-stopped`);
    expect([...alarms.keys()].filter((name) => name.endsWith("-stopped")).sort()).toEqual(watched.sort());
  });
});

test("the alarm on dead letters watches every queue", () => {
  expect(findAlarm("dead-letters").resource.Properties.Metrics).toHaveLength(queues.length + 1);
});

test("the alarm on waiting messages is raised before SQS's metric begins to ignore a message that always fails", () => {
  const { expressions, metrics } = readAlarm(stage, findAlarm("waiting"));
  expect(findAlarm("waiting").resource.Properties).toMatchObject({ Threshold: 100, EvaluationPeriods: 1 });
  expect(metrics.map(({ name, statistic }) => [name, statistic])).toEqual(
    queues.map(() => ["ApproximateAgeOfOldestMessage", "Maximum"]),
  );
  expect(expressions).toContain(`MAX([${queues.map((_, index) => `m${index}`).join(", ")}])`);
  expect(new Set(metrics.map(({ dimensions }) => dimensions.QueueName)).size).toBe(queues.length);
  const limits = expressions.flatMap((one) => {
    const [, queue, seconds] = /^100 \* age_(\w+) \/ (\d+)$/.exec(one) ?? [];
    return queue === undefined ? [] : [{ queue, seconds: Number(seconds) }];
  });
  expect(limits).toContainEqual({ queue: "mints", seconds: 300 });
  expect(limits.map(({ queue }) => queue).sort()).toEqual(queues.map(({ name }) => name).sort());
  for (const { name, visibilitySeconds } of queues) {
    // When SQS delivers a message for the third time, after two visibility time-outs, the metric no longer counts the message. SQS updates
    // the metric once a minute.
    const limit = limits.find(({ queue }) => queue === name)?.seconds ?? 0;
    expect(limit).toBeGreaterThan(visibilitySeconds);
    expect(limit).toBeLessThanOrEqual(2 * visibilitySeconds - 60);
    const { AlarmDescription } = findAlarm("waiting").resource.Properties;
    expect(AlarmDescription).toContain(`${name} (${limit} seconds)`);
  }
});

test("no alarm adds metrics by `+`, because the sum would have no value if one of the metrics has no data, and each alarm has at most ten metrics", () => {
  const all = [...alarms.values()].map((found) => readAlarm(stage, found));
  expect(all.flatMap(({ expressions }) => expressions).filter((one) => one.includes("+"))).toEqual([]);
  expect(all.filter(({ metrics }) => metrics.length > 10)).toEqual([]);
});

test("the alarms on the table sum up the refusals and errors of every operation", () => {
  for (const [alarm, metric] of [
    ["table-throttles", "ThrottledRequests"],
    ["table-failures", "SystemErrors"],
  ] as const) {
    const { expressions, metrics } = readAlarm(stage, findAlarm(alarm));
    expect(expressions).toEqual(["SUM([m0, m1, m2, m3, m4, m5, m6, m7])"]);
    const table = stage.formatName(stage.findOnly("AWS::DynamoDB::Table"), "Ref");
    expect(metrics).toEqual(
      [
        "GetItem",
        "BatchGetItem",
        "Query",
        "PutItem",
        "UpdateItem",
        "DeleteItem",
        "TransactGetItems",
        "TransactWriteItems",
      ].map((Operation) => ({
        namespace: "AWS/DynamoDB",
        name: metric,
        statistic: "Sum",
        dimensions: { TableName: table, Operation },
      })),
    );
  }
});

test("an urgent alarm that watches a percentage of the requests is raised only if there are more than 20 requests", () => {
  const shares = urgent.flatMap((name) => {
    const { expressions, metrics } = readAlarm(stage, findAlarm(name));
    return [...expressions, ...metrics.map(({ name: metric }) => metric)].some((one) =>
      /100 \*|Rate/.test(one),
    )
      ? [[name, expressions.filter((one) => /^IF\(\w+ > 20, .+, 0\)$/.test(one)).length]]
      : [];
  });
  expect(shares).toEqual([
    ["rpc-failures", 1],
    ["api-failures", 1],
    ["edge-failures", 1],
  ]);
});

test("a health check asks the API through the edge every half minute, on a route that the edge does not cache, and missing data counts as a failure", () => {
  const { stack, resource } = stage.findOnly("AWS::Route53::HealthCheck");
  expect(routes).toContainEqual(expect.objectContaining({ method: "GET", path: "/mcp", cache: "none" }));
  expect(resource.Properties.HealthCheckConfig).toMatchObject({
    Type: "HTTPS_STR_MATCH",
    FullyQualifiedDomainName: findSettings("prod").domain?.name,
    ResourcePath: "/mcp",
    SearchString: '"streamable-http"',
    RequestInterval: 30,
  });
  expect(stack).toBe("watch");
  for (const name of ["edge-failures", "api-failures", "unreachable"]) {
    expect([name, findAlarm(name).resource.Properties.TreatMissingData]).toEqual([name, "breaching"]);
  }
  expect(readAlarm(stage, findAlarm("unreachable")).metrics).toEqual([
    {
      namespace: "AWS/Route53",
      name: "HealthCheckStatus",
      statistic: "Minimum",
      dimensions: {
        HealthCheckId: stage.formatName(stage.findOnly("AWS::Route53::HealthCheck"), "HealthCheckId"),
      },
    },
  ]);
});

test("CloudTrail records every signature by a KMS key, so that an alarm can report signatures that no function made", () => {
  expect(stage.findOnly("AWS::CloudTrail::Trail").resource.Properties).toMatchObject({
    IsLogging: true,
    EventSelectors: [{ IncludeManagementEvents: true, ReadWriteType: "All" }],
  });
});

test("several errors roll back a deployment or a canary, and one error does not", () => {
  const releases = stage.ofType("AWS::CloudWatch::Alarm").filter(({ stack }) => stack === "api");
  expect(releases.length).toBeGreaterThan(3);
  for (const { resource } of releases)
    expect(resource.Properties).toMatchObject({ Threshold: 0, EvaluationPeriods: 5, DatapointsToAlarm: 2 });
  for (const name of rollbackAlarms.filter((one) => one !== "settled-not-delivered"))
    expect([name, Number(findAlarm(name).resource.Properties.Threshold) > 1]).toEqual([name, true]);
});

test("the stage has fewer than 55 alarms, so that people can know all of its alarms", () => {
  expect(alarms.size).toBeLessThan(55);
});

test("each alarm tells its addressee when the alarm starts and ends, what the alarm means, and which runbook entry helps", () => {
  for (const [name, { stack, resource }] of alarms) {
    const topic = findTopic(urgent.includes(name) ? "urgentalarms" : "alarms");
    const { AlarmActions, OKActions, AlarmDescription } = resource.Properties;
    for (const actions of [AlarmActions, OKActions]) {
      expect(Array.isArray(actions) && actions.map((action) => stage.text(action, stack))).toEqual([topic]);
    }
    expect(AlarmDescription).toMatch(/^(URGENT\. )?.{30,}\. What to do: docs\/operations\.md#[a-z-]+$/);
  }
});

/** The alarms on faults that cost somebody money, or that prevent all readers from buying or reading. */
const urgent = [
  "settled-not-delivered",
  "settlements-late",
  "gas-burned",
  "relayer-gas",
  "rpc-failures",
  "api-failures",
  "edge-failures",
  "unreachable",
  "table-throttles",
  "table-failures",
  "payments-errors",
  "payments-throttled",
  "payment-reconcile-stopped",
  "payment-watch-stopped",
];

const findTopic = (id: string) => stage.formatName(stage.findResource("AWS::SNS::Topic", id), "Ref");

test("urgent alarms say that they are urgent and reach the on-call service and the mailbox, and other alarms reach only the mailbox", () => {
  const said = [...alarms].filter(([, { resource }]) =>
    String(resource.Properties.AlarmDescription).startsWith("URGENT. "),
  );
  expect(said.map(([name]) => name).sort()).toEqual([...urgent].sort());
  const subscribed = stage.ofType("AWS::SNS::Subscription").map(({ stack, resource }) => {
    const { TopicArn, Protocol, Endpoint } = resource.Properties;
    return [stage.text(TopicArn, stack), Protocol, Endpoint];
  });
  const { email, onCallUrl } = findSettings("prod").alarms ?? {};
  expect(subscribed.sort()).toEqual(
    [
      [findTopic("alarms"), "email", email],
      [findTopic("urgentalarms"), "email", email],
      [findTopic("urgentalarms"), "https", onCallUrl],
    ].sort(),
  );
});

test("a signature by any caller except the functions, and any change of a key, is reported at once", () => {
  const found = stage.ofType("AWS::Events::Rule").find(({ stack }) => stack === "watch");
  expect(found?.resource.Properties).toMatchObject({
    State: "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS",
    EventPattern: {
      source: ["aws.kms"],
      $or: [
        { detail: { eventName: ["Sign"] } },
        { detail: { eventName: ["Sign"], userIdentity: { type: [{ "anything-but": "AssumedRole" }] } } },
        { detail: { eventName: ["PutKeyPolicy", "DisableKey", "ScheduleKeyDeletion"] } },
      ],
    },
  });
  const { Targets } = Object(found?.resource.Properties);
  expect(stage.text(Targets[0].Arn, "watch")).toBe(findTopic("urgentalarms"));
  const hears = stage
    .ofType("AWS::SNS::TopicPolicy")
    .filter(({ resource }) => JSON.stringify(resource.Properties).includes("events.amazonaws.com"));
  expect(
    hears.map(({ stack, resource }) =>
      [resource.Properties.Topics].flat().map((one) => stage.text(one, stack)),
    ),
  ).toEqual([[findTopic("urgentalarms")]]);
});

test("the budget sends a warning before the month's money is spent", () => {
  expect(stage.findOnly("AWS::Budgets::Budget").resource.Properties).toMatchObject({
    Budget: {
      BudgetLimit: { Amount: findSettings("prod").alarms?.budgetUsd, Unit: "USD" },
      TimeUnit: "MONTHLY",
    },
  });
});

test("the address of the alarms can be changed, because the budget, which CloudFormation then replaces, has no fixed name", async () => {
  const other = makeReader(
    await synthesize("prod", ({ alarms, ...settings }) => ({
      ...settings,
      alarms: alarms && { ...alarms, email: "other@press-market.example" },
    })),
  );
  const budgets = [stage, other].map((one) => one.findOnly("AWS::Budgets::Budget").resource.Properties);
  expect(JSON.stringify(budgets[1]?.NotificationsWithSubscribers)).toContain("other@press-market.example");
  for (const { Budget } of budgets) expect(Budget).not.toHaveProperty("BudgetName");
});

test("a personal stage has a dashboard, and no alarms that wake somebody", async () => {
  const personal = makeReader(await synthesize("jane"));
  expect(personal.ofType("AWS::CloudWatch::Dashboard")).toHaveLength(1);
  for (const type of [
    "AWS::CloudWatch::Alarm",
    "AWS::CloudTrail::Trail",
    "AWS::Route53::HealthCheck",
    "AWS::SNS::Topic",
    "AWS::Budgets::Budget",
  ]) {
    expect(personal.ofType(type)).toEqual([]);
  }
});
