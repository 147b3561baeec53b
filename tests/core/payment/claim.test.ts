import { expect, test } from "vitest";
import { systemIds } from "../../../core/adapter/system.ts";
import type { Address } from "../../../core/chain/hex.ts";
import { readCredit } from "../../../core/errand/index.ts";
import * as Gas from "../../../core/gas/index.ts";
import {
  claimLeg,
  countSale,
  finishLeg,
  leaseClaim,
  makeSubmittedWrites,
  markLegFailed,
  type NewClaim,
  readLegs,
  recordAnswer,
  storeSignatures,
} from "../../../core/payment/settlement.ts";
import type { FailedLeg, QueuedLeg, SettledLeg } from "../../../core/record/payment.ts";
import type { Write } from "../../../core/record/write.ts";
import type { KeyLease } from "../../../core/relayer/index.ts";
import { commit } from "../../../core/transact.ts";
import { countReads, readSettlement } from "../../support/ledger.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeManualClock, makeMarket, publish } from "../press/newsroom.ts";

const wallet: Address = `0x${"a1".repeat(20)}`;
const payee: Address = `0x${"b2".repeat(20)}`;
const clock = makeManualClock();

const store = startPart(startTestTable);

const makePorts = () => ({
  table: store.table,
  clock,
  ids: systemIds,
  meter: { count: () => undefined },
  settings: {},
});
let relayers = 0;

function makeLease(address: Address): KeyLease {
  return {
    address,
    write: ({ relayer }, { claim: lease, claimUntil: leaseUntil }) =>
      relayer.put({ address, nextNonce: 0, lease, leaseUntil }).commit(),
  };
}

/** Makes a new record of the wallet's payment for a press. Each record has its own relayer. */
function makePaymentRecord(pressId: number, nonce: bigint, changes: Partial<NewClaim> = {}): NewClaim {
  relayers += 1;
  return {
    agent: {
      pressId,
      id: 1000 + pressId,
      priceUnits: "250000",
      slug: "slug",
      headline: "headline",
      stock: "AAPL",
      publisher: payee,
    },
    leg: "fee",
    authorization: {
      method: "permit2",
      chainId: 4663,
      from: wallet,
      token: payee,
      amount: 25_000n,
      spender: payee,
      nonce,
      deadline: 2_000_000_000n,
      validAfter: 0n,
      to: payee,
    },
    signature: "0x",
    identifier: undefined,
    ticket: undefined,
    lease: makeLease(`0x${relayers.toString(16).padStart(40, "0")}`),
    gasEstimate: undefined,
    gas: undefined,
    carry: undefined,
    last: undefined,
    earlier: [],
    block: 10_000n,
    ...changes,
  };
}

async function makeQueuedLeg(newClaim: NewClaim): Promise<QueuedLeg> {
  const outcome = await claimLeg(makePorts(), newClaim);
  if (outcome.kind !== "queued") throw new Error(`It was not claimed but ${outcome.kind}.`);
  return outcome.settlement;
}

/** Marks a payment as failed. `over` means that the signed payment can no longer be charged. */
async function makeFailedLeg(from: QueuedLeg, over = false): Promise<FailedLeg> {
  const ended = await markLegFailed(makePorts(), from, { code: "released", over });
  if (ended === undefined) throw new Error("Others have ended it.");
  return ended;
}

const commitWrites = async (write: () => readonly Write[]) =>
  (await commit(makePorts(), () => Object.fromEntries(write().entries()))).done;
const place = { transaction: "a transaction", txHash: `0x${"d4".repeat(32)}` };
const makeProof = (nonce: number) => ({ txHash: `0x${nonce.toString(16).padStart(64, "0")}`, logIndex: 0 });

test("a wallet's nonce pays only for the press and the leg for which the nonce was first used", async () => {
  const first = await makeQueuedLeg(makePaymentRecord(1, 77n));
  expect(await claimLeg(makePorts(), makePaymentRecord(2, 77n))).toEqual({ kind: "permit_bound" });
  expect(await claimLeg(makePorts(), makePaymentRecord(1, 77n, { leg: "publisher" }))).toEqual({
    kind: "permit_bound",
  });
  expect(await readSettlement(store, wallet, 2, "fee")).toBeNull();
  expect(await readSettlement(store, wallet, 1, "publisher")).toBeNull();

  const last = await markLegFailed(makePorts(), first, { code: "released", over: false });
  expect(await claimLeg(makePorts(), makePaymentRecord(2, 77n))).toEqual({ kind: "permit_bound" });
  expect(await claimLeg(makePorts(), makePaymentRecord(1, 77n, { last }))).toMatchObject({ kind: "queued" });
});

test("a payment's reservation of a leg cannot be overwritten until the reservation expires, and can be overwritten afterwards", async () => {
  const living = await makeQueuedLeg(makePaymentRecord(3, 78n));
  expect(await claimLeg(makePorts(), makePaymentRecord(3, 79n, { last: living }))).toEqual({
    kind: "contended",
  });
  expect(await readSettlement(store, wallet, 3, "fee")).toMatchObject({
    claim: living.claim,
    signed: { nonce: "78" },
  });
  clock.pass(living.claimUntil - clock.now());
  expect(await claimLeg(makePorts(), makePaymentRecord(3, 79n, { last: living }))).toEqual({
    kind: "contended",
  });
  clock.pass(1);
  expect(await claimLeg(makePorts(), makePaymentRecord(3, 79n, { last: living }))).toMatchObject({
    kind: "queued",
  });
});

test("a payment's record keeps the block at which the search for its permit begins, and the earlier payments that may still be charged", async () => {
  const first = await makeQueuedLeg(makePaymentRecord(4, 80n));
  expect(first).toMatchObject({ signed: { block: 9_400 } });
  const earlier = [first.signed];
  const failed = await markLegFailed(makePorts(), first, { code: "released", over: false });
  const second = await makeQueuedLeg(makePaymentRecord(4, 81n, { last: failed, earlier, block: 20_000n }));
  expect(second).toMatchObject({ signed: { nonce: "81", block: 19_400 }, earlier });
  const last = await markLegFailed(makePorts(), second, { code: "released", over: false });
  expect(last).toMatchObject({ pending: "watched", earlier });
  const again = await makeQueuedLeg(makePaymentRecord(4, 80n, { last, earlier, block: 30_000n }));
  expect(again).toMatchObject({ signed: { nonce: "80", block: 9_400 } });
  expect(again.earlier).toBeUndefined();
});

test("a new payment's record replaces the stored record only if the payment's request has read this stored record and not an older one", async () => {
  const judged = await makeFailedLeg(await makeQueuedLeg(makePaymentRecord(5, 90n)));
  const newest = await makeFailedLeg(await makeQueuedLeg(makePaymentRecord(5, 91n, { last: judged })));
  expect(await claimLeg(makePorts(), makePaymentRecord(5, 92n, { last: judged }))).toEqual({
    kind: "contended",
  });
  expect(await claimLeg(makePorts(), makePaymentRecord(5, 92n, { last: newest }))).toMatchObject({
    kind: "queued",
  });
});

test("only one process sends a waiting payment, and no process sends it after the payment has failed", async () => {
  const makeWaitingChanges = () => ({ lease: undefined, gasEstimate: 90_000n });
  const leads = (from: QueuedLeg) =>
    commitWrites(() => [
      leaseClaim(makePorts(), from, makeLease(`0x${from.id.toString(16).padStart(40, "f")}`)).write,
    ]);
  const stores = (item: QueuedLeg) =>
    commitWrites(() => makeSubmittedWrites(makePorts(), item, place).writes);
  const first = await makeQueuedLeg(makePaymentRecord(6, 93n, makeWaitingChanges()));
  const last = await makeFailedLeg(first);
  expect(await leads(first)).toBe(false);
  expect(await stores(first)).toBe(false);
  const second = await makeQueuedLeg(makePaymentRecord(6, 94n, { ...makeWaitingChanges(), last }));
  expect([await leads(first), await stores(first)]).toEqual([false, false]);
  expect(await leads(second)).toBe(true);
  // A second process read the payment before the first process leased a relayer key, so the second process cannot send the payment.
  expect([await leads(second), await stores(second)]).toEqual([false, false]);
  expect(await readSettlement(store, wallet, 6, "fee")).toMatchObject({
    state: "queued",
    pending: "pending",
    claim: second.claim,
  });
});

test("a request does not release a payment if the payment's transaction was stored after the request had read the payment's record", async () => {
  const queued = await makeQueuedLeg(makePaymentRecord(7, 95n));
  expect(await commitWrites(() => makeSubmittedWrites(makePorts(), queued, place).writes)).toBe(true);
  expect(await markLegFailed(makePorts(), queued, { code: "released", over: true })).toBeUndefined();
  expect(await readSettlement(store, wallet, 7, "fee")).toMatchObject({ state: "submitted", ...place });
});

test("the service watches a failed payment that others may still charge, and an earlier payment's failure does not overwrite a later payment", async () => {
  const first = await makeFailedLeg(await makeQueuedLeg(makePaymentRecord(8, 96n)));
  const earlier = [first.signed];
  // The second payment can no longer be charged, but the first payment can still be charged.
  const second = await makeFailedLeg(
    await makeQueuedLeg(makePaymentRecord(8, 97n, { last: first, earlier })),
    true,
  );
  expect(second).toMatchObject({ pending: "watched", earlier });
  expect(await storeSignatures(makePorts(), first, [])).toBe(false);
  expect(await readSettlement(store, wallet, 8, "fee")).toMatchObject({
    claim: second.claim,
    pending: "watched",
  });
  expect(await storeSignatures(makePorts(), second, earlier)).toBe(true);
  expect(await readSettlement(store, wallet, 8, "fee")).toMatchObject({ pending: "watched", earlier });
  expect(await storeSignatures(makePorts(), second, [])).toBe(true);
  const last = await readSettlement(store, wallet, 8, "fee");
  expect([last?.pending, last?.earlier]).toEqual([undefined, undefined]);
});

test("a delivery of a text is recorded once, and a read is counted once without overwriting the record of the delivery", async () => {
  const room = { table: store.table, clock, market: makeMarket({ now: 300 }) };
  const { id } = await publish(room, 9);
  const wanted = makePaymentRecord(9, 98n, { leg: "publisher" });
  const queued = await makeQueuedLeg({ ...wanted, agent: { ...wanted.agent, id } });
  const key = { wallet, pressId: 9, leg: "publisher" } as const;
  await finishLeg(makePorts(), queued, makeProof(98));
  // The read could not be added to the press's count of reads immediately.
  await store.table.entities.settlement.patch(key).set({ pending: "uncounted" }).go();
  const readSettledLeg = async (): Promise<SettledLeg> => {
    const [leg] = await readLegs(makePorts(), [key]);
    if (leg?.state !== "settled") throw new Error("It is not settled.");
    return leg;
  };
  const reads = await countReads(store, id);
  const before = await readSettledLeg();
  expect(await recordAnswer(makePorts(), before, { opens: undefined })).toBe("first");
  expect(await recordAnswer(makePorts(), before, { opens: undefined })).toBe("before");
  expect(await countSale(makePorts(), before)).toBe(false);
  const after = await readSettledLeg();
  expect(after.answeredAt).toBeDefined();
  expect(await countSale(makePorts(), after)).toBe(true);
  expect(await countSale(makePorts(), after)).toBe(false);
  expect(await countReads(store, id)).toBe(reads + 1);
  expect((await readSettledLeg()).answeredAt).toBe(after.answeredAt);
});

test("gas that was reserved with the fee stays reserved if the second payment fails without burning gas, and is free once the publisher is paid", async () => {
  const gas = { day: "2026-11-27", limit: 900, ahead: 0, subjects: [] };
  const carry = { payee, day: gas.day, ethPrice: 1, fee: 0, rest: 0, booked: 0, share: 0, gas: 500_000 };
  const readKept = async () =>
    (await store.table.entities.gas.get({ subject: `wallet:${wallet}`, day: gas.day }).go()).data?.kept;
  const fee = await makeQueuedLeg(makePaymentRecord(60, 600n, { gas, carry: { ...carry, kept: 900 } }));
  const paid = await finishLeg(makePorts(), fee, makeProof(600), { cost: 0 });
  expect([await readKept(), paid?.carry?.kept]).toEqual([900, 900]);
  // The same request claims the payment again, with the `carry` that it read before the first claim.
  const again: Partial<NewClaim> = { leg: "publisher", carry: paid?.carry };
  const first = await makeFailedLeg(await makeQueuedLeg(makePaymentRecord(60, 601n, again)));
  expect([await readKept(), first.carry?.kept]).toEqual([900, 900]);
  const second = await makeQueuedLeg(makePaymentRecord(60, 601n, { ...again, last: first }));
  await finishLeg(makePorts(), second, makeProof(601), { cost: 0 });
  expect(await readKept()).toBe(0);
});

test("after a payment to the publisher has burned its gas, the unused part of the fee is at most this payment's expected gas cost", async () => {
  const gas = { day: "2026-11-28", limit: 900, ahead: 0, subjects: [] };
  const carry = {
    payee,
    day: gas.day,
    ethPrice: 1,
    fee: 800,
    rest: 100,
    booked: 0,
    share: 100,
    gas: 500_000,
  };
  const claimed = await makeQueuedLeg(makePaymentRecord(61, 610n, { leg: "publisher", gas, carry }));
  const landed = { txHash: place.txHash, burned: 700n, cost: 700 };
  const failed = await markLegFailed(makePorts(), claimed, { code: "reverted", over: true, landed });
  expect(failed?.carry).toMatchObject({ burned: true, fee: 100, kept: 0 });
});

test.each([
  { change: "gets code that wastes 150 units of gas", pressId: 62, hasCode: true },
  { change: "burns 150 units of gas in a failed payment", pressId: 63, hasCode: false },
])("an errand of a plain wallet is counted once if the wallet then $change", async ({ pressId, hasCode }) => {
  const read = () => readCredit(makePorts(), wallet, { spent: 300 });
  const before = await read();
  const carry = { payee, day: "2026-11-28", ethPrice: 1, fee: 1_000, rest: 100, booked: 0 };
  const fee = await makeQueuedLeg(makePaymentRecord(pressId, BigInt(pressId), { carry }));
  const paid = await finishLeg(makePorts(), fee, makeProof(pressId), { cost: 100 });
  expect(await read()).toBe(before + 800);
  const rate = { gasPrice: 0n, ethPrice: 1, l1Gas: 0n };
  const split = Gas.makeRestGasSplit(paid?.carry, { ...carry, fee: 1_000n, gas: 1n, hasCode, rate });
  const claim = { leg: "publisher", carry: split } as const;
  let rest = await makeQueuedLeg(makePaymentRecord(pressId, BigInt(pressId + 100), claim));
  if (!hasCode) {
    const landed = { txHash: place.txHash, burned: 150n, cost: 150 };
    const last = await markLegFailed(makePorts(), rest, { code: "reverted", over: true, landed });
    const again = { ...claim, carry: last?.carry, last };
    rest = await makeQueuedLeg(makePaymentRecord(pressId, BigInt(pressId + 200), again));
  }
  await finishLeg(makePorts(), rest, makeProof(pressId + 100), { cost: hasCode ? 250 : 100 });
  expect(await read()).toBe(before + 800 - 150);
});
