import { expect, test } from "vitest";
import {
  computeScale,
  computeTicks,
  drawPath,
  findSample,
  listSamplesSince,
} from "../../web/src/chart/scale.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;

test.each([
  [{ low: 101, high: 108 }, [100, 102.5, 105, 107.5, 110]],
  [{ low: 0.4, high: 0.9 }, [0.4, 0.6, 0.8, 1]],
  [{ low: 300, high: 300 }, [298, 299, 300, 301, 302]],
])("an axis for the prices %j has round steps and covers all prices", ({ low, high }, expected) => {
  const ticks = computeTicks(low, high);
  expect(ticks[0]).toBeLessThanOrEqual(low);
  expect(ticks.at(-1)).toBeGreaterThanOrEqual(high);
  expect(ticks.length).toBeLessThanOrEqual(6);
  if (low !== high) expect(ticks).toEqual(expected);
});

test("all prices in a chart share one scale, and are placed by their times", () => {
  const samples = [
    { at: 0, price: 100 },
    { at: 25, price: 110 },
    { at: 100, price: 105 },
  ];
  const scale = computeScale(samples);
  expect(samples.map(scale.place)).toEqual([
    { x: 0, y: 1 },
    { x: 0.25, y: 0 },
    { x: 1, y: 0.5 },
  ]);
  expect(drawPath(samples, scale)).toBe("M0.0 1000.0L250.0 0.0L1000.0 500.0");
  expect(findSample(samples, 30)?.price).toBe(110);
});

test("if a chart shows the time since a publication, it begins a little before the publication, contains the price at publication, and ends with the current price", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const published = { at: now - 2 * day, price: 200 };
  const formatIsoTime = (at: number) => new Date(at).toISOString();
  const week = [10 * day, 2.2 * day, day].map((ago, index) => ({
    at: formatIsoTime(now - ago),
    mid: 100 + index,
  }));
  const samples = listSamplesSince(published, { at: now, price: 300 }, { week, year: [] });
  expect(samples.map(({ price }) => price)).toEqual([101, 200, 102, 300]);
});

test("for the time before the last week, a chart shows only the last price of each day", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const year = ["2026-10-01", "2026-11-01", "2026-11-10", "2026-11-21"].map((name, index) => ({
    day: name,
    mid: 10 + index,
  }));
  const week = [{ at: "2026-11-20T00:00:00.000Z", mid: 50 }];
  const published = { at: Date.parse("2026-11-05T00:00:00Z"), price: 20 };
  const samples = listSamplesSince(published, { at: now, price: 60 }, { week, year });
  expect(samples.map(({ price }) => price)).toEqual([11, 20, 12, 50, 60]);
});

test("without recorded prices, the chart's line goes from the publication to now", () => {
  const samples = listSamplesSince({ at: 1, price: 2 }, { at: 3, price: 4 }, undefined);
  expect(samples).toEqual([
    { at: 1, price: 2 },
    { at: 3, price: 4 },
  ]);
});
