import { beforeEach, expect, test } from "vitest";
import { markSharedByline } from "../../../core/byline/index.ts";
import { publishPress } from "../../../core/mint/publish.ts";
import { list } from "../../../core/press/index.ts";
import { save } from "../../../core/press/own.ts";
import type { Table } from "../../../core/table.ts";
import { countTableRequests } from "../../support/counting.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { approve, makeDraft, makeManualClock, makeMarket, readPress } from "../press/newsroom.ts";

let room: { table: Table; clock: ReturnType<typeof makeManualClock>; market: ReturnType<typeof makeMarket> };
let minted = 0;
const storage = startPart(startTestTable, { each: true });
beforeEach(() => {
  room = { table: storage.table, clock: makeManualClock(), market: makeMarket({ now: 300 }) };
});

const makeAddress = (index: number) => `0x${index.toString(16).padStart(40, "0")}` as const;

/** Saves and approves a draft of this wallet. */
async function makeApprovedPress(wallet: number, publisherName: string): Promise<number> {
  const { id } = await save(room, makeAddress(wallet), makeDraft({ publisherName }));
  await approve(room, id);
  // These tests leave out the search for copies of a text, because that search would take most of the time and has its own tests.
  await room.table.entities.press.patch({ id }).remove(["sketch"]).go();
  return id;
}

/** Publishes a press as the worker does, and tries again if another press went live during the attempt. */
async function publish(id: number): Promise<void> {
  const mint = {
    agentId: minted,
    txHash: `0x${(minted++).toString(16).padStart(64, "0")}`,
    mark: 300,
  } as const;
  for (let left = 3; left > 0; left -= 1) {
    if ((await publishPress(room, await readPress(room.table, id), mint))?.status === "done") return;
  }
  throw new Error("The press did not go live");
}

/** Lists the live presses that are marked as ambiguous. Each entry gives the wallet's address as a number, and the byline. */
async function listMarkedPresses(): Promise<readonly string[]> {
  const { presses } = await list(room, {});
  return presses
    .filter(({ bylineAmbiguous }) => bylineAmbiguous)
    .map(({ publisher, publisherName }) => `${Number(publisher)} ${publisherName}`)
    .toSorted();
}

test("if two presses with look-alike bylines go live at once, both are marked as ambiguous, whichever press is first", async () => {
  for (const round of [1, 2, 3]) {
    const [one, other] = [`Desk ${"x".repeat(round)}`, `Dеsk ${"x".repeat(round)}`];
    const ids = await Promise.all([
      makeApprovedPress(2 * round, one),
      makeApprovedPress(2 * round + 1, other),
    ]);
    await Promise.all(ids.map(publish));
    await Promise.all(ids.map((id) => markSharedByline(room, id)));
    expect(await listMarkedPresses()).toEqual(
      expect.arrayContaining([`${2 * round} ${one}`, `${2 * round + 1} ${other}`]),
    );
  }
});

test("if a crash prevents the mark on a press with a shared byline, a repeated mint message or a later press with this byline adds the mark", async () => {
  await publish(await makeApprovedPress(1, "Margin Notes"));
  const second = await makeApprovedPress(2, "Margin Notes");
  await publish(second);
  expect(await listMarkedPresses()).toEqual(["2 Margin Notes"]);
  const third = await makeApprovedPress(3, "Margin Notes");
  await publish(third);
  await markSharedByline(room, third);
  expect(await listMarkedPresses()).toEqual(["1 Margin Notes", "2 Margin Notes", "3 Margin Notes"]);

  await publish(await makeApprovedPress(4, "The Desk"));
  const other = await makeApprovedPress(5, "The Desk");
  await publish(other);
  await markSharedByline(room, other);
  await markSharedByline(room, other);
  expect(await listMarkedPresses()).toContain("4 The Desk");
});

test("every press with a shared byline is marked even if the index lags, because the marking is repeated until the index shows all presses", async () => {
  await using late = await startTestTable("embedded", { index: () => 400, read: () => 0 });
  room = {
    ...room,
    table: late.table,
    clock: { ...room.clock, sleep: (ms) => new Promise((end) => setTimeout(end, ms)) },
  };
  await publish(await makeApprovedPress(1, "Margin Notes"));
  const second = await makeApprovedPress(2, "Margin Notes");
  await publish(second);
  await markSharedByline(room, second);
  await expect.poll(listMarkedPresses).toEqual(["1 Margin Notes", "2 Margin Notes"]);
});

test("while the index does not show a press, the handling of the press's message fails, so that the queue delivers the message again", async () => {
  await using late = await startTestTable("embedded", { index: () => 60_000, read: () => 0 });
  room = { ...room, table: late.table };
  await publish(await makeApprovedPress(1, "Margin Notes"));
  const second = await makeApprovedPress(2, "Margin Notes");
  await publish(second);
  await expect(markSharedByline(room, second)).rejects.toThrow("The index does not show all presses");
});

test("a press is marked as ambiguous only if another wallet uses its byline", async () => {
  await publish(await makeApprovedPress(1, "Margin Notes"));
  await publish(await makeApprovedPress(1, "Margin Notes"));
  await publish(await makeApprovedPress(1, "The Desk"));
  const id = await makeApprovedPress(2, "The Desk");
  await publish(id);
  await markSharedByline(room, id);
  expect(await listMarkedPresses()).toEqual(["1 The Desk", "2 The Desk"]);
});

test("when many wallets publish under one byline, no later press takes more table requests than the third press, even if all wallets publish at once", async () => {
  /** Publishes a press of each wallet, and counts the table requests. */
  const publishAll = async (wallets: readonly number[]) => {
    const ids = await Promise.all(wallets.map((wallet) => makeApprovedPress(wallet, "Margin Notes")));
    return countTableRequests(storage, async () => {
      await Promise.all(ids.map(publish));
      await Promise.all(ids.map((id) => markSharedByline(room, id)));
    });
  };
  await publishAll([1]);
  await publishAll([2]);
  const { requests: third } = await publishAll([3]);
  expect(third).toBeLessThanOrEqual(10);
  const later = Array.from({ length: 10 }, (_, index) => 4 + index);
  expect((await publishAll(later)).requests).toBeLessThanOrEqual(later.length * third);
  const { presses } = await list(room, {});
  expect(presses.every(({ bylineAmbiguous }) => bylineAmbiguous)).toBe(true);
});
