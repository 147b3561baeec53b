import { expect, test } from "vitest";
import { chartOf } from "../../web/src/press/market.tsx";

test("a higher price stands higher, all on one scale", () => {
  const chart = chartOf({ before: 100, now: 110, range: { dayLow: 105, dayHigh: 120 } }, 100);
  expect(chart.before).toBe(86);
  expect(chart.range?.top).toBeCloseTo(14);
  expect(chart.now).toBeCloseTo(50);
  expect(chart.range?.bottom).toBeCloseTo(68);
});

test("prices that are the same stand in the middle", () => {
  expect(chartOf({ before: 5, now: 5, range: undefined }, 80)).toEqual({
    before: 40,
    now: 40,
    range: undefined,
  });
});
