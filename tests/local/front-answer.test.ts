import { expect, test } from "vitest";
import { cors } from "../../functions/browser.ts";
import { ask, makeRoute, startFrontWith, writeRaw } from "../support/front.ts";

const get = [makeRoute()];
const post = [makeRoute({ method: "POST" })];

test.each([
  ["an object without a status", { hello: "world" }, '{"hello":"world"}'],
  ["a string", "plain", "plain"],
  ["a list", [1, 2], "[1,2]"],
  ["nothing", undefined, "null"],
])("a function's %s is answered as JSON with status 200", async (_what, result, body) => {
  const front = await startFrontWith(get, () => result);
  const answer = await ask(front, "/api/echo");
  expect(answer).toMatchObject({ status: 200, body, headers: { "content-type": "application/json" } });
});

test.each([
  ["a body that is no string", { statusCode: 200, body: { a: 1 } }],
  ["an invalid status", { statusCode: 99 }],
  ["a header that cannot be sent", { statusCode: 200, headers: { "x-bad": "a\r\nb: c" } }],
])("a function that returns %s gets the answer 500, because the fault is ours", async (_what, result) => {
  const front = await startFrontWith(get, () => result);
  const answer = await ask(front, "/api/echo");
  expect(answer.status).toBe(500);
  expect(JSON.parse(answer.body)).toMatchObject({ code: "internal" });
  expect(front.reports).toHaveLength(1);
});

test("a function's error is answered without the error's text, and logged with the text", async () => {
  const front = await startFrontWith(get, () => {
    throw new Error("secret detail");
  });
  const answer = await ask(front, "/api/echo");
  expect(answer.status).toBe(500);
  expect(answer.body).not.toContain("secret");
  const { requestId } = JSON.parse(answer.body);
  expect(front.reports[0]?.message).toContain(requestId);
  expect(front.reports[0]?.error).toMatchObject({ message: "secret detail" });
});

test("the front refuses headers of more than 10,240 bytes in total, as the gateway does", async () => {
  const front = await startFrontWith(get, () => ({ statusCode: 200, body: "reached" }));
  const fitting = { "payment-signature": "x".repeat(8_704), cookie: `session=${"y".repeat(1_000)}` };
  expect(await ask(front, "/api/echo", { headers: fitting })).toMatchObject({ status: 200 });
  const answer = await ask(front, "/api/echo", { headers: { ...fitting, "x-more": "z".repeat(1_100) } });
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([431, "headers_too_large"]);
});

test("a function that exceeds the time limit of its route is answered 503", async () => {
  const front = await startFrontWith(
    [makeRoute({ timeoutSeconds: 0.05 })],
    () => new Promise(() => undefined),
  );
  const answer = await ask(front, "/api/echo");
  expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect(JSON.parse(answer.body)).toMatchObject({ code: "timeout", requestId: expect.any(String) });
});

test.each(["/api/nothing", "/api/", "/api/echo/", "/.well-known/nothing"])(
  "%s is answered as an unknown route, also to a browser",
  async (path) => {
    const front = await startFrontWith(get, () => "ok");
    const answer = await ask(front, path, { headers: { accept: "text/html" } });
    expect(answer).toMatchObject({
      status: 404,
      headers: { "content-type": expect.stringContaining("json") },
    });
    expect(JSON.parse(answer.body)).toEqual({
      error: expect.any(String),
      code: "unknown_route",
      requestId: expect.any(String),
    });
  },
);

test.each(["DELETE", "POST", "PUT"])(
  "a request with the method %s is answered 404 if the path has no such method, as at the gateway",
  async (method) => {
    const front = await startFrontWith(get, () => "ok");
    const answer = await ask(front, "/api/echo", { method });
    expect(answer).toMatchObject({ status: 404 });
    expect(JSON.parse(answer.body)).toMatchObject({ code: "unknown_route" });
  },
);

test("HEAD is answered like GET, but without the body", async () => {
  const front = await startFrontWith(get, () => ({ statusCode: 200, body: "four" }));
  expect(await ask(front, "/api/echo", { method: "HEAD" })).toMatchObject({
    status: 200,
    body: "",
    headers: { "content-length": "4" },
  });
});

test("the gateway answers a preflight request from the route table", async () => {
  const front = await startFrontWith(post, () => {
    throw new Error("A preflight must not reach the function.");
  });
  const answer = await ask(front, "/api/echo", {
    method: "OPTIONS",
    headers: { origin: "https://elsewhere.example", "access-control-request-method": "POST" },
  });
  expect(answer).toMatchObject({
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": cors.allowHeaders.join(", "),
      "access-control-max-age": "3600",
    },
  });
});

test.each([
  ["a 402", "/api/echo", 402],
  ["an unknown route", "/api/none", 404],
])("an answer with %s allows a page of any origin to read the answer", async (_what, path, status) => {
  const front = await startFrontWith(get, () => ({ statusCode: 402, body: "{}" }));
  const answer = await ask(front, path, { headers: { origin: "https://elsewhere.example" } });
  expect(answer).toMatchObject({
    status,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-expose-headers": cors.exposeHeaders.join(", "),
    },
  });
});

test("the front refuses bytes that are not HTTP, and keeps running", async () => {
  const front = await startFrontWith(get, () => "ok");
  expect(await writeRaw(front, "not http at all\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  expect((await ask(front, "/api/echo")).status).toBe(200);
});

test("a body above the gateway's limit is refused, and the function never gets the body", async () => {
  const front = await startFrontWith(post, () => {
    throw new Error("The function must not be called.");
  });
  const answer = await ask(front, "/api/echo", { method: "POST", body: Buffer.alloc(6 * 1024 * 1024 + 1) });
  expect(answer.status).toBe(413);
  expect(JSON.parse(answer.body)).toMatchObject({ code: "body_too_large" });
});
