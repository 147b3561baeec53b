import { afterAll, beforeAll, expect, test } from "vitest";
import { pay } from "../../../core/payment/index.ts";
import type { Leg } from "../../../core/payment/schema.ts";
import { makeCountingPorts, type RoundTrips } from "../../support/counting.ts";
import { lengthenWaits, limitToOneKey } from "../../support/interference.ts";
import {
  approve,
  getTestAccount,
  listPress,
  makeSignedHeader,
  startPayments,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { makeReaders } from "./readers.ts";

let counter: ReturnType<typeof makeCountingPorts>;
const publisher = getTestAccount(4);
const reader = getTestAccount(5);
const spent: Record<string, RoundTrips> = {};

const payments = startPart(startPayments);
const { makeReader, leaseKeys, waitForQueue } = makeReaders(payments);
beforeAll(async () => {
  counter = makeCountingPorts(payments);
  await approve(payments, reader);
});
afterAll(async () => {
  console.table(spent);
});

async function countPayCost(leg: Leg, pressId: number, header: string | undefined) {
  return counter.measureCost(() =>
    pay(counter.ports, { leg, pressId, header }).catch((error: unknown) => error),
  );
}

function expectWithin(name: string, cost: RoundTrips, limit: RoundTrips) {
  spent[name] = cost;
  expect(cost.rpcTrips).toBeLessThanOrEqual(limit.rpcTrips);
  expect(cost.rpcWrites).toBeLessThanOrEqual(limit.rpcWrites);
  expect(cost.tableRequests).toBeLessThanOrEqual(limit.tableRequests);
}

test("simultaneous payments of many payers cost one round trip to the node for each payment, and a few more for each shared transaction", async () => {
  const pressId = await listPress(payments, publisher);
  const headers = await Promise.all(
    Array.from({ length: 20 }, async () =>
      makeSignedHeader(payments, (await makeReader()).account, "fee", pressId),
    ),
  );
  const ports = lengthenWaits(limitToOneKey(counter.ports));
  const giveBack = await leaseKeys();
  const { value, cost } = await counter.measureCost(async () => {
    const paying = headers.map((header) => pay(ports, { leg: "fee", pressId, header }));
    await waitForQueue(20);
    await giveBack();
    return Promise.all(paying);
  });
  expect(value.filter(({ kind }) => kind === "paid")).toHaveLength(20);
  // All payments waited, so one transaction settles them all, and the process that sent the transaction records the outcome of each
  // payment.
  expectWithin("fee: 20 at once", cost, { ...cost, rpcTrips: 20 + 2, rpcWrites: 1 });
});

test("a payment that is already settled costs one table request and no call to the node", async () => {
  const pressId = await listPress(payments, publisher);
  const limit = { rpcTrips: 0, rpcWrites: 0, tableRequests: 1 };

  const early = await makeSignedHeader(payments, reader, "publisher", pressId);
  const before = await countPayCost("publisher", pressId, early);
  expect(before.value).toMatchObject({ code: "fee_first" });
  expectWithin("publisher: fee first (409)", before.cost, limit);

  for (const leg of ["fee", "publisher"] as const) {
    const header = await makeSignedHeader(payments, reader, leg, pressId);
    await pay(payments.ports, { leg, pressId, header });
    for (const repeated of [header, await makeSignedHeader(payments, reader, leg, pressId)]) {
      const { value, cost } = await countPayCost(leg, pressId, repeated);
      expect(value).toMatchObject(
        leg === "fee" ? { kind: "paid", already: true } : { code: "already_unlocked" },
      );
      expectWithin(leg === "fee" ? "fee: already" : "publisher: already unlocked (409)", cost, limit);
    }
  }
});

test("a refused payment costs one table request and one round trip to the node", async () => {
  const pressId = await listPress(payments, publisher);
  const header = await makeSignedHeader(payments, reader, "fee", pressId, { amount: 1n });
  const { value, cost } = await countPayCost("fee", pressId, header);
  expect(value).toMatchObject({ kind: "terms" });
  expectWithin("fee: refused (402)", cost, { rpcTrips: 1, rpcWrites: 0, tableRequests: 1 });
});
