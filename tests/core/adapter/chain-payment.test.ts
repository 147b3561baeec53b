import { afterAll, beforeAll, expect, test } from "vitest";
import { openChain } from "../../../core/adapter/chain/index.ts";
import { pay } from "../../../core/payment/index.ts";
import {
  approve,
  listPress,
  makeSignedHeader,
  type Payments,
  readBalance,
  startPayments,
  testAccount,
  treasury,
} from "../../support/payment.ts";
import { type FaultyNode, startFaultyNode } from "../payment/differential/node.ts";
import { findDeadEndpoint } from "./upstream.ts";

/** These tests settle payments through several nodes, of which one is faulty. */
let payments: Payments;
let first: FaultyNode;
let second: FaultyNode;
const publisher = testAccount(4);
const reader = testAccount(5);

beforeAll(async () => {
  payments = await startPayments();
  [first, second] = await Promise.all([
    startFaultyNode(payments.devnet.rpcUrl),
    startFaultyNode(payments.devnet.rpcUrl),
  ]);
  await approve(payments, reader);
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await payments.stop();
});

/** Pays the fee of a new press through the given nodes, and returns the outcome and the treasury's gain. */
async function payFee(urls: readonly string[]) {
  const pressId = await listPress(payments, publisher);
  const header = await makeSignedHeader(payments, reader, "fee", pressId);
  const before = await readBalance(payments, treasury);
  const ports = { ...payments.ports, chain: openChain(urls, { chainId: 4663 }) };
  const again = () => pay(payments.ports, { leg: "fee", pressId, header });
  const outcome = await pay(ports, { leg: "fee", pressId, header }).catch((error: unknown) => error);
  return { outcome, again, got: async () => (await readBalance(payments, treasury)) - before };
}

test("a payment goes through the next node when no server listens at the first node's address", async () => {
  const { outcome, got } = await payFee([await findDeadEndpoint(), payments.devnet.rpcUrl]);
  expect(outcome).toMatchObject({ kind: "paid", already: false, receipt: { payer: reader.address } });
  expect(await got()).toBe(25_000n);
});

test("a payment goes through the next node when the first node is rate limited, and is broadcast once", async () => {
  first.set({ kind: "body", status: 429, body: () => "rate limited" });
  const { outcome, got } = await payFee([first.url, payments.devnet.rpcUrl]);
  expect(outcome).toMatchObject({ kind: "paid", already: false });
  expect(await got()).toBe(25_000n);
});

test("a broadcast whose answer is lost is repeated with the same bytes, and one fee is paid", async () => {
  const sends = /eth_send/;
  let sentToSecond = 0;
  first.set({ kind: "hang up", forwarded: true, only: sends });
  second.set({
    kind: "body",
    status: 200,
    only: sends,
    body: (answer) => {
      sentToSecond += 1;
      return answer;
    },
  });
  const { outcome, again, got } = await payFee([first.url, second.url]);
  expect(outcome).toMatchObject({ kind: "paid" });
  expect(await again()).toMatchObject({ kind: "paid" });
  expect(await got()).toBe(25_000n);
  expect(sentToSecond).toBe(1);
});
