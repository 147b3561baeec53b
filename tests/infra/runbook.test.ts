import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { metrics } from "../../functions/metrics.ts";
import { computeAnchor } from "../boundary/source.ts";
import { synthesize } from "./assembly.ts";
import { makeReader } from "./reading.ts";

/** Every statement that docs/operations.md makes to an infrastructure team must be true. */
const path = "docs/operations.md";
const text = readFileSync(path, "utf8");
const lines = text.split("\n");
const runbook = readPart("## Alarms");
const alarms = makeReader(await synthesize("prod"))
  .ofType("AWS::CloudWatch::Alarm")
  .map(({ resource }) => /#([a-z0-9-]+)$/.exec(String(resource.Properties.AlarmDescription))?.[1] ?? "");

/** The lines from a heading to the next heading of the same level. */
function readPart(heading: string): readonly string[] {
  const from = lines.indexOf(heading);
  if (from < 0) throw new Error(`${path} has no ${heading}`);
  const rank = heading.split(" ")[0];
  const to = lines.findIndex((line, index) => index > from && line.startsWith(`${rank} `));
  return lines.slice(from, to < 0 ? lines.length : to);
}

const headings = lines.filter((line) => /^#{1,4} /.test(line));
const entries = runbook.filter((line) => line.startsWith("### ")).map(computeAnchor);

describe("the runbook explains every alarm", () => {
  test("the runbook has an entry for every alarm, under the anchor that the alarm names", () => {
    expect(alarms.length).toBeGreaterThan(30);
    expect(alarms.filter((alarm) => !entries.includes(alarm))).toEqual([]);
  });

  test("every entry of the runbook belongs to an alarm, except three entries about reports from outside CloudWatch: the budget, the use of keys, and failed copies of the table", () => {
    expect(entries.filter((entry) => !alarms.includes(entry))).toEqual([
      "key-use",
      "backup-failed",
      "budget",
    ]);
  });

  test("each entry of the runbook says what to check, what to do, and when the problem is over", () => {
    for (const heading of runbook.filter((line) => line.startsWith("### "))) {
      const entry = readPart(heading).filter((line) => line !== "");
      const said = ["**Look**", "**Do**", "**Over**"].map((word) => entry.join("\n").includes(word));
      expect([heading, ...said]).toEqual([heading, true, true, true]);
    }
  });

  test("every metric that the runbook names is measured", () => {
    const named = [...text.matchAll(/`PressMarket\/(\w+)`/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in metrics))).toEqual([]);
  });
});

test("no two headings of docs/operations.md share an anchor", () => {
  const anchors = headings.map(computeAnchor);
  expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
});
