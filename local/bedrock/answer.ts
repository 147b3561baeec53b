import { createHash } from "node:crypto";
import * as z from "zod";
import { type Angle, type Draft, DraftTask, type Source } from "../../core/draft/schema.ts";
import type { Quote } from "../../core/market/schema.ts";
import {
  type Converse,
  findFamily,
  makeInputError,
  type ReplyFault,
  spoilReply,
  type Tool,
} from "./families.ts";
import { press, reviewText } from "./review.ts";

const charactersPerToken = 4;

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/**
 * Answers a Converse request as the model's family does: with a call of the tool that the request forces. Throws an error if the model's
 * family would refuse the request.
 */
export function answerConverse(modelId: string, request: Converse, spoil: ReplyFault | undefined) {
  const family = findFamily(modelId);
  checkTexts(request);
  const tool = findForcedTool(request);
  family.refuse(request, tool);
  const input = makeToolInput(tool, request);
  const fit = z.fromJSONSchema(tool.inputSchema.json).safeParse(input);
  if (!fit.success) {
    const reason = z.prettifyError(fit.error);
    throw new Error(`The stand-in's input for the tool ${tool.name} does not fit its schema:\n${reason}`);
  }
  const { maxTokens = Number.POSITIVE_INFINITY } = request.inferenceConfig;
  const isTooLong = estimateTokens(JSON.stringify(input)) > maxTokens;
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
  return spoil === undefined ? reply : spoilReply(reply, spoil);
}

function checkTexts({ messages, system = [] }: Converse): void {
  if (messages[0]?.role !== "user") throw makeInputError("A conversation must start with a user message.");
  const blocks = [...system, ...messages.flatMap(({ content }) => content)];
  if (blocks.some(({ text }) => text?.trim() === ""))
    throw makeInputError("The text field in the ContentBlock is blank.");
}

function findForcedTool({ toolConfig }: Converse): Tool {
  const { name } = toolConfig.toolChoice.tool;
  const forced = toolConfig.tools.find(({ toolSpec }) => toolSpec.name === name);
  if (forced === undefined) throw makeInputError(`The forced tool ${name} is not among the tools.`);
  return forced.toolSpec;
}

function makeToolInput(tool: Tool, request: Converse): unknown {
  const text = readUserText(request);
  if (tool.name === "review_press") return reviewText(parseFenced(text, findFence(request, "press"), press));
  if (tool.name === "write_press") return writeArticle(parseFenced(text, "task", DraftTask));
  return makeSampleInput(tool.inputSchema.json);
}

/**
 * Returns the name of the two lines (the fence) that enclose the data of this call. The system prompt contains this name, and only lines
 * with this name mark the data.
 */
function findFence({ system = [] }: Converse, name: string): string {
  const told = system.map(({ text }) => text ?? "").join("\n");
  const fence = new RegExp(`<(${name}-[0-9a-z]{16,})>`).exec(told)?.[1];
  if (fence === undefined)
    throw makeInputError(`The system prompt does not name a fence <${name}-…> for this call.`);
  return fence;
}

function readUserText({ messages }: Converse): string {
  const blocks = messages.filter(({ role }) => role === "user").flatMap(({ content }) => content);
  return blocks.map(({ text }) => text ?? "").join("\n");
}

/**
 * Returns the JSON between the lines `<name>` and `</name>`. JSON strings have no raw line breaks, so no text inside the data can imitate
 * the end line.
 */
function parseFenced<T extends z.ZodType>(text: string, name: string, schema: T): z.output<T> {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const from = lines.indexOf(`<${name}>`);
  const to = lines.indexOf(`</${name}>`, from);
  if (from < 0 || to < 0) throw makeInputError(`The user message has no <${name}> block.`);
  try {
    return schema.parse(JSON.parse(lines.slice(from + 1, to).join("\n")));
  } catch (cause) {
    throw makeInputError(`The <${name}> block has unexpected content: ${cause}`, { cause });
  }
}

const Sampled = z.looseObject({
  type: z.string(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

/** Makes the input for a tool that the stand-in does not know: the tool's required properties with empty values. */
function makeSampleInput(schema: unknown): unknown {
  const { type, properties, required } = Sampled.parse(schema);
  if (type === "string") return "Local stand-in.";
  if (type === "array") return [];
  if (type !== "object") return type === "boolean" ? false : 0;
  return Object.fromEntries(required.map((name) => [name, makeSampleInput(properties[name])]));
}

/**
 * Writes an article of at least 170 words about a stock, from the given point of view. The article has fixed sentences around the given
 * facts, a link for each fact, and a line that names the author.
 */
export function writeArticle({ stock: { symbol: stock }, angle: chosen, facts }: DraftTask): Draft {
  const paragraphs = [
    `What is behind the subject of this article, ${formatTitle(chosen.title)}, and what does it leave open for ${stock}? This article separates what is on record from what is still a guess.`,
    writePriceText(stock, facts.quote),
    ...formatCitations(chosen, facts.sources),
    "A stock token follows the price of its share, but it is not the share. The holder of a token reads two numbers: the price of the share, and the multiplier that turns dividends and splits into tokens. If the token moves and the share does not explain the move, compare both numbers again, and the times at which they were taken.",
    `Some things are not known yet. One day's price says little about a company, and one headline says little about a quarter. The company's own filings, its next results and a second independent report would answer more questions than a comment like this one can. Until these are published, readers have only the day's range and the sources linked here, and both may change.`,
    `Readers who follow ${stock} can check three things for themselves: whether the figures above still hold, whether the linked pages say what is claimed for them, and whether something newer has appeared since. Nothing in this article is investment advice.`,
    "_Drafted by the local stand-in for the language model._",
  ];
  const headline = writeHeadline(stock, chosen.kind, facts.quote);
  const preview = `This article lists what is on record about ${stock} today, what the linked sources and the quote show, and what is still open. A short look at one question, with the source of every figure.`;
  return { headline, preview, body: paragraphs.join("\n\n") };
}

function writeHeadline(stock: string, kind: Angle["kind"], price: Quote | undefined): string {
  if (kind === "headline") return `What the latest report on ${stock} leaves open`;
  if (kind === "fundamentals") return `${stock} beyond one day's price: what filings would settle`;
  return price === undefined
    ? `${stock}: what is on record today`
    : `${stock} at $${price.mid.toFixed(2)}: what the day's range shows`;
}

function writePriceText(stock: string, price: Quote | undefined): string {
  const page = `[quote page](https://robinhood.com/stocks/${encodeURIComponent(stock)})`;
  if (price === undefined) {
    return `No quote for ${stock} was available when this article was written, so it gives no price. The ${page} shows the current price, with the range of the day.`;
  }
  const { mid, dayHigh, dayLow, asOf } = price;
  return `According to the ${page}, ${stock} was at $${mid.toFixed(2)} as of ${asOf}. The day's range shows a low of $${dayLow.toFixed(2)} and a high of $${dayHigh.toFixed(2)}, so the reader can see how far the last price is from either end.`;
}

function formatCitations(angle: Angle, sources: readonly Source[]): readonly string[] {
  const own = angle.kind === "headline" ? [angle] : [];
  const all = [...own, ...sources.filter(({ link }) => link !== own[0]?.link)].slice(0, 3);
  if (all.length === 0) return [];
  const links = all.map(({ title, source, link }) => `[${formatTitle(title)}](${link}) (${source})`);
  return [
    `The reports behind this article are ${links.join("; ")}. This article links the reports and does not retell them, because their authors know more than a summary can say; the remarks below are its own.`,
  ];
}

/** Makes a title that can stand inside a sentence or a Markdown link: one line without brackets. */
function formatTitle(title: string): string {
  return `"${title.replace(/[\s[\]"]+/g, " ").trim()}"`;
}
