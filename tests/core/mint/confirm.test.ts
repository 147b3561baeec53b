import { expect, test } from "vitest";
import type { Hex } from "../../../core/chain/hex.ts";
import { AppError } from "../../../core/error.ts";
import { confirm, settle } from "../../../core/mint/index.ts";
import { makeMetaUrl } from "../../../core/press/links.ts";
import {
  makeApprovedPress,
  makeRecordingQueue,
  mint,
  origin,
  provideMints,
  publisher,
  publisherAccount,
  registerUri,
  strangerAccount,
} from "./works.ts";

const nowhere: Hex = `0x${"9".repeat(64)}`;

const { devnet, room } = provideMints();

/** The given ports, with a worker that handles each message of the queue once. */
function makeWorkerPorts() {
  const mints = makeRecordingQueue(async (order) => void (await settle(room, order)));
  return { ...room, mints };
}

test("a request for a confirmed mint returns slug and pressId, even if its hash is in upper case; a repeat returns the same values and sends no message", async () => {
  const ports = makeWorkerPorts();
  const id = await makeApprovedPress(room);
  const txHash = await mint(devnet, id);
  const shouted: Hex = `0x${txHash.slice(2).toUpperCase()}`;
  const first = await confirm(ports, publisher, { id, txHash: shouted });
  expect(first).toEqual({
    slug: `apple-s-margins-widen-again-${id}`,
    pressId: expect.any(Number),
  });
  expect(await confirm(ports, publisher, { id, txHash })).toEqual(first);
  expect(await confirm(ports, publisher, { id, txHash: nowhere })).toEqual(first);
  expect(ports.mints.sent).toHaveLength(1);
  const { data } = await room.table.entities.press.get({ id }).go();
  expect(data?.mintTx).toBe(txHash);
});

test("the refusal of a mint states the reason, and the publisher may name another transaction", async () => {
  const ports = makeWorkerPorts();
  const id = await makeApprovedPress(room);
  const txHash = await registerUri(devnet, strangerAccount, makeMetaUrl(origin, id));
  for (const _ of [1, 2]) {
    await expect(confirm(ports, publisher, { id, txHash })).rejects.toMatchObject({
      kind: "input",
      code: "wrong_sender",
      message: "The transaction was not sent by the wallet that you are signed in with.",
    });
  }
  expect(ports.mints.sent).toHaveLength(2);
});

const pending = { kind: "upstream", code: "mint_pending", retryAfter: 2 };
const makeHash = (digit: number): Hex => `0x${String(digit).repeat(64)}`;

test("a mint whose transaction is not mined is answered as pending after 5 s, and a repeat sends no second message", async () => {
  const id = await makeApprovedPress(room);
  const started = room.clock.now();
  await expect(confirm(room, publisher, { id, txHash: nowhere })).rejects.toMatchObject(pending);
  const waited = room.clock.now() - started;
  expect(waited).toBeGreaterThan(3_500);
  expect(waited).toBeLessThanOrEqual(5_000);
  expect(room.mints.sent).toHaveLength(1);
  await expect(confirm(room, publisher, { id, txHash: nowhere })).rejects.toMatchObject(pending);
  expect(room.mints.sent).toHaveLength(1);

  // The publisher can ask for the confirmation of another transaction, so a wrong hash does not block the press.
  const txHash = await registerUri(devnet, publisherAccount, makeMetaUrl(origin, id));
  expect(await confirm(makeWorkerPorts(), publisher, { id, txHash })).toMatchObject({
    slug: expect.any(String),
  });
});

test("a fourth transaction for a press is refused until one of the first three is done, refused or lost; a transaction for another press is accepted", async () => {
  const id = await makeApprovedPress(room);
  const foreign = await registerUri(devnet, strangerAccount, makeMetaUrl(origin, id));
  const confirmMint = (digit: number, txHash = makeHash(digit)) => confirm(room, publisher, { id, txHash });
  await expect(confirmMint(1, foreign)).rejects.toMatchObject(pending);
  for (const digit of [2, 3, 2]) await expect(confirmMint(digit)).rejects.toMatchObject(pending);
  await expect(confirmMint(4)).rejects.toMatchObject({
    kind: "limit",
    code: "too_many_mints",
    retryAfter: expect.any(Number),
  });
  const other = await makeApprovedPress(room);
  await expect(confirm(room, publisher, { id: other, txHash: makeHash(4) })).rejects.toMatchObject(pending);
  const [first] = room.mints.sent;
  if (first === undefined) throw new Error("Nothing was sent");
  expect(await settle(room, first.order)).toEqual({ status: "refused", code: "wrong_sender" });
  await expect(confirmMint(4)).rejects.toMatchObject(pending);
  await expect(confirmMint(5)).rejects.toMatchObject({ code: "too_many_mints" });
  const orders = room.mints.sent.flatMap(({ order }) => (order.id === id ? [order.txHash] : []));
  expect(orders).toEqual([foreign, makeHash(2), makeHash(3), makeHash(4)]);
  room.clock.pass(60_000);
  await expect(confirmMint(5)).rejects.toMatchObject(pending);
});

test("if a transaction was replaced by another transaction, the message about the replaced transaction is handled once and not repeated", async () => {
  const id = await makeApprovedPress(room);
  const expectRejection = (digit: number) =>
    expect(confirm(room, publisher, { id, txHash: makeHash(digit) })).rejects;
  for (const digit of [1, 2, 3]) await expectRejection(digit).toMatchObject(pending);
  room.clock.pass(60_000);
  // The first transaction is sent again, and the other two transactions are replaced by new transactions.
  for (const digit of [1, 4, 5]) await expectRejection(digit).toMatchObject(pending);
  const orders = room.mints.sent.map(({ order }) => order);
  expect(orders.map(({ txHash }) => txHash)).toEqual([1, 2, 3, 1, 4, 5].map(makeHash));
  for (const order of orders) await settle(room, order);
  expect(room.mints.sent.slice(6).map(({ order }) => order.txHash)).toEqual([1, 4, 5].map(makeHash));
});

test("a transaction that no node had seen is accepted when the publisher submits its hash again", async () => {
  const id = await makeApprovedPress(room);
  await expect(confirm(room, publisher, { id, txHash: nowhere })).rejects.toMatchObject(pending);
  const [first] = room.mints.sent;
  if (first === undefined) throw new Error("Nothing was sent");
  room.clock.pass(111_000);
  await settle(room, first.order);
  await expect(confirm(room, publisher, { id, txHash: nowhere })).rejects.toMatchObject(pending);
  expect(room.mints.sent.at(-1)?.order).toMatchObject({ attempt: 0, seen: false, since: expect.any(Number) });
  expect(room.mints.sent).toHaveLength(2);
});

test("a failure of the queue is reported as an outage, and the next request sends the message at once", async () => {
  const id = await makeApprovedPress(room);
  const txHash = await mint(devnet, id);
  const broken = makeRecordingQueue(async () => {
    throw new AppError("upstream", "queue_unavailable", "Not now.");
  });
  await expect(confirm({ ...room, mints: broken }, publisher, { id, txHash })).rejects.toMatchObject({
    code: "queue_unavailable",
  });
  expect(await confirm(makeWorkerPorts(), publisher, { id, txHash })).toMatchObject({
    slug: expect.any(String),
  });
});
