import { createClient, defineChain, http } from "viem";
import { type Deployment, mainnet } from "../../core/chain/deployment.ts";

/** A service's chain, and the contracts that its users meet there. */
export type Place = Pick<Deployment, "chainId" | "name"> & {
  readonly contracts: Omit<Deployment["contracts"], "exactProxy">;
};

/** The chain at this address, which answers fast: the devnet unless told otherwise. */
export function chainClient(rpcUrl: string, { chainId, name }: Place = mainnet) {
  // viem's own list of chains takes 100 ms to load.
  const chain = defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  return createClient({ chain, transport: http(rpcUrl), pollingInterval: 50 });
}
