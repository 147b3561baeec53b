import type { Article } from "./index.ts";

export const contractAddress: Article = {
  headline: "Match a stock token by its contract address, not by its ticker",
  stock: "GOOGL",
  priceUsdg: 0.3,
  preview:
    "Anybody can issue a token and call it GOOGL. The name is a label that its maker chose; the address is the one thing that cannot be copied. A short routine for telling the token that follows a share from one that only says so.",
  body: `The ticker of a token is a piece of text that its maker typed. Nothing on a chain reserves it. The [ERC-20 standard](https://eips.ethereum.org/EIPS/eip-20) makes name and symbol optional and says nothing about who may use which, so a second token that calls itself GOOGL breaks no rule and costs its maker very little.

## What cannot be copied

Every contract stands at one address, and no other contract on that chain can stand there. A list of addresses that you took from the issuer is therefore worth more than any search by name. This market matches stock tokens by address for the same reason: an article about GOOGL is tied to one contract, whatever others call themselves.

## A short routine

Take the address from the issuer's own page or service, never from a message or from a search result. Open that address in the [block explorer](https://robinhoodchain.blockscout.com) and look at the contract: is its source published, how long has it been there, how many holders does it have? Compare the whole address, since the first and last characters alone can be imitated with some computing time. Then keep the address in your wallet's own list, so that the next payment does not begin with a search.

The routine takes two minutes. It is a precaution and not advice on what to hold.`,
};
