import { expect } from "vitest";
import { prove } from "../holds.ts";
import { wire } from "../world/ask.ts";
import { saveSuccessfully, writer } from "../world/desk.ts";
import { seeded } from "./seeded.ts";
import { list, shelf } from "./shelf.ts";

prove("4.3 presses", async () => {
  const { held, drafted } = await shelf();
  expect((await list()).map(({ id }) => id)).toEqual(expect.arrayContaining([held.id, drafted.id]));
});

prove("4.3 presses: stock", async () => {
  const { held, drafted } = await shelf();
  const listIds = (presses: readonly { readonly id: number }[]) => presses.map(({ id }) => id);
  const apple = await list("?stock=AAPL");
  expect(apple.every(({ stock }) => stock === "AAPL")).toBe(true);
  expect(listIds(apple)).toContain(held.id);
  expect(listIds(await list("?stock=NVDA"))).toEqual([drafted.id]);
  expect(await list("?stock=TSLA")).toEqual([]);
});

prove("4.3 presses: 200", async () => {
  expect(await seeded()).toHaveLength(200);
  expect(await list()).toHaveLength(200);
});

prove("4.3 presses: live", async () => {
  await shelf();
  const draft = await saveSuccessfully(writer);
  expect((await list("?stock=AAPL")).map(({ id }) => id)).not.toContain(draft);
});

prove("4.3 presses: newest first", async () => {
  const { held, drafted } = await shelf();
  await seeded();
  const ids = (await list()).map(({ id }) => id);
  expect(ids.indexOf(drafted.id)).toBeLessThan(ids.indexOf(held.id));
  await expectNewestFirst("");
});

prove("8 presses per list", async () => {
  await seeded();
  expect(await list()).toHaveLength(200);
  await expectNewestFirst("?stock=GOOGL");
});

async function expectNewestFirst(query: string): Promise<void> {
  const times = (await list(query)).map(({ publishedAt }) => publishedAt);
  for (const time of times) expect(time).toMatch(wire.time);
  expect(times).toEqual(times.toSorted().toReversed());
}
