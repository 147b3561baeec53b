import { type Chain, defineChain } from "viem";
import { chainIdOf, type Discovery } from "../api/discovery.ts";

export type ServiceChain = Chain;

/** Public nodes by chain id, for wallets that have to be told of the chain. */
const publicNodes: Readonly<Partial<Record<number, string>>> = {
  4663: "https://rpc.mainnet.chain.robinhood.com",
  46630: "https://rpc.testnet.chain.robinhood.com",
};

/**
 * The chain that the service works on. A wallet that does not know it is given the public node where there is one, else,
 * as on the devnet, the service's relay.
 */
export function serviceChain(service: Discovery, relay: string): ServiceChain {
  const id = chainIdOf(service);
  const { DEVNET, EXPLORER } = import.meta.env;
  const node = DEVNET ? undefined : publicNodes[id];
  return defineChain({
    id,
    name: service.network.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [node ?? relay] } },
    ...(!DEVNET && { blockExplorers: { default: { name: "Blockscout", url: EXPLORER } } }),
  });
}
