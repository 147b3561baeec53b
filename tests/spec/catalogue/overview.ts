import type { Row } from "./row.ts";

/** The specification's introduction and section 1. */
export const overview = [
  {
    id: "0 whole service",
    claim: "catalogue, sign-in, payment, relay, votes, history and publishing are all served",
  },
  {
    id: "0 only document",
    claim: "every endpoint that it names is there, and no others but those beside",
    beside:
      "twenty-six endpoints of ours: `/api`, authors and what they say of themselves, an AI draft of one's own, the market, a stock's prices, search, receipts, moves, gas for a vote, manuscripts, purchases, what a price must be, own views and payments, follows with their feed, sessions and their end, discard, dispute and keep, and correct, price and unlist of live presses",
  },
  { id: "0 base_url", claim: "every path is below the one base address" },
  { id: "0 JSON", claim: "bodies are JSON unless stated otherwise" },
  { id: "1 marketplace", claim: "presses are short articles, each about a tokenized stock of the chain" },
  {
    id: "1 free",
    claim: "anyone lists presses and reads preview, audit summary, votes and price without authentication",
    beside: "the same on the site, in feeds, as a sitemap, cards and over MCP",
  },
  { id: "1 two payments", claim: "the full text comes with the second of two consecutive x402 payments" },
  {
    id: "1 USDG",
    claim: "both payments are in the stablecoin USDG, which has 6 decimals",
    beside: "by EIP-3009 as well as by Permit2",
  },
  { id: "1 chain", claim: "they are made on the one EVM chain eip155:4663, chain id 4663" },
  { id: "1 fee, then owner", claim: "the first payment goes to the platform, the second to the press owner" },
  {
    id: "1 publisher",
    claim:
      "a publisher signs in, saves a draft (maybe an AI's), has it audited, mints it, confirms, and it is live",
  },
  {
    id: "1 readers vote",
    claim: "readers vote onchain in the reputation registry; the service reads the transaction and counts",
  },
  { id: "1 relay", claim: "the service relays a restricted set of JSON-RPC calls to the chain" },
  {
    id: "1 no advice",
    claim: "nothing published is investment advice, and the service says so",
    beside: "and what else may be done with a text: `/terms`, `/license.xml`",
  },
  { id: "1 wallet_address", claim: "wallet addresses are 0x-prefixed hex of 20 bytes" },
  { id: "1 tx_hash", claim: "transaction hashes are 0x-prefixed hex of 32 bytes" },
  { id: "1 timestamp", claim: "times are ISO 8601 in UTC" },
  {
    id: "1 permit2_contract",
    claim: "the discovery document carries the address of Permit2, where its code is",
  },
  {
    id: "1 usdg_token",
    claim: "the discovery document and the terms carry the address of USDG, where its code is",
  },
  { id: "1 reputation_registry", claim: "the discovery document carries the reputation registry's address" },
  { id: "1 identity_registry", claim: "the discovery document carries the identity registry's address" },
] as const satisfies readonly Row[];
