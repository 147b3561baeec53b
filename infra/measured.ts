import { type IMetric, MathExpression, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import type { Stack } from "sst/constructs";
import { type DimensionOf, type MetricName, metrics, namespace } from "../functions/metrics.ts";
import { appName } from "./stages.ts";

/** How a metric is counted: by so many minutes. */
export const minutes = (count: number) => ({ period: Duration.minutes(count) });

/** By which the metrics of a stage are told from another's: what its functions call themselves. */
export function serviceName(stack: Stack): string {
  return `${stack.stage}-${appName}`;
}

type Looked = { readonly statistic: string; readonly every: number };

/** A metric of `metrics.ts`, over all its dimensions unless some are given, every so many minutes. */
export function measured<Name extends MetricName>(
  stack: Stack,
  name: Name,
  { statistic, every }: Looked,
  dimensions?: Readonly<Record<DimensionOf<Name>, string>>,
): Metric {
  return new Metric({
    namespace,
    metricName: name,
    dimensionsMap: { service: serviceName(stack), ...dimensions },
    statistic,
    label: name,
    ...minutes(every),
  });
}

/** A line for each value that the dimensions have had, whatever they are. For dashboards: alarms take no searches. */
export function apart(stack: Stack, name: MetricName, { statistic, every }: Looked): IMetric {
  const dimensions = ["service", ...metrics[name].dimensions].join(",");
  const wanted = `{${namespace},${dimensions}} MetricName="${name}" service="${serviceName(stack)}"`;
  return new MathExpression({
    expression: `SEARCH('${wanted}', '${statistic}', ${every * 60})`,
    label: "",
    ...minutes(every),
  });
}
