import { useQueryClient } from "@tanstack/react-query";
import type { UnlockEntry } from "../../../core/history/schema.ts";
import { discovery } from "../api/discovery.ts";
import { AddressForm } from "../api/form.ts";
import { downloadReceipt, type Receipted, receiptOf } from "../payment/receipt.ts";
import { purchaseOf } from "../payment/record.ts";
import { history as words } from "../strings/history.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { splitPrice } from "../usdg.ts";
import { Entry } from "./entry.tsx";

type UnlocksProps = { readonly unlocks: readonly UnlockEntry[]; readonly wallet: string };

/** Unlocked presses with their receipts. */
export function Unlocks({ unlocks, wallet }: UnlocksProps) {
  return (
    <ul className="rounded-2xl border border-line bg-card shadow-card">
      {unlocks.map((entry) => (
        <Entry key={entry.tx} entry={entry}>
          <Receipt entry={entry} wallet={wallet} />
          <span className="figure font-semibold">
            {entry.priceUsdg.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 })}{" "}
            <span className="text-sm font-normal text-quiet">USDG</span>
          </span>
        </Entry>
      ))}
    </ul>
  );
}

type ReceiptProps = { readonly entry: UnlockEntry; readonly wallet: string };

function Receipt({ entry, wallet }: ReceiptProps) {
  const client = useQueryClient();
  const record = purchaseOf(entry.slug, wallet) ?? fromHistory(entry, wallet);
  const download = async () =>
    downloadReceipt(receiptOf(record, await client.ensureQueryData(discovery), window.location.origin));
  return (
    <Button size="small" onClick={() => void download()}>
      <Icon name="down" /> {words.receipt}
      <span className="sr-only">{words.receiptOf(entry.headline)}</span>
    </Button>
  );
}

/** What the service knows of a purchase that another browser made: the publisher's part. */
function fromHistory({ slug, headline, tx, at, priceUsdg }: UnlockEntry, wallet: string): Receipted {
  const priceUnits = String(Math.round(priceUsdg * 1e6));
  const publisher = { state: "paid", tx, amount: splitPrice(priceUnits).publisher, at } as const;
  return { wallet: AddressForm.parse(wallet), slug, headline, priceUnits, publisher };
}
