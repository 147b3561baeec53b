import { lazy, Suspense, useEffect } from "react";
import { isUnanswered, unfinished } from "./record.ts";
import { paymentFor } from "./runner.ts";
import type { Purchase } from "./terms.ts";

const PaymentDialog = lazy(() => import("./dialog.tsx"));

type PaymentHostProps = {
  readonly purchase: Purchase;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
};

/** The dialog of a press's payment. One that a reload broke off, signed and unanswered, opens and goes on by itself. */
export default function PaymentHost({ purchase, open, onOpen }: PaymentHostProps) {
  const payment = paymentFor(purchase);
  const { pressId } = purchase;
  useEffect(() => {
    const begun = unfinished(pressId);
    if (begun === undefined || !isUnanswered(begun)) return;
    payment.tell({ type: "start" });
    onOpen(true);
  }, [payment, pressId, onOpen]);
  useEffect(() => {
    // What shows the text is there when the text is.
    if (open) void import("../ui/markdown.tsx");
  }, [open]);
  if (!open) return null;
  return (
    <Suspense>
      <PaymentDialog payment={payment} onClose={() => onOpen(false)} />
    </Suspense>
  );
}
