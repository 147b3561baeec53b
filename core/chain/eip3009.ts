import {
  decodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  hashTypedData,
  hexToNumber,
  numberToHex,
  size,
  slice,
} from "viem/utils";
import { authorizationTypes } from "../../client/typed-data.ts";
import { tryCall } from "../error.ts";
import { authorizationAbi } from "./abi.ts";
import { usdgDomain } from "./deployment.ts";
import type { Address, Hex } from "./hex.ts";
import type { Permit } from "./permit2.ts";
import { isTransfer, type Receipt } from "./receipt.ts";

export { authorizationTypes };

/** A signed transfer of an exact amount to an exact payee, with the fields that the token itself defines (EIP-3009). */
export type Authorization = Pick<Permit, "from" | "token" | "amount" | "to" | "validAfter" | "nonce"> & {
  /**
   * The times `validAfter` and `validBefore` are in seconds since the epoch. The authorization is valid after `validAfter` and before
   * `validBefore`, but not at these two times.
   */
  readonly validBefore: bigint;
};

const encodeNonce = (nonce: bigint): Hex => numberToHex(nonce, { size: 32 });

/** The EIP-712 digest that the payer signs. */
export function hashAuthorization(chainId: number, authorization: Authorization): Hex {
  const { from, to, amount, validAfter, validBefore, nonce, token } = authorization;
  return hashTypedData({
    domain: { ...usdgDomain, chainId, verifyingContract: token },
    types: authorizationTypes,
    primaryType: "TransferWithAuthorization",
    message: { from, to, value: amount, validAfter, validBefore, nonce: encodeNonce(nonce) },
  });
}

/**
 * Makes the calldata for the token's function `transferWithAuthorization`, which anybody may call. A signature of 65 bytes is sent as v, r
 * and s, which every version of the token accepts. A signature whose length is not 65 bytes needs the overload that takes `bytes`, which
 * only the newest version of the token has.
 */
export function encodeSettleCall(
  { from, to, amount, validAfter, validBefore, nonce }: Authorization,
  signature: Hex,
): Hex {
  const signed = [from, to, amount, validAfter, validBefore, encodeNonce(nonce)] as const;
  const call = { abi: authorizationAbi, functionName: "transferWithAuthorization" } as const;
  if (size(signature) !== 65) {
    return encodeFunctionData({ ...call, args: [...signed, signature] });
  }
  const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), hexToNumber(slice(signature, 64))];
  return encodeFunctionData({ ...call, args: [...signed, v, r, s] });
}

/**
 * Calldata that asks the token whether a transfer or a cancellation has used a nonce. The token's answer is a 32-byte word that means true
 * or false.
 */
export function encodeStateCall(from: Address, nonce: bigint): Hex {
  return encodeFunctionData({
    abi: authorizationAbi,
    functionName: "authorizationState",
    args: [from, encodeNonce(nonce)],
  });
}

/**
 * The log filter for the event with which the token reports that the nonce was used. Both arguments of the event AuthorizationUsed are
 * indexed.
 */
export function makeUsedFilter({ token, from, nonce }: Authorization) {
  const eventName = "AuthorizationUsed";
  const args = { authorizer: from, nonce: encodeNonce(nonce) };
  return { address: token, topics: encodeEventTopics({ abi: authorizationAbi, eventName, args }) };
}

/**
 * The indexes of the `Transfer` logs by which this authorization moved the payer's money. Each index is counted over the whole block. The
 * token emits AuthorizationUsed right before Transfer. A successful transaction alone does not prove a payment, because a payment whose
 * nonce is already spent can fail without reverting the batch. A used nonce alone is no proof of a payment, because the payer may have
 * signed the same nonce twice.
 */
export function findUsedLogs(receipt: Receipt, authorization: Authorization): readonly number[] {
  if (receipt.status !== "0x1") return [];
  const { address, topics } = makeUsedFilter(authorization);
  const told = receipt.logs.filter((log) => log.address === address);
  return told.flatMap((log, index) => {
    const next = told[index + 1];
    const used = log.topics.length === topics.length && log.topics.every((topic, at) => topic === topics[at]);
    return used && next !== undefined && isTransfer(next, authorization) ? [next.logIndex] : [];
  });
}

/** The name of the token's error in a revert's data, or `undefined` for an unknown error. */
export function decodeRevert(data: Hex | undefined): string | undefined {
  if (data === undefined) return undefined;
  // viem throws for an unknown selector, such as the selector of a contract wallet's own error.
  return tryCall(() => decodeErrorResult({ abi: authorizationAbi, data }).errorName);
}
