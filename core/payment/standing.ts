import { numberToHex } from "viem/utils";
import { Block, latestBlock, result } from "../chain/call.ts";
import { type Hex, toAddress } from "../chain/hex.ts";
import type { Authorization, Proof } from "./authorization.ts";
import type { SettlementItem } from "./entity.ts";
import { methodOf } from "./method.ts";
import type { PaymentPorts } from "./ports.ts";

/** What a leg's payer signed for it once, as its record keeps it. */
export type SignedItem = SettlementItem["signed"];

/** Everything that was signed for a leg and may still be charged, as far as its record knows: the newest first. */
export function allSigned(item: SettlementItem): readonly SignedItem[] {
  return [item.signed, ...(item.earlier ?? [])];
}

/** What a record says that its payer has signed. */
export function authorizationOf({
  wallet,
  signed,
}: Pick<SettlementItem, "wallet" | "signed">): Authorization {
  return {
    method: signed.method,
    chainId: signed.chainId,
    from: toAddress(wallet),
    token: toAddress(signed.token),
    amount: BigInt(signed.amount),
    spender: toAddress(signed.spender),
    nonce: BigInt(signed.nonce),
    deadline: BigInt(signed.deadline),
    validAfter: BigInt(signed.validAfter),
    to: toAddress(signed.payTo),
  };
}

/** How a record keeps it. `block`: one from before it was presented first. */
export function signedItem(authorization: Authorization, signature: Hex, block: number): SignedItem {
  const { method, chainId, token, spender, amount, to, nonce, validAfter, deadline } = authorization;
  return {
    method,
    chainId,
    token,
    spender,
    amount: String(amount),
    payTo: to,
    nonce: String(nonce),
    validAfter: String(validAfter),
    deadline: String(deadline),
    signature,
    block,
  };
}

/** Whether a record's part and what is presented now have the same nonce: then at most one of them can be charged. */
export function isSameNonce(
  signed: Pick<SignedItem, "method" | "nonce">,
  other: { readonly method: string; readonly nonce: string | bigint },
): boolean {
  return signed.method === other.method && signed.nonce === String(other.nonce);
}

/** The signature in it. */
export function signatureIn({ signature }: SignedItem): Hex {
  return `0x${signature.slice(2)}`;
}

/**
 * Whether it can still be charged, by whoever has it, as of a block of this time (seconds): in its deadline's own
 * second, too.
 */
export function isLive(
  { deadline }: Pick<Authorization, "deadline">,
  { spent, timestamp }: { readonly spent: boolean; readonly timestamp: bigint },
): boolean {
  return !spent && timestamp <= deadline;
}

/** What the chain says of what was signed for a leg. */
export type Standing = {
  /** One that was settled, with the transfers that may be its own. */
  readonly paid: { readonly signed: SignedItem; readonly proofs: readonly Proof[] } | undefined;
  /** Whether one was spent, and the chain cannot tell for what. */
  readonly unclear: boolean;
  /** Those that whoever has them can still settle. */
  readonly live: readonly SignedItem[];
};

/**
 * How what was signed for a leg stands. Their nonces are asked of one block, which is asked for by its number: a node that
 * has not got that block cannot answer for it, and what is unspent in a block past its deadline stays so (invariant 1).
 * Throws `upstream` when the chain cannot say.
 */
export async function standingOf(
  ports: Pick<PaymentPorts, "chain" | "settings" | "table">,
  item: SettlementItem,
): Promise<Standing> {
  const { chain, settings } = ports;
  const all = allSigned(item).map((signed) => ({
    signed,
    authorization: authorizationOf({ wallet: item.wallet, signed }),
  }));
  const [latest] = await chain.batch([latestBlock]);
  const { number, timestamp } = result(latest, Block);
  const words = await chain.batch(
    all.map(({ authorization }) =>
      methodOf(authorization).spentCall(settings, authorization, numberToHex(number)),
    ),
  );
  const live: SignedItem[] = [];
  let unclear = false;
  for (const [index, { signed, authorization }] of all.entries()) {
    const method = methodOf(authorization);
    const spent = method.isSpent(authorization, words[index]);
    if (isLive(authorization, { spent, timestamp })) live.push(signed);
    if (!spent) continue;
    const found = await method.search(ports, authorization, BigInt(signed.block));
    if (found.kind === "paid") return { paid: { signed, proofs: found.proofs }, unclear: false, live };
    unclear ||= found.kind === "unclear";
  }
  return { paid: undefined, unclear, live };
}
