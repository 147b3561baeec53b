import type { Address } from "viem";

/** The contract addresses of a stage, all in lower case. */
export type Contracts = {
  readonly usdg: Address;
  readonly permit2: Address;
  /** The proxy contract of x402's scheme "exact". A permit may name only this proxy as its spender. */
  readonly exactProxy: Address;
  readonly identityRegistry: Address;
  readonly reputationRegistry: Address;
};

/** Limits of the platform's gas costs. Amounts are USDG base units. */
export type GasLimits = {
  /** The maximum gas price of a transaction, in wei. */
  readonly maxPrice: bigint;
  /** The gas allowance of a payee and of a payer for a UTC day, in addition to the gas that is paid from the fees. */
  readonly allowance: number;
  /**
   * The maximum cost of the gas that all new contract wallets together may burn on a UTC day before the service refuses new contract
   * wallets. All contract wallets that have paid here before share a second budget, which is as large as the budget of the new contract
   * wallets.
   */
  readonly failuresPerDay: number;
  /** The price of one ETH, which is used on chains without a price feed. */
  readonly ethPrice: number;
  /** Chainlink's feed with the price of ETH in US dollars, if the chain has this feed. */
  readonly ethFeed: Address | undefined;
};

/** Settings of a stage, which are known when a container starts. */
export type Settings = {
  /** The site's origin without a trailing slash, such as `https://example.com`. */
  readonly origin: string;
  readonly chainId: number;
  readonly chainName: string;
  readonly contracts: Contracts;
  /** The wallet that receives the platform's fee. */
  readonly treasury: Address;
  /**
   * The addresses of the relayers of other stages that share this stage's chain and payees. A payment settled by a relayer of another stage
   * belongs to the other stage and does not count on this stage. A payment to the right payee with the payer's signature counts on this
   * stage, unless a relayer of another stage has sent it.
   */
  readonly siblingRelayers?: readonly Address[] | undefined;
  /**
   * The maximum number of milliseconds until every node shows the effects of a transaction, after one node has given the transaction's
   * receipt; 0 by default.
   */
  readonly stateLag?: number | undefined;
  /** The gas limits of the stage. For a gas limit that the stage leaves out, the default in core/gas applies. */
  readonly gas?: { readonly [Limit in keyof GasLimits]?: GasLimits[Limit] | undefined };
  /** The minimum price of a draft in USDG base units; the default is set in core/press. */
  readonly minPriceUnits?: bigint | undefined;
};
