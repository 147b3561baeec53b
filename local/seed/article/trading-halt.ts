import type { Article } from "./index.ts";

export const tradingHalt: Article = {
  headline: "What a trading halt means for the holder of a stock token",
  stock: "TSLA",
  priceUsdg: 0.4,
  preview:
    "An exchange can stop the trading of a share within a moment, while the token that follows it keeps moving from wallet to wallet. What a halt is, who calls it, and what the word beside a quote of TSLA does and does not tell.",
  body: `A share on an exchange does not trade at all times. Besides nights and weekends there are halts: the exchange stops the trading of one stock, for minutes or for longer, and says why. The [SEC's page on halts](https://www.investor.gov/introduction-investing/investing-basics/glossary/trading-halts-and-delays) names the usual reasons, among them news that everybody should have time to read, and an imbalance between buyers and sellers.

## Meanwhile, on the chain

A token has no closing bell. While TSLA is halted on its exchange, the token that follows it can still be sent from one wallet to another, because the token contract knows nothing of the exchange. What stops is the flow of fresh prices: a quote that was taken before the halt stays where it was. That is why a quote carries both a mark for the halt and the time at which it was made.

## How to read the mark

The mark says that the price beside it is the last one known, and no more than that. It does not say what comes after. Exchanges publish every halt with its code and its time, for example in the [list that Nasdaq keeps](https://www.nasdaqtrader.com/trader.aspx?id=TradeHalts), and the holder of a token can look there for the reason before reading anything into a number that stands still.

Nothing here is advice to buy or to sell.`,
};
