import { type Chain, defineChain } from "viem";
import { chainIdOf, type Discovery } from "../api/discovery.ts";

export type ServiceChain = Chain;

type Known = { readonly rpc: string; readonly explorer: string };

/** Public nodes and explorers, for wallets that have to be told of the chain. */
const known: Readonly<Record<number, Partial<Known>>> = {
  4663: {
    rpc: "https://rpc.mainnet.chain.robinhood.com",
    explorer: "https://robinhoodchain.blockscout.com",
  },
};

/**
 * The chain that the service works on. A wallet that does not know it is given the public node where there is one, else,
 * as on the devnet, the service's relay.
 */
export function serviceChain(service: Discovery, relay: string): ServiceChain {
  const id = chainIdOf(service);
  const { rpc = relay, explorer } = (import.meta.env.DEVNET ? undefined : known[id]) ?? {};
  return defineChain({
    id,
    name: service.network.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpc] } },
    ...(explorer !== undefined && { blockExplorers: { default: { name: "Blockscout", url: explorer } } }),
  });
}
