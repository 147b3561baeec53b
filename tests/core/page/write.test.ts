import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { show, write } from "../../../core/page/index.ts";
import type { Pages } from "../../../core/port/pages.ts";
import { save } from "../../../core/press/save.ts";
import { startTestTable, type TestTable } from "../../support/table.ts";
import { article, draft, handClock, marketAt, publish, publisher } from "../press/newsroom.ts";
import { type Site, settings, startSite, template } from "./site.ts";

let stored: TestTable;
let site: Site;
beforeAll(async () => {
  stored = await startTestTable();
});
afterAll(() => stored.stop());
beforeEach(async () => {
  site = await startSite();
  return site.stop;
});

let identities = 0;
const room = () => ({ table: stored.table, clock: handClock(), market: marketAt({ now: 327.2 }) });
const live = (changes = {}) => publish(room(), identities++, changes);
const ports = () => ({ table: stored.table, pages: site.pages, settings });

test("the page of a live press lies at its address, as HTML that the edge keeps for minutes and browsers ask for again", async () => {
  const { id, slug } = await live();
  expect(await write(ports(), { id })).toBe("written");
  expect(await site.objects.get(`press/${slug}`)).toMatchObject({
    contentType: "text/html; charset=utf-8",
    cacheControl: "public, max-age=0, s-maxage=300, must-revalidate",
  });
  const page = await site.page(slug);
  expect(page).toContain("<title>Apple&#39;s margins widen again · Press Market</title>");
  expect(page).toContain(`<link rel="canonical" href="https://news.example/press/${slug}">`);
  expect(page).toContain("/assets/index-one.js");
  // What is paid for stays in the table.
  expect(page).not.toContain("word17");
});

test("the same order again, or many at once, write the same page", async () => {
  const { id, slug } = await live();
  await write(ports(), { id });
  const first = await site.page(slug);
  await Promise.all([1, 2, 3].map(() => write(ports(), { id })));
  expect(await site.page(slug)).toBe(first);
});

test("counters of a press are no part of its page: it stays true while they grow", async () => {
  const { id, slug } = await live();
  await write(ports(), { id });
  const first = await site.page(slug);
  await stored.table.entities.press
    .patch({ id })
    .set({ reads: 7, votesUp: 3, tags: { accurate: 3 } })
    .go();
  await write(ports(), { id });
  expect(await site.page(slug)).toBe(first);
});

test("a build of the site that comes while a page is written is the one that the page is made from", async () => {
  const { id, slug } = await live();
  let puts = 0;
  const deploying: Pages = {
    template: site.pages.template,
    async put(...page) {
      await site.pages.put(...page);
      puts += 1;
      if (puts === 1) site.deployed.html = template("two");
    },
  };
  expect(await write({ ...ports(), pages: deploying }, { id })).toBe("written");
  expect(await site.page(slug)).toContain("/assets/index-two.js");
  expect(puts).toBe(2);
});

test("a site that does not stand still is tried again later", async () => {
  const { id } = await live();
  let build = 0;
  const pages = { ...site.pages, template: async () => template(String(build++)) };
  await expect(write({ ...ports(), pages }, { id })).rejects.toMatchObject({
    kind: "upstream",
    code: "site_changing",
  });
});

test("without a site there is nothing to write, and nothing is wrong", async () => {
  const { id, slug } = await live();
  site.deployed.html = undefined;
  expect(await write(ports(), { id })).toBe("no site");
  expect(await site.page(slug)).toBeUndefined();
});

test("a bucket that is shut is an outage: the order comes again", async () => {
  const { id } = await live();
  await site.stop();
  await expect(write(ports(), { id })).rejects.toMatchObject({ kind: "upstream", code: "site_unavailable" });
});

test("a press that is not live, or not there, gets no page", async () => {
  const { id } = await save(room(), publisher, draft());
  await expect(write(ports(), { id })).rejects.toThrow("not live");
  await expect(write(ports(), { id: 999_999 })).rejects.toThrow("not live");
});

test("where no page is written, the same page is shown at once; where there is no press, the app with a 404", async () => {
  const { id, slug } = await live(article({ headline: "A headline of its own" }));
  const shown = await show(ports(), slug);
  await write(ports(), { id });
  expect(shown).toEqual({ found: true, html: await site.page(slug) });
  const draftOnly = await save(room(), publisher, draft());
  const nowhere = [
    "no-such-press-zz",
    "",
    "Ü",
    `another-headline-${id.toString(36)}`,
    draftOnly.id.toString(36),
  ];
  for (const address of nowhere) {
    expect(await show(ports(), address)).toEqual({ found: false, html: template("one") });
  }
});

test("without a site nothing can be shown", async () => {
  site.deployed.html = undefined;
  await expect(show(ports(), "any-1")).rejects.toMatchObject({ code: "site_unavailable" });
});
