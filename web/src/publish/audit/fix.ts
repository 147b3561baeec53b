import type { Issue } from "../../../../core/audit/schema.ts";
import { editor } from "../../strings/publish.ts";
import type { Text } from "../editor/text.ts";
import type { Place } from "./place.ts";

/** What one click does about a finding, and where the words that it leaves behind stand in the text. */
export type Fix = {
  readonly kind: "disclose" | "remove";
  readonly changes: Partial<Text>;
  readonly part: "preview" | "body";
  readonly from: number;
  readonly to: number;
};

/** Findings that are settled by taking their sentence out. Of a figure only its writer knows what is right. */
const removable: ReadonlySet<string> = new Set(["promises", "advice", "pump", "manipulation", "hidden"]);

/** What can be done about a finding without its writer's words, or nothing. */
export function fixOf({ check }: Issue, place: Place, text: Text, symbol: string): Fix | undefined {
  if (check === "disclosure") return disclosed(text.body, editor.disclosureLine(symbol));
  if (!removable.has(check) || place.kind !== "words" || place.part === "headline") return undefined;
  const { part } = place;
  const { from, to } = sentenceAt(text[part], place);
  const before = text[part].slice(0, from);
  const after = text[part].slice(to);
  const gap = /\s$/.test(before) || before === "" ? after.trimStart() : after;
  return {
    kind: "remove",
    changes: { [part]: after.startsWith("\n") ? before.trimEnd() + after : before + gap },
    part,
    from,
    to: from,
  };
}

/** The text with the line that says so, unless it stands there. */
export function disclosed(body: string, line: string): Fix | undefined {
  if (body.includes(line)) return undefined;
  const before = body.trimEnd() === "" ? "" : `${body.trimEnd()}\n\n`;
  const from = before.length;
  return {
    kind: "disclose",
    changes: { body: `${before}${line}\n` },
    part: "body",
    from,
    to: from + line.length,
  };
}

/** The sentence around some words: from the end of the one before, or the line's begin, to its own. */
function sentenceAt(text: string, { from, to }: { readonly from: number; readonly to: number }) {
  const line = text.lastIndexOf("\n", from - 1) + 1;
  const ends = [...text.slice(line, from).matchAll(/[.!?]["')\]]*\s+/g)].at(-1);
  const start = line + (ends === undefined ? 0 : ends.index + ends[0].length);
  const rest = /^[^\n]*?(?:[.!?]["')\]]*(?=\s|$)|(?=\n|$))/.exec(text.slice(to));
  const isWhole = /[.!?]["')\]]*$/.test(text.slice(from, to));
  return { from: start, to: isWhole ? to : to + (rest?.[0].length ?? 0) };
}
