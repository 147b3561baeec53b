import { between, lead, type Passage, quantitiesOf, sentenceOf, tail } from "../passage.ts";
import { combined, intervalOf, overlaps, type Quantity } from "../quantity.ts";
import { isAmount, onlyOne, type Slip, shown, windowBefore, wordsBeside } from "./slip.ts";

/** What one figure divided by another is called, and how each is told from the rest. */
type Rate = {
  readonly claim: (passage: Passage, one: Quantity) => boolean;
  readonly top: (beside: string, one: Quantity) => boolean;
  readonly bottom: (beside: string, one: Quantity) => boolean;
  /** Figures of a quarter or a month may stand for a year's. */
  readonly factors: readonly number[];
  readonly percent: boolean;
  /** A margin may be told as what the costs leave. */
  readonly isSplit?: boolean;
};

const profit =
  /\b(?:net|operating|gross|pretax|trading)? ?(?:profits?|income|earned|earnings|earns|made|makes|keeps|kept)\b/i;

const revenue = /\b(?:revenues?|sales|turnover|takings|takes? in|took in)\b/i;
const isSmall = ({ kind, value }: Quantity) => kind === "money" && Math.abs(value) < 100_000;
const isLarge = ({ kind, value }: Quantity) => kind === "money" && Math.abs(value) >= 100_000;
const earnings = /\b(?:earn\w*|profits?|eps)\b/i;
const dividend = /\b(?:dividends?|pays?(?: out)?|paid out|payout|distribut\w+)\b/i;

const isPrice = (beside: string, one: Quantity) =>
  isSmall(one) && one.value > 1 && !earnings.test(beside) && !dividend.test(beside);

/** Names of ratios, which name no figure of their own. */
const ratioName =
  /\bp\/e\b|\bprice[- ](?:to[- ])?earnings\b|\bearnings (?:multiple|yield)\b|\bdividend yield\b|\bmarket value\b/gi;

const rates: readonly Rate[] = [
  {
    claim: (passage, one) =>
      one.kind === "percent" && /\bmargin|\bkeeps?\b|\bkept\b/i.test(wordsBeside(passage, one)),
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
    claim: (_, one) => isSmall(one) && one.per === "share",
    top: (beside, one) => isLarge(one) && profit.test(beside),
    bottom: (_, one) => one.kind === "count" && (one.noun === "share" || one.noun === "token"),
    factors: [1],
    percent: false,
  },
];

/** The two words right at the figure on each side. */
function nearest(beside: string): string {
  const [ahead = "", after = ""] = beside.split(" … ");
  return `${ahead.trim().split(" ").slice(-2).join(" ")} … ${after.trim().split(" ").slice(0, 3).join(" ")}`;
}

/**
 * Margins, multiples of earnings, yields and figures per share, each against the two figures that it is made of, wherever
 * the two sentences give them; where they give several, nothing is said.
 */
export function rateSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    const rate = rates.find((one) => one.claim(passage, claim));
    if (rate === undefined) return [];
    const near = windowBefore(passage, claim, 1).all.filter((one) => one !== claim && isAmount(one));
    const besideOf = (one: Quantity) => wordsBeside(passage, one).replace(ratioName, "ratio");
    const tops = near.filter((one) => rate.top(besideOf(one), one));
    const bottom = onlyOne(near.filter((one) => !tops.includes(one) && rate.bottom(besideOf(one), one)));
    const top = onlyOne(tops);
    if (top === undefined || bottom === undefined || bottom.value <= 0 || top.value <= 0) return [];
    if (top.kind === bottom.kind && top.currency !== bottom.currency) return [];
    if (
      /\b(?:expected|forecast|analysts|last year|a year (?:ago|earlier|before)|versus|against)\b/i.test(
        wordsBeside(passage, claim),
      )
    )
      return [];
    // A margin of its own line, and one that stands before its parts, is some other's.
    if (
      claim.start < Math.min(top.start, bottom.start) &&
      sentenceOf(passage, claim) !== sentenceOf(passage, top)
    )
      return [];
    const size = rate.percent ? 100 : 1;
    const quotient = combined(intervalOf(top), intervalOf(bottom), (one, other) => (size * one) / other);
    // "A ratio of 40" is rounded.
    const given = intervalOf(claim.isBare ? { ...claim, slack: Math.max(claim.slack, 0.5) } : claim);
    const isRight = rate.factors.some((factor) =>
      overlaps(given, [quotient[0] * factor, quotient[1] * factor]),
    );
    const isRest = rate.isSplit === true && overlaps(given, [100 - quotient[1], 100 - quotient[0]]);
    if (isRight || isRest) return [];
    const value = (size * top.value) / bottom.value;
    const result = rate.percent
      ? shown(value, { kind: "percent", currency: "" })
      : shown(value, { kind: claim.kind, currency: claim.currency });
    return [{ claim, shown: `${top.shown} divided by ${bottom.shown} is ${result}` }];
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
