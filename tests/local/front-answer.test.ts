import { expect, test } from "vitest";
import { type Capacity, TooManyRuns, unlimited } from "../../local/lambda.ts";
import { ask, makeRoute, startFrontWith, writeRaw } from "../support/front.ts";

const get = [makeRoute()];
const post = [makeRoute({ method: "POST" })];
const rejectRun = () => Promise.reject(new TooManyRuns("echo"));
const makeRefusal = (status: number, message: string) => ({
  status,
  headers: { "content-type": "application/json", "retry-after": "1" },
  body: JSON.stringify({ message }),
});

test.each([
  ["an object without a status", { hello: "world" }, '{"hello":"world"}'],
  ["a string", "plain", "plain"],
  ["a list", [1, 2], "[1,2]"],
  ["nothing", undefined, "null"],
])("if a function returns %s, the caller gets JSON with status 200", async (_what, result, body) => {
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
    expect(answer).toMatchObject(makeRefusal(500, "Internal Server Error"));
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

test.each<[string, () => unknown, Partial<Capacity>, number, string]>([
  ["the function crashes", () => Promise.reject(new Error("Broken.")), {}, 500, "Internal Server Error"],
  ["the function exceeds its time", () => new Promise(() => undefined), {}, 500, "Internal Server Error"],
  ["the route's throttle is used up", () => "ok", { admitRequest: () => false }, 429, "Too Many Requests"],
  ["Lambda starts no more runs", () => "ok", { run: rejectRun }, 503, "Service Unavailable"],
])("if %s, the caller gets the gateway's own refusal", async (_when, handler, capacity, status, message) => {
  const front = await startFrontWith([makeRoute({ timeoutSeconds: 0.05 })], handler, {
    capacity: { ...unlimited, ...capacity },
  });
  expect(await ask(front, "/api/echo")).toMatchObject(makeRefusal(status, message));
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
