import { createEIP712OfferReceiptIssuer } from "@x402/extensions/offer-receipt";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterEach, expect, test, vi } from "vitest";
import { SignedReceipt } from "../../core/receipt/schema.ts";
import { verifyReceipt } from "../../web/src/receipt/signed.ts";
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

/** Makes a signed receipt with the official package; the receipt's time of issue is the time when the payment was settled. */
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
function findResult(receipts: readonly unknown[], signerAddress: string = signer.address) {
  const none = { error: "There is no receipt of this transaction.", code: "unknown_receipt" };
  vi.stubGlobal("fetch", async (path: string) => {
    if (path !== `/api/receipts/${makeTxHash("2")}`) return Response.error();
    return receipts.length > 0 ? Response.json({ receipts }) : Response.json(none, { status: 404 });
  });
  return verifyReceipt({ ...paid, signer: signerAddress });
}

test("a receipt that the official package makes is verified even if the answer has other receipts of the same transaction", async () => {
  const mine = await signReceipt();
  const others = [await signReceipt({ payer: payee }), await signReceipt({ url: `${resource}1` })];
  expect(await findResult([...others, mine])).toBe("verified");
  expect(await findResult(others)).toBe("missing");
  expect(await findResult([])).toBe("missing");
});

test("a receipt is not accepted if its payer, press, leg, site, chain, transaction or time is wrong", async () => {
  const mine = await signReceipt();
  const wrong = [
    await signReceipt({ payer: payee }),
    await signReceipt({ url: "https://site/api/pay/publisher#pressId=8" }),
    await signReceipt({ url: "https://site/api/pay/treasury#pressId=7" }),
    await signReceipt({ url: "https://elsewhere/api/pay/publisher#pressId=7" }),
    await signReceipt({ network: "eip155:1" }),
    await signReceipt({ of: makeTxHash("1") }),
    { ...mine, payload: { ...mine.payload, issuedAt: mine.payload.issuedAt + 1 } },
  ];
  for (const receipt of wrong) expect([receipt, await findResult([receipt])]).toEqual([receipt, "missing"]);
});

test("a receipt is forged if it names this payment but another key has signed it, and is not judged while the service's key is unknown", async () => {
  const stranger = privateKeyToAccount(generatePrivateKey());
  const mine = await signReceipt();
  const forged = [
    await signReceipt({ by: stranger }),
    { ...mine, signature: "0x" },
    { ...mine, signature: `0x${"00".repeat(65)}` },
  ];
  for (const receipt of forged) expect([receipt, await findResult([receipt])]).toEqual([receipt, "forged"]);
  expect(await findResult([mine], stranger.address)).toBe("forged");
  await expect(verifyReceipt({ ...paid, signer: undefined })).rejects.toThrow("Invalid input");
});
