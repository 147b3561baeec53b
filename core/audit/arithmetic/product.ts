import { between, isLinked, lead, type Passage, quantitiesOf, sentenceOf, sentenceText } from "../passage.ts";
import { combined, intervalOf, overlaps, type Quantity, singular } from "../quantity.ts";
import { around } from "./named.ts";
import { isAmount, isSupposed, onlyOne, type Slip, shown, windowBefore, wordsBeside } from "./pairs.ts";
import { timesAYear } from "./series.ts";

/** What a number of things and the price of each come to. */
const outcome =
  /\b(?:capitali[sz]ation|market (?:value|cap)|worth|valu(?:e|ed|es|ing)|costs?|costing|cost|proceeds|bill|spent|paid|pays|raised|brings?|brought|total\w*|sum|outlay|revenue|that (?:is|makes)|which (?:is|makes)|or)\b/i;

const perUnit =
  /^(?:share|token|each|apiece|piece|unit|car|vehicle|seat|user|subscriber|customer|month|quarter|year|head|person|phone|chip|barrel|ounce|store)$/;

/** A sum of money against the number of things and the price of each that the same sentences give, where each is one. */
export function productSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    if (claim.kind !== "money" || claim.value < 100_000 || isSupposed.test(wordsBeside(passage, claim)))
      return [];
    if (!outcome.test(`${lead(passage, claim)} ${wordsBeside(passage, claim)}`)) return [];
    const near = windowBefore(passage, claim, 1).all.filter((one) => one !== claim);
    if (near.some((one) => one.kind === "money" && one.value >= 100_000)) return [];
    const count = onlyOne(near.filter((one) => one.kind === "count" && one.value >= 1000));
    const price = onlyOne(near.filter((one) => one.kind === "money"));
    if (count === undefined || price === undefined || price.currency !== claim.currency) return [];
    if (!isPriceOfOne(passage, price, count)) return [];
    const product = combined(intervalOf(count), intervalOf(price), (one, other) => one * other);
    const value = count.value * price.value;
    const isOverTime = claim.per !== undefined && price.per !== undefined;
    const times = isOverTime ? (timesAYear[price.per] ?? 1) / (timesAYear[claim.per] ?? 1) : 1;
    const given = intervalOf(claim);
    // Near, or off by whole zeros: anything else is another sum.
    const power = Math.abs(Math.log10(claim.value / (value * Math.max(1, times))));
    const isZeros = power < 3.2 && Math.abs(power - Math.round(power)) < 0.03;
    const isFar = power > 0.4 && !isZeros;
    if (isFar || [1, 4, 12, 52].some((factor) => overlaps(given, [product[0] * factor, product[1] * factor])))
      return [];
    return [
      {
        claim,
        shown: `${count.shown} times ${price.shown}${times > 1 ? `, ${times} times a year,` : ""} is ${shown(value * Math.max(1, times), claim)}`,
      },
    ];
  });
}

function isPriceOfOne(passage: Passage, price: Quantity, count: Quantity): boolean {
  if (price.per !== undefined) return perUnit.test(price.per);
  const joint = between(passage, price, count);
  const ahead = lead(passage, price);
  return (
    /\b(?:at|for)(?: (?:an?|the))?(?: (?:average|mean|price|cost))*(?: of)?(?: (?:about|around|roughly))? $/i.test(
      ahead,
    ) ||
    (sentenceOf(passage, price) === sentenceOf(passage, count) &&
      price.end < count.start &&
      /^ (?:on|for|across|to each of)(?: the| its| all| about| some| roughly)* $/i.test(joint))
  );
}

const atPrice =
  /^[^.;]{0,40}?\b(?:at|for)(?: (?:an?|the))?(?: (?:average|mean|list|market|unit))?(?: (?:price|cost|rate))?(?: of)?(?: (?:about|around|roughly|some|nearly|almost|just|over|under|more than|less than))* ?$/i;

/** A number of things, the price of each, and the sum. */
export function products(passage: Passage): readonly Slip[] {
  return passage.counted.flatMap((number) => triples(passage, quantitiesOf(passage, number)));
}

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
        const product = combined(intervalOf(count), intervalOf(price), (one, other) => one * other);
        // "Dividends of $0.3bn leave $15.5bn for 2.72bn shares: $5.70 each": the other sum is the one that is meant.
        if (sums.some((sum) => overlaps(intervalOf(sum), product))) return [];
        return results.flatMap((sum) => {
          // "By 50 cents an hour, for a million people of 1,800 hours": three figures are multiplied.
          const isMultiplied = all
            .filter((one) => ![count, price, sum].includes(one))
            .some((one) =>
              overlaps(
                intervalOf(sum),
                combined(product, intervalOf(one), (x, y) => x * y),
              ),
            );
          if (overlaps(intervalOf(sum), product) || isMultiplied) return [];
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
  if (price.kind !== "money" || (price.per === undefined && price.value >= 1e6)) return false;
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

/** How many of a unit of time make a year; a year has working days as well. */
const inYear: Readonly<Record<string, readonly number[]>> = {
  day: [365, 360, 250, 252, 260],
  week: [52],
  month: [12],
  quarter: [4],
  year: [1],
};

/** "180,000 barrels a day … for 365 days it would lift 65.7 billion barrels": a rate, a number of days, and the sum. */
export function spanSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    if (!isAmount(claim) || claim.per !== undefined || claim.value < 1000) return [];
    const own = around(passage, claim, 0);
    const span = onlyOne(own.filter((one) => one.kind === "count" && inYear[one.noun ?? ""] !== undefined));
    if (span === undefined || span.start > claim.start) return [];
    const rate = onlyOne(
      around(passage, claim, 1).filter(
        (one) => one.per === span.noun && one.kind === claim.kind && one.currency === claim.currency,
      ),
    );
    if (rate === undefined || !areOfOneThing(rate, claim)) return [];
    const product = combined(intervalOf(rate), intervalOf(span), (one, other) => one * other);
    const value = rate.value * span.value;
    const power = Math.log10(claim.value / value);
    const isZeros = Math.abs(power) > 0.5 && Math.abs(power - Math.round(power)) < 0.03;
    if (overlaps(intervalOf(claim), product) || (Math.abs(power) > 0.2 && !isZeros)) return [];
    return [
      {
        claim,
        shown: `${rate.shown} a ${rate.per} for ${span.shown} ${span.noun}s is ${shown(value, claim)}`,
      },
    ];
  });
}

function areOfOneThing(one: Quantity, other: Quantity): boolean {
  return one.kind === "money" || (one.noun !== undefined && one.noun === other.noun);
}

const lasts =
  /\b(?:take|takes|took|taking|last|lasts|need|needs|enough for|worth|empty\w*|clear\w*|work(?:ing)? (?:off|through)|get(?:ting)? through|fill\w*|deliver\w*|build\w*)\b/i;

/** "6,000 jets on order. At 50 a month emptying the book takes twelve years". */
export function lastingSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    const unit = claim.noun ?? "";
    const [perClaim] = inYear[unit] ?? [];
    if (claim.kind !== "count" || perClaim === undefined || claim.value < 2 || claim.per !== undefined)
      return [];
    const place = sentenceOf(passage, claim);
    if (!lasts.test(sentenceText(passage, place))) return [];
    const rate = onlyOne(
      around(passage, claim, 0).filter((one) => isAmount(one) && inYear[one.per ?? ""] !== undefined),
    );
    if (rate === undefined || rate.value <= 0 || rate.start > claim.start) return [];
    const [perRate = 1] = inYear[rate.per ?? ""] ?? [];
    const stock = onlyOne(
      around(passage, claim, 1).filter(
        (one) =>
          one !== rate &&
          isAmount(one) &&
          one.kind === rate.kind &&
          one.currency === rate.currency &&
          one.per === undefined &&
          inYear[one.noun ?? ""] === undefined &&
          one.value > rate.value,
      ),
    );
    if (stock === undefined) return [];
    const factor = perClaim / perRate;
    const time = combined(intervalOf(stock), intervalOf(rate), (one, other) => (one / other) * factor);
    const value = (stock.value / rate.value) * factor;
    // A count of years is rounded.
    const [low, high] = intervalOf({ ...claim, slack: Math.max(claim.slack, 0.5) });
    if (overlaps([low, high], time) || claim.value > 3 * value || claim.value < value / 3) return [];
    return [
      {
        claim,
        shown: `${stock.shown} at ${rate.shown} a ${rate.per} last ${shown(value, { kind: "count", currency: "" })} ${unit}s`,
      },
    ];
  });
}
