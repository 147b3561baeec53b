import { type ItemOf, model, primary } from "./keys.ts";

/**
 * The source's last answer: the stock list, or one stock's quote. All times are milliseconds. One reader asks at a
 * time, until `askingUntil`; after a refusal nobody asks until `refusedUntil`.
 */
export const marketRecord = {
  model: model("market"),
  attributes: {
    /** `stocks`, or `quote:` and the symbol. */
    name: { type: "string", required: true },
    /** Absent until the source has answered once; parsed where it is read. */
    value: { type: "any" },
    freshUntil: { type: "number" },
    askingUntil: { type: "number" },
    refusedUntil: { type: "number" },
  },
  indexes: {
    byName: primary(["name"]),
  },
} as const;

export type MarketItem = ItemOf<typeof marketRecord>;

/** The last price of every stock that was asked for, in one item. */
export const marksRecord = {
  model: model("marks"),
  attributes: {
    name: { type: ["marks"] as const, required: true },
    /** By symbol; parsed where it is read. */
    marks: { type: "any" },
  },
  indexes: {
    byName: primary(["name"]),
  },
} as const;

/**
 * The prices of a stock: one item for each UTC day with a price about every five minutes, kept for nine days, and one, `year`,
 * with each day's last price. They share a partition key, so that one request reads them all.
 */
export const seriesRecord = {
  model: model("series"),
  attributes: {
    symbol: { type: "string", required: true },
    /** A day such as `2026-11-22`, or `year`. */
    part: { type: "string", required: true },
    /**
     * Times and prices in turn, oldest first: the minute of the UTC day and USD a token, or for a year the day since the
     * Unix epoch and its last price. Flat numbers take a third of the bytes of objects.
     */
    points: { type: "list", items: { type: "number" } },
    /** The time of the last price in the item. */
    last: { type: "number" },
    /** Only on the item of a day: seconds since the epoch. */
    expiresAt: { type: "number" },
  },
  indexes: {
    byStock: primary(["symbol"], ["part"]),
  },
} as const;

/** All stocks with stored prices, and how each price moved in the week, in one item. */
export const overviewRecord = {
  model: model("overview"),
  attributes: {
    name: { type: ["overview"] as const, required: true },
    /** By symbol; parsed where it is read. */
    stocks: { type: "any" },
  },
  indexes: {
    byName: primary(["name"]),
  },
} as const;
