import { type ItemOf, key, record } from "./keys.ts";

/**
 * The source's last answer: the stock list, or one stock's quote. All times in the record are in milliseconds. Only one reader at a time
 * asks the source, until `askingUntil`; after a refusal no reader asks the source until `refusedUntil`.
 */
export const marketRecord = record("market", key("byName", ["name"]), {
  /** The name of the item: `stocks`, or `quote:` and the stock's symbol. */
  name: { type: "string", required: true },
  /** The field is missing until the source has answered once, and is parsed by the code that reads it. */
  value: { type: "any" },
  freshUntil: { type: "number" },
  askingUntil: { type: "number" },
  refusedUntil: { type: "number" },
});

export type MarketItem = ItemOf<typeof marketRecord>;

/** The last price of every stock whose price was ever requested, in one item. */
export const marksRecord = record("marks", key("byName", ["name"]), {
  name: { type: ["marks"] as const, required: true },
  /** The values by stock symbol, parsed by the code that reads them. */
  marks: { type: "any" },
});

/**
 * The prices of a stock: one item for each UTC day, with a price about every five minutes, stored for nine days, and one item `year` with
 * the last price of each day. All items of a stock share a partition key, so that one request reads them.
 */
export const seriesRecord = record("series", key("byStock", ["symbol"], ["part"]), {
  symbol: { type: "string", required: true },
  /** A UTC day such as `2026-11-22`, or `year`. */
  part: { type: "string", required: true },
  /**
   * Times and prices alternately, oldest first: the minute of the UTC day and the price in USD per token, or in the item `year` the
   * number of the day since the Unix epoch and the day's last price. A flat list of numbers takes a third of the bytes of a list of
   * objects.
   */
  points: { type: "list", items: { type: "number" } },
  /** The time of the last price in the item. */
  last: { type: "number" },
  /** Set only on the item of a day: seconds since the Unix epoch. */
  expiresAt: { type: "number" },
});

/** All stocks with stored prices, and the week's prices of each stock, in one item. */
export const overviewRecord = record("overview", key("byName", ["name"]), {
  name: { type: ["overview"] as const, required: true },
  /** The values by stock symbol, parsed by the code that reads them. */
  stocks: { type: "any" },
});
