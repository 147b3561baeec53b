import { parseAbi } from "viem";
import { readContract } from "viem/actions";
import { AddressForm } from "../../api/request.ts";
import { loadWallets } from "../../wallet/state.ts";

const erc20 = parseAbi(["function balanceOf(address) view returns (uint256)"]);

/** Whether a wallet holds any of a stock token. Throws what the chain's node does. */
export async function isHeld(token: string, wallet: string): Promise<boolean> {
  const { config } = await loadWallets();
  const balance = await readContract(config.getClient(), {
    address: AddressForm.parse(token),
    abi: erc20,
    functionName: "balanceOf",
    args: [AddressForm.parse(wallet)],
  });
  return balance > 0n;
}
