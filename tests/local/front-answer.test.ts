import { expect, test } from "vitest";
import { ask, makeRoute, startFrontWith, writeRaw } from "../support/front.ts";

const get = [makeRoute()];
const post = [makeRoute({ method: "POST" })];

test.each([
  ["an object without a status", { hello: "world" }, '{"hello":"world"}'],
  ["a string", "plain", "plain"],
  ["a list", [1, 2], "[1,2]"],
  ["nothing", undefined, "null"],
])("if a function returns %s, the caller gets it as JSON with status 200", async (_what, result, body) => {
  const front = await startFrontWith(get, () => result);
  const answer = await ask(front, "/api/echo");
  expect(answer).toMatchObject({ status: 200, body, headers: { "content-type": "application/json" } });
});

test.each([
  ["a body that is no string", { statusCode: 200, body: { a: 1 } }],
  ["an invalid status", { statusCode: 99 }],
  ["a header that cannot be sent", { statusCode: 200, headers: { "x-bad": "a\r\nb: c" } }],
])(
  "if a function returns %s, the caller gets the status 500, because the fault is ours",
  async (_what, result) => {
    const front = await startFrontWith(get, () => result);
    const answer = await ask(front, "/api/echo");
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "internal" });
    expect(front.reports).toHaveLength(1);
  },
);

test("the front refuses headers of more than 10,240 bytes in total, as the gateway does", async () => {
  const front = await startFrontWith(get, () => ({ statusCode: 200, body: "reached" }));
  const fitting = { "payment-signature": "x".repeat(8_704), cookie: `session=${"y".repeat(1_000)}` };
  expect(await ask(front, "/api/echo", { headers: fitting })).toMatchObject({ status: 200 });
  const answer = await ask(front, "/api/echo", { headers: { ...fitting, "x-more": "z".repeat(1_100) } });
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([431, "headers_too_large"]);
});

test("a request whose function exceeds the route's time limit is answered 503", async () => {
  const front = await startFrontWith(
    [makeRoute({ timeoutSeconds: 0.05 })],
    () => new Promise(() => undefined),
  );
  const answer = await ask(front, "/api/echo");
  expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect(JSON.parse(answer.body)).toMatchObject({ code: "timeout", requestId: expect.any(String) });
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
