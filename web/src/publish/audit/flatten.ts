/** A text as it is looked for words, and for each of its characters the index in the original that it came from. */
type Flat = { readonly text: string; readonly origin: readonly number[] };

/** What a reader of rendered Markdown does not see: a link's address, tags, marks at the start of a line, emphasis. */
const unseen =
  /\]\([^()\s]*(?:\s"[^"\n]*")?\)|!?\[|\]|<[^<>\n]*>|^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,3}\.)[ \t]+|[*_~`]{1,3}/gm;

const plainer: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "‛": "'",
  "′": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "″": '"',
  "«": '"',
  "»": '"',
  "‐": "-",
  "‑": "-",
  "‒": "-",
  "–": "-",
  "—": "-",
  "―": "-",
};

/**
 * A Markdown text in lower case, with one kind of quotes, dashes and spaces and without what readers do not see, as
 * audits quote it; or nothing of it but its words, as some of them do.
 */
export function flatten(markdown: string, keep: "all" | "words" = "all"): Flat {
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
    const shown = space ? " " : (plainer[character] ?? character.normalize("NFKC").toLowerCase());
    text += shown;
    for (let unit = 0; unit < shown.length; unit += 1) origin.push(from);
  }
  return { text, origin };
}
