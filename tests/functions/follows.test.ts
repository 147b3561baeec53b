import { parseRssFeed } from "feedsmith";
import { expect, test } from "vitest";
import * as z from "zod";
import { feed as feedHandler } from "../../functions/http/discovery.ts";
import { change, list, privateFeed } from "../../functions/http/follow.ts";
import { publish, publisher } from "../core/press/newsroom.ts";
import { startPart } from "../support/provide.ts";
import { invoke } from "./lib/call.ts";
import { cookie, makePorts, other } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

const stored = startPart(startStage);

const read = (sessionCookie: string) => invoke(list, "follows", { cookies: [sessionCookie] });
const send = (changes: readonly object[], sessionCookie = cookie) =>
  invoke(change, "follows-change", { cookies: [sessionCookie], body: { base: 0, changes } });

test("a wallet's follows are the same on all devices of its owner, and no cache keeps a copy of the follows", async () => {
  const author = `0x${"AB".repeat(20)}`;
  const changes = [
    { kind: "author", id: author, name: "Ann", on: true },
    { kind: "stock", id: "aapl", name: "Apple", on: true },
    { kind: "saved", id: "a-press-1", name: "A headline", on: true },
  ];
  expect(await send(changes)).toMatchObject({ status: 200, body: { revision: 1 } });
  const { status, headers, body } = await read(cookie);
  expect({ status, cache: headers["cache-control"] }).toEqual({ status: 200, cache: "private, no-store" });
  expect(body).toMatchObject({
    entries: expect.arrayContaining([
      { kind: "author", id: author.toLowerCase(), name: "Ann" },
      { kind: "stock", id: "AAPL", name: "Apple" },
      { kind: "saved", id: "a-press-1", name: "A headline" },
    ]),
  });
});

test("a request to follow anything except an author, stock or article is refused and changes nothing", async () => {
  const before = await read(cookie);
  const odd = [
    { kind: "author", id: "0x12", name: "", on: true },
    { kind: "stock", id: "../AAPL", name: "", on: true },
    { kind: "saved", id: "A/../b", name: "", on: true },
    { kind: "wallet", id: "AAPL", name: "", on: true },
  ];
  for (const one of odd) expect(await send([one])).toMatchObject({ status: 400 });
  expect((await read(cookie)).body).toEqual(before.body);
});

const renewFeed = async (on = true, sessionCookie = cookie) => {
  const { body } = await invoke(privateFeed, "private-feed", { cookies: [sessionCookie], body: { on } });
  return z.object({ url: z.url().nullable() }).parse(body).url ?? "";
};
const openFeed = (url: string) =>
  invoke(feedHandler, "feed", { query: { for: new URL(url).searchParams.get("for") ?? "" } });

test("a private feed lists the presses that its wallet follows, works until the feed is renewed or ended, and is stored by no cache or search engine", async () => {
  await publish(makePorts(stored.table), 0, { stock: "AAPL" });
  await publish(makePorts(stored.table), 1, { stock: "NVDA" });
  await send([{ kind: "stock", id: "NVDA", name: "Nvidia", on: true }], other);
  const url = await renewFeed(true, other);
  const answer = await openFeed(url);
  expect(answer).toMatchObject({
    status: 200,
    headers: { "cache-control": "private, no-store", "x-robots-tag": "noindex" },
  });
  expect(answer.headers.etag).toBeUndefined();
  const { items } = parseRssFeed(answer.text ?? "");
  expect(items?.map(({ categories }) => categories?.[0]?.name)).toEqual(["NVDA"]);

  const next = await renewFeed(true, other);
  expect(next).not.toBe(url);
  expect(await openFeed(url)).toMatchObject({ status: 404, body: { code: "unknown_feed" } });
  expect(await openFeed(next)).toMatchObject({ status: 200 });
  expect(await renewFeed(false, other)).toBe("");
  expect(await openFeed(next)).toMatchObject({ status: 404 });
});

test("the table does not contain the secret token of a private feed", async () => {
  const token = new URL(await renewFeed()).searchParams.get("for") ?? "";
  const { data } = await stored.table.entities.privateFeed.get({ wallet: publisher }).go();
  expect(token).toHaveLength(43);
  expect(data?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(data)).not.toContain(token);
});

test("at most one address of a private feed works after two simultaneous renewals", async () => {
  const urls = await Promise.all([renewFeed(), renewFeed(), renewFeed()]);
  const answers = await Promise.all(urls.map(openFeed));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});
