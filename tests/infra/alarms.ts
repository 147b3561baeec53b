import * as z from "zod";
import type { Reader, StackResource } from "./reading.ts";

const Statistic = z.object({
  Metric: z.object({
    Namespace: z.string(),
    MetricName: z.string(),
    Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]),
  }),
  Stat: z.string(),
});
const Term = z.object({ Expression: z.string().optional(), MetricStat: Statistic.optional() });
const Alone = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]),
  Statistic: z.string().optional(),
  ExtendedStatistic: z.string().optional(),
});

/** The metrics that an alarm reads, and the expressions that the alarm computes from the metrics. */
export function readAlarm(stage: Reader, { stack, resource: { Properties } }: StackResource) {
  const { Metrics } = Properties;
  const terms = Metrics === undefined ? [] : z.array(Term).parse(Metrics);
  const alone = Metrics === undefined ? [Alone.parse(Properties)] : [];
  const named = (dimensions: z.infer<typeof Alone>["Dimensions"]) =>
    Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, stage.text(Value, stack)]));
  return {
    expressions: terms.flatMap(({ Expression = [] }) => Expression),
    metrics: [
      ...alone.map(({ Namespace, MetricName, Dimensions, Statistic: statistic, ExtendedStatistic }) => ({
        namespace: Namespace,
        name: MetricName,
        statistic: statistic ?? ExtendedStatistic,
        dimensions: named(Dimensions),
      })),
      ...terms.flatMap(({ MetricStat }) =>
        MetricStat === undefined
          ? []
          : {
              namespace: MetricStat.Metric.Namespace,
              name: MetricStat.Metric.MetricName,
              statistic: MetricStat.Stat,
              dimensions: named(MetricStat.Metric.Dimensions),
            },
      ),
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
