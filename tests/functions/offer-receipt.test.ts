import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  findAcceptsObjectFromSignedOffer,
  verifyOfferSignatureEIP712,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureEIP712,
} from "@x402/extensions/offer-receipt";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { makeTerms } from "../../core/payment/terms.ts";
import { addOffer, addReceipt, makeSignStatement } from "../../core/receipt/index.ts";
import { makePayingFetch } from "../../local/demo/index.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { makeManualClock } from "../core/press/newsroom.ts";
import { settings } from "../core/session/settings.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { usdg } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

const network = "eip155:4663";
const legs = ["treasury", "publisher"] as const;

describe("the x402 library's own functions read offers and receipts from answers over HTTP", () => {
  let pressId: number;
  let signer: string;
  const service = startPart(startTestService);
  beforeAll(async () => {
    ({ pressId } = await publishDemoPress(service));
    const found = await (await fetch(`${service.origin}/.well-known/x402`)).json();
    signer = z.object({ receipts: z.object({ signer: z.object({ address: z.string() }) }) }).parse(found)
      .receipts.signer.address;
  });

  const makeRequest = () => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pressId }),
  });
  const Terms = z.custom<Parameters<typeof extractOffersFromPaymentRequired>[0]>();
  const fetchTerms = async (leg: string) =>
    Terms.parse(await (await fetch(`${service.origin}/api/pay/${leg}`, makeRequest())).json());

  test.each(legs)(
    "the payment terms of %s contain one signed offer, which is the same for all callers",
    async (leg) => {
      const asked = await Promise.all([1, 2, 3].map(() => fetchTerms(leg)));
      const [first = await fetchTerms(leg)] = asked;
      const [offer, ...others] = extractOffersFromPaymentRequired(first);
      if (offer?.format !== "eip712") throw new Error("There is no offer.");
      expect(others).toEqual([]);
      expect((await verifyOfferSignatureEIP712(offer)).signer).toBe(signer);
      expect(findAcceptsObjectFromSignedOffer(offer, first.accepts)).toEqual(first.accepts[0]);
      expect(offer.payload).toMatchObject({
        resourceUrl: `${service.origin}/api/pay/${leg}#pressId=${pressId}`,
        validUntil: expect.toSatisfy((until: number) => until >= Math.floor(Date.now() / 1000) + 240),
      });
      expect(JSON.stringify(offer)).not.toContain("ticket");
      const signatures = new Set(
        asked.flatMap(extractOffersFromPaymentRequired).map(({ signature }) => signature),
      );
      // A new minute may begin between two requests, and a new minute brings a new offer.
      expect(signatures.size).toBeLessThanOrEqual(2);
    },
  );

  test("the payment-response header of each leg contains the same receipt as /api/receipts", async () => {
    const account = getTestAccount(7);
    const pay = makePayingFetch(account);
    for (const leg of legs) {
      const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(await fetchTerms(leg)));
      const reply = await pay(`${service.origin}/api/pay/${leg}?method=eip3009`, makeRequest());
      const receipt = extractReceiptFromResponse(reply);
      if (receipt?.format !== "eip712" || offer === undefined) throw new Error("There is no receipt.");
      expect((await verifyReceiptSignatureEIP712(receipt)).signer).toBe(signer);
      expect(verifyReceiptMatchesOffer(receipt, offer, [account.address])).toBe(true);
      const { tx } = z.object({ tx: z.string() }).parse(await reply.json());
      const { receipts } = z
        .object({ receipts: z.tuple([z.looseObject({ payload: z.unknown() })]) })
        .parse(await (await fetch(`${service.origin}/api/receipts/${tx}`)).json());
      expect(receipts[0].payload).toEqual(receipt.payload);
    }
  });
});

describe("the signer of offers and receipts has limited capacity", () => {
  const digest = (index: number) => `0x${String(index).padStart(64, "0")}` as const;
  const signature = `0x${"1b".repeat(65)}` as const;

  function openTestStatements(answer: () => Promise<typeof signature> = async () => signature) {
    const clock = makeManualClock("2026-11-20T12:00:00.000Z");
    const made: string[] = [];
    const logged: string[] = [];
    const hashed: number[] = [];
    const statements = makeSignStatement({
      signer: {
        address: async () => "0x00",
        sign: (of) => {
          made.push(of);
          return answer();
        },
      },
      clock: { now: clock.now, sleep: () => new Promise((resolve) => setTimeout(resolve, 20)) },
      log: { warn: (event) => void logged.push(event) },
    });
    const sign = (kind: "offer" | "receipt", index: number) =>
      statements(kind, { index }, () => {
        hashed.push(index);
        return digest(index);
      });
    return { sign, clock, made, logged, hashed };
  }

  test("the signer signs each offer only once, even if many callers ask for the offer", async () => {
    const { sign, made } = openTestStatements();
    await Promise.all(Array.from({ length: 50 }, () => sign("offer", 1)));
    expect(await sign("offer", 1)).toBe(signature);
    expect(made).toHaveLength(1);
  });

  test("the signer signs at most ten offers per minute, and at most thirty offers and receipts together", async () => {
    const { sign, made, clock, hashed } = openTestStatements();
    const offers = [];
    for (let index = 0; index < 40; index += 1) offers.push(await sign("offer", index));
    expect(offers.filter(Boolean)).toHaveLength(10);
    const receipts = [];
    for (let index = 100; index < 140; index += 1) receipts.push(await sign("receipt", index));
    expect(receipts.filter(Boolean)).toHaveLength(20);
    expect(made).toHaveLength(30);
    expect(hashed.map(digest)).toEqual(made);
    clock.pass(60_000);
    expect(await sign("offer", 99)).toBe(signature);
  });

  test("a payment continues without a receipt when the signing key is slow or fails, and the signer tries again", async () => {
    const slow = openTestStatements(
      () => new Promise((resolve) => setTimeout(() => resolve(signature), 200)),
    );
    expect(await slow.sign("receipt", 1)).toBeUndefined();
    const broken = openTestStatements(() => Promise.reject(new Error("ThrottlingException")));
    expect(await broken.sign("receipt", 1)).toBeUndefined();
    expect(broken.logged).toEqual(["statement_unsigned"]);
    await broken.sign("receipt", 1);
    expect(broken.made).toHaveLength(2);
  });

  test("unsigned terms and receipts say that the signature was not ready in time, and say where to get signed terms and receipts", async () => {
    const clock = makeManualClock();
    const signing = { statements: async () => undefined, settings, clock };
    const due = { leg: "fee", amount: 30_000n, payTo: usdg } as const;
    const plain = makeTerms(settings, due, { code: "payment_required", error: "" }, "");
    const { extensions } = await addOffer(signing, plain, "fee", 7);
    expect(extensions["offer-receipt"]).toMatchObject({
      info: { offers: [], unsigned: expect.stringContaining("valid without a signature") },
    });
    const transaction = digest(1);
    const receipt = { success: true, transaction, network, payer: getTestAccount(3).address };
    const paid = { receipt, settledAt: "2026-11-20T12:00:00.000Z" };
    const answered = await addReceipt(signing, paid, "fee", 7);
    expect(answered.extensions?.["offer-receipt"]).toMatchObject({
      info: { unsigned: `Not signed in time: GET ${settings.origin}/api/receipts/${transaction}` },
    });
    expect(answered).toMatchObject(receipt);
  });
});
