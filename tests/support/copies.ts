import { decodeFunctionData } from "viem/utils";
import { exactProxyAbi } from "../../core/chain/abi.ts";
import { type Hex, lower } from "../../core/chain/hex.ts";
import type { Permit } from "../../core/chain/permit2.ts";
import { type OfferedEntry, removeExtraFields } from "./http-payer.ts";
import { encodePermitHeader, exactProxy } from "./payment.ts";

/** The payment that can be read from a settlement's calldata. */
export type CopiedPermit = { readonly permit: Permit; readonly signature: Hex };

const settleSelector = "13cd3b53";

/** Finds every settlement in a transaction's calldata. */
export function findPermits(data: Hex): readonly CopiedPermit[] {
  const found: CopiedPermit[] = [];
  for (let at = data.indexOf(settleSelector); at >= 0; at = data.indexOf(settleSelector, at + 1)) {
    const { args } = decodeFunctionData({ abi: exactProxyAbi, data: `0x${data.slice(at)}` });
    const [{ permitted, nonce, deadline }, owner, witness, signature] = args;
    const permit: Permit = {
      from: lower(owner),
      token: lower(permitted.token),
      amount: permitted.amount,
      spender: exactProxy,
      nonce,
      deadline,
      validAfter: witness.validAfter,
      to: lower(witness.to),
    };
    found.push({ permit, signature });
  }
  return found;
}

/** The payment headers that the copier sends: the copied permit in every form that the copier can make without the payer. */
export function listForms({ permit, signature }: CopiedPermit, entry: OfferedEntry): readonly string[] {
  const makeEntry = (ticket: unknown) => ({ ...entry, extra: { ...entry.extra, ticket } });
  return [
    encodePermitHeader(entry, permit, signature),
    encodePermitHeader(removeExtraFields(entry), permit, signature),
    encodePermitHeader(entry, permit, signature, "a-name-of-the-copier"),
    encodePermitHeader({ ...entry, extra: undefined }, permit, signature),
    ...["", null, ["a"], "0x", "a".repeat(43)].map((ticket) =>
      encodePermitHeader(makeEntry(ticket), permit, signature),
    ),
  ];
}
