import { createHash } from "node:crypto";
import * as z from "zod";
import { task, write } from "./draft.ts";
import { invalid } from "./failure.ts";
import { familyOf } from "./families.ts";
import { minimalInstance } from "./instance.ts";
import { press, review } from "./review.ts";
import type { Converse, Tool } from "./schema.ts";
import { type Spoil, spoiled } from "./spoil.ts";

const charactersPerToken = 4;

/** About so many tokens. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/**
 * Answers a Converse request as the model's family would: a forced tool is called, anything else gets a sentence that
 * says who speaks. Throws what the family refuses.
 */
export function answer(modelId: string, request: Converse, spoil: Spoil | undefined) {
  const family = familyOf(modelId);
  refuseTexts(request);
  const tool = forcedTool(request);
  family.refuse(request, tool);
  if (tool === undefined) {
    const text =
      "Local stand-in: there is no language model here; only forced tools are answered with substance.";
    return { content: [{ text }], stopReason: "end_turn" };
  }
  const input = toolInput(tool, request);
  const fit = z.fromJSONSchema(tool.inputSchema.json).safeParse(input);
  if (!fit.success) {
    const reason = z.prettifyError(fit.error);
    throw new Error(`The stand-in's input of ${tool.name} does not fit its schema:\n${reason}`);
  }
  const { maxTokens = Number.POSITIVE_INFINITY } = request.inferenceConfig;
  const isTooLong = tokensIn(JSON.stringify(input)) > maxTokens;
  if (isTooLong && family.tooLong !== undefined) throw family.tooLong();
  const toolUseId = `tooluse_${createHash("sha256")
    .update(JSON.stringify([tool.name, input]))
    .digest("base64url")
    .slice(0, 22)}`;
  const call = { toolUse: { toolUseId, name: tool.name, input: isTooLong ? {} : input } };
  const reply = {
    content: [...(family.thought === undefined ? [] : [{ text: family.thought }]), call],
    stopReason: isTooLong ? "max_tokens" : "tool_use",
  };
  return spoil === undefined ? reply : spoiled(reply, spoil);
}

function refuseTexts({ messages, system = [] }: Converse): void {
  if (messages[0]?.role !== "user") throw invalid("A conversation must start with a user message.");
  const blocks = [...system, ...messages.flatMap(({ content }) => content)];
  if (blocks.some(({ text }) => text?.trim() === ""))
    throw invalid("The text field in the ContentBlock is blank.");
}

function forcedTool({ toolConfig }: Converse): Tool | undefined {
  if (toolConfig?.toolChoice === undefined || "auto" in toolConfig.toolChoice) return undefined;
  if ("any" in toolConfig.toolChoice) return toolConfig.tools[0]?.toolSpec;
  const { name } = toolConfig.toolChoice.tool;
  const forced = toolConfig.tools.find(({ toolSpec }) => toolSpec.name === name);
  if (forced === undefined) throw invalid(`The forced tool ${name} is not among the tools.`);
  return forced.toolSpec;
}

function toolInput(tool: Tool, request: Converse): unknown {
  const text = userText(request);
  if (tool.name === "review_press") return review(fenced(text, markedFence(request, "press"), press));
  if (tool.name === "write_press") return write(fenced(text, "task", task));
  return minimalInstance(tool.inputSchema.json);
}

/** The fence that the system prompt names for this call: no other begins the data. */
function markedFence({ system = [] }: Converse, name: string): string {
  const told = system.map(({ text }) => text ?? "").join("\n");
  const fence = new RegExp(`<(${name}-[0-9a-z]{16,})>`).exec(told)?.[1];
  if (fence === undefined) throw invalid(`The system prompt names no fence <${name}-…> of this call.`);
  return fence;
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
  if (from < 0 || to < 0) throw invalid(`The user message has no <${name}> block.`);
  try {
    return schema.parse(JSON.parse(lines.slice(from + 1, to).join("\n")));
  } catch (cause) {
    throw invalid(`The <${name}> block does not hold what it should: ${cause}`, { cause });
  }
}
