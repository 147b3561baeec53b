import { expect, test } from "vitest";
import { type Press, pageSize } from "../../core/press/schema.ts";
import {
  arrangePresses,
  changeWords,
  countStocks,
  formatParams,
  formatTally,
  type ListView,
  listSortOrders,
  makeView,
  parseView,
} from "../../web/src/list/view.ts";
import { makeSamplePress } from "./sample-press.ts";

const everything: ListView = { words: "", stock: undefined, order: "newest" };
const oldest = makeSamplePress(1, {
  publishedAt: "2026-11-01T08:00:00.000Z",
  auditScore: 90,
  priceUnits: "9000000",
});
const middle = makeSamplePress(2, {
  publishedAt: "2026-11-02T08:00:00Z",
  auditScore: 70,
  priceUnits: "10000000",
});
const newest = makeSamplePress(3, {
  publishedAt: "2026-11-03T08:00:00.000Z",
  auditScore: 90,
  priceUnits: "250000",
});
const presses = [middle, oldest, newest];

const listIds = (view: Partial<ListView>, from: readonly Press[] = presses) =>
  arrangePresses(from, { ...everything, ...view }).map(({ id }) => id);

const together = [makeSamplePress(4), makeSamplePress(5)];
test.each<[what: string, view: Partial<ListView>, order: readonly number[], from?: readonly Press[]]>([
  ["by default has the newest presses first", {}, [3, 2, 1]],
  ["sorted by score has the newer of two presses with equal scores first", { order: "score" }, [3, 1, 2]],
  ["sorted by price compares prices as numbers", { order: "cheapest" }, [3, 1, 2]],
  ["has the highest id first of presses that were published at the same time", {}, [5, 4], together],
  ["of search results is sorted by relevance", { words: "margin", order: "fit" }, [2, 1, 3]],
  ["of search results has the order that the reader chooses", { words: "m", order: "cheapest" }, [3, 1, 2]],
])("a list %s", (_, view, order, from = presses) => {
  expect(listIds(view, from)).toEqual(order);
});

test("a search shows the best match first unless the reader chooses another order, and after the search the list shows the newest press first again", () => {
  expect(makeView(parseView({ q: "margin" })).order).toBe("fit");
  expect(changeWords(everything, "margin").order).toBe("fit");
  expect(changeWords({ ...everything, order: "score" }, "margin").order).toBe("score");
  expect(changeWords({ ...everything, words: "margin", order: "fit" }, "")).toEqual(everything);
  // During a search, the list has the order "newest first" only if the reader chooses this order.
  expect(formatParams({ ...everything, words: "margin", order: "newest" })).toEqual({
    q: "margin",
    sort: "newest",
  });
});

test("the reader can choose a stock of the listed presses by its symbol, and sees the number of presses about each stock", () => {
  const stocks = countStocks([
    makeSamplePress(1, { stock: "TSLA" }),
    makeSamplePress(2),
    makeSamplePress(3, { stock: "TSLA" }),
  ]);
  expect(stocks).toEqual([
    { symbol: "AAPL", presses: 1 },
    { symbol: "TSLA", presses: 2 },
  ]);
});

test("if the reader has made no choices, the address of the list has no query", () => {
  expect(formatParams(everything)).toEqual({});
});

test.each(
  ["", "50% & more"].flatMap((words) =>
    [undefined, "BRK.B"].flatMap((stock) => listSortOrders(words).map((order) => ({ words, stock, order }))),
  ),
)("if the view $words/$stock/$order is written into an address, this address opens the same view", (view) => {
  expect(makeView(parseView(formatParams(view)))).toEqual(view);
});

test("if a value in the address is unknown or empty, the list uses the default", () => {
  expect(makeView(parseView({ sort: "loudest", stock: "", q: 7 }))).toEqual(everything);
});

test("if the list has reached its maximum length, the line above the list says that its presses are the newest", () => {
  expect(formatTally(pageSize, pageSize)).toBe("The newest 200 articles");
  expect(formatTally(pageSize, 3)).toBe("3 of the newest 200 articles");
});
