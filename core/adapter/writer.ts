import {
  type BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandOutput,
} from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";
import { modelUnavailable } from "../draft/error.ts";
import { promptVersion, systemPrompt, userMessage } from "../draft/prompt.ts";
import { Draft, type Task } from "../draft/schema.ts";
import type { Writer, Written } from "../port/writer.ts";

const toolName = "write_press";
const maxTokens = 2_500;

/** Zod marks what is `readonly` for callers, which means nothing to a model. */
const toolSchema = z.json().parse(
  z.toJSONSchema(Draft, {
    io: "input",
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
    },
  }),
);

/** A model of Bedrock, asked through Converse with a forced tool (design §6). The client repeats what may be repeated. */
export function bedrockWriter(client: BedrockRuntimeClient, modelId: string): Writer {
  return {
    engine: `${modelId} ${promptVersion}`,
    async write(task, timeLimit) {
      const abortSignal = AbortSignal.timeout(timeLimit);
      const output = await client.send(command(modelId, task), { abortSignal }).catch((cause: unknown) => {
        throw modelUnavailable(cause);
      });
      return written(output);
    },
  };
}

function command(modelId: string, task: Task): ConverseCommand {
  return new ConverseCommand({
    modelId,
    system: [{ text: systemPrompt }],
    messages: [{ role: "user", content: [{ text: userMessage(task) }] }],
    inferenceConfig: { maxTokens, temperature: 0.4 },
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: toolName,
            description: "Hands in the draft.",
            inputSchema: { json: toolSchema },
          },
        },
      ],
      toolChoice: { tool: { name: toolName } },
    },
  });
}

function written({ output, stopReason }: ConverseCommandOutput): Written {
  const call = output?.message?.content?.find((block) => block.toolUse?.name === toolName);
  if (call === undefined) return { fault: `The tool ${toolName} was not called (${stopReason}).` };
  const parsed = Draft.safeParse(call.toolUse?.input);
  return parsed.success ? { draft: parsed.data } : { fault: z.prettifyError(parsed.error) };
}
