import { keccak256, stringToHex } from "viem/utils";
import type { Hex } from "./hex.ts";

/** What every tag begins with, and how many bytes a tag has. */
const marker = Buffer.from("pressmkt");
const length = 32;

/**
 * Which service sent a call: 32 bytes after its calldata. A permit names payee and amount but no service, so that one
 * permit can be presented to two services of one payee. The tag says for which of them it was settled.
 */
export function serviceTag(origin: string): Hex {
  const hash = keccak256(stringToHex(origin)).slice(2);
  return `0x${marker.toString("hex")}${hash.slice(0, 2 * (length - marker.length))}`;
}

/** The first tag in some calldata at or after a byte, if there is one. */
export function tagIn(calldata: Buffer, from: number): Hex | undefined {
  const at = calldata.indexOf(marker, from);
  return at < 0 ? undefined : `0x${calldata.subarray(at, at + length).toString("hex")}`;
}
