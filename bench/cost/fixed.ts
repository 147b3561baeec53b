import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { queues } from "../../functions/jobs.ts";
import { type Metric, metrics } from "../../functions/metrics.ts";
import { synthesizeOffline } from "../../infra/offline.ts";
import { settingsOf } from "../../infra/stages.ts";
import { type Bill, certain } from "./bill.ts";
import { minutesOfMonth, prices } from "./prices.ts";

const Template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.looseObject({}).default({}) })),
});
const Alarm = z.object({
  Metrics: z.array(z.looseObject({ MetricStat: z.unknown().optional() })).optional(),
});
const Firewall = z.object({ Rules: z.array(z.unknown()) });

/** Values that a dimension has had in a month: few, but for relayers. Assumed. */
const usualValues = 4;

/** Lambda's pollers ask each queue in turn, waiting for twenty seconds (developer guide, "Polling and batching streams"). */
const pollers = 5;
const pollsOfMinute = 3;

/** What a stage costs in a month in which nobody comes, counted in its templates. */
export async function fixedBill(stage: string): Promise<Bill> {
  const folder = mkdtempSync(join(tmpdir(), "cost-"));
  // SST keeps its log open there until the process ends.
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const { stacks } = await synthesizeOffline({ stage, folder });
  const all = stacks.flatMap(({ template }) => Object.values(Template.parse(template).Resources));
  return billOf(stage, (type) => all.filter(({ Type }) => Type === type).map(({ Properties }) => Properties));
}

function billOf(stage: string, ofType: (type: string) => readonly unknown[]): Bill {
  const { relayers, chain, domain } = settingsOf(stage);
  const keys = ofType("AWS::KMS::Key").length;
  const secrets =
    ofType("AWS::SecretsManager::Secret").length +
    [chain.rpc, chain.relayRpc ?? chain.rpc]
      .flatMap((nodes) => ("secretName" in nodes ? [nodes.secretName] : []))
      .filter((name, index, all) => all.indexOf(name) === index).length;
  const alarmMetrics = ofType("AWS::CloudWatch::Alarm").flatMap((alarm) => {
    const { Metrics } = Alarm.parse(alarm);
    return Metrics === undefined ? [alarm] : Metrics.filter(({ MetricStat }) => MetricStat !== undefined);
  }).length;
  const rules = ofType("AWS::WAFv2::WebACL").flatMap((firewall) => Firewall.parse(firewall).Rules).length;
  const own = Object.values<Metric>(metrics).reduce(
    (sum, { dimensions }) => sum + 1 + seriesOf(dimensions, relayers),
    0,
  );
  const polls = queues.length * pollers * pollsOfMinute * minutesOfMonth;
  const line = (name: string, count: number, price: number) =>
    [`${name}: ${count}`, certain(count * price)] as const;
  return new Map([
    line("signing keys", keys, prices.key),
    line("secrets", secrets, prices.secret),
    line("firewall", 1, prices.firewall),
    line("firewall's rules", rules, prices.firewallRule),
    line("metrics that alarms look at", alarmMetrics, prices.alarmMetric),
    line("dashboards", ofType("AWS::CloudWatch::Dashboard").length, prices.dashboard),
    line("own metrics by dimension, at most", own, prices.metric),
    line("polls of empty queues", polls, prices.messages / 1_000_000),
    line("hosted zones", domain === undefined ? 0 : 1, prices.hostedZone),
  ]);
}

function seriesOf(dimensions: Metric["dimensions"], relayers: number): number {
  if (dimensions.length === 0) return 0;
  return dimensions.reduce((product, name) => product * (name === "relayer" ? relayers : usualValues), 1);
}
