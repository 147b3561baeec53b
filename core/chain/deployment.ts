import type { Contracts } from "../port/settings.ts";
import { toAddress } from "./hex.ts";

/** What is known of a chain before a stage says more. */
export type Deployment = {
  readonly chainId: number;
  readonly name: string;
  readonly explorer: string;
  readonly contracts: Contracts;
};

const canonical = {
  permit2: toAddress("0x000000000022D473030F116dDEE9F6B43aC78BA3"),
  /** CREATE2 address of the x402 exact-scheme Permit2 proxy; official clients always sign for it. */
  exactProxy: toAddress("0x402085c248EeA27D92E8b30b2C58ed07f9E20001"),
};

export const mainnet: Deployment = {
  chainId: 4663,
  name: "Robinhood Chain",
  explorer: "https://robinhoodchain.blockscout.com",
  contracts: {
    ...canonical,
    usdg: toAddress("0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168"),
    identityRegistry: toAddress("0x8004A169FB4a3325136EB29fA0ceB6D2e539a432"),
    reputationRegistry: toAddress("0x8004BAa17C55a88189AE136b182e5fdA19dE9b63"),
  },
};
