import { once } from "node:events";
import { createServer } from "node:http2";
import { text } from "node:stream/consumers";
import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";

/** What a test's model reads of a Converse request. */
const Asked = z.looseObject({
  messages: z.array(z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) })),
});

export type Model = {
  readonly client: BedrockRuntimeClient;
  /** The requests so far, as they came. */
  readonly sent: readonly unknown[];
  stop(): Promise<void>;
};

type Reply = {
  /** The tool's input, from the user message and the number of the request, counted from 1. */
  readonly input: (message: string, request: number) => unknown;
  readonly tool?: string;
  readonly stopReason?: string;
  /** How often the tool is called in one reply. */
  readonly calls?: number;
};

/** A model of one's own behind Bedrock's `Converse`, on cleartext HTTP/2 as the client speaks it. */
export async function startModel({
  input,
  tool = "review_press",
  stopReason = "tool_use",
  calls = 1,
}: Reply): Promise<Model> {
  const sent: unknown[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const request: unknown = JSON.parse(await text(incoming));
    sent.push(request);
    const message = Asked.parse(request).messages.flatMap(({ content }) =>
      content.map((block) => block.text),
    );
    const toolUse = { toolUseId: "one", name: tool, input: await input(message.join("\n"), sent.length) };
    const content = Array.from({ length: calls }, () => ({ toolUse }));
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(
      JSON.stringify({
        output: { message: { role: "assistant", content } },
        stopReason,
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        metrics: { latencyMs: 1 },
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const client = clientFor(`http://127.0.0.1:${port}`);
  return {
    client,
    sent,
    async stop() {
      client.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** The real client, which asks once. */
function clientFor(endpoint: string): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
}
