import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  type ConverseCommandOutput,
} from "@aws-sdk/client-bedrock-runtime";
import type * as z from "zod";
import { localAws } from "../support/aws.ts";

const nova = "us.amazon.nova-pro-v1:0";
export const claude = "us.anthropic.claude-haiku-5-5";

export function makeBedrockClient(endpoint: string): BedrockRuntimeClient {
  return new BedrockRuntimeClient({ endpoint, ...localAws, maxAttempts: 1 });
}

/** The request settings that Nova and Claude models need. */
export const novaSettings = {
  modelId: nova,
  inferenceConfig: { maxTokens: 4_000, temperature: 0 },
  additionalModelRequestFields: { inferenceConfig: { topK: 1 } },
};
export const claudeSettings = {
  modelId: claude,
  inferenceConfig: { maxTokens: 4_000 },
  additionalModelRequestFields: { thinking: { type: "disabled" } },
};

export type ConverseSettings = Partial<ConverseCommandInput>;

export function askModel(
  client: BedrockRuntimeClient,
  text: string,
  name: string,
  json: z.core.util.JSONType,
  { forced = name, ...settings }: ConverseSettings & { readonly forced?: string } = {},
): Promise<ConverseCommandOutput> {
  return client.send(
    new ConverseCommand({
      ...novaSettings,
      system: [{ text: "You audit articles." }],
      messages: [{ role: "user", content: [{ text }] }],
      toolConfig: {
        tools: [{ toolSpec: { name, inputSchema: { json } } }],
        toolChoice: { tool: { name: forced } },
      },
      ...settings,
    }),
  );
}

export function readToolInput(reply: ConverseCommandOutput): unknown {
  return reply.output?.message?.content?.find(({ toolUse }) => toolUse !== undefined)?.toolUse?.input;
}
