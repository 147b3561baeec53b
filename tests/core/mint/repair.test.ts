import { beforeEach, expect, test } from "vitest";
import type { Hex } from "../../../core/chain/hex.ts";
import { repair, settle } from "../../../core/mint/index.ts";
import { makeMetaUrl } from "../../../core/press/links.ts";
import { save } from "../../../core/press/own.ts";
import { makeDraft } from "../press/newsroom.ts";
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

let earlier: ReadonlySet<string>;
const { devnet, room } = provideMints();
beforeEach(async () => {
  earlier = new Set((await repair(room, { since: 0, write: false })).map(({ txHash }) => txHash));
});

/** Runs the repair, and returns what the repair found about the mints of this test. */
async function runRepair(ports: Parameters<typeof repair>[0], write = true) {
  const found = await repair(ports, { since: 0, write });
  return found.filter(({ txHash }) => !earlier.has(txHash));
}

const findState = async (txHash: Hex) => (await runRepair(room)).find((one) => one.txHash === txHash)?.state;

test("a mint that is missing in the table is queued again, and the worker then makes the press live with the same identity", async () => {
  const mints = makeRecordingQueue(async (order) => void (await settle(room, order)));
  const ports = { ...room, mints };
  const id = await makeApprovedPress(room);
  const txHash = await mint(devnet, id);
  expect(await runRepair(ports, false)).toEqual([
    { txHash, id, pressId: expect.any(Number), state: "missing" },
  ]);
  expect(mints.sent).toEqual([]);
  expect(await runRepair(ports)).toMatchObject([{ txHash, state: "ordered" }]);
  expect(mints.sent).toHaveLength(1);
  const [known] = await runRepair(ports);
  const { data } = await room.table.entities.press.get({ id }).go({ consistent: true });
  expect([known?.state, data?.status, data?.pressId, data?.mintTx]).toEqual([
    "known",
    "live",
    known?.pressId,
    txHash,
  ]);
});

test("neither an identity that a stranger minted for a press nor a second identity of the publisher makes the press live", async () => {
  const mints = makeRecordingQueue(async (order) => void (await settle(room, order)));
  const id = await makeApprovedPress(room);
  const foreign = await registerUri(devnet, strangerAccount, makeMetaUrl(origin, id));
  expect(await findState(foreign)).toBe("not_its_publisher");
  await mint(devnet, id);
  await runRepair({ ...room, mints });
  const again = await registerUri(devnet, publisherAccount, makeMetaUrl(origin, id));
  expect(await findState(again)).toBe("other_identity");
  expect(await findState(foreign)).toBe("not_its_publisher");
});

test("a mint of a lost or unapproved draft is reported, and identities whose URI is not a press's URI are ignored", async () => {
  const lost = await registerUri(devnet, publisherAccount, makeMetaUrl(origin, 900_000));
  const { id } = await save(room, publisher, makeDraft());
  const early = await registerUri(devnet, publisherAccount, makeMetaUrl(origin, id));
  for (const uri of [
    "https://other.example/api/meta/1",
    `${origin}/api/meta/01`,
    `${origin}/api/meta/1/`,
    "",
  ]) {
    await registerUri(devnet, publisherAccount, uri);
  }
  expect((await runRepair(room)).map(({ txHash, state }) => [txHash, state])).toEqual([
    [lost, "lost_draft"],
    [early, "not_approved"],
  ]);
});

test("a press that was minted more often than its mints may be checked at once does not stop the repair of later mints", async () => {
  // Each test has a new table, so the earlier tests have minted a press with the first id on the same chain.
  await makeApprovedPress(room);
  const often = await makeApprovedPress(room);
  const hashes: Hex[] = [];
  for (let count = 0; count < 4; count += 1) hashes.push(await mint(devnet, often));
  hashes.push(await mint(devnet, await makeApprovedPress(room)));
  const states = ["ordered", "ordered", "ordered", "too_many_mints", "ordered"];
  const expected = hashes.map((txHash, index) => [txHash, states[index]]);
  expect((await runRepair(room)).map(({ txHash, state }) => [txHash, state])).toEqual(expected);
  expect(room.mints.sent.map(({ order }) => order.txHash)).toContain(hashes.at(-1));
});
