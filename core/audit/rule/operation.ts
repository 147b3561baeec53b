import * as z from "zod";
import {
  borrowUnit,
  combineIntervals,
  findInterval,
  type Interval,
  overlaps,
  type Quantity,
} from "../quantity.ts";
import { writeFigure } from "./rule.ts";

/** The calculations that an article may make. For each calculation, the prompt states the order of the operands. */
const Arithmetic = z.enum([
  "change_percent",
  "yearly_percent",
  "share_percent",
  "portion",
  "changed_by",
  "sum",
  "difference",
  "average",
  "product",
  "quotient",
  "multiple",
  "per_period",
]);
type Arithmetic = z.infer<typeof Arithmetic>;

/** A calculation as a model finds it in an article. */
export const Calculation = z.object({
  excerpt: z.string().min(1).max(400).describe("4 to 15 words, copied word for word."),
  result: z.string().min(1).max(60).describe("The figure as written."),
  operation: Arithmetic,
  operands: z.array(z.string().min(1).max(60)).max(12).readonly(),
});
export type Calculation = z.infer<typeof Calculation>;

/** A calculation whose figures were all found in the article. */
export type ListedResult = {
  readonly operation: Arithmetic;
  /** The result that the article gives, and the interval of results that the article's words allow. */
  readonly claim: Quantity;
  readonly said: Interval;
  /** The operands in the order of the operation. Each operand is a list of the article's figures that this operand may mean. */
  readonly operands: readonly (readonly Quantity[])[];
  /** The other figures of the calculation's sentences, because the correct operand may be one of these figures. */
  readonly others: readonly Quantity[];
};

/** The result of a repeated calculation, in which percentages are fractions: 8% is 0.08. */
type CalculatedValue = { readonly interval: Interval; readonly value: number; readonly formula: string };

/**
 * The calculation that shows that a figure is wrong. Returns `undefined` if a different calculation gives the article's figure. Different
 * calculations are: another operation with the same operands; another order of the operands; an operand with the scale of a neighbouring
 * figure; and another figure of the same sentences in the place of an operand.
 */
export function findFigureError(calculation: ListedResult): string | undefined {
  const { operation, claim, said, operands, others } = calculation;
  // If all operands are percentages, points or multiples and the result has no unit, the unit of the result is unknown: in a table it may
  // be basis points.
  if (claim.isBare && operands.flat().every(isShare)) return undefined;
  const chosen = combineOperands(operands).flatMap((parts) => [
    parts,
    parts.map((part) => borrowUnit(part, claim)),
    parts.map((part) => parts.reduce((one, other) => borrowUnit(one, other), part)),
  ]);
  const claims = [claim, ...chosen.flatMap((parts) => parts.map((part) => borrowUnit(claim, part)))];
  const given = claims.map((one) =>
    [said[0], said[1]].map((end) => (end * one.value * findUnit(one)) / claim.value),
  );
  const fits = ({ interval: [low, high] }: CalculatedValue) =>
    given.some(
      ([least = 0, most = 0]) =>
        overlaps([low, high], [least, most]) || overlaps([-high, -low], [least, most]),
    );
  const listNamedResults = (parts: readonly Quantity[]) =>
    claims.flatMap((one) => computeResult(operation, parts, one) ?? []);
  const named = chosen.flatMap(listNamedResults);
  const nearest = named.toSorted((one, other) => findDistance(one, claim) - findDistance(other, claim))[0];
  if (nearest === undefined || !isCredibleValue(nearest, claim)) return undefined;
  const isExcused =
    named.some(fits) ||
    chosen.some((parts) => listPossibleResults(calculation, parts).some(fits)) ||
    chosen.some((parts) =>
      listVariants(operation, parts, others).some((some) => listNamedResults(some).some(fits)),
    );
  return isExcused ? undefined : `${nearest.formula} is ${formatResult(nearest, claim)}`;
}

/**
 * The maximum number of combinations of operands that are tried. Few combinations are enough, because a figure seldom has more than one
 * meaning in a text.
 */
const mostTuples = 27;

function combineOperands(operands: readonly (readonly Quantity[])[]): readonly (readonly Quantity[])[] {
  const count = operands.reduce((product, { length }) => product * length, 1);
  if (count > mostTuples) return [operands.flatMap(([first]) => first ?? [])];
  return operands.reduce<readonly (readonly Quantity[])[]>(
    (tuples, some) => tuples.flatMap((tuple) => some.map((one) => [...tuple, one])),
    [[]],
  );
}

function findUnit(figure: Quantity): number {
  return isRate(figure) ? 0.01 : 1;
}

function toResult(figure: Quantity): CalculatedValue {
  const [low, high] = findInterval(figure);
  const unit = findUnit(figure);
  return { interval: [low * unit, high * unit], value: figure.value * unit, formula: figure.shown };
}

type IntervalStep = (one: number, other: number) => number;

function joinResults(
  one: CalculatedValue,
  other: CalculatedValue,
  step: IntervalStep,
  formula: string,
): CalculatedValue {
  return {
    interval: combineIntervals(one.interval, other.interval, step),
    value: step(one.value, other.value),
    formula,
  };
}

function combineFigures(
  parts: readonly Quantity[],
  step: IntervalStep,
  sign: string,
): CalculatedValue | undefined {
  const [first, ...rest] = parts.map(toResult);
  return rest.reduce<CalculatedValue | undefined>(
    (one, other) => one && joinResults(one, other, step, `${one.formula} ${sign} ${other.formula}`),
    first,
  );
}

const add: IntervalStep = (one, other) => one + other;
const multiply: IntervalStep = (one, other) => one * other;

/**
 * Applies the model's operation to the operands in the given order. Returns `undefined` if the kinds of the operands do not allow the
 * operation.
 */
function computeResult(
  operation: Arithmetic,
  parts: readonly Quantity[],
  claim: Quantity,
): CalculatedValue | undefined {
  const [one, other, third] = parts;
  if (one === undefined) return undefined;
  const isRatio = claim.kind !== "money";
  const areTerms = parts.length > 1 && parts.every((part) => isSameKind(part, claim));
  const areTwins = other !== undefined && isSameKind(one, other);
  switch (operation) {
    case "change_percent":
      return areTwins && isShare(claim) ? computeChange(one, other, claim) : undefined;
    case "yearly_percent":
      return areTwins && isShare(claim) && third?.kind === "count"
        ? computeGrowth(one, other, third)
        : undefined;
    case "share_percent":
    case "multiple":
      return areTwins && isRatio ? divideQuantities(one, other) : undefined;
    case "portion":
      return other !== undefined && isShare(one) && isSameKind(other, claim)
        ? joinResults(toResult(one), toResult(other), multiply, `${one.shown} of ${other.shown}`)
        : undefined;
    case "changed_by":
      return other !== undefined && isPercent(other) && isSameKind(one, claim)
        ? pickNearer(claim, applyChange(one, other, 1), applyChange(one, other, -1))
        : undefined;
    case "sum":
      return areTerms ? combineFigures(parts, add, "+") : undefined;
    case "difference":
      return areTerms ? combineFigures(parts, (whole, part) => whole - part, "less") : undefined;
    case "average": {
      const total = areTerms ? combineFigures(parts, add, "+") : undefined;
      const names = parts.map(({ shown }) => shown).join(", ");
      return total && multiplyValue(total, 1 / parts.length, `the average of ${names}`);
    }
    case "product":
      return other !== undefined && isSameCurrency(claim, parts, [])
        ? combineFigures(parts, multiply, "×")
        : undefined;
    case "quotient":
      return other !== undefined && isSameCurrency(claim, [one], [other])
        ? divideQuantities(one, other)
        : undefined;
    case "per_period":
      return isSameKind(one, claim) ? listPeriods(one).reduce((a, b) => pickNearer(claim, a, b)) : undefined;
  }
}

/** Whether a figure is a share of something, in percent or as a multiple. */
function isShare(figure: Quantity): boolean {
  return isRate(figure) || figure.kind === "multiple";
}

/**
 * Dollars multiplied by a number of pieces give dollars, and dollars divided by dollars give a number without a currency. If a
 * calculation's figures have two different currencies, one of the figures is an exchange rate.
 */
function isSameCurrency(
  claim: Quantity,
  numerators: readonly Quantity[],
  denominators: readonly Quantity[],
): boolean {
  const listMoney = (some: readonly Quantity[]) => some.filter(({ kind }) => kind === "money");
  const currencies = new Set(
    listMoney([claim, ...numerators, ...denominators]).map(({ currency }) => currency),
  );
  if (currencies.size > 1) return true;
  const power = listMoney(numerators).length - listMoney(denominators).length;
  // A multiplication gives a percentage or a multiple only if all its factors are percentages or multiples.
  if (denominators.length === 0 && numerators.every(isShare) !== isShare(claim)) return false;
  return power === listMoney([claim]).length;
}

function multiplyValue(
  { interval: [low, high], value }: CalculatedValue,
  factor: number,
  formula: string,
): CalculatedValue {
  return { interval: [low * factor, high * factor], value: value * factor, formula };
}

function divideQuantities(one: Quantity, other: Quantity): CalculatedValue | undefined {
  const [top, bottom] = [toResult(one), toResult(other)];
  if (bottom.interval[0] <= 0) return undefined;
  return joinResults(top, bottom, (x, y) => x / y, `${one.shown} ÷ ${other.shown}`);
}

function computeChange(from: Quantity, to: Quantity, claim: Quantity): CalculatedValue | undefined {
  const grown = divideQuantities(to, from);
  if (grown === undefined) return undefined;
  const less = claim.kind === "multiple" ? 0 : 1;
  const [low, high] = grown.interval;
  return {
    interval: [low - less, high - less],
    value: grown.value - less,
    formula: `from ${from.shown} to ${to.shown}`,
  };
}

function computeGrowth(from: Quantity, to: Quantity, years: Quantity): CalculatedValue | undefined {
  const grown = divideQuantities(to, from);
  if (grown === undefined || grown.interval[0] <= 0 || years.value < 1) return undefined;
  const computeRate = (x: number) => x ** (1 / years.value) - 1;
  const [low, high] = grown.interval;
  const formula = `from ${from.shown} to ${to.shown} in each of ${years.shown} years`;
  return { interval: [computeRate(low), computeRate(high)], value: computeRate(grown.value), formula };
}

function applyChange(whole: Quantity, part: Quantity, sign: 1 | -1): CalculatedValue {
  const formula = `${whole.shown} ${sign === 1 ? "and" : "less"} ${part.shown} of it`;
  return joinResults(toResult(whole), toResult(part), (x, y) => x * (1 + sign * y), formula);
}

/** The factors between two periods, such as 12 between a month and a year. */
const lengths = [2, 3, 4, 5, 6, 7, 9, 12, 13, 24, 26, 30, 31, 52, 60, 90, 91, 92, 250, 252, 360, 365];

function listPeriods(figure: Quantity): readonly CalculatedValue[] {
  return lengths.flatMap((count) => [
    multiplyValue(toResult(figure), count, `${figure.shown} × ${count}`),
    multiplyValue(toResult(figure), 1 / count, `${figure.shown} ÷ ${count}`),
  ]);
}

/** The distance between a result and the claimed figure, as a logarithm of their ratio. */
function findDistance({ value }: CalculatedValue, claim: Quantity): number {
  const size = Math.abs(value / toResult(claim).value);
  return size > 0 ? Math.abs(Math.log(size)) : Number.POSITIVE_INFINITY;
}

function pickNearer(claim: Quantity, one: CalculatedValue, other: CalculatedValue): CalculatedValue {
  return findDistance(one, claim) <= findDistance(other, claim) ? one : other;
}

/**
 * The maximum distance of the calculated result from the article's figure. If the calculated result and the article's figure differ by more
 * than this maximum, the model has chosen a wrong operand, unless only the decimal point or the scale is wrong.
 */
const farthest = Math.log(6);

function isCredibleValue(result: CalculatedValue, claim: Quantity): boolean {
  const away = findDistance(result, claim);
  const tens = away / Math.log(10);
  return away <= farthest || (tens < 9.5 && Math.abs(tens - Math.round(tens)) < 0.02);
}

function formatResult({ value }: CalculatedValue, claim: Quantity): string {
  if (claim.kind === "points") return `${Number((100 * value).toFixed(2))} percentage points`;
  if (isPercent(claim)) return writeFigure(100 * value, { ...claim, kind: "percent" });
  return claim.kind === "multiple" ? `${writeFigure(value, claim)} times` : writeFigure(value, claim);
}

/**
 * Lists the results of all possible calculations with the figures of a listed calculation. Two or three figures are tried in every order;
 * more than three figures are tried only in the given and in the reverse order.
 */
function listPossibleResults(
  { claim }: ListedResult,
  parts: readonly Quantity[],
): readonly CalculatedValue[] {
  const orders = parts.length <= 3 ? listPermutations(parts) : [parts, parts.toReversed()];
  const some = Arithmetic.options.filter((one) => one !== "per_period");
  return orders.flatMap((order) => [
    ...some.flatMap((one) => computeResult(one, order, claim) ?? []),
    ...listUnnamedResults(order),
  ]);
}

function listPermutations(parts: readonly Quantity[]): readonly (readonly Quantity[])[] {
  if (parts.length < 2) return [parts];
  return parts.flatMap((one, at) => listPermutations(parts.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}

/**
 * Lists the results of calculations that the prompt does not name, such as the share of one figure in a sum. The operands are the given
 * figures.
 */
function listUnnamedResults([one, other, third]: readonly Quantity[]): readonly CalculatedValue[] {
  if (one === undefined) return [];
  const mine = toResult(one);
  if (other === undefined)
    return isShare(one) ? [joinResults(mine, mine, (x) => 1 - x, "")] : listPeriods(one);
  const [theirs, of] = [
    toResult(other),
    (step: IntervalStep) => joinResults(mine, toResult(other), step, ""),
  ];
  const isWhole = theirs.interval[0] > 0 && mine.interval[0] >= 0;
  const last = third === undefined ? undefined : toResult(third);
  return [
    // An article may also calculate two results from two figures: the share of one figure in the sum of both, or the change from one figure
    // to the other.
    ...(isWhole ? [of((x, y) => x / (x + y)), of((x, y) => 1 - x / y), of((x, y) => x / y - 1)] : []),
    // From a figure and a percentage, an article may also calculate the whole, if the figure is this percentage of the whole. If the
    // percentage is a change, the article may calculate the earlier figure and the amount of the change.
    ...(isShare(other) && isWhole
      ? [
          of((x, y) => x / y),
          of((x, y) => x / (1 + y)),
          of((x, y) => x - x / (1 + y)),
          of((x, y) => (1 + x) * (1 + y) - 1),
          of((x, y) => x * (y - 1)),
          ...(theirs.interval[1] < 1 ? [of((x, y) => x / (1 - y)), of((x, y) => x / (1 - y) - x)] : []),
        ]
      : []),
    ...(last !== undefined && last.interval[0] > 0
      ? [add, multiply, (x: number, y: number) => x - y].flatMap((step) => [
          joinResults(of(step), last, (x, y) => x / y, ""),
          joinResults(of(step), last, multiply, ""),
          joinResults(of(step), last, (x, y) => x - y, ""),
        ])
      : []),
    ...(last !== undefined && isShare(other) && isShare(one)
      ? [
          joinResults(
            of((x, y) => (1 + x) * (1 + y)),
            last,
            (x, y) => x * (1 + y) - 1,
            "",
          ),
        ]
      : []),
  ];
}

/**
 * Lists variants of the operands: one operand is replaced by another figure of the same kind from the same sentences, or a sum, an average
 * or a difference gets one more figure.
 */
function listVariants(
  operation: Arithmetic,
  parts: readonly Quantity[],
  others: readonly Quantity[],
): readonly (readonly Quantity[])[] {
  const [first] = parts;
  const swapped = parts.flatMap((part, at) =>
    others.filter((other) => isSameKind(part, other)).map((other) => parts.with(at, other)),
  );
  const isTotal = operation === "sum" || operation === "average" || operation === "difference";
  const longer = others.flatMap((other) =>
    first !== undefined && isTotal && isSameKind(first, other) ? [[...parts, other]] : [],
  );
  return [...swapped, ...longer];
}

const isPercent = ({ kind }: Quantity) => kind === "percent";

const isRate = ({ kind }: Quantity) => kind === "percent" || kind === "points";

/**
 * Whether two figures may be compared. A percentage may be compared with points, but points in two different units may not be compared with
 * each other.
 */
function isSameKind(one: Quantity, other: Quantity): boolean {
  const areRates = (isPercent(one) || isPercent(other)) && isRate(one) && isRate(other);
  return areRates || (one.kind === other.kind && one.currency === other.currency);
}
