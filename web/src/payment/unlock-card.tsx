import { SignInButton } from "../session/sign-in.tsx";
import { payment as words } from "../strings/payment.ts";
import { Button, Spinner } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { formatUsdg } from "../usdg.ts";
import { unfinished } from "./record.ts";
import { paymentFor, usePayment } from "./runner.ts";
import { legPrice, type Purchase } from "./terms.ts";

type UnlockCardProps = { readonly purchase: Purchase; readonly onPay: () => void };

/** What the text costs, and the way to it. */
export default function UnlockCard({ purchase, onPay }: UnlockCardProps) {
  const payment = paymentFor(purchase);
  const { phase } = usePayment(payment);
  const begun = unfinished(purchase.pressId);
  const price = formatUsdg(purchase.priceUnits);
  const under = phase.name === "send" || phase.name === "pending";
  const start = () => {
    payment.tell({ type: "start" });
    onPay();
  };
  return (
    <section
      aria-labelledby="unlock"
      className="grid gap-5 rounded-3xl border border-line bg-card p-6 shadow-card sm:p-8"
    >
      <div className="grid gap-2">
        <h2 id="unlock" className="flex items-center gap-2.5 text-title">
          <Icon name="lock" className="size-5 text-accent" /> {words.unlockTitle}
        </h2>
        <p className="text-quiet">{begun === undefined ? words.unlockLead : words.resumeNote}</p>
      </div>
      <dl className="flex flex-wrap items-baseline gap-x-4">
        <dt className="sr-only">{words.priceLabel}</dt>
        <dd className="text-3xl font-semibold tracking-tight">
          {price} <span className="text-lg font-normal text-quiet">USDG</span>
        </dd>
        <dd className="text-sm text-quiet">
          {words.split(formatUsdg(legPrice(purchase, "fee")), formatUsdg(legPrice(purchase, "publisher")))}
        </dd>
      </dl>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" size="large" onClick={start}>
          {under && <Spinner />}
          {under ? words.under : begun === undefined ? words.unlock(price) : words.resume}
        </Button>
        <SignInButton>{words.alreadyBought}</SignInButton>
      </div>
      <p className="text-sm text-quiet">{words.readOnlyNote}</p>
    </section>
  );
}
