import { AppError } from "../error.ts";
import type { Listing, Quote } from "./schema.ts";

/**
 * An outside service that gives the list of stock tokens and their prices. Both methods throw `market_unavailable` (`upstream`) if the
 * source refuses or fails.
 */
export type MarketData = {
  /** Every active stock token on the chain, in no particular order. */
  listTokens(): Promise<readonly Listing[]>;
  /**
   * The current quote of a listed stock, with prices per token. `last` is the previous quote. If the source does not give a field, the
   * field is taken from the previous quote.
   */
  fetchQuote(listing: Listing, last?: Quote): Promise<Quote>;
};

/** The error for a caller if the outside source of market data fails or refuses a correct request. */
export function makeMarketError(cause: unknown): AppError {
  return new AppError(
    "upstream",
    "market_unavailable",
    "Market data is unavailable right now. Try again shortly.",
    { cause, retryAfter: 5 },
  );
}
