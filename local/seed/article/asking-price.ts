import type { Article } from "./index.ts";

export const askingPrice: Article = {
  headline: "Bid, ask and mid: what one price of a stock leaves out",
  stock: "NVDA",
  priceUsdg: 0.25,
  preview:
    "A page that shows one price for NVDA has already made a choice for you. Behind it stand a bid and an ask, and the distance between them says more about a quiet hour than the figure in the middle.",
  body: `Ask for the price of a stock and you will mostly get one number. There are at least two. The bid is what somebody is ready to pay now, the ask is what somebody wants for selling now. The [SEC's glossary for investors](https://www.investor.gov/introduction-investing/investing-basics/glossary) keeps short definitions of both, and of the spread between them.

## Where the mid comes from

The mid is the average of bid and ask. Nobody has to trade at it. It is a fair way to show one stock over time, because it does not jump from side to side when buyers and sellers take turns, and it is what this market prints beside an article about NVDA.

## What the spread says

When many people trade, the spread is narrow and the mid is close to what an order would get. At night, before a company reports, or in a token with few holders, the spread widens. The mid may then stay calm while the price of an actual order is far from it. The [guide to order types](https://www.investor.gov/introduction-investing/investing-basics/how-stock-markets-work/types-orders) explains why a market order meets the ask, and why a limit order may wait.

## A habit worth having

Look at the time of a quote first, then at both sides, and only then at the number in the middle. One price is a summary, and a summary leaves things out.

This is an explanation of terms and no advice to trade.`,
};
