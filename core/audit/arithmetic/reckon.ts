import { combined, type Interval, intervalOf, likened, type Quantity } from "../quantity.ts";

/** What figures are calculated to. */
export type Act = "sum" | "rest" | "share" | "change" | "ratio" | "product" | "quotient" | "growth";

/** One calculation with figures that a text gives, and what it comes to. */
export type Reading = {
  readonly act: Act;
  /** The figures that it uses. */
  readonly parts: readonly Quantity[];
  readonly interval: Interval;
  readonly value: number;
  readonly shown: string;
  /** It would explain a figure, but a text that means it says more. */
  readonly isRemote: boolean;
};

const time = /^(?:minute|hour|day|week|month|quarter|year|decade|season|night|weekend)$/;
export const isTime = ({ noun, kind }: Quantity) => kind === "count" && time.test(noun ?? "");
export const isSum = (one: Quantity) => (one.kind === "money" || one.kind === "count") && !isTime(one);
export const isPart = ({ kind }: Quantity) => kind === "percent" || kind === "fraction";

export function isSame(one: Quantity, other: Quantity): boolean {
  return (
    (isPart(one) && (isPart(other) || other.kind === "points")) ||
    (one.kind === other.kind && one.currency === other.currency)
  );
}

/** Everything of the claim's kind that some figures of a text may be calculated to; `clause` has the claim's words. */
export function readingsOf(
  claim: Quantity,
  near: readonly Quantity[],
  window: string,
  clause: string,
): readonly Reading[] {
  const pairs = near.flatMap((one, at) => near.slice(at + 1).map((other) => [one, other] as const));
  const years = near.filter(({ noun, value }) => noun === "year" && value >= 2 && value <= 40);
  const found = [
    ...near.flatMap((one) => ofOne(claim, one, years)),
    ...pairs.flatMap(([one, other]) => readingsOfTwo(claim, one, other, years)),
    ...sums(claim, near),
  ];
  if (!isSum(claim)) return found;
  const alike = near.filter((one) => !isTime(one) && isSame(one, claim)).map((one) => plainly(one));
  const periods = periodsIn(window, clause);
  return [
    ...found,
    ...[...alike, ...found].flatMap((one) =>
      periods.flatMap((factor) => [times(one, factor), times(one, 1 / factor)]),
    ),
  ];
}

/** What two figures may be calculated to, in either order. */
export function readingsOfTwo(
  claim: Quantity,
  one: Quantity,
  other: Quantity,
  years: readonly Quantity[] = [],
): readonly Reading[] {
  return [
    ...quotients(claim, one, other, years),
    ...quotients(claim, other, one, years),
    ...products(claim, one, other),
    ...products(claim, other, one),
  ];
}

function plainly(one: Quantity): Reading {
  return {
    act: "product",
    parts: [one],
    interval: intervalOf(one),
    value: one.value,
    shown: one.shown,
    isRemote: false,
  };
}

const periodWords = {
  year: /\b(?:years?|annual\w*|yearly)\b/i,
  half: /\bhal(?:f|ves)\b/i,
  quarter: /\bquarter/i,
  month: /\bmonth/i,
  week: /\bweek/i,
  day: /\b(?:days?|daily)\b/i,
  hour: /\bhour/i,
} as const;

const inPeriods: readonly (readonly [
  keyof typeof periodWords,
  keyof typeof periodWords,
  readonly number[],
])[] = [
  ["year", "half", [2]],
  ["year", "quarter", [4]],
  ["year", "month", [12]],
  ["year", "week", [52]],
  ["year", "day", [250, 252, 360, 365]],
  ["quarter", "month", [3]],
  ["quarter", "week", [13]],
  ["quarter", "day", [90, 91, 92]],
  ["month", "week", [4]],
  ["month", "day", [30, 31]],
  ["week", "day", [5, 7]],
  ["day", "hour", [24]],
];

/** How many of a shorter period a longer one has, where the text speaks of both and the figure's clause of one. */
export function periodsIn(window: string, clause: string): readonly number[] {
  return inPeriods.flatMap(([long, short, factors]) => {
    const [one, other] = [periodWords[long], periodWords[short]];
    const isTold = one.test(window) && other.test(window);
    return isTold && (one.test(clause) || other.test(clause)) ? factors : [];
  });
}

function times(one: Reading, factor: number): Reading {
  const isDivided = factor < 1;
  return {
    act: isDivided ? "quotient" : "product",
    parts: one.parts,
    interval: [one.interval[0] * factor, one.interval[1] * factor],
    value: one.value * factor,
    shown: isDivided ? `${one.shown} ÷ ${Math.round(1 / factor)}` : `${one.shown} × ${factor}`,
    isRemote: one.isRemote || one.parts.length > 1,
  };
}

/** Growth of so much in each of some years, and what a percentage leaves. */
function ofOne(claim: Quantity, one: Quantity, years: readonly Quantity[]): readonly Reading[] {
  if (!isPart(claim) || !isPart(one)) return [];
  const rest = applied("rest", one, (x) => 100 - x, `100% less ${one.shown}`, true);
  const compound = years
    .filter(({ value }) => value <= 10)
    .map(({ value }) =>
      applied(
        "growth",
        one,
        (x) => ((1 + x / 100) ** value - 1) * 100,
        `${one.shown} in each of ${value} years`,
      ),
    );
  return [rest, ...compound];
}

function applied(
  act: Act,
  one: Quantity,
  operation: (x: number) => number,
  text: string,
  isRemote = false,
): Reading {
  const ends = intervalOf(one).map(operation);
  return {
    act,
    parts: [one],
    interval: [Math.min(...ends), Math.max(...ends)],
    value: operation(one.value),
    shown: text,
    isRemote,
  };
}

/** Things of two kinds are not added up. */
function areOthers(one: Quantity, other: Quantity): boolean {
  return (
    one.kind === "count" &&
    one.noun !== undefined &&
    other.noun !== undefined &&
    one.noun !== other.noun &&
    one.value < 1e6
  );
}

/** A number without a unit takes the claim's only where one with it stands beside: "a little over 20 billion, and 29". */
function isBeside(part: Quantity, claim: Quantity, near: readonly Quantity[]): boolean {
  return (
    claim.isBare ||
    claim.kind === "count" ||
    [claim, ...near].some(
      (one) =>
        !one.isBare && isSame(one, claim) && Math.max(one.start - part.end, part.start - one.end) <= 40,
    )
  );
}

/** Sums of some figures of one kind, their average, and what the others leave of the largest. */
export function sums(claim: Quantity, near: readonly Quantity[]): readonly Reading[] {
  const alike = near
    .map((part) => ({ part, one: isBeside(part, claim, near) ? likened(part, claim) : part }))
    .filter(({ one }) => isSame(one, claim) && !isTime(one) && !areOthers(one, claim))
    .filter(({ one }) => Math.abs(one.value) > 0.002 * Math.abs(claim.value))
    .slice(-7);
  const masks = Array.from({ length: 2 ** alike.length }, (_, mask) => mask);
  return masks.flatMap((mask): readonly Reading[] => {
    const chosen = alike.filter((_, at) => (mask >> at) % 2 === 1);
    const [some, parts] = [chosen.map(({ one }) => one), chosen.map(({ part }) => part)];
    const largest = some.toSorted((one, other) => other.value - one.value)[0];
    if (largest === undefined || some.length < 2) return [];
    const others = some.filter((one) => one !== largest);
    const [all, less] = [totalOf(some), totalOf(others)];
    const isAll = some.length === alike.length;
    const names = some.map((one) => one.shown);
    const [low, high] = intervalOf(largest);
    const isRemote = !isAll && some.length !== 2;
    const mean = ([least, most]: Interval): Interval => [least / some.length, most / some.length];
    const rest: Reading = {
      act: "rest",
      parts,
      interval: [low - less.interval[1], high - less.interval[0]],
      value: largest.value - less.value,
      shown: `${largest.shown} less ${others.map((one) => one.shown).join(" and ")}`,
      isRemote,
    };
    return [
      {
        ...all,
        act: "sum",
        parts,
        shown: names.join(" + "),
        isRemote: isRemote || (isPart(claim) && some.length < 3),
      },
      {
        act: "quotient",
        parts,
        interval: mean(all.interval),
        value: all.value / some.length,
        shown: `the average of ${names.join(", ")}`,
        isRemote: !isAll || some.length < 3,
      },
      ...(less.value < largest.value ? [rest] : []),
      ...(isPart(claim)
        ? [
            {
              act: "rest",
              parts,
              interval: [100 - all.interval[1], 100 - all.interval[0]],
              value: 100 - all.value,
              shown: `100% less ${names.join(" and ")}`,
              isRemote: false,
            } as const,
          ]
        : []),
    ];
  });
}

/** The sum of some figures, and where it may lie. */
export function totalOf(all: readonly Quantity[]): { readonly value: number; readonly interval: Interval } {
  return {
    value: all.reduce((sum, one) => sum + one.value, 0),
    interval: all.map(intervalOf).reduce((one, other) => [one[0] + other[0], one[1] + other[1]], [0, 0]),
  };
}

function isSpelled({ kind, value, shown }: Quantity): boolean {
  return kind === "count" && value <= 20 && /^\p{L}+$/u.test(shown);
}

/** One figure by another, as far as their kinds allow. */
function quotients(
  claim: Quantity,
  top: Quantity,
  bottom: Quantity,
  years: readonly Quantity[],
): readonly Reading[] {
  // "Five numbers" are no part of 81 million households.
  const isTwin = isSum(top) && isSum(bottom) && ![top, bottom].some(isSpelled);
  const [over, under] =
    isTwin && !isSum(claim) ? [likened(top, bottom), likened(bottom, top)] : [top, bottom];
  if (intervalOf(over)[0] <= 0 || intervalOf(under)[0] <= 0) return [];
  const result = combined(intervalOf(over), intervalOf(under), (x, y) => x / y);
  const value = over.value / under.value;
  const parts = [top, bottom];
  const of = (act: Act, operation: (x: number) => number, isRemote = false): Reading => {
    const ends = result.map(operation);
    return {
      act,
      parts,
      interval: [Math.min(...ends), Math.max(...ends)],
      value: operation(value),
      shown: `${over.shown} ÷ ${under.shown}`,
      isRemote,
    };
  };
  const isAlike = isTwin && isSame(over, under);
  if (isPart(claim) || claim.kind === "points") {
    if (isPart(top) && isPart(bottom))
      return [
        of("share", (x) => 100 * x, true),
        of("change", (x) => 100 * Math.abs(x - 1), true),
        {
          act: "growth",
          parts,
          interval: combined(intervalOf(top), intervalOf(bottom), grown),
          value: grown(top.value, bottom.value),
          shown: `${top.shown} on top of ${bottom.shown}`,
          isRemote: false,
        },
      ];
    if (!isAlike) return [];
    if (value <= 1.001)
      return [
        of("share", (x) => 100 * x),
        of("share", (x) => 100 * (1 - x), true),
        of("share", (x) => (100 * x) / (1 + x), true),
        of("change", (x) => 100 * (1 - x)),
      ];
    const spans = years.length > 0 ? years.map((one) => one.value) : [2, 3, 4, 5, 6, 7, 8, 9, 10];
    return [
      of("change", (x) => 100 * (x - 1)),
      ...spans.map((span) => of("growth", (x) => 100 * (x ** (1 / span) - 1), years.length === 0)),
    ];
  }
  if (claim.kind === "multiple" || (claim.isBare && isAlike && claim.kind !== "count")) {
    if (!isAlike && !(isPart(top) && isPart(bottom))) return [];
    return value >= 1 || claim.value < 1 ? [of("ratio", (x) => x), of("ratio", (x) => x - 1, true)] : [];
  }
  if (!isSum(claim)) return [];
  if (claim.isBare && isTwin && isSame(likened(over, under), likened(under, over)))
    return [of("ratio", (x) => x), of("quotient", (x) => x, top.kind === "count")];
  const isForeign = top.kind === "money" && bottom.kind === "money" && claim.currency !== top.currency;
  const isPossible =
    claim.kind === "money"
      ? (top.kind === "money" &&
          top.currency === claim.currency &&
          (bottom.kind === "count" || (bottom.kind === "money" && bottom.currency !== top.currency))) ||
        (isForeign && bottom.currency === top.currency)
      : top.kind === bottom.kind;
  return isPossible ? [of("quotient", (x) => x, claim.kind === "count" && top.kind === "count")] : [];
}

function grown(one: number, other: number): number {
  return ((1 + one / 100) * (1 + other / 100) - 1) * 100;
}

/** So much or so many of one figure, as far as their kinds allow. */
function products(claim: Quantity, amount: Quantity, factor: Quantity): readonly Reading[] {
  if (!isSum(claim) || !isSum(amount) || (isSpelled(amount) && isSpelled(factor))) return [];
  const by = (operation: (x: number, y: number) => number, text: string, isRemote = false): Reading => ({
    act: "product",
    parts: [amount, factor],
    interval: combined(intervalOf(amount), intervalOf(factor), operation),
    value: operation(amount.value, factor.value),
    shown: text,
    isRemote,
  });
  const product = `${amount.shown} × ${factor.shown}`;
  if (amount.kind === "money" && factor.kind === "money")
    return amount.currency === factor.currency || amount.currency === claim.currency
      ? []
      : [by((x, y) => x * y, product, true)];
  if (!isSame(amount, claim)) return [];
  if (factor.kind === "multiple")
    return [
      by((x, y) => x * y, product),
      by((x, y) => x / y, product, true),
      by((x, y) => x * (y - 1), product, true),
    ];
  if (factor.kind === "count") return [by((x, y) => x * y, product, isTime(factor))];
  if (!isPart(factor)) return [];
  const remote = [
    (x: number, y: number) => (x * 100) / y,
    (x: number, y: number) => x * (1 + y / 100),
    (x: number, y: number) => x * (1 - y / 100),
    (x: number, y: number) => x / (1 + y / 100),
    (x: number, y: number) => x / (1 - y / 100),
    (x: number, y: number) => x - x / (1 + y / 100),
    (x: number, y: number) => x / (1 - y / 100) - x,
  ];
  return [
    by((x, y) => (x * y) / 100, `${factor.shown} of ${amount.shown}`),
    ...remote.map((operation) => by(operation, product, true)),
  ];
}
