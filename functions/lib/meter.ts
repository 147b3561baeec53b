import { Metrics } from "@aws-lambda-powertools/metrics";
import type { Meter } from "../../core/port/meter.ts";
import { type DimensionOf, type Metric, type MetricName, metrics, namespace } from "../metrics.ts";
import { correlation } from "./correlation.ts";

type Values<Name extends MetricName> = Readonly<Record<Name, number>>;
type Dimensions<Name extends MetricName> = Readonly<Record<DimensionOf<Name>, string>>;

/** The metrics that nothing tells apart. */
type Plain = { [Name in MetricName]: [DimensionOf<Name>] extends [never] ? Name : never }[MetricName];

const table: Readonly<Record<string, Metric>> = metrics;

/**
 * Writes metrics of `metrics.ts` as one line of the log (CloudWatch's embedded metric format), with the ids of the call:
 * the line is the record of the event, too. With dimensions they are written twice, apart and over all.
 */
export function measure<Name extends Plain>(values: Values<Name>): void;
export function measure<Name extends MetricName>(values: Values<Name>, dimensions: Dimensions<Name>): void;
export function measure(
  values: Readonly<Record<string, number>>,
  dimensions: Readonly<Record<string, string>> = {},
): void {
  write(values, dimensions);
}

/** Counts what operations meet inside. */
export const meter: Meter = {
  count: ({ name, ...dimensions }, times = 1) => write({ [name]: times }, dimensions),
};

function write(values: Readonly<Record<string, number>>, dimensions: Readonly<Record<string, string>>): void {
  // One of its own for every line: calls that run side by side would mix their dimensions in a shared one.
  const line = new Metrics({ namespace });
  for (const [name, value] of Object.entries(dimensions)) line.addDimension(name, value);
  if (Object.keys(dimensions).length > 0) line.addDimensions({});
  for (const [name, value] of Object.entries(correlation())) line.addMetadata(name, String(value));
  for (const [name, value] of Object.entries(values)) {
    line.addMetric(name, table[name]?.unit ?? "None", value);
  }
  line.publishStoredMetrics();
}
