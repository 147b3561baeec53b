import { type Hex, toAddress } from "../../core/chain/hex.ts";
import { openDevnetClient } from "./devnet.ts";
import { exactProxy } from "./payment.ts";

/** The address of a contract that settles permits, but hides them in the transaction's calldata. */
export const hider = toAddress("0x00000000000000000000000000000000000081de");

/**
 * Contract code that flips every bit of its calldata and calls the settlement proxy with the result. The code reverts when the proxy
 * reverts.
 */
const hiderCode: Hex = `0x${[
  "5f", //         i = 0
  "5b", //     01: loop
  "803519", //     word = not(calldata[i])
  "8152", //       memory[i] = word
  "602001", //     i += 32
  "368110", //     i < calldatasize
  "600157", //     again
  "5f5f365f5f", // no answer; the whole memory as input; no value
  `73${exactProxy.slice(2)}`,
  "5af1", //       call(gas, proxy, …)
  "603257", //     done where it went through
  "5f5ffd", //     revert
  "5b00", //   32: stop
].join("")}`;

export async function placeHider(rpcUrl: string): Promise<void> {
  await openDevnetClient(rpcUrl).setCode({ address: hider, bytecode: hiderCode });
}

/**
 * The calldata that makes the hiding contract call the settlement proxy. The calldata for the hiding contract contains none of the permit's
 * 32-byte words.
 */
export function encodeHidingCall(call: Hex): Hex {
  const bytes = Buffer.from(call.slice(2), "hex");
  return `0x${Buffer.from(bytes.map((byte) => ~byte & 0xff)).toString("hex")}`;
}
