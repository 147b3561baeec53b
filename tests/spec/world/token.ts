import { parseAbi } from "viem/utils";
import { mainnet } from "../../../core/chain/deployment.ts";
import type { Address } from "../../../core/chain/hex.ts";
import { chain } from "./service.ts";

const abi = parseAbi([
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function balanceOf(address owner) view returns (uint256)",
]);

/** Reads the symbol and the decimals from a token's contract. */
export async function readToken(address: Address): Promise<{ symbol: string; decimals: number }> {
  const client = await chain();
  const [symbol, decimals] = await Promise.all([
    client.readContract({ address, abi, functionName: "symbol" }),
    client.readContract({ address, abi, functionName: "decimals" }),
  ]);
  return { symbol, decimals };
}

/** Reads a wallet's balance of a token (by default USDG) in base units. */
export async function readTokenBalance(
  wallet: Address,
  token: Address = mainnet.contracts.usdg,
): Promise<bigint> {
  return (await chain()).readContract({ address: token, abi, functionName: "balanceOf", args: [wallet] });
}
