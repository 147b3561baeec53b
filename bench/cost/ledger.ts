import * as z from "zod";
import { type Bill, type CostRange, sumBill } from "./bill.ts";

/** The usage of all calls of one function. */
const Usage = z.object({
  /** The number of calls, and the milliseconds that the calls took on this machine. */
  calls: z.number(),
  milliseconds: z.number(),
  /** The uncompressed bytes of the answers. */
  responseBytes: z.number(),
  logBytes: z.number(),
  tableRequests: z.number(),
  readUnits: z.number(),
  writeUnits: z.number(),
  /** The number of HTTP requests to the node, and the number of transactions sent to the node. Each transaction was signed once. */
  rpcTrips: z.number(),
  signatures: z.number(),
  messages: z.number(),
  executions: z.number(),
});
export type Usage = Readonly<z.infer<typeof Usage>>;

/** The usage of a function that was not called. */
export const nothing = makeUsage(() => 0);

/** Maps the id of a row in `routes.ts` or `jobs.ts` to the usage of the row's function. */
export type Usages = ReadonlyMap<string, Usage>;

export function addUsage(usage: Usage, added: Partial<Usage>): Usage {
  return makeUsage((name) => usage[name] + (added[name] ?? 0));
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
  return Usage.parse(Object.fromEntries(Usage.keyof().options.map((name) => [name, value(name)])));
}

/** A Markdown table. The first column is aligned to the left, and numbers are aligned to the right. */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, 3, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const formatLine = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (column === 0 ? (cells[column] ?? "").padEnd(width) : (cells[column] ?? "").padStart(width))).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [formatLine(heads), formatLine(rule), ...rows.map(formatLine)].join("\n");
}

/** Shows bills side by side, line by line, with their sums. */
export function formatBills(bills: Readonly<Record<string, Bill>>): string {
  const names = new Set(Object.values(bills).flatMap((bill) => [...bill.keys()]));
  const makeRow = (name: string, of: (bill: Bill) => CostRange | undefined) => [
    name,
    ...Object.values(bills).map((bill) => formatUsd(of(bill))),
  ];
  return formatTable(
    ["USD", ...Object.keys(bills)],
    [...[...names].map((name) => makeRow(name, (bill) => bill.get(name))), makeRow("**all**", sumBill)],
  );
}

function formatUsd(range: CostRange | undefined): string {
  if (range === undefined) return "";
  const [least, most] = [range.least, range.most].map((value) => value.toFixed(value < 10 ? 4 : 2));
  return least === most ? String(least) : `${least} to ${most}`;
}
