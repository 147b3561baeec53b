import { expect, test } from "vitest";
import { author as showAuthor, press as showPage, stock as showStock } from "../../functions/http/page.ts";
import { makeSiteTemplate, startSite } from "../core/page/site.ts";
import { publish, publisher } from "../core/press/newsroom.ts";
import { startPart } from "../support/provide.ts";
import { invoke, site as origin } from "./lib/call.ts";
import { makePorts } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

let identities = 0;
const site = startPart(startSite);
const stored = startPart(() =>
  startStage({
    AWS_ENDPOINT_URL_S3: site.endpoint,
    SITE_BUCKET: "site",
  }),
);

const publishPress = () => publish(makePorts(stored.table), identities++);
const cachedPage = {
  status: 200,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "public, max-age=0, s-maxage=30, stale-while-revalidate=30",
  },
};

test("the page of a press is HTML, and the edge may cache the page for a minute", async () => {
  const { slug } = await publishPress();
  const answer = await invoke(showPage, "press-page", { path: { slug } });
  expect(answer).toMatchObject({
    ...cachedPage,
    text: expect.stringContaining(`<meta property="og:url" content="${origin}/press/${slug}">`),
  });
});

test("every page that is requested after a new build of the site uses the new build", async () => {
  const { slug } = await publishPress();
  const built = site.deployed.html;
  site.deployed.html = makeSiteTemplate("next");
  const { text } = await invoke(showPage, "press-page", { path: { slug } });
  site.deployed.html = built;
  expect(text).toContain("/assets/index-next.js");
});

test("if the build of the site is missing, a page request is answered with a retryable error", async () => {
  const { slug } = await publishPress();
  const built = site.deployed.html;
  site.deployed.html = undefined;
  const answer = await invoke(showPage, "press-page", { path: { slug } });
  site.deployed.html = built;
  expect(answer).toMatchObject({ status: 503, body: { code: "site_unavailable" } });
});

test("the page of a stock lists the stock's presses and escapes markup, and the ticker may be in upper or lower case", async () => {
  const hostile = "Apple <script>alert(1)</script> & $& margins widen";
  const { slug } = await publish(makePorts(stored.table), identities++, { headline: hostile });
  const answer = await invoke(showStock, "stock-page", { path: { symbol: "aapl" } });
  expect(answer).toMatchObject(cachedPage);
  expect(answer.text).toContain(`<link rel="canonical" href="${origin}/stock/AAPL">`);
  expect(answer.text).toContain("<title>AAPL · Press Market</title>");
  expect(answer.text).toContain(
    `<h2 dir="auto"><a href="/press/${slug}">Apple &lt;script&gt;alert(1)&lt;/script&gt; &amp; $&amp; margins widen</a></h2>`,
  );
  expect(answer.text).not.toContain("<script>alert");
  expect(answer.text).toContain("/assets/index-one.js");
});

test("the page of an author shows the byline and the author's presses, and the address may be in upper or lower case", async () => {
  const { slug } = await publishPress();
  const answer = await invoke(showAuthor, "author-page", {
    path: { address: `0x${publisher.slice(2).toUpperCase()}` },
  });
  expect(answer).toMatchObject({
    status: 200,
    text: expect.stringContaining('<h1 dir="auto">Margin Notes</h1>'),
  });
  expect(answer.text).toContain(`<link rel="canonical" href="${origin}/by/${publisher}">`);
  expect(answer.text).toContain(`<a href="/press/${slug}">`);
});

test.each([
  ["no press", () => invoke(showPage, "press-page", { path: { slug: "no-such-press-zz" } })],
  ["no stock", () => invoke(showStock, "stock-page", { path: { symbol: "NOPE" } })],
  ["no ticker", () => invoke(showStock, "stock-page", { path: { symbol: "<b>" } })],
  ["no author", () => invoke(showAuthor, "author-page", { path: { address: `0x${"9".repeat(40)}` } })],
  ["no address", () => invoke(showAuthor, "author-page", { path: { address: "0x17" } })],
])("a request for the page of %s is answered with 404 and the app's document", async (_, ask) => {
  expect(await ask()).toMatchObject({
    status: 404,
    headers: { "cache-control": "public, max-age=0, s-maxage=5" },
    text: site.deployed.html,
  });
});
