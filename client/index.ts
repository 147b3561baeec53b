export { type BuyOptions, type Plan, parsePriceCap, type Step } from "./buy.ts";
export { MarketError, type Money } from "./error.ts";
export { type Journal, type LegRecord, makeMemoryJournal, type Settled } from "./journal.ts";
export { type Market, type MarketOptions, openMarket, type Purchase, type VoteTag } from "./market.ts";
export { parseTransactionHash, type VerifiedReceipt } from "./receipt.ts";
export type { Leg, Method } from "./terms.ts";
export { type Place, robinhoodChain } from "./typed-data.ts";
export type * from "./types.ts";
