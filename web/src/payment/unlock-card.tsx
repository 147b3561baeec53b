import { SignInButton, useSession } from "../session/sign-in.tsx";
import { unlock as words } from "../strings/unlock.ts";
import { Button, Spinner } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Hex } from "../ui/text.tsx";
import { dollars } from "../usdg.ts";
import { useHalfPaid, useUnderWay } from "./standing.ts";
import { legPrice, type Purchase } from "./terms.ts";

type UnlockCardProps = { readonly purchase: Purchase; readonly onPay: () => void };

/** What the text costs, what of it is paid, and the way to it. */
export default function UnlockCard({ purchase, onPay }: UnlockCardProps) {
  const { address } = useSession();
  const fee = useHalfPaid(purchase);
  const price = dollars(purchase.priceUnits);
  const left = dollars(legPrice(purchase, "publisher"));
  const under = useUnderWay(purchase.pressId);
  return (
    <section
      aria-labelledby="unlock"
      className="grid gap-5 rounded-3xl border border-line bg-card p-6 shadow-card sm:p-8"
    >
      <div className="grid gap-2">
        <h2 id="unlock" className="flex items-center gap-2.5 text-title">
          <Icon name="lock" className="size-5 text-accent" />{" "}
          {fee === undefined ? words.unlockTitle : words.halfTitle}
        </h2>
        <p className="text-quiet">
          {fee === undefined ? words.unlockLead : words.half({ fee: dollars(fee.amount), publisher: left })}
        </p>
        {fee !== undefined && (
          <p className="text-sm">
            <Hex kind="transaction" value={fee.tx} />
          </p>
        )}
      </div>
      <dl className="flex flex-wrap items-baseline gap-x-4">
        <dt className="sr-only">{fee === undefined ? words.priceLabel : words.leftToPay}</dt>
        <dd className="text-3xl font-semibold tracking-tight">{fee === undefined ? price : left}</dd>
        {fee === undefined && (
          <dd className="text-sm text-quiet">{words.split(dollars(legPrice(purchase, "fee")), left)}</dd>
        )}
      </dl>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" size="large" onClick={onPay}>
          {under && <Spinner />}
          {under ? words.under : fee === undefined ? words.unlock(price) : words.resume(left)}
        </Button>
        {address === null && (
          // On phones it stands on a line of its own, where its words begin as the others do.
          <span className="max-sm:-ml-4">
            <SignInButton>{words.alreadyBought}</SignInButton>
          </span>
        )}
      </div>
      {fee === undefined && <p className="text-sm text-quiet">{words.readOnlyNote}</p>}
    </section>
  );
}
