import { type IMetric, MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import type { Job } from "../../functions/jobs.ts";
import { type DimensionName, type MetricName, metrics, namespace } from "../../functions/metrics.ts";
import type { Route } from "../../functions/routes.ts";
import type { AuditMachine } from "../audit.ts";
import type { Lambda, Stack } from "../constructs.ts";
import { makeServiceName } from "../function.ts";
import type { JobResources } from "../jobs.ts";
import type { StageSettings } from "../stages.ts";
import type { StorageParts } from "../storage.ts";
import type { WebParts } from "../web.ts";

/** The period of a metric, in minutes. */
export const makePeriod = (count: number) => ({ period: Duration.minutes(count) });

type Sampling = { readonly statistic: string; readonly every: number };

/**
 * Makes the CloudWatch metric for an entry of `metrics.ts`, with the given period in minutes. If no dimensions are given, the metric is the
 * total over all dimensions.
 */
export function makeMetric<Name extends MetricName>(
  stack: Stack,
  name: Name,
  { statistic, every }: Sampling,
  dimensions?: Readonly<Record<DimensionName<Name>, string>>,
): Metric {
  return new Metric({
    namespace,
    metricName: name,
    dimensionsMap: { service: makeServiceName(stack), ...dimensions },
    statistic,
    label: name,
    ...makePeriod(every),
  });
}

/**
 * Makes a CloudWatch search expression. A graph of the expression shows one line for each value of the dimensions. Only dashboards can use
 * a search, because alarms accept no searches.
 */
export function makeSearchMetric(stack: Stack, name: MetricName, { statistic, every }: Sampling): IMetric {
  const dimensions = ["service", ...metrics[name].dimensions].join(",");
  const wanted = `{${namespace},${dimensions}} MetricName="${name}" service="${makeServiceName(stack)}"`;
  return new MathExpression({
    expression: `SEARCH('${wanted}', '${statistic}', ${every * 60})`,
    label: "",
    ...makePeriod(every),
  });
}

/** The resources of a stage that the alarms watch and the dashboard shows. */
export type WatchedParts = {
  readonly stored: StorageParts;
  readonly web: WebParts;
  readonly audit: AuditMachine;
  readonly work: JobResources;
  readonly endpoints: ReadonlyMap<Route["id"], Lambda>;
};

/** The description of an alarm that has not been made yet. */
export type AlarmRule = {
  readonly name: string;
  /** The title of the alarm's entry in the runbook; the alarm's name by default. */
  readonly entry?: string;
  /** A description of the fault for the person on call. */
  readonly meaning: string;
  readonly metric: IMetric;
  /**
   * The limit of the metric; the alarm goes off when the limit is exceeded `periods` times in a row (once by default). An alarm with
   * `below` also goes off if data is missing.
   */
  readonly limit: { readonly above: number } | { readonly below: number };
  readonly periods?: number;
  /**
   * Whether missing data raises the alarm too. Use this setting only for metrics that always get data from the outside health check.
   */
  readonly isSilenceBad?: true;
  /**
   * Whether the fault costs somebody money, or prevents all readers from buying or reading. Urgent alarms also go to the on-call service;
   * other alarms go only to the mailbox.
   */
  readonly urgent?: true;
};

/** All functions of a stage, by the ids of their rows in `routes.ts` and `jobs.ts`. */
export function listFunctions({
  endpoints,
  audit,
  work,
}: WatchedParts): ReadonlyMap<(Route | Job)["id"], Lambda> {
  return new Map([...endpoints, ...audit.steps, ...work.workers]);
}

/** Alarms on the service's own metrics: payments and the chain, the model's cost, and errors in our code. */
export function listMetricAlarms(stack: Stack, { alarms }: StageSettings): readonly AlarmRule[] {
  const total = { statistic: Stats.SUM, every: 5 };
  const makeSumMetric = <Name extends MetricName>(name: Name) => makeMetric(stack, name, total);
  const highest = { statistic: Stats.MAXIMUM, every: 5 };
  const lowest = { statistic: Stats.MINIMUM, every: 10 };
  const answered500 = "answered with 500: the log has it as an unexpected error.";
  return [
    {
      name: "settled-not-delivered",
      urgent: true,
      meaning:
        "The chain has moved a payer's money, and the reconciler has not recorded the payment: somebody has paid and got nothing.",
      metric: makeMetric(stack, "SettledNotDelivered", highest),
      limit: { above: 0 },
    },
    {
      name: "settlements-late",
      urgent: true,
      meaning:
        "A settlement has been under way for three minutes: the payer is told to wait, and may still be charged.",
      metric: makeMetric(stack, "SettlementAge", highest),
      limit: { above: 180 },
    },
    {
      name: "settlements-failing",
      meaning:
        "Payments fail again and again after they were accepted: the token, a node or somebody's wallet refuses them.",
      metric: makeSumMetric("SettlementFailed"),
      limit: { above: 20 },
    },
    {
      name: "gas-burned",
      urgent: true,
      meaning:
        "Failed payments burn more of the relayers' gas than usual failures do: somebody wastes the gas with contract wallets.",
      metric: makeSumMetric("GasBurned"),
      limit: { above: 1_000_000 },
    },
    {
      name: "relayer-gas",
      urgent: true,
      meaning:
        "A relayer's gas pays for fewer than a hundred settlements, or the amount is unknown: without gas nothing can be bought.",
      metric: makeMetric(stack, "RelayerRunway", lowest),
      limit: { below: 100 },
      periods: 2,
    },
    {
      name: "auditor-gas",
      entry: "relayer-gas",
      meaning: "The auditor's gas pays for fewer than a hundred verdicts: without gas, verdicts are delayed.",
      metric: makeMetric(stack, "AuditorRunway", lowest),
      limit: { below: 100 },
      periods: 2,
    },
    {
      name: "relayers-busy",
      meaning:
        "Payments are refused because all relayers are busy: too many payments arrive, or some relayers are stuck.",
      metric: makeSumMetric("RelayersBusy"),
      limit: { above: 5 },
      periods: 2,
    },
    {
      name: "receipts-failing",
      meaning:
        "Receipts are not signed: their key in KMS is disabled or out of reach, or its quota is used up.",
      metric: makeMetric(stack, "Unavailable", total, { code: "receipt_unavailable" }),
      limit: { above: 5 },
      periods: 2,
    },
    {
      name: "rpc-failures",
      urgent: true,
      meaning: "More than one in ten round trips to the chain's nodes gets no answer.",
      metric: new MathExpression({
        expression: "IF(trips > 20, 100 * failures / trips, 0)",
        usingMetrics: {
          failures: makeSumMetric("RpcErrors"),
          trips: makeMetric(stack, "RpcTime", { statistic: Stats.SAMPLE_COUNT, every: 5 }),
        },
        label: "round trips without an answer, %",
        ...makePeriod(5),
      }),
      limit: { above: 10 },
      periods: 2,
    },
    {
      name: "audit-failures",
      meaning: "Audits end without a verdict: publishers are told to come back later.",
      metric: makeMetric(stack, "AuditEnded", total, { outcome: "outage" }),
      limit: { above: 2 },
      periods: 2,
    },
    {
      name: "model-spent",
      meaning:
        "The models' budget of the day is used up: audits and AI drafts are refused until midnight UTC.",
      metric: makeMetric(stack, "Unavailable", total, { code: "model_budget_spent" }),
      limit: { above: 0 },
      periods: 2,
    },
    {
      name: "price-below-gas",
      meaning: "Purchases are refused because fees and allowances do not pay for the gas.",
      metric: makeMetric(stack, "Unavailable", total, { code: "price_below_gas" }),
      limit: { above: 20 },
      periods: 2,
    },
    {
      name: "model-failures",
      meaning:
        "The model refuses, fails or is late: check the model's quota, our access to the model, and Bedrock itself.",
      metric: makeSumMetric("ModelErrors"),
      limit: { above: 5 },
      periods: 2,
    },
    ...(alarms === undefined
      ? []
      : [
          {
            name: "model-cost",
            meaning: `The model has cost more than ${alarms.modelUsdPerHour} USD in an hour: somebody requests too many drafts or audits.`,
            metric: makeMetric(stack, "ModelCost", { statistic: Stats.SUM, every: 60 }),
            limit: { above: alarms.modelUsdPerHour },
          },
        ]),
    {
      name: "defects",
      meaning: `A request met a defect in our code and was ${answered500}`,
      metric: makeSumMetric("Defects"),
      limit: { above: 0 },
    },
    {
      name: "defects-many",
      entry: "defects",
      // One defect that a stranger's odd request triggers must not revert a deployment.
      meaning: `More than two requests within five minutes were ${answered500} This alarm reverts a deployment.`,
      metric: makeSumMetric("Defects"),
      limit: { above: 2 },
    },
  ];
}
