import * as z from "zod";
import type { Table } from "../table.ts";
import {
  type Change,
  type DayPrice,
  type Listing,
  type PricePoint,
  type StockWeek,
  toPercent,
} from "./schema.ts";

/** These constants are numbers of milliseconds. */
const minute = 60_000;
const day = 24 * 60 * minute;
const week = 7 * day;

/** The milliseconds for which a day's item is stored after the end of the day. This period covers the displayed week and one more day. */
const keptAfter = week + day;

/** The maximum number of days in the year's item, enough for a leap year. */
const yearLength = 366;

/** The key of the item with each day's last price. */
export const yearPart = "year";

/** The UTC day of a moment (ms), which is the key of the day's item: `2026-11-22`. */
export function formatDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The key of the item that stores the price of a given moment (ms), and the time when the item expires (seconds since the Unix epoch). */
export function findItemKey(moment: number) {
  const start = Math.floor(moment / day) * day;
  return {
    part: formatDay(moment),
    minute: Math.floor((moment - start) / minute),
    expiresAt: Math.floor((start + day + keptAfter) / 1000),
  };
}

type SeriesItem = { readonly part: string; readonly points?: readonly number[] | undefined };

/** Groups a flat list into pairs. */
function makePairs(points: readonly number[] = []): readonly (readonly [time: number, price: number])[] {
  return points.flatMap((time, at) => {
    const price = points[at + 1];
    return at % 2 === 1 || price === undefined ? [] : [[time, price] as const];
  });
}

/**
 * The prices of the last seven days before now (ms): all prices of the last two hours, the first price of each quarter of an hour of the
 * last day, and the first price of each earlier hour. No chart shows more than these prices, and more data would make the pages
 * slower and more expensive on phones.
 */
export function listWeekPrices(items: readonly SeriesItem[], now: number): readonly PricePoint[] {
  const seen = new Set<number>();
  const isShown = (moment: number) => {
    if (moment > now - 120 * minute) return true;
    const span = (moment > now - day ? 15 : 60) * minute;
    const start = Math.floor(moment / span) * span;
    const isFirst = !seen.has(start);
    seen.add(start);
    return isFirst && moment > now - week;
  };
  return listTimedPrices(items)
    .filter(({ at }) => isShown(at))
    .map(({ at, price }) => ({ at: new Date(at).toISOString(), mid: price }));
}

/** The prices of the days' items, the oldest price first. */
function listTimedPrices(items: readonly SeriesItem[]): readonly TimedPrice[] {
  return items
    .filter(({ part }) => part !== yearPart)
    .toSorted((one, other) => (one.part < other.part ? -1 : 1))
    .flatMap(({ part, points }) =>
      makePairs(points).map(([minutes, price]) => ({ at: Date.parse(part) + minutes * minute, price })),
    );
}

/** Each day's last price from a stock's items. For a day that has not ended, the result contains the latest price. */
export function listCloses(items: readonly SeriesItem[]): readonly DayPrice[] {
  const closes = new Map<string, number>();
  for (const { part, points } of items) {
    if (part !== yearPart) continue;
    for (const [days, price] of makePairs(points)) closes.set(formatDay(days * day), price);
  }
  for (const { part, points } of items) {
    const last = part === yearPart ? undefined : makePairs(points).at(-1);
    if (last !== undefined) closes.set(part, last[1]);
  }
  return [...closes]
    .map(([name, mid]) => ({ day: name, mid }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
    .slice(-yearLength);
}

/** The new content of the year's item: the last price of each day before the given day. */
export function listYearCloses(items: readonly SeriesItem[], today: string): readonly number[] {
  return listCloses(items)
    .filter((close) => close.day < today)
    .flatMap((close) => [Date.parse(close.day) / day, close.mid]);
}

/** A price with the moment (ms) at which it was made. */
type TimedPrice = { readonly at: number; readonly price: number };

/**
 * The change of the price between the moment `start` (ms) and now. If every price is later than `start`, the function returns the change
 * since the first price. The prices in `points` are in the order of time. The result is `undefined` if there is no earlier price.
 */
function findChangeSince(points: readonly TimedPrice[], start: number, mid: number): Change | undefined {
  const stood = points.findLast(({ at }) => at <= start);
  const from = stood === undefined ? (points.length > 1 ? points[0] : undefined) : { ...stood, at: start };
  const percent = from && toPercent(from.price, mid);
  if (from === undefined || percent === undefined) return undefined;
  return { since: new Date(from.at).toISOString(), from: from.price, percent };
}

/** The changes of a stock's price in 24 hours and in 365 days, calculated from the stock's items. */
export function listLongChanges(items: readonly SeriesItem[], now: number, mid: number) {
  const closes = listCloses(items).map((close) => ({ at: Date.parse(close.day) + day, price: close.mid }));
  return {
    day: findChangeSince(listTimedPrices(items), now - day, mid),
    year: findChangeSince(closes, now - 365 * day, mid),
  };
}

/** Milliseconds per step of the short series of a week. */
const step = 4 * 60 * minute;
/**
 * The number of steps in a stock's short series, which covers a week. The series has all steps of the week, the current step, and the step
 * whose last price was valid when the week began.
 */
const steps = week / step + 2;

/** A stock in the overview. `at` (ms) is the time when the source made the price. */
const OverviewStock = z.object({
  name: z.string(),
  address: z.string(),
  price: z.number(),
  at: z.number(),
  week: z.array(z.number()).readonly(),
  /** A few of the stock's prices, spread over the last year. The list of prices is renewed when the first price of a day is recorded. */
  outline: z.array(z.number()).readonly().optional(),
});
type OverviewStock = Readonly<z.infer<typeof OverviewStock>>;

const OverviewStocks = z.record(z.string(), OverviewStock).catch({});
export type OverviewStocks = Readonly<Record<string, OverviewStock>>;

export const overviewKey = { name: "overview" } as const;

/** The short series of all stocks, from the overview's item; empty until the first price is recorded. */
export function parsePriceHistories(
  { entities: { overview } }: Table,
  item: Awaited<ReturnType<Table["together"]>>[number],
): OverviewStocks {
  return OverviewStocks.parse(item && overview.parse(item).data?.stocks);
}

/** Adds one price to a stock's short series. A step without a price repeats the price of the step before. */
export function addPrice(
  stock: OverviewStock | undefined,
  { name, address }: Listing,
  { at, price }: { readonly at: number; readonly price: number },
): OverviewStock {
  const passed = stock === undefined ? 0 : Math.floor(at / step) - Math.floor(stock.at / step);
  const before = stock === undefined ? [] : passed === 0 ? stock.week.slice(0, -1) : stock.week;
  const silent = Array<number>(Math.min(steps, Math.max(0, passed - 1))).fill(stock?.price ?? price);
  const outline = stock?.outline && { outline: stock.outline };
  return { name, address, price, at, week: [...before, ...silent, price].slice(-steps), ...outline };
}

/** The maximum number of prices in an outline. */
const outlineSize = 24;

/**
 * A few evenly spaced prices of the year. Each price has four digits, because a drawing of a few hundred pixels shows no finer difference.
 */
export function drawOutline(closes: readonly DayPrice[]): readonly number[] {
  const last = closes.length - 1;
  const size = Math.min(outlineSize, closes.length);
  return Array.from({ length: size }, (_, index) => {
    const { mid = 0 } = closes[Math.round((index * last) / Math.max(1, size - 1))] ?? {};
    return Number(mid.toPrecision(4));
  });
}

/**
 * The short series of all stocks until now (ms), by symbol, in the form for display. `midOf` returns a stock's last price if this price is
 * newer than the last recorded price.
 */
export function listWeeks(
  stocks: OverviewStocks,
  now: number,
  midOf: (symbol: string) => number | undefined,
): readonly StockWeek[] {
  return Object.entries(stocks)
    .map(([symbol, stock]) => {
      const { name, address, price, at } = stock;
      const mid = midOf(symbol) ?? price;
      const points = listWeek(stock, now);
      return {
        symbol,
        name,
        address,
        mid,
        asOf: new Date(at).toISOString(),
        week: [...points.slice(0, -1).map((point) => point.price), mid],
        outline: stock.outline,
        change: findWeekChange(points, now, mid),
      };
    })
    .toSorted((one, other) => (one.symbol < other.symbol ? -1 : 1));
}

/** The last price of each step until now (ms). The time of each price is the end of its step. */
function listWeek({ at, price, week: prices }: OverviewStock, now: number): readonly TimedPrice[] {
  const current = Math.floor(now / step);
  const silent = Math.max(0, current - Math.floor(at / step));
  const all = [...prices, ...Array<number>(Math.min(steps, silent)).fill(price)].slice(-steps);
  return all.map((each, index) => ({ at: (current - all.length + 2 + index) * step, price: each }));
}

function findWeekChange(points: readonly TimedPrice[], now: number, mid: number): Change | undefined {
  return findChangeSince(points, Math.floor(now / step) * step - week, mid);
}

/**
 * The change of a stock's price over the last seven days, taken from the overview. All readers get the same change of the price, because
 * the week begins at the start of a step.
 */
export function readWeekChange(
  stock: OverviewStock | undefined,
  now: number,
  mid: number,
): Change | undefined {
  return stock && findWeekChange(listWeek(stock, now), now, mid);
}

/** The keys of all items of a stock's series, so that one request can read all these items. */
export function makeSeriesReads({ entities: { series } }: Table, symbol: string, now: number) {
  // The UTC days that overlap with the last seven days.
  const days = Array.from({ length: 8 }, (_, ago) => formatDay(now - (7 - ago) * day));
  return [yearPart, ...days].map((part) => series.get({ symbol, part }).params());
}
