import { hexToBytes, keccak256 } from "viem/utils";
import { type Address, type Hex, lower } from "./hex.ts";

/**
 * The account whose key signed the digest of 32 bytes: `rs` are the numbers r and s, 64 bytes, and `parity` is that of y. A high s counts as
 * on the chain (`ecrecover`). `undefined` where they lead to no key, and for other lengths. libsecp256k1 in WebAssembly takes a sixth of
 * JavaScript's time. It is loaded on first use, in half of the time that JavaScript's tables take.
 */
export async function recoverSigner(digest: Hex, rs: Hex, parity: 0 | 1): Promise<Address | undefined> {
  // Outside of `try`: without the library nothing can be said of a signature.
  const { recover } = await import("tiny-secp256k1");
  try {
    const point = recover(hexToBytes(digest), hexToBytes(rs), parity, false);
    // Without the byte that says "uncompressed".
    return point === null ? undefined : lower(`0x${keccak256(point.subarray(1)).slice(-40)}`);
  } catch {
    // The library throws on impossible values.
    return undefined;
  }
}
