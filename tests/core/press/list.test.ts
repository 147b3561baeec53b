import { beforeAll, expect, test } from "vitest";
import { list } from "../../../core/press/index.ts";
import { save } from "../../../core/press/own.ts";
import type { PressList } from "../../../core/press/schema.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { approve, makeDraft, makeManualClock, makeMarket, publish, publisher } from "./newsroom.ts";

function listIds({ presses }: PressList): readonly number[] {
  return presses.map(({ pressId }) => pressId);
}

const storage = startPart(startTestTable);
beforeAll(async () => {
  const room = { table: storage.table, clock: makeManualClock(), market: makeMarket({ now: 300 }) };
  for (const agentId of [0, 1, 2, 3, 4]) {
    await publish(room, agentId, { stock: agentId % 2 === 0 ? "AAPL" : "NVDA" });
    // Two presses are published in the same millisecond.
    if (agentId !== 2) room.clock.pass(1000);
  }
  const { id } = await save(room, publisher, makeDraft());
  await approve(room, id);
});

test("a request for the list with audit findings returns each press's stored findings", async () => {
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

test("a list contains all its presses, even if DynamoDB stops the query after presses with long notes", async () => {
  const { press } = storage.table.entities;
  const corrections = Array.from({ length: 20 }, () => ({
    at: "2026-11-20T12:00:00.000Z",
    text: "x".repeat(18_000),
  }));
  for (const id of [3, 4, 5]) await press.patch({ id }).set({ corrections }).go();
  expect(listIds(await list(storage, {}))).toEqual([4, 3, 2, 1, 0]);
  expect(listIds(await list(storage, { limit: 4 }))).toEqual([4, 3, 2, 1]);
});
