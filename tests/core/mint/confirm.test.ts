import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../core/adapter/system.ts";
import type { Hex } from "../../../core/chain/hex.ts";
import { AppError } from "../../../core/error.ts";
import { confirm } from "../../../core/mint/confirm.ts";
import { settle } from "../../../core/mint/settle.ts";
import { metaUrl } from "../../../core/press/links.ts";
import { save } from "../../../core/press/save.ts";
import { startTestDevnet, type TestDevnet } from "../../support/devnet.ts";
import { startTestTable, type TestTable } from "../../support/table.ts";
import { draft, stranger } from "../press/newsroom.ts";
import {
  approved,
  keptQueue,
  mint,
  origin,
  publisher,
  publisherAccount,
  register,
  strangerAccount,
  type Works,
  works,
} from "./works.ts";

const nowhere: Hex = `0x${"9".repeat(64)}`;

let devnet: TestDevnet;
let storage: TestTable;
let room: Works;
beforeAll(async () => {
  devnet = await startTestDevnet();
});
afterAll(() => devnet.stop());
beforeEach(async () => {
  storage = await startTestTable();
  room = works(storage, devnet);
});
afterEach(() => storage.stop());

/** The same works with a worker at the queue's other end, which leaves what must wait. */
function working() {
  const mints = keptQueue(async (order) => void (await settle(room, order)));
  return { ...room, mints };
}

test("a confirmed mint answers slug and pressId, and so does every repeat, without another message", async () => {
  const ports = working();
  const id = await approved(room);
  const txHash = await mint(devnet, id);
  const first = await confirm(ports, publisher, { id, txHash });
  expect(first).toEqual({
    state: "live",
    slug: `apple-s-margins-widen-again-${id}`,
    pressId: expect.any(Number),
  });
  expect(await confirm(ports, publisher, { id, txHash })).toEqual(first);
  expect(await confirm(ports, publisher, { id, txHash: nowhere })).toEqual(first);
  expect(ports.mints.sent).toHaveLength(1);
});

test("a transaction hash counts in any casing", async () => {
  const id = await approved(room);
  const txHash = await mint(devnet, id);
  const shouted: Hex = `0x${txHash.slice(2).toUpperCase()}`;
  expect(await confirm(working(), publisher, { id, txHash: shouted })).toMatchObject({ state: "live" });
  const { data } = await room.table.entities.press.get({ id }).go();
  expect(data?.mintTx).toBe(txHash);
});

test("a refusal is told with its reason, and the claim may be made again", async () => {
  const ports = working();
  const id = await approved(room);
  const txHash = await register(devnet, strangerAccount, metaUrl(origin, id));
  for (const _ of [1, 2]) {
    await expect(confirm(ports, publisher, { id, txHash })).rejects.toMatchObject({
      kind: "input",
      code: "wrong_sender",
      message: "The transaction was not sent by the wallet that you are signed in with.",
    });
  }
  expect(ports.mints.sent).toHaveLength(2);
});

test("what is not mined yet is pending after 20 s; a repeat sends nothing more and gets the result", async () => {
  const id = await approved(room);
  const started = room.clock.now();
  expect(await confirm(room, publisher, { id, txHash: nowhere })).toEqual({ state: "pending" });
  const waited = room.clock.now() - started;
  expect(waited).toBeGreaterThan(18_000);
  expect(waited).toBeLessThanOrEqual(20_000);
  expect(room.mints.sent).toHaveLength(1);
  expect(await confirm(room, publisher, { id, txHash: nowhere })).toEqual({ state: "pending" });
  expect(room.mints.sent).toHaveLength(1);

  // Another transaction is another claim: a wrong hash blocks nothing.
  const txHash = await register(devnet, publisherAccount, metaUrl(origin, id));
  expect(await confirm(working(), publisher, { id, txHash })).toMatchObject({ state: "live" });
});

test("a message that was lost is sent again", async () => {
  const id = await approved(room);
  await confirm(room, publisher, { id, txHash: nowhere });
  room.clock.pass(60_000);
  await confirm(room, publisher, { id, txHash: nowhere });
  expect(room.mints.sent).toHaveLength(2);
});

test("a queue that takes nothing is told as such, and the next request sends at once", async () => {
  const id = await approved(room);
  const txHash = await mint(devnet, id);
  const broken = keptQueue(async () => {
    throw new AppError("upstream", "queue_unavailable", "Not now.");
  });
  await expect(confirm({ ...room, mints: broken }, publisher, { id, txHash })).rejects.toMatchObject({
    code: "queue_unavailable",
  });
  expect(await confirm(working(), publisher, { id, txHash })).toMatchObject({ state: "live" });
});

test("requests that race for one claim send one message and get one answer", async () => {
  // Real time: those who wait would have let the twenty seconds pass before the worker is done.
  const ports = { ...working(), clock: systemClock };
  const id = await approved(room);
  const txHash = await mint(devnet, id);
  const answers = await Promise.all([1, 2, 3].map(() => confirm(ports, publisher, { id, txHash })));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ state: "live" });
  expect(ports.mints.sent).toHaveLength(1);
});

test("only an approved press can be minted, and only its publisher hears of it", async () => {
  const { id } = await save(room, publisher, draft());
  await expect(confirm(room, publisher, { id, txHash: nowhere })).rejects.toMatchObject({
    kind: "conflict",
    code: "not_approved",
  });
  for (const [wallet, unknown] of [
    [stranger, id],
    [publisher, 999],
  ] as const) {
    await expect(confirm(room, wallet, { id: unknown, txHash: nowhere })).rejects.toMatchObject({
      kind: "missing",
      code: "unknown_press",
    });
  }
  expect(room.mints.sent).toEqual([]);
});
