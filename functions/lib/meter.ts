import { Metrics } from "@aws-lambda-powertools/metrics";
import type { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";
import type { Meter } from "../../core/port/cloud.ts";
import { type DimensionOf, type Metric, type MetricName, metrics, namespace } from "../metrics.ts";
import { correlation } from "./log.ts";

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

/** USD for a thousand tokens. */
type ModelPrices = { readonly input: number; readonly output: number };

const Asked = z.object({ input: z.object({ modelId: z.string() }) });
const Answered = z.object({
  output: z.object({ usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }) }),
});

/**
 * Counts what a client's calls to the model use, what that costs, and which of them fail, each repetition that the
 * caller makes for itself. `task` is what the model is asked for, and the prices are told apart by the models' ids.
 */
export function metered(
  client: BedrockRuntimeClient,
  task: "audit" | "draft",
  prices: ReadonlyMap<string, ModelPrices>,
): BedrockRuntimeClient {
  client.middlewareStack.add(
    (next) => async (call) => {
      try {
        const answer = await next(call);
        count(answer, task, prices.get(Asked.parse(call).input.modelId));
        return answer;
      } catch (error) {
        measure({ ModelErrors: 1 }, { task });
        throw error;
      }
    },
    { step: "initialize", name: "metered" },
  );
  return client;
}

function count(answer: unknown, task: string, prices: ModelPrices | undefined): void {
  const answered = Answered.safeParse(answer);
  if (!answered.success) return;
  const { inputTokens, outputTokens } = answered.data.output.usage;
  measure({ ModelTokens: inputTokens }, { task, direction: "input" });
  measure({ ModelTokens: outputTokens }, { task, direction: "output" });
  if (prices === undefined) return;
  const cost = (inputTokens * prices.input + outputTokens * prices.output) / 1000;
  measure({ ModelCost: cost }, { task });
}
