import { numberToHex } from "viem/utils";
import { result } from "../chain/call.ts";
import { toAddress } from "../chain/hex.ts";
import { isPermitLive, nonceSpent, nonceWordCalldata, type Permit } from "../chain/permit2.ts";
import type { Proof } from "./end.ts";
import type { SettlementItem } from "./entity.ts";
import type { PaymentPorts } from "./ports.ts";
import { Block, searchSettlement, Word } from "./search.ts";

/** What a leg's payer signed for it once, as its record keeps it. */
export type SignedItem = Pick<
  SettlementItem,
  "permitNonce" | "amount" | "payTo" | "deadline" | "validAfter" | "signature" | "block"
>;

/** The part of a record that says what was signed. */
function signedIn({
  permitNonce,
  amount,
  payTo,
  deadline,
  validAfter,
  signature,
  block,
}: SignedItem): SignedItem {
  return { permitNonce, amount, payTo, deadline, validAfter, signature, block };
}

/** Everything that was signed for a leg and may still be charged, as far as its record knows: the newest first. */
export function allSigned(item: SettlementItem): readonly SignedItem[] {
  return [signedIn(item), ...(item.earlier ?? [])];
}

/** The permit that a record, or a part of it, stands for. */
export function permitOf(
  { contracts }: PaymentPorts["settings"],
  { wallet, ...item }: SignedItem & Pick<SettlementItem, "wallet">,
): Permit {
  return {
    from: toAddress(wallet),
    token: contracts.usdg,
    amount: BigInt(item.amount),
    spender: contracts.exactProxy,
    nonce: BigInt(item.permitNonce),
    deadline: BigInt(item.deadline),
    validAfter: BigInt(item.validAfter),
    to: toAddress(item.payTo),
  };
}

/** What the chain says of the permits that were signed for a leg. */
export type Standing = {
  /** One that was settled, with the transfers that may be its own. */
  readonly paid: { readonly signed: SignedItem; readonly proofs: readonly Proof[] } | undefined;
  /** Whether one was spent, and the chain cannot tell for what. */
  readonly unclear: boolean;
  /** Those that whoever has them can still settle. */
  readonly live: readonly SignedItem[];
};

/**
 * How the permits of a leg stand. Their nonces are asked of one block, which is asked for by its number: a node that
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
    permit: permitOf(settings, { ...signed, wallet: item.wallet }),
  }));
  const [latest] = await chain.batch([{ method: "eth_getBlockByNumber", params: ["latest", false] }]);
  const { number, timestamp } = result(latest, Block);
  const words = await chain.batch(
    all.map(({ permit: { from, nonce } }) => ({
      method: "eth_call",
      params: [{ to: settings.contracts.permit2, data: nonceWordCalldata(from, nonce) }, numberToHex(number)],
    })),
  );
  const live: SignedItem[] = [];
  let unclear = false;
  for (const [index, { signed, permit }] of all.entries()) {
    const spent = nonceSpent(permit.nonce, result(words[index], Word));
    if (isPermitLive(permit, { spent, timestamp })) live.push(signed);
    if (!spent) continue;
    const found = await searchSettlement(ports, permit, BigInt(signed.block));
    if (found.kind === "paid") return { paid: { signed, proofs: found.proofs }, unclear: false, live };
    unclear ||= found.kind === "unclear";
  }
  return { paid: undefined, unclear, live };
}
