import { parseArgs } from "node:util";
import { jobs, type Trigger } from "../functions/jobs.ts";
import { routes } from "../functions/routes.ts";
import { settingsOf } from "../infra/stages.ts";
import { buildSite, siteDirectory } from "../local/site.ts";
import {
  edgeBill,
  firstVisit,
  fixedBill,
  gasTable,
  minutesOfMonth,
  originBill,
  scaled,
  siteBill,
  together,
} from "./cost/bill.ts";
import { billTable, each, nothing, plus, type Usages, usageTable } from "./cost/ledger.ts";
import { fillShelf, freeReads, idling, paidReads, publishing } from "./cost/scenario.ts";
import { startMeasured } from "./cost/service.ts";

/**
 * `npm run cost`: what free and paid reads take of everything that is paid for, measured on the local runtime with a
 * stage's number of relayers, and what that is in dollars at AWS's list prices. Prints Markdown tables.
 */
const { values } = parseArgs({
  options: {
    stage: { type: "string", default: "prod" },
    readers: { type: "string", default: "20" },
  },
});
const readers = Number(values.readers);
if (!Number.isSafeInteger(readers) || readers < 1) throw new TypeError("--readers takes a whole number.");

const site = await siteDirectory();
await buildSite(site, AbortSignal.timeout(120_000));
const service = await startMeasured(settingsOf(values.stage).relayers, site);
const runs = 5;
const measured = await (async () => {
  try {
    const { press, used, verdictGas } = await publishing(service);
    await fillShelf(press);
    const free = await freeReads(service, press, readers);
    const paid = await paidReads(service, press, readers);
    return { published: used, verdictGas, free, paid, idle: await idling(service, runs) };
  } finally {
    await service.stop();
  }
})();

const { published, verdictGas, free, paid, idle } = measured;
const thousand = 1_000 / readers;
const visit = firstVisit(site);

console.log(`\n# Measured, for one of ${readers}\n\n## A free read\n\n${usageTable(free, readers)}`);
console.log(`\n## A paid read: both legs and the text\n\n${usageTable(paid.payments, readers)}`);
console.log(`\n## A wallet's one approval through the relay\n\n${usageTable(paid.approvals, readers)}`);
console.log(`\n## A press, from sign-in to the verdict on the chain\n\n${usageTable(published, 1)}`);
console.log(`\n## A run of the clock's jobs with nothing to do\n\n${usageTable(idle, runs)}`);
console.log(`\nA first visit loads ${visit.files} files, ${visit.bytes} bytes compressed.`);

console.log("\n# For a thousand\n");
const ofFree = (share: number) =>
  together(scaled(edgeBill(sum(free)), thousand), scaled(originBill(missed(free, share), true), thousand));
console.log(
  billTable({
    "free reads, 0 % at the edge": ofFree(0),
    "free reads, 90 % at the edge": ofFree(0.9),
    "paid reads": together(
      scaled(edgeBill(sum(paid.payments)), thousand),
      scaled(originBill(paid.payments, true), thousand),
    ),
    "first visits to the site": scaled(siteBill(visit), 1_000),
  }),
);
console.log(`\n# Gas\n\n${gasTable(paid.gas, verdictGas)}`);

console.log(`\n# A month of ${values.stage} in which nobody comes\n`);
const clock = originBill(each(idle, runsOfMonth), false);
console.log(billTable({ month: together(await fixedBill(values.stage), clock) }));

function sum(usages: Usages) {
  return [...usages.values()].reduce(plus, nothing);
}

/** What is left for the functions when the edge answers a share of what it may keep. */
function missed(usages: Usages, share: number): Usages {
  const kept = (id: string) => routes.some((row) => row.id === id && typeof row.cache === "object");
  return each(usages, (id) => (kept(id) ? 1 - share : 1));
}

/** How often the clock starts a job in a month, for each of the runs that were measured. */
function runsOfMonth(id: string): number {
  const trigger: Trigger | undefined = jobs.find((job) => job.id === id)?.trigger;
  if (trigger?.kind !== "schedule") throw new TypeError(`The clock does not start ${id}`);
  return minutesOfMonth / trigger.everyMinutes / runs;
}
