import { Dashboard, GraphWidget, type IMetric, type IWidget, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Stack } from "sst/constructs";
import { routes } from "../functions/routes.ts";
import { functionsOf, minutes, type Watched } from "./trouble.ts";

const fiveMinutes = minutes(5);

/** One page to look at first: what comes in, what goes wrong, what takes long, what waits. */
export function makeDashboard(stack: Stack, watched: Watched): void {
  const { web, audit, work, stored } = watched;
  const paid = routes.filter(({ caller }) => caller === "payer").map(({ id }) => id);
  const functions = [...functionsOf(watched).values()];
  const p99 = { ...fiveMinutes, statistic: Stats.percentile(99) };
  new Dashboard(stack, "dashboard", {
    dashboardName: stack.stackName,
    widgets: [
      [
        graph("API: calls and refusals", [
          web.gateway.metricCount(fiveMinutes),
          web.gateway.metricClientError(fiveMinutes),
          web.gateway.metricServerError(fiveMinutes),
        ]),
        graph("API: latency", [
          web.gateway.metricLatency({ ...fiveMinutes, statistic: Stats.percentile(50) }),
          web.gateway.metricLatency(p99),
        ]),
      ],
      [
        graph(
          "Payments: calls and time (p99)",
          paid.flatMap((id) => watched.endpoints.get(id)?.metricInvocations(fiveMinutes) ?? []),
          paid.flatMap((id) => watched.endpoints.get(id)?.metricDuration(p99) ?? []),
        ),
        graph(
          "Functions: errors",
          functions.map((made) => made.metricErrors(fiveMinutes)),
        ),
      ],
      [
        graph(
          "Queues: messages waiting and given up",
          [...work.queues.values(), ...work.deadLetters].map((queue) =>
            queue.metricApproximateNumberOfMessagesVisible(fiveMinutes),
          ),
        ),
        graph("Audits", [
          audit.machine.metricStarted(fiveMinutes),
          audit.machine.metricSucceeded(fiveMinutes),
          audit.machine.metricFailed(fiveMinutes),
          audit.machine.metricTimedOut(fiveMinutes),
        ]),
        graph("Table: capacity used", [
          stored.table.metricConsumedReadCapacityUnits(fiveMinutes),
          stored.table.metricConsumedWriteCapacityUnits(fiveMinutes),
        ]),
      ],
    ],
  });
}

/** A widget in the words of CDK's interface, of which its classes are not under exact optional types. */
function graph(title: string, left: IMetric[], right: IMetric[] = []): IWidget {
  const size = { width: 8, height: 6 };
  const widget = new GraphWidget({ title, left, right, ...size });
  return {
    ...size,
    position: (x, y) => widget.position(x, y),
    toJson: () => widget.toJson(),
  };
}
