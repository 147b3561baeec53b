import { isAbout, lead, type Passage, sentenceOf, tail } from "../passage.ts";
import {
  areAlike,
  combined,
  type Interval,
  intervalOf,
  likened,
  overlaps,
  type Quantity,
  scaleOf,
} from "../quantity.ts";
import { directionWord, type Pair, pairsIn, type Slip, shown } from "./pairs.ts";

/** Growth of another base than the two figures: a yearly rate, without currency effects, or against another time. */
const otherBase =
  /\b(?:a year(?! (?:earlier|ago|before))|per year|per annum|annual(?:ly|i[sz]ed)?|each year|every year|compound(?:ed)?|cagr|on average|a (?:month|quarter|week)(?! (?:earlier|ago|before))|constant[- ]currenc\w+|currency|organic\w*|like-for-like|same-store|comparable|excluding|adjust\w*|inflation|real terms|stripping out|without)\b/i;

/** A change that the text states beside the two figures that it is worked out from. */
export function changes(passage: Passage): readonly Slip[] {
  const pairs = pairsIn(passage);
  const stated = passage.quantities.flatMap((claim) => {
    const own = pairs.filter((pair) => isStatedOf(passage, claim, pair));
    const [pair] = own.toSorted((one, other) => distance(one, claim) - distance(other, claim));
    if (pair === undefined) return [];
    const slip = changeSlip(passage, claim, pair);
    if (slip === undefined || fitsElsewhere(passage, claim, pair)) return [];
    const place = sentenceOf(passage, claim);
    const isBound = [pair.old, pair.young].every((one) => sentenceOf(passage, one) === place);
    return [{ ...slip, isBound }];
  });
  return [...stated, ...pairs.flatMap((pair) => directionSlip(passage, pair))];
}

function distance({ start, end }: Pair, claim: Quantity): number {
  return Math.max(0, claim.start - end, start - claim.end);
}

function isStatedOf(passage: Passage, claim: Quantity, pair: Pair): boolean {
  if (claim.start === pair.old.start || claim.start === pair.young.start) return false;
  if (sentenceOf(passage, claim) < sentenceOf(passage, pair.young)) return false;
  if (!isAbout(passage, claim, pair)) return false;
  const beside = `${lead(passage, claim).split(/[,;(]/).at(-1) ?? ""} ${tail(passage, claim).split(/[,;)]/)[0]}`;
  if (
    otherBase.test(beside) ||
    /\b(?:stake|share|margin|rate|interest|yield|weight|tax)(?: of(?: \w+)?|,| was| is| stood at| at)? $/i.test(
      lead(passage, claim),
    )
  )
    return false;
  // "From 30% to 45% the cost falls from $100 to $67": levels of something else.
  if (
    claim.kind === "percent" &&
    /\b(?:from|to|between) (?:about |around |some )?$/i.test(lead(passage, claim))
  )
    return false;
  // A share or a rate may stand beside the two; a change says that it is one, or follows as their result.
  return (
    claim.start >= pair.end ||
    claim.kind === "multiple" ||
    directionWord(beside) !== undefined ||
    /\($/.test(lead(passage, claim))
  );
}

/** From one side of zero to the other: the two are added then. */
const opposite =
  /\binflows?\b.*\boutflows?\b|\boutflows?\b.*\binflows?\b|\b(?:profit|surplus|gain|income|earnings)\b.*\b(?:loss|losses|deficit|shortfall)\b|\b(?:loss|losses|deficit|shortfall)\b.*\b(?:profit|surplus|gain|income|earnings)\b|\bnet cash\b.*\bnet debt\b|\bnet debt\b.*\bnet cash\b|\b(?:minus|negative)\b/i;

function changeSlip(passage: Passage, claim: Quantity, pair: Pair): Slip | undefined {
  const { old, young } = pair;
  if (opposite.test(passage.text.slice(Math.max(0, pair.start - 40), pair.end + 20))) return undefined;
  const was = intervalOf(old);
  const is = intervalOf(young);
  const given = intervalOf(claim);
  const beside = `${lead(passage, claim).split(/[,;(]/).at(-1)} ${tail(passage, claim).split(/[,;.)]/)[0]}`;
  if (claim.kind === "percent" && old.kind !== "percent") {
    // "15% of sales" is a share, not a change.
    if (/^ (?:of|for|tax|margin|stake|interest|share)\b/.test(tail(passage, claim))) return undefined;
    if (was[0] <= 0) return undefined;
    const change = combined(was, is, (from, to) => (to / from - 1) * 100);
    const said = directionWord(beside) ?? pair.said;
    return settle(claim, given, change, said, `${step(pair)} is ${signed(middle(old, young))}%`);
  }
  if (old.kind === "percent" && (claim.kind === "points" || claim.kind === "percent")) {
    const points = combined(was, is, (from, to) => to - from);
    const relative = combined(was, is, (from, to) => (to / from - 1) * 100);
    if (claim.kind === "percent") {
      if (directionWord(beside) === undefined) return undefined;
      if (fits(given, relative, undefined)) return undefined;
      if (fits(given, points, undefined))
        return {
          claim,
          shown: `${step(pair)} are ${signed(young.value - old.value)} percentage points, or ${signed(middle(old, young))}%`,
        };
    }
    const difference = young.value - old.value;
    return settle(
      claim,
      given,
      points,
      directionWord(beside),
      `${step(pair)} is ${signed(difference)} percentage points`,
    );
  }
  if (claim.kind === "multiple") {
    // "Three times earnings" and "three times a week" are not said of the two.
    if (
      /^ (?:earnings|sales|revenue|profits?|book|cash|a|per|in|last|this|since|over|(?:that|those) of)\b/.test(
        tail(passage, claim),
      )
    )
      return undefined;
    const least: Interval = claim.hedge === "over" ? [given[0], given[1] + 1] : given;
    const ratio = combined(was, is, (from, to) => to / from);
    const inverse = combined(was, is, (from, to) => from / to);
    const isMore = /^ more\b/.test(tail(passage, claim));
    const fit =
      overlaps(least, ratio) ||
      overlaps(least, inverse) ||
      (isMore && overlaps(given, [ratio[0] - 1, ratio[1] - 1]));
    return fit
      ? undefined
      : { claim, shown: `${step(pair)} is a factor of ${(young.value / old.value).toFixed(2)}` };
  }
  const amount = likened(claim, young);
  if (!areAlike({ ...amount, per: undefined }, { ...young, per: undefined }) || claim.kind === "percent")
    return undefined;
  if (
    directionWord(beside) === undefined &&
    !/\b(?:difference|gap|change|swing|by) (?:of )?$/i.test(lead(passage, claim))
  )
    return undefined;
  // The third of three figures may be one of another time.
  if (/\b(?:to|from|at|than|against) (?:[\p{L}]+ ){0,2}$/u.test(lead(passage, claim))) return undefined;
  return settle(
    amount,
    intervalOf(amount),
    combined(was, is, (from, to) => to - from),
    directionWord(beside),
    `${step(pair)} is a difference of ${shown(Math.abs(young.value - old.value), young)}`,
  );
}

function settle(
  claim: Quantity,
  given: Interval,
  change: Interval,
  said: Pair["said"],
  calculation: string,
): Slip | undefined {
  return fits(given, change, said) ? undefined : { claim, shown: calculation };
}

/** With the direction that the words give, or in either. */
function fits([low, high]: Interval, change: Interval, said: Pair["said"]): boolean {
  const fall: Interval = [-high, -low];
  if (said === "up") return overlaps([low, high], change);
  if (said === "down") return overlaps(fall, change) || (high < 0 && overlaps([low, high], change));
  return overlaps([low, high], change) || overlaps(fall, change);
}

/** Whether two other figures of the sentence give the claim: then it is theirs. */
function fitsElsewhere(passage: Passage, claim: Quantity, { old, young }: Pair): boolean {
  if (claim.kind !== "percent") return false;
  const places = [claim, old, young].map((one) => sentenceOf(passage, one));
  const near = passage.quantities.filter(
    (one) => one.kind !== "percent" && places.includes(sentenceOf(passage, one)),
  );
  const given = intervalOf(claim);
  return near.some((one, at) =>
    near.slice(at + 1).some((second) => {
      // The same two the other way round are the usual wrong base.
      if ([one, second].every(({ start }) => start === old.start || start === young.start)) return false;
      const other = likened(second, one);
      const first = likened(one, second);
      if (!areAlike(first, other) || first.value <= 0 || other.value <= 0) return false;
      const [was, is] = [intervalOf(first), intervalOf(other)];
      return [
        combined(was, is, (from, to) => (to / from - 1) * 100),
        combined(is, was, (from, to) => (to / from - 1) * 100),
      ].some((change) => overlaps(given, change) || overlaps([-given[1], -given[0]], change));
    }),
  );
}

/** "Rose from 13.1 to 12.4", and a step that only a wrong unit explains. */
function directionSlip({ text }: Passage, { old, young, said, start, end }: Pair): readonly Slip[] {
  const isHypothetical = old.hedge !== undefined || young.hedge !== undefined;
  const went =
    young.value - young.slack > old.value + old.slack
      ? "up"
      : young.value + young.slack < old.value - old.slack
        ? "down"
        : undefined;
  const ratio = Math.max(young.value / old.value, old.value / young.value);
  const claim = young;
  const scaled = [scaleOf(old), scaleOf(young)];
  const mantissas = Math.abs(Math.log(young.value / (scaled[1] ?? 1) / (old.value / (scaled[0] ?? 1))));
  const isLong = new Set(text.slice(Math.max(0, start - 40), end + 20).match(/\b(?:19|20)\d\d\b/g)).size > 1;
  const isStep = [old, young].some((one) =>
    /\bby (?:about |around |some |nearly |almost )?$/i.test(text.slice(0, one.start)),
  );
  if (
    ratio > 100 &&
    !isStep &&
    scaled[0] !== scaled[1] &&
    !scaled.includes(1) &&
    mantissas < 1.2 &&
    !isLong
  ) {
    return [
      {
        claim,
        shown: `${old.shown} and ${young.shown} lie a factor of ${Math.round(ratio)} apart: check the unit of each`,
        isWhole: true,
      },
    ];
  }
  if (
    said === undefined ||
    went === undefined ||
    said === went ||
    isHypothetical ||
    old.value < 0 ||
    young.value < 0
  )
    return [];
  if (/\b(?:loss|losses|deficit|not|never)\b/i.test(text.slice(Math.max(0, start - 60), end))) return [];
  return [
    {
      claim,
      shown: `from ${old.shown} to ${young.shown} it goes ${went}, the text says ${said}`,
      isWhole: true,
    },
  ];
}

function step({ old, young }: Pair): string {
  return `${old.shown} to ${young.shown}`;
}

function middle(old: Quantity, young: Quantity): number {
  return (young.value / old.value - 1) * 100;
}

function signed(value: number): string {
  return `${value >= 0 ? "+" : "-"}${Math.abs(value).toFixed(1)}`;
}
