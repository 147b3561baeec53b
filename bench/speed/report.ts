import { table } from "../cost/ledger.ts";
import type { Shares } from "./child.ts";
import type { Alone, Crowd } from "./measure.ts";
import type { Method } from "./payers.ts";
import type { Shelf } from "./shelf.ts";

/** The tables of payments: one after the other, at once, and what a leg takes of gas and CPU. */
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
        `- ${row.server}, ${row.method}, ${row.keys} keys, ${row.payers} payers: ${listed(row.refusals)}`,
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

/** What the threads of the service and of the table's stand-in did while a crowd was served. */
export type Profiled = {
  readonly method: Method;
  readonly served: number;
  readonly service: Shares;
  readonly table: Shares;
};

/** Milliseconds of CPU a leg by what they go to, of the service and of the table's stand-in. */
export function profileTable(profiles: readonly Profiled[]): string {
  const columns = profiles.map(({ service, table: stand, served }) => {
    const sumOf = (shares: Shares) => sum(shares.map(([, milliseconds]) => milliseconds));
    const rows = [
      ...service,
      ["all of the service", sumOf(service)],
      ["the table's stand-in", sumOf(stand)],
    ] as const;
    return new Map(
      rows.map(([what, milliseconds]) => [what, (milliseconds / Math.max(1, served)).toFixed(2)]),
    );
  });
  const names = new Set(columns.flatMap((column) => [...column.keys()]));
  return table(
    ["milliseconds of CPU a leg", ...profiles.map(({ method }) => method)],
    [...names].map((name) => [name, ...columns.map((column) => column.get(name) ?? "0.00")]),
  );
}

/** The requests by numbers of live presses. */
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

/** How much slower than at the smallest number of presses. */
function ratio(row: Shelf, rows: readonly Shelf[]): number {
  const least = rows.find(({ operation }) => operation === row.operation);
  return row.median / (least?.median ?? row.median);
}

type Bar = {
  readonly what: string;
  readonly bar: string;
  readonly found: string;
  /** `undefined` where nothing was there to measure. */
  readonly kept: boolean | undefined;
};

/** What has to hold, each beside what was found. */
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
      atMost(
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
    atMost("round trips to the node, a leg alone", 2, trips.length === 0 ? undefined : Math.max(...trips)),
    ...compared,
    ...oneKey.map((row) => ({
      ...atMost(`transactions for 200 legs by one key, ${row.method}`, 15, row.transactions),
      kept: row.transactions <= 15 && row.served === row.payers,
    })),
    {
      what: "legs a second at 50 payers, the best of all keys and methods",
      bar: `at least ${whole(their ?? 0)}, the official server's`,
      found: whole(our ?? 0),
      kept: our === undefined || their === undefined ? undefined : our >= their,
    },
    atMost(
      "gas of EIP-3009 alone to Permit2 alone",
      0.75,
      share(lone("ours", "eip3009", 0)?.gas, lone("ours", "permit2", 0)?.gas),
    ),
    ...(["permit2", "eip3009"] as const).map((method) =>
      atMost(
        `gas a leg of a batch of 20 and more to one alone, ${method}`,
        0.8,
        share(batched(ours, method), lone("ours", method, 0)?.gas),
      ),
    ),
    ...growth(shelf),
  ];
}

function batched(crowds: readonly Crowd[], method: Method): number | undefined {
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
      atMost(
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

function atMost(what: string, most: number, found: number | undefined): Bar {
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

function listed(counts: ReadonlyMap<string, number>): string {
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
