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

/** What differs per stage and is known when a container starts. */
export type Settings = {
  /** The site's origin without a trailing slash, such as `https://example.com`. */
  readonly origin: string;
  readonly chainId: number;
  readonly chainName: string;
  readonly contracts: Contracts;
  /** The wallet that receives the platform's fee. */
  readonly treasury: Address;
};
