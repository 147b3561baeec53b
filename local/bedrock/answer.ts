import { createHash } from "node:crypto";
import * as z from "zod";
import { task, write } from "./draft.ts";
import { minimalInstance } from "./instance.ts";
import { press, review } from "./review.ts";
import type { Converse, Tool } from "./schema.ts";

/** A request that the stand-in refuses, with Bedrock's name for it. */
export class ModelFailure extends Error {
  readonly status: number;

  constructor(type: "ValidationException" | "ModelErrorException", message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = type;
    this.status = type === "ValidationException" ? 400 : 424;
  }
}

/** Answers a Converse request: a forced tool is called, anything else gets a sentence that says who speaks. */
export function answer(request: Converse) {
  const tool = forcedTool(request);
  if (tool === undefined) {
    const text =
      "Local stand-in: there is no language model here; only forced tools are answered with substance.";
    return { content: [{ text }], stopReason: "end_turn" };
  }
  const input = toolInput(tool, userText(request));
  const fit = z.fromJSONSchema(tool.inputSchema.json).safeParse(input);
  if (!fit.success) {
    const reason = z.prettifyError(fit.error);
    throw new ModelFailure(
      "ModelErrorException",
      `The stand-in's input of ${tool.name} does not fit its schema:\n${reason}`,
    );
  }
  const toolUseId = `tooluse_${createHash("sha256")
    .update(JSON.stringify([tool.name, input]))
    .digest("base64url")
    .slice(0, 22)}`;
  return { content: [{ toolUse: { toolUseId, name: tool.name, input } }], stopReason: "tool_use" };
}

function forcedTool({ toolConfig }: Converse): Tool | undefined {
  if (toolConfig?.toolChoice === undefined || "auto" in toolConfig.toolChoice) return undefined;
  if ("any" in toolConfig.toolChoice) return toolConfig.tools[0]?.toolSpec;
  const { name } = toolConfig.toolChoice.tool;
  const forced = toolConfig.tools.find(({ toolSpec }) => toolSpec.name === name);
  if (forced === undefined)
    throw new ModelFailure("ValidationException", `The forced tool ${name} is not among the tools.`);
  return forced.toolSpec;
}

function toolInput(tool: Tool, text: string): unknown {
  if (tool.name === "review_press") return review(fenced(text, "press", press));
  if (tool.name === "write_press") return write(fenced(text, "task", task));
  return minimalInstance(tool.inputSchema.json);
}

function userText({ messages }: Converse): string {
  const blocks = messages.filter(({ role }) => role === "user").flatMap(({ content }) => content);
  return blocks.map(({ text }) => text ?? "").join("\n");
}

/** The JSON between the lines `<name>` and `</name>`; JSON has no raw line breaks in strings, so no text can close it. */
function fenced<T extends z.ZodType>(text: string, name: string, schema: T): z.output<T> {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const from = lines.indexOf(`<${name}>`);
  const to = lines.indexOf(`</${name}>`, from);
  if (from < 0 || to < 0)
    throw new ModelFailure("ValidationException", `The user message has no <${name}> block.`);
  try {
    return schema.parse(JSON.parse(lines.slice(from + 1, to).join("\n")));
  } catch (cause) {
    throw new ModelFailure(
      "ValidationException",
      `The <${name}> block does not hold what it should: ${cause}`,
      { cause },
    );
  }
}
