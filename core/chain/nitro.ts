import { encodeFunctionData, keccak256, numberToHex } from "viem/utils";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import { nodeInterfaceAbi } from "./abi.ts";
import { Bytes, getResult, makeContractCall, requireAnswer } from "./call.ts";
import type { Address, Hex } from "./hex.ts";

const nodeInterface = "0x00000000000000000000000000000000000000c8";

/** The call that asks a Nitro node how many gas units of a transaction pay for L1 data. */
export function makeL1GasCall({ to, data }: { readonly to: Address; readonly data: Hex }): RpcCall {
  const args = [to, false, data] as const;
  const asked = encodeFunctionData({ abi: nodeInterfaceAbi, functionName: "gasEstimateL1Component", args });
  return makeContractCall(nodeInterface, asked);
}

/** Reads the number of gas units from the answer. On chains without Nitro's NodeInterface, the number of gas units is zero. */
export function parseL1Gas(outcome: RpcOutcome | undefined): bigint {
  if (requireAnswer(outcome).status !== "ok") return 0n;
  const words = getResult(outcome, Bytes);
  return words.length < 66 ? 0n : BigInt(words.slice(0, 66));
}

/**
 * Random calldata in words of 32 bytes, which is as long as the longest calldata of a payment or a verdict. The calldata is random because
 * the price on L1 depends on the compressed size of the calldata.
 */
const words = Array.from({ length: 14 }, (_, place) => keccak256(numberToHex(place)).slice(2));

/**
 * The call that asks for the L1 gas of a typical transaction of the service's keys. If there is no real transaction to ask about, the
 * service asks about a typical transaction with this call.
 */
export const usualL1GasCall = makeL1GasCall({ to: nodeInterface, data: `0x${words.join("")}` });
