import * as z from "zod";
import type { Reader, StackResource } from "./reading.ts";

const Metric = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]),
});
const MetricStat = z.object({ Metric, Stat: z.string() });
const Term = z.object({ Expression: z.string().optional(), MetricStat: MetricStat.optional() });
const Alone = Metric.extend({ Statistic: z.string().optional(), ExtendedStatistic: z.string().optional() });

/** The metrics that an alarm reads, and the expressions that the alarm computes from the metrics. */
export function readAlarm(stage: Reader, { stack, resource: { Properties } }: StackResource) {
  const { Metrics } = Properties;
  const terms = Metrics === undefined ? [] : z.array(Term).parse(Metrics);
  const alone = Metrics === undefined ? [Alone.parse(Properties)] : [];
  const read = ({ Namespace, MetricName, Dimensions }: z.infer<typeof Metric>, statistic?: string) => ({
    namespace: Namespace,
    name: MetricName,
    statistic,
    dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, stage.text(Value, stack)])),
  });
  return {
    expressions: terms.flatMap(({ Expression = [] }) => Expression),
    metrics: [
      ...alone.map((one) => read(one, one.Statistic ?? one.ExtendedStatistic)),
      ...terms.flatMap(({ MetricStat: one }) => (one === undefined ? [] : read(one.Metric, one.Stat))),
    ],
  };
}

/** A stage's alarms. Each key is an alarm's name without the stack's name. */
export function listAlarms(stage: Reader): ReadonlyMap<string, StackResource> {
  return new Map(
    stage
      .ofType("AWS::CloudWatch::Alarm")
      // The alarms that belong to releases notify only CodeDeploy.
      .filter(({ stack }) => stack === "watch")
      .map((found) => [String(found.resource.Properties.AlarmName).replace(/^.*?-market-watch-/, ""), found]),
  );
}

/** Throws a TypeError if no alarm has the given name. */
export function requireAlarm(alarms: ReadonlyMap<string, StackResource>, name: string): StackResource {
  const found = alarms.get(name);
  if (found === undefined) throw new TypeError(`There is no alarm ${name}`);
  return found;
}
