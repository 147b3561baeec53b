import type { Clock } from "../port/clock.ts";
import type { MarketData } from "../port/market.ts";
import type { Table } from "../table.ts";
import { list, listed, quoteFrom, quoteOf, unknownStock } from "./quotes.ts";
import { knownFrom } from "./recent.ts";
import type { Listing, MarketWeek, StockPrices } from "./schema.ts";
import { coursesIn, overviewKey, seriesReads, weekOf, weeksOf, yearOf } from "./series.ts";

type Ports = { readonly table: Table; readonly clock: Clock; readonly market: MarketData };

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
