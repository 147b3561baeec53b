import { between, lead, type Passage, sentenceOf, sentenceText, tail } from "../passage.ts";
import { areAlike, type Interval, intervalOf, likened, overlaps, type Quantity } from "../quantity.ts";
import { isAmount, isSupposed, type Slip, shown } from "./slip.ts";

/** What brings in the result of figures that were listed before it. */
const result =
  /\b(?:total\w*|sum\w*|add\w* up|together|combined|altogether|overall|as a whole|in all|all told|therefore|hence|thus|so|which (?:is|makes|gives|leaves)|that (?:is|makes|gives|leaves)|leav(?:es|ing)|mak(?:es?|ing)|giv(?:es?|ing)|com(?:es|ing) to|came to|amount(?:s|ing|ed) to|net (?:cash|debt))\b/i;
/** Of these one is enough for two terms; a longer list needs less. */
const addition =
  /\b(?:total(?:l?ed|s|ing)?|sums?|add\w* up|together|combined|altogether|in all|all told)\b|\b(?:that|which|this) makes\b/i;
/** What says that a figure is what lies between two others, before it and after it. */
const differenceAhead =
  /\b(?:net (?:cash|debt)|gap|difference|beat|miss|shortfall|surplus|lead|deficit)(?: (?!and\b|or\b)\p{L}+){0,3} $/iu;
const differenceBehind =
  /^ ?(?:(?!than\b)\p{L}+ ){0,2}(?:(?:more|fewer|less|higher|lower) than|above|below|short of|ahead of|apart)\b/iu;
const mean = /\b(?:average|averages|averaged|averaging|mean)\b/i;
/** The gap between two terms of a list: a name, no verb of change and no comparison. */
const listed = /^[^.;!?]{0,12}?(?:[^.!?]{0,70})(?:[,;]| and | plus )(?:[^.!?]{0,60})$/;
const compared =
  /\b(?:from|against|than|versus|vs|compared?|compares|after|up|down|rose|fell|grew|out of|or|ago|earlier|before|last year|was expected|of which|including)\b/i;

/** Sums, differences and averages of figures that the sentence or the one before it lists, where the result nearly fits. */
export function nearSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    if (!isAmount(claim) || isSupposed.test(lead(passage, claim))) return [];
    return resultOf(passage, claim);
  });
}

function resultOf(passage: Passage, claim: Quantity): readonly Slip[] {
  const at = passage.quantities.indexOf(claim);
  const place = sentenceOf(passage, claim);
  const ahead = passage.quantities
    .slice(0, at)
    .filter((one) => place - sentenceOf(passage, one) <= 1 && !(one.kind === "count" && one.value < 100));
  const terms = ahead
    .map((one) => likened(one, claim))
    .filter(
      (one) =>
        isAmount(one) &&
        areAlike({ ...one, per: undefined }, { ...claim, per: undefined }) &&
        // What is counted one by one is seldom a list of like things.
        (one.kind === "money" || one.value >= 100),
    );
  const last = terms.at(-1);
  if (terms.length < 2 || last === undefined || ahead.length !== terms.length) return [];
  const beside = `${lead(passage, claim)} … ${tail(passage, claim).split(/[,;.:]/)[0]}`;
  if (mean.test(lead(passage, claim))) {
    // "Together 172,000, an average of 43,000": the total is no term of its own.
    const parts = terms.slice(0, -1);
    const isTotal = parts.length >= 3 && overlaps(intervalOf(last), added(parts));
    return averageSlip(claim, isTotal ? parts : terms);
  }
  const isDifference =
    differenceAhead.test(lead(passage, claim)) || differenceBehind.test(tail(passage, claim));
  if (terms.length === 2 && isDifference) return differenceSlip(claim, terms);
  const isRun = terms.slice(1).every((one, index) => {
    const previous = terms[index];
    const gap = previous === undefined ? "" : between(passage, previous, one);
    return listed.test(gap) && !compared.test(gap);
  });
  const cue = terms.length === 2 ? addition : result;
  if (
    !isRun ||
    !cue.test(beside) ||
    compared.test(
      between(passage, last, claim)
        .slice(-30)
        .replace(/\badd\w* up\b/i, ""),
    )
  )
    return [];
  return sumSlip(claim, terms);
}

function sumSlip(claim: Quantity, terms: readonly Quantity[]): readonly Slip[] {
  const given = intervalOf(claim);
  const runs = terms.flatMap((_, from) =>
    terms.slice(from + 1).map((_, length) => terms.slice(from, from + length + 2)),
  );
  const sum = terms.reduce((total, { value }) => total + value, 0);
  const isNear = claim.value > 0.75 * sum && claim.value < 1.34 * sum;
  if (!isNear || terms.some(({ value }) => value >= claim.value)) return [];
  if (runs.some((run) => overlaps(given, added(run)))) return [];
  return [{ claim, shown: `${list(terms, " + ")} is ${shown(sum, claim)}` }];
}

function differenceSlip(claim: Quantity, [one, other]: readonly Quantity[]): readonly Slip[] {
  if (one === undefined || other === undefined) return [];
  const [large, less] = one.value > other.value ? [one, other] : [other, one];
  const rest = large.value - less.value;
  const [high, low] = [intervalOf(large), intervalOf(less)];
  const given = intervalOf(claim);
  if (overlaps(given, [high[0] - low[1], high[1] - low[0]]) || overlaps(given, added([one, other])))
    return [];
  if (claim.value < rest / 3 || claim.value > 3 * rest) return [];
  return [{ claim, shown: `${large.shown} less ${less.shown} is ${shown(rest, claim)}` }];
}

function averageSlip(claim: Quantity, terms: readonly Quantity[]): readonly Slip[] {
  const [low, high] = added(terms);
  const count = terms.length;
  if (count < 3 || overlaps(intervalOf(claim), [low / count, high / count])) return [];
  const value = terms.reduce((total, one) => total + one.value, 0) / count;
  if (claim.value < value / 2 || claim.value > value * 2) return [];
  return [{ claim, shown: `the average of ${list(terms, ", ")} is ${shown(value, claim)}` }];
}

function added(terms: readonly Quantity[]): Interval {
  return terms.map(intervalOf).reduce((one, other) => [one[0] + other[0], one[1] + other[1]]);
}

function list(terms: readonly Quantity[], joint: string): string {
  return terms.map((one) => one.shown).join(joint);
}

/** "It returned $29 billion: $21 billion through buybacks and $3.9 billion in dividends." */
export function splitSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim, at) => {
    const parts = passage.quantities
      .slice(at + 1)
      .filter((one) => sentenceOf(passage, one) === sentenceOf(passage, claim));
    const [first, second] = parts;
    if (claim.kind !== "money" || first === undefined || second === undefined || parts.length > 6) return [];
    const last = parts.at(-1) ?? second;
    const isSplit =
      /^[^.;:]{0,40}: ?$/.test(between(passage, claim, first)) &&
      / and (?:about |some )?$/i.test(lead(passage, last)) &&
      parts.every((one) => areAlike({ ...one, per: undefined }, { ...claim, per: undefined }));
    const gaps = parts.slice(1).map((one, index) => between(passage, parts[index] ?? first, one));
    if (!isSplit || gaps.some((gap) => compared.test(gap)) || compared.test(tail(passage, last))) return [];
    const sum = parts.reduce((total, { value }) => total + value, 0);
    const isNear = sum > 0.8 * claim.value && sum < 1.25 * claim.value;
    return !isNear || overlaps(intervalOf(claim), added(parts))
      ? []
      : [{ claim, shown: `${list(parts, " + ")} is ${shown(sum, claim)}` }];
  });
}

const counts = new Map(
  ["two", "three", "four", "five", "six", "seven", "eight"].map((word, at) => [word, at + 2]),
);
const announced =
  /\b(two|three|four|five|six|seven|eight) (?!(?:more |past |last )?(?:years|quarters|months|weeks|days|hours)\b)(?:\p{L}+ ){0,2}?\p{L}+s\b[^:.]{0,30}: ?(?<items>.+)$/iu;

/** "Three parts: A with $5, B with $4, C with $3 and D with $2". */
export function countSlips(passage: Passage): readonly Slip[] {
  return passage.counted.flatMap((number) => {
    const sentence = sentenceText(passage, number);
    const match = announced.exec(sentence);
    const items = match?.groups?.items ?? "";
    const said = counts.get(match?.[1]?.toLowerCase() ?? "");
    if (said === undefined) return [];
    const begins = (passage.starts[number] ?? 0) + sentence.indexOf(items);
    const inside = passage.quantities.filter(
      (one) => sentenceOf(passage, one) === number && one.start >= begins && isAmount(one),
    );
    const [claim, ...others] = inside;
    const parts = items.split(/,(?! ?\d{3}\b)|;| and /).filter((part) => part.trim() !== "");
    if (claim === undefined || inside.length < 3 || inside.length === said) return [];
    // Each item has one figure, and each figure an item: otherwise it is no plain list.
    if (
      parts.length !== inside.length ||
      others.some((one) => !areAlike({ ...one, noun: undefined }, { ...claim, noun: undefined }))
    )
      return [];
    if (others.some((one, at) => compared.test(between(passage, inside[at] ?? claim, one)))) return [];
    return [
      {
        claim,
        shown: `the sentence says ${match?.[1]?.toLowerCase()} and lists ${inside.length}`,
        isWhole: true,
      },
    ];
  });
}
