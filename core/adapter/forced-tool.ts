import { ConverseCommand, type ConverseCommandOutput } from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";

/** A tool that a model has to call: its input is the answer, in the form that the schema describes. */
export type ForcedTool = {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly maxTokens: number;
  readonly temperature: number;
};

export type Asking = {
  readonly modelId: string;
  readonly system: string;
  readonly user: string;
};

/** Asks through Bedrock's Converse for one call of the tool and nothing else. */
export function converse(tool: ForcedTool, { modelId, system, user }: Asking): ConverseCommand {
  const { name, description, schema, maxTokens, temperature } = tool;
  return new ConverseCommand({
    modelId,
    system: [{ text: system }],
    messages: [{ role: "user", content: [{ text: user }] }],
    inferenceConfig: { maxTokens, temperature },
    toolConfig: {
      tools: [{ toolSpec: { name, description, inputSchema: { json: describe(schema) } } }],
      toolChoice: { tool: { name } },
    },
  });
}

/** What the model put into the call, unread; `undefined` when it made none. */
export function inputOf(
  { name }: ForcedTool,
  { output }: ConverseCommandOutput,
): { input: unknown } | undefined {
  const call = output?.message?.content?.find((block) => block.toolUse?.name === name);
  return call === undefined ? undefined : { input: call.toolUse?.input };
}

function describe(schema: z.ZodType) {
  return z.json().parse(
    z.toJSONSchema(schema, {
      io: "input",
      // Zod marks what is `readonly` for callers, which means nothing to a model.
      override: ({ jsonSchema }) => {
        delete jsonSchema.readOnly;
      },
    }),
  );
}
