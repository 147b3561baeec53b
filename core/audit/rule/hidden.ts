import type { Severity } from "../schema.ts";
import { makeFinding, type WordingRule } from "./rule.ts";

/** Matches encoded text that is long enough for a few words and does not look like a usual hash, address or identifier. */
const base64 = /(?<![\w+/=.-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=])/g;
const hex = /(?<![\w.])(?:0x)?(?:[0-9a-f]{2}[ :,]?){16,}(?!\w)/gi;
const binary = /(?<!\d)(?:[01]{8}[ ,]?){8,}(?!\d)/g;

const decoders: readonly (readonly [RegExp, (found: string) => Uint8Array])[] = [
  [base64, (found) => Buffer.from(found, "base64")],
  [hex, (found) => Buffer.from(found.replace(/^0x|[ :,]/g, ""), "hex")],
  [binary, (found) => Uint8Array.from(found.match(/[01]{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))],
];

/**
 * For each kind of encoding, the maximum number of decoded passages that are kept, and the maximum number of characters that are decoded in
 * one passage. An honest article stays below the limits for encoded passages and for their lengths.
 */
const most = { passages: 50, characters: 8000 } as const;

/** Decodes the passages of a text that are written in base64, hexadecimal or binary numbers. */
function findEncodedProse(text: string): readonly string[] {
  return decoders.flatMap(([pattern, decode]) =>
    (text.match(pattern) ?? [])
      .flatMap((found) => decodeProse(decode(found.slice(0, most.characters))))
      .slice(0, most.passages),
  );
}

/** Removes from a text the passages that `findEncodedProse` decodes. */
function removeEncodedProse(text: string): string {
  return decoders.reduce(
    (rest, [pattern, decode]) =>
      rest.replace(pattern, (found) =>
        decodeProse(decode(found.slice(0, most.characters))).length > 0 ? " " : found,
      ),
    text,
  );
}

/** Decodes bytes if they contain words of a language. Bytes of numbers, hashes and images are not words. */
function decodeProse(bytes: Uint8Array): readonly string[] {
  // If the length limit has cut a character in two, the remaining part of the character is left out.
  const text = new TextDecoder().decode(bytes, { stream: true });
  const readable = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\s]+$/u.test(text) && !text.includes("\ufffd");
  return readable && hasWords(text) ? [text] : [];
}

/** Whether a text has three words in a row that each have at least two letters. */
function hasWords(text: string): boolean {
  let row = 0;
  for (const [letters] of text.matchAll(/\p{L}+/gu)) {
    row = letters.length >= 2 ? row + 1 : 0;
    if (row === 3) return true;
  }
  return false;
}

/** Matches comments in HTML, and comments in Markdown, which are link definitions that no link uses. */
const comments: readonly RegExp[] = [
  /<!--(?:(?!<!--)[\s\S])*?-->/g,
  /^[ \t]{0,3}\[[^\]\n]{1,99}\]:[ \t]*(?:#|<#?>)(?:[ \t]+(?:\([^\n]*\)|"[^\n]*"|'[^\n]*'))?[ \t]*$/gm,
];

/** Matches elements that a page would not show or that readers could not read. */
const unseen =
  /<(\w{1,20})[^<>]{0,200}\b(?:hidden\b|display ?: ?none|visibility ?: ?hidden|opacity ?: ?0(?![.\d]*[1-9])|font-size ?: ?[01](?:px|pt|em|%)?\b|color ?: ?(?:white|transparent|#fff))[^<>]{0,200}>[\s\S]{0,2000}?<\/\1>/gi;

/** Invisible code points that can stand for letters. */
const invisible = {
  tags: /[\u{E0020}-\u{E007E}]/gu,
  /** Matches several variation selectors in a row; a single selector after a character is usual. */
  selectors: /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]{2,}/gu,
  /**
   * Matches several zero-width characters in a row. A single zero-width character is allowed, because it may join or separate emoji, or
   * letters of some writing systems.
   */
  joiners: /[\u200B-\u200D\u2060-\u2064\uFEFF\u180E\u00AD]{2,}/gu,
} as const;

/** Characters that reverse the reading direction of the following text. */
const directions = /[\u202A-\u202E]/g;

/**
 * Converts Markdown to the text that readers see, without comments, titles of links, invisible characters and encoded text, because the
 * model must judge only what readers see. The audit's rules look at the whole Markdown (design §6).
 */
export function removeHiddenText(markdown: string): string {
  const shown = [...comments, unseen, ...Object.values(invisible), directions].reduce(
    (text, pattern) => text.replace(pattern, " "),
    markdown,
  );
  const plainLinks = shown.replace(/(\]\([^()\s]{1,2000})\s+["'(][^\n]{0,500}?["')]\s*\)/g, "$1)");
  return removeEncodedProse(plainLinks)
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * Removes from a text that is shown as written, and not as Markdown, the invisible characters and the encoded text. Readers see everything
 * else, also a comment or the title of a link.
 */
export function removeUnreadableText(text: string): string {
  const shown = [...Object.values(invisible), directions].reduce(
    (rest, pattern) => rest.replace(pattern, " "),
    text,
  );
  return removeEncodedProse(shown).trim();
}

/**
 * The text that a program may read if it undoes a trick that hides words. The field `trick` contains the name that findings use for the
 * trick.
 */
export type RevealedText = { readonly trick: string; readonly text: string };

/**
 * Undoes the usual tricks that hide words from people, such as invisible letters, codes and escapes, and returns a version of the text for
 * each trick. Each version is checked separately, because an order to the program that makes the audit may be readable in only one version.
 */
export function revealTexts(text: string): readonly RevealedText[] {
  const undone = decodeEscapes(text);
  return [
    { trick: "invisible letters", text: readTags(text) },
    { trick: "marks of direction", text: readReversedText(text) },
    { trick: "escaped letters", text: undone === text ? "" : undone },
    { trick: "spaced letters", text: joinLetters(text) },
    ...findEncodedProse(undone).map((prose) => ({ trick: "encoded text", text: prose })),
  ].filter((reading) => reading.text !== "");
}

/**
 * Reads hidden text from Unicode's tag characters, which mirror ASCII, and from the supplementary variation selectors, which can stand for
 * bytes.
 */
function readTags(text: string): string {
  const tags = text.match(/[\u{E0020}-\u{E007E}]/gu) ?? [];
  const bytes = text.match(/[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu) ?? [];
  return [
    String.fromCodePoint(...tags.slice(0, 5000).map((tag) => readCodePoint(tag) - 0xe0000)),
    new TextDecoder().decode(Uint8Array.from(bytes, (selector) => toByte(readCodePoint(selector)))),
  ]
    .filter((found) => found.length > 3)
    .join("\n");
}

function toByte(codePoint: number): number {
  return codePoint < 0xe0100 ? codePoint - 0xfe00 : codePoint - 0xe0100 + 16;
}

function readCodePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Reads the text after a mark that makes the text run from right to left. */
function readReversedText(text: string): string {
  return [...text.matchAll(/\u202e([^\u202a-\u202e\n]{4,2000})/g)]
    .slice(0, 50)
    .map(([, shown = ""]) => [...shown].reverse().join(""))
    .join("\n");
}

const spaced =
  /(?<![\p{L}\p{N}])(?:\p{L}[ .\-_·*]){1,}\p{L}(?![\p{L}\p{N}])(?:[ ]{2,}(?:\p{L}[ .\-_·*])*\p{L}(?![\p{L}\p{N}])(?: ?[.,:;!?])?){2,}|(?<![\p{L}\p{N}])(?:\p{L}[ .\-_·*]){11,}\p{L}(?![\p{L}\p{N}])/gu;

/** Makes words from letters with spaces between them, as in "T o t h e m o d e l". */
function joinLetters(text: string): string {
  return (text.match(spaced) ?? [])
    .slice(0, 50)
    .map((found) =>
      found
        .split(/ {2,}/)
        .map((word) => word.replace(/(?<=\p{L})[ .\-_·*](?=\p{L})/gu, "").replace(/ (?=[.,:;!?])/g, ""))
        .join(" "),
    )
    .join(" ");
}

/** Decodes HTML's character references, and the escapes of JavaScript and of web addresses. */
function decodeEscapes(text: string): string {
  return text
    .replace(/&#x([0-9a-f]{1,5});/gi, (_, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, 16)),
    )
    .replace(/&#(\d{1,6});/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, long?: string, short = "") =>
      String.fromCharCode(Number.parseInt(long ?? short, 16)),
    )
    .replace(/%([2-7][0-9a-f])/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/&lt;/gi, "<")
    .replace(/&gt;/gi, ">")
    .replace(/&quot;/gi, '"');
}

const asSeen = "Remove it: the audited text must be the text that readers see.";

/** Matches a word that mixes Latin letters with Cyrillic or Greek letters. */
const mixed =
  /(?<!\p{L})(?=\p{L}*\p{Script=Latin})(?=\p{L}*[\p{Script=Cyrillic}\p{Script=Greek}])\p{L}{3,}/gu;

type HidingTrick = {
  readonly severity: Severity;
  readonly wrong: string;
  /** The parts of a text that are hidden from readers; an empty list if the text has no hidden parts. */
  readonly find: (text: string) => readonly string[];
};

const traces: readonly HidingTrick[] = [
  {
    severity: "critical",
    wrong: "Invisible letters that only a program reads",
    find: (text) => [
      ...matchAtLeast(invisible.tags, text, 8),
      ...matchAtLeast(invisible.selectors, text).filter(({ length }) => length >= 8),
    ],
  },
  {
    severity: "critical",
    wrong: "Zero-width characters in a row, which carry a message or break words apart",
    find: (text) => [
      ...matchAtLeast(invisible.joiners, text).filter(({ length }) => length >= 8),
      ...matchAtLeast(
        /(?<=\p{Script=Latin})(?:\u200D|[\u200B\u2060-\u2064\uFEFF])(?=\p{Script=Latin})/gu,
        text,
        8,
      ),
    ],
  },
  {
    severity: "high",
    wrong: "A mark that turns the direction of the text",
    find: (text) => matchAtLeast(directions, text),
  },
  {
    severity: "high",
    wrong: "Words that mix Latin letters with Cyrillic or Greek letters",
    find: (text) => matchAtLeast(mixed, text, 3),
  },
  { severity: "high", wrong: "Encoded words that readers cannot read", find: findEncodedProse },
  {
    severity: "high",
    wrong: "An element that a page does not show",
    find: (text) => matchAtLeast(unseen, text),
  },
  {
    severity: "high",
    wrong: "A comment, which readers do not see",
    find: (text) => comments.flatMap((pattern) => matchAtLeast(pattern, text).filter(isSentence)),
  },
];

/** Finds text that a program reads and people do not see. Hidden text does not belong in an article, whatever the hidden text says. */
export const hidden: WordingRule = {
  check: "hidden",
  label: "Hidden text",
  by: "rules",
  cannotJudge: "what a picture shows",
  holdsOurs: true,
  find: ({ headline, publisherName, preview, body }) => {
    const text = [headline, publisherName, preview, body].join("\n\n");
    return traces.flatMap(({ severity, wrong, find }) => {
      const [passage] = find(text);
      return passage === undefined
        ? []
        : [makeFinding(severity, "hidden", wrong, showInvisible(passage), asSeen)];
    });
  },
};

/** All matches of a pattern in a text, or an empty list if there are fewer than `least` matches. */
function matchAtLeast(pattern: RegExp, text: string, least = 1): readonly string[] {
  const found = text.match(pattern) ?? [];
  return found.length >= least ? found : [];
}

/** Whether a comment has several words and is not just an editor's mark or a note about the page's layout. */
function isSentence(comment: string): boolean {
  const isNote = production.test(comment) && !judging.test(comment) && /^[\x20-\x7e\n]*$/.test(comment);
  return !isNote && (comment.match(/\p{L}{2,}/gu) ?? []).length >= 3;
}

const production =
  /\b(?:pictures?|photos?|images?|illustrations?|captions?|layout|charts?|graphics?|crop|columns? free|pull quote|thumbnail|credit line|picture desk)\b/i;
/** Words about the audit, about the audit's outcome or about the program that makes the audit, and orders of any kind to a reader. */
const judging =
  /\b(?:audit\w*|check\w*|review\w*|verif\w*|fact\w*|scor\w*|grad(?:e|es|ed|ing|er)|rat(?:e|es|ed|ing)|approv\w*|pass(?:es|ed)?|clear\w*|verdicts?|findings?|issues?|flags?|errors?|rules?|figures?|sources?|models?|ai|llms?|bots?|machine\w*|automat\w*|algorithm\w*|programs?|programmes?|software|tools?|agents?|assistants?|systems?|prompts?|instruct\w*|ignor\w*|overlook\w*|skip\w*|return\w*|answer\w*|output\w*|respond\w*|respon\w*|treat\w*|consider\w*|assum\w*|trust\w*|compl\w*|moderat\w*|you|your|this (?:article|text|draft|piece))\b/i;

/** Makes hidden characters visible, so that a finding can show them. */
function showInvisible(passage: string): string {
  return passage.replace(
    /[\p{Cf}\p{Mn}\p{Co}]/gu,
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()} `,
  );
}
