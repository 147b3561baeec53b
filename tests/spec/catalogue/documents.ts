import type { Row } from "./row.ts";

/** The specification's sections 2.6 to 2.11: votes, history, registration file, drafts, dashboard and discovery. */
export const documents = [
  { id: "2.6 no tag", claim: "the empty string is allowed, and counts under no tag" },
  { id: "2.6 accurate", claim: "is an allowed tag" },
  { id: "2.6 well-sourced", claim: "is an allowed tag" },
  { id: "2.6 insightful", claim: "is an allowed tag" },
  { id: "2.6 misleading", claim: "is an allowed tag" },
  { id: "2.6 outdated", claim: "is an allowed tag" },
  { id: "2.6 biased", claim: "is an allowed tag" },
  { id: "2.6 unknown tag", claim: "a vote with an unknown tag is kept without a tag" },
  { id: "2.6 value", claim: "a vote is 1 or -1, and nothing else" },

  { id: "2.7 vote.value", claim: "1 or -1, as cast" },
  { id: "2.7 vote.tag", claim: "string: the tag that was kept" },
  { id: "2.7 vote.tx", claim: "the vote's transaction hash" },
  { id: "2.7 vote.at", claim: "timestamp" },
  { id: "2.7 vote.slug", claim: "the press's slug" },
  { id: "2.7 vote.headline", claim: "the press's headline" },
  { id: "2.7 vote.stock", claim: "the press's stock" },
  { id: "2.7 unlock.tx", claim: "transaction hash of the payment that unlocked the press" },
  { id: "2.7 unlock.at", claim: "timestamp" },
  { id: "2.7 unlock.slug", claim: "the press's slug" },
  { id: "2.7 unlock.headline", claim: "the press's headline" },
  { id: "2.7 unlock.stock", claim: "the press's stock" },
  { id: "2.7 unlock.priceUsdg", claim: "number: the press's price in USDG" },

  { id: "2.8 registration file", claim: "each press has its ERC-8004 registration file" },
  { id: "2.8 URI", claim: "the file's URL is the URI that the identity stores onchain" },
  {
    id: "2.8 fields",
    open: "the file's content fields",
    decided:
      "registration-v1 with headline, preview, services, x402Support, registrations, contentHash, verdict, score",
  },

  {
    id: "2.9 id",
    claim: "integer, optional: without it a draft is created, with it that one is updated",
    beside:
      "`updatedAt` refuses a save over a newer draft; `manuscript` names the unfinished text that it replaces",
  },
  { id: "2.9 generationId", claim: "integer, optional: ties the press to an AI draft" },
  { id: "2.9 headline", claim: "required string of 8 to 90 characters" },
  { id: "2.9 stock", claim: "required string: a stock token's symbol" },
  { id: "2.9 priceUsdg", claim: "required number: the price in USDG" },
  { id: "2.9 publisherName", claim: "required string: the byline" },
  { id: "2.9 preview", claim: "required string of 80 to 400 characters" },
  {
    id: "2.9 body",
    claim: "required string of at least 150 words",
    beside: "at most 100 kB, and Markdown that can be shown",
  },

  {
    id: "2.10 press fields",
    claim: "a dashboard press has the fields of a press",
    beside: "`?view=full` adds manuscripts and the last sales",
  },
  { id: "2.10 status", claim: "and its status" },
  { id: "2.10 earnedUsdg", claim: "number: what it has earned its owner" },
  { id: "2.10 updatedAt", claim: "timestamp of the last save" },

  { id: "2.11 name", claim: "the service's name" },
  { id: "2.11 description", claim: "what the service is" },
  { id: "2.11 docs", claim: "a link to documentation" },
  { id: "2.11 network.caip2", claim: "eip155:4663" },
  { id: "2.11 network.name", claim: "the chain's name" },
  { id: "2.11 network.asset.symbol", claim: "USDG" },
  { id: "2.11 network.asset.address", claim: "the token's address" },
  { id: "2.11 network.asset.decimals", claim: "6, as the token itself says" },
  { id: "2.11 x402.version", claim: "2" },
  { id: "2.11 x402.scheme", claim: "exact" },
  {
    id: "2.11 x402.assetTransferMethod",
    claim: "permit2",
    beside: "EIP-3009 is in the terms and in the notes of the endpoints",
  },
  { id: "2.11 x402.permit2", claim: "Permit2's address" },
  { id: "2.11 x402.header", claim: "payment-signature" },
  { id: "2.11 endpoints", claim: "list, read, stocks, payFee and payPublisher, and no others" },
  { id: "2.11 endpoints.list", claim: "method, url, paid flag, query notes and what it returns" },
  { id: "2.11 endpoints.read", claim: "method, url, paid flag and what it returns" },
  { id: "2.11 endpoints.stocks", claim: "method, url, paid flag and what it returns" },
  { id: "2.11 endpoints.payFee", claim: "method, url, paid flag, body notes, share and what it returns" },
  {
    id: "2.11 endpoints.payPublisher",
    claim: "method, url, paid flag, body notes, share and what it returns",
  },
  { id: "2.11 flow", claim: "the steps to a text, in order" },
  { id: "2.11 rules", claim: "the rules, as a list" },
] as const satisfies readonly Row[];
