import type { StockContracts } from "../chain/deployment.ts";
import { AppError } from "../error.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/log.ts";
import type { MarketData } from "../port/market.ts";
import { authenticator } from "./authentic.ts";
import { feedQuote } from "./feed.ts";
import type { Listing, Quote } from "./schema.ts";
import { tokenListings } from "./tokens.ts";

type Ports = {
  readonly api: MarketData;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * The stock API with the chain at its side: tokens that the chain does not know as genuine are left out, and where the
 * API gives no price the token's feed does. On a test chain, of which the API knows nothing, the list is that of
 * `stocks.tokens`. Every refusal is logged here, for behind this the last known answer covers it.
 */
export function marketSources(ports: Ports, stocks: StockContracts): MarketData {
  const authentic = authenticator(ports, stocks.beacon);
  return {
    async stocks() {
      try {
        const listings =
          stocks.tokens === undefined ? ports.api.stocks() : tokenListings(ports, stocks.tokens);
        return await authentic(await listings);
      } catch (error) {
        return refused(ports.log, "stock_list_failed", {}, error);
      }
    },
    async quote(listing, last) {
      try {
        return await ports.api.quote(listing);
      } catch (error) {
        const feed = stocks.feeds.find(({ token }) => token === listing.address);
        if (!(error instanceof AppError) || feed === undefined) {
          return refused(ports.log, "quote_failed", { symbol: listing.symbol }, error);
        }
        ports.log.warn("quote_from_feed", { symbol: listing.symbol, error });
        return fromFeed(ports, listing, feed, last);
      }
    },
  };
}

async function fromFeed(
  ports: Ports,
  { symbol }: Listing,
  { feed: address }: StockContracts["feeds"][number],
  last: Quote | undefined,
): Promise<Quote> {
  try {
    return await feedQuote(ports, { symbol, address }, last);
  } catch (error) {
    return refused(ports.log, "quote_failed", { symbol }, error);
  }
}

function refused(log: Log, event: string, about: { readonly symbol?: string }, error: unknown): never {
  if (error instanceof AppError) log.warn(event, { ...about, error });
  throw error;
}
