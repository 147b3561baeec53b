import type { Quote } from "../../../core/market/schema.ts";

export type Prices = {
  readonly before: number;
  readonly now: number;
  readonly range: Pick<Quote, "dayLow" | "dayHigh"> | undefined;
};

/** Heights in a drawing of the given height, from its upper edge. */
export type Chart = {
  readonly before: number;
  readonly now: number;
  readonly range: { readonly top: number; readonly bottom: number } | undefined;
};

/** Part of the drawing's height that is left free above the highest and below the lowest price. */
const margin = 0.14;

/** Where prices stand in a drawing: all of them on one scale, so that what looks far apart is. */
export function chartOf({ before, now, range }: Prices, height: number): Chart {
  const all = [before, now, ...(range === undefined ? [] : [range.dayLow, range.dayHigh])];
  const low = Math.min(...all);
  const spread = Math.max(...all) - low;
  const inner = height * (1 - 2 * margin);
  const place = (price: number) =>
    spread === 0 ? height / 2 : height * margin + inner * (1 - (price - low) / spread);
  return {
    before: place(before),
    now: place(now),
    range: range && { top: place(range.dayHigh), bottom: place(range.dayLow) },
  };
}
