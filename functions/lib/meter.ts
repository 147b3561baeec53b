import { Metrics } from "@aws-lambda-powertools/metrics";
import type { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";
import type { Meter } from "../../core/port/cloud.ts";
import { type DimensionName, type Metric, type MetricName, metrics, namespace } from "../metrics.ts";
import { readCorrelation } from "./log.ts";

type MetricValues<Name extends MetricName> = Readonly<Record<Name, number>>;
type Dimensions<Name extends MetricName> = Readonly<Record<DimensionName<Name>, string>>;

/** The names of the metrics without dimensions. */
type PlainMetric = { [Name in MetricName]: [DimensionName<Name>] extends [never] ? Name : never }[MetricName];

const table: Readonly<Record<string, Metric>> = metrics;

/**
 * Writes metrics of `metrics.ts` as one log line (CloudWatch's embedded metric format). The line contains the call's ids, so the line also
 * serves as a log entry of the event. A metric with dimensions is written twice: once with its dimensions, and once without them, as the
 * total.
 */
export function logMetrics<Name extends PlainMetric>(values: MetricValues<Name>): void;
export function logMetrics<Name extends MetricName>(
  values: MetricValues<Name>,
  dimensions: Dimensions<Name>,
): void;
export function logMetrics(
  values: Readonly<Record<string, number>>,
  dimensions: Readonly<Record<string, string>> = {},
): void {
  write(values, dimensions);
}

/** A meter that counts events of the service, such as settled payments, as metrics. */
export const meter: Meter = {
  count: ({ name, ...dimensions }, times = 1) => write({ [name]: times }, dimensions),
};

let line: Metrics | undefined;

function write(values: Readonly<Record<string, number>>, dimensions: Readonly<Record<string, string>>): void {
  // All log lines share one instance of `Metrics`, because this function fills, writes and empties the instance before other code can run.
  const filled = line ?? new Metrics({ namespace });
  // If writing a line fails, the next line uses a new instance of `Metrics`, which has no values of the failed line.
  line = undefined;
  for (const [name, value] of Object.entries(dimensions)) filled.addDimension(name, value);
  if (Object.keys(dimensions).length > 0) filled.addDimensions({});
  for (const [name, value] of Object.entries(readCorrelation())) filled.addMetadata(name, String(value));
  for (const [name, value] of Object.entries(values)) {
    filled.addMetric(name, table[name]?.unit ?? "Count", value);
  }
  filled.publishStoredMetrics();
  line = filled;
}

/** Prices of a model in USD per thousand tokens. */
type ModelPrices = { readonly input: number; readonly output: number };

const Asked = z.object({ input: z.object({ modelId: z.string() }) });
const Answered = z.object({
  output: z.object({ usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }) }),
});

/**
 * Counts the tokens that the calls of a model client use, the cost of these tokens, and the failed calls. Each retry counts as a call.
 * `task` is the purpose of the model's calls. The price of a model's tokens depends on the model's id.
 */
export function addModelMeter(
  client: BedrockRuntimeClient,
  task: "audit" | "draft",
  prices: ReadonlyMap<string, ModelPrices>,
): BedrockRuntimeClient {
  client.middlewareStack.add(
    (next) => async (call) => {
      try {
        const answer = await next(call);
        countTokens(answer, task, prices.get(Asked.parse(call).input.modelId));
        return answer;
      } catch (error) {
        logMetrics({ ModelErrors: 1 }, { task });
        throw error;
      }
    },
    { step: "initialize", name: "metered" },
  );
  return client;
}

function countTokens(answer: unknown, task: string, prices: ModelPrices | undefined): void {
  const answered = Answered.safeParse(answer);
  if (!answered.success) return;
  const { inputTokens, outputTokens } = answered.data.output.usage;
  logMetrics({ ModelTokens: inputTokens }, { task, direction: "input" });
  logMetrics({ ModelTokens: outputTokens }, { task, direction: "output" });
  if (prices === undefined) return;
  const cost = (inputTokens * prices.input + outputTokens * prices.output) / 1000;
  logMetrics({ ModelCost: cost }, { task });
}
