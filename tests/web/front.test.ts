import { expect, test } from "vitest";
import { formatAgo } from "../../web/src/format.ts";
import { findNextPresses } from "../../web/src/list/view.ts";
import { makeSamplePress } from "./sample-press.ts";

const now = Date.parse("2026-11-22T12:00:00Z");
const day = 24 * 60 * 60 * 1000;
const makeDaysAgo = (days: number) => ({ publishedAt: new Date(now - days * day).toISOString() });
const listIds = (presses: readonly { readonly id: number }[]) => presses.map(({ id }) => id);

test("below a press, the reader sees other presses about the stock, and the author's next press or, if there is no next press, the author's newest earlier press", () => {
  const mine = { publisher: "0xa1", stock: "AAPL" };
  const other = { publisher: "0xb2" };
  const [first, second, third] = [3, 2, 1].map((days, index) =>
    makeSamplePress(index + 1, { ...mine, ...makeDaysAgo(days) }),
  );
  const apple = makeSamplePress(4, { ...other, stock: "AAPL", ...makeDaysAgo(4) });
  const tesla = makeSamplePress(5, { ...other, stock: "TSLA", ...makeDaysAgo(5) });
  if (first === undefined || second === undefined || third === undefined) throw new Error("no articles");
  const all = [third, second, first, apple, tesla];
  expect(findNextPresses(first, all).next?.id).toBe(2);
  expect(findNextPresses(third, all).next?.id).toBe(2);
  expect(listIds(findNextPresses(first, all).related)).toEqual([3, 4]);
  expect(listIds(findNextPresses(tesla, all).related)).toEqual([3, 2, 1]);
  expect(findNextPresses(first, [first])).toEqual({ next: undefined, related: [] });
});

test.each([
  [10_000, "just now"],
  [60_000, "1 minute ago"],
  [59 * 60_000, "59 minutes ago"],
  [3 * 60 * 60_000, "3 hours ago"],
  [day, "yesterday"],
  [6.5 * day, "6 days ago"],
  [8 * day, "14 Nov 2026"],
])("a time %i milliseconds ago is shown as %s", (passed, words) => {
  expect(formatAgo(new Date(now - passed).toISOString(), now)).toBe(words);
});
