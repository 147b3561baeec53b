import { secp256k1 } from "@noble/curves/secp256k1";
import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from "viem";
import { numberToHex } from "viem/utils";
import type { Hex } from "../../core/chain/hex.ts";

const order = secp256k1.CURVE.n;

/** Rewrites the given signature. The given signature must have 65 bytes and end in 1b or 1c. */
export type Form = (signature: Hex) => Hex;

const defineForms = <Name extends string>(named: Readonly<Record<Name, Form>>) => named;

const replaceRecovery =
  (byte: string): Form =>
  (signature) =>
    `0x${signature.slice(2, 130)}${byte}`;

/** Different ways to write the same signature. */
export const sameMeaning = defineForms({
  "65 bytes with 27 or 28": (signature) => signature,
  "recovery id 0 or 1": (signature) => replaceRecovery(signature.endsWith("1b") ? "00" : "01")(signature),
  "the 64 bytes of EIP-2098": (signature) =>
    serializeCompactSignature(signatureToCompactSignature(parseSignature(signature))),
  "the high s": (signature) => {
    const s = numberToHex(order - BigInt(`0x${signature.slice(66, 130)}`), { size: 32 });
    return `0x${signature.slice(2, 66)}${s.slice(2)}${signature.endsWith("1b") ? "1c" : "1b"}`;
  },
  "upper-case digits": (signature) => `0x${signature.slice(2).toUpperCase()}`,
});

/** Ways to change a signature so that the result is not a signature by the payer's key. */
export const otherMeaning = defineForms({
  empty: () => "0x",
  "one byte": () => "0x1b",
  "63 bytes": (signature) => `0x${signature.slice(2, 128)}`,
  "66 bytes": (signature) => `${signature}00`,
  "the other parity": (signature) => replaceRecovery(signature.endsWith("1b") ? "1c" : "1b")(signature),
  "recovery byte 2": replaceRecovery("02"),
  "recovery byte 29": replaceRecovery("1d"),
  "recovery byte 255": replaceRecovery("ff"),
  "64 bytes of zeros": () => `0x${"00".repeat(64)}`,
  "64 bytes of ones": () => `0x${"ff".repeat(64)}`,
  "65 bytes of zeros": () => `0x${"00".repeat(65)}`,
  "65 bytes of ones": () => `0x${"ff".repeat(65)}`,
  "r of zero": (signature) => `0x${"00".repeat(32)}${signature.slice(66)}`,
  "s of zero": (signature) => `0x${signature.slice(2, 66)}${"00".repeat(32)}${signature.slice(130)}`,
  "s of the group's order": (signature) =>
    `0x${signature.slice(2, 66)}${order.toString(16)}${signature.slice(130)}`,
  "r and s changed round": (signature) =>
    `0x${signature.slice(66, 130)}${signature.slice(2, 66)}${signature.slice(130)}`,
  "the end of EIP-6492": (signature) => `${signature}${"6492".repeat(16)}`,
  "2 kB": () => `0x${"5a".repeat(2048)}`,
});
