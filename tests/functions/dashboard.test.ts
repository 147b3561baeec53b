import { afterAll, beforeAll, expect, test } from "vitest";
import { save } from "../../core/press/save.ts";
import { Dashboard } from "../../core/press/schema.ts";
import { handler } from "../../functions/http/dashboard.ts";
import { draft, publish, publisher, stranger } from "../core/press/newsroom.ts";
import type { TestTable } from "../support/table.ts";
import { call } from "./lib/call.ts";
import { cookieFor, roomOf } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

let stored: TestTable;
let cookie: string;
beforeAll(async () => {
  stored = await startStage();
  cookie = await cookieFor(stored.table, publisher);
});
afterAll(() => stored.stop());

test("a publisher's presses and their sums, for them alone and never cached", async () => {
  const room = roomOf(stored.table);
  const live = await publish(room, 0);
  const { id } = await save(room, publisher, draft());
  await save(room, stranger, draft());
  await stored.table.entities.press.patch({ id: live.id }).add({ reads: 2, earnedUnits: 2_700_000 }).go();
  const answer = await call(handler, "dashboard", { cookies: [cookie] });
  expect(answer).toMatchObject({ status: 200, headers: { "cache-control": "private, no-store" } });
  const { presses, totals } = Dashboard.strict().parse(answer.body);
  expect(presses.map((press) => [press.id, press.status, press.earnedUsdg])).toEqual([
    [id, "draft", 0],
    [live.id, "live", 2.7],
  ]);
  expect(totals).toEqual({ earnedUsdg: 2.7, live: 1, reads: 2 });
});

test("it takes a session that was signed in", async () => {
  expect(await call(handler, "dashboard")).toMatchObject({ status: 401, body: { code: "no_session" } });
  const paid = await cookieFor(stored.table, publisher, "payment");
  expect(await call(handler, "dashboard", { cookies: [paid] })).toMatchObject({
    status: 401,
    body: { code: "sign_in_required" },
  });
});
