import { useEffect } from "react";
import type { Press } from "../../../core/press/schema.ts";
import { formatDay, formatUnitsAsDollars } from "../format.ts";
import { SignInButton, useSession } from "../session/sign-in.tsx";
import { unlock as words } from "../strings/reader.ts";
import { Button, Spinner } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { ExplorerLink } from "../ui/page.tsx";
import { makeLazyPart, PartBoundary } from "../ui/part.tsx";
import {
  computeLegPrice,
  findOpenRecord,
  isUnanswered,
  type Purchase,
  usePaidFee,
  useSending,
} from "./purchase.ts";

type UnlockCardProps = {
  readonly purchase: Purchase & Pick<Press, "priceChangedAt" | "unlistedAt">;
  readonly onPay: () => void;
};

const card = "grid gap-5 rounded-3xl border border-line bg-card p-6 shadow-card sm:p-8";

/** Shows the price of the text, the part that is already paid, and the button to pay. */
export function UnlockCard({ purchase, onPay }: UnlockCardProps) {
  const { address } = useSession();
  const { fee, left: rest = computeLegPrice(purchase, "publisher") } = usePaidFee(purchase) ?? {};
  const price = formatUnitsAsDollars(purchase.priceUnits);
  const left = formatUnitsAsDollars(rest);
  const under = useSending(purchase.pressId);
  const signIn = address === null && <SignInButton>{words.alreadyBought}</SignInButton>;
  // A reader who has paid the fee can complete the purchase, even if the press is off sale.
  if (purchase.unlistedAt !== null && fee === undefined && !under) {
    return (
      <section aria-labelledby="unlock" className={card}>
        <h2 id="unlock" className="text-title">
          {words.offSaleTitle}
        </h2>
        <p className="text-quiet">{words.offSale}</p>
        {signIn !== false && <span className="-ml-4">{signIn}</span>}
      </section>
    );
  }
  return (
    <section aria-labelledby="unlock" className={card}>
      <div className="grid gap-2">
        <h2 id="unlock" className="flex items-center gap-2.5 text-title">
          <Icon name="lock" className="size-5 text-accent" />{" "}
          {fee === undefined ? words.unlockTitle : words.halfTitle}
        </h2>
        <p className="text-quiet">
          {fee === undefined
            ? words.unlockLead
            : words.half({ fee: formatUnitsAsDollars(fee.amount), publisher: left })}
        </p>
        {fee !== undefined && (
          <p className="text-sm">
            <ExplorerLink kind="transaction" value={fee.tx} />
          </p>
        )}
      </div>
      <dl className="flex flex-wrap items-baseline gap-x-4">
        <dt className="sr-only">{fee === undefined ? words.priceLabel : words.leftToPay}</dt>
        <dd className="text-3xl font-semibold tracking-tight">{fee === undefined ? price : left}</dd>
        {fee === undefined && (
          <dd className="text-sm text-quiet">
            {words.split(formatUnitsAsDollars(computeLegPrice(purchase, "fee")), left)}
          </dd>
        )}
        {fee === undefined && purchase.priceChangedAt !== null && (
          <dd className="basis-full text-sm text-quiet">
            {words.priceSince} {formatDay(purchase.priceChangedAt)}
          </dd>
        )}
      </dl>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" size="large" onClick={onPay}>
          {under && <Spinner />}
          {under ? words.under : fee === undefined ? words.unlock(price) : words.resume(left)}
        </Button>
        {/* On phones, the sign-in button starts a new line, aligned with the other lines. */}
        <span className="max-sm:-ml-4">{signIn}</span>
      </div>
      {fee === undefined && <p className="text-sm text-quiet">{words.readOnlyNote}</p>}
    </section>
  );
}

const PaymentDialog = makeLazyPart(async () => {
  // Preloads the code that shows the text.
  import("../ui/markdown.tsx").catch(() => undefined);
  return (await import("./dialog/dialog.tsx")).default;
});

type PaymentHostProps = {
  readonly purchase: Purchase;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
};

/** The dialog of a press's payment. The dialog opens by itself if a payment was sent before a reload and has no answer. */
export function PaymentHost({ purchase, open, onOpen }: PaymentHostProps) {
  const { pressId } = purchase;
  useEffect(() => {
    const begun = findOpenRecord(pressId);
    if (begun !== undefined && isUnanswered(begun)) onOpen(true);
  }, [pressId, onOpen]);
  const close = () => onOpen(false);
  return (
    open && (
      <PartBoundary onClose={close}>
        <PaymentDialog purchase={purchase} onClose={close} />
      </PartBoundary>
    )
  );
}
