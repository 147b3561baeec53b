import {
  between,
  isLinked,
  lead,
  type Passage,
  quantitiesOf,
  sentenceOf,
  sentenceText,
  tail,
} from "../passage.ts";
import { areAlike, likened, type Quantity } from "../quantity.ts";

/** Two figures of one thing at two times, and the stretch of text that gives them. */
export type Pair = {
  readonly old: Quantity;
  readonly young: Quantity;
  readonly start: number;
  readonly end: number;
  /** What the words that join the two say of the direction. */
  readonly said: "up" | "down" | undefined;
};

const few = String.raw`(?: (?!and\b|or\b)[\p{L}'’-]+){0,4} ?[(]?$`;
const fromBefore = new RegExp(String.raw`\bfrom${few}`, "iu");
const toBetween = new RegExp(String.raw`(?:^|\b)to${few}|->|→`, "iu");
const comparing = new RegExp(
  String.raw`\b(?:from|against|compare[sd]? (?:with|to)|versus|vs\.?|instead of|rather than|where it (?:had been|was)|(?:higher|lower|more|less|fewer|larger|smaller) than|up on|down on|… (?:below|above|under|beneath|short of|off))${few}|\bafter (?:about |the )?$`,
  "iu",
);
const comparedWith = /\b(?:than|above|below|against|versus)(?: [\p{L}'’]+){0,2} $/iu;
/** Words that put a figure into an earlier time. */
export const earlier =
  /\b(?:(?:a|one|two|three|twelve|six) (?:years?|quarters?|months?|weeks?|decades?) (?:earlier|ago|before|prior)|(?:last|the previous|the prior|the preceding|the) (?:year|quarter|month) (?:before|earlier)|(?:last|the previous|the prior|the preceding) (?:year|quarter|month)|the same (?:quarter|period|month|time) (?:of )?(?:a year|last year|the year|one year|the previous year|\d{4})|(?:prior|year-ago|year-earlier|prior-year)(?: (?:quarter|period|figure))?)\b/i;
const sameTime = /\b(?:analysts|consensus|estimates?|expected|forecasts?|guidance|target)\b/i;
const timeAfter = /^ (?:a year|the year) (?:earlier|before|ago)\b/;
const year = /^,? (?:in|during|for) (?:fiscal )?(?:the )?(?:\w+ (?:quarter )?(?:of )?)?((?:19|20)\d\d)\b/i;

/** The pairs that the text itself joins: "from A to B", "B against A", "A in 2024 and B in 2025", "B. A year earlier it was A". */
export function pairsIn(passage: Passage): readonly Pair[] {
  return passage.quantities.flatMap((one, at) => {
    if (!isComparable(one)) return [];
    // Percentages and multiples may stand between the two: "to A, up 8% from B".
    const others = passage.quantities
      .slice(at + 1, at + 4)
      .filter(isComparable)
      .slice(0, 2);
    return others.flatMap((other) => pairOf(passage, one, other) ?? []).slice(0, 1);
  });
}

function isComparable({ kind, shown }: Quantity): boolean {
  if (/^one\b/i.test(shown)) return false;
  return kind === "money" || kind === "count" || kind === "percent";
}

function pairOf(passage: Passage, first: Quantity, second: Quantity): Pair | undefined {
  const one = likened(first, second);
  const other = likened(second, first);
  if (!areAlike(one, other)) return undefined;
  if ([one, other].some((level) => isStep(passage, level))) return undefined;
  const gap = between(passage, one, other);
  if (gap.length > 140) return undefined;
  const across = sentenceOf(passage, other) - sentenceOf(passage, one);
  const order =
    across === 0
      ? orderWithin(passage, one, other, gap)
      : across === 1
        ? orderAcross(passage, other, gap)
        : undefined;
  if (order === undefined) return undefined;
  const [old, young] = order === "rising" ? [one, other] : [other, one];
  return {
    old,
    young,
    start: first.start,
    end: second.end,
    said: directionOf(passage, first, gap, order),
  };
}

/** "An increase of 120 million" is no level; one percentage may be compared with another, whatever it is of. */
function isStep(passage: Passage, one: Quantity): boolean {
  return (
    one.kind !== "percent" &&
    /\b(?:increase|rise|gain|growth|jump|decrease|decline|drop|fall|reduction|change|difference) of (?:(?:about|around|roughly|some|nearly|almost) )?$/i.test(
      lead(passage, one),
    )
  );
}

/** `rising`: the first is the older one. */
type Order = "rising" | "falling in time";

function orderWithin(passage: Passage, one: Quantity, other: Quantity, _gap: string): Order | undefined {
  const joint = withoutFigures(passage, one, other);
  if (/[;]/.test(joint) || sameTime.test(joint)) return undefined;
  if (fromBefore.test(lead(passage, one)) && toBetween.test(joint)) return "rising";
  // "Which makes more than $75 billion" compares nothing.
  if (
    /\b(?:makes?|made|is|was|are|were|to|of|at|for|with|reach\w*) (?:more|less|fewer) than (?:about )?$/i.test(
      joint,
    )
  )
    return undefined;
  // "More than the $82 billion of spring and 95% more than the $46 billion of last year": both are compared with a third.
  if (comparing.test(joint) && comparedWith.test(lead(passage, one))) return undefined;
  if (comparing.test(joint) && !sameTime.test(tail(passage, other))) return "falling in time";
  const before = year.exec(tail(passage, one))?.[1];
  const after = year.exec(tail(passage, other))?.[1];
  if (before !== undefined && after !== undefined && before !== after)
    return isLinked(joint.replace(year, "")) ? (before < after ? "rising" : "falling in time") : undefined;
  // "A a year ago and B now", "B, and A a year ago": nothing else may stand between the two.
  if (!isLinked(joint.replace(earlier, "").replace(/^[^,]{0,40},/, ""))) return undefined;
  if (earlier.test(tail(passage, one).split(/,|\band\b/)[0] ?? "")) return "rising";
  return earlier.test(joint.split(/,| and /).at(-1) ?? "") || timeAfter.test(tail(passage, other))
    ? "falling in time"
    : undefined;
}

/** "B was sold. A year earlier it was A": the second sentence begins with the earlier time. */
function orderAcross(passage: Passage, other: Quantity, gap: string): Order | undefined {
  const opening = gap.split(/[.!?]["')\]]* /).at(-1) ?? "";
  if (opening.length > 80 || sameTime.test(opening)) return undefined;
  const told = opening.split(",")[0] ?? "";
  const isEarlier = earlier.test(told) || timeAfter.test(tail(passage, other));
  return isEarlier &&
    /\b(?:it|that|the figure|they|the (?:same )?(?:number|total|sum))\b|earlier,? $/i.test(opening)
    ? "falling in time"
    : undefined;
}

function withoutFigures(passage: Passage, one: Quantity, other: Quantity): string {
  const inner = passage.quantities.filter(({ start, end }) => start >= one.end && end <= other.start);
  return inner.reduceRight(
    (gap, { start, end }) => `${gap.slice(0, start - one.end)}…${gap.slice(end - one.end)}`,
    between(passage, one, other),
  );
}

const rising =
  /\b(?:r[io]se[ns]?|rising|gr[eo]ws?|growing|grown|climb(?:s|ed|ing)?|jump(?:s|ed|ing)?|surg(?:es?|ed|ing)|increas(?:es?|ed|ing)|up|raised|lifted|advanc(?:es?|ed)|gain(?:s|ed)?|expand(?:s|ed)?|widened|swell(?:s|ed)?)\b/i;
const falling =
  /\b(?:f[ae]lls?|fallen|falling|dropp?(?:s|ed|ing)?|declin(?:es?|ed|ing)|decreas(?:es?|ed|ing)|shr[aiu]nk(?:s|ing)?|slid|slipp?(?:s|ed)?|(?<!\b(?:put|puts|putting|comes|came|boils|boiled|written) )down|cut|lowered|plung(?:es?|ed)|slump(?:s|ed)?|tumbl(?:es?|ed)|narrowed)\b/i;

/** Only verbs that stand right at the pair: "rose from A to B", "rose 8% to B from A", "B, up from A". */
function directionOf(passage: Passage, one: Quantity, gap: string, order: Order): Pair["said"] {
  const ahead =
    passage.text
      .slice(Math.max(0, one.start - 50), one.start)
      .split(/[,;.] /)
      .at(-1) ?? "";
  const told =
    order === "rising"
      ? (/(\p{L}+)(?: [\p{L}]+ly)?(?: by)?(?: [\d.,]+ ?(?:%|percent))?,? from(?: \p{L}+){0,2} ?$/iu.exec(
          ahead,
        )?.[1] ?? "")
      : `${/(\p{L}+)(?: [\p{L}]+ly)?(?: by)?(?: [\d.,]+ ?(?:%|percent))?,? to(?: \p{L}+){0,2} ?$/iu.exec(ahead)?.[1] ?? ""} ${/\b(up|down)(?: [\d.,]+ ?(?:%|percent))? (?:from|on) /i.exec(gap)?.[1] ?? ""}`;
  const isUp = rising.test(told);
  return isUp === falling.test(told) ? undefined : isUp ? "up" : "down";
}

/** Whether the words beside a figure say that something became more (`up`) or less. */
export function directionWord(text: string): Pair["said"] {
  const isUp =
    rising.test(text) ||
    /\b(?:more|higher|larger|bigger|gain|growth|rise|increase|jump|surge|above|extra)\b/i.test(text);
  const isDown =
    falling.test(text) ||
    /\b(?:less|lower|smaller|fewer|drop|decline|decrease|fall|loss|reduction|below|shortfall)\b/i.test(text);
  return isUp === isDown ? undefined : isUp ? "up" : "down";
}

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
