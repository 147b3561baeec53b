import { parseRssFeed } from "feedsmith";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { save } from "../../core/press/own.ts";
import { Author } from "../../core/press/schema.ts";
import { feed } from "../../functions/http/discovery.ts";
import { author } from "../../functions/http/press.ts";
import { approve, makeDraft, publish, publisher, readPress, stranger } from "../core/press/newsroom.ts";
import { startPart } from "../support/provide.ts";
import { invoke, site } from "./lib/call.ts";
import { makePorts } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

const unpublished = "What nobody may know of before it is live";

const stored = startPart(startStage);
beforeAll(async () => {
  const room = makePorts(stored.table);
  await publish(room, 0, { stock: "AAPL", publisherName: "Old Name" });
  room.clock.pass(60_000);
  const { id } = await publish(room, 1, { stock: "NVDA" });
  await stored.table.entities.press
    .patch({ id })
    .set({ reads: 9, otherReads: 7, votesUp: 13, votesDown: 6, readerUp: 3, readerDown: 1 })
    .go();
  await save(room, publisher, makeDraft({ headline: unpublished }));
  const approved = await save(room, publisher, makeDraft({ headline: unpublished }));
  await approve(room, approved.id);
  await save(room, stranger, makeDraft({ headline: unpublished }));
});

const ask = (address: string, query: Readonly<Record<string, string>> = {}) =>
  invoke(author, "author", { path: { address }, query });

/**
 * Gives a wallet a live press and five newer presses of the given status. The presses are so large that a few of them fill one answer of
 * the table. Returns the presses' ids, oldest first.
 */
async function storePresses(
  wallet: string,
  agentId: number,
  status: "live" | "draft",
): Promise<readonly number[]> {
  const { press } = stored.table.entities;
  const { id } = await publish(makePorts(stored.table), agentId);
  const item = await readPress(stored.table, id);
  await press.put({ ...item, publisher: wallet }).go();
  const newer = [1, 2, 3, 4, 5].map((offset) => id + 1_000 * agentId + offset);
  for (const [minute, other] of newer.entries()) {
    const publishedAt = `2026-11-21T12:0${minute}:00.000Z`;
    const changed = { id: other, slug: `press-${other}`, publisher: wallet, status, publishedAt };
    await press.put({ ...item, ...changed, preview: "x".repeat(300_000) }).go();
  }
  return [id, ...newer];
}

test("an author's presses are listed newest first, with bylines, reads, votes and scores", async () => {
  const answer = await ask(publisher.toUpperCase().replace("X", "x"));
  expect(answer).toMatchObject({
    status: 200,
    headers: { "cache-control": "public, max-age=0, s-maxage=30, stale-while-revalidate=30" },
  });
  const { presses, ...found } = z.strictObject(Author.shape).parse(answer.body);
  expect(found).toEqual({
    address: publisher,
    names: [
      { name: "Margin Notes", since: presses[0]?.publishedAt },
      { name: "Old Name", since: presses[1]?.publishedAt },
    ],
    profile: null,
    since: presses[1]?.publishedAt,
    complete: true,
    totals: { presses: 2, reads: 7, votes: { up: 3, down: 1 } },
    audits: { lowest: 88, average: 88, highest: 88 },
  });
  expect(presses.map(({ stock }) => stock)).toEqual(["NVDA", "AAPL"]);
});

test("an author's page shows no drafts, no approved presses that are not live, and no paid texts", async () => {
  const answers = [await ask(publisher), await invoke(feed, "feed", { query: { author: publisher } })];
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    expect(text).not.toContain(unpublished);
    expect(text).not.toContain("word7");
  }
});

test("if an author's presses do not fit into one answer of the table, each press is on exactly one page, and each page has its own totals and says that the list is incomplete", async () => {
  const wallet = "0x00000000000000000000000000000000000000d1";
  const ids = await storePresses(wallet, 2, "live");
  const first = Author.parse((await ask(wallet)).body);
  const second = Author.parse((await ask(wallet, { cursor: first.cursor ?? "" })).body);
  expect(first.presses.length).toBeLessThan(6);
  expect([...first.presses, ...second.presses].map(({ id }) => id)).toEqual(ids.toReversed());
  for (const page of [first, second]) {
    expect([page.complete, page.totals.presses]).toEqual([false, page.presses.length]);
  }
  expect(second.cursor).toBeUndefined();
  const refused = { status: 400, body: { code: "invalid_cursor" } };
  expect(await ask(wallet, { cursor: "x" })).toMatchObject(refused);
});

test("an author's page is found even if the table's first answer contains only the author's newer drafts and no live press", async () => {
  const wallet = "0x00000000000000000000000000000000000000d2";
  const [id] = await storePresses(wallet, 3, "draft");
  expect(await ask(wallet)).toMatchObject({ status: 200, body: { complete: true, presses: [{ id }] } });
});

test("the answer for a wallet with only drafts, or for an invalid address, is the same as for a wallet without presses", async () => {
  const unknown = { status: 404, body: { code: "unknown_author" } };
  expect(await ask(stranger)).toMatchObject(unknown);
  expect(await ask("0x17")).toMatchObject(unknown);
  expect(await ask(`0x${"9".repeat(40)}`)).toMatchObject(unknown);
  expect(await invoke(feed, "feed", { query: { author: stranger } })).toMatchObject(unknown);
});

test("a stock's feed accepts the ticker in upper or lower case; a feed of an invalid ticker, or of both a stock and an author, is refused", async () => {
  const found = parseRssFeed((await invoke(feed, "feed", { query: { stock: "nvda" } })).text ?? "").items;
  expect(found?.map(({ categories }) => categories?.[0]?.name)).toEqual(["NVDA"]);
  for (const query of [{ stock: "4711" }, { author: publisher, stock: "AAPL" }]) {
    const answer = await invoke(feed, "feed", { query });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_input" } });
  }
});

test("an author's feed lists only that author's presses, states its own address and links to the author's page", async () => {
  const { items = [], ...channel } = parseRssFeed(
    (await invoke(feed, "feed", { query: { author: publisher } })).text ?? "",
  );
  expect(channel).toMatchObject({
    title: "Press Market: Margin Notes",
    link: `${site}/by/${publisher}`,
    atom: { links: [{ href: `${site}/feed.xml?author=${publisher}` }] },
  });
  expect(items).toHaveLength(2);
});
