/** Other names of companies, by ticker. */
const aliases: Readonly<Record<string, string>> = {
  AAPL: "iphone ipad mac",
  AMZN: "aws",
  "BRK.B": "berkshire hathaway buffett",
  GOOG: "google alphabet youtube",
  GOOGL: "google alphabet youtube",
  HOOD: "robinhood",
  JPM: "jpmorgan chase",
  META: "facebook instagram whatsapp",
  MSFT: "windows azure",
  MSTR: "microstrategy strategy",
  XYZ: "block square",
};

/** Words of company names that do not identify a company. */
const ofEveryCompany = new Set([
  ..."inc corp corporation company co ltd limited plc nv sa ag se class stock stocks token tokens share shares".split(
    " ",
  ),
]);

/** Converts a text to lower case and removes its diacritics, so that "Nestle" finds "Nestlé". */
export function toPlainText(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The words of a text that are indexed: sequences of letters and digits. */
export function splitWords(text: string): readonly string[] {
  return toPlainText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Returns those words of a query that every match must contain. Words that do not identify a company, such as "Inc", are left out, unless
 * the query consists only of such words.
 */
export function chooseWords(query: string): readonly string[] {
  const words = [...new Set(splitWords(query))];
  const telling = words.filter((word) => !ofEveryCompany.has(word));
  return telling.length > 0 ? telling : words;
}

/** A company with all its names. */
export function joinNames(symbol: string, name: string): string {
  return `${name} ${aliases[symbol] ?? ""}`.trim();
}

/**
 * Returns the indexed word that differs from the given word by the fewest typing errors. If several indexed words have the same smallest
 * number of differences, the first of these words is returned. A word of up to five letters may have one typing error, and a longer word
 * may have two typing errors.
 */
export function findNearestWord(word: string, others: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = word.length < 6 ? 2 : 3;
  for (const other of others) {
    if (Math.abs(word.length - other.length) >= least) continue;
    const slips = countTypingErrors(word, other);
    if (slips >= least) continue;
    best = other;
    least = slips;
  }
  return best;
}

/**
 * The number of letters that have to be added, removed, changed or swapped with a neighbour to turn one word into the other (Damerau,
 * optimal string alignment).
 */
function countTypingErrors(one: string, other: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const cost = one[at - 1] === other[to - 1] ? 0 : 1;
      const isSwap = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      next.push(
        Math.min(
          (row[to] ?? 0) + 1,
          (next[to - 1] ?? 0) + 1,
          (row[to - 1] ?? 0) + cost,
          isSwap ? (before[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
