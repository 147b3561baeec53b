import { type Passage, quantitiesOf, sentenceOf, sentenceText } from "../passage.ts";
import type { Quantity } from "../quantity.ts";

/** A figure that does not follow from the figures beside it, and the calculation that shows it. */
export type Slip = {
  readonly claim: Quantity;
  readonly shown: string;
  /** The calculation says both sides itself. */
  readonly isWhole?: boolean;
  /** The grammar leaves no other reading: figures beside it do not explain the claim. */
  readonly isBound?: boolean;
  /** The figures that it is calculated from are guessed: an editor looks, and nothing is stopped. */
  readonly isGuess?: boolean;
};

const steps = [
  [1e12, " trillion"],
  [1e9, " billion"],
  [1e6, " million"],
] as const;
const signs: Readonly<Record<string, string>> = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹" };

/** A result as the text would write it: "$4.9 billion". */
export function shown(value: number, { kind, currency }: Pick<Quantity, "kind" | "currency">): string {
  if (kind === "percent") return `${trimmed(value)}%`;
  const [size, name] = steps.find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  const number = size === 1 ? trimmed(value) : trimmed(value / size);
  const sign = kind === "money" ? (signs[currency] ?? `${currency} `) : "";
  return `${sign}${number}${name}`;
}

function trimmed(value: number): string {
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/** Some sentences that follow each other, with their quantities. */
export type Window = { readonly text: string; readonly all: readonly Quantity[] };

/** The sentence of a figure and the ones before it, as many as asked for. */
export function windowBefore(passage: Passage, claim: Quantity, sentences: number): Window {
  const last = sentenceOf(passage, claim);
  const numbers = Array.from({ length: sentences + 1 }, (_, back) => last - back)
    .filter((number) => number >= 0)
    .toReversed();
  return {
    text: numbers.map((number) => sentenceText(passage, number)).join(" "),
    all: numbers.flatMap((number) => quantitiesOf(passage, number)),
  };
}

export function isAmount({ kind }: Quantity): boolean {
  return kind === "money" || kind === "count";
}

/** The words of the claim's clause before and after it, to the next comma or the next figure. */
export function wordsBeside({ text, quantities }: Passage, { start, end }: Quantity): string {
  const previous = quantities.findLast((one) => one.end <= start)?.end ?? 0;
  const next = quantities.find((one) => one.start >= end)?.start ?? text.length;
  const ahead =
    text
      .slice(Math.max(previous, start - 80), start)
      .split(/[,;:(]|[.!?] /)
      .at(-1) ?? "";
  const after = text.slice(end, Math.min(next, end + 80)).split(/[,;:)]|[.!?](?: |$)/)[0] ?? "";
  return `${ahead} … ${after}`;
}

/** The only one of some figures; `undefined` when there are none or several values. */
export function onlyOne(found: readonly Quantity[]): Quantity | undefined {
  const [first, ...others] = found;
  return first !== undefined && others.every(({ value }) => value === first.value) ? first : undefined;
}

/** Of another author, another time or another world: nothing that the text works out from its own figures. */
export const isSupposed =
  /\b(?:if|would|could|might|suppose|assum\w+|imagine|analysts?|consensus|forecasts?|guidance|targets?|hypothetical\w*)\b/i;
