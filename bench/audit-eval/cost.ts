import type { ModelUsage, Reviewer } from "../../core/port/model.ts";
import type { Case } from "./drafts.ts";

type Prices = { readonly input: number; readonly output: number };

/** What a usual review writes: a list of claims, some findings and a summary. */
const usualOutput = 1_200;
/** English prose. */
const bytesPerToken = 4;

/** USD that asking a model about these drafts, so many times each, takes about, and at most. */
export function estimate(
  reviewer: Reviewer,
  cases: readonly Case[],
  times: number,
  prices: Prices,
): { readonly usual: number; readonly most: number } {
  const calls = cases.map(({ draft, facts }) => reviewer.most({ draft, facts }));
  const usual = calls.flatMap(([first]) =>
    first === undefined
      ? []
      : [{ ...first, inputTokens: first.inputTokens / bytesPerToken, outputTokens: usualOutput }],
  );
  return { usual: times * costOf(usual, prices), most: times * costOf(calls.flat(), prices) };
}

/** USD at list prices, which are for a thousand tokens. */
export function costOf(
  usage: readonly Pick<ModelUsage, "inputTokens" | "outputTokens">[],
  { input, output }: Prices,
): number {
  return usage.reduce(
    (sum, { inputTokens, outputTokens }) => sum + (inputTokens * input + outputTokens * output) / 1_000,
    0,
  );
}
