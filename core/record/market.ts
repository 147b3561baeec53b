import { type ItemOf, makeRecord, toKey } from "./keys.ts";

/**
 * The last answer of the market source: the list of stocks, or the quote of one stock. All times in the record are in milliseconds. Until
 * `askingUntil`, only the process that has set this time asks the source. After a refusal, the service does not ask the source again until
 * `refusedUntil`.
 */
export const marketRecord = makeRecord("market", toKey("byName", ["name"]), {
  /** The name of the item: `stocks`, or `quote:` and the stock's symbol. */
  name: { type: "string", required: true },
  /**
   * The answer of the market source. This answer is parsed by the code that reads it. The field is missing until the market source has
   * answered once.
   */
  value: { type: "any" },
  freshUntil: { type: "number" },
  askingUntil: { type: "number" },
  refusedUntil: { type: "number" },
});

export type MarketItem = ItemOf<typeof marketRecord>;

/** The last price of every stock whose price was ever requested, in one item. */
export const marksRecord = makeRecord("marks", toKey("byName", ["name"]), {
  name: { type: ["marks"] as const, required: true },
  /** The last price of each stock, under the stock's symbol. The code that reads the item parses these prices. */
  marks: { type: "any" },
});

/**
 * The prices of a stock. Each UTC day has one item with about one price per five minutes, and this item is stored for nine days. One item
 * `year` contains the last price of each day. All items of a stock share a partition key, so that one request reads them.
 */
export const seriesRecord = makeRecord("series", toKey("byStock", ["symbol"], ["part"]), {
  symbol: { type: "string", required: true },
  /** A UTC day such as `2026-11-22`, or `year`. */
  part: { type: "string", required: true },
  /**
   * A flat list in which times and prices alternate, the oldest first: each time is followed by the price at this time. In the item of a
   * day, a time is the minute of the UTC day, and a price is in USD per token. In the item `year`, a time is the number of days since the
   * Unix epoch, and the price is the last price of the day. A flat list of numbers needs only a third of the bytes of a list of objects.
   */
  points: { type: "list", items: { type: "number" } },
  /** The time of the last price in the item. */
  last: { type: "number" },
  /** The time at which the item expires, in seconds since the Unix epoch. Only an item with the prices of one day has this field. */
  expiresAt: { type: "number" },
});

/** One item, which contains the prices of the last week of every stock with stored prices. */
export const overviewRecord = makeRecord("overview", toKey("byName", ["name"]), {
  name: { type: ["overview"] as const, required: true },
  /** The prices of each stock in the last week, under the stock's symbol. The code that reads the item parses these prices. */
  stocks: { type: "any" },
});
