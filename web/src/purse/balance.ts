import { queryOptions } from "@tanstack/react-query";
import { parseAbi } from "viem";
import { getBalance, getGasPrice, readContract } from "viem/actions";
import type { Address } from "../api/request.ts";
import { usualGas } from "../wallet/ether.ts";
import { loadWallets } from "../wallet/state.ts";

const erc20 = parseAbi(["function balanceOf(address) view returns (uint256)"]);

/** A purse's balances: USDG in base units, ETH in wei. */
export type Balance = { readonly usdg: bigint; readonly ether: bigint };

/** Milliseconds after which it is looked at again, while somebody waits for a deposit. */
const lookAgain = 3_000;

/** Reads a purse's balances. Throws viem's errors where the chain gives no answer. */
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

/** The network's fee for a vote or a mint now, in wei. */
export const transactionCost = queryOptions({
  queryKey: ["purse", "gas"],
  queryFn: async () => usualGas * (await getGasPrice((await loadWallets()).config.getClient())),
  staleTime: 30_000,
});
