import type { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";
import { measure } from "./meter.ts";

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
