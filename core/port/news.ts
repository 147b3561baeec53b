import type { Headline } from "../draft/schema.ts";

/** The outside source of news about a stock. */
export type News = {
  /** What is reported about a ticker, in no particular order. Throws `upstream` `news_unavailable`. */
  headlines(symbol: string): Promise<readonly Headline[]>;
};
