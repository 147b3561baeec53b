/** A quantity is a number in a text, together with its unit. Years, days and version numbers are not quantities. */
export type QuantityKind = "money" | "percent" | "points" | "multiple" | "count";

/**
 * A number as a reader understands it. The field `value` of a number is in whole units (dollars rather than millions of dollars); the value
 * of a percentage is the number as written.
 */
export type Quantity = {
  readonly shown: string;
  /** The position of the number in its text. */
  readonly start: number;
  readonly end: number;
  readonly kind: QuantityKind;
  /** The currency of an amount of money, a code such as `USD`. */
  readonly currency: string;
  readonly value: number;
  /** The uncertainty of a number: half a unit of its last written digit, so "12.4 billion" may be 12.35 to 12.45 billion. */
  readonly slack: number;
  readonly hedge: Hedge | undefined;
  /** The thing or the period to which a rate refers, such as `share` in "$3 per share", or `month` in "$3 a month". */
  readonly per: string | undefined;
  /** The thing that a number counts, in the singular, such as `car`. */
  readonly noun: string | undefined;
  /**
   * Whether the number has no currency, scale or unit of its own. A number without a currency, scale or unit takes the currency, scale and
   * unit of the number with which it is compared.
   */
  readonly isBare: boolean;
};

export type Hedge = "about" | "over" | "under";

/** The factor for a scale word or letter after a number, such as "million" or "k". */
export const scales: Readonly<Record<string, number>> = {
  hundred: 1e2,
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  mn: 1e6,
  mln: 1e6,
  m: 1e6,
  billion: 1e9,
  bn: 1e9,
  b: 1e9,
  trillion: 1e12,
  tn: 1e12,
  t: 1e12,
};

export function parseNumber(written: string): number {
  const plainDigits = /^\d+,\d{1,2}$/.test(written) ? written.replace(",", ".") : written.replaceAll(",", "");
  return Number(plainDigits);
}

/**
 * Half a unit in the place of a number's last written digit. Zeros at the end of a whole number may come from rounding, so the uncertainty
 * of such a number is up to an eightieth of the number.
 */
export function computeRounding(written: string, kind: QuantityKind): number {
  const decimals = /[.,](\d+)$/.exec(/,\d{3}$/.test(written) ? "" : written)?.[1]?.length ?? 0;
  if (decimals > 0) return 0.5 * 10 ** -decimals;
  if (kind === "percent" || kind === "points") return 0.5;
  const zeros = /0*$/.exec(written.replaceAll(",", ""))?.[0].length ?? 0;
  const value = parseNumber(written);
  return Math.max(0.5, Math.min(0.5 * 10 ** zeros, value / 80));
}

export function makeSingular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}

/** The lowest and the highest value that a number can mean. */
export type Interval = readonly [low: number, high: number];

/** The interval of values that a quantity can mean, found from its digits and the words around the number. */
export function findInterval({ value, slack, hedge }: Quantity): Interval {
  const size = Math.abs(value);
  const exact: Interval = [value - slack, value + slack];
  if (hedge === "about")
    return [Math.min(exact[0], value - 0.06 * size), Math.max(exact[1], value + 0.06 * size)];
  if (hedge === "over") return [exact[0], value + 0.25 * size + slack];
  if (hedge === "under") return [value - 0.15 * size - slack, exact[1]];
  return exact;
}

export function overlaps([low, high]: Interval, [otherLow, otherHigh]: Interval): boolean {
  const rounding = 1e-9 * Math.max(Math.abs(high), Math.abs(otherHigh));
  return low <= otherHigh + rounding && otherLow <= high + rounding;
}

/** The smallest interval that contains every result of an operation on two intervals; the operation must be monotonic in each operand. */
export function combineIntervals(
  one: Interval,
  other: Interval,
  operation: (one: number, other: number) => number,
): Interval {
  const corners = one.flatMap((left) => other.map((right) => operation(left, right)));
  return [Math.min(...corners), Math.max(...corners)];
}

/** Whether two quantities are of the same kind, so that they can be compared, added and divided. */
export function areComparable(one: Quantity, other: Quantity): boolean {
  if (one.kind !== other.kind || one.currency !== other.currency) return false;
  if ((one.per ?? other.per) !== (other.per ?? one.per)) return false;
  return (
    one.noun === undefined || other.noun === undefined || one.noun === other.noun || one.kind !== "count"
  );
}

const time = /^(?:minute|hour|day|week|month|quarter|year|decade)$/;

/** In "from 12.4 to 13.1 billion" the number without a unit (12.4) takes the unit of the number with which it is compared. */
export function borrowUnit(one: Quantity, other: Quantity): Quantity {
  // In "$20.0 billion, against 16.0 billion" the second number has a scale, but neither a currency nor a counted thing.
  const isScaled =
    one.kind === "count" && one.noun === undefined && one.per === undefined && findScale(one) >= 1e6;
  if (isScaled && other.kind === "money" && findScale(other) >= 1e6) {
    const ratio = Math.abs(one.value / other.value);
    return ratio > 20 || ratio < 0.05 ? one : { ...one, kind: "money", currency: other.currency };
  }
  if (!one.isBare || other.isBare || time.test(one.noun ?? "")) return one;
  // A number such as "58 analysts" cannot be an amount of dollars.
  if (
    one.noun?.length &&
    /^\d+$/.test(one.shown) &&
    other.kind === "money" &&
    /(?:er|or|st|ee|le|unit|share|car|store|shop)$/.test(one.noun)
  )
    return one;
  const factor = findScale(other);
  const size = Math.abs(one.value / (other.value / factor));
  if (size > 20 || size < 0.05) return one;
  return {
    ...one,
    kind: other.kind,
    currency: other.currency,
    value: one.value * factor,
    slack: (one.slack || computeRounding(one.shown, other.kind)) * factor,
    noun: undefined,
    isBare: false,
  };
}

/** The factor that a quantity's scale word stands for, such as a million for "$3 million". */
export function findScale({ shown, kind }: Quantity): number {
  const [, word = ""] =
    /(\p{L}+)\W*(?:dollars?|euros?|pounds?|yen|yuan|renminbi|won|rupees?|francs?|kroner?|kronor|krona|usdg?|eur|gbp|chf)?$/u.exec(
      shown,
    ) ?? [];
  return kind === "percent" || kind === "points"
    ? 1
    : (scales[word.toLowerCase().replace(/illions$/, "illion")] ?? 1);
}
