import { withoutEncodedProse } from "./encoded.ts";

/** Comments of HTML, and of Markdown by way of a reference that nothing refers to. */
export const comments: readonly RegExp[] = [
  /<!--(?:(?!<!--)[\s\S])*?-->/g,
  /^[ \t]{0,3}\[[^\]\n]{1,99}\]:[ \t]*(?:#|<#?>)(?:[ \t]+(?:\([^\n]*\)|"[^\n]*"|'[^\n]*'))?[ \t]*$/gm,
];

/** Elements that a page would not show, or not so that it can be read. */
export const unseen =
  /<(\w+)[^<>]{0,200}\b(?:hidden\b|display ?: ?none|visibility ?: ?hidden|opacity ?: ?0(?![.\d]*[1-9])|font-size ?: ?[01](?:px|pt|em|%)?\b|color ?: ?(?:white|transparent|#fff))[^<>]{0,200}>[\s\S]{0,2000}?<\/\1>/gi;

/** Code points that show nothing and of which letters can be made. */
export const invisible = {
  tags: /[\u{E0020}-\u{E007E}]/gu,
  /** Selectors of variants: one after a character is usual, several are not. */
  selectors: /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]{2,}/gu,
  /** Zero-width characters in a row; one joins or parts letters of some scripts and emoji. */
  joiners: /[\u200B-\u200D\u2060-\u2064\uFEFF\u180E\u00AD]{2,}/gu,
} as const;

/** Marks that show what follows from right to left, or left to right, against its nature. */
export const directions = /[\u202A-\u202E]/g;

/**
 * Markdown as its reader sees it, for a model that is to judge what readers get: no comments, no titles behind links,
 * no invisible characters, no text in code. The rules look at the whole instead (design §6).
 */
export function legible(markdown: string): string {
  const shown = [...comments, unseen, ...Object.values(invisible), directions].reduce(
    (text, pattern) => text.replace(pattern, " "),
    markdown,
  );
  const plainLinks = shown.replace(/(\]\([^()\s]{1,2000})\s+["'(][^\n]{0,500}?["')]\s*\)/g, "$1)");
  return withoutEncodedProse(plainLinks)
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
