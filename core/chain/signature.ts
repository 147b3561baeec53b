import {
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  isErc6492Signature,
  parseErc6492Signature,
  zeroAddress,
} from "viem";
import { encodeDeployData, hashMessage, numberToHex, recoverAddress } from "viem/utils";
import type { Chain } from "../port/chain.ts";
import { answered, foreignGas } from "./call.ts";
import { type Address, type Hex, lower } from "./hex.ts";

/** EIP-2098 keeps the parity of y in the highest bit of s. */
const parityBit = 1n << 255n;

/**
 * An ECDSA signature in the form that contracts recover from: 65 bytes with a recovery byte of 27 or 28.
 * EIP-2098's 64 bytes and recovery ids 0 and 1 are brought to it; anything else comes back as it was. For keys only: to
 * a contract wallet the same lengths may mean something else, so it is asked about the signature as it came.
 */
export function canonicalSignature(signature: Hex): Hex {
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
 * The signature without the wrapping in which a wallet sends it whose contract may not be on the chain yet (EIP-6492):
 * contracts know what is inside only. `undefined` where nothing is wrapped.
 */
export function unwrappedSignature(signature: Hex): Hex | undefined {
  if (!isErc6492Signature(signature)) return undefined;
  try {
    return parseErc6492Signature(signature).signature;
  } catch {
    // It ends as such a signature does, and is none.
    return undefined;
  }
}

/** Whether `wallet`'s own key signed the digest. Wrong lengths and impossible values are simply not its signature. */
export async function signedByKey(wallet: Address, digest: Hex, signature: Hex): Promise<boolean> {
  const canonical = canonicalSignature(signature);
  if (canonical.length !== 132) return false;
  try {
    return lower(await recoverAddress({ hash: digest, signature: canonical })) === wallet;
  } catch {
    // The curve library throws on values that no key could have produced; that is an answer, not a fault.
    return false;
  }
}

/**
 * Whether `wallet` signed the text (personal_sign, EIP-191): by its key, or by its contract's word (EIP-1271), also
 * where the contract is not deployed yet (EIP-6492). Throws `upstream` `chain_unavailable` when the chain cannot say.
 */
export async function signedMessage(
  chain: Chain,
  wallet: Address,
  message: string,
  signature: Hex,
): Promise<boolean> {
  // The chain recovers it from what no key has signed, and would say that this is its signature.
  if (wallet === zeroAddress) return false;
  const digest = hashMessage(message);
  if (await signedByKey(wallet, digest, signature)) return true;
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, digest, signature],
  });
  const run = { data, gas: foreignGas };
  const [outcome] = await chain.batch([{ method: "eth_call", params: [run, "latest"] }]);
  const result = answered(outcome);
  return result.status === "ok" && result.result === "0x01";
}
