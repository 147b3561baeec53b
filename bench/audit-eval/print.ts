import { table } from "../cost/ledger.ts";
import type { Outcome } from "./engine.ts";
import { isNamed, isStopped, type Measures, share, weighty } from "./measure.ts";

const two = (part: number) => part.toFixed(2);
const of = (part: number, whole: number) => `${part} of ${whole}`;

/** One engine's figures beside another's. */
export function overview(columns: readonly { readonly name: string; readonly measures: Measures }[]): string {
  const rows: readonly (readonly [string, (measures: Measures) => string])[] = [
    ["faulty drafts stopped", ({ stopped, faulty }) => of(stopped, faulty)],
    ["recall", ({ recall }) => two(recall)],
    ["recall of blatant ones", ({ recallBlatant }) => two(recallBlatant)],
    ["recall of subtle ones", ({ recallSubtle }) => two(recallSubtle)],
    ["faults named", ({ named, faulty }) => of(named, faulty)],
    ["clean drafts stopped", ({ falseStops, clean }) => of(falseStops, clean)],
    ["clean drafts with a finding of weight", ({ falseAlarms, clean }) => of(falseAlarms, clean)],
    ["precision", ({ precision }) => two(precision)],
    ["score separation (AUC)", ({ auc }) => two(auc)],
    ["quotations found in the text", ({ quotedRightly, quoting }) => of(quotedRightly, quoting)],
    ["named faults quoted at their place", ({ placed, placeable }) => of(placed, placeable)],
    ["flips of the verdict", ({ flips }) => String(flips)],
    ["faulty drafts scoring above their clean twin", ({ inversions }) => String(inversions)],
    ["drafts without a review", ({ unreviewed }) => String(unreviewed)],
  ];
  return table(
    ["", ...columns.map(({ name }) => name)],
    rows.map(([head, cell]) => [head, ...columns.map(({ measures }) => cell(measures))]),
  );
}

/** Precision and recall of each kind of fault. */
export function kindTable({ kinds }: Measures): string {
  return table(
    ["kind", "drafts", "stopped", "named", "false stops", "precision", "recall"],
    kinds.map(({ kind, drafts, stopped, named, falseStops }) => [
      kind,
      String(drafts),
      String(stopped),
      String(named),
      String(falseStops),
      two(share(stopped, stopped + falseStops)),
      two(share(stopped, drafts)),
    ]),
  );
}

/** Each clean draft that was stopped with what stopped it, and each faulty one that was approved or not named. */
export function mistakes(outcomes: readonly Outcome[]): string {
  const clean = outcomes.filter((one) => one.kind === undefined && isStopped(one));
  const passed = outcomes.filter((one) => one.kind !== undefined && !isStopped(one));
  const unnamed = outcomes.filter((one) => one.kind !== undefined && isStopped(one) && !isNamed(one));
  return [
    ...listed("Clean and stopped", clean, (one) =>
      weighty(one).map(({ severity, check, detail }) => `    ${severity} ${check}: ${detail}`),
    ),
    ...listed("Faulty and approved", passed, (one) => [
      `    ${one.kind}, ${isNamed(one) ? "named, but at too low a weight" : "not named"}`,
    ]),
    ...listed("Faulty, and stopped for another reason", unnamed, (one) => [
      `    ${one.kind}; found: ${[...new Set(weighty(one).map(({ check }) => check))].join(", ")}`,
    ]),
  ].join("\n");
}

function listed(
  title: string,
  outcomes: readonly Outcome[],
  lines: (one: Outcome) => readonly string[],
): readonly string[] {
  if (outcomes.length === 0) return [];
  return [`${title}:`, ...outcomes.flatMap((one) => [`  ${one.name}`, ...lines(one)])];
}
