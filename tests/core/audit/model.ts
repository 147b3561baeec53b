import { once } from "node:events";
import { createServer } from "node:http2";
import { text } from "node:stream/consumers";
import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";
import { localAws } from "../../support/aws.ts";

/** The parts of a Converse request that a test's model reads. */
const Asked = z.looseObject({
  messages: z.array(z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) })),
  toolConfig: z.object({ toolChoice: z.object({ tool: z.object({ name: z.string() }) }) }),
});

export type Model = {
  readonly endpoint: string;
  readonly client: BedrockRuntimeClient;
  /** The requests so far, in the order of arrival. */
  readonly sent: readonly unknown[];
  stop(): Promise<void>;
};

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
}: ModelReply): Promise<Model> {
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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const endpoint = `http://127.0.0.1:${port}`;
  const client = openBedrockClient(endpoint);
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

/** The real Bedrock client without retries. */
function openBedrockClient(endpoint: string): BedrockRuntimeClient {
  return new BedrockRuntimeClient({ endpoint, ...localAws, maxAttempts: 1 });
}
