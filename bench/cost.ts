import { parseArgs } from "node:util";
import { settingsOf } from "../infra/stages.ts";
import { buildSite, siteDirectory } from "../local/site.ts";
import { firstVisit, fixedBill, gasLine, monthRow, scaleBill, siteBill, thousandRows } from "./cost/bill.ts";
import { billTable } from "./cost/ledger.ts";
import { billClock, billThousands, measureConsumption } from "./cost/measure.ts";
import { startMeasured } from "./cost/service.ts";

/**
 * `npm run cost` measures the billed usage of free and paid reads, on the local runtime with a stage's number of relayers, and computes its
 * cost in dollars at AWS's list prices. The command prints one Markdown table. `--l1-gas` sets the gas that L1's price adds to each
 * transaction on the real chain (`gasUsedForL1` in its receipts).
 */
const { values } = parseArgs({
  options: {
    stage: { type: "string", default: "prod" },
    readers: { type: "string", default: "20" },
    "l1-gas": { type: "string", default: "0" },
  },
});
const readers = Number(values.readers);
if (!Number.isSafeInteger(readers) || readers < 1) throw new TypeError("--readers takes a whole number.");
const l1Gas = Number(values["l1-gas"]);
if (!Number.isSafeInteger(l1Gas) || l1Gas < 0)
  throw new TypeError("--l1-gas takes a whole number of gas units.");

const site = await siteDirectory();
await buildSite(site, AbortSignal.timeout(120_000));
const service = await startMeasured(settingsOf(values.stage).relayers, site);
const measured = await (async () => {
  try {
    return await measureConsumption(service, readers);
  } finally {
    await service.stop();
  }
})();

const visit = firstVisit(site);
const thousands = new Map([
  ...billThousands(measured),
  ["first visits", scaleBill(siteBill(visit), 1_000)] as const,
]);
const standing = await fixedBill(values.stage);
const ofMonth = { "a month": standing, "the clock's jobs": billClock(measured) };
console.log(billTable({ ...Object.fromEntries(thousands), ...ofMonth }));
console.log(`\nThe columns before the month's are for a thousand. A first visit loads ${visit.files} files.`);
console.log(gasLine(measured.paid.gas, measured.verdictGas, l1Gas));
console.log(
  `\nFor docs/operations.md:\n${thousandRows([...thousands.values()])}\n${monthRow(values.stage, standing)}`,
);
