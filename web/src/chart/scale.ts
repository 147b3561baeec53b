import type { StockPrices } from "../../../core/market/schema.ts";

/** A price (`price`), and its time (`at`) in milliseconds since the epoch. */
export type PriceSample = { readonly at: number; readonly price: number };

/** The colour of the line that shows a price, by the direction of the price: only the line of a rising price is green. */
export const lineOf = { up: "stroke-accent", down: "stroke-bad", flat: "stroke-quiet" } as const;

/** A position in a drawing: `x` goes from 0 (left) to 1 (right), and `y` goes from 0 (top) to 1 (bottom). */
type Point = { readonly x: number; readonly y: number };

export type Scale = {
  readonly place: (sample: PriceSample) => Point;
  /** The prices at which the axis has labels, lowest first; all of them are round numbers. */
  readonly prices: readonly number[];
  /** Evenly spaced times on the axis, earliest first. */
  readonly times: readonly number[];
};

/** The possible steps of a price axis. `computeTicks` multiplies a step by a power of ten. */
const rounds = [1, 2, 2.5, 5, 10];

/**
 * Returns about four prices for the axis, all of them round numbers. The first price is not above the chart's lowest price, and the last
 * price is not below the chart's highest price.
 */
export function computeTicks(low: number, high: number): readonly number[] {
  const spread = high > low ? high - low : Math.max(high * 0.01, 0.01);
  const middle = (high + low) / 2;
  const [from, to] = high > low ? [low, high] : [middle - spread / 2, middle + spread / 2];
  const raw = spread / 3;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = (rounds.find((round) => round * power >= raw) ?? 10) * power;
  const first = Math.floor(from / step);
  const count = Math.max(2, Math.ceil(to / step - 1e-9) - first + 1);
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Computes the scale of a chart. `samples` must be sorted by time, and must not be empty. */
export function computeScale(samples: readonly PriceSample[]): Scale {
  const all = samples.map(({ price }) => price);
  const prices = computeTicks(Math.min(...all), Math.max(...all));
  const [bottom = 0, top = 1] = [prices[0], prices.at(-1)];
  const [start = 0, end = 0] = [samples[0]?.at, samples.at(-1)?.at];
  const place = ({ at, price }: PriceSample) => ({
    x: end === start ? 1 : (at - start) / (end - start),
    y: 1 - (price - bottom) / (top - bottom),
  });
  const times = end === start ? [end] : [0, 1, 2, 3].map((step) => start + ((end - start) * step) / 3);
  return { place, prices, times };
}

/** The SVG path through the samples, in a drawing of 1000 by 1000 units. */
export function drawPath(samples: readonly PriceSample[], { place }: Pick<Scale, "place">): string {
  const text = samples.map((sample) => {
    const { x, y } = place(sample);
    return `${(x * 1000).toFixed(1)} ${(y * 1000).toFixed(1)}`;
  });
  return text.length === 0 ? "" : `M${text.join("L")}`;
}

/** Finds the latest sample that is not after a given time. */
export function findSample(samples: readonly PriceSample[], moment: number): PriceSample | undefined {
  return samples.findLast(({ at }) => at <= moment);
}

const day = 24 * 60 * 60 * 1000;

/** The last price of each day, with the end of the day as its time. */
export function listCloses({ year }: Pick<StockPrices, "year">): readonly PriceSample[] {
  return year.map((close) => ({ at: Date.parse(close.day) + day - 1, price: close.mid }));
}

export function listWeekSamples({ week }: Pick<StockPrices, "week">): readonly PriceSample[] {
  return week.map(({ at, mid }) => ({ at: Date.parse(at), price: mid }));
}

/** The minimum length, in milliseconds, of the period that the chart shows before a publication. */
const leastBefore = 6 * 60 * 60 * 1000;

/**
 * A stock's prices since the publication of a press, and for some time before the publication. For times more than a week ago, there is
 * only one price per day. The list of prices includes the price that the press recorded at its publication, and ends with the current
 * price.
 */
export function listSamplesSince(
  published: PriceSample,
  now: PriceSample,
  prices: Pick<StockPrices, "week" | "year"> | undefined,
): readonly PriceSample[] {
  const single = prices === undefined ? [] : listWeekSamples(prices);
  const start = published.at - Math.max((now.at - published.at) / 4, leastBefore);
  const daily = prices === undefined ? [] : listCloses(prices);
  const older = daily.filter(({ at }) => at < (single[0]?.at ?? now.at));
  return [...older, ...single, published]
    .filter(({ at }) => at >= start && at < now.at)
    .toSorted((one, other) => one.at - other.at)
    .concat(now);
}
