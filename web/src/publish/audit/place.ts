import type { Issue } from "../../../../core/audit/schema.ts";
import { editor } from "../../strings/editor.ts";
import type { DraftText } from "../editor/text.ts";

/** A text that is prepared for a search. For each character, the index in the original text is stored. */
type FlatText = { readonly text: string; readonly origin: readonly number[] };

/** Parts of Markdown that a reader does not see: a link's address, tags, marks at the start of a line, and the signs for emphasis. */
const unseen =
  /\[\^[^[\]\s]{1,999}\]:?|\]\([^()\s]*(?:\s"[^"\n]*")?\)|!?\[|\]|<[^<>\n]*>|^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,3}\.)[ \t]+|[*_~`]{1,3}/gm;

/** Replacements that make all quotation marks and all dashes uniform. */
const plainer = [
  [/[‘’‛′]/g, "'"],
  [/[“”„″«»]/g, '"'],
  [/[‐‑‒–—―]/g, "-"],
] as const;

/**
 * Converts a Markdown text to the form in which audits quote it: in lower case, with uniform quotes, dashes and spaces, and without the
 * parts that readers do not see. If `keep` is `words`, only the letters and digits of the text remain, because some quotations leave out
 * all other signs.
 */
function makeSearchText(markdown: string, keep: "all" | "words" = "all"): FlatText {
  const hidden = new Uint8Array(markdown.length);
  for (const { 0: match, index } of markdown.matchAll(unseen)) hidden.fill(1, index, index + match.length);
  let text = "";
  const origin: number[] = [];
  let spaced = true;
  let at = 0;
  for (const character of markdown) {
    const from = at;
    at += character.length;
    if (hidden[from] === 1 || /\p{Cf}|\p{Mn}/u.test(character)) continue;
    const space = keep === "all" ? /\s/.test(character) : !/[\p{L}\p{N}]/u.test(character);
    if (space && spaced) continue;
    spaced = space;
    const plain = plainer.reduce((text, [marks, mark]) => text.replace(marks, mark), character);
    const shown = space ? " " : plain.normalize("NFKC").toLowerCase();
    text += shown;
    for (let unit = 0; unit < shown.length; unit += 1) origin.push(from);
  }
  return { text, origin };
}

export const parts = ["headline", "preview", "body"] as const;
export type TextPart = (typeof parts)[number];

/** The place to which an issue of an audit refers: a range of words in a part of the press, a whole part, or the whole text. */
export type IssuePlace =
  | (WordRange & { readonly kind: "words"; readonly part: TextPart })
  | { readonly kind: "part"; readonly part: TextPart }
  | { readonly kind: "whole" };

/**
 * Matches the text of a finding if the finding says that a headline or a preview resembles another press. A finding about a similar press
 * quotes that press, not the publisher's own text.
 */
const likened = /^(?:the )?(headline|preview)\b[^":]*\bnearly\b/i;

/**
 * The minimum length of a quotation for which the text is searched. A quotation that is shorter than this minimum could match at a wrong
 * place.
 */
const least = 3;

/**
 * The place of an issue in a text. The issue's detail quotes words in the form in which readers see them, and sometimes shortens the
 * quotation. The text is searched for the quoted words; if they are not found, the check's name determines the part.
 */
export function findPlace({ check, detail }: Issue, texts: Readonly<Record<TextPart, string>>): IssuePlace {
  const copy = likened.exec(detail)?.[1]?.toLowerCase();
  const likeness = parts.find((part) => part === copy);
  if (likeness !== undefined) return { kind: "part", part: likeness };
  const order = findPart(check);
  const looked = order === undefined ? parts : [order, ...parts.filter((part) => part !== order)];
  for (const words of listQuotations(detail)) {
    for (const part of looked) {
      const found = findWordRange(words, texts[part]);
      if (found !== undefined) return { kind: "words", part, ...found };
    }
  }
  return order === undefined ? { kind: "whole" } : { kind: "part", part: order };
}

/** A range of characters in a text, or of the editor's positions in an article. */
export type WordRange = { readonly from: number; readonly to: number };

/** The range of a quotation's words in a text, even if Markdown signs stand between the words. */
export function findWordRange(words: string, text: string): WordRange | undefined {
  return findRange(words, text, "all") ?? findRange(words, text, "words");
}

/** Finds words in a text and returns their range, which begins and ends at word boundaries. A shortened quotation may end inside a word. */
function findRange(words: string, markdown: string, keep: "all" | "words"): WordRange | undefined {
  const cut = /(?:…|\.\.\.)$/.test(words);
  const sought = makeSearchText(words.replace(/(?:…|\.\.\.|\.)$/, ""), keep).text.trim();
  if (sought.length < least) return undefined;
  const { text, origin } = makeSearchText(markdown, keep);
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const from = origin[at];
    const last = origin[end - 1];
    if (from === undefined || last === undefined) return undefined;
    if (!isInsideWord(text, at) && (cut || !isInsideWord(text, end))) return { from, to: last + 1 };
  }
  return undefined;
}

/** Whether the characters on both sides of an index belong to one word. */
function isInsideWord(text: string, index: number): boolean {
  return /^[\p{L}\p{N}]{2}$/u.test(text.slice(Math.max(0, index - 1), index + 1));
}

/** The part of the press to which the name of a check refers. */
function findPart(check: string): TextPart | undefined {
  if (check === "headline" || check === "subject") return "headline";
  if (check === "preview") return "preview";
  return check === "sources" || check === "length" || check === "disclosure" ? "body" : undefined;
}

/** All possible quotations in the detail of a finding, longest first, followed by the words that the detail lists after a colon. */
function listQuotations(detail: string): readonly string[] {
  const straight = detail.replace(/[“”„«»]/g, '"');
  const first = straight.indexOf('"');
  const outer = first < 0 ? [] : [straight.slice(first + 1, straight.lastIndexOf('"'))];
  const inner = [...straight.matchAll(/"([^"]+)"/g)].map(([, words = ""]) => words);
  const listed = /: ([^":]+)\.?$/.exec(straight)?.[1]?.split(/, (?:and )?/) ?? [];
  return [...outer, ...inner.toSorted((one, other) => other.length - one.length), ...listed];
}

/** The change that fixes a finding with one click, and the range in the new text to which the page then jumps. */
export type TextFix = WordRange & {
  readonly kind: "disclose" | "remove";
  readonly changes: Partial<DraftText>;
  readonly part: "preview" | "body";
};

/**
 * The checks whose findings are fixed by deleting the quoted sentence. The check for wrong numbers is not in this list, because only the
 * writer can correct a wrong number.
 */
const removable: ReadonlySet<string> = new Set(["promises", "advice", "pump", "manipulation", "hidden"]);

/** The automatic fix for a finding, if a fix exists. */
export function makeFix(
  { check }: Issue,
  place: IssuePlace,
  text: DraftText,
  symbol: string,
): TextFix | undefined {
  if (check === "disclosure") return addDisclosure(text.body, editor.disclosureLine(symbol));
  if (!removable.has(check) || place.kind !== "words" || place.part === "headline") return undefined;
  const { part } = place;
  const { from, to } = findSentence(text[part], place);
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

/** At the end of the text, adds the line that discloses the author's holding, unless the text already has this line. */
export function addDisclosure(body: string, line: string): TextFix | undefined {
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

/**
 * The range of the sentence that contains the given words. The range begins at the end of the previous sentence or at the start of the
 * line, and ends at the end of the sentence.
 */
function findSentence(text: string, { from, to }: WordRange) {
  const line = text.lastIndexOf("\n", from - 1) + 1;
  const ends = [...text.slice(line, from).matchAll(/[.!?]["')\]]*\s+/g)].at(-1);
  const start = line + (ends === undefined ? 0 : ends.index + ends[0].length);
  const rest = /^[^\n]*?(?:[.!?]["')\]]*(?=\s|$)|(?=\n|$))/.exec(text.slice(to));
  const isWhole = /[.!?]["')\]]*$/.test(text.slice(from, to));
  return { from: start, to: isWhole ? to : to + (rest?.[0].length ?? 0) };
}
