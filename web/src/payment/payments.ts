import { useSyncExternalStore } from "react";
import { showText } from "../api/press.ts";
import { sessionAfterPayment } from "../api/session.ts";
import { letGo } from "./hold.ts";
import { perform } from "./perform.ts";
import type { Purchase } from "./purchase.ts";
import { forgetRecord, keepRecord } from "./record.ts";
import { makePayment, type Payment } from "./runner.ts";
import type { State } from "./state.ts";

/** The payments of this page by press: they go on while the reader looks at something else. */
const payments = new Map<number, Payment>();

export function paymentFor(purchase: Purchase): Payment {
  const known = payments.get(purchase.pressId);
  if (known !== undefined) return known;
  const payment = makePayment(purchase, {
    perform,
    keep: keepRecord,
    forget: ({ wallet }) => wallet !== undefined && forgetRecord(purchase.pressId, wallet),
  });
  payment.watch(() => ended(payment.state()));
  payments.set(purchase.pressId, payment);
  return payment;
}

/** A payment's state, in a component. */
export function usePayment(payment: Payment): State {
  return useSyncExternalStore(payment.watch, payment.state);
}

function ended({ phase, purchase, wallet }: State): void {
  if (phase.name !== "idle" && phase.name !== "read" && phase.name !== "unlocked") return;
  letGo(purchase.pressId);
  if (phase.name !== "read" || wallet === undefined) return;
  showText(purchase.slug, phase.text);
  void sessionAfterPayment(wallet.toLowerCase());
}
