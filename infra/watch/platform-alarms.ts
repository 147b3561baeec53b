import { type IMetric, MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Operation } from "aws-cdk-lib/aws-dynamodb";
import type { CfnHealthCheck } from "aws-cdk-lib/aws-route53";
import { type Job, jobs, queues } from "../../functions/jobs.ts";
import { type Route, routes } from "../../functions/routes.ts";
import type { Lambda, Stack } from "../constructs.ts";
import type { StageSettings } from "../stages.ts";
import {
  type AlarmRule,
  listFunctions,
  makeMetric,
  makePeriod,
  type WatchedParts,
} from "./service-alarms.ts";

/** Alarms for the parts of the service around the functions, such as queues and the gateway. */
export function listPlatformAlarms(
  stack: Stack,
  settings: StageSettings,
  watched: WatchedParts,
  healthCheck: CfnHealthCheck,
): readonly AlarmRule[] {
  return [
    ...makeEdgeAlarms(stack, settings, watched, healthCheck),
    ...makeQueueAlarms(watched),
    ...makeTableAlarms(watched),
  ];
}

/**
 * The endpoints that anybody can fill: the gateway lets a burst pass that is larger than the function's maximum concurrency, and Lambda
 * refuses the rest before our code runs. Endpoints that settle payments are left out, because a refused payment is a failure.
 */
function listCappedEndpoints({ limits }: StageSettings): readonly Route[] {
  return routes.filter(({ id, writes }) => {
    const { burst } = limits.routes[id] ?? limits.gateway;
    return (limits.reserved[id] ?? burst) < burst && writes?.includes("settlement") !== true;
  });
}

function makeEdgeAlarms(
  stack: Stack,
  settings: StageSettings,
  { web, endpoints }: WatchedParts,
  healthCheck: CfnHealthCheck,
): readonly AlarmRule[] {
  const summed = { ...makePeriod(5), statistic: Stats.SUM };
  const checked = findFunction(endpoints, { id: "mcp-stream" });
  const refusals = listCappedEndpoints(settings).map(
    (row, index) => [`refused${index}`, findFunction(endpoints, row).metricThrottles(summed)] as const,
  );
  const makeEdgeMetric = (metricName: string, statistic: string) =>
    new Metric({
      namespace: "AWS/CloudFront",
      metricName,
      dimensionsMap: { DistributionId: web.distribution.distributionId, Region: "Global" },
      statistic,
      ...makePeriod(5),
    });
  /** Returns the fields that are the same in the two alarms on 5xx answers: the API's alarm and the distribution's alarm. */
  const makeShareRule = (expression: string, usingMetrics: Record<string, IMetric>) => {
    const share = { expression, usingMetrics, label: "5xx answers, %", ...makePeriod(5) };
    return {
      metric: new MathExpression(share),
      limit: { above: 5 },
      periods: 2,
      isSilenceBad: true,
    } as const;
  };
  return [
    {
      name: "api-failures",
      urgent: true,
      meaning:
        "More than one in twenty answers of the API is a 5xx. Refusals by the maximum concurrency of an endpoint that takes no payments, and answers that only tell the caller to wait, are not counted.",
      ...makeShareRule("IF(calls > 20, 100 * failures / calls, 0)", {
        // The gateway answers 5xx if Lambda refuses a request. Anybody can cause such refusals at a capped endpoint, and postponed work.
        failures: new MathExpression({
          // An endpoint that was never throttled has no data, and a sum leaves it out.
          expression: `2 * errors - SUM([${["errors", "postponed", ...refusals.map(([term]) => term)].join(", ")}])`,
          usingMetrics: {
            errors: web.gateway.metricServerError(summed),
            postponed: makeMetric(stack, "Postponed", { statistic: Stats.SUM, every: 5 }),
            ...Object.fromEntries(refusals),
          },
          ...makePeriod(5),
        }),
        // The requests of the outside health check show nothing about other callers, so they are not counted.
        calls: new MathExpression({
          expression: "requests - FILL(checks, 0)",
          usingMetrics: {
            requests: web.gateway.metricCount(summed),
            checks: checked.metricInvocations(summed),
          },
          ...makePeriod(5),
        }),
      }),
    },
    {
      name: "edge-failures",
      urgent: true,
      meaning:
        "More than one in twenty answers of the distribution is a 5xx. Answers that deliver the site's files are counted, too.",
      ...makeShareRule("IF(requests > 20, rate, 0)", {
        requests: makeEdgeMetric("Requests", Stats.SUM),
        rate: makeEdgeMetric("5xxErrorRate", Stats.AVERAGE),
      }),
    },
    {
      name: "unreachable",
      urgent: true,
      meaning:
        "Route 53's checkers around the world get no right answer from the API through the edge: nobody can buy or read.",
      metric: new Metric({
        namespace: "AWS/Route53",
        metricName: "HealthCheckStatus",
        dimensionsMap: { HealthCheckId: healthCheck.attrHealthCheckId },
        statistic: Stats.MINIMUM,
        ...makePeriod(1),
      }),
      limit: { below: 1 },
      periods: 3,
    },
  ];
}

const highest = { ...makePeriod(5), statistic: Stats.MAXIMUM };

function makeQueueAlarms({ work }: WatchedParts): readonly AlarmRule[] {
  const limits = queues.map((row) => `${row.name} (${findLongestWait(row)} seconds)`);
  return [
    {
      name: "waiting",
      meaning: `A message has waited too long in one of the queues: ${limits.join(", ")}.`,
      metric: combineMetrics(
        "MAX",
        queues.map((row) => makeWaitShareMetric(work, row)),
        "age of the oldest message, % of the limit",
      ),
      limit: { above: 100 },
    },
    {
      name: "dead-letters",
      meaning: `Messages were given up, each work that somebody waits for: ${work.deadLetters.map(({ node }) => node.id).join(", ")}.`,
      metric: combineMetrics(
        "SUM",
        work.deadLetters.map((queue) => queue.metricApproximateNumberOfMessagesVisible(highest)),
        "messages",
      ),
      limit: { above: 0 },
    },
    {
      name: `${work.failedRuns.node.id}-letters`,
      entry: "dead-letters",
      meaning:
        "A scheduled run failed or was not started. The next run has done the work of this run: find out why this run failed.",
      metric: work.failedRuns.metricApproximateNumberOfMessagesVisible(highest),
      limit: { above: 0 },
    },
  ];
}

type QueueRow = (typeof queues)[number];

/**
 * The limit for the age of a queue's oldest message, in seconds. SQS leaves a message out of the metric when the message was received three
 * times (SQS's developer guide, "Available CloudWatch metrics"). A message that always fails is received again after each visibility
 * time-out, so the metric possibly never shows an age above two visibility time-outs for this message. The limit is one minute below two
 * time-outs, because SQS measures only once a minute.
 */
function findLongestWait({ visibilitySeconds }: QueueRow): number {
  return 2 * visibilitySeconds - 60;
}

/** The age of a queue's oldest message, in percent of the queue's limit. */
function makeWaitShareMetric({ queues: made }: WatchedParts["work"], row: QueueRow): IMetric {
  const queue = made.get(row.name);
  if (queue === undefined) throw new Error(`No queue was made for ${row.name}`);
  const term = `age_${row.name}`;
  return new MathExpression({
    expression: `100 * ${term} / ${findLongestWait(row)}`,
    usingMetrics: {
      [term]: queue.metricApproximateAgeOfOldestMessage(highest),
    },
    ...makePeriod(5),
  });
}

function makeTableAlarms({ stored: { table } }: WatchedParts): readonly AlarmRule[] {
  const operations = [
    Operation.GET_ITEM,
    Operation.BATCH_GET_ITEM,
    Operation.QUERY,
    Operation.PUT_ITEM,
    Operation.UPDATE_ITEM,
    Operation.DELETE_ITEM,
    Operation.TRANSACT_GET_ITEMS,
    Operation.TRANSACT_WRITE_ITEMS,
  ];
  const makeTableMetric = (metricName: string, label: string) =>
    combineMetrics(
      "SUM",
      operations.map((operation) =>
        table.metric(metricName, {
          dimensionsMap: { TableName: table.tableName, Operation: operation },
          statistic: Stats.SUM,
          ...makePeriod(5),
        }),
      ),
      label,
    );
  return [
    {
      name: "table-throttles",
      urgent: true,
      meaning: "The table refuses requests: one key gets more requests than a partition can serve.",
      metric: makeTableMetric("ThrottledRequests", "throttled requests"),
      limit: { above: 10 },
      periods: 2,
    },
    {
      name: "table-failures",
      urgent: true,
      meaning: "The table answers with internal errors.",
      metric: makeTableMetric("SystemErrors", "internal errors"),
      limit: { above: 5 },
      periods: 2,
    },
  ];
}

type FunctionRow = Route | Job;

/** A group of functions that fail for the same reasons, and that share their alarms. */
type FunctionGroup = "payments" | "audit" | "work" | "publishing" | "sessions" | "reading" | "documents";

/** The group of a row's function, derived from the row's fields. */
function findConcern(row: FunctionRow): FunctionGroup {
  if (row.access.some((one) => one.startsWith("relayers:"))) return "payments";
  if ("trigger" in row) return row.trigger.kind === "step" ? "audit" : "work";
  if (row.caller === "publisher") return "publishing";
  if (row.caller === "site" || row.caller === "session") return "sessions";
  return row.path.startsWith("/api/") ? "reading" : "documents";
}

/**
 * An alarm may have at most ten metrics and ten expressions. The alarm of a group needs one expression for each function, and one
 * expression over all functions of the group.
 */
const mostTogether = 9;

/** Alarms for functions, each for one kind of fault, and alarms for the scheduled jobs. */
export function listFunctionAlarms(
  stack: Stack,
  settings: StageSettings,
  watched: WatchedParts,
): readonly AlarmRule[] {
  const functions = listFunctions(watched);
  const rows: readonly FunctionRow[] = [...routes, ...jobs];
  const members = rows.map((row) => ({ row, made: findFunction(functions, row) }));
  const concerns = Map.groupBy(members, ({ row }) => findConcern(row));
  return [
    ...[...concerns].flatMap(([concern, all]) =>
      splitIntoChunks(all).flatMap((some, index) =>
        makeGroupAlarms(stack, index === 0 ? concern : `${concern}-${index + 1}`, some),
      ),
    ),
    ...listCapacityAlarms(settings, members),
    ...listScheduleAlarms(members),
  ];
}

type BuiltFunction = { readonly row: FunctionRow; readonly made: Lambda };

function makeGroupAlarms(
  stack: Stack,
  name: string,
  members: readonly BuiltFunction[],
): readonly AlarmRule[] {
  const ids = members.map(({ row }) => row.id).join(", ");
  const errors = combineMetrics(
    "SUM",
    members.map(({ made }) => made.metricErrors(makePeriod(5))),
    "errors",
  );
  return [
    {
      name: `${name}-errors`,
      ...(name.startsWith("payments") && { urgent: true }),
      entry: "functions-errors",
      meaning: `Functions crashed or ran out of time, so the callers got no answer from the functions themselves: ${ids}.`,
      metric:
        name === "audit"
          ? new MathExpression({
              // If no run was ever refused, the metric has no data, and a sum leaves it out.
              expression: "2 * errors - SUM([errors, refused])",
              usingMetrics: {
                errors,
                refused: makeMetric(stack, "AuditRefused", { statistic: Stats.SUM, every: 5 }),
              },
              label: "errors",
              ...makePeriod(5),
            })
          : errors,
      limit: { above: 2 },
    },
    {
      name: `${name}-slow`,
      entry: "functions-slow",
      meaning: `In one of these functions, one call in a hundred takes more than four fifths of the time limit: ${ids}.`,
      metric: combineMetrics("MAX", members.map(makeTimeoutShareMetric), "p99, % of the time limit"),
      limit: { above: 80 },
      periods: 3,
    },
  ];
}

/** The 99th percentile of the duration of a function's calls, in percent of the function's time limit. */
function makeTimeoutShareMetric({ row, made }: BuiltFunction): IMetric {
  const p99 = made.metricDuration({ ...makePeriod(5), statistic: Stats.percentile(99) });
  const term = `d_${row.id.replaceAll("-", "_")}`;
  return new MathExpression({
    expression: `100 * ${term} / ${row.timeoutSeconds * 1000}`,
    usingMetrics: { [term]: p99 },
    ...makePeriod(5),
  });
}

/**
 * Alarms for the capacity of the payment functions and for the capacity of all functions without a reservation. A function with a maximum
 * concurrency raises no alarm when it is throttled, because the maximum is meant to throttle the function.
 */
function listCapacityAlarms(
  settings: StageSettings,
  members: readonly BuiltFunction[],
): readonly AlarmRule[] {
  const { limits, quotas } = settings;
  const reserved = Object.values(limits.reserved).reduce((sum, runs) => sum + runs, 0);
  return [
    {
      name: "payments-throttled",
      urgent: true,
      entry: "functions-throttled",
      meaning:
        "Lambda refused to run functions that settle or watch payments: their reserved runs are used up.",
      metric: combineMetrics(
        "SUM",
        members
          .filter(({ row }) => findConcern(row) === "payments")
          // Moves and the ETH for votes have a small maximum concurrency, which anybody can use up.
          .filter(({ row }) => "trigger" in row || row.writes?.includes("settlement") === true)
          .map(({ made }) => made.metricThrottles(makePeriod(5))),
        "throttles",
      ),
      limit: { above: 0 },
    },
    {
      name: "concurrency-used",
      entry: "functions-throttled",
      meaning:
        "Functions without reserved runs use four fifths of the runs that the account's quota leaves for them.",
      metric: new Metric({
        namespace: "AWS/Lambda",
        metricName: "UnreservedConcurrentExecutions",
        statistic: Stats.MAXIMUM,
        ...makePeriod(5),
      }),
      limit: { above: Math.floor(0.8 * (quotas.concurrency - reserved)) },
      periods: 2,
    },
  ];
}

/**
 * Each scheduled job has its own alarm, because the metrics of one expression would all get the expression's period, and the jobs run at
 * different intervals.
 */
function listScheduleAlarms(members: readonly BuiltFunction[]): readonly AlarmRule[] {
  return members.flatMap(({ row, made }) =>
    "trigger" in row && row.trigger.kind === "schedule"
      ? [
          {
            entry: "stopped",
            name: `${row.id}-stopped`,
            ...(row.id.startsWith("payment-") && { urgent: true as const }),
            meaning: `${row.id} has not been started three times in a row, so its work is not done.`,
            metric: made.metricInvocations(makePeriod(3 * row.trigger.everyMinutes)),
            limit: { below: 1 },
          },
        ]
      : [],
  );
}

/**
 * The sum or the maximum of several metrics. Metrics without data are left out. The expression `a + b` would have no value if one of the
 * two metrics has no data. Some metrics, such as DynamoDB's errors, have data only when something fails.
 */
function combineMetrics(statistic: "SUM" | "MAX", metrics: readonly IMetric[], label: string): IMetric {
  const terms = metrics.map((metric, index) => [`m${index}`, metric] as const);
  return new MathExpression({
    expression: `${statistic}([${terms.map(([term]) => term).join(", ")}])`,
    usingMetrics: Object.fromEntries(terms),
    label,
    ...makePeriod(5),
  });
}

function splitIntoChunks<Item>(all: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(all.length / mostTogether);
  return Array.from({ length: count }, (_, part) =>
    all.slice(part * mostTogether, (part + 1) * mostTogether),
  );
}

function findFunction(
  functions: ReadonlyMap<FunctionRow["id"], Lambda>,
  { id }: Pick<FunctionRow, "id">,
): Lambda {
  const made = functions.get(id);
  if (made === undefined) throw new Error(`No function was made for ${id}`);
  return made;
}
