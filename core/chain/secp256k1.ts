import { serializeSignature } from "viem";
import { keccak256, numberToHex } from "viem/utils";
import type { Address, Hex } from "./hex.ts";
import { signedByKey } from "./signature.ts";

/** Order of the curve's group (SEC 2, section 2.4.1). */
export const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A signature that its signer's address can be recovered from. `r` and `s` have 32 bytes. */
export type RecoverableSignature = { readonly r: Hex; readonly s: Hex; readonly yParity: 0 | 1 };

/** The lower of the two values of `s` that are equally valid: Ethereum takes no other (EIP-2). */
export function lowS(s: bigint): bigint {
  return s > order / 2n ? order - s : s;
}

/** The account, in lower case, whose public key is the given uncompressed point (04, x, y). */
export function addressOf(point: Hex): Address {
  return `0x${keccak256(`0x${point.slice(4)}`).slice(-40)}`;
}

/**
 * The signature with a low `s` and the parity under which `signer` (lower-case) is recovered from the digest;
 * `undefined` when it is not the signer's.
 */
export async function recoverable(
  signer: Address,
  digest: Hex,
  { r, s }: { readonly r: bigint; readonly s: bigint },
): Promise<RecoverableSignature | undefined> {
  const numbers = { r: numberToHex(r, { size: 32 }), s: numberToHex(lowS(s), { size: 32 }) };
  for (const yParity of [0, 1] as const) {
    const signature = { ...numbers, yParity };
    if (await signedByKey(signer, digest, serializeSignature(signature))) return signature;
  }
  return undefined;
}
