import * as z from "zod";
import type { Table } from "../table.ts";
import type { DayPrice, Listing, PricePoint, StockWeek } from "./schema.ts";

/** Milliseconds. */
const minute = 60_000;
const day = 24 * 60 * minute;
const week = 7 * day;

/** Milliseconds for which a day's item is kept after its end: the displayed week and one spare day. */
const keptAfter = week + day;

/** The most days of the year's item, as in a leap year. */
const yearLength = 366;

/** The key of the item with each day's last price. */
export const yearPart = "year";

/** The UTC day of a moment (ms), which is the key of its item: `2026-11-22`. */
export function dayPart(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The UTC days that the last seven days (ms) touch, oldest first. */
function weekParts(now: number): readonly string[] {
  return Array.from({ length: 8 }, (_, ago) => dayPart(now - (7 - ago) * day));
}

/** The item of a price at this moment (ms), and when it expires (seconds since the epoch). */
export function placeOf(moment: number) {
  const start = Math.floor(moment / day) * day;
  return {
    part: dayPart(moment),
    minute: Math.floor((moment - start) / minute),
    expiresAt: Math.floor((start + day + keptAfter) / 1000),
  };
}

type Item = { readonly part: string; readonly points?: readonly number[] | undefined };

/** Groups a flat list into pairs. */
function pairs(points: readonly number[] = []): readonly (readonly [time: number, price: number])[] {
  return points.flatMap((time, at) => {
    const price = points[at + 1];
    return at % 2 === 1 || price === undefined ? [] : [[time, price] as const];
  });
}

/**
 * The prices of the last seven days before now (ms): all of the last day, and the first of each hour before that. No chart shows more, and
 * phones pay for each kilobyte.
 */
export function weekOf(items: readonly Item[], now: number): readonly PricePoint[] {
  const hours = new Set<number>();
  const isShown = (moment: number) => {
    const hour = Math.floor(moment / (60 * minute));
    const isFirst = !hours.has(hour);
    hours.add(hour);
    return moment > now - day || (isFirst && moment > now - week);
  };
  return items
    .filter(({ part }) => part !== yearPart)
    .toSorted((one, other) => (one.part < other.part ? -1 : 1))
    .flatMap(({ part, points }) =>
      pairs(points).map(([minutes, mid]) => ({ moment: Date.parse(part) + minutes * minute, mid })),
    )
    .filter(({ moment }) => isShown(moment))
    .map(({ moment, mid }) => ({ at: new Date(moment).toISOString(), mid }));
}

/** Each day's last price from a stock's items. For days that are not closed, it is the last one so far. */
export function yearOf(items: readonly Item[]): readonly DayPrice[] {
  const closes = new Map<string, number>();
  for (const { part, points } of items) {
    if (part !== yearPart) continue;
    for (const [days, price] of pairs(points)) closes.set(dayPart(days * day), price);
  }
  for (const { part, points } of items) {
    const last = part === yearPart ? undefined : pairs(points).at(-1);
    if (last !== undefined) closes.set(part, last[1]);
  }
  return [...closes]
    .map(([name, mid]) => ({ day: name, mid }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
    .slice(-yearLength);
}

/** The year's item after the days before this one are closed. */
export function closedYear(items: readonly Item[], today: string): readonly number[] {
  return yearOf(items)
    .filter((close) => close.day < today)
    .flatMap((close) => [Date.parse(close.day) / day, close.mid]);
}

/** Milliseconds per step of the short week series, and steps per week. */
const step = 4 * 60 * minute;
const steps = week / step;

/** A stock in the overview. `at` (ms) is when the source made the price. */
const Course = z.object({
  name: z.string(),
  address: z.string(),
  price: z.number(),
  at: z.number(),
  week: z.array(z.number()).readonly(),
});
type Course = Readonly<z.infer<typeof Course>>;

const Courses = z.record(z.string(), Course).catch({});
export type Courses = Readonly<Record<string, Course>>;

export const overviewKey = { name: "overview" } as const;

/** The overview's item with the short series of all stocks. */
export function coursesIn(item: { readonly stocks?: unknown } | null | undefined): Courses {
  return Courses.parse(item?.stocks);
}

/** A stock's short series with one more price. Steps without a price repeat the step before. */
export function courseWith(
  course: Course | undefined,
  { name, address }: Listing,
  { at, price }: { readonly at: number; readonly price: number },
): Course {
  const passed = course === undefined ? 0 : Math.floor(at / step) - Math.floor(course.at / step);
  const before = course === undefined ? [] : passed === 0 ? course.week.slice(0, -1) : course.week;
  const silent = Array<number>(Math.min(steps, Math.max(0, passed - 1))).fill(course?.price ?? price);
  return { name, address, price, at, week: [...before, ...silent, price].slice(-steps) };
}

/** The short series for display, by symbol. */
export function weeksOf(courses: Courses): readonly StockWeek[] {
  return Object.entries(courses)
    .map(([symbol, { name, address, price: mid, at, week: prices }]) => ({
      symbol,
      name,
      address,
      mid,
      asOf: new Date(at).toISOString(),
      week: prices,
    }))
    .toSorted((one, other) => (one.symbol < other.symbol ? -1 : 1));
}

/** The keys of all items of a stock's series, for one request. */
export function seriesReads({ entities: { series } }: Table, symbol: string, now: number) {
  return [yearPart, ...weekParts(now)].map((part) => series.get({ symbol, part }).params());
}
