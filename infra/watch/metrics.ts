import { type IMetric, MathExpression, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import type { Function as Lambda, Stack } from "sst/constructs";
import type { Job } from "../../functions/jobs.ts";
import { type DimensionOf, type MetricName, metrics, namespace } from "../../functions/metrics.ts";
import type { Route } from "../../functions/routes.ts";
import type { Audit } from "../audit.ts";
import { serviceName } from "../function.ts";
import type { Work } from "../jobs.ts";
import type { Stored } from "../storage.ts";
import type { Web } from "../web.ts";

/** The period of a metric, in minutes. */
export const minutes = (count: number) => ({ period: Duration.minutes(count) });

type Sampling = { readonly statistic: string; readonly every: number };

/** A metric of `metrics.ts`, over all its dimensions unless some are given, every so many minutes. */
export function measured<Name extends MetricName>(
  stack: Stack,
  name: Name,
  { statistic, every }: Sampling,
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

/** One line for each value of the dimensions. For dashboards only: alarms take no searches. */
export function byDimension(stack: Stack, name: MetricName, { statistic, every }: Sampling): IMetric {
  const dimensions = ["service", ...metrics[name].dimensions].join(",");
  const wanted = `{${namespace},${dimensions}} MetricName="${name}" service="${serviceName(stack)}"`;
  return new MathExpression({
    expression: `SEARCH('${wanted}', '${statistic}', ${every * 60})`,
    label: "",
    ...minutes(every),
  });
}

/** The resources of a stage that alarms and dashboard show. */
export type Watched = {
  readonly stored: Stored;
  readonly web: Web;
  readonly audit: Audit;
  readonly work: Work;
  readonly endpoints: ReadonlyMap<Route["id"], Lambda>;
};

/** An alarm before it is made. */
export type AlarmRule = {
  readonly name: string;
  /** The title of its entry in the runbook; its name by default. */
  readonly entry?: string;
  /** What is wrong, for the person on call. */
  readonly meaning: string;
  readonly metric: IMetric;
  /** It alarms beyond this limit, `periods` times in a row. With `below`, missing data alarms too. */
  readonly limit: { readonly above: number } | { readonly below: number };
  readonly periods: number;
  /** Somebody loses money, or nobody can buy or read: it also goes to the on-call service. Others go to the mailbox only. */
  readonly urgent?: true;
};

/** All functions of a stage, by the ids of their rows. */
export function functionsOf({ endpoints, audit, work }: Watched): ReadonlyMap<(Route | Job)["id"], Lambda> {
  return new Map([...endpoints, ...audit.steps, ...work.workers]);
}
