import * as z from "zod";
import * as Known from "../core/chain/deployment.ts";
import { type Address, AddressInput } from "../core/chain/hex.ts";
import file from "./testnets.json" with { type: "json" };

/** The contracts that `npm run testnet` has deployed on one test chain. */
const Testnet = z.object({
  /** The wallet that has deployed the contracts, that mints USDG and stock tokens, and that sets prices. */
  issuer: AddressInput,
  usdgFacet: AddressInput,
  usdgImplementation: AddressInput,
  usdg: AddressInput,
  stockImplementation: AddressInput,
  stockBeacon: AddressInput,
  stocks: z.array(z.object({ symbol: z.string(), token: AddressInput, feed: AddressInput })).readonly(),
});
export type Testnet = Readonly<z.infer<typeof Testnet>>;

/** The content of `infra/testnets.json`: test chains by their ids. */
export const Testnets = z.record(z.string().regex(/^[1-9]\d*$/), Testnet);
export type Testnets = Readonly<z.infer<typeof Testnets>>;

/** All test chains on which `npm run testnet` has deployed contracts. Throws if the file's content does not have the expected form. */
const testnets: Testnets = Testnets.parse(file);

/** Nodes, given by their addresses or by the secret that contains the addresses. */
export type Nodes = { readonly urls: readonly [string, ...string[]] } | { readonly secretName: string };

/** A chain, the contracts that the service uses on this chain, and the nodes that the service asks. */
export type ChainSettings = Omit<Known.Deployment, "chainId"> & {
  readonly id: number;
  /**
   * One or more addresses of nodes, with the preferred address first. If addresses contain a secret key, they are stored in a secret of
   * Secrets Manager, separated by commas. Functions read the secret with the nodes' addresses at run time, and again every five minutes.
   */
  readonly rpc: Nodes;
  /**
   * The nodes of the public RPC relay. An RPC relay with its own nodes, or with its own API key for a node, does not use up the request
   * limit of the nodes that serve payments.
   */
  readonly relayRpc?: Nodes;
};

/**
 * A placeholder for a value that the stage's owner must fill in. `listMissingSettings` finds remaining placeholders before anything is
 * deployed.
 */
export const missingAddress: Address = "0x0000000000000000000000000000000000000000";

export const mainnet = toChainSettings(Known.mainnet);

/**
 * The settings of the test chain, with the addresses of our own contracts from `infra/testnets.json`. If `infra/testnets.json` has no
 * contracts, `listMissingSettings` names the missing addresses.
 */
export function makeTestnetSettings(testnet: Testnet | undefined): ChainSettings {
  return toChainSettings({
    ...Known.testnet,
    contracts: { ...Known.testnet.contracts, usdg: testnet?.usdg ?? missingAddress },
    stocks: {
      beacon: testnet?.stockBeacon ?? missingAddress,
      feeds: testnet?.stocks.map(({ token, feed }) => ({ token, feed })) ?? [],
      tokens: testnet?.stocks.map(({ token }) => token) ?? [],
    },
  });
}

function toChainSettings({ chainId: id, ...known }: Known.Deployment): ChainSettings {
  return { id, ...known, rpc: { urls: [known.publicNode] } };
}

export const testnet: ChainSettings = makeTestnetSettings(testnets[Known.testnet.chainId]);
