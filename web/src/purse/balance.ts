import { queryOptions } from "@tanstack/react-query";
import { parseAbi } from "viem";
import { estimateGas, getBalance, getGasPrice, readContract } from "viem/actions";
import type { Address } from "../api/request.ts";
import { loadWallets } from "../wallet/state.ts";
import { moveData } from "./allow.ts";
import { withSpare } from "./gas.ts";

const erc20 = parseAbi(["function balanceOf(address) view returns (uint256)"]);

/** What a purse holds: USDG in base units, ETH in wei. */
export type Balance = { readonly usdg: bigint; readonly ether: bigint };

/** Milliseconds after which it is looked at again, while somebody waits for a deposit. */
const lookAgain = 3_000;

/** What a purse holds now. Throws viem's errors where the chain gives no answer. */
export function balanceOf(address: Address) {
  return queryOptions({
    queryKey: ["purse", address],
    queryFn: async (): Promise<Balance> => {
      const { config, service } = await loadWallets();
      const client = config.getClient();
      const token = service.network.asset.address;
      const [usdg, ether] = await Promise.all([
        readContract(client, { address: token, abi: erc20, functionName: "balanceOf", args: [address] }),
        getBalance(client, { address }),
      ]);
      return { usdg, ether };
    },
    refetchInterval: lookAgain,
  });
}

/** Gas units of a vote and of a mint, as the real registries took them (205,105 and 189,838), with something to spare. */
const gasOf = { vote: 250_000n, mint: 250_000n } as const;

/** What the network takes for a vote or a mint now, in wei. */
export const transactionCost = queryOptions({
  queryKey: ["purse", "gas"],
  queryFn: async () => {
    const price = await getGasPrice((await loadWallets()).config.getClient());
    return { vote: price * gasOf.vote, mint: price * gasOf.mint };
  },
  staleTime: 30_000,
});

/** What the network takes for the move of so many base units of USDG now, in wei, with what `sendCall` keeps to spare. */
export function moveCost(from: Address, to: Address, amount: bigint) {
  return queryOptions({
    queryKey: ["purse", "move", from, to, String(amount)],
    queryFn: async () => {
      const { config, service } = await loadWallets();
      const client = config.getClient();
      const call = { to: service.network.asset.address, data: moveData(to, String(amount)) };
      const [gas, price] = await Promise.all([
        estimateGas(client, { account: from, ...call }),
        getGasPrice(client),
      ]);
      return withSpare(gas, price).most;
    },
    staleTime: 15_000,
  });
}
