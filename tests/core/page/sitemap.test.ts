import { expect, test } from "vitest";
import { makeSitemap } from "../../../core/page/index.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeManualClock, makeMarket, publish, readPress } from "../press/newsroom.ts";
import { settings } from "./site.ts";

const clock = makeManualClock("2027-02-03T10:00:00.000Z");
const stored = startPart(startTestTable);

const makePartXml = (part?: string) => makeSitemap({ table: stored.table, clock, settings }, part);

/** Reads the URLs in a part of the sitemap, each with the time at which its page last changed. */
async function read(part?: string): Promise<readonly (readonly [string, string | undefined])[]> {
  const xml = await makePartXml(part);
  expect(xml).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<(sitemapindex|urlset) xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">\n/,
  );
  const entry = /<(?:url|sitemap)><loc>([^<&]+)<\/loc>(?:<lastmod>([^<]+)<\/lastmod>)?<\/(?:url|sitemap)>/g;
  const found = [...xml.matchAll(entry)].map(([, url = "", changed]) => [url, changed] as const);
  expect(found).toHaveLength(xml.match(/<loc>/g)?.length ?? 0);
  return found;
}

test("the sitemap's index lists only the site's own pages before the first press exists", async () => {
  expect(await read()).toEqual([["https://news.example/sitemap.xml?part=site", undefined]]);
  expect((await read("site")).map(([url]) => url)).toEqual([
    "https://news.example/",
    "https://news.example/audit",
    "https://news.example/ranking",
    "https://news.example/developers",
    "https://news.example/terms",
    "https://news.example/privacy",
    "https://news.example/contact",
  ]);
});

test.each(["2027-02-03", "2027-02-30", "2027", "nonsense", "", "2027-02-03T", "site "])(
  "the sitemap has no part %j while there are no presses",
  (part) => expect(makePartXml(part)).rejects.toMatchObject({ kind: "missing", code: "unknown_sitemap" }),
);

test("the parts named in the sitemap's index contain every live press exactly once, across months and days, and on a day with more than 200 presses", async () => {
  const room = { table: stored.table, clock: makeManualClock(), market: makeMarket({ now: 327.2 }) };
  const { id } = await publish(room, 0);
  const { press } = stored.table.entities;
  const first = await readPress(stored.table, id);
  const times = [
    // The publication times include the end of a day and of a month, skip one month, and put more presses on one day than fit into one
    // list.
    "2026-11-30T23:59:59.999Z",
    "2026-12-01T00:00:00.000Z",
    "2027-02-01T00:00:00.001Z",
    ...Array.from({ length: 450 }, (_, minute) =>
      new Date(Date.parse("2027-02-03T00:00:00.000Z") + minute * 60_000).toISOString(),
    ),
  ];
  const presses = times.map((publishedAt, index) => ({
    ...first,
    id: id + 1 + index,
    // All presses together exceed one megabyte, which is the maximum that one table request returns.
    preview: "x".repeat(3_000),
    publishedAt,
    slug: `press-${(id + 1 + index).toString(36)}`,
  }));
  await press.put(presses).go();

  const index = await read();
  expect(new Map(index)).toEqual(
    new Map([
      ["https://news.example/sitemap.xml?part=site", undefined],
      ["https://news.example/sitemap.xml?part=2026-11-20", first.publishedAt],
      ["https://news.example/sitemap.xml?part=2026-11-30", times[0]],
      ["https://news.example/sitemap.xml?part=2026-12-01", times[1]],
      ["https://news.example/sitemap.xml?part=2027-02-01", times[2]],
      ["https://news.example/sitemap.xml?part=2027-02-03", times.at(-1)],
    ]),
  );
  const days = index
    .map(([url]) => new URL(url).searchParams.get("part") ?? "")
    .filter((part) => part !== "site");
  const listed = (await Promise.all(days.map((day) => read(day)))).flat();
  const expected = [first, ...presses].map(
    (one) => [`https://news.example/press/${one.slug}`, one.publishedAt] as const,
  );
  expect(new Map(listed)).toEqual(new Map(expected));
  expect(listed).toHaveLength(expected.length);
});
