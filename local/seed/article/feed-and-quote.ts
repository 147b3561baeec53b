import type { Article } from "./index.ts";

export const feedAndQuote: Article = {
  headline: "A price feed is not a quote: two numbers for one stock",
  stock: "MSFT",
  priceUsdg: 0.75,
  preview:
    "Contracts read the price of a stock from a feed, people read it from a quote. For MSFT the two can differ and both be right. Where each number comes from, how old it may be, and which one a program should trust for what.",
  body: `Two numbers for one stock look like a mistake. With tokenized shares they are normal, because people and contracts get their prices by different roads.

## The quote

A quote comes from a market data service over the web. It names a bid, an ask and a time, and it speaks of one share. It is made for people: fresh while the market is open, and marked when trading is halted. Nothing on the chain can see it.

## The feed

A price feed is a contract. A network of operators writes a number into it when the price has moved far enough, or when enough time has passed since the last write. The [documentation of Chainlink's feeds](https://docs.chain.link/data-feeds) calls these two conditions the deviation threshold and the heartbeat. Between two writes the number stands still by design, so a reader has to check the time of the last round before the answer, as the [interface reference](https://docs.chain.link/data-feeds/api-reference) advises.

## Why they differ

Timing is one reason. The other is what is being priced: a feed for the MSFT token may already contain the multiplier of the token, while the quote is for the bare share. A program that compares the two without knowing this finds a difference every time. A program that settles money should read the feed and its age. A page that informs people should show the quote and its time.

This describes data sources. It is not investment advice.`,
};
