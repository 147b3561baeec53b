import * as z from "zod";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { MarketData } from "../port/market.ts";
import type { Table } from "../table.ts";
import {
  current,
  isFresh,
  type Known,
  knownFrom,
  type Mark,
  noteMark,
  recall,
  type Subject,
} from "./recent.ts";
import { Listing, type MarketWeek, Quote, type Stock, type StockPrices } from "./schema.ts";
import { coursesIn, overviewKey, seriesReads, weekOf, weeksOf, yearOf } from "./series.ts";

type Ports = { readonly table: Table; readonly clock: Clock; readonly market: MarketData };

const list: Subject<readonly Listing[]> = {
  name: "stocks",
  form: z.array(Listing).readonly(),
  freshFor: 10 * 60 * 1000,
};

/** Milliseconds: about one minute (specification §4.3). */
const quoteTime = 60 * 1000;

const quoteOf = (symbol: string): Subject<Quote> => ({
  name: `quote:${symbol}`,
  form: Quote,
  freshFor: quoteTime,
});

/** Every active stock token on the chain, sorted by symbol. Throws `upstream` `market_unavailable` when none were ever heard of. */
export async function stocks(ports: Ports): Promise<readonly Stock[]> {
  const listings = await listed(ports);
  return listings.map(({ symbol, name, address }) => ({ symbol, name, address }));
}

/**
 * The price of a stock token, at most about a minute old while the source answers; after that `asOf` tells. `symbol` is
 * in upper case. Throws `missing` `unknown_stock`, and `upstream` `market_unavailable` when no price was ever heard.
 */
export async function quote(ports: Ports, symbol: string): Promise<Quote> {
  return quoteFrom(ports, symbol, await recall(ports, quoteOf(symbol)));
}

/** The same for a caller who has read what the table knows of it. */
async function quoteFrom(ports: Ports, symbol: string, known: Known<Quote>): Promise<Quote> {
  const subject = quoteOf(symbol);
  if (known.state !== "due" && known.value !== undefined) return known.value;
  const listing = (await listed(ports)).find((candidate) => candidate.symbol === symbol);
  if (listing === undefined) throw unknownStock(symbol);
  return current(ports, subject, known, async (last) => {
    const heard = await ports.market.quote(listing, last);
    await noteMark(ports.table, symbol, { mid: heard.mid, freshUntil: ports.clock.now() + quoteTime });
    return heard;
  });
}

/**
 * The price now in USD a token for a reader who holds the stock's mark: asked for only when the mark is older than a
 * quote may be. The last known one when the source fails; `undefined` when there never was one.
 */
export async function priceFrom(
  ports: Ports,
  symbol: string,
  mark: Mark | undefined,
): Promise<number | undefined> {
  if (mark !== undefined && isFresh(ports.clock, mark)) return mark.mid;
  return (await markNow(ports, symbol)) ?? mark?.mid;
}

/**
 * The price now in USD a token, for showing beside something else: the last known one when the source fails or the
 * stock is no longer listed, `undefined` when there never was one.
 */
export async function markNow(ports: Ports, symbol: string): Promise<number | undefined> {
  try {
    return (await quote(ports, symbol)).mid;
  } catch (error) {
    // Whoever wants the reason asks for the quote; a press is shown with the price that there is.
    if (!(error instanceof AppError)) throw error;
    return (await recall(ports, quoteOf(symbol))).value?.mid;
  }
}

function unknownStock(symbol: string): AppError {
  return new AppError("missing", "unknown_stock", `There is no active stock token ${symbol} on this chain.`);
}

/** The list as it is known in this moment, with each stock's multiplier. */
export async function listed(ports: Ports): Promise<readonly Listing[]> {
  return current(ports, list, await recall(ports, list), async () =>
    (await ports.market.stocks()).toSorted((one, other) => (one.symbol < other.symbol ? -1 : 1)),
  );
}

/**
 * A stock with its quote and its recorded prices. One request to the table; further ones only while the price is due, or
 * the stock is not on the list that was last heard. `symbol` is in upper case. Throws what `quote` throws.
 */
export async function prices(ports: Ports, symbol: string): Promise<StockPrices> {
  const { table, clock } = ports;
  const { market, series } = table.entities;
  const now = clock.now();
  const [listItem, quoteItem, ...seriesItems] = await table.together([
    market.get({ name: list.name }).params(),
    market.get({ name: quoteOf(symbol).name }).params(),
    ...seriesReads(table, symbol, now),
  ]);
  const itemOf = (item: typeof listItem) => (item === undefined ? null : market.parse(item).data);
  // The job of every five minutes keeps the list current: here an older one will do.
  const heard = knownFrom(clock, list, itemOf(listItem)).value ?? [];
  const isSymbol = (candidate: Listing) => candidate.symbol === symbol;
  const found = heard.find(isSymbol) ?? (await listed(ports)).find(isSymbol);
  if (found === undefined) throw unknownStock(symbol);
  const items = seriesItems.flatMap((item) => (item === undefined ? [] : (series.parse(item).data ?? [])));
  const { name, address } = found;
  return {
    stock: { symbol, name, address },
    quote: await quoteFrom(ports, symbol, knownFrom(clock, quoteOf(symbol), itemOf(quoteItem))),
    week: weekOf(items, now),
    year: yearOf(items),
  };
}

/** How the week of every recorded stock went. One request to the table. */
export async function overview({ table }: Pick<Ports, "table">): Promise<MarketWeek> {
  const { data } = await table.entities.overview.get(overviewKey).go();
  return { stocks: weeksOf(coursesIn(data)) };
}
