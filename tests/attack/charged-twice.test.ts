import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Hex } from "../../core/chain/hex.ts";
import { reconcile } from "../../functions/job/payment.ts";
import { platformAccount, platformIndexes } from "../../local/devnet/accounts.ts";
import { ahead, type Bearers, type Press, parts, type Reader, startBearers } from "../support/bearers.ts";

let world: Bearers;
let press: Press;
let twin: Press;

beforeAll(async () => {
  world = await startBearers();
  [press, twin] = world.presses;
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => world.stop());

/** A payment of ours that reverted, and that a stranger has seen. */
async function broadcastInVain(reader: Reader, wanted = press) {
  const payment = await world.sign(reader, wanted, "publisher");
  await world.revert(wanted, payment);
  return payment;
}

/** The reader asks with a fresh payment: it is not charged, and gets what the other one has paid for. */
async function expectTextOf(reader: Reader, transaction: string, wanted = press) {
  const { header } = await world.sign(reader, wanted, "publisher");
  const answer = await world.request(wanted, "publisher", header);
  expect(answer).toMatchObject({ status: 200, body: { tx: transaction, body: wanted.text } });
}

const pending = {
  status: 503,
  retryAfter: expect.stringMatching(/^\d+$/),
  body: { code: "settlement_pending" },
};

describe("a settlement of ours reverts, its permit lives, and somebody settles it later", () => {
  test("through a contract that hides the nonce: a fresh payment gets the text and is not charged", async () => {
    const reader = await world.reader(press);
    const transaction = await world.settleHidden(await broadcastInVain(reader));
    await expectTextOf(reader, transaction);
    expect(await world.charged(reader)).toEqual([parts.publisher]);
  });

  test("so: the same payment gets the text", async () => {
    const reader = await world.reader(press);
    const payment = await broadcastInVain(reader);
    const tx = await world.settleHidden(payment);
    expect(await world.request(press, "publisher", payment.header)).toMatchObject({
      status: 200,
      body: { tx },
    });
    expect(await world.charged(reader)).toEqual([parts.publisher]);
  });

  test.each(["openly", "hidden"] as const)(
    "%s, and nobody asks: the reconciler unlocks the press",
    async (how) => {
      const reader = await world.reader(press);
      const payment = await broadcastInVain(reader);
      const before = await world.reads(press);
      ahead(60);
      await reconcile({}, { awsRequestId: "one" });
      expect(await world.reads(press)).toBe(before);
      await (how === "openly" ? world.settle(payment) : world.settleHidden(payment));
      ahead(60);
      await reconcile({}, { awsRequestId: "another" });
      expect(await world.reads(press)).toBe(before + 1);
      expect(await world.charged(reader)).toEqual([parts.publisher]);
    },
  );

  test("and its node has not kept the state of that time: the one transfer that there is counts", async () => {
    const reader = await world.reader(press);
    const transaction = await world.settleHidden(await broadcastInVain(reader));
    await world.client.mine({ blocks: 10 });
    world.door.forget(5);
    await expectTextOf(reader, transaction).finally(() => world.door.forget(Number.POSITIVE_INFINITY));
    expect(await world.charged(reader)).toEqual([parts.publisher]);
  });

  test("two that look alike, without that state: nobody is charged for asking, and each is credited once it can be told", async () => {
    const reader = await world.reader(press, twin);
    const [one, other] = [await broadcastInVain(reader), await broadcastInVain(reader, twin)];
    const first = await world.settleHidden(one);
    const second = await world.settleHidden(other);
    await world.client.mine({ blocks: 10 });
    world.door.forget(5);
    for (const wanted of [press, twin]) {
      const { header } = await world.sign(reader, wanted, "publisher");
      expect(await world.request(wanted, "publisher", header)).toMatchObject(pending);
    }
    world.door.forget(Number.POSITIVE_INFINITY);
    await expectTextOf(reader, second, twin);
    await expectTextOf(reader, first);
    expect(await world.charged(reader)).toEqual([parts.publisher, parts.publisher]);
  });

  test("and its node shows no logs for a while: nobody is charged for asking", async () => {
    const reader = await world.reader(press);
    const transaction = await world.settle(await broadcastInVain(reader));
    world.door.withholdLogs(true);
    const { header } = await world.sign(reader, press, "publisher");
    expect(await world.request(press, "publisher", header)).toMatchObject(pending);
    world.door.withholdLogs(false);
    await expectTextOf(reader, transaction);
    expect(await world.charged(reader)).toEqual([parts.publisher]);
  });
});

/** What this service once ended its calls in, to say for whom it had settled: here the name of another one. */
const foreignTag: Hex = `0x${Buffer.from("pressmkt").toString("hex")}${"5a".repeat(24)}`;

describe.each(["sign", "signAuthorization"] as const)(
  "somebody settles what a reader signed (%s) in another service's name",
  (by) => {
    test("before it is presented: the reader has paid", async () => {
      const reader = await world.reader(press);
      const payment = await world[by](reader, press, "publisher");
      const tx = await world.settle(payment, foreignTag);
      expect(await world.request(press, "publisher", payment.header)).toMatchObject({
        status: 409,
        body: { code: "already_unlocked" },
      });
      await expectTextOf(reader, tx);
      expect(await world.charged(reader)).toEqual([parts.publisher]);
    });

    test("between our look at the chain and our broadcast: the request gets the text", async () => {
      const reader = await world.reader(press);
      const payment = await world[by](reader, press, "publisher");
      world.door.before("eth_sendRawTransactionSync", () => world.settle(payment, foreignTag));
      expect(await world.request(press, "publisher", payment.header)).toMatchObject({
        status: 200,
        body: { body: press.text },
      });
      expect(await world.charged(reader)).toEqual([parts.publisher]);
    });
  },
);

test("a payment that was presented and never broadcast counts, too, when somebody settles it", async () => {
  const reader = await world.reader(press);
  const payment = await world.sign(reader, press, "publisher");
  const relayers = platformIndexes.relayers.map((index) => platformAccount(index).address);
  const endow = (value: bigint) =>
    Promise.all(relayers.map((address) => world.client.setBalance({ address, value })));
  await endow(0n);
  expect(await world.request(press, "publisher", payment.header)).toMatchObject({
    status: 503,
    body: { code: "payments_unavailable" },
  });
  await endow(10n ** 18n);
  await expectTextOf(reader, await world.settleHidden(payment));
  expect(await world.charged(reader)).toEqual([parts.publisher]);
});

test("a payment that somebody settles before it is presented counts, through whatever contract", async () => {
  const reader = await world.reader(press);
  const payment = await world.sign(reader, press, "publisher");
  await world.settleHidden(payment);
  // The chain has shown it to everybody: it pays, and the text takes a sign-in (invariant 5).
  expect(await world.request(press, "publisher", payment.header)).toMatchObject({
    status: 409,
    body: {
      code: "already_unlocked",
      read: { "sign-in-with-x": expect.stringContaining("/api/presses/") },
    },
  });
  expect(await world.charged(reader)).toEqual([parts.publisher]);
});

test("a deadline farther than ten minutes is refused, for others could charge the payment for as long", async () => {
  const reader = await world.reader(press);
  const { header } = await world.sign(reader, press, "publisher", 660);
  expect(await world.request(press, "publisher", header)).toMatchObject({
    status: 402,
    body: { code: "permit2_deadline_too_far", error: expect.stringContaining("ten minutes") },
  });
  expect(await world.charged(reader)).toEqual([]);
});

test("a permit that reverted, was settled late, and is asked for 10,001 blocks on is not charged again", async () => {
  const reader = await world.reader(press);
  const transaction = await world.settle(await broadcastInVain(reader));
  await world.door.leap(10_001);
  await world.pass(1_001);
  await expectTextOf(reader, transaction);
  expect(await world.charged(reader)).toEqual([parts.publisher]);
});
