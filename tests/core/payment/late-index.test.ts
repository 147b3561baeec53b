import type { HDAccount } from "viem/accounts";
import { beforeAll, expect, test } from "vitest";
import { lower } from "../../../core/chain/hex.ts";
import { countUndelivered, pay, readPending, reconcile } from "../../../core/payment/index.ts";
import { makeFundedWallets } from "../../support/crowd.ts";
import { advanceClock, makeDyingPorts } from "../../support/interference.ts";
import { countReads, listBusyRelayers, listTransfers, readSettlement } from "../../support/ledger.ts";
import { listPress, makeSignedHeader, payLeg, startPayments, testAccount } from "../../support/payment.ts";
import { provide } from "../../support/provide.ts";

/**
 * An index of the table shows a write at least a second late, once the test has moved `now` on. In this way a test sets how late the index
 * is.
 */
const hands = { now: 0 };
let readers: HDAccount[];
const publisher = testAccount(4);
const minute = 60_000;

const payments = provide(() =>
  startPayments({ index: () => 1_000, read: () => 1_000, now: () => hands.now }),
);
beforeAll(async () => {
  readers = [...(await makeFundedWallets(payments, 20, 10_000_000n))];
});

/** Makes all indexes show every write so far. */
const catchUp = () => {
  hands.now += 1_000;
};

function takeReaders(count: number): readonly HDAccount[] {
  const taken = readers.splice(0, count);
  expect(taken).toHaveLength(count);
  return taken;
}

test("each of many payers with one relayer key is charged once while no index shows the waiting payments", async () => {
  const addresses = async () => (await payments.ports.relayers.addresses()).slice(0, 1);
  const ports = { ...payments.ports, relayers: { ...payments.ports.relayers, addresses } };
  const pressId = await listPress(payments, publisher);
  const since = await payments.client.getBlockNumber({ cacheTime: 0 });
  const payers = takeReaders(6);
  const outcomes = await Promise.all(
    payers.map((account) => payLeg({ ...payments, ports }, account, "fee", pressId)),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(payers.map(() => "paid"));
  for (const { address } of payers) {
    expect(await listTransfers(payments, { from: lower(address) }, since)).toHaveLength(1);
  }
  // Now the index shows for a moment that the payments are waiting, which must not lead to a second charge.
  catchUp();
  await reconcile(advanceClock(ports, minute));
  for (const { address } of payers) {
    expect(await listTransfers(payments, { from: lower(address) }, since)).toHaveLength(1);
  }
  expect(await listBusyRelayers(ports)).toEqual([]);
});

test("a dead process's payment is ended once, as soon as the index shows the payment", async () => {
  catchUp();
  const [account = publisher] = takeReaders(1);
  const pressId = await listPress(payments, publisher);
  await payLeg(payments, account, "fee", pressId);
  const header = await makeSignedHeader(payments, account, "publisher", pressId);
  const { ports, ended } = makeDyingPorts(payments.ports, /^eth_sendRawTransactionSync$/, "after");
  void pay(ports, { leg: "publisher", pressId, header });
  await ended;
  const afterwards = advanceClock(payments.ports, 3 * minute);
  expect(await reconcile(afterwards)).toMatchObject({ settled: 0, unknown: 0 });
  catchUp();
  expect(await reconcile(afterwards)).toMatchObject({ settled: 1, unknown: 0 });
  expect(await readSettlement(payments.ports, lower(account.address), pressId, "publisher")).toMatchObject({
    state: "settled",
  });
  // The index shows the payment as under way for another second: the payment must not be ended twice or reported as undelivered.
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
  expect(await countReads(payments.ports, pressId + 1000)).toBe(1);
  catchUp();
  expect((await readPending(afterwards)).items).toEqual([]);
});
