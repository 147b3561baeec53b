import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Hex } from "../../core/chain/hex.ts";
import { reconcile } from "../../functions/job/payment.ts";
import { getPlatformAccount, platformIndexes } from "../../local/devnet/accounts.ts";
import { type Press, parts, type Reader, startBearers } from "../support/bearers.ts";
import { moveClockForward, shortenPauses } from "../support/clock.ts";
import { makeRefusal } from "../support/http-payer.ts";
import { startPart } from "../support/provide.ts";

let press: Press;
let twin: Press;

const world = startPart(startBearers);
beforeAll(async () => {
  [press, twin] = world.presses;
});
afterEach(() => vi.restoreAllMocks());

/** Makes a payment, broadcasts it and lets it revert. After the broadcast, strangers can see the payment's signature on the chain. */
async function revertPayment(reader: Reader, wantedPress = press) {
  const payment = await world.sign(reader, wantedPress, "publisher");
  await world.revert(wantedPress, payment);
  return payment;
}

/**
 * The reader sends a fresh payment. The service does not charge the fresh payment, and the answer names the transaction by which the reader
 * has already paid.
 */
async function expectTextPaidBy(reader: Reader, transaction: string, wantedPress = press) {
  const { header } = await world.sign(reader, wantedPress, "publisher");
  const answer = await world.request(wantedPress, "publisher", header);
  expect(answer).toMatchObject({ status: 200, body: { tx: transaction, body: wantedPress.text } });
}

const pending = {
  status: 503,
  retryAfter: expect.stringMatching(/^\d+$/),
  body: { code: "settlement_pending" },
};

describe("our settlement of a permit reverts, and a stranger settles the permit later while it is still valid", () => {
  test("if a stranger has settled a failed payment through a contract that hides the nonce, a fresh payment gets the text without a charge", async () => {
    const reader = await world.makeReader(press);
    const transaction = await world.settleHidden(await revertPayment(reader));
    await expectTextPaidBy(reader, transaction);
    expect(await world.listCharges(reader)).toEqual([parts.publisher]);
  });

  test("if a stranger has settled a failed payment through a contract that hides the nonce, a repeat of the payment gets the text", async () => {
    const reader = await world.makeReader(press);
    const payment = await revertPayment(reader);
    const tx = await world.settleHidden(payment);
    expect(await world.request(press, "publisher", payment.header)).toMatchObject({
      status: 200,
      body: { tx },
    });
    expect(await world.listCharges(reader)).toEqual([parts.publisher]);
  });

  test.each(["openly", "hidden"] as const)(
    "the reconciler unlocks the press without a request when a stranger settles the failed payment %s",
    async (how) => {
      const reader = await world.makeReader(press);
      const payment = await revertPayment(reader);
      const before = await world.countReads(press);
      moveClockForward(60);
      await reconcile({}, { awsRequestId: "one" });
      expect(await world.countReads(press)).toBe(before);
      await (how === "openly" ? world.settle(payment) : world.settleHidden(payment));
      moveClockForward(60);
      await reconcile({}, { awsRequestId: "another" });
      expect(await world.countReads(press)).toBe(before + 1);
      expect(await world.listCharges(reader)).toEqual([parts.publisher]);
    },
  );

  test("if the node lacks old state and exactly one transfer matches a payment, this transfer counts as the payment", async () => {
    const reader = await world.makeReader(press);
    const transaction = await world.settleHidden(await revertPayment(reader));
    await world.client.mine({ blocks: 10 });
    world.door.pruneState(5);
    await expectTextPaidBy(reader, transaction).finally(() =>
      world.door.pruneState(Number.POSITIVE_INFINITY),
    );
    expect(await world.listCharges(reader)).toEqual([parts.publisher]);
  });

  test("while the node lacks old state, two payments that each match two transfers stay pending, and both count as paid when the node has the state", async () => {
    const reader = await world.makeReader(press, twin);
    const [one, other] = [await revertPayment(reader), await revertPayment(reader, twin)];
    const first = await world.settleHidden(one);
    const second = await world.settleHidden(other);
    await world.client.mine({ blocks: 10 });
    world.door.pruneState(5);
    shortenPauses();
    for (const wanted of [press, twin]) {
      const { header } = await world.sign(reader, wanted, "publisher");
      expect(await world.request(wanted, "publisher", header)).toMatchObject(pending);
    }
    world.door.pruneState(Number.POSITIVE_INFINITY);
    await expectTextPaidBy(reader, second, twin);
    await expectTextPaidBy(reader, first);
    expect(await world.listCharges(reader)).toEqual([parts.publisher, parts.publisher]);
  });

  test("a payer who asks again while the node shows no logs is not charged", async () => {
    const reader = await world.makeReader(press);
    const transaction = await world.settle(await revertPayment(reader));
    world.door.withholdLogs(true);
    shortenPauses();
    const { header } = await world.sign(reader, press, "publisher");
    expect(await world.request(press, "publisher", header)).toMatchObject(pending);
    world.door.withholdLogs(false);
    await expectTextPaidBy(reader, transaction);
    expect(await world.listCharges(reader)).toEqual([parts.publisher]);
  });
});

/**
 * A tag of another service at the end of a transaction's data. An old version of our service appended a similar tag to the data of its
 * transactions.
 */
const foreignTag: Hex = `0x${Buffer.from("pressmkt").toString("hex")}${"5a".repeat(24)}`;

describe.each(["sign", "signAuthorization"] as const)(
  "a stranger settles a reader's signed payment (%s) and adds the tag of another service",
  (by) => {
    test("if a stranger settles a payment before its reader presents it, the payment counts as paid", async () => {
      const reader = await world.makeReader(press);
      const payment = await world[by](reader, press, "publisher");
      const tx = await world.settle(payment, foreignTag);
      expect(await world.request(press, "publisher", payment.header)).toMatchObject(
        makeRefusal(409, "already_unlocked"),
      );
      await expectTextPaidBy(reader, tx);
      expect(await world.listCharges(reader)).toEqual([parts.publisher]);
    });

    test("a payer gets the text if a stranger settles the payment between our check of the chain and our broadcast", async () => {
      const reader = await world.makeReader(press);
      const payment = await world[by](reader, press, "publisher");
      world.door.before("eth_sendRawTransactionSync", () => world.settle(payment, foreignTag));
      expect(await world.request(press, "publisher", payment.header)).toMatchObject({
        status: 200,
        body: { body: press.text },
      });
      expect(await world.listCharges(reader)).toEqual([parts.publisher]);
    });
  },
);

test("if a payment was presented but never broadcast and a stranger settles it, the payment counts as paid", async () => {
  const reader = await world.makeReader(press);
  const payment = await world.sign(reader, press, "publisher");
  const relayers = platformIndexes.relayers.map((index) => getPlatformAccount(index).address);
  const endow = (value: bigint) =>
    Promise.all(relayers.map((address) => world.client.setBalance({ address, value })));
  await endow(0n);
  expect(await world.request(press, "publisher", payment.header)).toMatchObject(
    makeRefusal(503, "payments_unavailable"),
  );
  await endow(10n ** 18n);
  await expectTextPaidBy(reader, await world.settleHidden(payment));
  expect(await world.listCharges(reader)).toEqual([parts.publisher]);
});

test("if a stranger settles a payment before it is presented, the payment counts as paid, whichever contract the stranger uses", async () => {
  const reader = await world.makeReader(press);
  const payment = await world.sign(reader, press, "publisher");
  await world.settleHidden(payment);
  // Everybody has seen the permit on the chain. The permit counts as a payment, although a stranger has settled it. However often the
  // permit is sent, only a sign-in of the payer gets the text (invariant 5).
  for (const _ of ["first", "again"])
    expect(await world.request(press, "publisher", payment.header)).toMatchObject({
      status: 409,
      body: {
        code: "already_unlocked",
        read: { "sign-in-with-x": expect.stringContaining("/api/presses/") },
      },
    });
  expect(await world.listCharges(reader)).toEqual([parts.publisher]);
});

test("if a payer's permit has reverted and a stranger has settled it later, the payer is not charged again, even after 10,001 more blocks", async () => {
  const reader = await world.makeReader(press);
  const transaction = await world.settle(await revertPayment(reader));
  await world.door.addEmptyBlocks(10_001);
  await world.passTime(1_001);
  await expectTextPaidBy(reader, transaction);
  expect(await world.listCharges(reader)).toEqual([parts.publisher]);
});
