import { expect, test } from "vitest";
import { makeCover, markSize } from "../../../core/page/schema.ts";

const authors = [
  "0x14dc79964da2c08b23698b3d3cc7ca32193d9955",
  "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
] as const;
const year = [100, 110, 90, 105];

test("a cover draws its stock's prices of a year from left to right with the highest price on top, and leaves space above and below", () => {
  const { line } = makeCover(year, authors[0]);
  expect(line.map(([x]) => x)).toEqual([0, 1 / 3, 2 / 3, 1]);
  const [first, highest, lowest] = line.map(([, y]) => y);
  expect(highest).toBeCloseTo(0.2);
  expect(lowest).toBeCloseTo(0.8);
  expect(first).toBeCloseTo(0.5);
});

test("a cover is also drawn for a stock with no price or one price, and for a stock whose price never changed", () => {
  expect(makeCover([], authors[0]).line).toEqual([]);
  expect(makeCover([100], authors[0]).line).toEqual([]);
  expect(makeCover([100, 100], authors[0]).line.every(([, y]) => Number.isFinite(y))).toBe(true);
});

test("an author's mark and colour depend on the address alone, not on its letter case, and the mark is symmetric", () => {
  const [one, other] = authors.map((author) => makeCover(year, author));
  expect(one).not.toEqual(other);
  expect(one?.mark).toEqual(makeCover([1, 2], authors[0].toUpperCase().replace("0X", "0x")).mark);
  const cells = new Set(one?.mark.map(([x, y]) => `${x} ${y}`));
  expect(cells.size).toBe(one?.mark.length);
  for (const [x, y] of one?.mark ?? []) expect(cells).toContain(`${markSize - 1 - x} ${y}`);
});

test("a thousand authors have hundreds of different covers", () => {
  const covers = Array.from({ length: 1000 }, (_, at) => {
    const { mark, hue } = makeCover(
      [],
      `0x${((at + 1) * 2_654_435_761).toString(16).padStart(40, "7").slice(-15)}${at.toString(16).padStart(25, "3")}`,
    );
    return JSON.stringify([mark, hue]);
  });
  expect(new Set(covers).size).toBeGreaterThan(500);
});
