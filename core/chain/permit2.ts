import {
  concat,
  decodeErrorResult,
  decodeFunctionData,
  encodeFunctionData,
  hashTypedData,
  keccak256,
  stringToHex,
} from "viem/utils";
import { erc20Abi, exactProxyAbi, permit2Abi } from "./abi.ts";
import type { Address, Hex } from "./hex.ts";
import { permitTypes } from "./schema.ts";

/** A signed transfer of an exact amount to an exact payee, as Permit2 and the x402 proxy understand it. */
export type Permit = {
  /** The payer. */
  readonly from: Address;
  readonly token: Address;
  /** Token base units. */
  readonly amount: bigint;
  readonly spender: Address;
  /** Unordered: any unused 256-bit number. */
  readonly nonce: bigint;
  /** Seconds since the epoch, both. */
  readonly deadline: bigint;
  readonly validAfter: bigint;
  /** The payee, bound by the witness. */
  readonly to: Address;
};

/** The EIP-712 digest that the payer signs. */
export function permitDigest(domain: { chainId: number; permit2: Address }, permit: Permit): Hex {
  return hashTypedData({
    domain: { name: "Permit2", chainId: domain.chainId, verifyingContract: domain.permit2 },
    types: permitTypes,
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token: permit.token, amount: permit.amount },
      spender: permit.spender,
      nonce: permit.nonce,
      deadline: permit.deadline,
      witness: { to: permit.to, validAfter: permit.validAfter },
    },
  });
}

/** Calldata of the proxy's `settle`, which anybody may send. `tag` follows the call, and contracts ignore it. */
export function settleCalldata(permit: Permit, signature: Hex, tag: Hex = "0x"): Hex {
  const call = encodeFunctionData({
    abi: exactProxyAbi,
    functionName: "settle",
    args: [
      {
        permitted: { token: permit.token, amount: permit.amount },
        nonce: permit.nonce,
        deadline: permit.deadline,
      },
      permit.from,
      { to: permit.to, validAfter: permit.validAfter },
      signature,
    ],
  });
  return concat([call, tag]);
}

/** The nonce that calldata of the proxy's `settle` spends, `undefined` for other calldata. */
export function settledNonce(calldata: Hex): bigint | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: exactProxyAbi, data: calldata });
    return functionName === "settle" ? args[0].nonce : undefined;
  } catch {
    // viem throws for what is no call of the ABI.
    return undefined;
  }
}

/** Calldata that asks Permit2 for the word of 256 nonces in which this one is a bit. */
export function nonceWordCalldata(from: Address, nonce: bigint): Hex {
  return encodeFunctionData({ abi: permit2Abi, functionName: "nonceBitmap", args: [from, nonce >> 8n] });
}

/** Whether the nonce is spent, given its word. */
export function nonceSpent(nonce: bigint, word: bigint): boolean {
  return ((word >> (nonce & 0xffn)) & 1n) === 1n;
}

/** The name of the error in a revert's data (`InvalidNonce`, `Error`, …), or `undefined` for one that is not known. */
export function revertName(data: Hex | undefined): string | undefined {
  if (data === undefined) return undefined;
  try {
    return decodeErrorResult({ abi: [...permit2Abi, ...exactProxyAbi, ...erc20Abi], data }).errorName;
  } catch {
    // viem throws for selectors outside the ABI: a token's own error, which has no protocol code.
    return undefined;
  }
}

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
