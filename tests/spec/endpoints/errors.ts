import { expect } from "vitest";
import * as z from "zod";
import { jobs } from "../../../functions/jobs.ts";
import { routes } from "../../../functions/routes.ts";
import { findSettings } from "../../../infra/stages.ts";
import { prove } from "../holds.ts";
import { ask, signInOnce } from "../world/ask.ts";
import { article, rival, saveSuccessfully, writer } from "../world/desk.ts";
import { runWithoutPart } from "../world/service.ts";

const Problem = z.strictObject({
  error: z.string().min(1),
  code: z.string().regex(/^[a-z_]+$/),
  requestId: z.string(),
});

prove("7 error body", async () => {
  const missing = await ask("/api/presses/none");
  const unknown = await ask("/api/me/history");
  for (const { body } of [missing, unknown]) Problem.parse(body);

  const cookie = await signInOnce(rival);
  const wrong = await ask("/api/press/save", { body: { ...article, headline: "Short" }, cookie });
  const issues = z.array(z.strictObject({ path: z.string(), message: z.string() })).min(1);
  expect(Problem.extend({ issues }).parse(wrong.body).issues[0]?.path).toBe("headline");

  const txHash = `0x${"9".repeat(64)}`;
  const silent = await runWithoutPart("chain", () => ask("/api/votes/record", { body: { txHash } }));
  expect(silent.status).toBe(503);
  const { retryAfter } = Problem.extend({ retryAfter: z.int().positive() }).parse(silent.body);
  expect(silent.headers.get("retry-after")).toBe(String(retryAfter));
});

prove("7 session statuses", async () => {
  const id = await saveSuccessfully(writer);
  expect((await ask(`/api/me/press/${id}`)).status).toBe(401);
  expect((await ask(`/api/me/press/${id}`, { cookie: "session=wrong" })).status).toBe(401);
  expect((await ask(`/api/me/press/${id}`, { cookie: await signInOnce(rival) })).status).toBe(404);
  const elsewhere = { origin: "https://other.example" };
  const from = { cookie: await signInOnce(writer), headers: elsewhere };
  expect((await ask("/api/press/audit", { ...from, body: { id } })).status).toBe(403);
});

prove("8 other limits", async () => {
  const answer = await ask("/api/pay/treasury", { body: { pressId: "0".repeat(256 * 1024) } });
  expect(answer).toMatchObject({ status: 413, body: { code: "body_too_large" } });
  for (const stage of ["prod", "staging", "dev", "somebody"]) {
    const { limits } = findSettings(stage);
    for (const limit of [...Object.values(limits.gateway), ...Object.values(limits.edge)]) {
      expect(limit).toBeGreaterThan(0);
    }
  }
});

prove("6 notifications", () => {
  const touched = new Set([...routes, ...jobs].flatMap(({ access }) => [...access]));
  // An access right with a colon in its name concerns a part of the service itself. The access right `typefaces` concerns font files in the
  // function's own package.
  const outside = [...touched].filter((word) => !word.includes(":"));
  expect(outside.toSorted()).toEqual(["chain", "market", "model", "news", "typefaces"]);
  // Only the access right `push:sign` lets a function send notifications to browsers.
  const senders = [...routes, ...jobs].filter(({ access }) =>
    [...access].some((word) => word === "push:sign"),
  );
  expect(senders.map(({ id }) => id)).toEqual(["press-push"]);
});

prove("9 HTTP API", async () => {
  expect(routes.filter(({ path }) => /\/v\d/.test(path))).toEqual([]);
  expect((await ask("/api/v1/presses")).status).toBe(404);
  expect((await ask("/api/presses")).status).toBe(200);
});
