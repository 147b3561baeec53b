import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasUnlocked, pay } from "../../../core/payment/index.ts";
import * as Session from "../../../core/session/index.ts";
import {
  approve,
  balanceOf,
  listPress,
  type Payments,
  payLeg,
  signedHeader,
  startPayments,
  termsOf,
  testAccount,
  treasury,
} from "../../support/payment.ts";

let payments: Payments;
const publisher = testAccount(4);
const reader = testAccount(5);

beforeAll(async () => {
  payments = await startPayments();
  await approve(payments, reader);
});
afterAll(() => payments.stop());

describe("specification §4.4: the two legs of a purchase", () => {
  test("the fee goes to the treasury, the rest to the owner, and the text to the reader", async () => {
    const pressId = await listPress(payments, publisher, 250_001n);
    const before = {
      treasury: await balanceOf(payments, treasury),
      publisher: await balanceOf(payments, publisher.address),
    };

    const fee = await payLeg(payments, reader, "fee", pressId);
    expect(fee).toMatchObject({
      kind: "paid",
      already: false,
      unlocked: undefined,
      receipt: { success: true },
    });
    expect((await balanceOf(payments, treasury)) - before.treasury).toBe(25_000n);

    const text = await payLeg(payments, reader, "publisher", pressId);
    expect(text).toMatchObject({ kind: "paid", unlocked: { body: `The text of ${pressId}.` } });
    expect((await balanceOf(payments, publisher.address)) - before.publisher).toBe(225_001n);

    expect(await hasUnlocked(payments.ports, `0x${reader.address.slice(2).toLowerCase()}`, pressId)).toBe(
      true,
    );
    if (text.kind !== "paid" || text.unlocked?.token === undefined) throw new Error("No text");
    expect(await Session.find(payments.ports, text.unlocked.token)).toEqual({
      wallet: reader.address.toLowerCase(),
      origin: "payment",
    });
    const { data } = await payments.ports.table.entities.press.get({ id: pressId + 1000 }).go();
    // What was settled, and not what a split of the price would be.
    expect(data).toMatchObject({ reads: 1, earnedUnits: 225_001, otherReads: 1, readFees: 25_000 });
  });

  test("a fee paid before is paid already, with the original receipt, and nothing is settled again", async () => {
    const pressId = await listPress(payments, publisher);
    const first = await payLeg(payments, reader, "fee", pressId);
    const before = await balanceOf(payments, reader.address);
    const again = await payLeg(payments, reader, "fee", pressId);
    expect(again).toMatchObject({ kind: "paid", already: true });
    expect(again.receipt).toEqual(first.receipt);
    expect(await balanceOf(payments, reader.address)).toBe(before);
  });

  test("the publisher's leg before the fee is a conflict, and charges nothing", async () => {
    const pressId = await listPress(payments, publisher);
    const before = await balanceOf(payments, reader.address);
    await expect(payLeg(payments, reader, "publisher", pressId)).rejects.toMatchObject({
      kind: "conflict",
      code: "fee_first",
      message: "Pay the platform fee first.",
    });
    expect(await balanceOf(payments, reader.address)).toBe(before);
  });

  test("a second purchase is a conflict, and charges nothing", async () => {
    const pressId = await listPress(payments, publisher);
    await payLeg(payments, reader, "fee", pressId);
    await payLeg(payments, reader, "publisher", pressId);
    const before = await balanceOf(payments, reader.address);
    await expect(payLeg(payments, reader, "publisher", pressId)).rejects.toMatchObject({
      kind: "conflict",
      code: "already_unlocked",
      message: "You've already unlocked this press.",
    });
    expect(await balanceOf(payments, reader.address)).toBe(before);
  });

  test("no live press with that id is missing, with or without a payment", async () => {
    await expect(pay(payments.ports, { leg: "fee", pressId: 999, header: undefined })).rejects.toMatchObject({
      kind: "missing",
    });
    const pressId = await listPress(payments, publisher);
    const header = await signedHeader(payments, reader, "fee", pressId);
    await expect(pay(payments.ports, { leg: "fee", pressId: 999, header })).rejects.toMatchObject({
      kind: "missing",
    });
  });
});

describe("402", () => {
  test("terms without a payment name the amount, the payee and the permit's spender", async () => {
    const pressId = await listPress(payments, publisher, 10_000n);
    const { terms } = await termsOf(payments, "publisher", pressId);
    expect(terms).toEqual({
      extensions: {
        "payment-identifier": { info: { required: false }, schema: expect.any(Object) },
        terms: {
          draft: true,
          info: { format: "uri", terms: "http://localhost:3000/terms", version: expect.any(String) },
        },
      },
      x402Version: 2,
      error: expect.stringContaining("Payment required"),
      code: "payment_required",
      accepts: [
        {
          scheme: "exact",
          network: "eip155:4663",
          amount: "9000",
          asset: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168",
          payTo: publisher.address,
          maxTimeoutSeconds: 300,
          extra: {
            assetTransferMethod: "permit2",
            spender: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
            name: "USDG",
            ticket: expect.stringMatching(/^[\w-]{43}$/),
          },
        },
        expect.objectContaining({ extra: expect.objectContaining({ assetTransferMethod: "eip3009" }) }),
      ],
      resource: expect.objectContaining({
        url: "http://localhost:3000/api/pay/publisher",
        description: "The text of a news article",
        mimeType: "application/json",
      }),
    });
  });

  test.each([
    ["another amount", { amount: 1n }, "permit2_amount_mismatch"],
    ["another recipient", { to: reader.address }, "invalid_permit2_recipient_mismatch"],
    ["another token", { token: reader.address }, "permit2_token_mismatch"],
    ["another spender", { spender: reader.address }, "invalid_permit2_spender"],
  ])("%s doesn't match: fresh terms, nothing charged", async (_, changes, code) => {
    const pressId = await listPress(payments, publisher);
    const before = await balanceOf(payments, reader.address);
    const lowered = Object.fromEntries(
      Object.entries(changes).map(([key, value]) => [
        key,
        typeof value === "string" ? value.toLowerCase() : value,
      ]),
    );
    const header = await signedHeader(payments, reader, "fee", pressId, lowered);
    const outcome = await pay(payments.ports, { leg: "fee", pressId, header });
    expect(outcome).toMatchObject({
      kind: "terms",
      terms: { code, error: expect.stringContaining("doesn't match the current price or recipient") },
    });
    expect(await balanceOf(payments, reader.address)).toBe(before);
  });

  test("a wallet without the allowance is told to approve Permit2", async () => {
    const pressId = await listPress(payments, publisher);
    expect(await payLeg(payments, testAccount(6), "fee", pressId)).toMatchObject({
      kind: "terms",
      terms: { code: "permit2_allowance_required" },
    });
  });

  test("a wallet without enough USDG hears permit2_insufficient_balance", async () => {
    const pressId = await listPress(payments, publisher, 1_000_000_000_000n);
    expect(await payLeg(payments, reader, "fee", pressId)).toMatchObject({
      kind: "terms",
      terms: { code: "permit2_insufficient_balance" },
    });
  });

  test("an expired permit is refused, and so is one that is not valid yet", async () => {
    const pressId = await listPress(payments, publisher);
    const now = BigInt(Math.floor(Date.now() / 1000));
    for (const [changes, code] of [
      [{ deadline: now }, "permit2_deadline_expired"],
      [{ validAfter: now + 60n }, "permit2_not_yet_valid"],
    ] as const) {
      const header = await signedHeader(payments, reader, "fee", pressId, changes);
      expect(await pay(payments.ports, { leg: "fee", pressId, header })).toMatchObject({ terms: { code } });
    }
  });

  test.each(["", "%%%", "bm90IGpzb24=", Buffer.from("{}").toString("base64"), "a".repeat(9000)])(
    "a malformed header is told so (%#)",
    async (header) => {
      const pressId = await listPress(payments, publisher);
      expect(await pay(payments.ports, { leg: "fee", pressId, header })).toMatchObject({
        kind: "terms",
        terms: {
          code: "malformed_payment_header",
          error: expect.stringContaining("Malformed payment header"),
        },
      });
    },
  );

  test("somebody else's signature is not the payer's", async () => {
    const pressId = await listPress(payments, publisher);
    const header = await signedHeader(payments, reader, "fee", pressId, {
      from: `0x${publisher.address.slice(2).toLowerCase()}`,
    });
    expect(await pay(payments.ports, { leg: "fee", pressId, header })).toMatchObject({
      terms: { code: "invalid_permit2_signature" },
    });
  });
});

describe("a payment is settled once", () => {
  test("fifty copies of one payment at once charge once, and each hears that it is paid", async () => {
    const pressId = await listPress(payments, publisher);
    const before = await balanceOf(payments, reader.address);
    const header = await signedHeader(payments, reader, "fee", pressId);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => pay(payments.ports, { leg: "fee", pressId, header })),
    );
    expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(["paid"]));
    expect(new Set(outcomes.map((outcome) => outcome.receipt?.transaction)).size).toBe(1);
    expect(before - (await balanceOf(payments, reader.address))).toBe(25_000n);
  });

  test("a permit presented for one press buys no other", async () => {
    const [one, other] = [await listPress(payments, publisher), await listPress(payments, publisher)];
    const header = await signedHeader(payments, reader, "fee", one);
    await pay(payments.ports, { leg: "fee", pressId: one, header });
    expect(await pay(payments.ports, { leg: "fee", pressId: other, header })).toMatchObject({
      kind: "terms",
      terms: { code: "permit2_invalid_nonce" },
    });
  });
});
