import { concat, decodeFunctionData, hexToBigInt, numberToHex, size, slice, stringToHex } from "viem/utils";
import { tryCall } from "../error.ts";
import { authorizationAbi, exactProxyAbi, multicall3Abi } from "./abi.ts";
import { multicall3 } from "./deployment.ts";
import { type Address, type Hex, lower } from "./hex.ts";

/** The press for which a call pays, and the kind of the payment: either the fee or the payment to the publisher. */
export type PayPurpose = { readonly pressId: number; readonly leg: "fee" | "publisher" };

export type Call = { readonly to: Address; readonly data: Hex };

const legs = ["fee", "publisher"] as const;

/**
 * The appended purpose consists of a marker, the bytes of the press's id, and a byte for the kind of the payment: the fee or the payment to
 * the publisher.
 */
const marker = stringToHex("pressmkt");
const [markerLength, idLength, legLength] = [8, 8, 1];
const purposeLength = markerLength + idLength + legLength;

/**
 * Appends the purpose of a payment to the call that settles it, because the signature names only the payee and the amount. With the
 * appended purpose, the chain alone shows which wallet has paid for which press (docs/operations.md, "Backup and restore"). Contracts
 * ignore the bytes that are appended to calldata.
 */
export function appendPurpose(call: Call, { pressId, leg }: PayPurpose): Call {
  const id = numberToHex(pressId, { size: idLength });
  const which = numberToHex(legs.indexOf(leg), { size: legLength });
  return { ...call, data: concat([call.data, marker, id, which]) };
}

/**
 * Reads the payment's purpose from a call's calldata. Returns `undefined` if the calldata states no purpose. Anybody can append a purpose
 * to calldata, so the purpose alone proves nothing.
 */
export function readPurpose({ data }: Call): PayPurpose | undefined {
  if (size(data) < purposeLength) return undefined;
  const purpose = slice(data, -purposeLength);
  const leg = legs[Number(hexToBigInt(slice(purpose, -legLength)))];
  if (slice(purpose, 0, markerLength) !== marker || leg === undefined) return undefined;
  return { pressId: Number(hexToBigInt(slice(purpose, markerLength, -legLength))), leg };
}

/** Returns the calls that a transaction makes: its single call, or every call that Multicall3's `aggregate3` makes. */
export function listCalls({ to, data }: Call): readonly Call[] {
  if (to !== multicall3) return [{ to, data }];
  const batch = tryCall(() => decodeFunctionData({ abi: multicall3Abi, data }));
  return batch?.args[0].map(({ target, callData }) => ({ to: lower(target), data: callData })) ?? [];
}

/** Reads the arguments of a call to Permit2's proxy or to the token, including the payer's signature. */
export function decodeCall({ data }: Call) {
  const permit = tryCall(() => decodeFunctionData({ abi: exactProxyAbi, data }));
  if (permit?.functionName === "settle") {
    const [{ permitted, nonce, deadline }, owner, { to, validAfter }, signature] = permit.args;
    return {
      method: "permit2",
      from: lower(owner),
      permitted: { token: lower(permitted.token), amount: permitted.amount },
      nonce,
      deadline,
      witness: { to: lower(to), validAfter },
      signature,
    } as const;
  }
  const transfer = tryCall(() => decodeFunctionData({ abi: authorizationAbi, data }));
  if (transfer?.functionName !== "transferWithAuthorization") return undefined;
  const [from, to, value, validAfter, validBefore, nonce, vOrSignature, r, s] = transfer.args;
  const signature =
    typeof vOrSignature === "number"
      ? concat([r ?? "0x", s ?? "0x", numberToHex(vOrSignature, { size: 1 })])
      : vOrSignature;
  return {
    method: "eip3009",
    authorization: { from: lower(from), to: lower(to), value, validAfter, validBefore, nonce: lower(nonce) },
    signature,
  } as const;
}
