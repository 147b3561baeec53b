import { expect, test } from "vitest";
import { formatPercent, formatPeriod, toPercent } from "../../core/market/schema.ts";
import { formatCount, formatDay, formatDollars, formatToMinute, shortenHex } from "../../web/src/format.ts";
import { isLocal } from "../../web/src/site.ts";

test("a long address is shortened to its first and last characters", () => {
  expect(shortenHex("0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168")).toBe("0x5fc5…d168");
});

test("a short address is not shortened", () => {
  expect(shortenHex("0x12345678")).toBe("0x12345678");
});

test("times are shown in UTC, whatever the reader's time zone", () => {
  expect(formatDay("2026-11-04T23:59:59.000Z")).toBe("4 Nov 2026");
  expect(formatToMinute("2026-11-04T23:59:59.000Z")).toBe("4 Nov 2026, 23:59 UTC");
});

test("stock prices are shown in dollars and cents", () => {
  expect(formatDollars(1234.5)).toBe("$1,234.50");
});

test.each([
  [200, 206.84, "+3.4%"],
  [200, 190, "−5.0%"],
  [200, 199.99, "0.0%"],
  [226, 217.9, "−3.6%"],
])("a price change from %d to %d is shown as %s", (before, after, change) => {
  expect(formatPercent(toPercent(before, after) ?? Number.NaN)).toBe(change);
});

test("a price change that starts at zero has no percentage and is not shown", () => {
  expect(toPercent(0, 10)).toBeUndefined();
});

test.each([
  [1, "in 1 hour"],
  [24.01, "in 24 hours"],
  [50, "in 2 days"],
  [7 * 24 + 3.9, "in 7 days"],
  [365 * 24, "in a year"],
])("a period of the last %d hours is called %s", (hours, name) => {
  const now = Date.parse("2026-11-20T12:00:00Z");
  expect(formatPeriod(new Date(now - hours * 3_600_000).toISOString(), now)).toBe(name);
});

test("a count of one has a singular noun, and other counts have a plural noun", () => {
  expect(formatCount(1, "press", "presses")).toBe("1 press");
  expect(formatCount(0, "press", "presses")).toBe("0 presses");
  expect(formatCount(1204, "press", "presses")).toBe("1,204 presses");
});

test.each(["localhost", "127.0.0.1", "127.3.2.1", "[::1]"])(
  "the host %s is recognised as this machine",
  (host) => {
    expect(isLocal(host)).toBe(true);
  },
);

test.each(["example.com", "127.0.0.1.example.com", "localhost.example.com"])(
  "the host %s is not recognised as this machine",
  (host) => {
    expect(isLocal(host)).toBe(false);
  },
);
