import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { timeless } from "../../bench/cost/bill.ts";
import { billThousands, measureConsumption } from "../../bench/cost/measure.ts";
import { startMeasured } from "../../bench/cost/service.ts";

/** Cells of the first row of costs, by the heads of their columns. */
function saidOf(page: string): ReadonlyMap<string, number> {
  const cells = (pattern: RegExp) =>
    pattern
      .exec(page)?.[1]
      ?.split("|")
      .map((cell) => cell.trim()) ?? [];
  const said = cells(/^\| all but time, gas, nodes and Bedrock \|(.+)\|$/m);
  return new Map(
    cells(/^\| USD for a thousand \|(.+)\|$/m).map((head, column) => [head, Number(said[column])]),
  );
}

test("the document says what a thousand reads, searches and payments cost, as npm run cost measures it", async () => {
  const said = saidOf(readFileSync("docs/operations.md", "utf8"));
  const service = await startMeasured(2);
  const measured = await measureConsumption(service, 1).finally(service.stop);
  const bills = billThousands(measured);
  expect([...said.keys()]).toEqual([...bills.keys(), "first visits"]);
  for (const [name, bill] of bills) {
    const found = timeless(bill);
    const isSaid = Math.abs(found / (said.get(name) ?? 0) - 1) < 0.02;
    expect([name, found, isSaid]).toEqual([name, found, true]);
  }
});
