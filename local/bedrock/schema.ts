import * as z from "zod";

const block = z.looseObject({ text: z.string().optional() });
const tool = z.object({
  toolSpec: z.object({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    description: z.string().min(1).optional(),
    inputSchema: z.object({ json: z.record(z.string(), z.json()) }),
  }),
});
export type Tool = z.output<typeof tool>["toolSpec"];

/** What the stand-in reads of a Converse request (Bedrock Runtime API reference, `Converse`). */
export const converse = z.looseObject({
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.array(block).min(1) })).min(1),
  system: z.array(block).optional(),
  inferenceConfig: z
    .looseObject({
      maxTokens: z.int().min(1).optional(),
      temperature: z.number().min(0).max(1).optional(),
      topP: z.number().min(0).max(1).optional(),
    })
    .default({}),
  /** What Bedrock hands to the model as it is. */
  additionalModelRequestFields: z.record(z.string(), z.json()).default({}),
  toolConfig: z
    .object({
      tools: z.array(tool).min(1),
      toolChoice: z
        .union([
          z.object({ tool: z.object({ name: z.string() }) }),
          z.object({ any: z.looseObject({}) }),
          z.object({ auto: z.looseObject({}) }),
        ])
        .optional(),
    })
    .optional(),
});
export type Converse = z.output<typeof converse>;
