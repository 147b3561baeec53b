import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Purchase as Bought } from "../../../core/history/schema.ts";
import { purchases } from "../api/press.ts";
import { AddressForm, HashForm, queryClient } from "../api/request.ts";
import { me } from "../api/session.ts";
import {
  type Leg,
  type LegRecord,
  type Paid,
  type Purchase,
  type PurchaseRecord,
  recordOf,
  unfinished,
} from "./purchase.ts";

/** Seconds for which a signature that waits must still be good to be worth keeping. */
const leastLife = 60;

/**
 * What is known of a wallet's purchase of a press: by this browser and, where the wallet is signed in, by the service. So
 * another browser does not ask for a fee that is paid.
 */
export async function knownPurchase(purchase: Purchase, wallet: string): Promise<PurchaseRecord | undefined> {
  const { pressId, slug, headline, priceUnits } = purchase;
  const kept = recordOf(pressId, wallet);
  if (kept?.fee?.state === "signed" || kept?.fee?.state === "paid") return kept;
  const record =
    kept === undefined ? undefined : { ...kept, fee: usable(kept.fee), publisher: usable(kept.publisher) };
  const fee = paidLeg(await paidBy(pressId, wallet), "fee");
  if (fee === undefined) return record;
  return {
    wallet: AddressForm.parse(wallet),
    pressId,
    slug,
    headline,
    priceUnits,
    publisher: undefined,
    ...record,
    fee,
  };
}

function usable(leg: LegRecord): LegRecord {
  return leg?.state === "ready" && leg.until < Date.now() / 1000 + leastLife ? undefined : leg;
}

/** What the service says that the wallet has paid, if the session is the wallet's and the service answers. */
async function paidBy(pressId: number, wallet: string): Promise<Bought | undefined> {
  try {
    if ((await queryClient.ensureQueryData(me)) !== wallet.toLowerCase()) return undefined;
    const bought = await queryClient.fetchQuery(purchases);
    return bought.find((each) => each.pressId === pressId);
  } catch (error) {
    // Without it the wallet is asked, and the service takes nothing twice.
    console.warn("What was paid before could not be read.", error);
    return undefined;
  }
}

/** A payment as the service lists it, in the form in which this browser keeps its own. */
function paidLeg(bought: Pick<Bought, "payments"> | undefined, name: Leg): Paid | undefined {
  const found = bought?.payments.find(({ leg }) => leg === name);
  if (found === undefined) return undefined;
  const { tx, units, payTo, at } = found;
  return { state: "paid", tx: HashForm.parse(tx), amount: units, payTo: AddressForm.parse(payTo), at };
}

/** The fee that was paid for a press whose publisher is not, in this browser or by the signed-in wallet. */
export function useHalfPaid({ pressId }: Pick<Purchase, "pressId">): Paid | undefined {
  const { data: address } = useQuery(me);
  const { data } = useQuery({ ...purchases, enabled: typeof address === "string" });
  const here = unfinished(pressId)?.fee;
  if (here?.state === "paid") return here;
  const there = data?.find((each) => each.pressId === pressId);
  return there?.unlocked === false ? paidLeg(there, "fee") : undefined;
}

/** Presses whose payment is being sent: what pays tells it, so that a page that only shows a price does without that code. */
const sending = new Set<number>();
const listeners = new Set<() => void>();

export function setUnderWay(pressId: number, isSending: boolean): void {
  if (sending.has(pressId) === isSending) return;
  if (isSending) sending.add(pressId);
  else sending.delete(pressId);
  for (const listener of listeners) listener();
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a payment for the press is being sent. */
export function useUnderWay(pressId: number): boolean {
  return useSyncExternalStore(watch, () => sending.has(pressId));
}
