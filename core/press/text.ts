const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const segments = new Intl.Segmenter("en", { granularity: "word" });

/**
 * The pattern for signs between words matches only within one line, so that it does not match the dashes of lists and horizontal lines. The
 * lookahead prevents repeated scans of long sequences of spaces.
 */
const signBetweenWords =
  /(?=[-\u2013\u2014&/+=\u2026])(?<=[\p{L}\p{N}\p{P}][ \t]+)[-\u2013\u2014&/+=\u2026]{1,3}(?=[ \t]+[\p{L}\p{N}])/gu;

/** Counts characters as people see them: an emoji or an accented letter is one character (a grapheme cluster of UAX #29). */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of graphemes.segment(text)) count += 1;
  return count;
}

/**
 * Counts the words of the rendered Markdown in any script (UAX #29, with a dictionary where words have no spaces). Web addresses behind
 * links, HTML tags, list numbers and footnote marks do not count as words; a visible web address counts as a word. A sign between two
 * words, such as a dash, also counts as a word, because programs that count words by spaces do the same.
 */
export function countWords(markdown: string): number {
  const text = removeMarkup(markdown);
  let count = text.match(signBetweenWords)?.length ?? 0;
  for (const { segment, isWordLike } of segments.segment(text)) {
    // A horizontal line of underscores would count as a word by UAX #29.
    if (isWordLike === true && /[\p{L}\p{N}]/u.test(segment)) count += 1;
  }
  return count;
}

/** The size of the text in bytes of UTF-8. */
export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The minutes that a reader needs for this number of words, at 220 words a minute, but at least 1. */
export function countMinutes(words: number): number {
  return Math.max(1, Math.round(words / 220));
}

/** The patterns for Markdown are not nested and do not overlap, so that matching takes linear time for any input. */
function removeMarkup(markdown: string): string {
  return markdown
    .replace(/^[ \t>]*\d{1,9}[.)]\s/gm, " ")
    .replace(/\[\^[^[\]\s]{1,999}\]:?/g, " ")
    .replace(/\]\([^()\s]*/g, "] ")
    .replace(/<[/!a-z][^<>]*>/gi, (tag) => (/^<https?:/i.test(tag) ? " link " : " "))
    .replace(/\bhttps?:\/\/\S+/gi, " link ");
}

/** The number of consecutive words that are compared together, as one run. */
const runLength = 5;
/**
 * The number of runs of words that are stored for a text. The runs with the smallest hashes are stored, so that two texts with the same
 * runs store the same selection (bottom-k MinHash).
 */
const kept = 64;
/** At most this number of a text's runs of words are hashed. */
const most = 20_000;
/** Hashes of runs of words have 52 bits. */
const space = 2 ** 52;

/** A text's fingerprint for finding copies. */
export type Sketch = {
  /** The hashes of the stored runs of words, smallest first, as 13 hexadecimal digits. */
  readonly hashes: string[];
  /** The number of different runs of words in the text. */
  readonly size: number;
};

/**
 * The fingerprint of a Markdown text. The fingerprint omits the parts that other texts may repeat: quotations, block quotes, and lists of
 * sources.
 */
export function makeSketch(markdown: string): Sketch {
  const list = splitWords(removeQuotations(markdown)).slice(0, most);
  const runs = new Set<number>();
  for (let at = 0; at + runLength <= list.length; at += 1)
    runs.add(hashText(list.slice(at, at + runLength).join(" ")));
  const hashes = [...runs].sort((one, other) => one - other).slice(0, kept);
  return { hashes: hashes.map((hash) => hash.toString(16).padStart(13, "0")), size: runs.size };
}

/**
 * The share of one text that occurs in the other text, from 0 to 1. The function computes this share for each of the two texts and returns
 * the larger share, so that a copy with additions is also found. `found`: the draft's hashes that are stored for the other text too. The
 * share is estimated from some dozens of runs of words, and is accurate to within about 10 percentage points.
 */
export function findShare(draft: Sketch, other: Pick<Sketch, "size">, found: ReadonlySet<string>): number {
  const least = 6;
  if (found.size < least || other.size === 0) return 0;
  // A run of the draft can be compared with the other text only if the run's hash is below the largest hash stored for that text.
  const reach = Math.min(1, kept / other.size) * space;
  const comparable = draft.hashes.filter((hash) => Number.parseInt(hash, 16) <= reach || found.has(hash));
  const ofDraft = found.size / Math.max(1, comparable.length);
  const draftReach = Number.parseInt(draft.hashes.at(-1) ?? "0", 16) / space;
  const expected = other.size * Math.min(draft.size <= kept ? 1 : draftReach, reach / space);
  const ofOther = expected < least ? 0 : found.size / expected;
  return Math.min(1, Math.max(ofDraft, ofOther));
}

function removeQuotations(markdown: string): string {
  const folded = markdown
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Mn}*_~`]/gu, "")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’]/g, "'");
  const lines = folded
    .replace(/"[^"\n]{1,600}"/g, " ¶ ")
    .replace(/\]\([^()\s]*(?:\s"[^"\n]*")?\)/g, "] ")
    .replace(/\bhttps?:\/\/\S+/gi, " ")
    .split("\n");
  const heading = /^\W*(?:sources?|references?|further reading|links|quellen|fuentes|notes)\b\W*/i;
  const from = lines.findIndex(
    (line, at) => heading.test(line) && line.replace(heading, "").length < 200 && at > lines.length / 2,
  );
  return lines.filter((line, at) => !/^\s*>/.test(line) && (from < 0 || at < from)).join("\n");
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['.,][\p{L}\p{N}]+)*|¶/gu) ?? [];
}

/**
 * The hash consists of two halves of 26 bits, made by multiplication and xor. The hash is fast and evenly distributed, and need not be
 * secret.
 */
function hashText(text: string): number {
  let one = 0x9e3779b1;
  let other = 0x85ebca77;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x9e3779b1);
    other = Math.imul(other ^ code, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return ((one >>> 6) & 0x3ffffff) * 2 ** 26 + ((other >>> 6) & 0x3ffffff);
}
