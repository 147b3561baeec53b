import { expect, test } from "vitest";
import { list } from "../../../core/press/index.ts";
import { isNewAuthor } from "../../../core/press/schema.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeManualClock, makeMarket, publish } from "../press/newsroom.ts";

const day = 24 * 60 * 60 * 1000;

const storage = startPart(startTestTable);

test("an author's first two presses have the mark for new authors until thirty days after the first press; when the third press goes live, all presses of the author lose the mark", async () => {
  const clock = makeManualClock();
  const room = { table: storage.table, clock, market: makeMarket({ now: 300 }) };
  const first = clock.now();
  const until = new Date(first + 30 * day).toISOString();
  const listNewAuthorTimes = async () =>
    (await list(room, {})).presses.toReversed().map(({ newAuthorUntil }) => newAuthorUntil);
  await publish(room, 0);
  clock.pass(10 * day);
  await publish(room, 1);
  expect(await listNewAuthorTimes()).toEqual([until, until]);
  const [press = { newAuthorUntil: null }] = (await list(room, {})).presses;
  expect(isNewAuthor(press, first + 30 * day - 1)).toBe(true);
  expect(isNewAuthor(press, first + 30 * day)).toBe(false);
  clock.pass(day);
  await publish(room, 2);
  expect(await listNewAuthorTimes()).toEqual([null, null, null]);
  await publish(room, 3);
  expect(await listNewAuthorTimes()).toEqual([null, null, null, null]);
});

test("a second press that is published after thirty days does not have the mark for new authors", async () => {
  const storage = await startTestTable();
  const clock = makeManualClock();
  const room = { table: storage.table, clock, market: makeMarket({ now: 300 }) };
  await publish(room, 0);
  clock.pass(31 * day);
  await publish(room, 1);
  const [second] = (await list(room, {})).presses;
  expect(second?.newAuthorUntil).toBeNull();
  await storage.stop();
});
