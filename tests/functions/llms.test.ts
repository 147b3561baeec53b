import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as Discovery from "../../core/discovery/index.ts";
import { DiscoveryDocument } from "../../core/discovery/schema.ts";
import * as runtime from "../../functions/lib/runtime.ts";
import { routes } from "../../functions/routes.ts";
import { root } from "../boundary/source.ts";
import { makeSiteTemplate } from "../core/page/site.ts";
import { makeFolder, startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

const site = await makeFolder();
await writeFile(join(site, "index.html"), makeSiteTemplate("one"));
const service = startPart(() => startTestService({ site }));

async function get(url: string) {
  const answer = await fetch(url, { headers: { accept: "*/*" } });
  return { url, status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** The URLs in a text, except the URLs that contain a placeholder in braces. */
function listUrls(text: string): readonly string[] {
  const urls = text.match(/https?:\/\/[^\s"'<>`)\\]+/g) ?? [];
  return [...new Set(urls.filter((url) => !url.includes("{")).map((url) => url.replace(/[.,;]+$/, "")))];
}

/** Endpoints that accept only a POST. For an endpoint that accepts only a POST, a GET shows only that the endpoint exists. */
const posted = /\/api\/(rpc|pay\/)/;

test("llms.txt is plain text with this stage's addresses, and the edge may cache it", async () => {
  const { status, headers, text } = await get(`${service.origin}/llms.txt`);
  expect({ status, type: headers.get("content-type") }).toEqual({
    status: 200,
    type: "text/plain; charset=utf-8",
  });
  expect(headers.get("cache-control")).toBe("public, max-age=0, s-maxage=300, stale-while-revalidate=3600");
  expect(text).toBe(Discovery.writeLlmsText(runtime.readSettings()));
});

test.each(["/llms.txt", "/robots.txt", "/.well-known/x402", "/feed.xml"])(
  "every link in %s works",
  async (path) => {
    const { text } = await get(service.origin + path);
    const urls = listUrls(text).filter((url) => url.startsWith(service.origin));
    expect(urls.length).toBeGreaterThan(0);
    const answers = await Promise.all(urls.map(get));
    expect(answers.map(({ url, status }) => [url, status])).toEqual(
      urls.map((url) => [url, posted.test(url) ? 404 : 200]),
    );
  },
);

test("every page that the documents link to is a page of the site's app", async () => {
  const { developers } = Discovery.makeLinks(service);
  expect((await get(developers)).headers.get("content-type")).toMatch(/^text\/html/);
  const router = await readFile(join(root, "web/src/router.tsx"), "utf8");
  for (const page of ["/", "/developers"]) expect(router).toContain(`"${page}"`);
});

test("at each of its two addresses, the discovery document has headers that link to the other documents", async () => {
  for (const path of ["/.well-known/x402", "/api"]) {
    const { headers, text } = await get(service.origin + path);
    const { documents } = DiscoveryDocument.strict().parse(JSON.parse(text));
    const linked = [...(headers.get("link") ?? "").matchAll(/<([^>]+)>; rel="([^"]+)"; type="([^"]+)"/g)];
    const { openapi, llms, feed } = documents;
    const licence = `${service.origin}/license.xml`;
    expect(linked.map(([, url]) => url)).toEqual([openapi, llms, feed, licence]);
    for (const [, url = "", , type = ""] of linked) {
      expect((await get(url)).headers.get("content-type")?.split(";")[0]).toBe(type);
    }
  }
});

const readable = routes.flatMap(({ method, path }) => (method === "GET" ? [path] : []));

test.each(readable)("a HEAD request for %s gets the headers of a GET request and no body", async (path) => {
  const ask = async (method: "GET" | "HEAD") => {
    const answer = await fetch(service.origin + path.replaceAll(/\{\w+\}/g, "1"), { method });
    const { status, headers } = answer;
    return { status, type: headers.get("content-type"), body: await answer.text() };
  };
  const [whole, head] = [await ask("GET"), await ask("HEAD")];
  expect(head).toEqual({ ...whole, body: "" });
  expect(whole.body).not.toBe("");
});
