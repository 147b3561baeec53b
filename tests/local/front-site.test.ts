import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask, makeRoute, startFrontWith, writeRaw } from "../support/front.ts";
import { makeFolder } from "../support/provide.ts";

const root = await makeFolder();
const site = join(root, "dist");
await mkdir(join(site, "assets"), { recursive: true });
await writeFile(join(site, "index.html"), "<!doctype html>app");
await writeFile(join(site, "favicon.svg"), "<svg/>");
await writeFile(join(site, "assets", "index-B1c2D3e4.js"), "export {}");
await writeFile(join(site, ".env"), "hidden");
await writeFile(join(root, "secret.txt"), "secret");

const start = () => startFrontWith([makeRoute()], () => "api", { site });
const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("a file is sent with its content type, and a file with a hash in its name is cached for ever", async () => {
  const front = await start();
  expect(await ask(front, "/assets/index-B1c2D3e4.js")).toMatchObject({
    status: 200,
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    },
  });
  expect(await ask(front, "/favicon.svg")).toMatchObject({
    headers: { "content-type": "image/svg+xml", "cache-control": "no-cache" },
  });
});

test("like CloudFront, the front compresses text for a client that accepts compressed answers", async () => {
  const front = await start();
  const plain = await ask(front, "/assets/index-B1c2D3e4.js");
  expect(plain.headers).not.toHaveProperty("content-encoding");
  const answer = await fetch(`${front.origin}/assets/index-B1c2D3e4.js`, {
    headers: { "accept-encoding": "gzip, br" },
  });
  expect(answer.headers.get("content-encoding")).toBe("br");
  expect(await answer.text()).toBe(plain.body);
});

test("a file that the client already has is not sent again", async () => {
  const front = await start();
  const { etag } = (await ask(front, "/favicon.svg")).headers;
  expect(etag).toEqual(expect.any(String));
  expect(await ask(front, "/favicon.svg", { headers: { "if-none-match": String(etag) } })).toMatchObject({
    status: 304,
    body: "",
  });
});

test.each(["/missing.js", "/assets/missing-00000000.css"])(
  "a request for %s is not answered with a page",
  async (path) => {
    const front = await start();
    expect((await ask(front, path, { headers: browser })).status).toBe(404);
  },
);

test.each([
  "/../secret.txt",
  "/%2e%2e/secret.txt",
  "/..%2fsecret.txt",
  "/assets/..%5c..%5csecret.txt",
  "/.env",
  "/a%00",
])("a request for %s reads no file outside the site", async (path) => {
  const front = await start();
  const raw = await writeRaw(front, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  expect(raw).not.toMatch(/secret|hidden/);
  expect(raw).toMatch(/^HTTP\/1\.1 (404|200) /);
});

test("a path below a folder of pages is answered as a page for GET and HEAD, and as an unknown path of the API for other methods", async () => {
  const page = makeRoute({ id: "press-page", path: "/press/{slug}", isPage: true });
  const front = await startFrontWith([page], () => ({ statusCode: 404, body: "no such page" }), { site });
  expect(await ask(front, "/press/a/more")).toMatchObject({ status: 404, body: "no such page" });
  expect((await ask(front, "/press/a/more", { method: "HEAD" })).status).toBe(404);
  const posted = await ask(front, "/press/a/more", { method: "POST" });
  expect([posted.status, posted.body]).toEqual([404, expect.stringContaining("unknown_route")]);
});

test("the site accepts only GET and HEAD", async () => {
  const front = await start();
  expect(await ask(front, "/", { method: "POST" })).toMatchObject({
    status: 405,
    headers: { allow: "GET, HEAD" },
  });
});

test("a page request at 127.0.0.1 is redirected to localhost, because sign-in works only at localhost", async () => {
  const front = await start();
  const host = `127.0.0.1:${front.port}`;
  expect(await ask(front, "/press/x?tag=1", { headers: { ...browser, host } })).toMatchObject({
    status: 307,
    headers: { location: `${front.origin}/press/x?tag=1` },
  });
  expect((await ask(front, "/api/echo", { headers: { host } })).status).toBe(200);
});
