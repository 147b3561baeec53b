import { type Testnet, testnets } from "./testnets.ts";

export type Address = `0x${string}`;

/** Nodes by their addresses, or by the secret that holds them. */
export type Nodes =
  | { readonly urls: readonly [string, ...string[]] }
  | { readonly secretName: string; readonly versionId?: string };

/** A chain and the contracts that the service meets there. */
export type ChainSettings = {
  readonly id: number;
  readonly name: string;
  /** Where people look at transactions and addresses, without a slash at its end. */
  readonly explorer: string;
  /**
   * One address or several, the preferred one first; or a Secrets Manager secret that holds them, separated by commas,
   * where they carry a key. CloudFormation looks at a secret again only when the version that is named changes.
   */
  readonly rpc: Nodes;
  /** The same for the relay, which anybody may use: with other nodes, or another key, it takes nothing from payments. */
  readonly relayRpc?: Nodes;
  readonly contracts: {
    readonly usdg: Address;
    readonly permit2: Address;
    readonly exactProxy: Address;
    readonly identityRegistry: Address;
    readonly reputationRegistry: Address;
  };
  readonly stocks: {
    /** The beacon that every genuine stock token is a proxy of (EIP-1967). */
    readonly beacon: Address;
    /** Chainlink's price feeds, each by the token that it prices. */
    readonly feeds: readonly { readonly token: Address; readonly feed: Address }[];
    /** Every stock token of a test chain, of which the stock API knows nothing; `undefined` where the API lists them. */
    readonly tokens?: readonly Address[];
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
  explorer: "https://robinhoodchain.blockscout.com",
  rpc: { urls: ["https://rpc.mainnet.chain.robinhood.com"] },
  contracts: {
    ...canonical,
    usdg: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168",
    identityRegistry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
    reputationRegistry: "0x8004BAa17C55a88189AE136b182e5fdA19dE9b63",
  },
  stocks: {
    beacon: "0xe10b6f6B275de231345c20D14Ab812db62151b00",
    feeds: [
      {
        token: "0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9",
        feed: "0x6B22A786bAa607d76728168703a39Ea9C99f2cD0",
      },
      {
        token: "0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC",
        feed: "0x379EC4f7C378F34a1B47E4F3cbeBCbAC3E8E9F15",
      },
      {
        token: "0x322F0929c4625eD5bAd873c95208D54E1c003b2d",
        feed: "0x4A1166a659A55625345e9515b32adECea5547C38",
      },
      {
        token: "0xe93237C50D904957Cf27E7B1133b510C669c2e74",
        feed: "0x45C3C877C15E6BA2EBB19eA114Ea508d14C1Af2E",
      },
      {
        token: "0x2e0847E8910a9732eB3fb1bb4b70a580ADAD4FE3",
        feed: "0xF6f373a037c30F0e5010d854385cA89185AE638b",
      },
    ],
  },
} as const satisfies ChainSettings;

const testnetId = 46_630;

/** The test chain with our own contracts of `infra/testnets.json`; without any, `missingIn` names what is missing. */
export function testnetWith(own: Testnet | undefined): ChainSettings {
  return {
    id: testnetId,
    name: "Robinhood Chain Testnet",
    explorer: "https://explorer.testnet.chain.robinhood.com",
    rpc: { urls: ["https://rpc.testnet.chain.robinhood.com"] },
    contracts: {
      ...canonical,
      /** No USDG of the test chain is published, and nothing of its stock tokens: `npm run testnet` deploys our own. */
      usdg: own?.usdg ?? missingAddress,
      identityRegistry: "0x8004A818BFB912233c491871b3d84c89A494BD9e",
      reputationRegistry: "0x8004B663056A597Dffe9eCcC1965A193B7388713",
    },
    stocks: {
      beacon: own?.stockBeacon ?? missingAddress,
      feeds: own?.stocks.map(({ token, feed }) => ({ token, feed })) ?? [],
      tokens: own?.stocks.map(({ token }) => token) ?? [],
    },
  };
}

export const testnet: ChainSettings = testnetWith(testnets[testnetId]);
