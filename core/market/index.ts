import * as z from "zod";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { AllPorts } from "../ports.ts";
import type { Table } from "../table.ts";
import { tryWrite } from "../transact.ts";
import type { MarketData } from "./port.ts";
import {
  type CacheSubject,
  marksKey,
  type PriceMark,
  parseLastPrices,
  type RecentValue,
  readCachedValue,
  readCurrentValue,
  readKnownValue,
  recordLastPrice,
} from "./recent.ts";
import { Listing, type MarketWeek, Quote, type Stock, type StockPrices } from "./schema.ts";
import {
  addPrice,
  drawOutline,
  findItemKey,
  formatDay,
  listCloses,
  listLongChanges,
  listWeekPrices,
  listWeeks,
  listYearCloses,
  makeSeriesReads,
  type OverviewStocks,
  overviewKey,
  parsePriceHistories,
  readWeekChange,
  yearPart,
} from "./series.ts";

export { findLastPrice, marksKey } from "./recent.ts";
export { overviewKey, parsePriceHistories } from "./series.ts";

/** The port that a function needs to read stocks and prices. */
export type MarketPort = { readonly market: MarketData };

type Ports = Pick<AllPorts, "table" | "clock"> & MarketPort;

const list: CacheSubject<readonly Listing[]> = {
  name: "stocks",
  form: z.array(Listing).readonly(),
  freshFor: 10 * 60 * 1000,
};

/** Milliseconds for which a quote counts as current: about one minute (specification §4.3). */
const quoteTime = 60 * 1000;

const makeQuoteSubject = (symbol: string): CacheSubject<Quote> => ({
  name: `quote:${symbol}`,
  form: Quote,
  freshFor: quoteTime,
});

/** Lists every active stock token on the chain, sorted by symbol. Throws `market_unavailable` (`upstream`) if no list was ever fetched. */
export async function listStocks(ports: Ports): Promise<readonly Stock[]> {
  const listings = await findListing(ports);
  return listings.map(({ symbol, name, address }) => ({ symbol, name, address }));
}

/** Finds the stock that a request's input names. Throws `unknown_stock` (`input`), and the errors of `listStocks`. */
export async function findStock(ports: Ports, symbol: string): Promise<Stock> {
  const stock = (await listStocks(ports)).find((candidate) => candidate.symbol === symbol);
  if (stock !== undefined) return stock;
  const message = `stock: there is no active stock token ${symbol} on this chain.`;
  throw new AppError("input", "unknown_stock", message);
}

/**
 * The price of a stock token, which is at most about a minute old as long as the source answers. If the source does not answer, the
 * function gives an older price, and `asOf` gives the time of this price. `symbol` is in upper case. Throws `unknown_stock` (`missing`),
 * and `market_unavailable` (`upstream`) when no price was ever fetched.
 */
export async function loadQuote(ports: Ports, symbol: string): Promise<Quote> {
  return readQuote(ports, symbol, await readCachedValue(ports, makeQuoteSubject(symbol)));
}

/** The quote of a stock, for a caller who has already read the stock's item in the table. */
async function readQuote(ports: Ports, symbol: string, knownQuote: RecentValue<Quote>): Promise<Quote> {
  const subject = makeQuoteSubject(symbol);
  if (knownQuote.state !== "due" && knownQuote.value !== undefined) return knownQuote.value;
  const listing = (await findListing(ports)).find((candidate) => candidate.symbol === symbol);
  if (listing === undefined) throw makeStockError(symbol);
  return readCurrentValue(ports, subject, knownQuote, async (last) => {
    const heard = await ports.market.fetchQuote(listing, last);
    await recordLastPrice(ports.table, symbol, { mid: heard.mid, freshUntil: ports.clock.now() + quoteTime });
    return heard;
  });
}

/**
 * The current price in USD per token for a caller who has read the stock's mark (its last stored price). The source is asked only if this
 * stored price is no longer current. Returns the last price if the source fails, or `undefined` if no price was ever fetched.
 */
export async function readPrice(
  ports: Ports,
  symbol: string,
  mark: PriceMark | undefined,
): Promise<number | undefined> {
  if (mark !== undefined && mark.freshUntil > ports.clock.now()) return mark.mid;
  return (await readPriceNow(ports, symbol)) ?? mark?.mid;
}

/**
 * The current price in USD per token, for display. Returns the last price if the source fails or the stock is no longer listed, or
 * `undefined` if no price was ever fetched.
 */
export async function readPriceNow(ports: Ports, symbol: string): Promise<number | undefined> {
  try {
    return (await loadQuote(ports, symbol)).mid;
  } catch (error) {
    // The failure to fetch a price is ignored here because the quote endpoint reports such failures. If the fetch fails, a page that shows
    // a press uses the last price.
    if (!(error instanceof AppError)) throw error;
    return (await readCachedValue(ports, makeQuoteSubject(symbol))).value?.mid;
  }
}

/** `symbol` is the requested text, but only if this text can be a symbol. */
export function makeStockError(symbol = "of this name"): AppError {
  return new AppError("missing", "unknown_stock", `There is no active stock token ${symbol} on this chain.`);
}

/** The stored list of stocks, with each stock's multiplier. */
async function findListing(ports: Ports): Promise<readonly Listing[]> {
  return readCurrentValue(ports, list, await readCachedValue(ports, list), async () =>
    (await ports.market.listTokens()).toSorted((one, other) => (one.symbol < other.symbol ? -1 : 1)),
  );
}

/**
 * A stock with its quote and its recorded prices. The function makes one table request. The function makes more requests only if the
 * stored price is outdated, or if the stored list of stocks does not contain the stock. `symbol` is in upper case. Throws the same errors
 * as `loadQuote`.
 */
export async function readPrices(ports: Ports, symbol: string): Promise<StockPrices> {
  const { table, clock } = ports;
  const { market, overview, series } = table.entities;
  const now = clock.now();
  const [listItem, quoteItem, overviewItem, ...seriesItems] = await table.together([
    market.get({ name: list.name }).params(),
    market.get({ name: makeQuoteSubject(symbol).name }).params(),
    overview.get(overviewKey).params(),
    ...makeSeriesReads(table, symbol, now),
  ]);
  const parseItem = (item: typeof listItem) => (item === undefined ? null : market.parse(item).data);
  // The scheduled job keeps the list of stocks current, so a slightly older list is good enough for one stock.
  const heard = readKnownValue(clock, list, parseItem(listItem)).value ?? [];
  const isSymbol = (candidate: Listing) => candidate.symbol === symbol;
  const found = heard.find(isSymbol) ?? (await findListing(ports)).find(isSymbol);
  if (found === undefined) throw makeStockError(symbol);
  const items = seriesItems.flatMap((item) => (item === undefined ? [] : (series.parse(item).data ?? [])));
  const { name, address } = found;
  const quote = await readQuote(
    ports,
    symbol,
    readKnownValue(clock, makeQuoteSubject(symbol), parseItem(quoteItem)),
  );
  const stock = parsePriceHistories(table, overviewItem)[symbol];
  return {
    stock: { symbol, name, address },
    quote,
    changes: { ...listLongChanges(items, now, quote.mid), week: readWeekChange(stock, now, quote.mid) },
    outline: stock?.outline,
    week: listWeekPrices(items, now),
    year: listCloses(items),
  };
}

/**
 * Reads the last week's series of prices for every recorded stock in one table request. The last price of each series is the same price
 * that quotes and presses show.
 */
export async function readOverview({
  table,
  clock,
}: Pick<AllPorts, "table"> & { readonly clock: Pick<Clock, "now"> }): Promise<MarketWeek> {
  const { overview, marks } = table.entities;
  const [overviewItem, marked] = await table.together([
    overview.get(overviewKey).params(),
    marks.get(marksKey).params(),
  ]);
  const mids = parseLastPrices(marked && marks.parse(marked).data);
  const stocks = parsePriceHistories(table, overviewItem);
  return { stocks: listWeeks(stocks, clock.now(), (symbol) => mids[symbol]?.mid) };
}

/** Milliseconds between two calls to the source, because the source refuses calls after about five rapid calls. */
const pace = 400;
/** The number of consecutive refusals after which a run stops. */
const mostRefusals = 3;
/** The maximum duration of one run in milliseconds: less than the five minutes until the next run. */
const runTime = 200_000;

/** The counts of a run: the recorded stocks, the calls to the source, the source's refusals, and the new prices. */
export type RunCounts = Readonly<Record<"stocks" | "asked" | "refused" | "kept", number>>;

/**
 * Records the current price of every stock whose price was ever requested. A price that readers have just fetched is reused; all other
 * prices are fetched one after the other. A price that is not newer than the last recorded price is skipped, so no price is written while
 * the market is closed. If the source refuses calls, or if the time of the run is over, the run leaves some stocks out; the next run begins
 * with other stocks. Throws `market_unavailable` (`upstream`) when no stock list was ever fetched.
 */
export async function savePrices(ports: Ports): Promise<RunCounts> {
  const { table, clock } = ports;
  const { marks, overview } = table.entities;
  const [marked, before] = await table.together([
    marks.get(marksKey).params(),
    overview.get(overviewKey).params(),
  ]);
  const symbols = Object.keys(parseLastPrices(marked && marks.parse(marked).data));
  if (symbols.length === 0) return { stocks: 0, asked: 0, refused: 0, kept: 0 };

  const listings = new Map((await findListing(ports)).map((listing) => [listing.symbol, listing]));
  const stocks: Record<string, OverviewStocks[string]> = Object.fromEntries(
    Object.entries(parsePriceHistories(table, before)).filter(([symbol]) => listings.has(symbol)),
  );
  const source = makeCallCounter(ports.market);
  const end = clock.now() + runTime;
  let kept = 0;
  for (const symbol of rotateList(symbols, clock.now())) {
    const listing = listings.get(symbol);
    if (listing === undefined) continue;
    if (source.refusedInRow() >= mostRefusals || clock.now() > end) break;
    const asked = source.asked();
    const heard = await findQuote({ ...ports, market: source.market }, symbol);
    const stock = stocks[symbol];
    if (heard !== undefined && Date.parse(heard.asOf) > (stock?.at ?? 0)) {
      const outline = await putPrice(ports, heard);
      const next = addPrice(stock, listing, { at: Date.parse(heard.asOf), price: heard.mid });
      stocks[symbol] = outline === undefined ? next : { ...next, outline };
      kept += 1;
    }
    if (source.asked() > asked) await clock.sleep(pace);
  }
  await overview.put({ ...overviewKey, stocks }).go();
  return { stocks: symbols.length, asked: source.asked(), refused: source.refused(), kept };
}

/** Different runs start at different stocks, so that no stock is left out by every run. */
function rotateList(symbols: readonly string[], now: number): readonly string[] {
  const first = Math.floor(now / (5 * 60_000)) % symbols.length;
  const sorted = symbols.toSorted();
  return [...sorted.slice(first), ...sorted.slice(0, first)];
}

/** Wraps the source of prices so that the calls to the source and the source's refusals are counted. */
function makeCallCounter(market: MarketData) {
  let asked = 0;
  let refused = 0;
  let inRow = 0;
  return {
    asked: () => asked,
    refused: () => refused,
    refusedInRow: () => inRow,
    market: {
      ...market,
      async fetchQuote(listing, last) {
        asked += 1;
        try {
          const heard = await market.fetchQuote(listing, last);
          inRow = 0;
          return heard;
        } catch (error) {
          refused += 1;
          inRow += 1;
          throw error;
        }
      },
    } satisfies MarketData,
  };
}

async function findQuote(ports: Ports, symbol: string): Promise<Quote | undefined> {
  try {
    return await loadQuote(ports, symbol);
  } catch (error) {
    // The source's adapter has logged the reason of the failure, and the next run tries again.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/**
 * Adds a price to its day, unless the day already has this price or a later price. If the price is the first price of its day, the function
 * also stores the last prices of the earlier days, and returns the year's outline.
 */
async function putPrice(
  { table, clock }: Ports,
  { symbol, asOf, mid }: Quote,
): Promise<readonly number[] | undefined> {
  const { part, minute, expiresAt } = findItemKey(Date.parse(asOf));
  let isFirst = false;
  await tryWrite(
    table.entities.series
      .upsert({ symbol, part, expiresAt, last: minute })
      .append({ points: [minute, mid] })
      .where(({ last }, { notExists, lt }) => `${notExists(last)} OR ${lt(last, minute)}`)
      .go({ response: "all_new" })
      .then(({ data }) => {
        isFirst = data?.points?.length === 2;
      }),
  );
  return isFirst ? storeCloses(table, symbol, clock.now()) : undefined;
}

async function storeCloses(table: Table, symbol: string, now: number): Promise<readonly number[]> {
  const { series } = table.entities;
  const found = await table.together(makeSeriesReads(table, symbol, now));
  const items = found.flatMap((item) => (item === undefined ? [] : (series.parse(item).data ?? [])));
  const points = listYearCloses(items, formatDay(now));
  if (points.length > 0) await series.put({ symbol, part: yearPart, points: [...points] }).go();
  return drawOutline(listCloses(items));
}
