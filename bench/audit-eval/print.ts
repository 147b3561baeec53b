import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type * as z from "zod";
import type { ModelUsage, Reviewer } from "../../core/port/model.ts";
import { Figures } from "../../web/src/how/figures.ts";
import { table } from "../cost/ledger.ts";
import type { Case } from "./drafts.ts";
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

type Prices = { readonly input: number; readonly output: number };

/** What a usual review writes: a list of claims, some findings and a summary. */
const usualOutput = 1_200;
/** English prose. */
const bytesPerToken = 4;

/** USD that asking a model about these drafts, so many times each, takes about, and at most. */
export function estimate(
  reviewer: Reviewer,
  cases: readonly Case[],
  times: number,
  prices: Prices,
): { readonly usual: number; readonly most: number } {
  const calls = cases.map(({ draft, facts }) => reviewer.most({ draft, facts }));
  const usual = calls.flatMap(([first]) =>
    first === undefined
      ? []
      : [{ ...first, inputTokens: first.inputTokens / bytesPerToken, outputTokens: usualOutput }],
  );
  return { usual: times * costOf(usual, prices), most: times * costOf(calls.flat(), prices) };
}

/** USD at list prices, which are for a thousand tokens. */
export function costOf(
  usage: readonly Pick<ModelUsage, "inputTokens" | "outputTokens">[],
  { input, output }: Prices,
): number {
  return usage.reduce(
    (sum, { inputTokens, outputTokens }) => sum + (inputTokens * input + outputTokens * output) / 1_000,
    0,
  );
}

type Stored = z.output<typeof Figures>;

/** Where the site's page about the audit finds them. */
const path = join(import.meta.dirname, "..", "..", "web", "src", "how", "figures.json");

const three = (part: number) => Number(part.toFixed(3));

/** What the site tells of measures. */
export function figuresOf({ kinds, ...measures }: Measures): Stored["rules"] {
  const { faulty, clean, stopped, falseStops, precision, recall, flips } = measures;
  return {
    faulty,
    clean,
    stopped,
    falseStops,
    precision: three(precision),
    recall: three(recall),
    flips,
    kinds: kinds.map(({ kind, drafts, stopped: caught }) => ({ kind, drafts, stopped: caught })),
  };
}

/** Writes them for the site; a model's from before stay where it was not asked again. */
export async function writeFigures(
  rules: Measures,
  model: { readonly name: string; readonly measures: Measures } | undefined,
): Promise<void> {
  const before = Figures.parse(JSON.parse(await readFile(path, "utf8")));
  const { kinds: _, ...asked } = model === undefined ? { kinds: [] } : figuresOf(model.measures);
  const stored = model === undefined ? before.model : { name: model.name, ...asked };
  const figures = Figures.parse({ rules: figuresOf(rules), ...(stored !== undefined && { model: stored }) });
  await writeFile(path, `${JSON.stringify(figures, undefined, 2)}\n`);
}
