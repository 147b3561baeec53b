import { type Bill, type Range, total } from "./bill.ts";
import { times, type Usage, type Usages } from "./ledger.ts";

/** A table as Markdown has it, the first column to the left and numbers to the right. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
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

const shown = [
  ["table", "tableRequests"],
  ["RRU", "readUnits"],
  ["WRU", "writeUnits"],
  ["RPC trips", "rpcTrips"],
  ["RPC calls", "rpcCalls"],
  ["signed", "signatures"],
  ["messages", "messages"],
  ["files", "fileRequests"],
  ["tokens", "modelTokens"],
  ["log B", "logBytes"],
  ["answer B", "responseBytes"],
  ["ms here", "milliseconds"],
] as const satisfies readonly (readonly [string, keyof Usage])[];

/** What each function used, for one of `times`. */
export function usageTable(usages: Usages, count: number): string {
  return table(
    ["function", "calls", ...shown.map(([head]) => head)],
    [...usages].map(([id, used]) => {
      const one = times(used, 1 / count);
      return [id, amount(one.calls), ...shown.map(([, name]) => amount(one[name]))];
    }),
  );
}

/** Bills side by side, line by line, with their sums. */
export function billTable(bills: Readonly<Record<string, Bill>>): string {
  const names = new Set(Object.values(bills).flatMap((bill) => [...bill.keys()]));
  const row = (name: string, of: (bill: Bill) => Range | undefined) => [
    name,
    ...Object.values(bills).map((bill) => usd(of(bill))),
  ];
  return table(
    ["USD", ...Object.keys(bills)],
    [...[...names].map((name) => row(name, (bill) => bill.get(name))), row("**all**", total)],
  );
}

function usd(range: Range | undefined): string {
  if (range === undefined) return "";
  const [least, most] = [range.least, range.most].map((value) => value.toFixed(value < 10 ? 4 : 2));
  return least === most ? String(least) : `${least} to ${most}`;
}

function amount(value: number): string {
  return String(Math.round(value * 10) / 10);
}
