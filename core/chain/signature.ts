import {
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  isErc6492Signature,
  parseErc6492Signature,
  zeroAddress,
} from "viem";
import { encodeDeployData, hashMessage, hexToBytes, keccak256, numberToHex } from "viem/utils";
import { tryCall } from "../error.ts";
import type { Chain } from "../port/chain.ts";
import { foreignGas, requireAnswer } from "./call.ts";
import { type Address, type Hex, lower } from "./hex.ts";

/** EIP-2098 keeps the parity of y in the highest bit of s. */
const parityBit = 1n << 255n;

/**
 * Normalises an ECDSA signature to the form that contracts accept: 65 bytes with a recovery byte of 27 or 28. The function converts
 * EIP-2098's form of 64 bytes and the recovery ids 0 and 1, and returns other input unchanged. Use the function only for signatures that a
 * key has made, because a contract wallet may give signatures of the same length another meaning.
 */
export function normaliseSignature(signature: Hex): Hex {
  if (signature.length === 130) {
    const parityAndS = BigInt(`0x${signature.slice(66)}`);
    const s = numberToHex(parityAndS % parityBit, { size: 32 });
    return `0x${signature.slice(2, 66)}${s.slice(2)}${parityAndS < parityBit ? "1b" : "1c"}`;
  }
  if (signature.length !== 132) return signature;
  const recovery = signature.slice(130);
  if (recovery === "00") return `0x${signature.slice(2, 130)}1b`;
  if (recovery === "01") return `0x${signature.slice(2, 130)}1c`;
  return signature;
}

/**
 * Removes the EIP-6492 wrapper, which a wallet adds to a signature because the wallet's contract is perhaps not deployed yet. Returns
 * `undefined` for a signature without an EIP-6492 wrapper.
 */
export function unwrapSignature(signature: Hex): Hex | undefined {
  if (!isErc6492Signature(signature)) return undefined;
  // A signature may end with the EIP-6492 suffix although the content before the suffix is not a valid wrapper.
  return tryCall(() => parseErc6492Signature(signature).signature);
}

/** Whether `wallet`'s own key signed the digest. Returns false for a signature of a wrong length or with impossible values. */
export async function isSignedByKey(wallet: Address, digest: Hex, signature: Hex): Promise<boolean> {
  const canonical = normaliseSignature(signature);
  // All bytes after s count as the recovery part, so that a signature with more than 65 bytes is not accepted.
  const recovery = canonical.slice(130).toLowerCase();
  if (recovery !== "1b" && recovery !== "1c") return false;
  return (await recoverSigner(digest, `0x${canonical.slice(2, 130)}`, recovery === "1b" ? 0 : 1)) === wallet;
}

/**
 * Whether `wallet` signed the text (personal_sign, EIP-191). A signature is valid if the wallet's key made the signature, or if the
 * wallet's contract confirms the signature (EIP-1271), even before the contract is deployed (EIP-6492). Throws `chain_unavailable`
 * (`upstream`) when the chain cannot be asked.
 */
export async function isMessageSigned(
  chain: Chain,
  wallet: Address,
  message: string,
  signature: Hex,
): Promise<boolean> {
  // The zero address is refused, because ecrecover returns the zero address as the signer of every invalid signature.
  if (wallet === zeroAddress) return false;
  const digest = hashMessage(message);
  if (await isSignedByKey(wallet, digest, signature)) return true;
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, digest, signature],
  });
  const run = { data, gas: foreignGas };
  const [outcome] = await chain.batch([{ method: "eth_call", params: [run, "latest"] }]);
  const result = requireAnswer(outcome);
  return result.status === "ok" && result.result === "0x01";
}

/**
 * The address of the account whose key signed the digest of 32 bytes. `rs` contains the signature's numbers r and s in 64 bytes, and
 * `parity` contains the parity of the signature's y. The function accepts a high value of s, as the chain's `ecrecover` does. Returns
 * `undefined` if r, s and the parity give no key, or if a value has a wrong length. The library libsecp256k1, compiled to WebAssembly, is
 * six times as fast as a JavaScript library. The WebAssembly library is loaded on first use. Loading the WebAssembly library takes half the
 * time that a JavaScript library needs to prepare its tables.
 */
export async function recoverSigner(digest: Hex, rs: Hex, parity: 0 | 1): Promise<Address | undefined> {
  // The library is loaded outside of `tryCall`, because a failed load must not look like an invalid signature.
  const { recover } = await import("tiny-secp256k1");
  // The library throws for impossible values of r and s.
  const point = tryCall(() => recover(hexToBytes(digest), hexToBytes(rs), parity, false)) ?? undefined;
  // The first byte of the public key only marks the key as uncompressed, so the hash leaves this byte out.
  return point && lower(`0x${keccak256(point.subarray(1)).slice(-40)}`);
}
