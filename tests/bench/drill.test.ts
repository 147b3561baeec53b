import { beforeAll, expect, test } from "vitest";
import { type Drill, findHarmedReaders, runDrill } from "../../bench/drill.ts";

let ended: Drill;

beforeAll(async () => {
  ended = await runDrill();
});

test("after a restore of the table and the repair, every payer can read the bought texts, and nobody is charged twice", () => {
  expect(findHarmedReaders(ended)).toEqual([]);
  expect(ended.rows.filter(({ paid }) => paid !== "before the copy").length).toBeGreaterThan(6);
});

test("if a restore is not followed by the repair, only payers who paid before the backup can read their texts", () => {
  for (const { paid, restored } of ended.rows) expect(restored).toBe(paid === "before the copy");
});

test("a dry run of the repair lists missing records, a real run writes them and begins with the mints, and a repeated run finds nothing to do", () => {
  const countPayments = (lines: readonly string[], state: string) =>
    lines.filter((line) => line.startsWith(state) && line.includes(" units in ")).length;
  expect(countPayments(ended.tried, "missing")).toBe(12);
  expect(countPayments(ended.tried, "LEFT")).toBe(2);
  expect(ended.done[0]).toMatch(/^ordered {2}mint of press /);
  expect(countPayments(ended.done, "recorded")).toBe(14);
  expect(ended.repeated).toEqual([expect.stringMatching(/^blocks \d+ to \d+: (\d+ known)$/)]);
});

test("a retired key's balance is moved only after two people have approved, and only to the address in the settings", () => {
  expect(ended.sweeps.filter(({ moved }) => moved).map(({ asked }) => asked)).toEqual(["by two people"]);
  expect(ended.sweeps.map(({ asked, said }) => [asked, said.replace(/0x[0-9a-f]+/g, "0x…")])).toEqual([
    ["without an approval", "NOT MOVED: 0 of 2 approvers have signed the statement"],
    ["by one person", "NOT MOVED: 1 of 2 approvers have signed the statement"],
    ["by one person, twice", "NOT MOVED: 1 of 2 approvers have signed the statement"],
    ["approved by one operator and a stranger", "NOT MOVED: 1 of 2 approvers have signed the statement"],
    ["to another address", "NOT MOVED: 0 of 2 approvers have signed the statement"],
    [
      "of a key that is in use",
      "NOT MOVED: it is no retired key of this stage: name its number in retiredRelayers",
    ],
    ["with old approvals", "NOT MOVED: the moment until which it may be swept has passed"],
    ["by two people", expect.stringMatching(/^moved 0\.9\d+ ETH to 0x… in 0x…$/)],
    ["again", "NOT MOVED: its ETH does not pay for its own transfer"],
  ]);
});
