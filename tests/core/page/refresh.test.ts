import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { refresh } from "../../../core/page/index.ts";
import type { PageOrder } from "../../../core/page/schema.ts";
import { startTestTable, type TestTable } from "../../support/table.ts";
import { keptQueue } from "../mint/works.ts";
import { handClock, marketAt, publish } from "../press/newsroom.ts";
import { type Site, settings, startSite, template } from "./site.ts";

const count = 450;

let stored: TestTable;
let site: Site;
let ids: readonly number[];
beforeAll(async () => {
  stored = await startTestTable();
  site = await startSite();
  const room = { table: stored.table, clock: handClock(), market: marketAt({ now: 327.2 }) };
  const { id } = await publish(room, 0);
  const { press } = stored.table.entities;
  const { data: first } = await press.get({ id }).go();
  if (first?.publishedAt === undefined) throw new Error("The press is gone");
  const begun = Date.parse(first.publishedAt);
  const others = Array.from({ length: count - 1 }, (_, index) => ({
    ...first,
    id: id + 1 + index,
    slug: `press-${(id + 1 + index).toString(36)}`,
    publishedAt: new Date(begun + (index + 1) * 60_000).toISOString(),
  }));
  await press.put(others).go();
  ids = [id, ...others.map((other) => other.id)];
});
afterAll(async () => {
  await site.stop();
  await stored.stop();
});
beforeEach(async () => {
  site.deployed.html = template("one");
  await stored.table.entities.round.delete({ name: "pages" }).go();
});

/** A run whose time is up after so many requests for presses. */
async function run(strides = Number.POSITIVE_INFINITY, changes: Partial<Parameters<typeof refresh>[0]> = {}) {
  const clock = handClock();
  const pageOrders = keptQueue<PageOrder>();
  let left = strides;
  const until = clock.now() + 1;
  const ticking = {
    ...clock,
    now() {
      const now = clock.now();
      // It is asked once for each stride's record, and once for whether there is time left.
      left -= 0.5;
      return left < 0.5 ? until : now;
    },
  };
  const ports = { table: stored.table, clock: ticking, pages: site.pages, pageOrders, settings, ...changes };
  const refreshed = await refresh(ports, until);
  return { refreshed, ids: pageOrders.sent.map(({ order }) => order.id) };
}

test("a new build of the site has every page ordered, once; then nothing is to be done", async () => {
  const first = await run();
  expect(first.refreshed).toEqual({ state: "complete", ordered: count });
  expect(first.ids.toSorted((a, b) => a - b)).toEqual(ids);
  expect(await run()).toEqual({ refreshed: { state: "current" }, ids: [] });
  site.deployed.html = template("two");
  expect((await run()).ids).toHaveLength(count);
});

test("another origin makes other pages", async () => {
  await run();
  const moved = await run(undefined, { settings: { ...settings, origin: "https://moved.example" } });
  expect(moved.refreshed).toEqual({ state: "complete", ordered: count });
});

test("a run whose time is up leaves the rest to the next, oldest first", async () => {
  const runs = [await run(1), await run(1), await run(1)];
  expect(runs.map(({ refreshed }) => refreshed)).toEqual([
    { state: "under way", ordered: 200 },
    { state: "under way", ordered: 200 },
    { state: "complete", ordered: 50 },
  ]);
  expect(runs.flatMap((one) => one.ids)).toEqual(ids);
  expect((await run()).refreshed).toEqual({ state: "current" });
});

test("a build that comes in the middle begins anew", async () => {
  await run(1);
  site.deployed.html = template("three");
  expect((await run()).ids).toHaveLength(count);
});

test("a run that dies is gone on with from its last record: no press is left out", async () => {
  const sent: number[] = [];
  const failing = {
    async send({ id }: PageOrder) {
      if (sent.length === 250) throw new Error("The queue takes nothing");
      sent.push(id);
    },
  };
  await expect(run(undefined, { pageOrders: failing })).rejects.toThrow("takes nothing");
  const rest = await run();
  expect(rest.refreshed).toEqual({ state: "complete", ordered: 250 });
  expect([...new Set([...sent, ...rest.ids])].toSorted((a, b) => a - b)).toEqual(ids);
});

test("without a site there is nothing to do, and once it is there there is", async () => {
  site.deployed.html = undefined;
  expect(await run()).toEqual({ refreshed: { state: "no site" }, ids: [] });
  site.deployed.html = template("one");
  expect((await run()).ids).toHaveLength(count);
});
