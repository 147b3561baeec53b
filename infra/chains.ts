export type Address = `0x${string}`;

/** A chain and the contracts that the service meets there. */
export type ChainSettings = {
  readonly id: number;
  readonly name: string;
  /** One address or several, the preferred one first; or a Secrets Manager secret, where they carry a key. */
  readonly rpc: { readonly urls: readonly [string, ...string[]] } | { readonly secretName: string };
  readonly contracts: {
    readonly usdg: Address;
    readonly permit2: Address;
    readonly exactProxy: Address;
    readonly identityRegistry: Address;
    readonly reputationRegistry: Address;
  };
};

/** What the owner of a stage still has to put in: `missingIn` finds it before anything is deployed. */
export const missingAddress: Address = "0x0000000000000000000000000000000000000000";

/** The same address on every chain that has them: deployed through CREATE2. */
const canonical = {
  permit2: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
  exactProxy: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
} as const;

export const mainnet = {
  id: 4663,
  name: "Robinhood Chain",
  rpc: { urls: ["https://rpc.mainnet.chain.robinhood.com"] },
  contracts: {
    ...canonical,
    usdg: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168",
    identityRegistry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
    reputationRegistry: "0x8004BAa17C55a88189AE136b182e5fdA19dE9b63",
  },
} as const satisfies ChainSettings;

export const testnet = {
  id: 46_630,
  name: "Robinhood Chain Testnet",
  rpc: { urls: ["https://rpc.testnet.chain.robinhood.com"] },
  contracts: {
    ...canonical,
    /** No USDG of the testnet is published: each owner puts in the one that they use. */
    usdg: missingAddress,
    identityRegistry: "0x8004A818BFB912233c491871b3d84c89A494BD9e",
    reputationRegistry: "0x8004B663056A597Dffe9eCcC1965A193B7388713",
  },
} as const satisfies ChainSettings;
