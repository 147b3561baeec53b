import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "./child.ts";
import {
  type CountingNode,
  gasOf,
  type Method,
  newPayers,
  type Outcome,
  send,
  signAll,
  type Till,
  termsOf,
} from "./payers.ts";

/** A server that is measured, with the node as it sees it. */
export type Server = {
  readonly name: "ours" | "official";
  readonly keys: number;
  readonly child: Child;
  readonly node: CountingNode;
  /** Where a leg is paid by a method; the fee first, where there are two. */
  readonly tills: (method: Method) => readonly Till[];
};

/** What is common to all measurements. */
export type Setup = { readonly rpcUrl: string; readonly database: Child };

/** Payments of one after the other. */
export type Alone = {
  readonly server: Server["name"];
  readonly method: Method;
  /** Milliseconds to the node and back. */
  readonly delay: number;
  readonly legs: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p99: number;
  /** HTTP requests to the node while a leg was paid, the median: jobs that run every minute fall into one leg or another. */
  readonly trips: number;
  /** Gas units a leg, the median. */
  readonly gas: number;
};

/** Payments of many at once. */
export type Crowd = {
  readonly server: Server["name"];
  readonly method: Method;
  readonly keys: number;
  readonly payers: number;
  readonly served: number;
  /** Served legs a second, from the first request to the last answer. */
  readonly perSecond: number;
  readonly transactions: number;
  /** Gas units by how many legs shared a transaction. */
  readonly gas: ReadonlyMap<number, number>;
  /** Milliseconds of CPU a served leg, of the server and of the table's stand-in. */
  readonly cpu: number;
  readonly tableCpu: number;
  /** What those were answered that were not served, and how many of them. */
  readonly refusals: ReadonlyMap<string, number>;
};

/** Milliseconds between two payments that are sent alone: what a block leaves over has ended. */
const apart = 20;

/** Pays so many legs one after the other, `undefined` where the server does not offer the method. */
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
  const times = sorted(outcomes.map(({ milliseconds }) => milliseconds));
  const gas = await Promise.all(outcomes.map(({ txHash = "" }) => gasOf(rpcUrl, txHash)));
  return {
    server: server.name,
    method,
    delay,
    legs: outcomes.length,
    median: at(times, 0.5),
    p99: at(times, 0.99),
    trips: at(sorted(trips), 0.5),
    gas: at(sorted(gas), 0.5),
  };
}

/** Pays the first leg of so many wallets at once, `undefined` where the server does not offer the method. */
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
    refusals: counted(
      outcomes.flatMap(({ status, refusal }) => (refusal === undefined ? [] : `${status} ${refusal}`)),
    ),
  };
}

/** The median gas a leg of transactions with so many legs. */
async function gasBySize(rpcUrl: string, hashes: readonly string[]): Promise<ReadonlyMap<number, number>> {
  const bySize = new Map<number, number[]>();
  for (const [hash, legs] of counted(hashes)) {
    bySize.set(legs, [...(bySize.get(legs) ?? []), (await gasOf(rpcUrl, hash)) / legs]);
  }
  return new Map([...bySize].map(([legs, gas]) => [legs, at(sorted(gas), 0.5)]));
}

function counted(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

export function sorted(values: readonly number[]): readonly number[] {
  return [...values].sort((one, other) => one - other);
}

/** The value below which such a share of the sorted ones lies. */
export function at(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}
