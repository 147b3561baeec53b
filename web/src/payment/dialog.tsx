import { payment as words } from "../strings/payment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/overlay.tsx";
import { formatUsdg } from "../usdg.ts";
import { Ending } from "./ending.tsx";
import { usePayment } from "./payments.ts";
import { legPrice } from "./purchase.ts";
import type { Payment } from "./runner.ts";
import { PaymentSteps } from "./steps-view.tsx";

type PaymentDialogProps = { readonly payment: Payment; readonly onClose: () => void };

/** A payment from the first step to the text. Closing it ends what is not signed yet, and nothing else. */
export default function PaymentDialog({ payment, onClose }: PaymentDialogProps) {
  const state = usePayment(payment);
  const { phase, purchase } = state;
  const close = () => {
    payment.tell({ type: "leave" });
    onClose();
  };
  if (phase.name === "read" || phase.name === "unlocked") return <Ending state={state} onClose={onClose} />;
  return (
    <Dialog open onClose={close} title={words.title} lead={purchase.headline}>
      <div className="grid gap-5">
        <div className="grid rounded-2xl bg-sunk px-4 py-3">
          <p className="flex items-baseline justify-between gap-4">
            <span className="text-sm text-quiet">{words.total}</span>
            <strong className="figure text-title font-semibold">
              {formatUsdg(purchase.priceUnits)} USDG
            </strong>
          </p>
          <p className="figure text-right text-xs text-quiet">
            {words.split(formatUsdg(legPrice(purchase, "fee")), formatUsdg(legPrice(purchase, "publisher")))}
          </p>
        </div>
        <PaymentSteps state={state} tell={payment.tell} onBack={close} />
        {(phase.name === "send" || phase.name === "pending") && (
          <p className="text-center text-xs text-quiet">{words.closeWhile}</p>
        )}
        {phase.name === "idle" && (
          <Button look="primary" size="large" onClick={() => payment.tell({ type: "start" })}>
            {words.start}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
