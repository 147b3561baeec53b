import { decodeFunctionResult, encodeFunctionData, formatUnits } from "viem/utils";
import { stockTokenAbi as abi } from "../chain/abi.ts";
import { Bytes, result } from "../chain/call.ts";
import type { Address, Hex } from "../chain/hex.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import { inTime } from "./deadline.ts";
import { unavailable } from "./error.ts";
import type { Listing } from "./schema.ts";

const questions = ["symbol", "name", "uiMultiplier"] as const;

/**
 * Stock tokens as they describe themselves at the latest block, read in one round trip. Only for addresses that the
 * stage's own settings name: anybody's token may call itself AAPL. Throws `upstream` when one of them does not answer
 * as a stock token.
 */
export async function tokenListings(
  ports: { readonly chain: Chain; readonly clock: Clock },
  tokens: readonly Address[],
): Promise<readonly Listing[]> {
  const calls = tokens.flatMap((to) =>
    questions.map((functionName) => ({
      method: "eth_call",
      params: [{ to, data: encodeFunctionData({ abi, functionName }) }, "latest"],
    })),
  );
  const outcomes = await inTime(ports.clock, ports.chain.batch(calls));
  return tokens.map((address, index) => {
    const at = index * questions.length;
    const [symbol, name, multiplier] = outcomes
      .slice(at, at + questions.length)
      .map((outcome) => result(outcome, Bytes));
    return described(address, { symbol: symbol ?? "0x", name: name ?? "0x", multiplier: multiplier ?? "0x" });
  });
}

function described(address: Address, data: Readonly<Record<"symbol" | "name" | "multiplier", Hex>>): Listing {
  try {
    const multiplier = decodeFunctionResult({ abi, functionName: "uiMultiplier", data: data.multiplier });
    return {
      symbol: decodeFunctionResult({ abi, functionName: "symbol", data: data.symbol }),
      name: decodeFunctionResult({ abi, functionName: "name", data: data.name }),
      address,
      multiplier: Number(formatUnits(multiplier, 18)),
    };
  } catch (cause) {
    throw unavailable(new Error(`There is no stock token at ${address}`, { cause }));
  }
}
