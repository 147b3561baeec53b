import type { StockPrices } from "../../../core/market/schema.ts";

/** A price at a moment in milliseconds. */
export type Sample = { readonly at: number; readonly price: number };

/** Shares of a drawing, 0 to 1: from its left and from its top. */
type Place = { readonly x: number; readonly y: number };

export type Scale = {
  readonly place: (sample: Sample) => Place;
  /** Prices in round steps that the drawing spans, the lowest first. */
  readonly prices: readonly number[];
  /** Moments in even steps, the earliest first. */
  readonly times: readonly number[];
};

/** Steps of a price axis, in units of a power of ten. */
const rounds = [1, 2, 2.5, 5, 10];

/** Prices in round steps from at most the lowest to at least the highest, about four of them. */
export function priceTicks(low: number, high: number): readonly number[] {
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

/** Where prices stand in a drawing. `samples` come in the order of time; there is at least one. */
export function scaleOf(samples: readonly Sample[]): Scale {
  const all = samples.map(({ price }) => price);
  const prices = priceTicks(Math.min(...all), Math.max(...all));
  const [bottom = 0, top = 1] = [prices[0], prices.at(-1)];
  const [start = 0, end = 0] = [samples[0]?.at, samples.at(-1)?.at];
  const place = ({ at, price }: Sample) => ({
    x: end === start ? 1 : (at - start) / (end - start),
    y: 1 - (price - bottom) / (top - bottom),
  });
  const times = end === start ? [end] : [0, 1, 2, 3].map((step) => start + ((end - start) * step) / 3);
  return { place, prices, times };
}

/** The line through samples as the path of a drawing of 1000 by 1000. */
export function pathOf(samples: readonly Sample[], { place }: Pick<Scale, "place">): string {
  const text = samples.map((sample) => {
    const { x, y } = place(sample);
    return `${(x * 1000).toFixed(1)} ${(y * 1000).toFixed(1)}`;
  });
  return text.length === 0 ? "" : `M${text.join("L")}`;
}

/** The sample that was the last one at a moment. */
export function sampleAt(samples: readonly Sample[], moment: number): Sample | undefined {
  return samples.findLast(({ at }) => at <= moment);
}

const day = 24 * 60 * 60 * 1000;

/** Days' last prices, each at its day's end. */
export function closes({ year }: Pick<StockPrices, "year">): readonly Sample[] {
  return year.map((close) => ({ at: Date.parse(close.day) + day - 1, price: close.price }));
}

/** The prices of the last seven days. */
export function weekSamples({ week }: Pick<StockPrices, "week">): readonly Sample[] {
  return week.map(({ at, price }) => ({ at: Date.parse(at), price }));
}

/** Least milliseconds that are shown before a publication. */
const leastBefore = 6 * 60 * 60 * 1000;

/**
 * What a stock cost since a press about it, with some time before: by days as long as the single prices of the last week do
 * not reach back, with the press's own price at its publication and the price of now at the end.
 */
export function samplesSince(
  published: Sample,
  now: Sample,
  prices: Pick<StockPrices, "week" | "year"> | undefined,
): readonly Sample[] {
  const single = prices === undefined ? [] : weekSamples(prices);
  const start = published.at - Math.max((now.at - published.at) / 4, leastBefore);
  const daily = prices === undefined ? [] : closes(prices);
  const older = daily.filter(({ at }) => at < (single[0]?.at ?? now.at));
  return [...older, ...single, published]
    .filter(({ at }) => at >= start && at < now.at)
    .toSorted((one, other) => one.at - other.at)
    .concat(now);
}
