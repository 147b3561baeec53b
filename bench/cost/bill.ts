import { type Job, jobs } from "../../functions/jobs.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { nothing, plus, type Usage, type Usages } from "./ledger.ts";
import { platformLogBytes, prices, waits } from "./prices.ts";

/** USD, from the least to the most that the unknown waits of the cloud make of it. */
export type Range = { readonly least: number; readonly most: number };

/** What something costs, by what is paid for. */
export type Bill = ReadonlyMap<string, Range>;

const million = 1_000_000;
const gigabyte = 2 ** 30;
const rows: readonly (Route | Job)[] = [...routes, ...jobs];

/** What the edge takes for requests, whether it answers them itself or passes them on. */
export function edgeBill({ calls, responseBytes }: Usage): Bill {
  return new Map([
    ["edge: requests", certain((calls * prices.edgeRequests) / million)],
    ["edge: bytes out", certain((responseBytes * prices.edgeGigabyte) / gigabyte)],
    ["firewall", certain((calls * prices.firewallRequests) / million)],
  ]);
}

/** What stands behind the edge takes for calls of functions. */
export function originBill(usages: Usages, behindGateway: boolean): Bill {
  const all = [...usages.values()].reduce(plus, nothing);
  const logs = all.logBytes + all.calls * platformLogBytes;
  return new Map([
    ["gateway", certain(behindGateway ? (all.calls * prices.gatewayRequests) / million : 0)],
    ["functions: requests", certain((all.calls * prices.lambdaRequests) / million)],
    ["functions: time", sum([...usages].map(([id, used]) => timeOf(id, used)))],
    ["table: reads", certain((all.readUnits * prices.readUnits) / million)],
    ["table: writes", certain((all.writeUnits * prices.writeUnits) / million)],
    ["signatures", certain((all.signatures * prices.signatures) / million)],
    ["logs and metrics' lines", certain((logs * prices.logGigabyte) / gigabyte)],
    ["traces, each recorded", certain((all.calls * prices.traces) / million)],
    [
      "queues and workflow",
      certain((all.messages * prices.messages + all.executions * prices.executions) / million),
    ],
  ]);
}

function timeOf(id: string, used: Usage): Range {
  const row = rows.find((one) => one.id === id);
  if (row === undefined) throw new TypeError(`No row ${id}`);
  const price = ((row.memoryMb / 1024) * prices.lambdaSecond) / 1000;
  const waited =
    used.tableRequests * waits.tableRequest +
    used.rpcTrips * waits.rpcTrip +
    used.signatures * waits.signature;
  return { least: used.milliseconds * price, most: (used.milliseconds + waited) * price };
}

export function together(...bills: readonly Bill[]): Bill {
  const names = new Set(bills.flatMap((bill) => [...bill.keys()]));
  return new Map([...names].map((name) => [name, sum(bills.flatMap((bill) => bill.get(name) ?? []))]));
}

export function scaled(bill: Bill, factor: number): Bill {
  return new Map(
    [...bill].map(([name, { least, most }]) => [name, { least: least * factor, most: most * factor }]),
  );
}

export function total(bill: Bill): Range {
  return sum([...bill.values()]);
}

function sum(ranges: readonly Range[]): Range {
  return ranges.reduce(
    (one, other) => ({ least: one.least + other.least, most: one.most + other.most }),
    certain(0),
  );
}

export function certain(usd: number): Range {
  return { least: usd, most: usd };
}
