import { lead, type Passage, sentenceOf, sentenceText, tail } from "../passage.ts";
import {
  areAlike,
  combined,
  type Interval,
  intervalOf,
  likened,
  overlaps,
  type Quantity,
} from "../quantity.ts";
import { around } from "./named.ts";
import { directionWord, earlier, isAmount, isSupposed, type Slip, shown, wordsBeside } from "./pairs.ts";

const bare = (one: Quantity) => ({ ...one, noun: undefined, per: undefined });
const isLike = (one: Quantity, other: Quantity) =>
  areAlike(bare(likened(one, other)), bare(likened(other, one)));

const over =
  /^ (?:more|higher|larger|bigger|above|over|up|ahead)\b(?: (?:than|of|on|from))?(?: (?:the|its|a|an|about|that of|\p{L}+['’]s))* $/iu;
const under =
  /^ (?:less|lower|smaller|fewer|below|under|down|short)\b(?: (?:than|of|on|from))?(?: (?:the|its|a|an|about|that of|\p{L}+['’]s))* $/iu;
const otherBase =
  /\b(?:organic\w*|currenc\w*|like-for-like|comparable|adjust\w*|excluding|without|annual\w*|compound\w*|on average|a year(?! (?:earlier|ago|before))|average)\b/i;

/** A relation that the grammar binds: from its claim and one operand follows what the other figure must be. */
type Bound = {
  readonly claim: Quantity;
  readonly operand: Quantity;
  readonly wanted: Interval;
  /** What the claim would be of another figure. */
  readonly result: (other: Quantity) => number;
  readonly shown: (other: Quantity) => string;
};

/**
 * "7.3% more than the 384,100 of last year", "$13.4 billion of that, or 64%": two figures say what the third is. It is wrong
 * where figures of that kind stand right before it, and none in all of the text is that one.
 */
export function boundSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim, at) => {
    const sentence = sentenceText(passage, sentenceOf(passage, claim));
    if (sentence.length > 600 || isSupposed.test(sentence) || otherBase.test(wordsBeside(passage, claim)))
      return [];
    const bound =
      comparedAfter(passage, claim, at) ??
      comparedBefore(passage, claim, at) ??
      partOfThat(passage, claim, at);
    if (bound === undefined) return [];
    const { operand, wanted } = bound;
    const alike = passage.quantities.filter(
      (one) => one !== operand && one !== claim && isAmount(one) && isLike(one, operand),
    );
    if (alike.some((one) => overlaps(intervalOf(likened(one, operand)), wanted))) return [];
    const subject = alike
      .filter(
        (one) =>
          one.end <= claim.start &&
          sentenceOf(passage, claim) - sentenceOf(passage, one) <= 1 &&
          !isBase(lead(passage, one)),
      )
      .map((one) => likened(one, operand))
      .at(-1);
    if (subject === undefined) return [];
    const result = bound.result(subject);
    if (!(result > 0) || Math.abs(Math.log(result / claim.value)) > Math.log(8)) return [];
    const unit = claim.kind === "percent" ? claim : operand;
    return [{ claim, shown: `${bound.shown(subject)} is ${shown(result, unit)}`, isBound: true }];
  });
}

/** What follows "than" is compared with, and is not what a sentence speaks of. */
function isBase(ahead: string): boolean {
  return /\b(?:than|above|below|against|from|versus)(?: \p{L}+){0,2} $/iu.test(ahead);
}

/** "7.3% more than the 384,100", "28,000 more than the 384,100". */
function comparedAfter({ text, quantities }: Passage, claim: Quantity, at: number): Bound | undefined {
  const operand = quantities[at + 1];
  if (operand === undefined || !isAmount(operand) || operand.value <= 0) return undefined;
  const gap = text.slice(claim.end, operand.start);
  const sign = over.test(gap) ? 1 : under.test(gap) ? -1 : 0;
  return sign === 0 ? undefined : changed(claim, operand, sign);
}

const soThat =
  /^[^;:.]{0,40}(?:,? (?:so(?: that)?|which (?:is|means|makes)|that is|or|meaning|a)|:|;(?: that is| this is)?)\b[^;:.]{0,40}$/i;

/** "The year before it was $281.7 billion, so that revenue grew 16%". */
function comparedBefore(passage: Passage, claim: Quantity, at: number): Bound | undefined {
  const operand = passage.quantities[at - 1];
  const place = sentenceOf(passage, claim);
  if (operand === undefined || claim.kind !== "percent" || !isAmount(operand) || operand.value <= 0)
    return undefined;
  const own = passage.quantities.filter((one) => sentenceOf(passage, one) === place && isLike(one, operand));
  const ahead = lead(passage, operand);
  const gap = passage.text.slice(operand.end, claim.start);
  if (own.length !== 1 || !earlier.test(ahead) || !soThat.test(gap) || /%/.test(ahead)) return undefined;
  const said = directionWord(`${gap} ${tail(passage, claim).split(/[,;.]/)[0]}`);
  if (said === undefined || /^ of\b/.test(tail(passage, claim))) return undefined;
  return changed(claim, operand, said === "up" ? 1 : -1);
}

function changed(claim: Quantity, base: Quantity, sign: 1 | -1): Bound | undefined {
  const bounds = [intervalOf(base), intervalOf(claim)] as const;
  if (claim.kind === "percent")
    return {
      claim,
      operand: base,
      wanted: combined(...bounds, (x, y) => x * (1 + (sign * y) / 100)),
      result: (other) => (other.value / base.value - 1) * 100 * sign,
      shown: (other) => `${base.shown} to ${other.shown}`,
    };
  if (!isAmount(claim) || !isLike(claim, base) || claim.isBare !== base.isBare) return undefined;
  return {
    claim,
    operand: base,
    wanted: combined(...bounds, (x, y) => x + sign * y),
    result: (other) => (other.value - base.value) * sign,
    shown: (other) => `the difference of ${base.shown} and ${other.shown}`,
  };
}

const ofThat =
  /^(?: \p{L}+){0,2} of (?:that|it|this|them|these|which)\b(?: \p{L}+)?,? (?:\(|or|which is|that is|a share of|equal to)(?: (?:about|around|nearly|almost|roughly|just|some|over|under|a little|more|less|than))* ?$/iu;

/** "$13.4 billion of that, or 64%". */
function partOfThat({ text, quantities }: Passage, claim: Quantity, at: number): Bound | undefined {
  const part = quantities[at - 1];
  if (part === undefined || claim.kind !== "percent" || !isAmount(part) || claim.value <= 0) return undefined;
  if (
    !ofThat.test(text.slice(part.end, claim.start)) ||
    /^ (?:of|more|less|up|down)\b/.test(text.slice(claim.end))
  )
    return undefined;
  return {
    claim,
    operand: part,
    wanted: combined(intervalOf(part), intervalOf(claim), (x, y) => (100 * x) / y),
    result: (whole) => (whole.value > part.value ? (part.value / whole.value) * 100 : 0),
    shown: (whole) => `${part.shown} of ${whole.shown}`,
  };
}

const comparative =
  /^, (?:which (?:is|was) )?(?:a (?:little|bit|touch) |slightly |just |well |far |somewhat |much )?(?<side>more|higher|larger|bigger|less|lower|smaller|fewer) than (?:the|its|a|an|that of|\p{L}+['’]s)(?: \p{L}+)? $/iu;

/** "$4.4 billion, a little less than the $3.6 billion of last year". */
export function comparativeSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((one, at): readonly Slip[] => {
    const other = passage.quantities[at + 1];
    if (other === undefined || !isAmount(one) || !isLike(one, other) || one.kind !== "money") return [];
    const side = comparative.exec(passage.text.slice(one.end, other.start))?.groups?.side?.toLowerCase();
    if (side === undefined || /\b(?:no|not|minus|negative|if|would)\b/i.test(lead(passage, one))) return [];
    const isMore = /more|higher|larger|bigger/.test(side);
    const [low, high] = isMore ? [one, other] : [other, one];
    if (low.value + low.slack >= high.value - high.slack || low.value <= 0) return [];
    return [{ claim: one, shown: `${one.shown} is not ${side} than ${other.shown}`, isWhole: true }];
  });
}

const inBrackets = /^ \((?:about |or |nearly |just |over |under )*$/i;

/** "A $5.1 billion (47%), B $4.8 billion (44%), C $1.0 billion (19%)": the shares are of one whole. */
export function listedShareSlips(passage: Passage): readonly Slip[] {
  return passage.counted.flatMap((place) => {
    const own = passage.quantities.filter((one) => sentenceOf(passage, one) === place);
    const items = own.flatMap((claim, at) => {
      const part = own[at - 1];
      const isShare =
        claim.kind === "percent" &&
        part !== undefined &&
        isAmount(part) &&
        inBrackets.test(passage.text.slice(part.end, claim.start)) &&
        /^\)/.test(passage.text.slice(claim.end)) &&
        !/^[+-]/.test(claim.shown);
      return isShare ? [{ part, claim }] : [];
    });
    const [first] = items;
    if (items.length < 3 || first === undefined || !items.every(({ part }) => isLike(part, first.part)))
      return [];
    const wholes = items.map(({ part, claim }) =>
      combined(intervalOf(likened(part, first.part)), intervalOf(claim), (x, y) => (x / y) * 100),
    );
    const fits = (at: number) =>
      wholes.filter((one, other) => other !== at && overlaps(one, wholes[at] ?? one)).length;
    const odd = items.filter((_, at) => fits(at) === 0);
    const [only] = odd;
    if (only === undefined || odd.length > 1) return [];
    const even = wholes.filter((_, at) => fits(at) > 0);
    const whole = middle([Math.max(...even.map(([low]) => low)), Math.min(...even.map(([, high]) => high))]);
    return [
      {
        claim: only.claim,
        shown: `${only.part.shown} is ${shown((only.part.value / whole) * 100, only.claim)} of the whole that the others are shares of`,
        isBound: true,
      },
    ];
  });
}

function middle([low, high]: Interval): number {
  return (low + high) / 2;
}

const rangeAhead =
  /\b(?:(?:between|range (?:of|from|is|was)|corridor of|forecasts?|expects?|guides? (?:to|for)|guidance of|sees|sales of|revenue of)(?: (?:revenue|sales|earnings|income|profit) of)?(?: about)?) $/i;

/** "Forecasts $16.8 billion to $14.2 billion", and a band of plus or minus 2% that is another one. */
export function bandSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((low, at): readonly Slip[] => {
    const high = passage.quantities[at + 1];
    if (high === undefined || sentenceOf(passage, low) !== sentenceOf(passage, high)) return [];
    const gap = passage.text.slice(low.end, high.start);
    const isBetween = /\bbetween (?:about )?$/i.test(lead(passage, low)) && / and $/.test(gap);
    const isRange = rangeAhead.test(lead(passage, low)) && /^(?: to | and |-)$/.test(gap);
    const [least, most] = [likened(low, high), likened(high, low)];
    if (!isAmount(least) || !isLike(low, high)) return [];
    if (
      (isBetween || isRange) &&
      least.value - least.slack > most.value + most.slack &&
      least.value < 3 * most.value
    )
      return [
        {
          claim: high,
          shown: `a range from ${low.shown} to ${high.shown} ends below its beginning`,
          isWhole: true,
        },
      ];
    if (!/^(?: to | and |-)$/.test(gap) || !/\b(?:from|between|range of|of|to) $/i.test(lead(passage, low)))
      return [];
    const band = bandBefore(passage, low);
    if (band === undefined || !isLike(band.center, low)) return [];
    const [bottom, top] = [1 - band.percent.value / 100, 1 + band.percent.value / 100];
    const isOff = (one: Quantity, factor: number) =>
      !overlaps(
        intervalOf(one),
        combined(intervalOf(band.center), [factor, factor], (x, y) => x * y),
      );
    const wrong = isOff(least, bottom) ? low : isOff(most, top) ? high : undefined;
    if (wrong === undefined || middle([least.value, most.value]) / band.center.value > 1.1) return [];
    return [
      {
        claim: wrong,
        shown: `${band.center.shown} plus or minus ${band.percent.shown} is ${shown(band.center.value * bottom, band.center)} to ${shown(band.center.value * top, band.center)}`,
        isBound: true,
      },
    ];
  });
}

/** "$98.0 billion, plus or minus 2%", in the same sentence or the one before. */
function bandBefore(passage: Passage, one: Quantity) {
  const before = around(passage, one, 1).filter(({ end }) => end <= one.start);
  const percent = before.findLast(
    (other) =>
      other.kind === "percent" &&
      /\b(?:plus or minus|give or take|plus\/minus) $|± ?$/i.test(lead(passage, other)),
  );
  const center = before.findLast(
    (other) => percent !== undefined && other.end <= percent.start && isAmount(other),
  );
  return percent === undefined || center === undefined ? undefined : { percent, center };
}
