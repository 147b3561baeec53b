import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { AppError } from "../../../core/error.ts";
import { makeHandler, makeWalletHandler } from "../../../functions/lib/endpoint.ts";
import { log } from "../../../functions/lib/log.ts";
import { makeJson } from "../../../functions/lib/reply.ts";
import { bodyLimit } from "../../../functions/routes.ts";
import { startPart } from "../../support/provide.ts";
import { invoke, requestId, site } from "./call.ts";
import { cookie } from "./desk.ts";
import { captureLog, startStage } from "./stage.ts";

const Body = z.strictObject({ id: z.number().int(), tag: z.string().optional() });

const open = makeHandler("rpc", Body, async ({ body }) => makeJson(body));
const ownSite = makeHandler("auth-nonce", Body, async ({ body }) => makeJson(body));
const ownSiteRead = makeHandler("me", z.undefined(), async () => makeJson({}));
const forSession = makeWalletHandler("auth-logout", Body, async ({ caller }) => makeJson(caller));
const forPublisher = makeWalletHandler("press-save", Body, async ({ caller }) => makeJson(caller));
const serveError = (error: unknown) => makeHandler("rpc", z.undefined(), () => Promise.reject(error));

startPart(startStage);

test("a handler gets only the query keys that its route declares, because caches distinguish answers by the declared keys alone", async () => {
  const list = makeHandler("presses", z.undefined(), async ({ query }) => makeJson(query));
  const query = { stock: "AAPL", limit: "5", utm_source: "x", Stock: "NVDA", ["__proto__"]: "y" };
  expect((await invoke(list, "presses", { query })).body).toEqual({ stock: "AAPL", limit: "5" });
  expect((await invoke(open, "rpc", { query, body: { id: 1 } })).body).toEqual({ id: 1 });
});

test("without an edge, the caller's address comes from the gateway", async () => {
  const told = makeHandler("rpc", z.undefined(), async ({ address }) => makeJson({ address }));
  const headers = { "x-forwarded-for": "203.0.113.7, 198.51.100.9" };
  expect((await invoke(told, "rpc", { headers })).body).toEqual({ address: "127.0.0.1" });
});

test("the log line of an answer has the caller's address, unless the answer is a page of the site or belongs to a payment", async () => {
  const info = vi.spyOn(log, "info");
  await invoke(open, "rpc", { body: { id: 1 } });
  expect(info).toHaveBeenLastCalledWith("Answered", { status: 200, ip: "127.0.0.1" });
  for (const id of ["press-page", "pay-treasury"] as const) {
    await invoke(
      makeHandler(id, z.undefined(), async () => makeJson({})),
      id,
    );
    expect(info).toHaveBeenLastCalledWith("Answered", { status: 200 });
  }
});

describe("the body of a request is parsed and checked", () => {
  test("the body is parsed and passed to the handler, even when the gateway encodes it in base64", async () => {
    expect(await invoke(open, "rpc", { body: { id: 1 } })).toMatchObject({ status: 200, body: { id: 1 } });
    expect(await invoke(open, "rpc", { body: { id: 1 }, base64: true })).toMatchObject({ body: { id: 1 } });
  });

  test.each(["{", "", "{'id':1}", '{"id":1}}', "\u0000", '{"__proto__":{"id":1}}'])(
    "the body %j is refused with 400 as malformed JSON",
    async (raw) => {
      const answer = await invoke(open, "rpc", { raw, headers: { "content-type": "application/json" } });
      expect(answer).toMatchObject({ status: 400, body: { code: "malformed_json", requestId } });
    },
  );

  test.each([{}, { "content-type": "text/plain" }, { "content-type": "application/x-www-form-urlencoded" }])(
    "a body whose content type is not JSON, such as %j, is refused with 415",
    async (headers) => {
      const answer = await invoke(open, "rpc", { raw: '{"id":1}', headers });
      expect(answer).toMatchObject({ status: 415, body: { code: "not_json", requestId } });
    },
  );

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/vnd.api+json",
  ])("the body may have the content type %s", async (type) => {
    const answer = await invoke(open, "rpc", { raw: '{"id":1}', headers: { "content-type": type } });
    expect(answer.status).toBe(200);
  });

  test("a body one byte over the limit is refused with 413, in every encoding of the body", async () => {
    const headers = { "content-type": "application/json" };
    const fitting = `{"id":1,"tag":"${"é".repeat((bodyLimit - 17) / 2)}"}`.padEnd(bodyLimit / 2 + 8);
    const size = Buffer.byteLength(fitting);
    const exact = fitting + " ".repeat(bodyLimit - size);
    expect(Buffer.byteLength(exact)).toBe(bodyLimit);
    expect(await invoke(open, "rpc", { raw: exact, headers })).toMatchObject({ status: 200 });
    expect(await invoke(open, "rpc", { raw: exact, headers, base64: true })).toMatchObject({ status: 200 });
    const over = { status: 413, body: { code: "body_too_large", requestId } };
    expect(await invoke(open, "rpc", { raw: `${exact} `, headers })).toMatchObject(over);
    expect(await invoke(open, "rpc", { raw: `${exact} `, headers, base64: true })).toMatchObject(over);
  });

  test("a body that is missing or incomplete, or that has unknown fields, is refused with 400 and the names of all invalid fields", async () => {
    expect(await invoke(open, "rpc")).toMatchObject({ status: 400, body: { code: "invalid_input" } });
    const answer = await invoke(open, "rpc", { body: { id: 1.5, tag: 3, further: true } });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_input", requestId } });
    const { issues } = z
      .object({ issues: z.array(z.object({ path: z.string(), message: z.string() })) })
      .parse(answer.body);
    expect(issues.map(({ path }) => path).sort()).toEqual(["", "id", "tag"]);
    expect(issues.find(({ path }) => path === "")?.message).toContain("further");
  });
});

describe("the origin of a request is checked", () => {
  const wrong = { status: 403, body: { code: "wrong_origin" } };
  const body = { id: 1 };

  test.each([
    ["another site", { origin: "https://evil.example" }],
    ["another port", { origin: `${site}1` }],
    ["another scheme", { origin: site.replace("http:", "https:") }],
    ["no origin", {}],
    ["an opaque origin", { origin: "null" }],
    ["our origin from a page of another site", { origin: site, "sec-fetch-site": "cross-site" }],
  ])("another origin (%s) may not post to a route that only our site may use", async (_, headers) => {
    expect(await invoke(ownSite, "auth-nonce", { headers, body })).toMatchObject(wrong);
  });

  test("our own origin may post to a route that only our site may use", async () => {
    const headers = { origin: site, "sec-fetch-site": "same-origin" };
    expect(await invoke(ownSite, "auth-nonce", { headers, body })).toMatchObject({ status: 200 });
  });

  test.each([
    ["another site", { origin: "https://evil.example" }, 403],
    ["a page of another site", { "sec-fetch-site": "cross-site" }, 403],
    ["a sister site", { "sec-fetch-site": "same-site" }, 403],
    ["our site", { "sec-fetch-site": "same-origin" }, 200],
    ["the address bar", { "sec-fetch-site": "none" }, 200],
    ["a program", {}, 200],
  ])(
    "a read from %s gets the expected status on a route that only our site may use",
    async (_, headers, status) => {
      expect(await invoke(ownSiteRead, "me", { headers })).toMatchObject({ status });
    },
  );

  test("a page of another site may not post with a session's cookie, but a program may", async () => {
    const cookies = [cookie];
    const headers = { origin: "https://evil.example" };
    expect(await invoke(forSession, "auth-logout", { headers, cookies, body })).toMatchObject(wrong);
    expect(await invoke(forSession, "auth-logout", { cookies, body })).toMatchObject({ status: 200 });
  });
});

test("the session is checked before the fields of the body", async () => {
  expect(await invoke(forPublisher, "press-save", { body: { wrong: true } })).toMatchObject({
    status: 401,
  });
});

describe("error answers do not contain the causes of the errors", () => {
  test("if a dependency of the service fails, the error answer always says when to retry", async () => {
    const answer = await invoke(serveError(new AppError("upstream", "down", "Down.")), "rpc");
    expect(answer).toMatchObject({ headers: { "retry-after": "5" }, body: { retryAfter: 5 } });
  });

  test("an error answer contains the error's public details and never the error's cause", async () => {
    const error = new AppError("upstream", "pending", "Pending.", {
      details: { transaction: "0x12" },
      cause: new Error("http://user:password@node"),
    });
    const answer = await invoke(serveError(error), "rpc");
    expect(answer.body).toMatchObject({ code: "pending", transaction: "0x12" });
    expect(JSON.stringify(answer)).not.toContain("password");
  });

  test.each([
    ["an Error", new Error("secret text", { cause: new Error("secret cause") })],
    ["a TypeError", new TypeError("secret text", { cause: new Error("secret cause") })],
  ])(
    "unexpected errors, such as %s, are answered with 500 without their text, and logged with text and cause",
    async (_, error) => {
      const { value: answer, lines } = await captureLog(() => invoke(serveError(error), "rpc"));
      expect(answer).toMatchObject({
        status: 500,
        headers: { "cache-control": "no-store" },
        body: { code: "internal", requestId },
      });
      expect(JSON.stringify(answer)).not.toContain("secret");
      for (const part of ["secret text", "secret cause", requestId, '"function":"rpc"'])
        expect(lines).toContain(part);
    },
  );
});

describe("answers may be cached for a limited time", () => {
  test("an answer may be cached for the time that the table of endpoints states for the answer's route", async () => {
    const shared = makeHandler("quote", z.undefined(), async () => makeJson({}));
    expect((await invoke(shared, "quote")).headers["cache-control"]).toBe(
      "public, max-age=0, s-maxage=10, stale-while-revalidate=30",
    );
    expect((await invoke(open, "rpc", { body: { id: 1 } })).headers["cache-control"]).toBe("no-store");
    expect((await invoke(ownSiteRead, "me")).headers["cache-control"]).toBe("private, no-store");
  });

  test("an answer's own cache time overrides the cache time of its route", async () => {
    const own = makeHandler("quote", z.undefined(), async () =>
      makeJson({}, { headers: { "cache-control": "no-store" } }),
    );
    expect((await invoke(own, "quote")).headers["cache-control"]).toBe("no-store");
  });
});
