import { afterAll, beforeAll, expect, test } from "vitest";
import { change, list } from "../../functions/http/follow.ts";
import { publisher, stranger } from "../core/press/newsroom.ts";
import type { TestTable } from "../support/table.ts";
import { call } from "./lib/call.ts";
import { cookieFor } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

let stored: TestTable;
let cookie: string;
beforeAll(async () => {
  stored = await startStage();
  cookie = await cookieFor(stored.table, publisher);
});
afterAll(() => stored.stop());

const read = (as: string) => call(list, "follows", { cookies: [as] });
const send = (changes: readonly object[], as = cookie) =>
  call(change, "follows-change", { cookies: [as], body: { base: 0, changes } });

test("a wallet's follows are on all of its devices, and nobody keeps a copy on the way", async () => {
  const author = `0x${"AB".repeat(20)}`;
  const changes = [
    { kind: "author", id: author, name: "Ann", on: true },
    { kind: "stock", id: "aapl", name: "Apple", on: true },
    { kind: "saved", id: "a-press-1", name: "A headline", on: true },
  ];
  expect(await send(changes)).toMatchObject({ status: 200, body: { revision: 1 } });
  const { status, headers, body } = await read(cookie);
  expect({ status, cache: headers["cache-control"] }).toEqual({ status: 200, cache: "private, no-store" });
  expect(body).toMatchObject({
    entries: expect.arrayContaining([
      { kind: "author", id: author.toLowerCase(), name: "Ann" },
      { kind: "stock", id: "AAPL", name: "Apple" },
      { kind: "saved", id: "a-press-1", name: "A headline" },
    ]),
  });
});

test("a session born from a payment neither sees nor changes what its wallet follows", async () => {
  const paid = await cookieFor(stored.table, publisher, "payment");
  const refusal = { status: 401, body: { code: "sign_in_required" } };
  expect(await read(paid)).toMatchObject(refusal);
  expect(await send([{ kind: "stock", id: "AAPL", name: "", on: false }], paid)).toMatchObject(refusal);
  expect(await read(await cookieFor(stored.table, stranger))).toMatchObject({ body: { entries: [] } });
});

test("what is no author, stock or article is refused and changes nothing", async () => {
  const before = await read(cookie);
  const odd = [
    { kind: "author", id: "0x12", name: "", on: true },
    { kind: "stock", id: "../AAPL", name: "", on: true },
    { kind: "saved", id: "A/../b", name: "", on: true },
    { kind: "wallet", id: "AAPL", name: "", on: true },
  ];
  for (const one of odd) expect(await send([one])).toMatchObject({ status: 400 });
  expect((await read(cookie)).body).toEqual(before.body);
});
