import { afterAll, beforeAll, expect, test } from "vitest";
import { History } from "../../core/history/schema.ts";
import { history as handler } from "../../functions/http/me.ts";
import { stranger } from "../core/press/newsroom.ts";
import type { TestTable } from "../support/table.ts";
import { call } from "./lib/call.ts";
import { cookieFor } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

const ofPress = { slug: "a-press-1", headline: "A press", stock: "AAPL" };
const tx = `0x${"ab".repeat(32)}`;
const at = "2026-11-20T12:00:00.000Z";

let stored: TestTable;
beforeAll(async () => {
  stored = await startStage();
  const position = `${"1".padStart(16, "0")}-${"0".repeat(16)}`;
  await stored.table.entities.vote
    .create({ pressId: 0, wallet: stranger, value: -1, tag: "biased", txHash: tx, position, at, ...ofPress })
    .go();
});
afterAll(() => stored.stop());

const vote = { value: -1, tag: "biased", tx, at, ...ofPress };

test.each(["sign-in", "payment"] as const)(
  "any session, as one of a %s, reads its wallet's votes and unlocks, for it alone and never cached",
  async (origin) => {
    const cookies = [await cookieFor(stored.table, stranger, origin)];
    const answer = await call(handler, "history", { cookies });
    expect(answer).toMatchObject({ status: 200, headers: { "cache-control": "private, no-store" } });
    expect(History.strict().parse(answer.body)).toEqual({ votes: [vote], unlocks: [] });
  },
);

test("nobody is shown anything without a session", async () => {
  expect(await call(handler, "history")).toMatchObject({ status: 401, body: { code: "no_session" } });
  expect(await call(handler, "history", { cookies: ["session=unknown"] })).toMatchObject({ status: 401 });
});

test("another site's page is refused", async () => {
  const cookies = [await cookieFor(stored.table, stranger)];
  const headers = { origin: "https://evil.example" };
  expect(await call(handler, "history", { cookies, headers })).toMatchObject({
    status: 403,
    body: { code: "wrong_origin" },
  });
});
