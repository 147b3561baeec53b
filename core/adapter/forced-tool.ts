import {
  type BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  type ConverseCommandOutput,
  type StopReason,
} from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";
import { toolSchema, withNumbers } from "./tool-schema.ts";

/** A tool that a model has to call: its input is the answer, in the given form. */
export type ForcedTool<Value> = {
  /** Letters and underscores: Nova cannot call a tool with a hyphen in its name. */
  readonly name: string;
  readonly description: string;
  readonly form: z.ZodType<Value>;
  /** Room for the whole call: Nova gives nothing at all when it runs out. */
  readonly maxTokens: number;
};

/** What a model is told. `refused` says why its previous answer was not accepted. */
export type Prompt = {
  readonly system: string;
  readonly user: string;
  readonly refused: string | undefined;
};

/** A model's answer, or what is wrong with it; with the tokens that it took, as the provider counts them. */
export type ToolReply<Value> = {
  readonly answer: { readonly value: Value } | { readonly fault: string };
  readonly tokens: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
};

/** Asks one model once, through Bedrock's Converse, for one call of the tool. Throws what the client throws. */
export async function callTool<Value>(
  client: BedrockRuntimeClient,
  modelId: string,
  tool: ForcedTool<Value>,
  { prompt, timeLimit }: { readonly prompt: Prompt; readonly timeLimit: number },
): Promise<ToolReply<Value>> {
  const command = new ConverseCommand(converse(modelId, tool, prompt));
  const output = await client.send(command, { abortSignal: AbortSignal.timeout(Math.floor(timeLimit)) });
  const { inputTokens, outputTokens } = output.usage ?? {};
  return {
    answer: answerIn(tool, output),
    tokens:
      inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens },
  };
}

function converse<Value>(
  modelId: string,
  { name, description, form, maxTokens }: ForcedTool<Value>,
  { system, user, refused }: Prompt,
): ConverseCommandInput {
  const { inferenceConfig, ...further } = familySettings(modelId);
  const content = refused === undefined ? [{ text: user }] : [{ text: user }, { text: again(name, refused) }];
  return {
    modelId,
    system: [{ text: system }],
    messages: [{ role: "user", content }],
    inferenceConfig: { maxTokens, ...inferenceConfig },
    ...further,
    toolConfig: {
      tools: [{ toolSpec: { name, description, inputSchema: { json: z.json().parse(toolSchema(form)) } } }],
      toolChoice: { tool: { name } },
    },
  };
}

/**
 * What one family understands and another refuses. Nova calls tools best when it decodes greedily (its guide on tools);
 * Claude takes no sampling since Haiku 5.5, and a call can only be forced while it does not think.
 */
function familySettings(modelId: string) {
  if (/(?:^|\.)amazon\.nova-/.test(modelId)) {
    return {
      inferenceConfig: { temperature: 0 },
      additionalModelRequestFields: { inferenceConfig: { topK: 1 } },
    };
  }
  if (/(?:^|\.)anthropic\.claude-/.test(modelId)) {
    return { additionalModelRequestFields: { thinking: { type: "disabled" } } };
  }
  return { inferenceConfig: { temperature: 0 } };
}

/** The reason may quote what came from outside, so it is data: on one line of JSON without angle brackets. */
function again(name: string, refused: string): string {
  const reason = JSON.stringify(refused).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
  return `Your previous answer was not accepted. Why, as data:\n<refused>\n${reason}\n</refused>\nAvoid exactly that. Call the tool ${name} once, with every required field, and keep every text short.`;
}

/** Ends of a reply that is whole; any other cuts it off or puts something in its place. */
const whole: ReadonlySet<StopReason | undefined> = new Set([
  "tool_use",
  "end_turn",
  "stop_sequence",
] as const);

/** Text beside the call is the model's thinking, and is left alone. */
function answerIn<Value>(
  { name, form }: ForcedTool<Value>,
  { output, stopReason }: ConverseCommandOutput,
): ToolReply<Value>["answer"] {
  const calls = (output?.message?.content ?? []).filter(({ toolUse }) => toolUse?.name === name);
  if (calls.length !== 1 || !whole.has(stopReason)) {
    return {
      fault: `The tool ${name} was called ${calls.length} times, and the reply ended with ${stopReason}.`,
    };
  }
  const parsed = form.safeParse(withNumbers(calls[0]?.toolUse?.input, toolSchema(form)));
  return parsed.success ? { value: parsed.data } : { fault: z.prettifyError(parsed.error) };
}
