import { expect, test } from "vitest";
import { listSales, readDashboard, readFullDashboard, save } from "../../../core/press/own.ts";
import { makeLegFields } from "../../support/leg.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { approve, makeDraft, makeManualClock, makeMarket, readPress, stranger } from "./newsroom.ts";

const settings = { origin: "https://news.example" };

const storage = startPart(startTestTable);

function makePressPorts() {
  return { table: storage.table, clock: makeManualClock(), market: makeMarket({ now: 327.2 }), settings };
}

test("presses that do not fit into one table answer are listed in pages, and each press appears once, with its own sums", async () => {
  const room = makePressPorts();
  const wallet = "0x00000000000000000000000000000000000000c4";
  const { id } = await save(room, wallet, makeDraft());
  const item = await readPress(room.table, id);
  // The preview is much longer than the service allows, so that a few presses fill a page of the list.
  const preview = "x".repeat(300_000);
  for (const offset of [1, 2, 3, 4, 5]) {
    await room.table.entities.press.put({ ...item, id: id + 1_000 + offset, preview }).go();
  }
  const { data: page } = await room.table.entities.press.query.byPublisher({ publisher: wallet }).go();
  expect(page.length).toBeLessThan(6);
  const first = await readDashboard(room, wallet);
  const second = await readDashboard(room, wallet, first.cursor);
  expect(first.presses.length).toBeLessThan(6);
  expect([...first.presses, ...second.presses].map((press) => press.id)).toEqual([
    ...[5, 4, 3, 2, 1].map((offset) => id + 1_000 + offset),
    id,
  ]);
  expect(second.cursor).toBeUndefined();
  await expect(readDashboard(room, wallet, "x")).rejects.toMatchObject({ code: "invalid_cursor" });
});

test("for each article that is not live, the dashboard shows the next step, and the time when the article began to wait for this step", async () => {
  const room = makePressPorts();
  const wallet = "0x00000000000000000000000000000000000000c5";
  const { press, mintSlot } = room.table.entities;
  const made: number[] = [];
  for (const _ of ["draft", "asked", "revise", "approved", "reported"]) {
    made.push((await save(room, wallet, makeDraft())).id);
    room.clock.pass(60 * 60_000);
  }
  const [saved = 0, asked = 0, revise = 0, approved = 0, reported = 0] = made;
  const now = room.clock.now();
  const auditedAt = "2026-11-20T12:00:00.000Z";
  for (const id of [revise, approved, reported]) await approve(room, id);
  await press.patch({ id: revise }).set({ status: "revise" }).go();
  await press
    .patch({ id: asked })
    .set({ auditRunUntil: now + 50_000 })
    .go();
  const since = now - 5 * 60_000;
  const claim = { since, dueAt: since + 60_000, expiresAt: Math.ceil(now / 1000) + 60 };
  await mintSlot.put({ id: reported, slot: 0, txHash: "0xaa", ...claim }).go();
  // A request for a mint was stored the day before, and the table has not deleted the request yet.
  await mintSlot.put({ id: approved, slot: 0, txHash: "0xbb", ...claim, expiresAt: 1 }).go();

  const { waits } = await readFullDashboard(room, wallet);
  const formatTime = (time: number) => new Date(time).toISOString();
  expect(waits?.toReversed()).toEqual([
    { id: saved, for: "audit", since: "2026-11-20T12:00:00.000Z" },
    { id: asked, for: "audit-running", since: formatTime(now - 10_000) },
    { id: revise, for: "revision", since: auditedAt },
    { id: approved, for: "mint", since: auditedAt },
    { id: reported, for: "confirmation", since: formatTime(since) },
  ]);
});

test("payments are listed in pages, and each payment appears once, even if forty payments of one transaction have the same time and press", async () => {
  const { table } = makePressPorts();
  const owner = "0x00000000000000000000000000000000000000c6";
  const sales = Array.from({ length: 721 }, (_, number) => {
    const at = new Date(Date.parse("2026-11-20T12:00:00.000Z") + Math.floor(number / 40)).toISOString();
    return {
      ...makeLegFields(`0x${number.toString(16).padStart(40, "0")}`, 7),
      ...({ leg: "publisher", state: "settled", listedAs: "sale" } as const),
      ...{ txHash: "0xaa", settledAt: at, listedFor: owner, listedAt: at, listedPress: 7 },
    };
  });
  await table.entities.settlement.put(sales).go();
  const first = await listSales({ table }, owner);
  const second = await listSales({ table }, owner, first.cursor);
  const all = [...first.sales, ...second.sales];
  expect([all.length, new Set(all.map(({ wallet }) => wallet)).size]).toEqual([721, 721]);
  const times = all.map(({ at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(second.cursor).toBeUndefined();
  expect(await listSales({ table }, stranger)).toEqual({ sales: [] });
});
