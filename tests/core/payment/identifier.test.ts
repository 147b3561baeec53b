import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { encodeHeader, pay } from "../../../core/payment/index.ts";
import type { Leg } from "../../../core/payment/schema.ts";
import * as Session from "../../../core/session/index.ts";
import { readSettlement } from "../../support/ledger.ts";
import { getTestAccount, listPress, makeSignedHeader, payLeg, startPayments } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { makeReaders, makeRefusal, repeatPatiently } from "./readers.ts";

const publisher = getTestAccount(4);
const makeId = (n: number) => `attempt-${String(n).padStart(10, "0")}`;

const payments = startPart(startPayments);
const { makePayingReader, listCharges } = makeReaders(payments);

/** The payment header with the extension in the form that clients send: the server's `info` with the client's `id` inside. */
function addIdentifier(header: string, id: unknown): string {
  const payload = z.looseObject({}).parse(JSON.parse(Buffer.from(header, "base64").toString()));
  return encodeHeader({
    ...payload,
    extensions: { "payment-identifier": { info: { required: false, id } } },
  });
}

type Payer = Pick<Awaited<ReturnType<typeof makePayingReader>>, "account" | "wallet" | "pressId">;

const sign = ({ account, pressId }: Payer, leg: Leg = "publisher") =>
  makeSignedHeader(payments, account, leg, pressId);
const buy = ({ pressId }: Payer, header: string, leg: Leg = "publisher") =>
  pay(payments.ports, { leg, pressId, header });

/**
 * Buys as an honest client does. The client repeats a request that was answered with 503, because on a busy machine twenty payments wait
 * for each other.
 */
const buyPatiently = async (payer: Payer, header: string) =>
  (await repeatPatiently(payments.ports, () => buy(payer, header))).value;

const both = [25_000n, 225_000n];
const conflict = { kind: "conflict", code: "payment_identifier_conflict" };

describe("a repeated payment with the same identifier and payload gets the text after the unlock", () => {
  test("a repeated payment after the unlock gets the text, the receipt and a session, and is not charged", async () => {
    const payer = await makePayingReader("publisher");
    const header = addIdentifier(await sign(payer), makeId(1));
    const first = await buy(payer, header);
    const again = await buy(payer, header);
    const text = `The text of ${payer.pressId}.`;
    expect(again).toMatchObject({ kind: "paid", already: false, unlocked: { body: text } });
    expect(again.receipt).toEqual(first.receipt);
    if (again.kind !== "paid" || again.unlocked?.token === undefined) throw new Error("No text");
    expect(await Session.find(payments.ports, again.unlocked.token)).toMatchObject({ wallet: payer.wallet });
    expect(await listCharges(payer)).toEqual(both);
  });

  test("twenty simultaneous repeats of a payment after the unlock are all answered with the text", async () => {
    const payer = await makePayingReader("publisher");
    const header = addIdentifier(await sign(payer), makeId(1));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => buyPatiently(payer, header)));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ unlocked: { body: `The text of ${payer.pressId}.` } });
    }
    expect(await listCharges(payer)).toEqual(both);
  });

  test("a repeated fee gets the same answer as the first fee", async () => {
    const payer = await makePayingReader("publisher");
    const other = { ...payer, pressId: await listPress(payments, publisher) };
    const header = addIdentifier(await sign(other, "fee"), makeId(1));
    const first = await buy(other, header, "fee");
    expect(await buy(other, header, "fee")).toEqual(first);
  });
});

test("a repeated payment whose identifier is older than seven days gets the answer that the press is already unlocked", async () => {
  const payer = await makePayingReader("publisher");
  const header = addIdentifier(await sign(payer), makeId(1));
  await buy(payer, header);
  const { identifier } = payments.ports.table.entities;
  await identifier.delete({ wallet: payer.wallet, identifier: makeId(1) }).go();
  await expect(buy(payer, header)).rejects.toMatchObject({ code: "already_unlocked" });
});

describe("another payment with a used identifier is answered as a conflict, and nothing is charged", () => {
  test("a used identifier with a freshly signed permit is refused, before and after the unlock", async () => {
    const payer = await makePayingReader("publisher");
    const header = addIdentifier(await sign(payer), makeId(1));
    const other = addIdentifier(await sign(payer), makeId(1));
    await buy(payer, header);
    await expect(buy(payer, other)).rejects.toMatchObject(conflict);
    expect(await listCharges(payer)).toEqual(both);
  });

  test("an identifier that was used for one leg of a purchase is refused for the other leg, even with the same payload", async () => {
    const payer = await makePayingReader("fee");
    const header = addIdentifier(await sign(payer, "fee"), makeId(1));
    await buy(payer, header, "fee");
    for (const other of [header, addIdentifier(await sign(payer), makeId(1))]) {
      await expect(buy(payer, other)).rejects.toMatchObject(conflict);
    }
    expect(await listCharges(payer)).toEqual([25_000n]);
  });

  test("a used identifier is refused for another press, even with the same payload", async () => {
    const payer = await makePayingReader("publisher");
    const header = addIdentifier(await sign(payer), makeId(1));
    await buy(payer, header);
    const other = await listPress(payments, publisher);
    await payLeg(payments, payer.account, "fee", other);
    await expect(buy({ ...payer, pressId: other }, header)).rejects.toMatchObject(conflict);
    expect(await readSettlement(payments.ports, payer.wallet, other, "publisher")).toBeNull();
  });

  test("if two simultaneous payments have the same identifier, only one of them is charged", async () => {
    const payer = await makePayingReader("publisher");
    const headers = [
      addIdentifier(await sign(payer), makeId(1)),
      addIdentifier(await sign(payer), makeId(1)),
    ];
    const outcomes = await Promise.all(
      headers.map((header) => buy(payer, header).catch((error: unknown) => error)),
    );
    expect(outcomes.filter((outcome) => outcome instanceof Error)).toEqual([
      expect.objectContaining(conflict),
    ]);
    expect(await listCharges(payer)).toEqual(both);
  });

  test("a repeated payment with another identifier gets the answer that the press is already unlocked", async () => {
    const payer = await makePayingReader("publisher");
    const header = await sign(payer);
    await buy(payer, addIdentifier(header, makeId(1)));
    await expect(buy(payer, addIdentifier(header, makeId(2)))).rejects.toMatchObject({
      code: "already_unlocked",
    });
    await expect(buy(payer, header)).rejects.toMatchObject({ code: "already_unlocked" });
  });
});

test("two wallets may use the same payment identifier", async () => {
  const [one, other] = [await makePayingReader("publisher"), await makePayingReader("publisher")];
  await buy(one, addIdentifier(await sign(one), makeId(1)));
  expect(await buy(other, addIdentifier(await sign(other), makeId(1)))).toMatchObject({ kind: "paid" });
});

describe("a payment identifier of a wrong form makes the payment header malformed", () => {
  let payer: Payer;
  beforeAll(async () => {
    payer = await makePayingReader("publisher");
  });

  test.each([
    ["too short", "a".repeat(15)],
    ["too long", "a".repeat(129)],
    ["of other letters", "attempt 0000000001"],
    ["a number", 1_234_567_890_123_456],
    ["null", null],
  ])("a payment with an identifier that is %s is refused", async (_, id) => {
    expect(await buy(payer, addIdentifier(await sign(payer), id))).toMatchObject(
      makeRefusal("malformed_payment_header"),
    );
    expect(await listCharges(payer)).toEqual([25_000n]);
  });
});

test.each(["a".repeat(16), "Z_-9".repeat(32)])(
  "a payment identifier of the right form is accepted: %s",
  async (id) => {
    const payer = await makePayingReader("publisher");
    const header = addIdentifier(await sign(payer), id);
    await buy(payer, header);
    expect(await buy(payer, header)).toMatchObject({ kind: "paid" });
  },
);

test("the identifier of a refused payment can be used again", async () => {
  const payer = await makePayingReader("publisher");
  const poor = await makeSignedHeader(payments, payer.account, "publisher", payer.pressId, { amount: 1n });
  expect(await buy(payer, addIdentifier(poor, makeId(1)))).toMatchObject({ kind: "terms" });
  expect(await buy(payer, addIdentifier(await sign(payer), makeId(1)))).toMatchObject({ kind: "paid" });
});
