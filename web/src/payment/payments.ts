import { useSyncExternalStore } from "react";
import { queryClient } from "../api/client.ts";
import { pressDetail } from "../api/press.ts";
import { sessionChanged } from "../api/session.ts";
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
  const { queryKey } = pressDetail(purchase.slug);
  queryClient.setQueryData(queryKey, (detail) => detail && { ...detail, unlocked: true, body: phase.text });
  // The answer that brought the text has opened a session for the payer.
  void sessionChanged(wallet.toLowerCase());
}
