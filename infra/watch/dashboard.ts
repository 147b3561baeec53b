import { Dashboard, GraphWidget, type IMetric, type IWidget, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Stack } from "sst/constructs";
import type { MetricName } from "../../functions/metrics.ts";
import { routes } from "../../functions/routes.ts";
import { byDimension, functionsOf, measured, minutes, type Watched } from "./metrics.ts";

const fiveMinutes = minutes(5);

/** What a graph shows: its lines on the left scale, and those on the right one. */
type Graph = {
  readonly title: string;
  readonly left: readonly IMetric[];
  readonly right?: readonly IMetric[];
};

/** One page to look at first: the money, what is published, what comes in, what goes wrong, what waits. */
export function makeDashboard(stack: Stack, watched: Watched): void {
  const rows = [...businessRows(stack), ...platformRows(watched)];
  new Dashboard(stack, "dashboard", {
    dashboardName: stack.stackName,
    widgets: rows.map((row) => row.map((graph) => widget(graph, Math.floor(24 / row.length)))),
  });
}

/** What the service is for, and what it needs of others: everything that `metrics.ts` counts. */
function businessRows(stack: Stack): readonly (readonly Graph[])[] {
  const sum = { statistic: Stats.SUM, every: 5 };
  const highest = { statistic: Stats.MAXIMUM, every: 5 };
  const lowest = { statistic: Stats.MINIMUM, every: 5 };
  const all = (...names: readonly MetricName[]) => names.map((name) => measured(stack, name, sum));
  const each = (...names: readonly MetricName[]) => names.map((name) => byDimension(stack, name, sum));
  return [
    [
      {
        title: "Payments: legs settled and texts delivered",
        left: [...each("LegSettled"), ...all("TextDelivered")],
      },
      { title: "Payments: answered 402, by reason", left: each("PaymentRefused") },
      {
        title: "Payments: settlements given up, by reason, and the gas that they burned",
        left: each("SettlementFailed"),
        right: each("GasBurned"),
      },
    ],
    [
      {
        title: "Payments: under way, and for how long (s)",
        left: [
          measured(stack, "SettlementsUnderWay", highest),
          measured(stack, "SettledNotDelivered", highest),
        ],
        right: [measured(stack, "SettlementAge", highest)],
      },
      {
        title: "Relayers: settlements that the gas pays for, payments turned away",
        left: [byDimension(stack, "RelayerRunway", lowest), measured(stack, "AuditorRunway", lowest)],
        right: all("RelayersBusy"),
      },
      { title: "Answered 503, by reason, and 500", left: [...each("Unavailable"), ...all("Defects")] },
    ],
    [
      { title: "Wallets: signed in, voted", left: all("SignIn", "VoteRecorded") },
      {
        title: "Publishing: drafts, audits, generations",
        left: [...all("DraftSaved"), ...each("AuditEnded", "GenerationEnded")],
      },
      {
        title: "Publishing: mints, live presses, verdicts",
        left: [...all("MintConfirmed", "WentLive"), ...each("MintRefused", "VerdictPosted")],
      },
    ],
    [
      {
        title: "Chain: time of a round trip (p99, ms), failures, calls relayed",
        left: [byDimension(stack, "RpcTime", { ...sum, statistic: "p99" })],
        right: [...each("RpcErrors"), ...all("RelayedCalls")],
      },
      {
        title: "Model: tokens, failures, misquotes",
        left: each("ModelTokens"),
        right: [...each("ModelErrors"), ...all("Misquotes")],
      },
      {
        title: "Model: cost of an hour (USD)",
        left: [byDimension(stack, "ModelCost", { ...sum, every: 60 })],
      },
    ],
  ];
}

function platformRows(watched: Watched): readonly (readonly Graph[])[] {
  const { web, audit, work, stored } = watched;
  const paid = routes.filter(({ caller }) => caller === "payer").map(({ id }) => id);
  const functions = [...functionsOf(watched).values()];
  const p99 = { ...fiveMinutes, statistic: Stats.percentile(99) };
  return [
    [
      {
        title: "API: calls and refusals",
        left: [
          web.gateway.metricCount(fiveMinutes),
          web.gateway.metricClientError(fiveMinutes),
          web.gateway.metricServerError(fiveMinutes),
        ],
      },
      {
        title: "API: latency",
        left: [
          web.gateway.metricLatency({ ...fiveMinutes, statistic: Stats.percentile(50) }),
          web.gateway.metricLatency(p99),
        ],
      },
      {
        title: "Payments: calls and time (p99)",
        left: paid.flatMap((id) => watched.endpoints.get(id)?.metricInvocations(fiveMinutes) ?? []),
        right: paid.flatMap((id) => watched.endpoints.get(id)?.metricDuration(p99) ?? []),
      },
    ],
    [
      { title: "Functions: errors", left: functions.map((made) => made.metricErrors(fiveMinutes)) },
      { title: "Functions: throttles", left: functions.map((made) => made.metricThrottles(fiveMinutes)) },
      { title: "Functions: time (p99)", left: functions.map((made) => made.metricDuration(p99)) },
    ],
    [
      {
        title: "Queues: messages waiting and given up",
        left: [...work.queues.values(), ...work.deadLetters].map((queue) =>
          queue.metricApproximateNumberOfMessagesVisible(fiveMinutes),
        ),
        right: [...work.queues.values()].map((queue) =>
          queue.metricApproximateAgeOfOldestMessage(fiveMinutes),
        ),
      },
      {
        title: "Audits",
        left: [
          audit.machine.metricStarted(fiveMinutes),
          audit.machine.metricSucceeded(fiveMinutes),
          audit.machine.metricFailed(fiveMinutes),
          audit.machine.metricTimedOut(fiveMinutes),
        ],
      },
      {
        title: "Table: capacity used",
        left: [
          stored.table.metricConsumedReadCapacityUnits(fiveMinutes),
          stored.table.metricConsumedWriteCapacityUnits(fiveMinutes),
        ],
      },
    ],
  ];
}

/** A widget in the words of CDK's interface, of which its classes are not under exact optional types. */
function widget({ title, left, right = [] }: Graph, width: number): IWidget {
  const size = { width, height: 6 };
  const made = new GraphWidget({ title, left: [...left], right: [...right], ...size });
  return {
    ...size,
    position: (x, y) => made.position(x, y),
    toJson: () => made.toJson(),
  };
}
