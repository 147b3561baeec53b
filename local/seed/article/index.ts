import { askingPrice } from "./asking-price.ts";
import { contractAddress } from "./contract-address.ts";
import { feedAndQuote } from "./feed-and-quote.ts";
import { filings } from "./filings.ts";
import { multiplier } from "./multiplier.ts";
import { tradingHalt } from "./trading-halt.ts";

/** A demo press as its publisher saves it (specification §2.9). */
export type Article = {
  readonly headline: string;
  readonly stock: string;
  /** USDG. */
  readonly priceUsdg: number;
  readonly preview: string;
  readonly body: string;
};

/** Who publishes what: test accounts that hold none of the stocks, so that nothing has to be disclosed. */
export const publishers: readonly {
  /** Index of the test account. */
  readonly account: number;
  readonly publisherName: string;
  readonly articles: readonly Article[];
}[] = [
  { account: 4, publisherName: "Ines Calloway", articles: [filings, contractAddress] },
  { account: 5, publisherName: "The Ledger Desk", articles: [tradingHalt, feedAndQuote] },
  { account: 6, publisherName: "Tomas Reyle", articles: [askingPrice, multiplier] },
];
