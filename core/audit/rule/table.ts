import { quantitiesIn } from "../numbers.ts";
import { combined, type Interval, intervalOf, overlaps, type Quantity } from "../quantity.ts";
import type { Slip } from "./arithmetic.ts";
import { shown } from "./rule.ts";

type Row = {
  readonly label: string;
  readonly cells: readonly (Quantity | undefined)[];
  readonly line: string;
};
/** Rows of a table that is calculated. */
const longest = 60;

const isRule = /^[\s|:-]+$/;
const total = /^\W*(?:total|sum|all(?! others?\b)|together|altogether|overall|group total|grand total)\b/i;
const change =
  /\b(?:change|growth|yoy|y\/y|year[- ]on[- ]year|year[- ]over[- ]year|difference|diff\.?|±|delta|%)|^\s*[%+±]/i;

/** Rows of Markdown tables whose change or total does not follow from the other cells. */
export function tableSlips(markdown: string): readonly Slip[] {
  const lines = markdown.split("\n");
  const found: Slip[] = [];
  let block: string[] = [];
  for (const line of [...lines, ""]) {
    if (/^\s*\|.*\|/.test(line)) block.push(line);
    else {
      if (block.length >= 3) found.push(...slipsOf(block));
      block = [];
    }
  }
  return found;
}

function slipsOf(block: readonly string[]): readonly Slip[] {
  const [heads = [], ...rest] = block.filter((line) => !isRule.test(line)).map(cellsOf);
  const lines = block.filter((line) => !isRule.test(line)).slice(1);
  const rows = rest.map(
    (cells, at): Row => ({
      label: cells[0] ?? "",
      cells: cells.map((cell, column) => (column === 0 ? undefined : cellValue(cell))),
      line: lines[at] ?? "",
    }),
  );
  return rows.length > longest ? [] : [...changesOf(heads, rows), ...totalsOf(rows)];
}

function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

/** A cell that is one number; a sign in brackets or a currency may stand beside it. */
function cellValue(cell: string): Quantity | undefined {
  const text = cell.replace(/[*_`]/g, "");
  const [one, ...others] = quantitiesIn(text);
  if (one === undefined || others.length > 0 || cell.length > one.shown.length + 12) return undefined;
  // Accountants write what is taken off in brackets.
  return /^\s*[$€£]?\s*\(/.test(text) && one.value > 0 ? { ...one, value: -one.value } : one;
}

/** The change column against the two columns before it, in either order of time. */
function changesOf(heads: readonly string[], rows: readonly Row[]): readonly Slip[] {
  const column = heads.findIndex((head, at) => at >= 3 && change.test(head));
  if (column < 0) return [];
  const judged = rows.flatMap(({ cells, line }) => {
    const [one, other, claim] = [cells[column - 2], cells[column - 1], cells[column]];
    if (
      one === undefined ||
      other === undefined ||
      claim === undefined ||
      one.value === 0 ||
      other.value === 0
    )
      return [];
    if (one.kind !== other.kind) return [];
    return [
      { line, claim, forward: fitOf(one, other, claim), backward: fitOf(other, one, claim), one, other },
    ];
  });
  const isForward =
    judged.filter(({ forward }) => forward).length >= judged.filter(({ backward }) => backward).length;
  // A column that fits nowhere means something else.
  if (judged.length > 1 && judged.every(({ forward, backward }) => !forward && !backward)) return [];
  return judged.flatMap(({ line, claim, forward, backward, one, other }) => {
    if (isForward ? forward : backward) return [];
    const [old, young] = isForward ? [one, other] : [other, one];
    const percent = (young.value / old.value - 1) * 100;
    const calculation = `${old.shown} to ${young.shown} is ${percent >= 0 ? "+" : ""}${percent.toFixed(1)}%`;
    return [{ claim, shown: calculation, sentence: line }];
  });
}

function fitOf(old: Quantity, young: Quantity, claim: Quantity): boolean {
  const given = intervalOf(claim);
  const difference = combined(intervalOf(old), intervalOf(young), (from, to) => to - from);
  const relative = combined(intervalOf(old), intervalOf(young), (from, to) => (to / from - 1) * 100);
  const fits = (change: Interval) =>
    overlaps(given, change) ||
    (claim.value >= 0 && !claim.shown.startsWith("+") && overlaps(given, [-change[1], -change[0]]));
  return fits(relative) || ((claim.kind !== "percent" || old.kind === "percent") && fits(difference));
}

function totalsOf(rows: readonly Row[]): readonly Slip[] {
  const named = rows.findLastIndex(({ label }) => total.test(label.replace(/[*_]/g, "")));
  // The last row alone in bold type is a total, whatever it is called.
  const isBold = rows.findIndex(({ label }) => /^\*\*.*\*\*$/.test(label)) === rows.length - 1;
  const at = named < 0 && isBold ? rows.length - 1 : named;
  const sum = rows[at];
  const terms = rows.slice(0, Math.max(0, at));
  if (sum === undefined || terms.length < 2) return [];
  return sum.cells.flatMap((claim, column) => {
    const parts = terms.map(({ cells }) => cells[column]);
    const given = parts.filter((one) => one !== undefined);
    if (claim === undefined || given.length !== parts.length || given.some(({ kind }) => kind !== claim.kind))
      return [];
    const known = withoutSubtotals(given);
    if (claim.kind === "percent" && Math.abs(claim.value - 100) > 0.5) return [];
    const added = known.map(intervalOf).reduce((one, other) => [one[0] + other[0], one[1] + other[1]]);
    if (overlaps(intervalOf(claim), added)) return [];
    const value = known.reduce((result, one) => result + one.value, 0);
    if (named < 0 && (value < 0.7 * claim.value || value > 1.4 * claim.value)) return [];
    return [{ claim, shown: `the column adds up to ${shown(value, claim)}`, sentence: sum.line }];
  });
}

/** The rows that a subtotal adds up are not added once more. */
function withoutSubtotals(rows: readonly Quantity[]): readonly Quantity[] {
  const kept: Quantity[] = [];
  for (const row of rows) {
    const from = kept.findIndex((_, at) => {
      const group = kept.slice(at).map(intervalOf);
      const sum = group.reduce((one, other) => [one[0] + other[0], one[1] + other[1]]);
      return group.length >= 2 && overlaps(intervalOf(row), sum);
    });
    if (from >= 0) kept.splice(from);
    kept.push(row);
  }
  return kept;
}
