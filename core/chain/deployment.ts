import { robinhoodChain } from "../../client/typed-data.ts";
import type { Contracts } from "../port/settings.ts";
import { type Address, toAddress } from "./hex.ts";

/**
 * The contracts by which the service recognises the chain's genuine stock tokens, and the sources of prices and stock lists in addition to
 * the stock API. All addresses are in lower case.
 */
export type StockContracts = {
  /** The beacon contract of the stock tokens. Every genuine stock token is a proxy that points to this beacon (EIP-1967). */
  readonly beacon: Address;
  /**
   * Chainlink's price feeds, listed by the address of the stock token to which each feed belongs. Price feeds are found by the token's
   * address, because a token's symbol can be faked and a token's address cannot.
   */
  readonly feeds: readonly { readonly token: Address; readonly feed: Address }[];
  /**
   * The stock tokens of a test chain; the stock API does not list these tokens. `tokens` is `undefined` on a chain whose stock tokens the
   * stock API lists.
   */
  readonly tokens?: readonly Address[] | undefined;
};

/** The facts about a chain. A stage may replace some of the facts about its chain. */
export type Deployment = {
  readonly chainId: number;
  readonly name: string;
  /** The address of the chain's public explorer, without a trailing slash. */
  readonly explorer: string;
  /** The address of a public node. The site suggests this node to wallets, and a stage without nodes of its own uses this node. */
  readonly publicNode: string;
  readonly contracts: Contracts;
  readonly stocks: StockContracts;
};

/** Multicall3 has the same address on every chain. */
export const multicall3 = toAddress("0xcA11bde05977b3631167028862bE2a173976CA11");

const canonical = {
  permit2: toAddress(robinhoodChain.permit2),
  /** The CREATE2 address of x402's Permit2 proxy for the scheme `exact`. Official x402 clients always sign for this address. */
  exactProxy: toAddress(robinhoodChain.exactProxy),
};

/** The test chain. No stablecoin or stock token is published on the test chain, so `npm run testnet` deploys our own tokens. */
export const testnet = {
  chainId: 46_630,
  name: "Robinhood Chain Testnet",
  explorer: "https://explorer.testnet.chain.robinhood.com",
  publicNode: "https://rpc.testnet.chain.robinhood.com",
  contracts: {
    ...canonical,
    identityRegistry: toAddress("0x8004A818BFB912233c491871b3d84c89A494BD9e"),
    reputationRegistry: toAddress("0x8004B663056A597Dffe9eCcC1965A193B7388713"),
  },
} as const;

export const mainnet: Deployment = {
  chainId: robinhoodChain.chainId,
  name: robinhoodChain.name,
  explorer: "https://robinhoodchain.blockscout.com",
  publicNode: "https://rpc.mainnet.chain.robinhood.com",
  contracts: {
    ...canonical,
    usdg: toAddress(robinhoodChain.usdg),
    identityRegistry: toAddress(robinhoodChain.identityRegistry),
    reputationRegistry: toAddress(robinhoodChain.reputationRegistry),
  },
  stocks: {
    beacon: toAddress("0xe10b6f6B275de231345c20D14Ab812db62151b00"),
    feeds: [
      ["0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9", "0x6B22A786bAa607d76728168703a39Ea9C99f2cD0"],
      ["0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC", "0x379EC4f7C378F34a1B47E4F3cbeBCbAC3E8E9F15"],
      ["0x322F0929c4625eD5bAd873c95208D54E1c003b2d", "0x4A1166a659A55625345e9515b32adECea5547C38"],
      ["0xe93237C50D904957Cf27E7B1133b510C669c2e74", "0x45C3C877C15E6BA2EBB19eA114Ea508d14C1Af2E"],
      ["0x2e0847E8910a9732eB3fb1bb4b70a580ADAD4FE3", "0xF6f373a037c30F0e5010d854385cA89185AE638b"],
    ].map(([token = "", feed = ""]) => ({ token: toAddress(token), feed: toAddress(feed) })),
  },
};

/**
 * USDG's EIP-712 domain (EIP-3009, EIP-2612). USDG has no getter for its EIP-712 domain, so `stage:check` can compare only the domain
 * separator with the separator on the chain.
 */
export const usdgDomain = robinhoodChain.usdgDomain;
