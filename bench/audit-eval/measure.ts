import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type * as z from "zod";
import type { Reading } from "../../core/audit/reading.ts";
import { listChecks } from "../../core/audit/rule/index.ts";
import type { Issue, Reviewer } from "../../core/audit/schema.ts";
import type { ModelUsage } from "../../core/port/model.ts";
import { type Case, listNames } from "../../tests/corpus/read.ts";
import { Figures } from "../../web/src/how/figures.ts";
import { formatTable } from "../cost/ledger.ts";
import type { CaseOutcome } from "./engine.ts";

/** The counts for one kind of fault. */
type KindCounts = {
  readonly kind: string;
  readonly drafts: number;
  readonly stopped: number;
  /** The number of faulty drafts whose fault is named by a finding of at least medium weight. */
  readonly named: number;
  /** The number of clean drafts that were stopped by a check for this kind of fault. */
  readonly falseStops: number;
};

/** One engine's results on one part of the corpus. */
export type Measures = {
  readonly faulty: number;
  readonly stopped: number;
  readonly named: number;
  readonly clean: number;
  readonly falseStops: number;
  readonly falseAlarms: number;
  /** The share of faulty drafts among the stopped drafts. */
  readonly precision: number;
  /** The share of stopped drafts among the faulty drafts. */
  readonly recall: number;
  /** The number of verdicts that changed when a draft was audited again. */
  readonly flips: number;
  /** The number of faulty drafts whose score is higher than the score of the same draft without its fault. */
  readonly inversions: number;
  readonly unreviewed: number;
  readonly kinds: readonly KindCounts[];
};

export function computeMeasures(outcomes: readonly CaseOutcome[]): Measures {
  const faulty = outcomes.filter(({ kind }) => kind !== undefined);
  const clean = outcomes.filter(({ kind }) => kind === undefined);
  const stopped = faulty.filter(isStopped).length;
  const falseStops = clean.filter(isStopped).length;
  return {
    faulty: faulty.length,
    stopped,
    named: faulty.filter(isFaultNamed).length,
    clean: clean.length,
    falseStops,
    falseAlarms: clean.filter((one) => listSeriousIssues(one).length > 0).length,
    precision: computeShare(stopped, stopped + falseStops),
    recall: computeShare(stopped, faulty.length),
    flips: outcomes.filter(hasChangedVerdict).length,
    inversions: faulty.filter((one) => hasScoreAboveTwin(one, clean)).length,
    unreviewed: outcomes.filter(({ judged }) => judged === undefined).length,
    kinds: countByKind(faulty, clean),
  };
}

/** Returns the share of a part in the whole; the share is 1 if the whole is 0. */
const computeShare = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

const isStopped = ({ judged }: CaseOutcome): boolean => judged !== undefined && judged.verdict !== "approve";

/** Returns the findings of at least medium weight, which an editor would not ignore. */
const listSeriousIssues = ({ judged }: CaseOutcome): readonly Issue[] =>
  (judged?.issues ?? []).filter(({ severity }) => severity !== "low");

const isFaultNamed = (outcome: CaseOutcome): boolean =>
  listSeriousIssues(outcome).some(({ check }) => outcome.accepted.includes(check));

function countByKind(faulty: readonly CaseOutcome[], clean: readonly CaseOutcome[]): readonly KindCounts[] {
  const kinds = [...new Set(faulty.flatMap(({ kind }) => kind ?? []))].toSorted();
  return kinds.map((kind) => {
    const drafts = faulty.filter((one) => one.kind === kind);
    const accepted = new Set(drafts.flatMap((one) => one.accepted));
    return {
      kind,
      drafts: drafts.length,
      stopped: drafts.filter(isStopped).length,
      named: drafts.filter(isFaultNamed).length,
      falseStops: clean.filter(
        (one) => isStopped(one) && listSeriousIssues(one).some(({ check }) => accepted.has(check)),
      ).length,
    };
  });
}

function hasChangedVerdict({ judged, again }: CaseOutcome): boolean {
  return again.some(
    (other) => judged !== undefined && other !== undefined && other.verdict !== judged.verdict,
  );
}

function hasScoreAboveTwin({ cleanName, judged }: CaseOutcome, clean: readonly CaseOutcome[]): boolean {
  const twin = clean.find(({ name }) => name === cleanName)?.judged;
  return judged !== undefined && twin !== undefined && judged.score > twin.score;
}

const toTwoDigits = (value: number) => value.toFixed(2);
const formatRatio = (part: number, whole: number) => `${part} of ${whole}`;

/** A table of the results of all engines, side by side. */
export function formatOverview(
  columns: readonly { readonly name: string; readonly measures: Measures }[],
): string {
  const rows: readonly (readonly [string, (measures: Measures) => string])[] = [
    ["faulty drafts stopped", ({ stopped, faulty }) => formatRatio(stopped, faulty)],
    ["recall", ({ recall }) => toTwoDigits(recall)],
    ["faults named", ({ named, faulty }) => formatRatio(named, faulty)],
    ["clean drafts stopped", ({ falseStops, clean }) => formatRatio(falseStops, clean)],
    [
      "clean drafts with a finding of medium weight or more",
      ({ falseAlarms, clean }) => formatRatio(falseAlarms, clean),
    ],
    ["precision", ({ precision }) => toTwoDigits(precision)],
    ["verdicts that changed when a draft was audited again", ({ flips }) => String(flips)],
    ["faulty drafts scoring above their clean twin", ({ inversions }) => String(inversions)],
    ["drafts without a review", ({ unreviewed }) => String(unreviewed)],
  ];
  return formatTable(
    ["", ...columns.map(({ name }) => name)],
    rows.map(([head, cell]) => [head, ...columns.map(({ measures }) => cell(measures))]),
  );
}

/** The audit's precision and recall for each kind of fault. */
export function formatKinds({ kinds }: Measures): string {
  return formatTable(
    ["kind", "drafts", "stopped", "named", "false stops", "precision", "recall"],
    kinds.map(({ kind, drafts, stopped, named, falseStops }) => [
      kind,
      String(drafts),
      String(stopped),
      String(named),
      String(falseStops),
      toTwoDigits(computeShare(stopped, stopped + falseStops)),
      toTwoDigits(computeShare(stopped, drafts)),
    ]),
  );
}

/**
 * Lists clean drafts that were stopped (with the reason), faulty drafts that were approved, and faulty drafts that were stopped for another
 * reason than their fault.
 */
export function formatMistakes(outcomes: readonly CaseOutcome[]): string {
  const clean = outcomes.filter((one) => one.kind === undefined && isStopped(one));
  const passed = outcomes.filter((one) => one.kind !== undefined && !isStopped(one));
  const unnamed = outcomes.filter((one) => one.kind !== undefined && isStopped(one) && !isFaultNamed(one));
  return [
    ...formatList("Clean and stopped", clean, (one) =>
      listSeriousIssues(one).map(({ severity, check, detail }) => `    ${severity} ${check}: ${detail}`),
    ),
    ...formatList("Faulty and approved", passed, (one) => [
      `    ${one.kind}, ${isFaultNamed(one) ? "named, but at too low a weight" : "not named"}`,
    ]),
    ...formatList("Faulty, but stopped for another reason", unnamed, (one) => [
      `    ${one.kind}; found: ${[...new Set(listSeriousIssues(one).map(({ check }) => check))].join(", ")}`,
    ]),
  ].join("\n");
}

function formatList(
  title: string,
  outcomes: readonly CaseOutcome[],
  lines: (one: CaseOutcome) => readonly string[],
): readonly string[] {
  if (outcomes.length === 0) return [];
  return [`${title}:`, ...outcomes.flatMap((one) => [`  ${one.name}`, ...lines(one)])];
}

type TokenPrices = { readonly input: number; readonly output: number };

/** The number of output tokens of a usual review: a list of the article's claims, some findings and a summary. */
const usualOutput = 1_200;
/** The average number of bytes in a token, measured for English prose. */
const bytesPerToken = 4;

/** The usual cost and the highest cost, in USD, of a run in which a model reviews each given draft `times` times. */
export function estimateCost(
  reviewer: Reviewer<Reading>,
  cases: readonly Case[],
  times: number,
  prices: TokenPrices,
): { readonly usual: number; readonly most: number } {
  const calls = cases.map(({ draft, facts }) => reviewer.most({ draft, facts }));
  const usual = calls.flatMap(([first]) =>
    first === undefined
      ? []
      : [{ ...first, inputTokens: first.inputTokens / bytesPerToken, outputTokens: usualOutput }],
  );
  return { usual: times * computeCost(usual, prices), most: times * computeCost(calls.flat(), prices) };
}

/** Returns the cost, in USD, of the input tokens and output tokens in `usage`. The list prices are prices for a thousand tokens. */
export function computeCost(
  usage: readonly Pick<ModelUsage, "inputTokens" | "outputTokens">[],
  { input, output }: TokenPrices,
): number {
  return usage.reduce(
    (sum, { inputTokens, outputTokens }) => sum + (inputTokens * input + outputTokens * output) / 1_000,
    0,
  );
}

/** The path of the file with the results, which the site's page about the audit reads. */
const path = join(import.meta.dirname, "..", "..", "web", "src", "how", "figures.json");

const toThreeDigits = (value: number) => Number(value.toFixed(3));

/** The results that the site shows. */
export function makeFigures({ kinds, ...measures }: Measures): z.output<typeof Figures>["rules"] {
  const { faulty, clean, stopped, falseStops, precision, recall, flips } = measures;
  return {
    faulty,
    clean,
    stopped,
    falseStops,
    precision: toThreeDigits(precision),
    recall: toThreeDigits(recall),
    flips,
    kinds: kinds.map(({ kind, drafts, stopped: caught }) => ({
      kind,
      label: findLabel(kind),
      drafts,
      stopped: caught,
    })),
  };
}

/** Returns the site's name for the check that finds most faults of the given kind. */
function findLabel(kind: string): string {
  const [check] = listNames(kind);
  return listChecks([]).find((one) => one.check === check)?.label ?? kind;
}

/** Writes the results that the site shows. A model's older results stay if the model was not asked again. */
export async function writeFigures(
  rules: Measures,
  model: { readonly name: string; readonly measures: Measures } | undefined,
): Promise<void> {
  const before = Figures.parse(JSON.parse(await readFile(path, "utf8")));
  const { kinds: _, ...asked } = model === undefined ? { kinds: [] } : makeFigures(model.measures);
  const stored = model === undefined ? before.model : { name: model.name, ...asked };
  const figures = Figures.parse({
    rules: makeFigures(rules),
    ...(stored !== undefined && { model: stored }),
  });
  await writeFile(path, `${JSON.stringify(figures, undefined, 2)}\n`);
}
