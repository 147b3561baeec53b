/** What companies are called besides their tokens' names, by ticker. */
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

/** They say of a company only that it is one, and stand in no article. */
const ofEveryCompany = new Set([
  ..."inc corp corporation company co ltd limited plc nv sa ag se class stock stocks token tokens share shares".split(
    " ",
  ),
]);

/** Lower case without diacritics: "Nestle" finds "Nestlé". */
export function plainText(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The words of a text as the index has them: runs of letters and digits. */
export function wordsIn(text: string): readonly string[] {
  return plainText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What has to occur of what was asked for: all, unless words remain beside those that every company has. */
export function wordsToFind(asked: string): readonly string[] {
  const words = [...new Set(wordsIn(asked))];
  const telling = words.filter((word) => !ofEveryCompany.has(word));
  return telling.length > 0 ? telling : words;
}

/** A company by all its names. */
export function namesOf(symbol: string, name: string): string {
  return `${name} ${aliases[symbol] ?? ""}`.trim();
}

/** The word that the fewest slips of the hand make of another; of equals the first. One slip at most, two from six letters on. */
export function nearest(word: string, others: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = word.length < 6 ? 2 : 3;
  for (const other of others) {
    if (Math.abs(word.length - other.length) >= least) continue;
    const slips = slipsBetween(word, other);
    if (slips >= least) continue;
    best = other;
    least = slips;
  }
  return best;
}

/** How many letters to add, drop, change or swap with their neighbour (Damerau, optimal string alignment). */
function slipsBetween(one: string, other: string): number {
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
