import { expect, test } from "vitest";
import type { EdgeLogs } from "../../../core/port/cloud.ts";
import * as Views from "../../../core/views/index.ts";
import { mostHosts } from "../../../core/views/schema.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeManualClock, makeMarket, publish, publisher, stranger } from "../press/newsroom.ts";

const settings = { origin: "https://news.example" };
const firefox = "Mozilla/5.0%20(X11;%20Linux%20x86_64;%20rv:140.0)%20Gecko/20100101%20Firefox/140.0";
const day = "2026-11-20";

let agents = 0;
const stored = startPart(startTestTable);

function makeLine(path: string, changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    date: day,
    time: "11:59:00",
    "cs-method": "GET",
    "cs-uri-stem": path,
    "cs-uri-query": "-",
    "sc-status": "200",
    "cs(Referer)": "-",
    "cs(User-Agent)": firefox,
    ...changes,
  });
}

/** Makes an edge log that consists of the given files. The name of each file contains the day of the file's lines. */
function makeLog(files: Map<string, readonly string[]>): EdgeLogs {
  return {
    listFiles: async (of) => [...files.keys()].filter((name) => name.includes(of)),
    async readLines(file) {
      const lines = files.get(file);
      if (lines === undefined || lines.length === 0) throw new Error("Not a log");
      return lines;
    },
  };
}

async function makeViewPorts(files: Readonly<Record<string, readonly string[]>>) {
  const clock = makeManualClock();
  const room = {
    table: stored.table,
    clock,
    market: makeMarket({ now: 327.2 }),
    settings,
    log: { warn() {} },
  };
  agents += 1;
  const { slug } = await publish(room, agents);
  const all = new Map(
    Object.entries(files).map(([name, lines]) => [
      `${day} ${slug} ${name}`,
      lines.map((text) => text.replaceAll("SLUG", slug)),
    ]),
  );
  const listViews = async (wallet: typeof publisher | typeof stranger = publisher) =>
    (await Views.list(room, wallet)).views.filter((view) => view.slug === slug);
  return { ...room, slug, files: all, edgeLogs: makeLog(all), listViews };
}

const makePageLine = (changes?: Readonly<Record<string, unknown>>) => makeLine("/press/SLUG", changes);
const makeReferral = (referrer: string) => makePageLine({ "cs(Referer)": referrer });
const nothing = { direct: 0, site: 0, feed: 0, agent: 0, hosts: [], otherHosts: 0 };

test("each line of the log is counted once, even if a run is repeated, two runs happen at once, or a file is delivered again during its count", async () => {
  const room = await makeViewPorts({
    a: [makePageLine(), makePageLine()],
    b: [makePageLine(), makeReferral("https://news.ycombinator.com/item?id=1")],
  });
  const runs = await Promise.all([Views.count(room), Views.count(room), Views.count(room)]);
  expect(runs.reduce((sum, { views }) => sum + views, 0)).toBe(4);
  expect(await Views.count(room)).toEqual({ files: 0, views: 0, failed: 0 });
  expect(await room.listViews()).toEqual([
    { ...nothing, day, slug: room.slug, direct: 3, hosts: [["news.ycombinator.com", 1]] },
  ]);
});

test("every line of the edge's log is counted exactly once even if a run dies at any step", async () => {
  const room = await makeViewPorts({ a: [makePageLine()] });
  // The lines of the file are from two hundred days, so their counts need three table transactions.
  const dates = Array.from({ length: 200 }, (_, back) =>
    new Date(room.clock.now() - back * 86_400_000).toISOString().slice(0, 10),
  );
  const [name = ""] = room.files.keys();
  room.files.set(
    name,
    dates.map((date) => makePageLine({ date }).replaceAll("SLUG", room.slug)),
  );
  const { write } = room.table;
  let deaths = 0;
  for (const isWritten of [false, true]) {
    let written = 0;
    room.table.write = async (items) => {
      written += 1;
      if (written < 2) return write(items);
      // The process dies before the write to the table, or after the write but before the table's answer.
      if (isWritten) await write(items);
      deaths += 1;
      throw new Error("The process ended");
    };
    try {
      await expect(Views.count(room)).rejects.toThrow("The process ended");
    } finally {
      room.table.write = write;
    }
  }
  expect(deaths).toBe(2);
  await Views.count(room);
  const views = await room.listViews();
  expect(views).toHaveLength(200);
  expect(new Set(views.map(({ direct }) => direct))).toEqual(new Set([1]));
});

test("a log file that cannot be read does not stop the other files, and is counted as soon as it can be read", async () => {
  const room = await makeViewPorts({ a: [], b: [makePageLine()] });
  expect(await Views.count(room)).toEqual({ files: 1, views: 1, failed: 1 });
  const [broken = ""] = room.files.keys();
  room.files.set(broken, [makePageLine().replaceAll("SLUG", room.slug)]);
  expect(await Views.count(room)).toEqual({ files: 1, views: 1, failed: 0 });
});

test("a view is counted under the site from which the reader came; refused requests, requests of bots and requests for other pages are not counted", async () => {
  const makeAgentLine = (agent: string, path = "/press/SLUG") => makeLine(path, { "cs(User-Agent)": agent });
  const read = (changes: Readonly<Record<string, unknown>>) => makeLine("/api/presses/SLUG", changes);
  const room = await makeViewPorts({
    a: [
      makePageLine(),
      makeLine("/press/SLUG/"),
      makeReferral("https://www.example.org/a?b=c"),
      makeReferral("https://example.org/"),
      makeReferral("https://news.example/"),
      read({ "cs(Referer)": "https://news.example/?stock=AAPL" }),
      makePageLine({ "cs-uri-query": "from=feed", "cs(Referer)": "https://example.org/" }),
      makeReferral("https://feedly.com/"),
      makeAgentLine("Mozilla/5.0%20(compatible;%20ChatGPT-User/1.0)"),
      makeAgentLine("python-httpx/0.28", "/api/presses/SLUG"),
      // The following log lines do not count as views.
      read({ "cs(Referer)": "https://news.example/press/SLUG" }),
      read({}),
      makeAgentLine("Mozilla/5.0%20(compatible;%20Googlebot/2.1)"),
      makeAgentLine("curl/8.9"),
      makeAgentLine("-"),
      makePageLine({ "sc-status": "404" }),
      makePageLine({ "cs-method": "HEAD" }),
      makeLine("/press/another-slug-of-SLUG"),
      makeLine("/press/nothing-zzzzz"),
      makeLine("/"),
    ],
  });
  await Views.count(room);
  expect(await room.listViews()).toEqual([
    {
      day,
      slug: room.slug,
      direct: 2,
      site: 2,
      feed: 2,
      agent: 2,
      hosts: [["example.org", 2]],
      otherHosts: 0,
    },
  ]);
});

test("hostile log lines do not stop a run, and only a limited number of valid host names is stored", async () => {
  const flood = Array.from({ length: 300 }, (_, index) => makeReferral(`https://junk-${index}.example/`));
  const room = await makeViewPorts({
    a: [
      "",
      "{",
      "null",
      "[]",
      '"SLUG"',
      `{"__proto__":{"x":1}}`,
      "x".repeat(1_000_000),
      makePageLine({ "cs-uri-stem": `/press/${"a".repeat(500_000)}` }),
      makePageLine({ "cs(User-Agent)": 5 }),
      makePageLine({ date: "yesterday" }),
      makeReferral("%E0%A4%A"),
      makeReferral("javascript:alert(1)"),
      makeReferral(`https://${"a".repeat(20_000)}.example/`),
      makeReferral("https://__proto__/"),
      makeReferral("https://constructor/"),
      makeReferral("http://127.0.0.1/"),
      makeReferral("http://[::1]/"),
      makeReferral("https://=cmd|' /C calc'!A0.example/"),
      makeReferral("https://xn--80ak6aa92e.com/"),
      makeReferral("https://\u202eexample.org/"),
      makeReferral("https://bücher.example/"),
      makeReferral("https://real.example/"),
      makeReferral("https://real.example/"),
      ...flood,
    ],
  });
  await Views.count(room);
  const [view] = await room.listViews();
  expect(view?.hosts).toHaveLength(mostHosts);
  expect(view?.hosts[0]).toEqual(["real.example", 2]);
  for (const [host] of view?.hosts ?? []) expect(host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  const named = view?.hosts.reduce((sum, [, number]) => sum + number, 0) ?? 0;
  expect(named + (view?.otherHosts ?? 0) + (view?.direct ?? 0)).toBe(flood.length + 13);
  // Even if the next file has many hostile lines, the host from which real readers come stays in the list.
  room.files.set(
    `${day} ${room.slug} z`,
    flood.map((text) => text.replaceAll("SLUG", room.slug)),
  );
  await Views.count(room);
  expect((await room.listViews())[0]?.hosts).toContainEqual(["real.example", 2]);
});

test("an author gets only the views of the author's own articles, and the service stores views for ninety days", async () => {
  const room = await makeViewPorts({ a: [makePageLine()] });
  await Views.count(room);
  expect(await room.listViews()).toHaveLength(1);
  expect(await room.listViews(stranger)).toEqual([]);
  const { data } = await room.table.entities.views.query.byDay({ publisher, day }).go();
  expect(data.at(-1)?.expiresAt).toBe(Math.ceil(room.clock.now() / 1000) + 90 * 86_400);
  await expect(Views.list(room, publisher, "x")).rejects.toMatchObject({ code: "invalid_cursor" });
});

test("if an author's views fill more than one page, the pages together list every stored entry", async () => {
  const room = await makeViewPorts({ a: [makePageLine()] });
  await Views.count(room);
  const [item] = (await room.table.entities.views.query.byDay({ publisher, day }).go()).data;
  if (item === undefined) throw new Error("Nothing was counted");
  const many = "0x00000000000000000000000000000000000000d4";
  await room.table.entities.views
    .put(Array.from({ length: 701 }, (_, id) => ({ ...item, publisher: many, id: id + 1 })))
    .go();
  const first = await Views.list(room, many);
  const second = await Views.list(room, many, first.cursor);
  expect([first.views.length, second.views.length, second.cursor]).toEqual([500, 201, undefined]);
});
