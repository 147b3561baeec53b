import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { type BedrockFault, startBedrock } from "../../../local/bedrock/index.ts";
import { localAws } from "../../support/aws.ts";

export const nova = "local.amazon.nova-stand-in-v1";
export const claude = "local.anthropic.claude-stand-in-v1";

const Sent = z.looseObject({
  modelId: z.string(),
  messages: z.tuple([z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) })]),
});
export type SentRequest = z.output<typeof Sent>;

/** The real client, connected to a stand-in for Bedrock that answers with the given faults in order. `sent` holds the requests. */
export async function startStandIn(...faults: (BedrockFault | undefined)[]) {
  const bedrock = await startBedrock({ fault: () => faults.shift() });
  const client = new BedrockRuntimeClient({
    endpoint: bedrock.endpoint,
    ...localAws,
    maxAttempts: 1,
    requestHandler: { disableConcurrentStreams: true },
  });
  const sent: SentRequest[] = [];
  client.middlewareStack.add(
    (next) => (call) => {
      sent.push(Sent.parse(call.input));
      return next(call);
    },
    { step: "initialize" },
  );
  onTestFinished(async () => {
    client.destroy();
    await bedrock.stop();
  });
  return { client, sent, modelId: nova, fallbackModelId: claude };
}

/** A refusal or failure of Bedrock. For example, the status is 429 and the type is `ThrottlingException`. */
export function makeBedrockFault(status: number, type: string): BedrockFault {
  return { status, type, message: "Played." };
}
