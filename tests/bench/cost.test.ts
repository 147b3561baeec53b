import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { sumWithoutTime } from "../../bench/cost/bill.ts";
import { type BilledUsage, makeReadBills, measureBilledUsage } from "../../bench/cost/measure.ts";
import { startBenchService } from "../../bench/cost/service.ts";

/** The cells of the first row in the table of costs, keyed by the titles of their columns. */
function readCostRow(page: string): ReadonlyMap<string, number> {
  const readCells = (pattern: RegExp) =>
    pattern
      .exec(page)?.[1]
      ?.split("|")
      .map((cell) => cell.trim()) ?? [];
  const said = readCells(/^\| everything except time, gas, nodes and Bedrock \|(.+)\|$/m);
  return new Map(
    readCells(/^\| USD for a thousand \|(.+)\|$/m).map((head, column) => [head, Number(said[column])]),
  );
}

const page = readFileSync("docs/operations.md", "utf8");
let measured: BilledUsage;

beforeAll(async () => {
  const service = await startBenchService(2);
  measured = await measureBilledUsage(service, 2).finally(service.stop);
});

test("docs/operations.md states the costs that npm run cost measures for a thousand reads, searches and payments", () => {
  const said = readCostRow(page);
  const bills = makeReadBills(measured);
  expect([...said.keys()]).toEqual([...bills.keys(), "first visits"]);
  for (const [name, bill] of bills) {
    expect([name, sumWithoutTime(bill), isNearlyEqual(sumWithoutTime(bill), said.get(name))]).toEqual([
      name,
      sumWithoutTime(bill),
      true,
    ]);
  }
});

test("docs/operations.md states the gas that npm run cost measures for a payment, a first payment to a payee and a verdict", () => {
  const told =
    /devnet: ([\d,]+) for a leg by Permit2, ([\d,]+) if the payee has no USDG yet, and ([\d,]+) for the first\s+verdict/;
  const said = (told.exec(page) ?? []).slice(1).map((units) => Number(units.replace(",", "")));
  const legs = [...measured.paid.gas.treasury, ...measured.paid.gas.publisher];
  const found = [Math.min(...legs), Math.max(...legs), measured.verdictGas];
  expect([said, found, found.map((units, index) => isNearlyEqual(units, said[index]))]).toEqual([
    said,
    found,
    [true, true, true],
  ]);
});

/**
 * One more field in an answer changes a cost by a few percent, and the document does not have to be updated for such a small difference.
 * The document rounds a cost to a tenth of a cent.
 */
function isNearlyEqual(found: number, said = 0): boolean {
  return Math.abs(found - said) < 0.1 * said + 0.0005;
}
