import type { Address } from "../chain/hex.ts";

/** The contracts of a stage. All lower-case. */
export type Contracts = {
  readonly usdg: Address;
  readonly permit2: Address;
  /** The x402 exact-scheme proxy, the only spender that a permit may name. */
  readonly exactProxy: Address;
  readonly identityRegistry: Address;
  readonly reputationRegistry: Address;
};

/** Limits of the platform's gas costs. Amounts are USDG base units. */
export type GasLimits = {
  /** The highest gas price of a transaction, in wei. */
  readonly maxPrice: bigint;
  /** The daily gas allowance (UTC) of a payee, and of a payer, beyond what their fees pay for. */
  readonly allowance: number;
  /**
   * The gas that new contract wallets may burn together on a UTC day before they are refused. Wallets that have paid here before have the
   * same amount again.
   */
  readonly failuresPerDay: number;
  /** The price of ETH, for chains without a feed. */
  readonly ethPrice: number;
  /** Chainlink's feed of ETH in US dollars, where the chain has one. */
  readonly ethFeed: Address | undefined;
};

/** Settings of a stage, known when a container starts. */
export type Settings = {
  /** The site's origin without a trailing slash, such as `https://example.com`. */
  readonly origin: string;
  readonly chainId: number;
  readonly chainName: string;
  readonly contracts: Contracts;
  /** The wallet that receives the platform's fee. */
  readonly treasury: Address;
  /**
   * Relayers of other stages that sell for the same payees on the same chain. A payment that they settle belongs to their stage and counts
   * as unpaid here. Any other payment to the right payee by the payer's signature counts here.
   */
  readonly siblingRelayers?: readonly Address[] | undefined;
  /** Milliseconds for which a node may lag behind another's receipts; 0 by default. */
  readonly stateLag?: number | undefined;
  /** Limits that a stage leaves out have the defaults of core/relayer. */
  readonly gas?: { readonly [Limit in keyof GasLimits]?: GasLimits[Limit] | undefined };
  /** The lowest price of a draft in USDG base units; by default that of core/press. */
  readonly minPriceUnits?: bigint | undefined;
};
