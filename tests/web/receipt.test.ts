import { expect, test } from "vitest";
import { receiptOf } from "../../web/src/receipt/file.ts";
import { at, payee, tx, wallet } from "./payment/parts.ts";

const service = {
  network: {
    caip2: "eip155:4663",
    name: "Robinhood Chain",
    asset: { symbol: "USDG", address: payee, decimals: 6 },
  },
} as const;

test("a receipt names press, payer, price and both payments", () => {
  const bought = {
    pressId: 0,
    slug: "a-press",
    headline: "A press",
    stock: "AAPL",
    priceUnits: "500000",
    unlocked: true,
    payments: [
      { leg: "fee", tx: tx("1"), units: "50000", payTo: payee, at },
      { leg: "publisher", tx: tx("2"), units: "450000", payTo: payee, at },
    ],
  } as const;
  expect(receiptOf(bought, wallet, service, "https://site")).toEqual({
    type: "press-market-receipt",
    version: 1,
    press: { pressId: 0, headline: "A press", url: "https://site/press/a-press" },
    payer: wallet,
    price: { amount: "0.50", units: "500000" },
    asset: service.network.asset,
    network: "eip155:4663",
    payments: [
      { purpose: "platform fee", amount: "0.05", units: "50000", payTo: payee, transaction: tx("1"), at },
      { purpose: "publisher", amount: "0.45", units: "450000", payTo: payee, transaction: tx("2"), at },
    ],
  });
});
