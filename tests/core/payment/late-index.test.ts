import { describe, expect, test } from "vitest";
import {
  countUndelivered,
  type PayRequest,
  pay,
  readPending,
  reconcile,
} from "../../../core/payment/index.ts";
import { advanceClock, lengthenWaits, limitToOneKey } from "../../support/interference.ts";
import { countReads, listBusyRelayers, listTransfers } from "../../support/ledger.ts";
import { exactProxy, getTestAccount, listPress, payLeg, send, startPayments } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { makeReaders, type PayingReader } from "./readers.ts";

/**
 * An index of the table shows a write only after the test has advanced `now` by at least a second. By moving `now`, a test decides how far
 * the index lags.
 */
const hands = { now: 0 };
const publisher = getTestAccount(4);
const minute = 60_000;

const payments = startPart(() =>
  startPayments({ index: () => 1_000, read: () => 1_000, now: () => hands.now }),
);
const { makeReader, makePayingReader, leaseKeys, payAndDie, readRecord } = makeReaders(payments);

/** Makes all indexes show every write so far. */
const updateIndexes = () => {
  hands.now += 1_000;
};

test("if many payers wait for one relayer key, each of them is charged once, even while no index shows the waiting payments", async () => {
  const ports = lengthenWaits(limitToOneKey(payments.ports));
  const pressId = await listPress(payments, publisher);
  const since = await payments.client.getBlockNumber({ cacheTime: 0 });
  const payers = await Promise.all(Array.from({ length: 6 }, makeReader));
  const outcomes = await Promise.all(payers.map(({ account }) => payLeg({ ports }, account, "fee", pressId)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(payers.map(() => "paid"));
  for (const { wallet } of payers) {
    expect(await listTransfers(payments, { from: wallet }, since)).toHaveLength(1);
  }
  // For a moment, the index now shows the payments as waiting. This outdated index must not cause a second charge.
  updateIndexes();
  await reconcile(advanceClock(ports, minute));
  for (const { wallet } of payers) {
    expect(await listTransfers(payments, { from: wallet }, since)).toHaveLength(1);
  }
  expect(await listBusyRelayers(ports)).toEqual([]);
});

test("a dead process's payment is ended as soon as the index shows the payment, and is ended only once", async () => {
  updateIndexes();
  const payer = await makePayingReader("publisher");
  await payAndDie(payer, "after");
  const afterwards = advanceClock(payments.ports, 3 * minute);
  expect(await reconcile(afterwards)).toMatchObject({ settled: 0, unknown: 0 });
  updateIndexes();
  expect(await reconcile(afterwards)).toMatchObject({ settled: 1, unknown: 0 });
  expect(await readRecord(payer)).toMatchObject({ state: "settled" });
  // The index shows the payment as pending for another second. Even so, the payment must be ended only once, and must not be reported as
  // undelivered.
  const stale = await readPending(afterwards);
  expect(stale.items.map(({ leg }) => leg)).toEqual(["publisher"]);
  expect(await countUndelivered(afterwards, stale)).toBe(0);
  expect(await reconcile(afterwards)).toMatchObject({
    settled: 0,
    failed: 0,
    pending: 0,
    unknown: 0,
    oldest: 0,
  });
  expect(await countReads(payments.ports, payer.pressId + 1000)).toBe(1);
  updateIndexes();
  expect((await readPending(afterwards)).items).toEqual([]);
});

describe("the index shows a payment as waiting although its process has died", () => {
  /** Starts a payment that waits for the only relayer key. The payment's process waits by calling `sleep`. */
  async function startPayment(
    payer: PayingReader & PayRequest,
    aheadMs = 0,
    sleep = payments.ports.clock.sleep,
  ) {
    const ports = limitToOneKey(payments.ports);
    const paying = pay({ ...ports, clock: { now: () => Date.now() + aheadMs, sleep } }, payer);
    await expect.poll(() => readRecord(payer)).toMatchObject({ pending: "waiting" });
    return { paying };
  }

  /** Makes two payers. The process of the first payer has died while the payment waited, and the index shows this payment. */
  async function makePayers() {
    const [dead, next] = [await makePayingReader("publisher"), await makePayingReader("publisher")];
    const giveBack = await leaseKeys();
    await startPayment(dead, 0, () => new Promise(() => undefined));
    updateIndexes();
    return { dead, next, giveBack };
  }

  test("a payment that somebody else has settled stays settled, and is not sent again in the next payment's transaction", async () => {
    const { dead, next, giveBack } = await makePayers();
    await send(payments, getTestAccount(7), exactProxy, dead.call);
    expect(await pay(advanceClock(payments.ports, minute), dead)).toMatchObject({ kind: "paid" });
    const { paying } = await startPayment(next);
    await giveBack();
    expect(await paying).toMatchObject({ kind: "paid" });
    expect(await readRecord(dead)).toMatchObject({ state: "settled" });
  });

  test("a payment whose reservation has expired is not sent together with another payment", async () => {
    const { dead, next, giveBack } = await makePayers();
    const { paying } = await startPayment(next, minute);
    await giveBack();
    expect(await paying).toMatchObject({ kind: "paid" });
    expect(await listTransfers(payments, { from: dead.wallet })).toHaveLength(1);
    expect(await pay(advanceClock(payments.ports, minute), dead)).toMatchObject({ kind: "paid" });
  });
});
