import { between, isLinked, lead, type Passage, sentenceOf, sentenceText, tail } from "../passage.ts";
import {
  areAlike,
  combined,
  type Interval,
  intervalOf,
  likened,
  overlaps,
  type Quantity,
} from "../quantity.ts";
import { sameMatter, stems } from "../similar.ts";
import {
  directionWord,
  earlier,
  isAmount,
  isSupposed,
  type Slip,
  shown,
  windowBefore,
  wordsBeside,
} from "./pairs.ts";

/** The marker belongs to a figure before it: "up 10% from a year earlier to $94 billion". */
const ofClaim = /^[^,;.]{0,15}\b(?:from|than|on|over|versus|against|compared with)\b[^,;.]{0,40}\bto\b/i;
const afterOld =
  /\b(?:after|against|versus|from|above|below|over|compared (?:with|to)|than|times) (?:the |its |about |some )*$/i;
const otherTime =
  /\b(?:a year(?! (?:earlier|ago|before))|per year|annual(?:ly|i[sz]ed)?|each year|every year|compound\w*|cagr|on average|sequential\w*|currency|organic\w*|like-for-like|comparable|excluding|adjust\w*|inflation)\b/i;
const now = /\b(?:now|today|this (?:year|quarter|month|time)|latest|most recent|currently)\b/i;

function isOld(passage: Passage, one: Quantity): boolean {
  const ahead = lead(passage, one);
  const after = tail(passage, one).split(/[,;.:]/)[0] ?? "";
  if (earlier.test(after) && !/^[^,;.]{0,20}\b(?:from|than|on|over|up|down)\b/.test(after)) return true;
  if (ofClaim.test(ahead) || now.test(ahead)) return false;
  return earlier.test(ahead) || afterOld.test(ahead);
}

/**
 * Changes, factors and points that the text works out from an older and a newer figure, in one sentence or in the one
 * before, in whatever order it gives the three. It speaks up only where there is one figure of each time.
 */
export function comparisonSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    const beside = wordsBeside(passage, claim);
    const isChange =
      claim.kind === "multiple" ||
      ((claim.kind === "percent" || claim.kind === "fraction" || claim.kind === "points") &&
        directionWord(beside) !== undefined);
    // "From 30% to 45%" are levels.
    const isLevel = /\b(?:from|to|at|than|between) (?:about |around )?$/i.test(lead(passage, claim));
    if (isLevel && claim.kind !== "multiple") return [];
    // "Twice that of the broad market": of a figure that the text does not give.
    if (/^ (?:that|those) of\b/i.test(tail(passage, claim))) return [];
    if (!isChange || otherTime.test(beside) || isSupposed.test(beside)) return [];
    const found = timesOf(passage, claim);
    if (found === undefined) return [];
    const { old, young } = found;
    // Growth and margin are two matters: points lie between two figures that the words compare.
    if (claim.kind === "points" && !areCompared(passage, old, young)) return [];
    if (!isOfBoth(passage, claim, old, young)) return [];
    const change = changeOf(old, young, claim);
    if (change === undefined || change.fits) return [];
    return [{ claim, shown: `${old.shown} to ${young.shown} is ${change.shown}` }];
  });
}

function areCompared(passage: Passage, old: Quantity, young: Quantity): boolean {
  const joint = passage.text.slice(Math.min(old.end, young.end), Math.max(old.start, young.start));
  return (
    /\b(?:from|to|against|than|after|versus|compared|instead of|above|below|earlier|ago|before|last)\b/i.test(
      joint,
    ) && !/, (?:and|while|but) /.test(joint)
  );
}

const timesWhat =
  /^ (?:what|as (?:much|many) as|that of|the (?:size|amount|sum|figure|number|profit|revenue|total) of|those of)\b/i;

/** "A made $2.5 billion. B managed $1.0 billion. So A earned three times what B did." */
export function timesSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    if (claim.kind !== "multiple" || claim.value < 1.2 || !timesWhat.test(tail(passage, claim))) return [];
    const place = sentenceOf(passage, claim);
    const sentence = sentenceText(passage, place);
    if (
      !/^\W*(?:so|thus|hence|therefore|that|in other words|the)\b/i.test(sentence) ||
      isSupposed.test(sentence)
    )
      return [];
    if (passage.quantities.some((one) => isAmount(one) && sentenceOf(passage, one) === place)) return [];
    if (otherTime.test(sentence) || earlier.test(sentence)) return [];
    const near = windowBefore(passage, claim, 2).all.filter((one) => one !== claim && isAmount(one));
    const own = near.filter((one) => sentenceOf(passage, one) === place - 1);
    const [one, other, third] = own.length >= 2 ? own : near;
    if (one === undefined || other === undefined || third !== undefined) return [];
    if (!areAlike({ ...likened(one, other), noun: undefined }, { ...likened(other, one), noun: undefined }))
      return [];
    const [large, less] = one.value >= other.value ? [one, other] : [other, one];
    if (less.value <= 0) return [];
    const ratio = combined(intervalOf(large), intervalOf(less), (top, bottom) => top / bottom);
    const value = large.value / less.value;
    if (overlaps(intervalOf(claim), ratio) || claim.value > 2.5 * value || claim.value < value / 2.5)
      return [];
    return [{ claim, shown: `${large.shown} divided by ${less.shown} is ${value.toFixed(1)}` }];
  });
}

const span = /^(?:day|week|month|quarter|year|decade|hour)$/;

/** The one older and the one newer figure that a change can be of. */
function timesOf(passage: Passage, claim: Quantity) {
  const own = sentenceOf(passage, claim);
  const here = passage.quantities.filter((one) => sentenceOf(passage, one) === own);
  for (const near of [here, windowBefore(passage, claim, 1).all, windowBefore(passage, claim, 2).all]) {
    const amounts = near.filter(
      (one) =>
        one !== claim &&
        !span.test(one.noun ?? "") &&
        (claim.kind === "points" ? one.kind === "percent" : isAmount(one)),
    );
    if (amounts.length < 2) continue;
    const olds = amounts.filter((one) => isOld(passage, one));
    const youngs = amounts.filter((one) => !olds.includes(one));
    const [old, young] = [olds[0], youngs[0]];
    if (olds.length !== 1 || youngs.length !== 1 || old === undefined || young === undefined)
      return undefined;
    const isOfOneKind = areAlike(
      { ...likened(old, young), noun: undefined, per: undefined },
      { ...likened(young, old), noun: undefined, per: undefined },
    );
    const isFar =
      old.value <= 0 || young.value <= 0 || Math.abs(Math.log(young.value / old.value)) > Math.log(30);
    return isOfOneKind && !isFar && areOfOneMatter(passage, old, young) ? { old, young } : undefined;
  }
  return undefined;
}

/** Sentences that give one thing at two times: the second says "it", since a shared word may name two things. */
function areOfOneMatter(passage: Passage, old: Quantity, young: Quantity): boolean {
  const [one, other] = [sentenceOf(passage, old), sentenceOf(passage, young)];
  const isPronoun =
    /\b(?:it|they|that|this|the (?:same|figure|number|total|sum)) (?:is|was|were|are|had|has|stood|came)\b/i;
  const [first, second] = [one, other].map((place) => sentenceText(passage, place));
  return (
    one === other ||
    isPronoun.test(sentenceText(passage, Math.max(one, other))) ||
    sameMatter(stems(first ?? ""), stems(second ?? ""))
  );
}

/** The claim brings in no matter of its own: its words are links, or stood at the two figures. */
function isOfBoth(passage: Passage, claim: Quantity, old: Quantity, young: Quantity): boolean {
  const { text } = passage;
  const [start, end] = [Math.min(old.start, young.start), Math.max(old.end, young.end)];
  if (claim.end <= start) {
    const gap = text.slice(claim.end, start);
    return gap.length < 80 && !/[;.]|\b(?:while|whereas|but|and|although)\b/i.test(gap);
  }
  if (claim.start < end) {
    const joint = text.slice(start, end);
    return !/[;]|\b(?:while|whereas|but|although)\b/i.test(joint);
  }
  const gap = text.slice(end, claim.start);
  if (gap.length > 200 || /;(?! (?:that|this|hence|so|thus)\b)|\b(?:while|whereas|but|although)\b/i.test(gap))
    return false;
  const own = gap.split(/[.!?] |[,;:(]/).at(-1) ?? "";
  if (isLinked(own) || /\b(?:thus|therefore|hence|consequently|accordingly)\b/i.test(own)) return true;
  const known = stems(text.slice(0, end));
  return [...stems(own)].every((stem) => known.has(stem) || isLinked(stem));
}

function changeOf(old: Quantity, young: Quantity, claim: Quantity) {
  const [was, is, given] = [intervalOf(old), intervalOf(young), intervalOf(claim)];
  const either = ([low, high]: Interval, change: Interval) =>
    overlaps([low, high], change) || overlaps([-high, -low], change);
  const share = combined(was, is, (from, to) => (to / from) * 100);
  const inverse = combined(was, is, (from, to) => (from / to) * 100);
  if (claim.kind === "multiple") {
    const open: Interval = claim.hedge === "over" ? [given[0], given[1] + 1] : given;
    const factors: readonly Interval[] = [share, inverse].map(([low, high]) => [low / 100, high / 100]);
    return {
      fits: factors.some((one) => overlaps(open, one) || overlaps(open, [one[0] - 1, one[1] - 1])),
      shown: `a factor of ${(young.value / old.value).toFixed(2)}`,
    };
  }
  const difference = young.value - old.value;
  if (claim.kind === "points")
    return {
      fits: either(
        given,
        combined(was, is, (from, to) => to - from),
      ),
      shown: `${difference > 0 ? "+" : ""}${difference.toFixed(1)} percentage points`,
    };
  const change = combined(was, is, (from, to) => (to / from - 1) * 100);
  const percent = (young.value / old.value - 1) * 100;
  if (Math.abs(Math.abs(percent) - claim.value) > 60) return undefined;
  // "A third less" and "a third of what it was".
  const fits = [change, share, inverse].some((one) => either(given, one));
  return { fits, shown: `${percent > 0 ? "+" : ""}${shown(percent, { kind: "percent", currency: "" })}` };
}

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
