import * as z from "zod";
import type { Dice } from "../rough.ts";
import { invalidSequence } from "./failure.ts";

/** Ways in which a model that was forced to call a tool does not do so, or does so badly. */
const spoils = [
  "no_call",
  "malformed_call",
  "missing_field",
  "numbers_as_text",
  "filtered",
  "guarded",
] as const;
export type Spoil = (typeof spoils)[number];

type Block =
  | { readonly text: string }
  | { readonly toolUse: { readonly toolUseId: string; readonly name: string; readonly input: unknown } };
type Reply = { readonly content: readonly Block[]; readonly stopReason: string };

/** A reply as it comes when something went wrong. Throws `ModelErrorException` for `malformed_call`. */
export function spoiled(reply: Reply, spoil: Spoil): Reply {
  switch (spoil) {
    case "malformed_call":
      throw invalidSequence();
    case "no_call":
      return { content: [{ text: "I cannot call the tool for this." }], stopReason: "end_turn" };
    case "filtered":
      return {
        content: [{ text: "The generated text has been blocked by our content filters." }],
        stopReason: "content_filtered",
      };
    case "guarded":
      return {
        content: [{ text: "Sorry, the model cannot answer this question." }],
        stopReason: "guardrail_intervened",
      };
    case "missing_field":
      return changed(reply, (input) => Object.fromEntries(Object.entries(input).slice(1)));
    case "numbers_as_text":
      return changed(reply, numbersAsText);
  }
}

function numbersAsText(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(numbersAsText);
  const fields = Input.safeParse(value);
  if (!fields.success) return value;
  return Object.fromEntries(Object.entries(fields.data).map(([name, one]) => [name, numbersAsText(one)]));
}

const Input = z.record(z.string(), z.unknown());

function changed({ content, stopReason }: Reply, change: (input: z.output<typeof Input>) => unknown): Reply {
  return {
    content: content.map((block) =>
      "toolUse" in block
        ? { toolUse: { ...block.toolUse, input: change(Input.parse(block.toolUse.input)) } }
        : block,
    ),
    stopReason,
  };
}

/** What goes wrong with one request of many, when the stand-in is to be rough. */
export function roughFault(
  dice: Dice,
):
  | { readonly spoil: Spoil }
  | { readonly delayMs: number }
  | { readonly status: number; readonly type: string; readonly message: string }
  | undefined {
  if (!dice.chance(0.4)) return undefined;
  if (dice.chance(0.5)) return { spoil: dice.oneOf(spoils) };
  if (dice.chance(0.5)) return { delayMs: dice.between(100, 1_500) };
  return {
    status: 429,
    type: "ThrottlingException",
    message: "Too many requests, please wait before trying again.",
  };
}
