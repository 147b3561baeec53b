import { parseRssFeed } from "feedsmith";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feed } from "../../functions/http/discovery.ts";
import { publish } from "../core/press/newsroom.ts";
import type { TestTable } from "../support/table.ts";
import { call, site } from "./lib/call.ts";
import { makePorts } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

let stored: TestTable;
beforeAll(async () => {
  stored = await startStage();
  await publish(makePorts(stored.table), 0, { stock: "AAPL" });
  await publish(makePorts(stored.table), 1, { stock: "NVDA" });
});
afterAll(() => stored.stop());

const linksOf = (text: string | undefined) => parseRssFeed(text ?? "").items?.map(({ link }) => link);

test("the feed is valid RSS, and the edge may cache the feed for at most a minute", async () => {
  const answer = await call(feed, "feed");
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      "content-type": "application/rss+xml; charset=utf-8",
      "cache-control": "public, max-age=0, s-maxage=30, stale-while-revalidate=30",
    },
  });
  expect(linksOf(answer.text)).toEqual([
    `${site}/press/apple-s-margins-widen-again-2?from=feed`,
    `${site}/press/apple-s-margins-widen-again-1?from=feed`,
  ]);
});

test("a stock's feed accepts the ticker in any case", async () => {
  const answer = await call(feed, "feed", { query: { stock: "nvda" } });
  expect(linksOf(answer.text)).toEqual([`${site}/press/apple-s-margins-widen-again-2?from=feed`]);
});

test("a request for the feed of an invalid ticker is answered 400", async () => {
  const answer = await call(feed, "feed", { query: { stock: "4711" } });
  expect(answer).toMatchObject({ status: 400, body: { code: "invalid_input" } });
});
