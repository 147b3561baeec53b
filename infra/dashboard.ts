import { Dashboard, GraphWidget, type IMetric, type IWidget, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Stack } from "sst/constructs";
import { routes } from "../functions/routes.ts";
import { businessRows } from "./business-rows.ts";
import { functionsOf, minutes, type Watched } from "./trouble.ts";

const fiveMinutes = minutes(5);

/** What a graph shows: its lines on the left scale, and those on the right one. */
export type Graph = {
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
