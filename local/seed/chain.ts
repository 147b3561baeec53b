import { createClient, defineChain, http } from "viem";
import { mainnet } from "../../core/chain/deployment.ts";

// viem's own list of chains takes 100 ms to load.
const chain = defineChain({
  id: mainnet.chainId,
  name: mainnet.name,
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

/** The chain at this address, which answers fast. */
export function chainClient(rpcUrl: string) {
  return createClient({ chain, transport: http(rpcUrl), pollingInterval: 50 });
}
