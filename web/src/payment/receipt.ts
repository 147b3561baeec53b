import type { Discovery } from "../api/discovery.ts";
import { formatUsdg } from "../usdg.ts";
import type { PurchaseRecord } from "./record.ts";

/** What a receipt is made of. The number of the press and the fee are unknown where it was paid in another browser. */
export type Receipted = Pick<PurchaseRecord, "wallet" | "slug" | "headline" | "priceUnits" | "publisher"> & {
  readonly pressId?: number;
  readonly fee?: PurchaseRecord["fee"];
};

/** A receipt as it is downloaded: both payments with their transactions, for people and for programs. */
export function receiptOf(record: Receipted, { network }: Pick<Discovery, "network">, origin: string) {
  const { fee, publisher, wallet, pressId, slug, headline, priceUnits } = record;
  const payment = (purpose: string, leg: PurchaseRecord["fee"]) =>
    leg?.state === "paid"
      ? [
          {
            purpose,
            amount: formatUsdg(leg.amount),
            units: leg.amount,
            payTo: leg.payTo ?? null,
            transaction: leg.tx,
            at: leg.at,
          },
        ]
      : [];
  return {
    type: "press-market-receipt",
    version: 1,
    press: { pressId: pressId ?? null, headline, url: `${origin}/press/${encodeURIComponent(slug)}` },
    payer: wallet,
    price: { amount: formatUsdg(priceUnits), units: priceUnits },
    asset: network.asset,
    network: network.caip2,
    payments: [...payment("platform fee", fee), ...payment("publisher", publisher)],
  };
}

function slugOf(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

/** Hands a receipt to the browser as a file. */
export function downloadReceipt(receipt: ReturnType<typeof receiptOf>): void {
  const file = new Blob([JSON.stringify(receipt, undefined, 2)], { type: "application/json" });
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = `receipt-${slugOf(receipt.press.url)}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
