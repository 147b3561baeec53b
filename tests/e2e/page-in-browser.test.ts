import { expect, test } from "vitest";
import { makePage, toOneLine } from "../../core/page/make.ts";
import { makePageFacts, makeSiteTemplate, settings } from "../core/page/site.ts";
import { openSharedChromium } from "../support/browser/chromium.ts";

const press = `${settings.origin}/press/${makePageFacts().slug}`;

/**
 * Opens the given HTML in the browser without a content security policy, which would refuse an injected script. Reports every script that
 * ran.
 */
async function openPage(html: string) {
  const browser = await openSharedChromium();
  const context = await browser.newContext();
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
    return route.fulfill({ contentType: "text/html; charset=utf-8", body: isPage ? html : "" });
  });
  await page.goto(press, { waitUntil: "load" });
  return { page, heard, [Symbol.asyncDispose]: () => context.close() };
}

test("a publisher's text runs no script and adds no element, even without a content security policy", async () => {
  const hostile = [
    `"><script>alert(1)</script><img src=x onerror=alert(2)>`,
    `</title></script><script>alert(3)</script><svg onload=alert(4)>`,
    `<!--<script>' onfocus='alert(5)' autofocus='`,
    "</div></main></body><iframe srcdoc='<script>alert(6)</script>'>",
  ].join(" ");
  const texts = { headline: hostile, preview: hostile, publisherName: hostile };
  const quiet = makeSiteTemplate("one").replace(/<script.*<\/script>/, "");
  await using attacked = await openPage(makePage(quiet, makePageFacts(texts), settings));
  expect(attacked.heard).toEqual([]);
  expect(await attacked.page.textContent("h1")).toBe(toOneLine(hostile));
  expect(await attacked.page.getAttribute('meta[property="og:title"]', "content")).toBe(toOneLine(hostile));
  const data = await attacked.page.textContent('script[type="application/ld+json"]');
  expect(JSON.parse(data ?? "")).toMatchObject({ headline: toOneLine(hostile) });
  await using plain = await openPage(makePage(quiet, makePageFacts(), settings));
  const elements = "[...document.querySelectorAll('*')].map((element) => element.tagName)";
  expect(await attacked.page.evaluate(elements)).toEqual(await plain.page.evaluate(elements));
});
