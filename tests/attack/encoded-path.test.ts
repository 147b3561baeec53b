import { expect, test } from "vitest";
import { routes } from "../../functions/routes.ts";
import { ask, startFrontWith } from "../support/front.ts";

/**
 * Each of these percent-encoded paths decodes to the path of a route. In encoded form, the paths would match neither the firewall's
 * patterns nor the cache's keys.
 */
const disguised = [
  ["GET", "/api/%70resses"],
  ["GET", "/api/presses/nvda-beats%2D3f"],
  ["GET", "/%61pi/presses"],
  ["GET", "/api%2Fpresses"],
  ["GET", "/press/%6Evda-beats-3f"],
  ["POST", "/api/%70ay/treasury"],
  ["POST", "/api/%2e%2e/api/rpc"],
  ["POST", "/api/rp%63"],
] as const;

test.each(disguised)("the request %s %s reaches no function", async (method, path) => {
  const called: string[] = [];
  const front = await startFrontWith(routes, ({ context }) => called.push(context.functionName));
  const answer = await ask(front, path, { method });
  expect(called).toEqual([]);
  expect(answer.status).toBe(404);
  expect(answer.headers).toMatchObject({ "access-control-allow-origin": "*", "cache-control": "no-store" });
  expect(JSON.parse(answer.body)).toMatchObject({ code: "unknown_route" });
});

test("a request whose query contains percent-encoded characters still reaches its route", async () => {
  const front = await startFrontWith(routes, ({ event }) => event.queryStringParameters?.stock);
  expect(await ask(front, "/api/presses?stock=%42RK.B")).toMatchObject({ status: 200, body: "BRK.B" });
});
