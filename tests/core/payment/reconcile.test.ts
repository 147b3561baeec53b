import { beforeEach, describe, expect, test } from "vitest";
import { type PaymentPorts, pay, reconcile } from "../../../core/payment/index.ts";
import {
  advanceClock,
  alterNode,
  refuseCalls,
  skipWaits,
  withholdCalls,
} from "../../support/interference.ts";
import { countReads, listBusyRelayers, readSettlingTransaction } from "../../support/ledger.ts";
import { makeSignedHeader, startPayments } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { deleteExpired } from "../../support/table.ts";
import { makeReaders } from "./readers.ts";

const minute = 60_000;
const nothing = {
  settled: 0,
  failed: 0,
  released: 0,
  pending: 0,
  watched: 0,
  counted: 0,
  unknown: 0,
  oldest: 0,
};

const payments = startPart(startPayments);
const { makePayingReader, listCharges, readRecord, payAndDie } = makeReaders(payments);
beforeEach(async () => {
  expect(await reconcile(advanceClock(payments.ports, minute))).toEqual(nothing);
  expect(await listBusyRelayers(payments.ports)).toEqual([]);
});

type Payer = Awaited<ReturnType<typeof makePayingReader>>;

const run = (ports: PaymentPorts = payments.ports) => reconcile(advanceClock(ports, minute));

/** Runs the reconciler the given number of milliseconds after the last change of the payment's record. */
async function reconcileAfterChange(payer: Payer, milliseconds: number) {
  const now = ((await readRecord(payer))?.changedAt ?? 0) + milliseconds;
  return reconcile({ ...payments.ports, clock: { now: () => now, sleep: async () => undefined } });
}

async function expectUnlocked(payer: Payer) {
  expect(await readRecord(payer)).toMatchObject({ state: "settled", unlockedBy: payer.wallet });
  expect(await countReads(payments.ports, payer.pressId + 1000)).toBe(1);
  expect(await listCharges(payer)).toEqual([25_000n, 225_000n]);
  expect(await listBusyRelayers(payments.ports)).toEqual([]);
}

/** Expects that a payer who has not received the text yet receives the text exactly once. */
async function expectAnsweredOnce(payer: Payer) {
  expect(await pay(payments.ports, payer)).toMatchObject({
    kind: "paid",
    already: false,
    unlocked: { body: `The text of ${payer.pressId}.` },
  });
  await expect(pay(payments.ports, payer)).rejects.toMatchObject({ code: "already_unlocked" });
}

// The death of a process at each possible step is tested in explore.test.ts.
describe("a payment of a dead process is finished by the reconciler", () => {
  test("a payment that was never broadcast is released after its reservation has expired, and the payer pays with a new signature", async () => {
    const payer = await makePayingReader("publisher");
    await payAndDie(payer, "signing");
    expect(await reconcileAfterChange(payer, 20_000)).toMatchObject({
      ...nothing,
      pending: 1,
      oldest: expect.any(Number),
    });
    expect(await readRecord(payer)).toMatchObject({ state: "queued" });
    expect(await run()).toEqual({ ...nothing, released: 1 });
    expect(await readRecord(payer)).toMatchObject({ state: "failed", failure: "released" });
    expect(await listBusyRelayers(payments.ports)).toEqual([]);
    expect(await pay(payments.ports, payer)).toMatchObject({ kind: "paid" });
    await expectUnlocked(payer);
  });

  test("the reconciler sends a payment that was stored but never sent, and its next run records the payment as settled", async () => {
    const payer = await makePayingReader("publisher");
    await payAndDie(payer, "before");
    expect(await run()).toMatchObject({ ...nothing, pending: 1, oldest: expect.any(Number) });
    await expect.poll(() => run()).toMatchObject({ settled: 1 });
    await expectUnlocked(payer);
    await expectAnsweredOnce(payer);
  });

  test("a payment whose request may still be running is not touched by the reconciler", async () => {
    const payer = await makePayingReader("publisher");
    await payAndDie(payer, "after");
    expect(await reconcileAfterChange(payer, 10_000)).toEqual(nothing);
    expect(await readRecord(payer)).toMatchObject({ state: "submitted" });
    expect(await pay(payments.ports, payer)).toMatchObject({ kind: "paid", already: false });
    await expectUnlocked(payer);
  });
});

describe("an unreachable node delays only the payments that need the node", () => {
  test.each<[string, (ports: PaymentPorts) => PaymentPorts]>([
    ["gives no answer", (ports) => withholdCalls(ports, /./)],
    ["answers everything with an error", (ports) => refuseCalls(ports, /./, -32005)],
    ["loses receipts", (ports) => withholdCalls(ports, /^eth_getTransactionReceipt$/)],
  ])("if a node %s, the reconciler changes nothing and counts the payments as unknown", async (_, faulty) => {
    const payers = [await makePayingReader("publisher"), await makePayingReader("fee")];
    for (const payer of payers) await payAndDie(payer, "after");
    const before = await Promise.all(payers.map(readRecord));
    const done = await run(faulty(payments.ports));
    expect(done).toEqual({ ...nothing, unknown: 2, oldest: expect.any(Number) });
    expect(done.oldest).toBeGreaterThan(minute - 1);
    expect(await Promise.all(payers.map(readRecord))).toEqual(before);
    expect(await run()).toEqual({ ...nothing, settled: 2 });
  });

  test("an expired payment is not released while the node cannot be reached, because somebody else may have settled its permit", async () => {
    const payer = await makePayingReader("fee");
    await payAndDie(payer, "signing");
    const before = await readRecord(payer);
    expect(await run(withholdCalls(payments.ports, /./))).toMatchObject({ unknown: 1, released: 0 });
    expect(await readRecord(payer)).toEqual(before);
    expect(await run()).toEqual({ ...nothing, released: 1 });
    // The reconciler watches a released payment until it is paid. The test therefore completes the payment, so later runs do not find it.
    expect(await pay(payments.ports, payer)).toMatchObject({ kind: "paid" });
  });

  test("a run of the reconciler ends within a minute even if the node cannot be reached", async () => {
    for (let payer = 0; payer < 3; payer += 1) await payAndDie(await makePayingReader("fee"), "after");
    let now = Date.now() + minute;
    let asked = 0;
    const hanging = withholdCalls(
      { ...payments.ports, clock: { now: () => now, sleep: async () => undefined } },
      /./,
    );
    const slow = alterNode(hanging, /./, async (_, ask) => {
      asked += 1;
      now += 25_000;
      return ask();
    });
    expect(await reconcile(slow)).toMatchObject({ unknown: 3 });
    expect(asked).toBe(2);
    expect(await run()).toEqual({ ...nothing, settled: 3 });
  });
});

test("the reconciler finishes the other payments if one payment causes an unexpected error, and throws the error at the end of its run", async () => {
  const [broken, whole] = [await makePayingReader("publisher"), await makePayingReader("publisher")];
  for (const payer of [broken, whole]) await payAndDie(payer, "after");
  const { transaction } = payments.ports.table.entities;
  const lost = await readSettlingTransaction(payments.ports, broken.wallet, broken.pressId, "publisher");
  if (lost === null) throw new Error("Nothing was stored");
  await transaction.delete({ id: lost.id }).go();
  await expect(run()).rejects.toThrow("could not be reconciled");
  expect(await readRecord(broken)).toMatchObject({ state: "submitted" });
  expect(await readRecord(whole)).toMatchObject({ state: "settled" });
  await transaction.put(lost).go();
  await run();
  for (const payer of [broken, whole]) await expectUnlocked(payer);
});

test("if two runs of the reconciler and the payer's own request happen at once, each payment is finished once", async () => {
  const payers = [
    await makePayingReader("publisher"),
    await makePayingReader("publisher"),
    await makePayingReader("publisher"),
  ];
  for (const payer of payers) await payAndDie(payer, "after");
  const [first] = payers;
  if (first === undefined) throw new Error("No payer");
  const [one, other, outcome] = await Promise.all([
    run(),
    run(),
    pay(skipWaits(payments.ports), first).catch((error: unknown) => error),
  ]);
  for (const { unknown, pending, failed } of [one, other])
    expect([unknown, pending, failed]).toEqual([0, 0, 0]);
  expect(outcome).toMatchObject({ kind: "paid", unlocked: { body: `The text of ${first.pressId}.` } });
  for (const payer of payers) await expectUnlocked(payer);
});

test("a payment that was sent before an outage of three days is credited after the outage, and its key is freed", async () => {
  const payer = await makePayingReader("publisher");
  await payAndDie(payer, "after");
  const outage = 3 * 24 * 60 * minute;
  await deleteExpired(payments.store, Date.now() + outage);
  expect(await reconcile(advanceClock(payments.ports, outage))).toEqual({ ...nothing, settled: 1 });
  await expectUnlocked(payer);
});

test("a payment by permit fails as expired only when the chain's own time is past the permit's deadline", async () => {
  const payer = await makePayingReader("publisher", {
    deadline: BigInt(Math.floor(Date.now() / 1000) + 300),
  });
  await payAndDie(payer, "before");
  const cut = withholdCalls(payments.ports, /^eth_send/);
  expect(await reconcile(advanceClock(cut, 60 * minute))).toMatchObject({ unknown: 1, failed: 0 });
  expect(await readRecord(payer)).toMatchObject({ state: "submitted" });

  await payments.client.increaseTime({ seconds: 500 });
  expect(await reconcile(advanceClock(cut, minute))).toEqual({ ...nothing, failed: 1 });
  expect(await readRecord(payer)).toMatchObject({ state: "failed", failure: "permit2_deadline_expired" });
  expect(await listBusyRelayers(payments.ports)).toEqual([]);

  const deadline = BigInt(Math.floor(Date.now() / 1000) + 800);
  const afterwards = advanceClock(payments.ports, 500_000);
  const header = await makeSignedHeader(payments, payer.account, payer.leg, payer.pressId, { deadline });
  expect(await pay(afterwards, { ...payer, header })).toMatchObject({ kind: "paid" });
  await expectUnlocked({ ...payer, header });
});
