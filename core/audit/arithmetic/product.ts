import { between, isLinked, lead, type Passage, quantitiesOf, tail } from "../passage.ts";
import { combined, intervalOf, overlaps, type Quantity, singular } from "../quantity.ts";
import { type Slip, shown } from "./slip.ts";

const perYear: Readonly<Record<string, readonly number[]>> = {
  month: [12],
  quarter: [4],
  week: [52],
  day: [365, 360, 250, 252, 260],
};
const perMonth: Readonly<Record<string, readonly number[]>> = { day: [30, 31, 20, 21, 22], week: [4, 4.33] };
const atPrice =
  /^[^.;]{0,40}?\b(?:at|for)(?: (?:an?|the))?(?: (?:average|mean|list|market|unit))?(?: (?:price|cost|rate))?(?: of)?(?: (?:about|around|roughly|some|nearly|almost|just|over|under|more than|less than))* ?$/i;

/** Products and quotients: price by number of shares, price by earnings, a month's sum by a year's. */
export function products(passage: Passage): readonly Slip[] {
  return passage.counted.flatMap((number) => {
    const all = quantitiesOf(passage, number);
    return [...triples(passage, all), ...multiples(passage, all), ...periods(passage, all)];
  });
}

/** A number of things, the price of each, and the sum. */
function triples(passage: Passage, all: readonly Quantity[]): readonly Slip[] {
  return all
    .flatMap((count) => {
      if (count.kind !== "count" || (count.noun === undefined && !/[a-z]/i.test(count.shown))) return [];
      return all.flatMap((price) => {
        if (!isPriceOf(passage, count, price)) return [];
        const sums = all.filter(
          (one) =>
            one !== price && one.kind === "money" && one.currency === price.currency && !isUnitPrice(one),
        );
        const results = sums.filter((sum) => isResult(passage, [count, price], sum));
        // Several sums are a list, and the price may be their average.
        if (results.length > 2) return [];
        return results.flatMap((sum) => {
          const product = combined(intervalOf(count), intervalOf(price), (one, other) => one * other);
          if (overlaps(intervalOf(sum), product)) return [];
          return [
            {
              claim: [count, price, sum].reduce((last, one) => (one.start > last.start ? one : last)),
              shown: `${count.shown}${count.noun === undefined ? "" : ` ${count.noun}s`} at ${price.shown} each is ${shown(count.value * price.value, sum)}, the text says ${sum.shown}`,
              isWhole: true,
            },
          ];
        });
      });
    })
    .slice(0, 1);
}

function isUnitPrice({ per }: Quantity): boolean {
  return per !== undefined && !/^(?:year|quarter|month)$/.test(per);
}

/** "N shares at $p", "$p a share … N shares". */
function isPriceOf(passage: Passage, count: Quantity, price: Quantity): boolean {
  if (price.kind !== "money") return false;
  if (count.end <= price.start && atPrice.test(between(passage, count, price))) return true;
  const counted = count.noun === undefined ? "" : singular(count.noun);
  return (
    price.per !== undefined &&
    (price.per === counted ||
      (/^(?:each|apiece)$/.test(price.per) &&
        count.end <= price.start &&
        between(passage, count, price).length < 60))
  );
}

/** The sum is given for the two: right after them, or right before ("$20.1 billion on 60 million shares at $335"). */
function isResult(passage: Passage, [one, other]: readonly [Quantity, Quantity], sum: Quantity): boolean {
  const start = Math.min(one.start, other.start);
  const end = Math.max(one.end, other.end);
  if (sum.start > start && sum.end < end)
    return /\b(?:by|over|across|divided|on|for)\b/i.test(
      between(passage, sum, one.start > sum.start ? one : other),
    );
  if (sum.start >= end) {
    const gap = passage.text
      .slice(end, sum.start)
      .replace(/^ (?:a|per|each|every)(?: \p{L}+)?|^ (?:each|apiece)/u, "");
    if (/\band\b(?! (?:is|was|so|thus|therefore|cost|costs|brings?)\b)/i.test(gap)) return false;
    return (
      gap.length < 90 &&
      (isLinked(gap) ||
        /(?:,|\band\b)? ?\b(?:worth|costs?|costing|bill|value|valued|capitali[sz]ation|brings?|bringing|revenue|sales|outlay|total|investment)\b[^.;,]{0,30}$/i.test(
          gap,
        ))
    );
  }
  const gap = passage.text.slice(sum.end, start);
  return (
    gap.length < 60 &&
    /\b(?:on|for|from|by|into|over|across|divided by|buys?|bought|to buy|buying|or|is|means|pays? for|=)\b(?: [\p{L}]+){0,4} ?$/iu.test(
      gap,
    ) &&
    !/[;]|\bwhile\b|\bbut\b/.test(gap)
  );
}

const multipleOf =
  /^(?:,| (?:its|the|this|last|next|trailing|forward|annual|expected|current|year's|company's|[\p{L}’']+['’]s))* ?(?:earnings|profits?|sales|revenues?|book|cash flow|free cash flow|net income|eps|that|it|what|as (?:much|many|large|big|high)|the|its)\b/iu;

/** "At $327 and earnings of $6.50 a share it trades at 60 times earnings", "A is three times B". */
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

/** "$2.5 billion a quarter, or $12 billion a year". */
function periods(passage: Passage, all: readonly Quantity[]): readonly Slip[] {
  return all.flatMap((one, at) => {
    const claim = all[at + 1];
    if (claim === undefined || one.kind !== claim.kind || one.currency !== claim.currency) return [];
    if (one.per === undefined || claim.per === undefined || one.per === claim.per) return [];
    const [short, long] = one.value <= claim.value ? [one, claim] : [claim, one];
    const factors =
      long.per === "year"
        ? perYear[short.per ?? ""]
        : long.per === "month"
          ? perMonth[short.per ?? ""]
          : undefined;
    const gap = between(passage, one, claim).replace(/^,? (?:a|an|per|each|every) \w+|^ \w+ly/, "");
    if (factors === undefined || !isLinked(gap) || !/,|\bor\b|\bis\b|\(|\bmakes?\b/.test(gap)) return [];
    if (factors.some((factor) => overlaps(intervalOf(long), scaled(short, factor)))) return [];
    // "$9.99 a month or $99 a year" are two prices of one plan.
    if (/\bor\b/.test(gap) && long.value < 10_000) return [];
    return [
      {
        claim,
        shown: `${short.shown} a ${short.per} is ${shown(short.value * (factors[0] ?? 1), long)} a ${long.per}`,
      },
    ];
  });
}

function scaled(one: Quantity, factor: number): readonly [number, number] {
  const [low, high] = intervalOf(one);
  return [low * factor, high * factor];
}
