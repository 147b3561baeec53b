import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sitePolicy } from "../../functions/browser.ts";
import { startFront } from "../../local/front/index.ts";
import { ask, makeRoute } from "../support/front.ts";

let site = "";
beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), "front-pages-"));
  await writeFile(join(site, "index.html"), "<!doctype html>app");
});
afterAll(() => rm(site, { recursive: true }));

/** A local front with the route of one page, whose function answers with the path. */
async function start() {
  const front = await startFront({
    port: 0,
    site,
    routes: [makeRoute({ id: "page", path: "/press/{slug}", isPage: true }), makeRoute()],
    load: async () => async () => ({
      statusCode: 200,
      headers: { "content-type": "text/html", "cache-control": "public, max-age=0, s-maxage=60" },
      body: "function",
    }),
  });
  onTestFinished(front.stop);
  return front;
}

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test.each(["/press/a-1", "/press/a-1/", "/press/a-1?utm=x"])(
  "the page's function answers %s, and the front adds the site's headers",
  async (path) => {
    const front = await start();
    expect(await ask(front, path, { headers: browser })).toMatchObject({
      status: 200,
      body: "function",
      headers: {
        "cache-control": "public, max-age=0, s-maxage=60",
        "x-content-type-options": "nosniff",
        "content-security-policy": sitePolicy,
      },
    });
    expect(await ask(front, path, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  },
);

test.each(["/press", "/press/", "/press/a-1/more"])(
  "the front answers %s with the app's document",
  async (path) => {
    const front = await start();
    expect(await ask(front, path, { headers: browser })).toMatchObject({
      status: 200,
      body: "<!doctype html>app",
    });
  },
);

test("the address of a page accepts only GET and HEAD", async () => {
  const front = await start();
  expect(await ask(front, "/press/a-1", { method: "POST" })).toMatchObject({ status: 404 });
});
