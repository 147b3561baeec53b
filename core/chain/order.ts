import { concat, decodeFunctionData, hexToBigInt, numberToHex, size, slice, stringToHex } from "viem/utils";
import { authorizationAbi, exactProxyAbi, multicall3Abi } from "./abi.ts";
import { multicall3 } from "./deployment.ts";
import { type Address, type Hex, lower } from "./hex.ts";

/** Which leg of which press a call pays. */
export type PaidFor = { readonly pressId: number; readonly leg: "fee" | "publisher" };

export type Call = { readonly to: Address; readonly data: Hex };

const legs = ["fee", "publisher"] as const;

/** What a purpose begins with, and the bytes of the press's id and of the leg. */
const marker = stringToHex("pressmkt");
const [markerLength, idLength, legLength] = [8, 8, 1];
const purposeLength = markerLength + idLength + legLength;

/**
 * A settling call that also says what it pays for, in bytes after it: what is signed names payee and amount only. With
 * them the chain alone can tell who has paid for which press (docs/operations.md, "Backup and restore"). Contracts ignore them.
 */
export function withPurpose(call: Call, { pressId, leg }: PaidFor): Call {
  const id = numberToHex(pressId, { size: idLength });
  const which = numberToHex(legs.indexOf(leg), { size: legLength });
  return { ...call, data: concat([call.data, marker, id, which]) };
}

/** What a call says that it pays for, `undefined` for a call that says nothing. Anybody can say anything. */
export function purposeIn({ data }: Call): PaidFor | undefined {
  if (size(data) < purposeLength) return undefined;
  const purpose = slice(data, -purposeLength);
  const leg = legs[Number(hexToBigInt(slice(purpose, -legLength)))];
  if (slice(purpose, 0, markerLength) !== marker || leg === undefined) return undefined;
  return { pressId: Number(hexToBigInt(slice(purpose, markerLength, -legLength))), leg };
}

/** The calls that a transaction makes: itself, or those that Multicall3's `aggregate3` makes for it. */
export function callsOf({ to, data }: Call): readonly Call[] {
  if (to !== multicall3) return [{ to, data }];
  const batch = decoded(() => decodeFunctionData({ abi: multicall3Abi, data }));
  return batch?.args[0].map(({ target, callData }) => ({ to: lower(target), data: callData })) ?? [];
}

/** What a call settles by Permit2's proxy or by the token itself: the arguments and the signature, as they are sent. */
export function settledBy({ data }: Call) {
  const permit = decoded(() => decodeFunctionData({ abi: exactProxyAbi, data }));
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
  const transfer = decoded(() => decodeFunctionData({ abi: authorizationAbi, data }));
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

/** `undefined` where viem throws: the bytes are no such call. */
function decoded<Value>(decode: () => Value): Value | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
