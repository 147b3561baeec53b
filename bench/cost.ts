import { parseArgs } from "node:util";
import { settingsOf } from "../infra/stages.ts";
import { buildSite, siteDirectory } from "../local/site.ts";
import { firstVisit, fixedBill, gasTable, monthRow, scaleBill, siteBill, thousandRows } from "./cost/bill.ts";
import { billTable, usageTable } from "./cost/ledger.ts";
import { billClock, billThousands, idleRuns, measureConsumption } from "./cost/measure.ts";
import { startMeasured } from "./cost/service.ts";

/**
 * `npm run cost` measures everything that free and paid reads are billed for, on the local runtime with a
 * stage's number of relayers, and prices it at AWS's list prices in dollars. Prints Markdown tables.
 * `--l1-gas` takes the gas that L1's price adds to each transaction on the real chain (`gasUsedForL1` in its
 * receipts).
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

const { published, verdictGas, free, searched, paid, idle } = measured;
const visit = firstVisit(site);

console.log(`\n# Measured, for one of ${readers}\n\n## A free read\n\n${usageTable(free, readers)}`);
console.log(`\n## A search\n\n${usageTable(searched, readers)}`);
console.log(`\n## A paid read: both legs and the text\n\n${usageTable(paid.payments, readers)}`);
console.log(`\n## A wallet's one approval through the RPC relay\n\n${usageTable(paid.approvals, readers)}`);
console.log(`\n## A press, from sign-in to the verdict on the chain\n\n${usageTable(published, 1)}`);
console.log(`\n## A run of the scheduled jobs with nothing to do\n\n${usageTable(idle, idleRuns)}`);
console.log(`\nA first visit loads ${visit.files} files, ${visit.bytes} bytes compressed.`);

const thousands = new Map([
  ...billThousands(measured),
  ["first visits", scaleBill(siteBill(visit), 1_000)] as const,
]);
console.log(`\n# For a thousand\n\n${billTable(Object.fromEntries(thousands))}`);
console.log(`\n# Gas\n\n${gasTable(paid.gas, verdictGas, l1Gas)}`);

console.log(`\n# A month of ${values.stage} without visitors\n`);
const standing = await fixedBill(values.stage);
console.log(billTable({ "what stands": standing, "the clock's jobs": billClock(measured) }));
console.log(
  `\nFor docs/operations.md:\n${thousandRows([...thousands.values()])}\n${monthRow(values.stage, standing)}`,
);
