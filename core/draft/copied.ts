import type { Draft, Source } from "./schema.ts";

/** So many words in a row are not found independently. */
const tooMany = 12;

/** What may be the name of a source: a passage in quotation marks, or a link's text. */
const citation = /"[^"\n]{1,400}"|“[^”\n]{1,400}”|\[[^[\]\n]{1,400}\]/g;
const cut = "\n¶\n";

/**
 * The source from which a draft has taken twelve or more consecutive words, whatever their case, punctuation and
 * emphasis, if there is one. A source's whole title, quoted or as a link's text, is a citation.
 */
export function copiedFrom(
  { headline, preview, body }: Draft,
  sources: readonly Source[],
): Source | undefined {
  const own = [headline, preview, body].join(cut);
  return sources.find(({ title, text }) => {
    const passages = withoutCitations(own, title).split(cut).map(words);
    const theirs = new Set([title, text].flatMap((original) => runs(words(original))));
    return passages.some((passage) => runs(passage).some((run) => theirs.has(run)));
  });
}

function withoutCitations(text: string, title: string): string {
  const name = words(title).join(" ");
  return text.replace(citation, (passage) => (words(passage).join(" ") === name ? cut : passage));
}

function runs(list: readonly string[]): readonly string[] {
  return list.flatMap((_, start) =>
    start + tooMany <= list.length ? [list.slice(start, start + tooMany).join(" ")] : [],
  );
}

function words(text: string): readonly string[] {
  const seen = text
    .normalize("NFKC")
    .replace(/\]\([^()\s]*/g, "] ")
    .replace(/[\p{Cf}\p{Mn}*_~`]/gu, "")
    .replace(/[‘’]/g, "'");
  return seen.toLowerCase().match(/[\p{L}\p{N}]+(?:['.,][\p{L}\p{N}]+)*/gu) ?? [];
}
