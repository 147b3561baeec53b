import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { monthRow, templatesBill } from "../../bench/cost/bill.ts";
import { synthesize } from "./assembly.ts";

const rows = readFileSync("docs/operations.md", "utf8")
  .split("\n")
  .filter((line) => /^\| (?:a personal stage|dev|staging|prod) \|.*\*\*\d+\*\* \|$/.test(line));

test.each([
  ["a personal stage", "jane"],
  ["dev", "dev"],
  ["staging", "staging"],
  ["prod", "prod"],
])(
  "the document says what %s costs in a month in which nobody comes, as its templates make it",
  async (name, stage) => {
    const templates = [...(await synthesize(stage)).values()];
    expect(rows).toContain(
      monthRow(stage, templatesBill(stage, templates)).replace(`| ${stage} |`, `| ${name} |`),
    );
  },
);
