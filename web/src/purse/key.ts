import { secp256k1 } from "@noble/curves/secp256k1";
import { bytesToHex, type Hex, hexToBytes, numberToHex, serializeSignature } from "viem";
import { publicKeyToAddress } from "viem/accounts";
import type { Address } from "../api/request.ts";

/** The name that states the keys' purpose and version. A different name would lead to different keys, so existing purses would be lost. */
const purpose = "press-market/purse/v1";

const utf8 = new TextEncoder();

/** The input for which a passkey yields its secret bytes (WebAuthn level 3, extension `prf`). */
export const prfInput = utf8.encode(purpose);

/** Derives 32 bytes from a secret; `info` states the purpose of the bytes. */
type Expand = (secret: Uint8Array<ArrayBuffer>, info: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;

/** HKDF with SHA-256 (RFC 5869) without a salt, because the secret is already as random as a key. */
const deriveBytes: Expand = async (secret, info) => {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const salt = new Uint8Array();
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, 256),
  );
};

/**
 * The private key of a purse, derived from the 32 bytes that its passkey yields at this host. If the derived bytes are not a valid key of
 * the curve, new bytes are derived with the next number as input. Throws a RangeError if the secret is not 32 bytes long.
 */
export async function deriveKey(
  secret: Uint8Array<ArrayBuffer>,
  rpId: string,
  expand: Expand = deriveBytes,
): Promise<Uint8Array> {
  if (secret.length !== 32) throw new RangeError("A passkey's secret has 32 bytes.");
  for (let attempt = 0; ; attempt += 1) {
    const key = await expand(secret, utf8.encode(`${purpose}/secp256k1/${attempt}/${rpId}`));
    if (secp256k1.utils.isValidPrivateKey(key)) return key;
  }
}

/** The address of the wallet that a private key controls. */
export function computeAddress(key: Uint8Array): Address {
  return publicKeyToAddress(bytesToHex(secp256k1.getPublicKey(key, false)));
}

/** Signs a digest of 32 bytes. The signature has a low `s` and ends in 27 or 28. */
export function signDigest(key: Uint8Array, digest: Hex): Hex {
  return serializeSignature(signToParts(key, digest));
}

/** Signs a digest of 32 bytes and returns the parts of the signature in the form that a transaction needs. */
export function signToParts(key: Uint8Array, digest: Hex) {
  const { r, s, recovery } = secp256k1.sign(hexToBytes(digest), key, { lowS: true });
  return { r: numberToHex(r, { size: 32 }), s: numberToHex(s, { size: 32 }), yParity: recovery };
}
