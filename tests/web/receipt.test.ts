import { createEIP712OfferReceiptIssuer } from "@x402/extensions/offer-receipt";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterEach, expect, test, vi } from "vitest";
import { SignedReceipt } from "../../core/receipt/schema.ts";
import { hasReceipt } from "../../web/src/receipt/signed.ts";
import { at, makeTxHash, payee, wallet } from "./payment/parts.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const signer = privateKeyToAccount(generatePrivateKey());
const paid = {
  payment: { leg: "publisher", tx: makeTxHash("2"), units: "450000", payTo: payee, at },
  pressId: 7,
  payer: wallet,
  network: "eip155:4663",
  origin: "https://site",
} as const;
const resource = "https://site/api/pay/publisher#pressId=7";

/** A receipt that the official package makes, issued at the time when the payment was settled. */
async function signReceipt({
  by = signer,
  url = resource,
  payer = wallet,
  network = "eip155:4663",
  of = makeTxHash("2"),
} = {}) {
  vi.setSystemTime(new Date(at));
  const issuer = createEIP712OfferReceiptIssuer("did:pkh", (data) => by.signTypedData(data));
  return SignedReceipt.parse(await issuer.issueReceipt(url, payer, network, of));
}

/** Returns the result that the page shows if the service answers with the given receipts. */
function find(receipts: readonly unknown[], named: string = signer.address) {
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(
      path === `/api/receipts/${makeTxHash("2")}`
        ? { receipts }
        : { receipts: { signer: { address: named } } },
    ),
  );
  return hasReceipt(paid);
}

test("a receipt that the official package makes is verified even if the answer has other receipts of the same transaction", async () => {
  const mine = await signReceipt();
  const others = [await signReceipt({ payer: payee }), await signReceipt({ url: `${resource}1` })];
  expect(await find([...others, mine])).toBe(true);
  expect(await find(others)).toBe(false);
  expect(await find([])).toBe(false);
});

test("a receipt is not accepted if its signer, payer, press, leg, site, chain, transaction or time is wrong", async () => {
  const stranger = privateKeyToAccount(generatePrivateKey());
  const mine = await signReceipt();
  const wrong = [
    await signReceipt({ by: stranger }),
    await signReceipt({ payer: payee }),
    await signReceipt({ url: "https://site/api/pay/publisher#pressId=8" }),
    await signReceipt({ url: "https://site/api/pay/treasury#pressId=7" }),
    await signReceipt({ url: "https://elsewhere/api/pay/publisher#pressId=7" }),
    await signReceipt({ network: "eip155:1" }),
    await signReceipt({ of: makeTxHash("1") }),
    { ...mine, payload: { ...mine.payload, issuedAt: mine.payload.issuedAt + 1 } },
    { ...mine, signature: "0x" },
    { ...mine, signature: `0x${"00".repeat(65)}` },
  ];
  for (const receipt of wrong) expect([receipt, await find([receipt])]).toEqual([receipt, false]);
  expect(await find([mine], stranger.address)).toBe(false);
  await expect(find([mine], "nobody")).rejects.toMatchObject({ kind: "unreadable" });
});
