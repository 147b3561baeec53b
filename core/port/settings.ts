import type { Address } from "../chain/hex.ts";

/** The contracts that a stage works with. All lower-case. */
export type Contracts = {
  readonly usdg: Address;
  readonly permit2: Address;
  /** The x402 exact-scheme proxy: the only spender that a permit may name. */
  readonly exactProxy: Address;
  readonly identityRegistry: Address;
  readonly reputationRegistry: Address;
};

/** What gas may cost the platform. Amounts are USDG base units. */
export type GasLimits = {
  /** Wei a gas unit: the most that a transaction offers. */
  readonly maxPrice: bigint;
  /** What is spent on gas for a payee, and for a payer, on a UTC day beyond what their fees carry. */
  readonly allowance: number;
  /**
   * What contract wallets that have never paid here may burn on a UTC day, all together, before new ones are turned away.
   * Those that have paid before may burn as much again.
   */
  readonly failuresPerDay: number;
  /** An ETH, where no feed says so. */
  readonly ethPrice: number;
  /** Chainlink's feed of ETH in US dollars, where the chain has one. */
  readonly ethFeed: Address | undefined;
};

/** What differs per stage and is known when a container starts. */
export type Settings = {
  /** The site's origin without a trailing slash, such as `https://example.com`. */
  readonly origin: string;
  readonly chainId: number;
  readonly chainName: string;
  readonly contracts: Contracts;
  /** The wallet that receives the platform's fee. */
  readonly treasury: Address;
  /**
   * Relayers of other stages that sell for the same payees on the same chain. What they settle was presented to them and
   * pays nothing here. Everything else that pays the right payee by a payer's signature counts here.
   */
  readonly siblingRelayers?: readonly Address[] | undefined;
  /** Milliseconds for which a node may show an older state than another shows receipts of; 0 unless given. */
  readonly stateLag?: number | undefined;
  /** What a stage does not set is as usual (core/relayer). */
  readonly gas?: { readonly [Limit in keyof GasLimits]?: GasLimits[Limit] | undefined };
  /** USDG base units: the lowest price at which a draft is saved; that of every stage (core/press) unless given. */
  readonly minPriceUnits?: bigint | undefined;
};
