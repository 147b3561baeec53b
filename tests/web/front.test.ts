import { expect, test } from "vitest";
import { formatAgo } from "../../web/src/format.ts";
import { afterOf, frontOf } from "../../web/src/list/view.ts";
import { samplePress } from "./sample-press.ts";

const now = Date.parse("2026-11-22T12:00:00Z");
const day = 24 * 60 * 60 * 1000;
const ago = (days: number) => ({ publishedAt: new Date(now - days * day).toISOString() });
/** Votes of wallets that have unlocked the press, and as many of wallets that never paid. */
const votes = (up: number, down: number) => ({
  votes: { up: 2 * up, down: 2 * down },
  readerVotes: { up, down },
});
const ids = (presses: readonly { readonly id: number }[]) => presses.map(({ id }) => id);

test("the lead is the readers' favourite of three days, or an older one if there is none", () => {
  const old = samplePress(1, { ...ago(5), reads: 100 });
  const read = samplePress(2, { ...ago(2), reads: 4 });
  const liked = samplePress(3, { ...ago(1), reads: 2, ...votes(1, 0) });
  expect(frontOf([liked, read, old], now).lead?.id).toBe(3);
  expect(frontOf([old], now).lead?.id).toBe(1);
  expect(frontOf([], now).lead).toBeUndefined();
});

test("votes of wallets that have not paid change nothing", () => {
  const plain = samplePress(1, { ...ago(1), auditScore: 98 });
  const bought = samplePress(2, { ...ago(0.5), auditScore: 90, votes: { up: 5, down: 0 } });
  expect(frontOf([bought, plain], now).lead?.id).toBe(1);
  expect(frontOf([bought, plain], now).rated).toEqual([]);
});

test("of equally rated presses the better audit leads, then the newer one", () => {
  const [one, two, three] = [
    samplePress(1, { ...ago(1), auditScore: 90 }),
    samplePress(2, { ...ago(1.5), auditScore: 98 }),
    samplePress(3, { ...ago(2), auditScore: 98 }),
  ];
  expect(frontOf([one, two, three], now).lead?.id).toBe(2);
});

test("the most read and best rated presses are from the last seven days, and only ones with readers or votes", () => {
  const presses = [
    samplePress(1, { ...ago(0.1), reads: 1, ...votes(2, 3) }),
    samplePress(2, { ...ago(3), reads: 5 }),
    samplePress(3, { ...ago(6), reads: 0, ...votes(4, 1) }),
    samplePress(4, { ...ago(8), reads: 50, ...votes(9, 0) }),
  ];
  expect(ids(frontOf(presses, now).read)).toEqual([2, 1]);
  expect(ids(frontOf(presses, now).rated)).toEqual([3]);
});

test("a press is followed by its author's next one, or the newest before it, and others about its stock", () => {
  const mine = { publisher: "0xa1", stock: "AAPL" };
  const other = { publisher: "0xb2" };
  const [first, second, third] = [3, 2, 1].map((days, index) =>
    samplePress(index + 1, { ...mine, ...ago(days) }),
  );
  const apple = samplePress(4, { ...other, stock: "AAPL", ...ago(4) });
  const tesla = samplePress(5, { ...other, stock: "TSLA", ...ago(5) });
  if (first === undefined || second === undefined || third === undefined) throw new Error("no articles");
  const all = [third, second, first, apple, tesla];
  expect(afterOf(first, all).next?.id).toBe(2);
  expect(afterOf(third, all).next?.id).toBe(2);
  expect(ids(afterOf(first, all).related)).toEqual([3, 4]);
  expect(ids(afterOf(tesla, all).related)).toEqual([3, 2, 1]);
  expect(afterOf(first, [first])).toEqual({ next: undefined, related: [] });
});

test.each([
  [10_000, "just now"],
  [60_000, "1 minute ago"],
  [59 * 60_000, "59 minutes ago"],
  [3 * 60 * 60_000, "3 hours ago"],
  [day, "yesterday"],
  [6.5 * day, "6 days ago"],
  [8 * day, "14 Nov 2026"],
])("%i milliseconds ago reads %s", (passed, words) => {
  expect(formatAgo(new Date(now - passed).toISOString(), now)).toBe(words);
});
