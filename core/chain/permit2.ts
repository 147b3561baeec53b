import { decodeErrorResult, decodeFunctionData, encodeFunctionData, hashTypedData } from "viem/utils";
import { permitTypes } from "../../client/typed-data.ts";
import { tryCall } from "../error.ts";
import { erc20Abi, exactProxyAbi, permit2Abi } from "./abi.ts";
import type { Address, Hex } from "./hex.ts";

export { permitTypes };

/** A signed transfer of an exact amount to an exact payee, with the fields that Permit2 and the x402 proxy define. */
export type Permit = {
  readonly from: Address;
  readonly token: Address;
  /** The amount is in token base units. */
  readonly amount: bigint;
  readonly spender: Address;
  /** The nonce is any unused 256-bit number. Nonces need not follow each other in order. */
  readonly nonce: bigint;
  /** The times `validAfter` and `deadline` are in seconds since the epoch. */
  readonly deadline: bigint;
  readonly validAfter: bigint;
  /** The payee. The signed witness names the payee, so the payment can go to nobody else. */
  readonly to: Address;
};

/** The EIP-712 digest that the payer signs. */
export function hashPermit(domain: { chainId: number; permit2: Address }, permit: Permit): Hex {
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

/** Makes the calldata for the proxy's function `settle`, which anybody may call. */
export function encodeSettle(permit: Permit, signature: Hex): Hex {
  return encodeFunctionData({
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
}

/** The nonce in calldata of the proxy's `settle`; `undefined` for other calldata. */
export function decodeNonce(calldata: Hex): bigint | undefined {
  // viem throws for calldata of a function that the ABI does not contain.
  const call = tryCall(() => decodeFunctionData({ abi: exactProxyAbi, data: calldata }));
  return call?.functionName === "settle" ? call.args[0].nonce : undefined;
}

/** Calldata that reads a word from Permit2's bitmap: the word with one bit for each of 256 nonces, including the given nonce. */
export function encodeNonceCall(from: Address, nonce: bigint): Hex {
  return encodeFunctionData({ abi: permit2Abi, functionName: "nonceBitmap", args: [from, nonce >> 8n] });
}

/** Whether the nonce's bit is set in its bitmap word. */
export function isNonceSpent(nonce: bigint, word: bigint): boolean {
  return ((word >> (nonce & 0xffn)) & 1n) === 1n;
}

/** The name of the error in a revert's data (`InvalidNonce`, `Error`, …), or `undefined` for an unknown error. */
export function findRevertName(data: Hex | undefined): string | undefined {
  if (data === undefined) return undefined;
  // viem throws for unknown selectors, such as a token's own error.
  const abi = [...permit2Abi, ...exactProxyAbi, ...erc20Abi];
  return tryCall(() => decodeErrorResult({ abi, data }).errorName);
}
