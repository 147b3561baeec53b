import * as z from "zod";

const block = z.looseObject({ text: z.string().optional() });
const tool = z.object({
  toolSpec: z.object({
    name: z.string(),
    description: z.string().optional(),
    inputSchema: z.object({ json: z.record(z.string(), z.json()) }),
  }),
});
export type Tool = z.output<typeof tool>["toolSpec"];

/** What the stand-in reads of a Converse request (Bedrock Runtime API reference, `Converse`). */
export const converse = z.looseObject({
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.array(block).min(1) })).min(1),
  system: z.array(block).optional(),
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
