import type { Article } from "./index.ts";

export const multiplier: Article = {
  headline: "How to read the multiplier of a tokenized stock",
  stock: "AAPL",
  priceUsdg: 0.5,
  preview:
    "A tokenized share carries a number that most wallets never show. The multiplier says how many shares one token stands for, and it is the reason why a token and its share can be quoted apart without anybody being wrong.",
  body: `A tokenized stock is a token on a chain that follows one listed share. It looks like any other token in a wallet: a balance and a ticker. What the balance does not say is how many shares each token stands for. That is the job of the multiplier.

## Why there is one

Companies pay dividends and split their shares. A token could be sent to every holder each time, which is slow and costs gas. The alternative is to leave all balances alone and change one number in the contract. [ERC-8056](https://eips.ethereum.org/EIPS/eip-8056) describes this idea as a scaled display amount: the raw balance stays what it was, and an interface multiplies it before it shows anything.

## How to read it

Open the contract of the token in the [block explorer](https://robinhoodchain.blockscout.com) and call the function uiMultiplier. The answer is an integer with eighteen decimals. Divide, and you hold the number of shares behind one token. When Apple pays a dividend that is reinvested, the multiplier of the AAPL token grows a little while every balance stays the same.

## What follows from it

Compare like with like. A price for the share has to be multiplied before it is set beside a price for the token, and a chart that mixes the two shows a gap that is not there. Anyone who reads a raw balance from the chain should apply the multiplier before adding it up.

This text explains a mechanism. It is not investment advice.`,
};
