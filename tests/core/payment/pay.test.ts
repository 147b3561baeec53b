import { afterAll, beforeAll, expect, test } from "vitest";
import { hasUnlocked, pay } from "../../../core/payment/index.ts";
import * as Session from "../../../core/session/index.ts";
import {
  approve,
  listPress,
  makeSignedHeader,
  type Payments,
  payLeg,
  readBalance,
  startPayments,
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

test("the fee goes to the treasury, the rest of the price goes to the owner, and the text goes to the reader", async () => {
  const pressId = await listPress(payments, publisher, 250_001n);
  const before = {
    treasury: await readBalance(payments, treasury),
    publisher: await readBalance(payments, publisher.address),
  };

  const fee = await payLeg(payments, reader, "fee", pressId);
  expect(fee).toMatchObject({
    kind: "paid",
    already: false,
    unlocked: undefined,
    receipt: { success: true },
  });
  expect((await readBalance(payments, treasury)) - before.treasury).toBe(25_000n);

  const text = await payLeg(payments, reader, "publisher", pressId);
  expect(text).toMatchObject({ kind: "paid", unlocked: { body: `The text of ${pressId}.` } });
  expect((await readBalance(payments, publisher.address)) - before.publisher).toBe(225_001n);

  expect(await hasUnlocked(payments.ports, `0x${reader.address.slice(2).toLowerCase()}`, pressId)).toBe(true);
  if (text.kind !== "paid" || text.unlocked?.token === undefined) throw new Error("No text");
  expect(await Session.find(payments.ports, text.unlocked.token)).toEqual({
    wallet: reader.address.toLowerCase(),
    origin: "payment",
  });
  const { data } = await payments.ports.table.entities.press.get({ id: pressId + 1000 }).go();
  // The counted amounts are the settled amounts, not the amounts of a new split of the price.
  expect(data).toMatchObject({ reads: 1, earnedUnits: 225_001, otherReads: 1, readFees: 25_000 });
});

test("a permit that was presented for one press buys no other press", async () => {
  const [one, other] = [await listPress(payments, publisher), await listPress(payments, publisher)];
  const header = await makeSignedHeader(payments, reader, "fee", one);
  await pay(payments.ports, { leg: "fee", pressId: one, header });
  expect(await pay(payments.ports, { leg: "fee", pressId: other, header })).toMatchObject({
    kind: "terms",
    terms: { code: "permit2_invalid_nonce" },
  });
});
