import { expect, test } from "vitest";
import { pageSize } from "../../core/press/schema.ts";
import {
  arrangePresses,
  ordersFor,
  paramsOf,
  parseView,
  stocksOf,
  tally,
  type View,
  viewOf,
  withWords,
} from "../../web/src/list/view.ts";
import { samplePress } from "./sample-press.ts";

const everything: View = { words: "", stock: undefined, order: "newest" };
const oldest = samplePress(1, {
  publishedAt: "2026-11-01T08:00:00.000Z",
  auditScore: 90,
  priceUnits: "9000000",
});
const middle = samplePress(2, {
  publishedAt: "2026-11-02T08:00:00Z",
  auditScore: 70,
  priceUnits: "10000000",
});
const newest = samplePress(3, {
  publishedAt: "2026-11-03T08:00:00.000Z",
  auditScore: 90,
  priceUnits: "250000",
});
const presses = [middle, oldest, newest];

const ids = (view: Partial<View>, from = presses) =>
  arrangePresses(from, { ...everything, ...view }).map(({ id }) => id);

test("the newest presses come first by default", () => {
  expect(ids({})).toEqual([3, 2, 1]);
});

test("the highest score comes first, and of equal scores the newer press", () => {
  expect(ids({ order: "score" })).toEqual([3, 1, 2]);
});

test("the cheapest press comes first, with prices compared as numbers", () => {
  expect(ids({ order: "cheapest" })).toEqual([3, 1, 2]);
});

test("presses of the same time are ordered by id, the highest first", () => {
  expect(ids({}, [samplePress(4), samplePress(5)])).toEqual([5, 4]);
});

test("sorting does not change the original list", () => {
  arrangePresses(presses, everything);
  expect(presses).toEqual([middle, oldest, newest]);
});

test("a stock shows only its own presses", () => {
  const tesla = samplePress(7, { stock: "TSLA" });
  expect(ids({ stock: "TSLA" }, [...presses, tesla])).toEqual([7]);
});

test("search results are ordered by relevance, unless another order is chosen", () => {
  expect(ids({ words: "margin", order: "fit" })).toEqual([2, 1, 3]);
  expect(ids({ words: "margin", order: "cheapest" })).toEqual([3, 1, 2]);
});

test("a search begins with the best match, keeps a chosen order, and ends with the newest first", () => {
  expect(viewOf(parseView({ q: "margin" })).order).toBe("fit");
  expect(withWords(everything, "margin").order).toBe("fit");
  expect(withWords({ ...everything, order: "score" }, "margin").order).toBe("score");
  expect(withWords({ ...everything, words: "margin", order: "fit" }, "")).toEqual(everything);
  // During a search, "newest first" is a separate choice.
  expect(paramsOf({ ...everything, words: "margin", order: "newest" })).toEqual({
    q: "margin",
    sort: "newest",
  });
});

test("the stocks to choose from are the presses' own, by symbol, with their counts", () => {
  const stocks = stocksOf([
    samplePress(1, { stock: "TSLA" }),
    samplePress(2),
    samplePress(3, { stock: "TSLA" }),
  ]);
  expect(stocks).toEqual([
    { symbol: "AAPL", presses: 1 },
    { symbol: "TSLA", presses: 2 },
  ]);
});

test("the address of the plain list has no query", () => {
  expect(paramsOf(everything)).toEqual({});
});

test.each(
  ["", "50% & more"].flatMap((words) =>
    [undefined, "BRK.B"].flatMap((stock) => ordersFor(words).map((order) => ({ words, stock, order }))),
  ),
)("the address of $words/$stock/$order leads back to it", (view) => {
  expect(viewOf(parseView(paramsOf(view)))).toEqual(view);
});

test("unknown or empty values in the address mean the default", () => {
  expect(viewOf(parseView({ sort: "loudest", stock: "", q: 7 }))).toEqual(everything);
});

test("the tally says how many of how many presses are shown", () => {
  expect(tally(1, 1)).toBe("1 article");
  expect(tally(5, 2)).toBe("2 of 5 articles");
});

test("the tally of a full page says that the shown presses are the newest", () => {
  expect(tally(pageSize, pageSize)).toBe("The newest 200 articles");
  expect(tally(pageSize, 3)).toBe("3 of the newest 200 articles");
});
