import { createEIP712OfferReceiptIssuer } from "@x402/extensions/offer-receipt";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterEach, expect, test, vi } from "vitest";
import { SignedReceipt } from "../../core/receipt/schema.ts";
import { makeReceipt } from "../../web/src/receipt/page.tsx";
import { isSigned } from "../../web/src/receipt/signed.ts";
import { at, payee, tx, wallet } from "./payment/parts.ts";

const service = {
  network: {
    caip2: "eip155:4663",
    name: "Robinhood Chain",
    asset: { symbol: "USDG", address: payee, decimals: 6 },
  },
} as const;

test("the printed receipt names press, payer, price and both payments", () => {
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
  expect(makeReceipt(bought, wallet, service, "https://site")).toEqual({
    type: "press-market-receipt",
    version: 1,
    press: { pressId: 0, headline: "A press", url: "https://site/press/a-press" },
    payer: wallet,
    price: { amount: "0.50", units: "500000" },
    asset: service.network.asset,
    network: "eip155:4663",
    payments: [
      { purpose: "platform fee", amount: "0.05", units: "50000", payTo: payee, transaction: tx("1"), at },
      { purpose: "author", amount: "0.45", units: "450000", payTo: payee, transaction: tx("2"), at },
    ],
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const signer = privateKeyToAccount(generatePrivateKey());
const paid = {
  payment: { leg: "publisher", tx: tx("2"), units: "450000", payTo: payee, at },
  pressId: 7,
  payer: wallet,
  network: "eip155:4663",
  origin: "https://site",
} as const;
const resource = "https://site/api/pay/publisher#pressId=7";

/** A receipt that the official package makes, issued at the time when the payment was settled. */
async function issue({
  by = signer,
  url = resource,
  payer = wallet,
  network = "eip155:4663",
  of = tx("2"),
} = {}) {
  vi.setSystemTime(new Date(at));
  const issuer = createEIP712OfferReceiptIssuer("did:pkh", (data) => by.signTypedData(data));
  return SignedReceipt.parse(await issuer.issueReceipt(url, payer, network, of));
}

/** The result that the page shows if the service answers with the given receipts. */
function find(receipts: readonly unknown[], named: string = signer.address) {
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(
      path === `/api/receipts/${tx("2")}` ? { receipts } : { receipts: { signer: { address: named } } },
    ),
  );
  return isSigned(paid);
}

test("a receipt of the official package is verified even if the answer has other receipts of the same transaction", async () => {
  const mine = await issue();
  const others = [await issue({ payer: payee }), await issue({ url: `${resource}1` })];
  expect(await find([...others, mine])).toBe(true);
  expect(await find(others)).toBe(false);
  expect(await find([])).toBe(false);
});

test("a receipt is not accepted if its signer, payer, press, leg, site, chain, transaction or time is wrong", async () => {
  const stranger = privateKeyToAccount(generatePrivateKey());
  const mine = await issue();
  const wrong = [
    await issue({ by: stranger }),
    await issue({ payer: payee }),
    await issue({ url: "https://site/api/pay/publisher#pressId=8" }),
    await issue({ url: "https://site/api/pay/treasury#pressId=7" }),
    await issue({ url: "https://elsewhere/api/pay/publisher#pressId=7" }),
    await issue({ network: "eip155:1" }),
    await issue({ of: tx("1") }),
    { ...mine, payload: { ...mine.payload, issuedAt: mine.payload.issuedAt + 1 } },
    { ...mine, signature: "0x" },
    { ...mine, signature: `0x${"00".repeat(65)}` },
  ];
  for (const receipt of wrong) expect([receipt, await find([receipt])]).toEqual([receipt, false]);
  expect(await find([mine], stranger.address)).toBe(false);
  await expect(find([mine], "nobody")).rejects.toMatchObject({ kind: "unreadable" });
});
