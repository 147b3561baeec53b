import { once } from "node:events";
import { createServer } from "node:http2";
import { text } from "node:stream/consumers";
import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";
import { bind } from "../../../local/stand-in.ts";
import { localAws } from "../../support/aws.ts";

/** The parts of a Converse request that a test's model reads. */
const Asked = z.looseObject({
  messages: z.array(z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) })),
  toolConfig: z.object({ toolChoice: z.object({ tool: z.object({ name: z.string() }) }) }),
});

type ModelReply = {
  /** Makes the tool's input from the user message and from the request's number, counted from 1. */
  readonly input: (message: string, request: number) => unknown;
  /** The tool that the model calls instead of the required tool. */
  readonly tool?: string;
  readonly stopReason?: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** The number of tool calls in one reply. */
  readonly calls?: number;
};

/** A test model that answers Bedrock's `Converse` call. The test model speaks HTTP/2, as the client does, but without encryption. */
export async function startModel({
  input,
  tool,
  stopReason = "tool_use",
  usage = { inputTokens: 1, outputTokens: 1 },
  calls = 1,
}: ModelReply) {
  /** The requests so far, in the order of arrival. */
  const sent: unknown[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const request: unknown = JSON.parse(await text(incoming));
    sent.push(request);
    const { messages, toolConfig } = Asked.parse(request);
    const message = messages.flatMap(({ content }) => content.map((block) => block.text));
    const name = tool ?? toolConfig.toolChoice.tool.name;
    const toolUse = { toolUseId: "one", name, input: await input(message.join("\n"), sent.length) };
    const content = Array.from({ length: calls }, () => ({ toolUse }));
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(
      JSON.stringify({
        output: { message: { role: "assistant", content } },
        stopReason,
        usage: { ...usage, totalTokens: usage.inputTokens + usage.outputTokens },
        metrics: { latencyMs: 1 },
      }),
    );
  });
  const endpoint = `http://127.0.0.1:${await bind(server, 0)}`;
  // The real Bedrock client without retries.
  const client = new BedrockRuntimeClient({ endpoint, ...localAws, maxAttempts: 1 });
  return {
    endpoint,
    client,
    sent,
    async stop() {
      client.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
