import { between, lead, type Passage, quantitiesOf, sentenceOf, sentenceText, tail } from "../passage.ts";
import { combined, intervalOf, overlaps, type Quantity } from "../quantity.ts";
import { around, isEarlier, wordsAt } from "./named.ts";
import { isAmount, isSupposed, onlyOne, type Slip, shown, windowBefore, wordsBeside } from "./pairs.ts";

/** What one figure divided by another is called, and how each is told from the rest. */
type Rate = {
  readonly claim: (passage: Passage, one: Quantity) => boolean;
  readonly top: (beside: string, one: Quantity) => boolean;
  readonly bottom: (beside: string, one: Quantity) => boolean;
  /** Figures of a quarter or a month may stand for a year's. */
  readonly factors: readonly number[];
  /** Otherwise as the text gives it. */
  readonly percent?: boolean;
  /** A margin may be told as what the costs leave. */
  readonly isSplit?: boolean;
};

const profit =
  /\b(?:net|operating|gross|pretax|trading)? ?(?:profits?|income|earned|earnings|earns|made|makes|keeps|kept)\b/i;

const revenue = /\b(?:revenues?|sales|turnover|takings|takes? in|took in)\b/i;
const isSmall = ({ kind, value }: Quantity) => kind === "money" && Math.abs(value) < 100_000;
const isLarge = ({ kind, value }: Quantity) => kind === "money" && Math.abs(value) >= 100_000;
const earnings = /\b(?:earn\w*|profits?|eps)\b/i;
const dividend = /\b(?:dividends?|pays?(?: out)?|paid out|payments?|payouts?|cheques?|distribut\w+)\b/i;

const isPrice = (beside: string, one: Quantity) =>
  isSmall(one) &&
  one.value > 1 &&
  !earnings.test(beside) &&
  !dividend.test(beside) &&
  (one.per === undefined || /^(?:share|token|piece)$/.test(one.per));

/** Names of ratios, which name no figure of their own. */
const ratioName =
  /\bp\/e\b|\bprice[- ](?:to[- ])?earnings\b|\bearnings (?:multiple|yield)\b|\bdividend yield\b|\bmarket value\b/gi;

/** "The margin, 30% back then, now stands at 34%". */
const marginNow = /\bmargin\b[^.;]{0,60}%[^.;%]{0,30}\b(?:now|today)(?: \p{L}+){0,2} $/iu;

function aheadOf(passage: Passage, { start }: Quantity): string {
  return passage.text.slice(passage.starts.findLast((begin) => begin <= start) ?? 0, start);
}

const rates: readonly Rate[] = [
  {
    claim: (passage, one) =>
      one.kind === "percent" &&
      (/\bmargin|\bkeeps?\b|\bkept\b/i.test(wordsBeside(passage, one)) ||
        marginNow.test(aheadOf(passage, one))),
    top: (beside, one) => isLarge(one) && profit.test(beside) && !revenue.test(nearest(beside)),
    bottom: (beside, one) => isLarge(one) && revenue.test(beside),
    factors: [1],
    percent: true,
    isSplit: true,
  },
  {
    claim: (passage, one) =>
      (one.kind === "multiple" &&
        /^ (?:(?:its|the|this|last|next|year's|expected|forward|trailing|annual) )*(?:earnings|profits?|eps)\b/i.test(
          tail(passage, one),
        )) ||
      ((one.kind === "multiple" || one.isBare) &&
        /\b(?:p\/e|price[- ](?:to[- ])?earnings|earnings multiple|multiple)\b[^.;,]{0,25}$/i.test(
          lead(passage, one),
        )),
    top: isPrice,
    bottom: (beside, one) => isSmall(one) && earnings.test(beside),
    factors: [1, 1 / 4],
    percent: false,
  },
  {
    claim: (passage, one) => one.kind === "percent" && /\byield/i.test(wordsBeside(passage, one)),
    top: (beside, one) => isSmall(one) && dividend.test(beside),
    bottom: isPrice,
    factors: [1, 4, 2, 12],
    percent: true,
  },
  {
    claim: (passage, one) =>
      isSmall(one) &&
      (one.per === "share" || /\b(?:earnings|profit) per share\b[^,;.]{0,20}$/i.test(lead(passage, one))),
    top: (beside, one) => isLarge(one) && profit.test(beside),
    bottom: (_, one) => one.kind === "count" && (one.noun === "share" || one.noun === "token"),
    factors: [1],
    percent: false,
  },
  named(/\bdebt[- ]to[- ]equity|\bgearing\b/i, /\b(?:debts?|borrowings?)\b/i, /\bequity\b/i),
  named(/\breturn on equity\b/i, profit, /\bequity\b/i),
  named(
    /\bbook[- ]to[- ]bill\b/i,
    /\b(?:orders?|bookings)\b/i,
    /\b(?:billings?|sales|revenues?|shipments)\b/i,
  ),
  named(/\bloans?[- ]to[- ]deposits?\b/i, /\bloans?\b/i, /\bdeposits?\b/i),
  named(
    /\b(?:efficiency|cost[- ](?:to[- ])?income) ratio\b/i,
    /\b(?:costs|expenses)\b/i,
    /\b(?:revenues?|income)\b/i,
  ),
  {
    claim: (passage, one) => one.kind === "percent" && /\bpay-?out ratio\b/i.test(wordsBeside(passage, one)),
    top: (beside, one) => isSmall(one) && dividend.test(beside),
    bottom: (beside, one) => isSmall(one) && earnings.test(beside),
    factors: [1, 4],
    percent: true,
  },
];

/** A ratio of two large sums, by its name and theirs. */
function named(name: RegExp, top: RegExp, bottom: RegExp): Rate {
  const isNoRatio = (beside: string) => !name.test(beside);
  return {
    claim: (passage, one) =>
      (one.isBare || one.kind === "percent" || one.kind === "multiple") &&
      one.value < 1000 &&
      name.test(wordsBeside(passage, one)),
    top: (beside, one) =>
      isLarge(one) && isNoRatio(beside) && top.test(beside) && !bottom.test(nearest(beside)),
    bottom: (beside, one) => isLarge(one) && isNoRatio(beside) && bottom.test(beside),
    factors: [1],
  };
}

/** The two words right at the figure on each side. */
function nearest(beside: string): string {
  const [ahead = "", after = ""] = beside.split(" … ");
  return `${ahead.trim().split(" ").slice(-2).join(" ")} … ${after.trim().split(" ").slice(0, 3).join(" ")}`;
}

/**
 * Margins, multiples of earnings, yields and figures per share, each against the two figures that it is made of, wherever
 * the text gives them; where it gives several, nothing is said. `price` is what one share costs by the quote.
 */
export function rateSlips(passage: Passage, price?: Quantity): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    const rate = rates.find((one) => one.claim(passage, claim));
    if (rate === undefined || otherSource.test(wordsBeside(passage, claim))) return [];
    for (const back of price === undefined ? [1] : [1, 3, Number.POSITIVE_INFINITY]) {
      const parts = partsOf(passage, claim, rate, back, price);
      if (parts === "several") return [];
      if (parts !== undefined) return rateSlip(passage, claim, rate, parts, price);
    }
    return [];
  });
}

const otherSource =
  /\b(?:expect\w*|sees|guid\w+|forecasts?|analysts|last year|a year (?:ago|earlier|before)|versus|against)\b/i;

type Parts = { readonly top: Quantity; readonly bottom: Quantity; readonly near: readonly Quantity[] };

function partsOf(
  passage: Passage,
  claim: Quantity,
  rate: Rate,
  back: number,
  price: Quantity | undefined,
): Parts | "several" | undefined {
  const isOld = isEarlier(passage, claim);
  const near = (
    price === undefined ? windowBefore(passage, claim, back).all : around(passage, claim, back)
  ).filter(
    (one) => one !== claim && isAmount(one) && (price === undefined || isEarlier(passage, one) === isOld),
  );
  const said = (one: Quantity) =>
    (price === undefined ? besideOf(passage, one) : closeTo(passage, one)).replace(ratioName, "ratio");
  const tops = near.filter((one) => rate.top(said(one), one));
  const bottoms = near.filter((one) => !tops.includes(one) && rate.bottom(said(one), one));
  const [top, bottom] = [priced(rate.top, tops, price), priced(rate.bottom, bottoms, price)];
  if (top !== undefined && bottom !== undefined) return { top, bottom, near };
  return tops.length > 1 && bottoms.length > 1 ? "several" : undefined;
}

/** The only one; of prices the one that the quote bears out, or the quote. */
function priced(
  role: Rate["top"],
  found: readonly Quantity[],
  price: Quantity | undefined,
): Quantity | undefined {
  if (role !== isPrice || price === undefined) return onlyOne(found);
  const [todays] = found.filter((one) => overlaps(intervalOf(one), intervalOf(price)));
  return todays ?? (found.length === 0 ? price : onlyOne(found));
}

function closeTo(passage: Passage, one: Quantity): string {
  const beside = besideOf(passage, one);
  return beside.split(" … ").length > 2 ? beside : wordsAt(passage, one);
}

/** The words at a figure; of the second of two ("from 102 to 105") those of the first as well. */
function besideOf(passage: Passage, one: Quantity): string {
  const previous = passage.quantities[passage.quantities.indexOf(one) - 1];
  const isSecond = previous !== undefined && /^ to $/.test(passage.text.slice(previous.end, one.start));
  return isSecond
    ? `${wordsBeside(passage, previous)} ${wordsBeside(passage, one)}`
    : wordsBeside(passage, one);
}

function rateSlip(
  passage: Passage,
  claim: Quantity,
  rate: Rate,
  { top, bottom, near }: Parts,
  price: Quantity | undefined,
): readonly Slip[] {
  if (bottom.value <= 0 || top.value <= 0) return [];
  if (top.kind === bottom.kind && top.currency !== bottom.currency) return [];
  // A margin of its own line, and one that stands before its parts, is some other's.
  if (
    price === undefined &&
    claim.start < Math.min(top.start, bottom.start) &&
    sentenceOf(passage, claim) !== sentenceOf(passage, top)
  )
    return [];
  const isPercent = rate.percent ?? claim.kind === "percent";
  const size = isPercent ? 100 : 1;
  // "A ratio of 40" is rounded.
  const given = intervalOf(
    claim.isBare && claim.value >= 5 ? { ...claim, slack: Math.max(claim.slack, 0.5) } : claim,
  );
  const isRight = (one: Quantity, other: Quantity) => {
    const quotient = combined(intervalOf(one), intervalOf(other), (x, y) => (size * x) / y);
    const isRest = rate.isSplit === true && overlaps(given, [100 - quotient[1], 100 - quotient[0]]);
    return (
      isRest || rate.factors.some((factor) => overlaps(given, [quotient[0] * factor, quotient[1] * factor]))
    );
  };
  if (isRight(top, bottom)) return [];
  // Another figure may be meant, which its own words do not name.
  if (price !== undefined && near.some((one) => one.value > 0 && (isRight(one, bottom) || isRight(top, one))))
    return [];
  const value = (size * top.value) / bottom.value;
  if (price !== undefined && (value > 4 * claim.value || value < claim.value / 4)) return [];
  const result = isPercent
    ? shown(value, { kind: "percent", currency: "" })
    : shown(value, { kind: claim.kind, currency: claim.currency });
  return [{ claim, shown: `${top.shown} divided by ${bottom.shown} is ${result}` }];
}

const thing =
  /^(?:trip|ride|order|unit|car|vehicle|seat|user|barrel|store|subscriber|customer|household|head|person|piece|phone|chip|employee|member|visitor|guest|passenger|case)$/;
const perThing =
  /\bper (\p{Ll}+)\b|\b(?:each|every|for every|one|a single|an average|the average) (\p{Ll}+)\b/iu;

/** "It booked $12 billion with 3.2 billion trips. Per trip it keeps $4.25." */
export function perThingSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    const match = perThing.exec(sentenceText(passage, sentenceOf(passage, claim)));
    const noun = claim.per ?? match?.[1] ?? match?.[2];
    if (
      !isSmall(claim) ||
      noun === undefined ||
      !thing.test(noun) ||
      isSupposed.test(wordsBeside(passage, claim))
    )
      return [];
    if (isEarlier(passage, claim)) return [];
    const all = around(passage, claim, Number.POSITIVE_INFINITY);
    const bottom = onlyOne(
      all.filter((one) => one.kind === "count" && one.noun === noun && one.value >= 1000),
    );
    const tops = all.filter((one) => isLarge(one) && one.currency === claim.currency);
    const top = tops.findLast((one) => one.start < claim.start);
    if (
      bottom === undefined ||
      top === undefined ||
      sentenceOf(passage, claim) - sentenceOf(passage, top) > 1
    )
      return [];
    const given = intervalOf(claim);
    const fits = tops.some((one) =>
      overlaps(
        given,
        combined(intervalOf(one), intervalOf(bottom), (sum, count) => sum / count),
      ),
    );
    const value = top.value / bottom.value;
    if (fits || value > 2.5 * claim.value || value < claim.value / 2.5) return [];
    return [{ claim, shown: `${top.shown} divided by ${bottom.shown} ${noun}s is ${shown(value, claim)}` }];
  });
}

const multipleOf =
  /^(?:,| (?:its|the|this|last|next|trailing|forward|annual|expected|current|year's|company's|[\p{L}’']+['’]s))* ?(?:earnings|profits?|sales|revenues?|book|cash flow|free cash flow|net income|eps|that|it|what|as (?:much|many|large|big|high)|the|its)\b/iu;

/** "At $327 and earnings of $6.50 a share it trades at 60 times earnings", "A is three times B". */
export function multipleSlips(passage: Passage): readonly Slip[] {
  return passage.counted.flatMap((number) => multiples(passage, quantitiesOf(passage, number)));
}

function multiples(passage: Passage, all: readonly Quantity[]): readonly Slip[] {
  return all.flatMap((claim, at) => {
    if (claim.kind !== "multiple" || claim.value < 1 || !/\d|times|twice|thrice/i.test(claim.shown))
      return [];
    if (
      !multipleOf.test(tail(passage, claim)) &&
      !/\b(?:multiple|ratio|p\/e)(?: \w+){0,2} $/i.test(lead(passage, claim))
    )
      return [];
    const isValuation =
      /\b(?:earnings|profits?|sales|revenues?|book|cash flow|income|eps)\b/i.test(tail(passage, claim)) ||
      /multiple|ratio|p\/e/i.test(lead(passage, claim));
    const amounts = all.filter(({ kind }) => kind === "money" || kind === "count");
    const [one, other] = amounts;
    if (one === undefined || other === undefined || amounts.length !== 2) return [];
    if (one.kind !== other.kind || one.currency !== other.currency) return [];
    const position = [all.indexOf(one), all.indexOf(other)].map((index) => Math.sign(index - at));
    const isAround =
      position[0] === -1 &&
      position[1] === 1 &&
      /^[^,;.]{0,40}\b(?:is|was|are|were|equals|represents|or|makes|about)(?: (?:about|around|roughly|nearly|almost|some|more than|over|just))* ?$/i.test(
        between(passage, one, claim),
      ) &&
      between(passage, claim, other).length < 60 &&
      !/[,;]/.test(between(passage, claim, other));
    if (!isValuation && !isAround) return [];
    if (
      isValuation &&
      /[;]|\b(?:while|whereas|but)\b/.test(passage.text.slice(one.start, Math.max(other.end, claim.end)))
    )
      return [];
    if (isValuation && !isEarnings(passage, one.value >= other.value ? other : one)) return [];
    const [large, less] = isAround || one.value >= other.value ? [one, other] : [other, one];
    if (less.value <= 0) return [];
    const ratio = combined(intervalOf(large), intervalOf(less), (top, bottom) => top / bottom);
    const isMore = /^ (?:more|larger|bigger|higher)\b/.test(tail(passage, claim));
    const given = intervalOf(claim);
    if (overlaps(given, ratio) || (isMore && overlaps(given, [ratio[0] - 1, ratio[1] - 1]))) return [];
    // Quarterly earnings are multiplied by four, if that is what was meant.
    if (isValuation && overlaps(given, [ratio[0] / 4, ratio[1] / 4])) return [];
    return [
      { claim, shown: `${large.shown} divided by ${less.shown} is ${(large.value / less.value).toFixed(1)}` },
    ];
  });
}

/** "Earnings of $6.50 a share", "$6.50 in earnings". */
function isEarnings(passage: Passage, one: Quantity): boolean {
  const word = /\b(?:earn(?:s|ed|ings)|profits?|eps|income|sales|revenues?|cash flow|book value)\b/i;
  const own = lead(passage, one).split(/[,;]/).at(-1) ?? "";
  return word.test(own) || word.test(tail(passage, one).split(/[,;]/)[0] ?? "");
}
