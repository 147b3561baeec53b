import { numberToHex } from "viem/utils";
import type { Hex } from "./hex.ts";

/** Blocks that one call asks for the logs of: providers refuse more than 10,000, and ranges without an end. */
export const windowSize = 5_000n;

/** The ends of an `eth_getLogs` filter, both included. */
export type Window = { readonly fromBlock: Hex; readonly toBlock: Hex };

/** The first `most` windows of the blocks from one to another, oldest first. */
export function windowsOf(from: bigint, to: bigint, most: number): readonly Window[] {
  return Array.from({ length: most }, (_, index) => from + windowSize * BigInt(index))
    .filter((first) => first <= to)
    .map((first) => {
      const last = first + windowSize - 1n;
      return { fromBlock: numberToHex(first), toBlock: numberToHex(last < to ? last : to) };
    });
}
