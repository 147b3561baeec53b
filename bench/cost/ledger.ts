import { type Bill, type CostRange, sumBill } from "./bill.ts";

/** The usage of a function that was not called. */
export const nothing = {
  /** The number of calls, and the milliseconds that the calls took on this machine. */
  calls: 0,
  milliseconds: 0,
  /** The uncompressed bytes of the answers. */
  responseBytes: 0,
  logBytes: 0,
  tableRequests: 0,
  readUnits: 0,
  writeUnits: 0,
  /** The number of HTTP requests to the node, and of transactions sent to the node. Each transaction was signed once. */
  rpcTrips: 0,
  signatures: 0,
  messages: 0,
  executions: 0,
};

/** The usage of all calls of one function. */
export type Usage = Readonly<typeof nothing>;

/** Maps the id of a row in `routes.ts` or `jobs.ts` to the usage of the row's function. */
export type Usages = ReadonlyMap<string, Usage>;

export function addUsage(one: Usage, added: Partial<Usage>): Usage {
  return makeUsage((name) => one[name] + (added[name] ?? 0));
}

/** Multiplies each function's usage by the function's factor. */
export function scaleUsages(usages: Usages, factorOf: (id: string) => number): Usages {
  return new Map([...usages].map(([id, used]) => [id, makeUsage((name) => used[name] * factorOf(id))]));
}

export type Ledger = {
  readonly add: (id: string, used: Partial<Usage>) => void;
  /** Runs the work and returns the usage of each function during the work. No other work may run while the usage is measured. */
  readonly measureUsage: (work: () => Promise<unknown>) => Promise<Usages>;
};

export function openLedger(): Ledger {
  let entries = new Map<string, Usage>();
  return {
    add: (id, used) => {
      entries.set(id, addUsage(entries.get(id) ?? nothing, used));
    },
    async measureUsage(work) {
      entries = new Map();
      await work();
      return new Map(entries);
    },
  };
}

function makeUsage(value: (name: keyof Usage) => number): Usage {
  return {
    calls: value("calls"),
    milliseconds: value("milliseconds"),
    responseBytes: value("responseBytes"),
    logBytes: value("logBytes"),
    tableRequests: value("tableRequests"),
    readUnits: value("readUnits"),
    writeUnits: value("writeUnits"),
    rpcTrips: value("rpcTrips"),
    signatures: value("signatures"),
    messages: value("messages"),
    executions: value("executions"),
  };
}

/** A Markdown table. The first column is aligned to the left, and numbers are aligned to the right. */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, 3, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (column === 0 ? (cells[column] ?? "").padEnd(width) : (cells[column] ?? "").padStart(width))).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(heads), line(rule), ...rows.map(line)].join("\n");
}

/** Shows bills side by side, line by line, with their sums. */
export function formatBills(bills: Readonly<Record<string, Bill>>): string {
  const names = new Set(Object.values(bills).flatMap((bill) => [...bill.keys()]));
  const row = (name: string, of: (bill: Bill) => CostRange | undefined) => [
    name,
    ...Object.values(bills).map((bill) => formatUsd(of(bill))),
  ];
  return formatTable(
    ["USD", ...Object.keys(bills)],
    [...[...names].map((name) => row(name, (bill) => bill.get(name))), row("**all**", sumBill)],
  );
}

function formatUsd(range: CostRange | undefined): string {
  if (range === undefined) return "";
  const [least, most] = [range.least, range.most].map((value) => value.toFixed(value < 10 ? 4 : 2));
  return least === most ? String(least) : `${least} to ${most}`;
}
