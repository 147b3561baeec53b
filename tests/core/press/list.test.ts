import { afterAll, beforeAll, expect, test } from "vitest";
import { list } from "../../../core/press/index.ts";
import { save } from "../../../core/press/own.ts";
import type { PressList } from "../../../core/press/schema.ts";
import { noStanding } from "../../../core/rank/schema.ts";
import { startTestTable, type TestTable } from "../../support/table.ts";
import { approve, makeDraft, makeHandClock, makeMarketAt, publish, publisher } from "./newsroom.ts";

function listIds({ presses }: PressList): readonly number[] {
  return presses.map(({ pressId }) => pressId);
}

let storage: TestTable;
beforeAll(async () => {
  storage = await startTestTable();
  const room = { table: storage.table, clock: makeHandClock(), market: makeMarketAt({ now: 300 }) };
  for (const agentId of [0, 1, 2, 3, 4]) {
    await publish(room, agentId, { stock: agentId % 2 === 0 ? "AAPL" : "NVDA" });
    // Two presses are published in the same millisecond.
    if (agentId !== 2) room.clock.pass(1000);
  }
  const { id } = await save(room, publisher, makeDraft());
  await approve(room, id);
});
afterAll(() => storage.stop());

test("live presses are listed newest first, with the specified fields only", async () => {
  const answer = await list(storage, {});
  expect(Object.keys(answer)).toEqual(["presses"]);
  expect(listIds(answer)).toEqual([4, 3, 2, 1, 0]);
  expect(answer.presses.at(-1)).toEqual({
    id: 1,
    pressId: 0,
    slug: "apple-s-margins-widen-again-1",
    headline: "Apple's margins widen again",
    preview: makeDraft().preview,
    stock: "AAPL",
    publisher,
    publisherName: "Margin Notes",
    priceUsdg: 1.5,
    priceUnits: "1500000",
    publishedAt: "2026-11-20T12:00:00.000Z",
    readMinutes: 1,
    auditScore: 88,
    aiAssisted: false,
    publisherHolds: true,
    priceAtPublish: 327.2,
    votes: { up: 0, down: 0 },
    readerVotes: { up: 0, down: 0 },
    standing: noStanding,
    tags: {},
    reads: 0,
    mintTx: `0x${"0".repeat(64)}`,
    bylineAmbiguous: false,
    newAuthorUntil: null,
    corrections: [],
    priceChangedAt: null,
    unlistedAt: null,
    auditTx: null,
  });
});

test("a request for audit findings gets the findings of each press with stored findings", async () => {
  await storage.table.entities.press
    .patch({ id: 1 })
    .data(({ audit }, { set }) => set(audit.found, { low: 2, medium: 1 }))
    .go();
  const { presses } = await list(storage, { with: "findings" });
  expect(presses.map(({ findings }) => findings)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    { low: 2, medium: 1 },
  ]);
  expect((await list(storage, {})).presses.some((press) => "findings" in press)).toBe(false);
});

test("a list of one stock or of all stocks takes one table request, from a cursor or from the top", async () => {
  const { cursor } = await list(storage, { limit: 1 });
  let requests = 0;
  storage.database.client.middlewareStack.add(
    (next) => (args) => {
      requests += 1;
      return next(args);
    },
    { step: "initialize", name: "count" },
  );
  await list(storage, {});
  await list(storage, { stock: "AAPL", cursor, limit: 2 });
  storage.database.client.middlewareStack.remove("count");
  expect(requests).toBe(2);
});

test("the list of a stock contains that stock's presses only", async () => {
  expect(listIds(await list(storage, { stock: "NVDA" }))).toEqual([3, 1]);
  expect(await list(storage, { stock: "MOON" })).toEqual({ presses: [] });
});

test.each([1, 2, 3, 5])("pages of %i presses follow each other without gaps or repeats", async (limit) => {
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(storage, { limit, cursor });
    expect(page.presses.length).toBeLessThanOrEqual(limit);
    seen.push(...listIds(page));
    cursor = page.cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual([4, 3, 2, 1, 0]);
});

test("a cursor also works in the list of one stock", async () => {
  const first = await list(storage, { stock: "AAPL", limit: 2 });
  expect(listIds(first)).toEqual([4, 2]);
  expect(listIds(await list(storage, { stock: "AAPL", cursor: first.cursor }))).toEqual([0]);
});

test.each(["", "?", "bm90IGpzb24", Buffer.from('["2026-11-20","x"]').toString("base64url")])(
  "the cursor %j is refused",
  async (cursor) => {
    await expect(list(storage, { cursor })).rejects.toMatchObject({
      kind: "input",
      code: "invalid_cursor",
    });
  },
);
