const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const segments = new Intl.Segmenter("en", { granularity: "word" });

/** On one line, so that neither the dashes of a list nor a rule are meant. */
const signBetweenWords = /(?<=[\p{L}\p{N}\p{P}][ \t]+)[-\u2013\u2014&/+=\u2026]{1,3}(?=[ \t]+[\p{L}\p{N}])/gu;

/** Characters as people count them: grapheme clusters (UAX #29), so that an emoji or an accented letter is one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of graphemes.segment(text)) count += 1;
  return count;
}

/**
 * Words that a reader of the rendered Markdown would count, in any script (UAX #29, with a dictionary where words have
 * no spaces). Addresses behind links, HTML tags and the numbers of a list are no words; an address in plain sight is one.
 * So is a sign that stands alone between two words, such as a dash: programs that count by spaces count it.
 */
export function countWords(markdown: string): number {
  const text = withoutMarkup(markdown);
  let count = text.match(signBetweenWords)?.length ?? 0;
  for (const { segment, isWordLike } of segments.segment(text)) {
    // A rule made of underscores is word-like to UAX #29.
    if (isWordLike === true && /[\p{L}\p{N}]/u.test(segment)) count += 1;
  }
  return count;
}

/** Size in bytes of the text as UTF-8. */
export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Minutes to read so many words, at 220 a minute; at least 1. */
export function minutesToRead(words: number): number {
  return Math.max(1, Math.round(words / 220));
}

/** The patterns neither nest nor overlap: the time stays linear, whatever is sent. */
function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/^[ \t>]*\d{1,9}[.)]\s/gm, " ")
    .replace(/\]\([^()\s]*/g, "] ")
    .replace(/<[/!a-z][^<>]*>/gi, (tag) => (/^<https?:/i.test(tag) ? " link " : " "))
    .replace(/\bhttps?:\/\/\S+/gi, " link ");
}
