import { toAddress } from "../chain/hex.ts";
import * as Market from "../market/index.ts";
import { readCompany, type StockWeek } from "../market/schema.ts";
import type { IndexedPress, IndexStore, SearchIndex } from "../port/search.ts";
import type { AllPorts } from "../ports.ts";
import * as Press from "../press/index.ts";
import type { ListedPress } from "../press/schema.ts";
import type { SearchQuery, SearchResult } from "./schema.ts";
import { chooseWords, joinNames, splitWords } from "./words.ts";

type Ports = Pick<AllPorts, "table" | "clock"> & { readonly index: IndexStore };

/**
 * An index in memory of the presses that the prepared index does not contain yet. A container uses this index in memory for `newestFor`
 * milliseconds.
 */
type NewestIndex = {
  readonly index: SearchIndex;
  readonly stocks: readonly StockWeek[];
  readonly at: number;
};
const newestFor = 5_000;
const kept = new WeakMap<IndexStore, NewestIndex>();

/** The maximum number of stocks and of authors in an answer. */
const mostNamed = 3;

/** The maximum number of found presses that a search reads: one table request reads at most a hundred records. */
const mostRead = 100;

/**
 * Finds the live presses that contain all words of the query, and the stocks and authors whose names contain these words. A search finds a
 * new press within five seconds after the table's index shows the press. If a word of the query has no match, a similar indexed word is
 * used instead, because the query's word may contain a typing error. The function makes one table request for the found presses, and a
 * second one if some of them are unlisted. To find new presses, the function makes two more requests every five seconds. Throws
 * `search_unavailable` (`upstream`).
 */
export async function search(ports: Ports, query: SearchQuery): Promise<SearchResult> {
  const prepared = await ports.index.open();
  const newest = await readNewest(ports, prepared);
  const indexes = [newest.index, ...(prepared === undefined ? [] : [prepared])];
  const asked = chooseWords(query.q);
  if (asked.length === 0) return { presses: [], stocks: [], authors: [] };
  const presses = await findPresses(ports, indexes, asked, query);
  const stocks = newest.stocks
    .filter(({ symbol, name }) => matchesName(asked, `${symbol} ${joinNames(symbol, readCompany({ name }))}`))
    .slice(0, mostNamed)
    .map(({ symbol, name }) => ({ symbol, name: readCompany({ name }) }));
  const authors = indexes.flatMap((index) => index.findAuthors(asked, mostNamed));
  const distinct = new Map(authors.map((author) => [`${author.address} ${author.name}`, author]));
  const named = { stocks, authors: [...distinct.values()].slice(0, mostNamed) };
  if (presses.length > 0) return { presses, ...named };
  const mended = asked.map((word) => correctWord(indexes, word));
  if (mended.join() === asked.join()) return { presses, ...named };
  const found = await findPresses(ports, indexes, mended, query);
  return { presses: found, ...named, ...(found.length > 0 && { corrected: mended.join(" ") }) };
}

/** Corrects the spelling of a word of the query. A word that is the beginning of an indexed word needs no correction. */
function correctWord(indexes: readonly SearchIndex[], word: string): string {
  const words = [{ text: word, isPrefix: true }];
  const isKnown = indexes.some((index) => index.find({ words, inTitle: false, limit: 1 }).length > 0);
  return isKnown
    ? word
    : (indexes.map((index) => index.findNearWord(word)).find((near) => near !== undefined) ?? word);
}

/** Whether every word of the query is the beginning of one of the words in `names`. */
function matchesName(words: readonly string[], names: string): boolean {
  const parts = splitWords(names);
  return words.every((word) => parts.some((part) => part.startsWith(word)));
}

async function findPresses(
  { table }: Ports,
  indexes: readonly SearchIndex[],
  words: readonly string[],
  { stock, limit }: SearchQuery,
): Promise<readonly ListedPress[]> {
  // The presses are ranked in three groups. In the first group, the query's words stand in the title as whole words. In the second group,
  // the query's words stand in the title as beginnings of words. In the third group, some of the query's words stand only in the preview.
  const ways = [
    { isPrefix: false, inTitle: true },
    { isPrefix: true, inTitle: true },
    { isPrefix: true, inTitle: false },
  ];
  const findListed = async (most: number) => {
    const ids = new Set<number>();
    for (const { isPrefix, inTitle } of ways) {
      if (ids.size >= most) break;
      const wanted = { words: words.map((text) => ({ text, isPrefix })), inTitle, stock, limit: most };
      for (const id of indexes.flatMap((index) => index.find(wanted))) if (ids.size < most) ids.add(id);
    }
    const presses = await Press.listByIds({ table }, [...ids]);
    return { presses: presses.slice(0, limit), isCut: presses.length < limit && ids.size >= most };
  };
  const found = await findListed(limit);
  // An unlisted press stays in the index, so a second search finds more presses and fills the places of unlisted presses.
  return found.isCut ? (await findListed(mostRead)).presses : found.presses;
}

/**
 * The presses that are missing in the prepared index. Every five seconds, these presses are read from the table and indexed in memory.
 */
async function readNewest(ports: Ports, preparedIndex: SearchIndex | undefined): Promise<NewestIndex> {
  const now = ports.clock.now();
  const last = kept.get(ports.index);
  if (last !== undefined && now - last.at < newestFor) return last;
  const [{ stocks }, presses] = await Promise.all([
    Market.readOverview(ports),
    Press.listByTime(ports, { after: preparedIndex?.upTo, order: "desc" }),
  ]);
  const index = ports.index.makeIndex(makeEntries(presses.toReversed(), stocks));
  const newest = { index, stocks, at: now };
  kept.set(ports.index, newest);
  return newest;
}

/**
 * Two durations in milliseconds for the runs that update the index. Both durations are needed because clocks differ and the table's index
 * lags. A press that went live less than `settled` milliseconds ago is added only by a later run. Each run also reads again the presses
 * that went live at most `lookedAtAgain` milliseconds before the newest indexed press.
 */
const settled = 60_000;
const lookedAtAgain = 10 * 60_000;
/**
 * The length of a day, and of the time for daily runs, in milliseconds. The runs in the first ten minutes of a UTC day read all presses
 * again. A press that was unlisted before it was indexed, and that is listed again later, is older than the newest indexed press, so only
 * the daily runs read this press.
 */
const day = 86_400_000;
const daily = 10 * 60_000;
/** The maximum duration of one run in milliseconds. If a run other than a daily run leaves presses out, the next run adds them. */
const runTime = 200_000;

/**
 * Adds the presses that went live since the last run to the prepared index; once a day, adds all missing presses. Returns the number of
 * presses that were read. Throws the same errors as `search`.
 */
export async function fillIndex(ports: Ports): Promise<{ readonly read: number; readonly isWhole: boolean }> {
  const { clock } = ports;
  const { stocks } = await Market.readOverview(ports);
  const before = new Date(clock.now() - settled).toISOString();
  const end = clock.now() + runTime;
  let read = 0;
  let isWhole = false;
  await ports.index.updateIndex(async (index) => {
    let isNew = false;
    const isDaily = clock.now() % day < daily;
    const newest = isDaily ? undefined : index.upTo;
    let after = newest && new Date(Date.parse(newest) - lookedAtAgain).toISOString();
    while (!isWhole && clock.now() < end) {
      const presses = await Press.listByTime(ports, { after, before, order: "asc" });
      read += presses.length;
      isNew = index.add(makeEntries(presses, stocks)) || isNew;
      const last = presses.at(-1)?.publishedAt;
      isWhole = last === undefined || last === after;
      after = last;
    }
    return isNew;
  });
  return { read, isWhole };
}

function makeEntries(presses: readonly ListedPress[], stocks: readonly StockWeek[]): readonly IndexedPress[] {
  const names = new Map(stocks.map((stock) => [stock.symbol, readCompany(stock)]));
  return presses.map((press) => ({
    ...press,
    publisher: toAddress(press.publisher),
    company: joinNames(press.stock, names.get(press.stock) ?? ""),
  }));
}
