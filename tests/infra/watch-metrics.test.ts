import { describe, expect, test } from "vitest";
import * as z from "zod";
import { jobs } from "../../functions/jobs.ts";
import { metrics, namespace } from "../../functions/metrics.ts";
import { routes } from "../../functions/routes.ts";
import { listAlarms, readAlarm, requireAlarm } from "./alarms.ts";
import { synthesize } from "./assembly.ts";
import { makeReader } from "./reading.ts";

const stage = makeReader(await synthesize("prod"));
const alarms = listAlarms(stage);
const findAlarm = (name: string) => requireAlarm(alarms, name);

test.each([
  ["settled-not-delivered", "SettledNotDelivered", "Maximum", "GreaterThanThreshold", 0, "notBreaching"],
  ["settlements-late", "SettlementAge", "Maximum", "GreaterThanThreshold", 180, "notBreaching"],
  ["relayer-gas", "RelayerRunway", "Minimum", "LessThanThreshold", 100, "breaching"],
  ["auditor-gas", "AuditorRunway", "Minimum", "LessThanThreshold", 100, "breaching"],
  ["settlements-failing", "SettlementFailed", "Sum", "GreaterThanThreshold", 20, "notBreaching"],
  ["gas-burned", "GasBurned", "Sum", "GreaterThanThreshold", 1_000_000, "notBreaching"],
  ["relayers-busy", "RelayersBusy", "Sum", "GreaterThanThreshold", 5, "notBreaching"],
  ["model-failures", "ModelErrors", "Sum", "GreaterThanThreshold", 5, "notBreaching"],
  ["defects", "Defects", "Sum", "GreaterThanThreshold", 0, "notBreaching"],
  ["defects-many", "Defects", "Sum", "GreaterThanThreshold", 2, "notBreaching"],
  ["model-cost", "ModelCost", "Sum", "GreaterThanThreshold", 10, "notBreaching"],
])(
  "the alarm %s reads this stage's metric %s, with the statistic %s, over all dimensions",
  (name, metric, statistic, operator, limit, silence) => {
    expect(readAlarm(stage, findAlarm(name)).metrics).toEqual([
      { namespace, name: metric, statistic, dimensions: { service: "prod-press-market" } },
    ]);
    expect(findAlarm(name).resource.Properties).toMatchObject({
      ComparisonOperator: operator,
      Threshold: limit,
      TreatMissingData: silence,
    });
  },
);

test("the alarm on receipts counts the answers with the code `receipt_unavailable`", () => {
  expect(readAlarm(stage, findAlarm("receipts-failing")).metrics).toEqual([
    {
      namespace,
      name: "Unavailable",
      statistic: "Sum",
      dimensions: { service: "prod-press-market", code: "receipt_unavailable" },
    },
  ]);
});

test("the alarm on the nodes computes the percentage of round trips to the nodes that got no answer", () => {
  const { metrics: looked, expressions } = readAlarm(stage, findAlarm("rpc-failures"));
  expect(looked.map(({ name, statistic }) => [name, statistic])).toEqual([
    ["RpcErrors", "Sum"],
    ["RpcTime", "SampleCount"],
  ]);
  expect(expressions).toEqual(["IF(trips > 20, 100 * failures / trips, 0)"]);
});

const Board = z.object({
  widgets: z.array(z.object({ properties: z.looseObject({ metrics: z.unknown() }) })),
});

/** The names of our own metrics on the dashboard, and the dashboard's searches, which split metrics by dimension. */
function readDashboardMetrics(): {
  readonly names: ReadonlySet<string>;
  readonly searches: readonly string[];
} {
  const { stack, resource } = stage.findOnly("AWS::CloudWatch::Dashboard");
  const board = Board.parse(JSON.parse(stage.text(resource.Properties.DashboardBody, stack)));
  const text = board.widgets.map(({ properties }) => JSON.stringify(properties.metrics)).join("\n");
  const searches = [...text.matchAll(/SEARCH\('(\{.*?)', '/g)].map(([, search = ""]) =>
    search.replaceAll('\\"', '"'),
  );
  const plain = [...text.matchAll(new RegExp(`"${namespace}","(\\w+)"`, "g"))].map(([, name = ""]) => name);
  const searched = searches.map((search) => /MetricName="(\w+)"/.exec(search)?.[1] ?? "");
  return { names: new Set([...plain, ...searched]), searches };
}

describe("the metrics of metrics.ts are watched", () => {
  test("all metrics of metrics.ts are on the dashboard, and the dashboard shows no other metrics of ours", () => {
    expect([...readDashboardMetrics().names].sort()).toEqual(Object.keys(metrics).sort());
  });

  test("the dashboard splits the metrics of metrics.ts by the dimensions that the code writes", () => {
    const { searches } = readDashboardMetrics();
    expect(searches.length).toBeGreaterThan(8);
    for (const search of searches) {
      const name = z.enum(Object.keys(metrics)).parse(/MetricName="(\w+)"/.exec(search)?.[1]);
      const { dimensions } = new Map(Object.entries(metrics)).get(name) ?? { dimensions: [] };
      expect(search).toBe(
        `{${["PressMarket,service", ...dimensions].join(",")}} MetricName="${name}" service="prod-press-market"`,
      );
    }
  });

  test("alarms read no metrics of ours except the metrics in metrics.ts", () => {
    const looked = [...alarms.values()].flatMap((found) => readAlarm(stage, found).metrics);
    const ours = looked.filter((one) => one.namespace === namespace).map(({ name }) => name);
    expect(ours.length).toBeGreaterThan(6);
    for (const name of ours) expect(Object.keys(metrics)).toContain(name);
  });
});

test("functions, alarms and the dashboard use the same name for the service", () => {
  for (const { id } of [...routes, ...jobs])
    expect([id, stage.readVariables(id).POWERTOOLS_SERVICE_NAME]).toEqual([id, "prod-press-market"]);
});
