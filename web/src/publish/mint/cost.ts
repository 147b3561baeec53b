import { encodeFunctionData, formatEther } from "viem";
import { estimateGas, getGasPrice } from "viem/actions";
import { AddressForm } from "../../api/request.ts";
import { loadWallets } from "../../wallet/state.ts";
import { identity } from "./register.ts";

/** What registering a press would cost now, in ETH with two digits that count. Throws what the chain's node does. */
export async function mintCost(wallet: string, metaUrl: string): Promise<string> {
  const { config, service } = await loadWallets();
  const client = config.getClient();
  const [gas, price] = await Promise.all([
    estimateGas(client, {
      account: AddressForm.parse(wallet),
      to: service.erc8004.identityRegistry,
      data: encodeFunctionData({ abi: identity, functionName: "register", args: [metaUrl] }),
    }),
    getGasPrice(client),
  ]);
  return Number(Number(formatEther(gas * price)).toPrecision(2))
    .toFixed(18)
    .replace(/\.?0+$/, "");
}
