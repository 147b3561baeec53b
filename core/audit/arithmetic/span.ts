import { type Passage, sentenceOf, sentenceText } from "../passage.ts";
import { combined, intervalOf, overlaps, type Quantity } from "../quantity.ts";
import { around } from "./named.ts";
import { isAmount, onlyOne, type Slip, shown } from "./slip.ts";

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
