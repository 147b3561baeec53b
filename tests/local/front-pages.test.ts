import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sitePolicy } from "../../functions/routes.ts";
import { openObjects } from "../../local/bucket/objects.ts";
import { startFront } from "../../local/front/index.ts";
import { ask, row } from "../support/front.ts";

let site = "";
beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), "front-pages-"));
  await writeFile(join(site, "index.html"), "<!doctype html>app");
});
afterAll(() => rm(site, { recursive: true }));

/** A front whose row stands behind the files, of which there is one. */
async function start() {
  const files = openObjects(undefined);
  await files.put("press/written-1", {
    body: Buffer.from("<!doctype html>page"),
    contentType: "text/html; charset=utf-8",
    cacheControl: "public, max-age=0, s-maxage=300",
  });
  const front = await startFront({
    port: 0,
    site,
    files,
    routes: [row({ id: "page", path: "/press/{slug}", behind: "files" }), row()],
    load: async () => async () => ({
      statusCode: 404,
      headers: { "content-type": "text/html" },
      body: "function",
    }),
  });
  onTestFinished(front.stop);
  return front;
}

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test.each(["/press/written-1", "/press/written-1/", "/press/written-1?utm=x"])(
  "%s is the written page",
  async (path) => {
    const front = await start();
    const answer = await ask(front, path, { headers: browser });
    expect(answer).toMatchObject({
      status: 200,
      body: "<!doctype html>page",
      headers: {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "public, max-age=0, s-maxage=300",
        "x-content-type-options": "nosniff",
        "content-security-policy": sitePolicy,
      },
    });
    const { etag } = answer.headers;
    expect(await ask(front, path, { headers: { "if-none-match": String(etag) } })).toMatchObject({
      status: 304,
      body: "",
    });
    expect(await ask(front, path, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  },
);

test.each(["/press/unwritten-1", "/press/unwritten-1/"])("%s is the function's to answer", async (path) => {
  const front = await start();
  expect(await ask(front, path, { headers: browser })).toMatchObject({
    status: 404,
    body: "function",
    headers: { "content-security-policy": sitePolicy },
  });
});

test.each(["/press", "/press/", "/press/written-1/more"])("%s is the app's", async (path) => {
  const front = await start();
  expect(await ask(front, path, { headers: browser })).toMatchObject({
    status: 200,
    body: "<!doctype html>app",
  });
});

test("a written page takes no other method", async () => {
  const front = await start();
  expect(await ask(front, "/press/written-1", { method: "POST" })).toMatchObject({ status: 404 });
});

test("a page asked for at 127.0.0.1 is sent to the origin that signing in demands", async () => {
  const front = await start();
  const host = `127.0.0.1:${front.port}`;
  for (const path of ["/press/written-1", "/press/unwritten-1"]) {
    expect(await ask(front, path, { headers: { ...browser, host } })).toMatchObject({
      status: 307,
      headers: { location: `${front.origin}${path}` },
    });
  }
});
