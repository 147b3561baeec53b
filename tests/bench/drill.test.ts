import { beforeAll, expect, test } from "vitest";
import { type Drill, drill, harmedIn } from "../../bench/drill.ts";

let ended: Drill;

beforeAll(async () => {
  ended = await drill();
}, 120_000);

test("after a restore and the repair every payer reads what they paid for, and nobody is charged twice", () => {
  expect(harmedIn(ended)).toEqual([]);
  expect(ended.rows.filter(({ paid }) => paid !== "before the copy").length).toBeGreaterThan(6);
});

test("without the repair they would not read: the drill loses what it says", () => {
  for (const { paid, restored } of ended.rows) expect(restored).toBe(paid === "before the copy");
});

test("a try says what is missing, the repair records it, mints first, and a repetition finds nothing to do", () => {
  const payments = (lines: readonly string[], state: string) =>
    lines.filter((line) => line.startsWith(state) && line.includes(" units in ")).length;
  expect(payments(ended.tried, "missing")).toBe(12);
  expect(payments(ended.tried, "LEFT")).toBe(2);
  expect(ended.done[0]).toMatch(/^ordered {2}mint of press /);
  expect(payments(ended.done, "recorded")).toBe(14);
  expect(ended.repeated).toEqual([expect.stringMatching(/^blocks \d+ to \d+: (\d+ known)$/)]);
});
