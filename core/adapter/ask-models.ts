import {
  type BedrockRuntimeClient,
  InternalServerException,
  ModelErrorException,
  ModelNotReadyException,
  ModelTimeoutException,
  ServiceUnavailableException,
  ThrottlingException,
} from "@aws-sdk/client-bedrock-runtime";
import type { ModelUsage } from "../port/model.ts";
import { callTool, type ForcedTool, type Prompt } from "./forced-tool.ts";
import { toolSchema } from "./tool-schema.ts";

/** The models of a stage: the second, of another family, is asked when the first one fails. */
export type Models = {
  /** Asks once by itself: repeating is decided here. */
  readonly client: BedrockRuntimeClient;
  readonly modelId: string;
  readonly fallbackModelId?: string | undefined;
};

export type Question<Value> = Omit<Prompt, "refused"> & {
  /** Milliseconds for all calls together. */
  readonly timeLimit: number;
  /** What is wrong with a value that has the form. */
  readonly fault?: (value: Value) => string | undefined;
};

type Outcome<Value> =
  | { readonly modelId: string; readonly value: Value }
  /** `passing`: no model had a moment for it, so that waiting may help. */
  | { readonly modelId: undefined; readonly cause: Error; readonly passing: boolean };

/** Of the time, what the first model may use where there is a second, and what one call needs to be worth its price. */
const firstShare = 0.6;
const leastShare = 0.1;

/** Bytes of a request besides its texts: the reason of a refusal, and how models are told of a tool. */
const besides = 4_000;

/** The calls that a question takes at most. A token is a byte or more of what is sent. */
export function mostCalls<Value>(
  models: Models,
  tool: ForcedTool<Value>,
  texts: Pick<Prompt, "system" | "user">,
): readonly ModelUsage[] {
  const schema = JSON.stringify(toolSchema(tool.form));
  const inputTokens = Buffer.byteLength(texts.system + texts.user + schema) + besides;
  return order(models).map((model) => ({ model, inputTokens, outputTokens: tool.maxTokens, counted: false }));
}

function order({ modelId: first, fallbackModelId: second }: Models): readonly string[] {
  return second === undefined ? [first, first] : [first, first, second];
}

/**
 * Asks the first model, once more with the reason when its answer cannot be used, and then the second model. A model
 * that is down or too slow is not asked again. Never throws for what a model does.
 */
export async function askModels<Value>(
  models: Models,
  tool: ForcedTool<Value>,
  { timeLimit, fault, ...texts }: Question<Value>,
): Promise<Outcome<Value> & { readonly usage: readonly ModelUsage[] }> {
  const { client, fallbackModelId: second } = models;
  const begun = performance.now();
  const usage: ModelUsage[] = [];
  const failures: Error[] = [];
  const down = new Set<string>();
  let isBusy = true;
  let refused: string | undefined;

  async function ask(modelId: string, left: number): Promise<{ readonly value: Value } | undefined> {
    const prompt = { ...texts, refused };
    try {
      const { answer, tokens } = await callTool(client, modelId, tool, { prompt, timeLimit: left });
      usage.push(tokens === undefined ? estimate(modelId) : { model: modelId, ...tokens, counted: true });
      if ("value" in answer) {
        refused = fault?.(answer.value);
        if (refused === undefined) return answer;
      } else {
        refused = answer.fault;
      }
      failures.push(new Error(`${modelId} gave an answer that cannot be used: ${refused}`));
      isBusy = false;
    } catch (cause) {
      if (wasCarriedOut(cause)) usage.push(estimate(modelId));
      failures.push(new Error(`${modelId} failed`, { cause }));
      if (cause instanceof ModelErrorException) refused = "The call of the tool was malformed, or too long.";
      else down.add(modelId);
      isBusy &&= isPassing(cause);
    }
    return undefined;
  }

  function estimate(modelId: string): ModelUsage {
    const characters = texts.system.length + texts.user.length;
    return {
      model: modelId,
      inputTokens: Math.ceil(characters / 3),
      outputTokens: tool.maxTokens,
      counted: false,
    };
  }

  for (const modelId of order(models)) {
    const until = modelId === second || second === undefined ? timeLimit : timeLimit * firstShare;
    const left = until - (performance.now() - begun);
    if (down.has(modelId) || left < timeLimit * leastShare) continue;
    const answer = await ask(modelId, left);
    if (answer !== undefined) return { modelId, value: answer.value, usage };
  }
  const cause = new AggregateError(failures, failures.map(described).join("; "));
  return { modelId: undefined, cause, passing: isBusy, usage };
}

/** A refusal before the work costs nothing; what was begun may have been charged. */
function wasCarriedOut(error: unknown): boolean {
  const isAbort = error instanceof Error && ["AbortError", "TimeoutError"].includes(error.name);
  return isAbort || error instanceof ModelErrorException || error instanceof ModelTimeoutException;
}

function isPassing(error: unknown): boolean {
  return [
    ThrottlingException,
    ServiceUnavailableException,
    ModelNotReadyException,
    InternalServerException,
  ].some((kind) => error instanceof kind);
}

function described({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.name}: ${cause.message}` : message;
}
