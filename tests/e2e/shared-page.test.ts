import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeHTML } from "entities";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testAccount } from "../../local/devnet/accounts.ts";
import { publishers } from "../../local/seed/articles.ts";
import { publish, signIn } from "../../local/seed/client.ts";
import { template } from "../core/page/site.ts";
import { startTestService, type TestService } from "../support/service.ts";

let site: string;
let service: TestService;
beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), "site-"));
  await writeFile(join(site, "index.html"), template("one"));
  service = await startTestService({ site });
});
afterAll(async () => {
  await service.stop();
  await rm(site, { recursive: true });
});

const visitor = { headers: { accept: "text/html" } };

async function get(path: string) {
  const answer = await fetch(service.origin + path, visitor);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test("the press's address shows it right after the mint, also in the sitemap", async () => {
  const [desk] = publishers;
  const [article] = desk?.articles ?? [];
  if (desk === undefined || article === undefined) throw new Error("There is no demo article");
  const account = testAccount(desk.account);
  const signal = new AbortController().signal;
  const client = await signIn({ origin: service.origin, signal }, account);
  const { publisherName } = desk;
  const { slug } = await publish({ client, account, publisherName, rpcUrl: service.rpcUrl }, article);

  const path = `/press/${slug}`;
  const said = (html: string, name: string) =>
    decodeHTML(new RegExp(`<meta property="${name}" content="([^"]*)">`).exec(html)?.[1] ?? "");
  const atOnce = await get(path);
  expect(atOnce.status).toBe(200);
  expect(said(atOnce.text, "og:title")).toBe(article.headline);
  expect(said(atOnce.text, "og:url")).toBe(service.origin + path);
  expect(decodeHTML(atOnce.text)).toContain(article.preview);

  expect(atOnce.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(atOnce.headers.get("cache-control")).toContain("s-maxage=30");
  expect(atOnce.text).toContain("/assets/index-one.js");

  const index = await get("/sitemap.xml");
  const parts = [...index.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => url);
  const maps = await Promise.all(parts.map((url) => get(url.slice(service.origin.length))));
  expect(maps.map(({ status }) => status)).toEqual(parts.map(() => 200));
  expect(maps.some(({ text }) => text.includes(`<loc>${service.origin}${path}</loc>`))).toBe(true);
});

test("the address of no press is a 404 with the app, and other pages are the app", async () => {
  expect(await get("/press/no-such-press-zz")).toMatchObject({ status: 404, text: template("one") });
  expect(await get("/dashboard")).toMatchObject({ status: 200, text: template("one") });
});
