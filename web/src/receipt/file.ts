import type { Purchase } from "../../../core/history/schema.ts";
import type { Discovery } from "../api/discovery.ts";
import { formatUsdg } from "../format.ts";
import { pressPath } from "../site.ts";

const purposes = { fee: "platform fee", publisher: "publisher" } as const;

/** A receipt as it is downloaded: both payments with their transactions, for people and for programs. */
export function receiptOf(
  { pressId, slug, headline, priceUnits, payments }: Purchase,
  payer: string,
  { network }: Pick<Discovery, "network">,
  origin: string,
) {
  return {
    type: "press-market-receipt",
    version: 1,
    press: { pressId, headline, url: origin + pressPath(slug) },
    payer,
    price: { amount: formatUsdg(priceUnits), units: priceUnits },
    asset: network.asset,
    network: network.caip2,
    payments: payments.map(({ leg, units, payTo, tx, at }) => ({
      purpose: purposes[leg],
      amount: formatUsdg(units),
      units,
      payTo,
      transaction: tx,
      at,
    })),
  };
}

/** Hands a receipt to the browser as a file. */
export function downloadReceipt(slug: string, receipt: ReturnType<typeof receiptOf>): void {
  const file = new Blob([JSON.stringify(receipt, undefined, 2)], { type: "application/json" });
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = `receipt-${slug}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
