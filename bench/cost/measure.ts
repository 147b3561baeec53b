import { setTimeout as delay } from "node:timers/promises";
import type { LocalAccount } from "viem";
import * as z from "zod";
import { mainnet } from "../../core/chain/deployment.ts";
import { type Job, jobs, type Trigger } from "../../functions/jobs.ts";
import { routes } from "../../functions/routes.ts";
import {
  approvePermit2,
  makePayingFetch,
  makeRelayClient,
  makeWallet,
  type PublishedPress,
  playPublisher,
} from "../../local/demo/index.ts";
import { importHandler, invoke } from "../../local/lambda.ts";
import { makeChainClient, readCookies } from "../../local/seed/client.ts";
import { copyPress, silent } from "../speed/pages.ts";
import { readGas } from "../speed/payers.ts";
import { addBills, type Bill, makeEdgeBill, makeOriginBill, minutesOfMonth, scaleBill } from "./bill.ts";
import { addUsage, nothing, scaleUsages, type Usages } from "./ledger.ts";
import type { BenchService } from "./service.ts";

const signal = new AbortController().signal;
const purse = 5_000_000n;
const patience = 15_000;
/** The maximum number of presses that one answer of the list contains (specification §8). */
const listed = 200;
/** The number of measured runs of each scheduled job. */
const idleRuns = 5;

/** The billed usage that readers and the scheduled jobs cause. */
export type BilledUsage = {
  readonly readers: number;
  /** Gas units of the transaction that posts the auditor's verdict. */
  readonly verdictGas: number;
  readonly free: Usages;
  readonly searched: Usages;
  readonly paid: MeasuredPurchases;
  readonly idle: Usages;
};

/** Publishes a press, lets `readers` readers find the press in the list, search for it and buy it, and runs the scheduled jobs. */
export async function measureBilledUsage(service: BenchService, readers: number): Promise<BilledUsage> {
  const site = { origin: service.origin, signal };
  const press = await playPublisher(site, makeRelayClient(service.origin), silent);
  const verdictGas = await readGas(service.rpcUrl, await awaitVerdict(service, press));
  await copyPress(press, 1, listed);
  const free = await measureFreeReads(service, press, readers);
  const searched = await measureSearches(service, readers);
  const paid = await measurePaidReads(service, press, readers);
  const idle = await measureIdleJobs(service, idleRuns);
  return { readers, verdictGas, free, searched, paid, idle };
}

/**
 * The bills for a thousand reads of each kind. The bills are the columns of the first cost table in docs/operations.md, except the column
 * for visits of the site.
 */
export function makeReadBills({ readers, free, searched, paid }: BilledUsage): ReadonlyMap<string, Bill> {
  const makeReadBill = (used: Usages, share = 0) => {
    const bill = addBills(
      makeEdgeBill(addUsages(used)),
      makeOriginBill(computeEdgeMisses(used, share), true),
    );
    return scaleBill(bill, 1_000 / readers);
  };
  return new Map([
    ["free reads", makeReadBill(free)],
    ["free reads, 90 % from the edge", makeReadBill(free, 0.9)],
    ["searches", makeReadBill(searched)],
    ["paid reads", makeReadBill(paid.payments)],
  ]);
}

/** The bill of the scheduled jobs for a month in which they find nothing to do. */
export function makeJobBill({ idle }: Pick<BilledUsage, "idle">): Bill {
  return makeOriginBill(scaleUsages(idle, computeRunFactor), false);
}

function addUsages(usages: Usages) {
  return [...usages.values()].reduce(addUsage, nothing);
}

/** The calls that reach the functions when the edge answers the given share of the cacheable calls. */
function computeEdgeMisses(usages: Usages, cachedShare: number): Usages {
  const isCacheable = (id: string) => routes.some((row) => row.id === id && typeof row.cache === "object");
  return scaleUsages(usages, (id) => (isCacheable(id) ? 1 - cachedShare : 1));
}

/** The number of runs of a scheduled job in a month, divided by the number of measured runs. */
function computeRunFactor(id: string): number {
  const trigger: Trigger | undefined = jobs.find((job) => job.id === id)?.trigger;
  if (trigger?.kind !== "schedule") throw new TypeError(`The schedule does not start ${id}`);
  return minutesOfMonth / trigger.everyMinutes / idleRuns;
}

const Detail = z.object({ press: z.object({ auditTx: z.string().nullable() }) });

/** Waits for the workers' last step: the transaction of the verdict. */
async function awaitVerdict({ origin }: BenchService, { slug }: PublishedPress): Promise<string> {
  for (const end = Date.now() + patience; Date.now() < end; await delay(200)) {
    const answer = await fetch(`${origin}/api/presses/${slug}`);
    const { auditTx } = Detail.parse(await answer.json()).press;
    if (auditTx !== null) return auditTx;
  }
  throw new Error("The auditor's verdict did not arrive.");
}

/** Lets `readers` readers open the list of presses, open one press and read its preview, while the edge has no cached answers. */
function measureFreeReads(service: BenchService, { slug }: PublishedPress, readers: number): Promise<Usages> {
  return service.ledger.measureUsage(async () => {
    for (let reader = 0; reader < readers; reader += 1) {
      for (const path of ["/api/presses", `/api/presses/${slug}`, "/api/stocks", "/api/me"]) {
        await visitPath(service, path);
      }
    }
  });
}

/**
 * Makes `count` searches, each for different words. The scheduled job has already prepared the index, and the function has already loaded
 * the index.
 */
async function measureSearches(service: BenchService, count: number): Promise<Usages> {
  const prepare = jobs.find(({ id }) => id === "search-prepare");
  if (prepare === undefined) throw new TypeError("No job prepares the index");
  await invoke(prepare, importHandler, "prepare", {});
  const search = (one: number) =>
    visitPath(service, `/api/search?q=${["apple", "earnings", "aapl", "guidance"][one % 4]}+${one}`);
  await search(count);
  return service.ledger.measureUsage(async () => {
    for (let one = 0; one < count; one += 1) await search(one);
  });
}

type MeasuredPurchases = {
  /** The usage of the official client's two payments, and of one read of the press with the session that these payments opened. */
  readonly payments: Usages;
  /** The gas units of each settlement, for the fee and for the publisher's part. */
  readonly gas: Readonly<Record<"treasury" | "publisher", readonly number[]>>;
};

/** New wallets buy the press one after the other. */
async function measurePaidReads(
  service: BenchService,
  press: PublishedPress,
  readers: number,
): Promise<MeasuredPurchases> {
  // The wallets are not funded through the RPC relay, which would refuse so many calls from one address.
  const client = makeChainClient(service.rpcUrl).extend(() => ({ place: mainnet }));
  const accounts: LocalAccount[] = [];
  for (let reader = 0; reader < readers; reader += 1) {
    const account = await makeWallet(client, purse);
    await approvePermit2(client, account);
    accounts.push(account);
  }
  const paid: { readonly treasury: string; readonly publisher: string }[] = [];
  const payments = await service.ledger.measureUsage(async () => {
    for (const account of accounts) {
      const fee = await payLeg(service, account, press, "treasury");
      const { tx, cookie } = await payLeg(service, account, press, "publisher");
      paid.push({ treasury: fee.tx, publisher: tx });
      await visitPath(service, `/api/presses/${press.slug}`, cookie);
    }
  });
  const gas = {
    treasury: await Promise.all(paid.map(({ treasury }) => readGas(service.rpcUrl, treasury))),
    publisher: await Promise.all(paid.map(({ publisher }) => readGas(service.rpcUrl, publisher))),
  };
  return { payments, gas };
}

const Paid = z.object({ tx: z.string() });

/** Sends both requests of the official client: the first request gets the payment terms, the second request pays. */
async function payLeg(
  service: BenchService,
  account: LocalAccount,
  { pressId }: PublishedPress,
  leg: "treasury" | "publisher",
) {
  const measureFetch: typeof fetch = (input, init) =>
    measureCall(service, `pay-${leg}`, () => fetch(input, init));
  const answer = await makePayingFetch(
    account,
    mainnet,
    measureFetch,
  )(`${service.origin}/api/pay/${leg}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pressId }),
  });
  if (answer.status !== 200)
    throw new Error(`The service answered the ${leg} leg with ${answer.status}: ${await answer.text()}`);
  return { ...Paid.parse(await answer.json()), cookie: readCookies(answer) };
}

async function visitPath(service: BenchService, path: string, cookie?: string): Promise<void> {
  const row = routes.find(
    (one) =>
      one.method === "GET" &&
      new RegExp(`^${one.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path.split("?")[0] ?? ""),
  );
  const answer = await measureCall(service, row?.id ?? path, () =>
    fetch(service.origin + path, { headers: cookie === undefined ? {} : { cookie } }),
  );
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
}

/** Measures a call as the caller sees it: the time that the call takes, and the size of the answer. */
async function measureCall(
  service: BenchService,
  id: string,
  sendRequest: () => Promise<Response>,
): Promise<Response> {
  const began = performance.now();
  const answer = await sendRequest();
  const body = await answer.clone().arrayBuffer();
  const headers = [...answer.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  service.ledger.add(id, {
    calls: 1,
    milliseconds: performance.now() - began,
    responseBytes: body.byteLength + headers,
  });
  return answer;
}

/** Runs each scheduled job `runs` times; the job finds no work in these runs. */
function measureIdleJobs(service: BenchService, runs: number): Promise<Usages> {
  const clocked: readonly Job[] = jobs.filter(({ trigger }) => trigger.kind === "schedule");
  return service.ledger.measureUsage(async () => {
    for (const job of clocked) {
      for (let run = 0; run < runs; run += 1) {
        const began = performance.now();
        await invoke(job, importHandler, `run-${run}`, {});
        service.ledger.add(job.id, { calls: 1, milliseconds: performance.now() - began });
      }
    }
  });
}
