import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeRelayClient, type PublishedPress, playPublisher } from "../local/demo/index.ts";
import { getPlatformAccount, platformIndexes } from "../local/devnet/accounts.ts";
import { makePartStarter } from "../local/stand-in.ts";
import { startTestDevnet } from "../tests/support/devnet.ts";
import { formatTable } from "./cost/ledger.ts";
import { type Child, startChild } from "./speed/child.ts";
import { measurePages, silent } from "./speed/pages.ts";
import {
  type CountingNode,
  computeMedian,
  fetchTerms,
  fund,
  makePayers,
  type PayMethod,
  type PaymentOutcome,
  type PaymentTarget,
  readGas,
  sendPayment,
  signAll,
  startCountingNode,
} from "./speed/payers.ts";

/**
 * `npm run bench` compares this service with the tuned official server on one chain with 100 ms blocks: for single payments, and for groups
 * of payers that pay at the same time. After the payments, the benchmark measures the requests of readers and publishers twice: with few
 * live presses, and with a hundred times as many. All measured requests go over HTTP. The bench prints one table. `--keys 1,8` chooses the
 * numbers of keys; `--long` measures both servers five times in alternating order, and shows medians with the lowest and the highest value.
 */
const { values } = parseArgs({
  options: { keys: { type: "string", default: "1,8" }, long: { type: "boolean", default: false } },
});
const keyCounts = values.keys.split(",").map(Number);
if (!keyCounts.every((keys) => Number.isSafeInteger(keys) && keys >= 1))
  throw new TypeError("--keys takes numbers.");
const methods: readonly PayMethod[] = ["permit2", "eip3009"];
const legsAlone = 24;
/**
 * For each payment method, the sizes of the unmeasured groups of payers that warm up a server. Without the unmeasured groups, the measured
 * values would include the compilation of the server's code and the server's first connections. Without these groups, the payment method
 * that is measured first would look slower.
 */
const warming = [200, 200];
/**
 * The sizes of the groups of payers, and how many groups of each size are measured for one value. A group of fifty payers is served within
 * half a second, so the measurement of only one such group would be too short.
 */
const crowds = [
  { payers: 50, times: 5 },
  { payers: 200, times: 1 },
];
const runs = values.long ? 5 : 1;
/**
 * Milliseconds from the answer to a payment until the next payment is sent, if payments are sent one at a time. During this pause, the
 * server finishes the work that it does for a payment after the payment's block.
 */
const apart = 20;

/** A measured server, and the proxy through which it reaches the node. */
type MeasuredServer = {
  readonly name: "ours" | "official";
  readonly keys: number;
  readonly child: Child;
  readonly node: CountingNode;
  /** The URLs that take payments by a method, and the bodies of the requests; if there are two URLs, the URL for the fee comes first. */
  readonly listTills: (method: PayMethod) => readonly PaymentTarget[];
  readonly stop: () => Promise<void>;
};

type BenchSetup = { readonly rpcUrl: string; readonly database: string };

/** The limit for a measured value, computed from the value of the other server. */
type ValueLimit = {
  readonly kind: "at most" | "at least";
  readonly of: (other: number) => number;
};

/** The measured values of each run. */
type SpeedRow = { readonly ours: number[]; readonly other: number[]; bar?: ValueLimit | undefined };

const began = performance.now();
const rows = new Map<string, SpeedRow>();
for (let run = 0; run < runs; run += 1) {
  const servers = run % 2 === 0 ? [runOfficialServer, runOurServer] : [runOurServer, runOfficialServer];
  for (const keys of keyCounts) {
    for (const start of servers) await measureServer(start, keys);
  }
}
for (const { what, few, many, most } of await measurePages()) {
  recordValue(what, "other", few);
  recordValue(what, "ours", many, { kind: "at most", of: (other) => most * other });
}
console.log(formatTable(["measured", "ours", "compared with", "must be", ""], [...rows].map(listCells)));
const load = loadavg().map((value) => value.toFixed(1));
console.log(`\nOn ${availableParallelism()} cores, load averages of 1, 5 and 15 minutes ${load.join(", ")}.`);
console.log(`Took ${((performance.now() - began) / 1000).toFixed(0)} s.`);

/** Measures one server on a chain and a table of its own, because a chain and a table become slower with each stored payment. */
async function measureServer(start: typeof runOurServer, keys: number): Promise<void> {
  await using parts = makePartStarter();
  const { rpcUrl } = await parts.start("chain", () => startTestDevnet({ blockTime: 100 }));
  const database = await parts.start("database", () => startChild("database.ts", {}));
  const setup: BenchSetup = { rpcUrl, database: database.endpoint };
  const wallets = Array.from({ length: 20 + keys }, (_, index) => getPlatformAccount(index).address);
  await fund(rpcUrl, wallets);
  const press = await publishPress(setup);
  const server = await parts.start("server", () => start(setup, keys, press));
  for (const payers of warming) {
    for (const method of methods) await payConcurrently(setup, server, method, payers);
  }
  for (const method of methods) await measure(setup, server, method);
}

/** Adds a measured value to the table of results, and reports the value on stderr. */
function recordValue(label: string, column: "ours" | "other", value: number, bar?: ValueLimit): void {
  const row = rows.get(label) ?? { ours: [], other: [] };
  row[column].push(value);
  row.bar ??= bar;
  rows.set(label, row);
  console.error(
    `${((performance.now() - began) / 1000).toFixed(1)} s: ${label}, ${column}: ${formatValue(value)}`,
  );
}

function listCells([what, { ours, other, bar }]: readonly [string, SpeedRow]): readonly string[] {
  const limit = bar?.of(computeMedian(other));
  const cells = [
    what,
    formatSpread(ours),
    formatSpread(other),
    limit === undefined ? "" : `${bar?.kind} ${formatValue(limit)}`,
  ];
  if (ours.length === 0 || limit === undefined) return [...cells, ""];
  const isKept = bar?.kind === "at most" ? computeMedian(ours) <= limit : computeMedian(ours) >= limit;
  return [...cells, isKept ? "kept" : "MISSED"];
}

/** Formats the median of the runs, with the lowest and the highest value. */
function formatSpread(found: readonly number[]): string {
  if (found.length === 0) return "";
  const median = formatValue(computeMedian(found));
  return found.length === 1
    ? median
    : `${median} (${formatValue(Math.min(...found))}–${formatValue(Math.max(...found))})`;
}

function formatValue(value: number): string {
  return value < 100 ? String(Math.round(value * 10) / 10) : value.toFixed(0);
}

async function measure(setup: BenchSetup, server: MeasuredServer, method: PayMethod): Promise<void> {
  const column = server.name === "ours" ? "ours" : "other";
  const makeShareLimit = (share: number): ValueLimit => ({ kind: "at most", of: (other) => share * other });
  await paySequentially(setup, server, method, 3);
  if (server.keys === Math.max(...keyCounts)) {
    for (const delay of [0, 25]) {
      server.node.delay = delay;
      const { ms, trips, gas } = await paySequentially(setup, server, method, legsAlone);
      const leg = `a single leg by ${method}`;
      recordValue(
        `ms for ${leg}, node delay: ${delay} ms`,
        column,
        ms,
        makeShareLimit(delay === 0 ? 1 : 0.6),
      );
      recordValue(`round trips for ${leg}, node delay: ${delay} ms`, column, trips, {
        kind: "at most",
        of: () => 2,
      });
      recordValue(`gas of ${leg}`, column, gas);
    }
    server.node.delay = 0;
  }
  for (const { payers, times } of crowds) {
    const crowd = `${payers} payers pay at once by ${method} (keys: ${server.keys})`;
    const paid = [];
    for (let time = 0; time < times; time += 1)
      paid.push(await payConcurrently(setup, server, method, payers));
    const perSecond = computeMedian(paid.map((once) => once.perSecond));
    recordValue(`legs a second when ${crowd}`, column, perSecond, {
      kind: "at least",
      of: (other) => 0.95 * other,
    });
    const cpu = computeMedian(paid.map((once) => once.cpu));
    if (payers === 200) recordValue(`CPU ms per leg when ${crowd}`, column, cpu, makeShareLimit(1.2));
    const served = Math.min(...paid.map((once) => once.served));
    recordValue(`paid legs when ${crowd}`, column, served, { kind: "at least", of: () => payers });
    const transactions = computeMedian(paid.map((once) => once.transactions));
    const batched: ValueLimit | undefined =
      payers === 200 && server.keys === 1 ? { kind: "at most", of: () => 15 } : undefined;
    recordValue(`transactions when ${crowd}`, column, transactions, batched);
  }
}

/** Makes payments one after the other. The returned values are medians; `trips` counts HTTP requests to the node. */
async function paySequentially(
  { rpcUrl }: BenchSetup,
  server: MeasuredServer,
  method: PayMethod,
  legs: number,
) {
  const tills = server.listTills(method);
  const payers = await makePayers(rpcUrl, Math.ceil(legs / tills.length));
  const outcomes: PaymentOutcome[] = [];
  const trips: number[] = [];
  for (const till of tills) {
    for (const payment of await signAll(till, await fetchTerms(till, method), payers)) {
      const before = server.node.trips;
      outcomes.push(await sendPayment(payment));
      trips.push(server.node.trips - before);
      await sleep(apart);
    }
  }
  const refused = outcomes.find(({ refusal }) => refusal !== undefined);
  if (refused !== undefined) throw new Error(`${server.name} did not serve a leg alone: ${refused.refusal}`);
  const gas = await Promise.all(outcomes.map(({ txHash = "" }) => readGas(rpcUrl, txHash)));
  return {
    ms: computeMedian(outcomes.map(({ milliseconds }) => milliseconds)),
    trips: computeMedian(trips),
    gas: computeMedian(gas),
  };
}

/** Sends the first payments of many wallets at the same time. Each wallet sends its payment only once, even if the payment fails. */
async function payConcurrently(
  { rpcUrl }: BenchSetup,
  server: MeasuredServer,
  method: PayMethod,
  payers: number,
) {
  const [till] = server.listTills(method);
  if (till === undefined) throw new TypeError(`${server.name} has no till.`);
  const payments = await signAll(till, await fetchTerms(till, method), await makePayers(rpcUrl, payers));
  const [started, before] = [performance.now(), await server.child.readCpuTime()];
  const outcomes = await Promise.all(payments.map(sendPayment));
  const seconds = (performance.now() - started) / 1000;
  const used = (await server.child.readCpuTime()) - before;
  for (const refusal of new Set(outcomes.flatMap(({ refusal }) => refusal ?? []))) {
    console.error(`${server.name} refused: ${refusal}`);
  }
  const hashes = outcomes.flatMap(({ txHash }) => txHash ?? []);
  return {
    served: hashes.length,
    perSecond: hashes.length / seconds,
    cpu: used / Math.max(1, hashes.length),
    transactions: new Set(hashes).size,
  };
}

/**
 * Starts a service, publishes a press through this service, and stops the service. The press stays in the table and on the chain, so
 * services that start later can sell it.
 */
async function publishPress({ rpcUrl, database }: BenchSetup): Promise<PublishedPress> {
  const service = await startChild("ours.ts", { rpcUrl, database, keys: 1 });
  try {
    const site = { origin: service.endpoint, signal: AbortSignal.timeout(60_000) };
    return await playPublisher(site, makeRelayClient(service.endpoint), silent);
  } finally {
    await service.stop();
  }
}

async function runOurServer(
  { rpcUrl, database }: BenchSetup,
  keys: number,
  { pressId }: PublishedPress,
): Promise<MeasuredServer> {
  const node = await startCountingNode(rpcUrl);
  const child = await startChild("ours.ts", { rpcUrl: node.endpoint, database, keys });
  const body = JSON.stringify({ pressId });
  const query = { permit2: "", eip3009: "?method=eip3009" } as const;
  const listTills = (method: PayMethod) =>
    ["treasury", "publisher"].map((leg) => ({
      url: `${child.endpoint}/api/pay/${leg}${query[method]}`,
      body,
    }));
  return { name: "ours", keys, child, node, listTills, stop: () => stopServer(child, node) };
}

/**
 * Measures the official server with the fee that the service charges for a press of 0.25 USDG, and with as many keys as the service has.
 */
async function runOfficialServer({ rpcUrl }: BenchSetup, keys: number): Promise<MeasuredServer> {
  const node = await startCountingNode(rpcUrl);
  const payTo = getPlatformAccount(platformIndexes.treasury).address;
  const child = await startChild("official.ts", { rpcUrl: node.endpoint, keys, payTo, amount: "25000" });
  const listTills = (method: PayMethod) => [{ url: `${child.endpoint}/${method}`, body: "{}" }];
  return { name: "official", keys, child, node, listTills, stop: () => stopServer(child, node) };
}

async function stopServer(child: Child, node: CountingNode): Promise<void> {
  await child.stop();
  await node.stop();
}
