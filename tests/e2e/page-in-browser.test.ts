import type { Browser } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { makePage, toOneLine } from "../../core/page/make.ts";
import { sitePolicy } from "../../functions/browser.ts";
import { makePageFacts, makeSiteTemplate, settings } from "../core/page/site.ts";
import { openSharedChromium } from "../support/browser/chromium.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openSharedChromium();
});

const press = `${settings.origin}/press/${makePageFacts().slug}`;
const app = `document.getElementById("root").textContent = "The app";`;

/**
 * Opens the given HTML in the browser as a page that the edge has sent. Reports everything that the content security policy refuses, and
 * every script that ran.
 */
async function openPage(html: string, { scripts = true, policy = true } = {}) {
  const context = await browser.newContext({ javaScriptEnabled: scripts });
  const page = await context.newPage();
  const heard: string[] = [];
  page.on("console", (message) => heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(String(error)));
  page.on("dialog", (dialog) => {
    heard.push(dialog.message());
    void dialog.dismiss();
  });
  await page.route("**", (route) => {
    const isPage = route.request().url() === press;
    return route.fulfill({
      contentType: isPage ? "text/html; charset=utf-8" : "text/javascript",
      headers: policy ? { "content-security-policy": sitePolicy } : {},
      body: isPage ? html : app,
    });
  });
  await page.goto(press, { waitUntil: "load" });
  return { page, heard, [Symbol.asyncDispose]: () => context.close() };
}

test("the site's content security policy blocks no part of a page: the app runs and replaces the preview, and the page contains the data for search engines", async () => {
  await using opened = await openPage(makePage(makeSiteTemplate("one"), makePageFacts(), settings));
  const { page, heard } = opened;
  expect(heard).toEqual([]);
  expect(await page.title()).toBe("Apple's margins widen again · Press Market");
  expect(await page.textContent("#root")).toBe("The app");
  const data = await page.textContent('script[type="application/ld+json"]');
  expect(JSON.parse(data ?? "")).toMatchObject({
    "@type": "NewsArticle",
    headline: "Apple's margins widen again",
  });
});

test("the content security policy refuses a script inside a page, which proves that the other tests can fail", async () => {
  const html = makePage(makeSiteTemplate("one"), makePageFacts(), settings).replace(
    "</body>",
    "<script>alert(1)</script></body>",
  );
  await using opened = await openPage(html);
  await expect.poll(() => opened.heard.join()).toContain("Content Security Policy");
});

test("without scripts, a reader sees the preview", async () => {
  await using opened = await openPage(makePage(makeSiteTemplate("one"), makePageFacts(), settings), {
    scripts: false,
  });
  expect(await opened.page.textContent("h1")).toBe("Apple's margins widen again");
  expect(await opened.page.textContent("#root")).toContain(makePageFacts().preview);
});

test("a publisher's text runs no script and adds no element, even without a content security policy", async () => {
  const hostile = [
    `"><script>alert(1)</script><img src=x onerror=alert(2)>`,
    `</title></script><script>alert(3)</script><svg onload=alert(4)>`,
    `<!--<script>' onfocus='alert(5)' autofocus='`,
    "</div></main></body><iframe srcdoc='<script>alert(6)</script>'>",
  ].join(" ");
  const texts = { headline: hostile, preview: hostile, publisherName: hostile };
  const quiet = makeSiteTemplate("one").replace(/<script.*<\/script>/, "");
  await using attacked = await openPage(makePage(quiet, makePageFacts(texts), settings), { policy: false });
  expect(attacked.heard).toEqual([]);
  expect(await attacked.page.textContent("h1")).toBe(toOneLine(hostile));
  expect(await attacked.page.getAttribute('meta[property="og:title"]', "content")).toBe(toOneLine(hostile));
  const data = await attacked.page.textContent('script[type="application/ld+json"]');
  expect(JSON.parse(data ?? "")).toMatchObject({ headline: toOneLine(hostile) });
  await using plain = await openPage(makePage(quiet, makePageFacts(), settings), { policy: false });
  const elements = "[...document.querySelectorAll('*')].map((element) => element.tagName)";
  expect(await attacked.page.evaluate(elements)).toEqual(await plain.page.evaluate(elements));
});
