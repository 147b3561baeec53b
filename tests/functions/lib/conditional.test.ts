import { describe, expect, test } from "vitest";
import * as z from "zod";
import { applyEtag, makeHandler } from "../../../functions/lib/endpoint.ts";
import { makeJson } from "../../../functions/lib/reply.ts";
import { startPart } from "../../support/provide.ts";
import { invoke } from "./call.ts";
import { startStage } from "./stage.ts";

startPart(startStage);

const headers = { "cache-control": "public, max-age=0, s-maxage=5", vary: "cookie, sign-in-with-x" };
const answer = makeJson({ presses: [] }, { headers });
const etag = String(applyEtag(answer, undefined).headers?.etag);

test("a cacheable answer has a strong ETag of its bytes", () => {
  expect(etag).toMatch(/^"[\w-]{43}"$/);
  expect(applyEtag(makeJson({ presses: [] }, { headers }), undefined)).toEqual({
    ...answer,
    headers: { ...answer.headers, etag },
  });
  const other = applyEtag(makeJson({ presses: [1] }, { headers }), undefined);
  expect(other.headers?.etag).not.toBe(etag);
});

describe("a client that already has the answer does not get it again", () => {
  test.each([
    ["the tag", etag],
    ["the tag as the edge has weakened it", `W/${etag}`],
    ["one of several tags", `"a", W/"b,c" ,${etag}`],
    ["anything", " * "],
  ])("a client gets 304 without body and content type when the client sends %s", (_, ifNoneMatch) => {
    expect(applyEtag(answer, ifNoneMatch)).toEqual({
      statusCode: 304,
      headers: { ...headers, etag },
    });
  });

  test.each([
    ["another tag", '"other"'],
    ["the tag within another", `"x${etag.slice(1)}`],
    ["the tag without its quotes", etag.slice(1, -1)],
    ["nothing", ""],
  ])("a client gets the whole answer when it sends %s", (_, ifNoneMatch) => {
    expect(applyEtag(answer, ifNoneMatch).statusCode).toBe(200);
  });
});

test.each([
  ["a personal answer", makeJson({}, { headers: { "cache-control": "private, no-store" } })],
  ["an answer that says nothing of caches", makeJson({})],
  ["a refusal", makeJson({}, { status: 404, headers })],
  ["what was accepted", makeJson({}, { status: 202, headers })],
])("an answer without a cache time has no ETag and is sent again: %s", (_, reply) => {
  expect(applyEtag(reply, "*")).toEqual(reply);
});

test("if an answer depends on the session, its header Vary names Cookie, and it is publicly cacheable only if the request has no session", async () => {
  const differing = makeHandler("press", z.undefined(), async () => makeJson({ body: "text" }));
  const anonymous = await invoke(differing, "press");
  expect(anonymous.headers).toMatchObject({
    "cache-control": "public, max-age=0, s-maxage=5",
    vary: "cookie, sign-in-with-x",
    etag: expect.any(String),
  });
  const headers = { "if-none-match": anonymous.headers.etag ?? "" };
  expect(await invoke(differing, "press", { headers })).toMatchObject({
    status: 304,
    headers: { vary: "cookie, sign-in-with-x" },
  });
  const own = await invoke(differing, "press", { cookies: ["other=1", "session=x"], headers });
  expect(own).toMatchObject({
    status: 200,
    headers: { "cache-control": "private, no-store", vary: "cookie, sign-in-with-x" },
  });
  expect(own.headers.etag).toBeUndefined();
});
