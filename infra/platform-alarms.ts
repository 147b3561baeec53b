import { MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Operation } from "aws-cdk-lib/aws-dynamodb";
import { minutes } from "./measured.ts";
import type { Trouble, Watched } from "./trouble.ts";

/** What can go wrong with what stands around the functions. */
export function platformTroubles(watched: Watched): readonly Trouble[] {
  return [...ofEdge(watched), ...ofQueues(watched), ...ofTable(watched), ofAudit(watched)];
}

function ofEdge({ web }: Watched): readonly Trouble[] {
  const summed = { ...minutes(5), statistic: Stats.SUM };
  return [
    {
      name: "api-failures",
      meaning: "More than one in twenty answers of the API is a 5xx.",
      metric: new MathExpression({
        expression: "IF(calls > 20, 100 * failures / calls, 0)",
        usingMetrics: {
          failures: web.gateway.metricServerError(summed),
          calls: web.gateway.metricCount(summed),
        },
        label: "5xx answers, %",
        ...minutes(5),
      }),
      limit: { above: 5 },
      periods: 2,
    },
    {
      name: "edge-failures",
      meaning: "More than one in twenty answers of the distribution is a 5xx, the site's files included.",
      metric: new Metric({
        namespace: "AWS/CloudFront",
        metricName: "5xxErrorRate",
        dimensionsMap: { DistributionId: web.distribution.distributionId, Region: "Global" },
        statistic: Stats.AVERAGE,
        ...minutes(5),
      }),
      limit: { above: 5 },
      periods: 2,
    },
  ];
}

function ofQueues({ work }: Watched): readonly Trouble[] {
  const highest = { ...minutes(5), statistic: Stats.MAXIMUM };
  return [
    ...[...work.queues].map(([name, queue]) => ({
      name: `${name}-waiting`,
      entry: "waiting",
      meaning: `A message has waited in ${name} for a quarter of an hour.`,
      metric: queue.metricApproximateAgeOfOldestMessage(highest),
      limit: { above: 900 },
      periods: 1,
    })),
    ...work.deadLetters.map((queue) => ({
      name: `${queue.node.id}-letters`,
      entry: "dead-letters",
      meaning: `Messages were given up and lie in ${queue.node.id}: each is work that somebody waits for.`,
      metric: queue.metricApproximateNumberOfMessagesVisible(highest),
      limit: { above: 0 },
      periods: 1,
    })),
    {
      name: `${work.failedRuns.node.id}-letters`,
      entry: "dead-letters",
      meaning:
        "A run of the clock failed or was not started. The next run has done its work: look at why it failed.",
      metric: work.failedRuns.metricApproximateNumberOfMessagesVisible(highest),
      limit: { above: 0 },
      periods: 1,
    },
  ];
}

function ofTable({ stored: { table } }: Watched): readonly Trouble[] {
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
  return [
    {
      name: "table-throttles",
      meaning: "The table turns requests away: a key is hotter than a partition can serve.",
      metric: table.metricThrottledRequestsForOperations({ operations, ...minutes(5) }),
      limit: { above: 10 },
      periods: 2,
    },
    {
      name: "table-failures",
      meaning: "The table answers with errors of its own.",
      metric: table.metricSystemErrorsForOperations({ operations, ...minutes(5) }),
      limit: { above: 5 },
      periods: 2,
    },
  ];
}

function ofAudit({ audit }: Watched): Trouble {
  return {
    name: "audit-failures",
    meaning: "Audits end without a verdict: publishers are told to come back later.",
    metric: new MathExpression({
      expression: "failed + late",
      usingMetrics: {
        failed: audit.machine.metricFailed(minutes(5)),
        late: audit.machine.metricTimedOut(minutes(5)),
      },
      label: "audits without a verdict",
      ...minutes(5),
    }),
    limit: { above: 2 },
    periods: 2,
  };
}
