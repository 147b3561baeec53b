import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { multicall3Abi } from "../chain/abi.ts";
import { multicall3 } from "../chain/deployment.ts";
import type { Address, Hex } from "../chain/hex.ts";

/** Legs that one transaction pays at most: about 25 kB of calldata, of the 95 kB that a node takes. */
export const mostInBatch = 40;

type Call = { readonly to: Address; readonly data: Hex };

/** One call that makes all of these, each of which may fail by itself. Anybody may send it. */
export function batchOf(calls: readonly Call[]): Call {
  const args = calls.map(({ to: target, data: callData }) => ({ target, allowFailure: true, callData }));
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [args] });
  return { to: multicall3, data };
}

/** Which of a batch's calls have succeeded, given what the batch has returned. */
export function succeededIn(returned: Hex): readonly boolean[] {
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: returned });
  return results.map(({ success }) => success);
}
