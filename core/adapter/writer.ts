import type { BedrockRuntimeClient, ConverseCommandOutput } from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";
import { modelUnavailable } from "../draft/error.ts";
import { promptVersion, systemPrompt, userMessage } from "../draft/prompt.ts";
import { Draft } from "../draft/schema.ts";
import type { Writer, Written } from "../port/writer.ts";
import { converse, type ForcedTool, inputOf } from "./forced-tool.ts";

const tool: ForcedTool = {
  name: "write_press",
  description: "Hands in the draft.",
  schema: Draft,
  maxTokens: 2_500,
  temperature: 0.4,
};

/** A model of Bedrock, asked through Converse with a forced tool (design §6). The client repeats what may be repeated. */
export function bedrockWriter(client: BedrockRuntimeClient, modelId: string): Writer {
  return {
    engine: `${modelId} ${promptVersion}`,
    async write(task, timeLimit) {
      const abortSignal = AbortSignal.timeout(timeLimit);
      const asking = { modelId, system: systemPrompt, user: userMessage(task) };
      const output = await client.send(converse(tool, asking), { abortSignal }).catch((cause: unknown) => {
        throw modelUnavailable(cause);
      });
      return written(output);
    },
  };
}

function written(output: ConverseCommandOutput): Written {
  const call = inputOf(tool, output);
  if (call === undefined) return { fault: `The tool ${tool.name} was not called (${output.stopReason}).` };
  const parsed = Draft.safeParse(call.input);
  return parsed.success ? { draft: parsed.data } : { fault: z.prettifyError(parsed.error) };
}
