import { decodeHTMLStrict } from "entities";
import { findQuantities } from "./numbers.ts";
import type { Quantity } from "./quantity.ts";

/**
 * Makes a function that remembers its results for the last inputs, because a dozen rules apply the same function to the same passages.
 * @param maxInputs the maximum number of inputs whose results are remembered
 */
export function rememberResults<Input extends string, Value>(
  compute: (text: Input) => Value,
  maxInputs: number,
) {
  const known = new Map<Input, Value>();
  return (text: Input): Value => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = compute(text);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= maxInputs) known.delete(oldest);
    known.set(text, value);
    return value;
  };
}

/**
 * Letters of scripts other than the Latin script, and small capitals. Each letter of the list is followed by the Latin letter that it looks
 * like to a reader.
 */
const lookalikes = new Map(
  "аa еe оo рp сc уy хx іi ѕs јj ԁd һh кk мm тt вb нh ԛq ԝw ոn սu αa οo ρp νv ιi κk τt υu ıi ɡg ɑa ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz"
    .split(" ")
    .map(([letter, latin]) => [letter, latin]),
);

/**
 * Converts a text to the form in which patterns are matched: resolves compatibility forms (NFKC), removes invisible characters, and
 * replaces typographic quotes and spaces by ASCII characters. The conversion does not change the upper and lower case of the words.
 */
export const folded = rememberResults((text: string): string => {
  return text
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Mn}]/gu, "")
    .replace(/[‘’‛′]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/[^\S\n]+/g, " ");
}, 64);

/**
 * Does the same as `folded`, and also converts the text to lower case, removes accents, and puts Latin letters in place of letters that
 * only look Latin. The converted text shows words that the writer has disguised with accents, invisible characters or letters that only
 * look Latin.
 */
export const unmasked = rememberResults((text: string): string => {
  return folded(text)
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replace(
      /[\u0131\u0250-\u02af\u0370-\u058f\u1d00-\u1d7f\ua700-\ua7ff]/g,
      (letter) => lookalikes.get(letter) ?? letter,
    );
}, 64);

const elements =
  "a|abbr|article|aside|b|big|blockquote|br|caption|center|cite|code|col|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img|ins|kbd|li|main|mark|nav|ol|p|picture|pre|q|s|samp|section|small|source|span|strike|strong|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|u|ul|var|video|wbr";

/**
 * Matches tags of HTML and autolinks (CommonMark 0.31, §6.5 and §6.6). Readers see most other text between `<` and `>`, and they see every
 * tag in a headline or in code. The pattern therefore does not match tags that could contain a sentence: tags with an unknown name, an
 * attribute without a value, or a value with spaces. No match contains `<` twice, so the search takes linear time.
 */
const tags = new RegExp(
  [
    String.raw`(?<!\\)<(?:${elements})(?:[ \t]+[a-z-]{1,40}=(?:"[^"\s<>|]*"|'[^'\s<>|]*'|[^\s"'=<>|${"`"}]+))*[ \t]*\/?>`,
    String.raw`(?<!\\)<\/(?:${elements})[ \t]*>`,
    String.raw`(?<!\\)<(?:(?:https?|ftp):\/\/|mailto:)[^\s<>]*>`,
    String.raw`(?<!\\)<[\w.+-]+@[\w.-]+>`,
  ].join("|"),
  "gi",
);

/** Matches a comment and captures its words. */
const comment = /<!--((?:(?!<!--)[\s\S])*?)-->/g;

/** Matches a link or a picture, and captures its label and its title. */
const link = /!?\[([^[\]]*)\]\([^()\s]*(?:\s"([^"\n]*)")?\)/g;

/**
 * The text that a reader of Markdown may see, with characters in place of HTML's character references, and without web addresses, tags, and
 * the marks of emphasis or of footnotes. The words of comments and the titles of links follow as lines at the end, because a headline, a
 * preview, a note and code show these words to readers.
 */
export const plain = rememberResults((markdown: string): string => {
  const whole = folded(markdown);
  const comments = [...whole.matchAll(comment)].map(([, words = ""]) => words);
  // The words of comments stand on lines of their own, so that they cannot change how a rule reads the sentence around them.
  const text = [whole.replace(comment, " "), ...comments].join("\n").replace(/\[\^[^[\]\s]{1,999}\]:?/g, "");
  const titles = [...text.matchAll(link)].flatMap(([, , title]) => title ?? []);
  const shown = [text.replace(link, "$1"), ...titles]
    .join("\n")
    .replace(/(?<=[\p{L};])<(\w{1,20})><\/\1>(?=[\p{L}&])/gu, "")
    .replace(tags, " ")
    .replace(/\bhttps?:\/\/\S+/gi, " ");
  // An address may contain references for spaces, so the references are resolved only after the addresses are removed.
  return folded(decodeHTMLStrict(shown))
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,3}\.)[ \t]+/gm, "")
    .replace(/[*_~`]{1,3}/g, "");
}, 64);

/** Matches the title of a link in each of the forms that Markdown has, and captures the text before the title. */
const anyTitle = /(\]\([^()\s]*)\s+(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\([^()\n]*\))\s*\)/g;

/** Matches a line that defines a link's address for other places in the text. */
const definition =
  /^[ \t>]*\[[^\]\n]{1,999}\]:[ \t]*\n?[ \t]*(?:<[^<>\n]*>|\S+)(?:\s+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*$/gm;

/**
 * Does the same as `plain`, but leaves out comments, titles and definitions of links and all text that may be a tag, because the page does
 * not show some of this text. Use this function where a rule looks for words that help the draft to pass.
 */
export function toVisibleText(markdown: string): string {
  return plain(
    markdown
      .replace(comment, " ")
      .replace(/<[a-z/!?][^<>]*>|(?<=\]\()<[^<>\n]*>/gi, " ")
      .replace(anyTitle, "$1)")
      .replace(definition, " "),
  );
}

/** The sentences of a plain text; a line break also ends a sentence. */
export function splitSentences(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?]["')\]]?)(?<!\b[ap]\.m\.) +(?=["'([]?[\p{Lu}\d$])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** The words and numbers of a text, in lower case and in the order of the text. */
export function listWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['.,][\p{L}\p{N}]+)*/gu) ?? [];
}

const stopwords = new Set(
  "about above after again against ahead also although among because been before behind being below between beyond both came come could does doing down during each even ever every from have having here into just like made make many might more most much must near next only other over says should since some still such than that their them then there these they this those through today under until upon very want wants were what when where which while whom whose will with within without would year your".split(
    " ",
  ),
);

/**
 * The meaningful words of a text: words that begin with at least four letters and are not in `stopwords`. Each meaningful word is
 * shortened, so that its inflected forms match.
 */
export function listStems(text: string): ReadonlySet<string> {
  const meaning = listWords(text).filter((word) => /^\p{L}{4,}/u.test(word) && !stopwords.has(word));
  return new Set(meaning.map((word) => word.slice(0, 5)));
}

/** The number of web addresses that the Markdown shows or links to. */
export function countLinks(markdown: string): number {
  return new Set(markdown.match(/\bhttps?:\/\/[^\s)>\]"']+/gi)).size;
}

/** The longest sequence of words that two texts share, found in time proportional to the product of the texts' lengths. */
export function findLongestSharedRun(one: readonly string[], other: readonly string[]): readonly string[] {
  const numbers = new Map<string, number>();
  const numberWords = (list: readonly string[]) =>
    Uint32Array.from(list, (word) => {
      const number = numbers.get(word) ?? numbers.size;
      numbers.set(word, number);
      return number;
    });
  const across = numberWords(other);
  // endings[j] is the length of the shared sequence of words that ends with the current word of `one` and with word j - 1 of `other`.
  const endings = new Uint32Array(across.length + 1);
  let best = { end: 0, length: 0 };
  numberWords(one).forEach((word, index) => {
    for (let j = across.length; j > 0; j -= 1) {
      const length = across[j - 1] === word ? (endings[j - 1] ?? 0) + 1 : 0;
      endings[j] = length;
      if (length > best.length) best = { end: index + 1, length };
    }
  });
  return one.slice(best.end - best.length, best.end);
}

/** Splits a text into overlapping parts of at most `most` characters: each part begins in the last third of the previous part. */
export function splitOverlapping(text: string, most: number): readonly string[] {
  if (text.length <= most) return [text];
  const step = Math.ceil((most * 2) / 3);
  return Array.from({ length: Math.ceil((text.length - most) / step) + 1 }, (_, at) =>
    text.slice(at * step, at * step + most),
  );
}

/** The maximum length at which a finding quotes an order to a model. The rest of the order is not compared with the model's findings. */
export const orderLength = 400;

/** Shortens a passage to at most `length` characters, so that a finding can quote it. */
export function clip(text: string, length = 120): string {
  const line = text
    .slice(0, 4 * length)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/**
 * Shortens a passage and puts it in quotation marks, so that the quotation can end a sentence. If the passage already ends with a full
 * stop, no second full stop is added.
 */
export function formatQuote(passage: string, length?: number): string {
  const words = clip(passage, length);
  return /[.!?…]$/.test(words) ? `"${words}"` : `"${words}".`;
}

const reporting =
  /\b(?:said|says|told|wrote|writes|according|claim(?:ed|s|ing)?|argued|promis(?:ed|ing)|warn(?:ed|s|ing)?|alleg\w+|accus\w+|post(?:ed|s)|quoted|called|advert\w*|scam\w*|fraud\w*|regulators?|lawsuit|slogans?|chant\w*)\b/i;

/** Whether the words at `index` are another person's words in quotation marks, rather than the writer's own words. */
export function isQuotedSpeech(sentence: string, index: number): boolean {
  const before = sentence.slice(0, index).split('"').length - 1;
  return before % 2 === 1 && sentence.indexOf('"', index) >= 0 && reporting.test(sentence);
}

/**
 * Escapes a text for use inside a regular expression. A hyphen becomes `\x2d`, because a regular expression with the flag `u` allows a
 * backslash before a hyphen only inside square brackets.
 */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replaceAll("-", "\\x2d");
}

/** A paragraph with its numbers and the positions where its sentences begin. */
export type Passage = {
  readonly text: string;
  readonly quantities: readonly Quantity[];
  readonly starts: readonly number[];
  /** For each quantity of the paragraph, the index of the sentence that contains the quantity. */
  readonly places: ReadonlyMap<Quantity, number>;
  /** The indexes of the sentences that contain quantities. */
  readonly counted: readonly number[];
};

/** The maximum number of quantities that are read in one paragraph; no paragraph written by people has more quantities. */
const looked = 80;

/** The maximum number of characters that are read in one paragraph. */
const longest = 20_000;

const quantitiesOfText = rememberResults(findQuantities, 300);

/** Reads a paragraph of plain text. */
export function readPassage(paragraph: string, maxQuantities = looked): Passage {
  const text = paragraph.slice(0, longest);
  const breaks = [...text.matchAll(/[.!?]["')\]]{0,2} +(?=["'([]{0,2}[\p{Lu}\d$€£])/gu)];
  const starts = [0, ...breaks.map(({ index, 0: { length } }) => index + length)];
  // The quantities are copied, so that two paragraphs with the same words do not share the same objects.
  const quantities = quantitiesOfText(text)
    .slice(0, maxQuantities)
    .map((one) => ({ ...one }));
  const places = new Map(
    quantities.map((one) => [one, starts.findLastIndex((begin) => begin <= one.start)] as const),
  );
  return { text, quantities, starts, places, counted: [...new Set(places.values())] };
}

/** The index of the sentence that contains a quantity. */
export function findSentence({ places, starts }: Passage, quantity: Quantity): number {
  return places.get(quantity) ?? starts.findLastIndex((begin) => begin <= quantity.start);
}

export function readSentence({ text, starts }: Passage, number: number): string {
  return text.slice(starts[number] ?? 0, starts[number + 1] ?? text.length).trim();
}

/** The quantities of one sentence. */
export function listQuantities(passage: Passage, number: number): readonly Quantity[] {
  return passage.quantities.filter((one) => findSentence(passage, one) === number);
}

/** The text before a quantity: at most sixty characters, and nothing before the end of the previous quantity. */
export function readTextBefore({ text, quantities }: Passage, { start }: Quantity): string {
  const previous = quantities.findLast(({ end }) => end <= start);
  return text.slice(Math.max(0, start - 60, previous?.end ?? 0), start);
}

/** The text after a quantity: at most sixty characters, and not beyond the next quantity. */
export function readTextAfter({ text, quantities }: Passage, { end }: Quantity): string {
  const next = quantities.find(({ start }) => start >= end);
  return text.slice(end, Math.min(end + 60, next?.start ?? text.length));
}

export function keepFirstPerKey<One>(all: readonly One[], key: (one: One) => unknown): readonly One[] {
  return [...Map.groupBy(all, key).values()].flatMap(([first]) => first ?? []);
}
