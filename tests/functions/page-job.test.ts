import { afterAll, beforeAll, expect, test } from "vitest";
import { handler as showPage } from "../../functions/http/press-page.ts";
import { handler as showSitemap } from "../../functions/http/sitemap.ts";
import { handler as refresh } from "../../functions/job/page-refresh.ts";
import { handler as write } from "../../functions/job/page-write.ts";
import { startConsumer } from "../../local/queue/consumer.ts";
import { type Queues, startQueues } from "../../local/queue/index.ts";
import { type Site, startSite, template } from "../core/page/site.ts";
import { publish } from "../core/press/newsroom.ts";
import type { TestTable } from "../support/table.ts";
import { call, site as origin } from "./lib/call.ts";
import { roomOf } from "./lib/desk.ts";
import { delivery, queueEvent } from "./lib/queue-event.ts";
import { startStage } from "./lib/stage.ts";

let queues: Queues;
let site: Site;
let stored: TestTable;
let identities = 0;
beforeAll(async () => {
  queues = await startQueues({ port: 0, queues: [{ name: "pages", visibilitySeconds: 30 }] });
  site = await startSite();
  stored = await startStage({
    AWS_ENDPOINT_URL_S3: site.endpoint,
    AWS_ENDPOINT_URL_SQS: new URL(queues.queueUrl("pages")).origin,
    SITE_BUCKET: "site",
    PAGE_QUEUE_URL: queues.queueUrl("pages"),
  });
});
afterAll(async () => {
  await queues.stop();
  await site.stop();
  await stored.stop();
});

const live = () => publish(roomOf(stored.table), identities++);

test("of a batch only the orders that could not be worked on come again; the others' pages are written", async () => {
  const presses = [await live(), await live()];
  const orders = presses.map(({ id }) => [`good ${id}`, JSON.stringify({ id })] as const);
  const answer = await write(
    queueEvent("pages", {
      broken: "{",
      foreign: JSON.stringify({ id: "1" }),
      ...Object.fromEntries(orders),
      unknown: JSON.stringify({ id: 999 }),
    }),
    delivery,
  );
  expect(answer).toEqual({
    batchItemFailures: ["broken", "foreign", "unknown"].map((itemIdentifier) => ({ itemIdentifier })),
  });
  for (const { slug } of presses) {
    expect(await site.page(slug)).toContain(`<link rel="canonical" href="${origin}/press/${slug}">`);
  }
});

test("after a new build of the site the clock's job and the queue's worker bring every page up to it", async () => {
  const presses = [await live(), await live(), await live()];
  site.deployed.html = template("next");
  await refresh({}, delivery);
  const consumer = await startConsumer({
    endpoint: new URL(queues.queueUrl("pages")).origin,
    queueUrl: queues.queueUrl("pages"),
    batchSize: 10,
    concurrency: 2,
    handler: (event) => write(event, delivery),
  });
  try {
    for (const { slug } of presses) {
      await expect.poll(() => site.page(slug), { timeout: 10_000 }).toContain("/assets/index-next.js");
    }
  } finally {
    await consumer.stop();
  }
});

test("a page that is not written is shown as HTML, which the edge may keep for a minute", async () => {
  const { slug } = await live();
  const answer = await call(showPage, "press-page", { path: { slug } });
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "public, max-age=0, s-maxage=60, stale-while-revalidate=300",
    },
    text: expect.stringContaining(`<meta property="og:url" content="${origin}/press/${slug}">`),
  });
});

test("the address of no press is a 404 with the app in it, which is soon asked for again", async () => {
  expect(await call(showPage, "press-page", { path: { slug: "no-such-press-zz" } })).toMatchObject({
    status: 404,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "public, max-age=0, s-maxage=5" },
    text: site.deployed.html,
  });
});

test("the sitemap is XML, its index and its parts", async () => {
  const { slug } = await live();
  const index = await call(showSitemap, "sitemap");
  expect(index).toMatchObject({ status: 200, headers: { "content-type": "application/xml; charset=utf-8" } });
  expect(index.text).toContain(`<loc>${origin}/sitemap.xml?part=2026-11-20</loc>`);
  const day = await call(showSitemap, "sitemap", { query: { part: "2026-11-20" } });
  expect(day.text).toContain(`<loc>${origin}/press/${slug}</loc>`);
  expect(await call(showSitemap, "sitemap", { query: { part: "2026-11-21" } })).toMatchObject({
    status: 404,
    body: { code: "unknown_sitemap" },
  });
});
