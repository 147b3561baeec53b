import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatMonth, makeTemplateBill, prices } from "../../bench/cost/bill.ts";
import { synthesize } from "./assembly.ts";

const page = readFileSync("docs/operations.md", "utf8");
const rows = page
  .split("\n")
  .filter((line) => /^\| (?:a personal stage|dev|staging|prod) \|.*\*\*\d+\*\* \|$/.test(line));

test.each([
  ["a personal stage", "jane"],
  ["dev", "dev"],
  ["staging", "staging"],
  ["prod", "prod"],
])(
  "the cost document states the monthly cost of %s without visitors, as computed from the stage's templates",
  async (name, stage) => {
    const templates = [...(await synthesize(stage)).values()];
    expect(rows).toContain(
      formatMonth(stage, makeTemplateBill(stage, templates)).replace(`| ${stage} |`, `| ${name} |`),
    );
  },
);

test("the cost document names the prices of keys, signatures and secrets that its tables use", () => {
  const signatures = (prices.signatures / 100).toFixed(2);
  for (const said of [
    `a key in KMS costs $${prices.key} a month`,
    `10,000 signatures cost $${signatures}`,
    `This key costs ${prices.key} USD a month and ${signatures} USD for 10,000 signatures`,
    `A secret costs $${prices.secret.toFixed(2)} a month`,
  ])
    expect(page.replace(/\s+/g, " ")).toContain(said);
});
