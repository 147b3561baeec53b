import { setTimeout as sleep } from "node:timers/promises";
import { table } from "../cost/ledger.ts";
import type { Child } from "./child.ts";
import {
  type CountingNode,
  gasOf,
  type Method,
  newPayers,
  type Outcome,
  type Shelf,
  send,
  signAll,
  type Till,
  termsOf,
} from "./payers.ts";

/** A measured server, with the node as the server sees it. */
export type Server = {
  readonly name: "ours" | "official";
  readonly keys: number;
  readonly child: Child;
  readonly node: CountingNode;
  /** The tills of a method, the fee first if there are two. */
  readonly tills: (method: Method) => readonly Till[];
};

export type Setup = { readonly rpcUrl: string; readonly database: Child };

/** Payments that are sent one after the other. */
export type Alone = {
  readonly server: Server["name"];
  readonly method: Method;
  /** Milliseconds of a round trip to the node. */
  readonly delay: number;
  readonly legs: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p99: number;
  /**
   * The median number of HTTP requests to the node for one leg. Jobs that run every minute add to some legs.
   */
  readonly trips: number;
  readonly gas: number;
};

/** Payments that are sent at once. */
export type Crowd = {
  readonly server: Server["name"];
  readonly method: Method;
  readonly keys: number;
  readonly payers: number;
  readonly served: number;
  /** Served legs a second, from the first request to the last answer. */
  readonly perSecond: number;
  readonly transactions: number;
  /** Gas units of a leg, by the number of legs in its transaction. */
  readonly gas: ReadonlyMap<number, number>;
  /** CPU milliseconds of the server and of the table's stand-in for each served leg. */
  readonly cpu: number;
  readonly tableCpu: number;
  /** The refusals of legs that were not served, and how often each came. */
  readonly refusals: ReadonlyMap<string, number>;
};

/** Milliseconds between two payments that are sent alone, so that the work after a block has ended. */
const apart = 20;

/** Pays legs one after the other. Returns `undefined` if the server does not offer the method. */
export async function measureAlone(
  { rpcUrl }: Setup,
  server: Server,
  method: Method,
  { legs, delay }: { readonly legs: number; readonly delay: number },
): Promise<Alone | undefined> {
  const tills = server.tills(method);
  const payers = await newPayers(rpcUrl, Math.ceil(legs / tills.length));
  server.node.delay = delay;
  const outcomes: Outcome[] = [];
  const trips: number[] = [];
  for (const till of tills) {
    const terms = await termsOf(till, method);
    if (terms === undefined) return undefined;
    const orders = await signAll(till, terms, payers);
    for (const order of orders) {
      const before = server.node.trips;
      outcomes.push(await send(order));
      trips.push(server.node.trips - before);
      await sleep(apart);
    }
  }
  server.node.delay = 0;
  const refused = outcomes.find(({ refusal }) => refusal !== undefined);
  if (refused !== undefined)
    throw new Error(`${server.name} did not serve a leg alone: ${refused.status} ${refused.refusal}`);
  const times = sortNumbers(outcomes.map(({ milliseconds }) => milliseconds));
  const gas = await Promise.all(outcomes.map(({ txHash = "" }) => gasOf(rpcUrl, txHash)));
  return {
    server: server.name,
    method,
    delay,
    legs: outcomes.length,
    median: at(times, 0.5),
    p99: at(times, 0.99),
    trips: at(sortNumbers(trips), 0.5),
    gas: at(sortNumbers(gas), 0.5),
  };
}

/**
 * Pays the first leg of many wallets at once. Returns `undefined` if the server does not offer the method.
 */
export async function measureCrowd(
  { rpcUrl, database }: Setup,
  server: Server,
  method: Method,
  payers: number,
): Promise<Crowd | undefined> {
  const [till] = server.tills(method);
  const terms = till && (await termsOf(till, method));
  if (till === undefined || terms === undefined) return undefined;
  const orders = await signAll(till, terms, await newPayers(rpcUrl, payers));
  const [cpu, tableCpu] = [await server.child.cpu(), await database.cpu()];
  const began = performance.now();
  const outcomes = await Promise.all(orders.map(send));
  const seconds = (performance.now() - began) / 1000;
  const [used, usedByTable] = [(await server.child.cpu()) - cpu, (await database.cpu()) - tableCpu];
  const hashes = outcomes.flatMap(({ txHash }) => txHash ?? []);
  const served = hashes.length;
  return {
    server: server.name,
    method,
    keys: server.keys,
    payers,
    served,
    perSecond: served / seconds,
    transactions: new Set(hashes).size,
    gas: await gasBySize(rpcUrl, hashes),
    cpu: used / Math.max(1, served),
    tableCpu: usedByTable / Math.max(1, served),
    refusals: countEach(
      outcomes.flatMap(({ status, refusal }) => (refusal === undefined ? [] : `${status} ${refusal}`)),
    ),
  };
}

/** The median gas of a leg, by the number of legs in its transaction. */
async function gasBySize(rpcUrl: string, hashes: readonly string[]): Promise<ReadonlyMap<number, number>> {
  const bySize = new Map<number, number[]>();
  for (const [hash, legs] of countEach(hashes)) {
    bySize.set(legs, [...(bySize.get(legs) ?? []), (await gasOf(rpcUrl, hash)) / legs]);
  }
  return new Map([...bySize].map(([legs, gas]) => [legs, at(sortNumbers(gas), 0.5)]));
}

function countEach(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

export function sortNumbers(values: readonly number[]): readonly number[] {
  return [...values].sort((one, other) => one - other);
}

/** The quantile of sorted values at a share from 0 to 1. */
export function at(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}

/** The payments' tables: one after the other, at once, and the gas and CPU of a leg. */
export function payTables(alone: readonly Alone[], crowds: readonly Crowd[]): string {
  const lone = alone.map((row) => [
    row.server,
    row.method,
    `${row.delay}`,
    whole(row.median),
    whole(row.p99),
    row.trips.toFixed(1),
    whole(row.gas),
  ]);
  const crowd = crowds.map((row) => [
    row.server,
    row.method,
    `${row.keys}`,
    `${row.payers}`,
    `${row.served}`,
    row.perSecond.toFixed(0),
    perTransaction(row).toFixed(1),
    `${row.transactions}`,
    row.served === 0 ? "" : row.cpu.toFixed(1),
    row.served === 0 || row.server === "official" ? "" : row.tableCpu.toFixed(1),
  ]);
  const refusals = crowds
    .filter(({ refusals: { size } }) => size > 0)
    .map(
      (row) =>
        `- ${row.server}, ${row.method}, ${row.keys} keys, ${row.payers} payers: ${formatCounts(row.refusals)}`,
    );
  return [
    "## A leg alone\n",
    table(["server", "method", "ms to node", "median ms", "p99 ms", "trips", "gas"], lone),
    "\n## Many at once\n",
    table(
      ["server", "method", "keys", "payers", "served", "legs/s", "legs/tx", "txs", "CPU ms", "table CPU ms"],
      crowd,
    ),
    ...(refusals.length === 0 ? [] : [`\nNot served at the first request:\n\n${refusals.join("\n")}`]),
    "\n## Gas a leg\n",
    table(["server", "method", "legs in a transaction", "gas a leg"], gasRows(alone, crowds)),
  ].join("\n");
}

function gasRows(alone: readonly Alone[], crowds: readonly Crowd[]): readonly (readonly string[])[] {
  const rows = new Map<string, number[]>();
  const add = (server: string, method: Method, legs: number, gas: number) => {
    const key = [server, method, sizeName(legs)].join(" ");
    rows.set(key, [...(rows.get(key) ?? []), gas]);
  };
  for (const { server, method, gas } of alone) add(server, method, 1, gas);
  for (const { server, method, gas } of crowds)
    for (const [legs, units] of gas) add(server, method, legs, units);
  return [...rows].map(([key, gas]) => [...key.split(" "), whole(average(gas))]);
}

function sizeName(legs: number): string {
  if (legs === 1) return "1";
  if (legs < 10) return "2-9";
  return legs < 20 ? "10-19" : "20-40";
}

/** The table of requests by number of live presses. */
export function shelfTable(rows: readonly Shelf[]): string {
  return table(
    ["request", "presses", "median ms", "to the fewest", "table requests", "units", "messages"],
    rows.map((row) => [
      row.operation,
      `${row.presses}`,
      row.median.toFixed(1),
      ratio(row, rows).toFixed(2),
      row.tableRequests.toFixed(1),
      row.units.toFixed(1),
      row.messages.toFixed(1),
    ]),
  );
}

/** How many times slower a request is than at the smallest number of presses. */
function ratio(row: Shelf, rows: readonly Shelf[]): number {
  const least = rows.find(({ operation }) => operation === row.operation);
  return row.median / (least?.median ?? row.median);
}

type Bar = {
  readonly what: string;
  readonly bar: string;
  readonly found: string;
  /** `undefined` if there was nothing to measure. */
  readonly kept: boolean | undefined;
};

/** The table of targets and measured values. */
export function barsTable(
  alone: readonly Alone[],
  crowds: readonly Crowd[],
  shelf: readonly Shelf[],
): string {
  const rows = bars(alone, crowds, shelf).map(({ what, bar, found, kept }) => [
    what,
    bar,
    found,
    kept === undefined ? "not measured" : kept ? "kept" : "MISSED",
  ]);
  return table(["bar", "must be", "is", ""], rows);
}

function bars(alone: readonly Alone[], crowds: readonly Crowd[], shelf: readonly Shelf[]): readonly Bar[] {
  const ours = crowds.filter(({ server }) => server === "ours");
  const asked = sum(ours.map(({ payers }) => payers));
  const served = sum(ours.map((row) => row.served));
  const lone = (server: Alone["server"], method: Method, delay: number) =>
    alone.find((row) => row.server === server && row.method === method && row.delay === delay);
  const compared = (["permit2", "eip3009"] as const).flatMap((method) =>
    [
      { delay: 0, most: 1 },
      { delay: 25, most: 0.6 },
    ].map(({ delay, most }) =>
      checkAtMost(
        `a leg alone by ${method}, ${delay} ms to the node, to the official server's`,
        most,
        share(lone("ours", method, delay)?.median, lone("official", method, delay)?.median),
      ),
    ),
  );
  const trips = alone.filter(({ server }) => server === "ours").map((row) => row.trips);
  const oneKey = ours.filter(({ keys, payers }) => keys === 1 && payers === 200);
  const fifty = (server: Crowd["server"]) =>
    crowds.filter((row) => row.server === server && row.payers === 50).map(({ perSecond }) => perSecond);
  const [our, their] = [fifty("ours"), fifty("official")].map((found) =>
    found.length === 0 ? undefined : Math.max(...found),
  );
  return [
    { what: "served in crowds", bar: "all", found: `${served} of ${asked}`, kept: served === asked },
    checkAtMost(
      "round trips to the node, a leg alone",
      2,
      trips.length === 0 ? undefined : Math.max(...trips),
    ),
    ...compared,
    ...oneKey.map((row) => ({
      ...checkAtMost(`transactions for 200 legs by one key, ${row.method}`, 15, row.transactions),
      kept: row.transactions <= 15 && row.served === row.payers,
    })),
    {
      what: "legs a second at 50 payers, the best of all keys and methods",
      bar: `at least ${whole(their ?? 0)}, the official server's`,
      found: whole(our ?? 0),
      kept: our === undefined || their === undefined ? undefined : our >= their,
    },
    checkAtMost(
      "gas of EIP-3009 alone to Permit2 alone",
      0.75,
      share(lone("ours", "eip3009", 0)?.gas, lone("ours", "permit2", 0)?.gas),
    ),
    ...(["permit2", "eip3009"] as const).map((method) =>
      checkAtMost(
        `gas a leg of a batch of 20 and more to one alone, ${method}`,
        0.8,
        share(findBatchGas(ours, method), lone("ours", method, 0)?.gas),
      ),
    ),
    ...growth(shelf),
  ];
}

function findBatchGas(crowds: readonly Crowd[], method: Method): number | undefined {
  const gas = crowds
    .filter((row) => row.method === method)
    .flatMap((row) => [...row.gas].filter(([legs]) => legs >= 20).map(([, units]) => units));
  return gas.length === 0 ? undefined : average(gas);
}

/** Latency and units of each kind of request at the largest number of presses. */
function growth(shelf: readonly Shelf[]): readonly Bar[] {
  const most = Math.max(...shelf.map(({ presses }) => presses));
  const last = shelf.filter(({ presses }) => presses === most);
  return last.flatMap((row) => {
    const first = shelf.find(({ operation }) => operation === row.operation);
    const flat = first !== undefined && Math.abs(row.units - first.units) <= 0.1 * first.units;
    return [
      checkAtMost(
        `${row.operation} at ${most} presses, latency to that at ${first?.presses}`,
        1.2,
        ratio(row, shelf),
      ),
      {
        what: `${row.operation} at ${most} presses, table units`,
        bar: `${first?.units.toFixed(1)}, a tenth more or less`,
        found: row.units.toFixed(1),
        kept: flat,
      },
    ];
  });
}

function checkAtMost(what: string, most: number, found: number | undefined): Bar {
  const shown = found === undefined ? "" : String(Math.round(found * 100) / 100);
  return {
    what,
    bar: `at most ${most}`,
    found: shown,
    kept: found === undefined ? undefined : found <= most,
  };
}

function share(part: number | undefined, of: number | undefined): number | undefined {
  return part === undefined || of === undefined ? undefined : part / of;
}

function perTransaction({ served, transactions }: Crowd): number {
  return transactions === 0 ? 0 : served / transactions;
}

function formatCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([answer, count]) => `${count} × ${answer.slice(0, 120)}`).join("; ");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function average(values: readonly number[]): number {
  return sum(values) / Math.max(1, values.length);
}

function whole(value: number): string {
  return String(Math.round(value));
}
