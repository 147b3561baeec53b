import { parseArgs } from "node:util";
import { findSettings } from "../infra/stages.ts";
import { buildSite, findSiteDirectory } from "../local/site.ts";
import {
  formatGas,
  formatMonth,
  formatReadBills,
  makeSiteBill,
  makeStageBill,
  measureVisit,
  scaleBill,
} from "./cost/bill.ts";
import { formatBills } from "./cost/ledger.ts";
import { makeJobBill, makeReadBills, measureBilledUsage } from "./cost/measure.ts";
import { startBenchService } from "./cost/service.ts";

/**
 * `npm run cost` measures the billed usage of free and paid reads, on the local runtime with a stage's number of relayers. The command
 * computes what the measured usage costs in dollars at AWS's list prices. The command prints one Markdown table. `--l1-gas` sets the gas
 * that L1's price adds to each transaction on the real chain (`gasUsedForL1` in its receipts).
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

const site = await findSiteDirectory();
await buildSite(site, AbortSignal.timeout(120_000));
await using service = await startBenchService(findSettings(values.stage).relayers, site);
const measured = await measureBilledUsage(service, readers);

const visit = measureVisit(site);
const thousands = new Map([
  ...makeReadBills(measured),
  ["first visits", scaleBill(makeSiteBill(visit), 1_000)] as const,
]);
const standing = await makeStageBill(values.stage);
const ofMonth = { "a month": standing, "the clock's jobs": makeJobBill(measured) };
console.log(formatBills({ ...Object.fromEntries(thousands), ...ofMonth }));
console.log(`\nThe columns before the month's are for a thousand. A first visit loads ${visit.files} files.`);
console.log(formatGas(measured.paid.gas, measured.verdictGas, l1Gas));
console.log(
  `\nFor docs/operations.md:\n${formatReadBills([...thousands.values()])}\n${formatMonth(values.stage, standing)}`,
);
