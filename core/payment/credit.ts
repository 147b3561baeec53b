import type { Answering } from "./answer.ts";
import { finish } from "./end.ts";
import type { SettlementItem } from "./entity.ts";
import type { Proof } from "./method.ts";
import type { PaymentPorts } from "./ports.ts";
import { type SignedItem, standingOf } from "./standing.ts";

type CreditPorts = Pick<PaymentPorts, "chain" | "clock" | "meter" | "settings" | "table">;

/** What has become of the signatures for a leg while nothing of ours was under way for it. */
export type Credit =
  /** Somebody else has settled one of them: the leg is paid. */
  | { readonly kind: "settled"; readonly settlement: SettlementItem }
  /** One of them was spent, and the chain cannot tell for what. */
  | { readonly kind: "unclear" }
  /** None of them has paid. Those that live can still be charged, by whoever has them. */
  | { readonly kind: "unpaid"; readonly live: readonly SignedItem[] };

/**
 * Credits a charge by anybody else with a payment that the wallet signed for this leg, however late and through whatever
 * contract it came (invariant 1). Throws `upstream` when the chain cannot say.
 */
export async function creditOthers(ports: CreditPorts, item: SettlementItem): Promise<Credit> {
  const { paid, unclear, live } = await standingOf(ports, item);
  if (paid === undefined) return unclear ? { kind: "unclear" } : { kind: "unpaid", live };
  const settlement = await recordFirst(ports, { ...item, signed: paid.signed }, paid.proofs);
  if (settlement !== undefined) return { kind: "settled", settlement };
  const { wallet, pressId, leg } = item;
  const { data } = await ports.table.entities.settlement
    .get({ wallet, pressId, leg })
    .go({ consistent: true });
  // Every transfer was taken for another leg while we looked: the next look will find its own.
  if (data?.state !== "settled") return { kind: "unclear" };
  return { kind: "settled", settlement: data };
}

/** Ends a settlement in the first of the transfers that is free. `undefined`: none was, or it has ended meanwhile. */
export async function recordFirst(
  ports: CreditPorts,
  item: SettlementItem,
  proofs: readonly Proof[],
  answer?: Answering,
): Promise<SettlementItem | undefined> {
  for (const proof of proofs) {
    const settlement = await finish(ports, item, proof, answer);
    if (settlement !== undefined) return settlement;
  }
  return undefined;
}
