import { erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode, zeroAddress } from "viem";
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
