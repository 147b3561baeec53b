import { between, lead, type Passage, sentenceOf } from "../passage.ts";
import { areAlike, combined, intervalOf, overlaps, type Quantity, scaleOf } from "../quantity.ts";
import { type Slip, shown } from "./slip.ts";
import { isSupposed, onlyOne, windowBefore, wordsBeside } from "./window.ts";

/** What a number of things and the price of each come to. */
const outcome =
  /\b(?:capitali[sz]ation|market (?:value|cap)|worth|valu(?:e|ed|es|ing)|costs?|costing|cost|proceeds|bill|spent|paid|pays|raised|brings?|brought|total\w*|sum|outlay|revenue|that (?:is|makes)|which (?:is|makes)|or)\b/i;
const perUnit =
  /^(?:share|token|each|apiece|piece|unit|car|vehicle|seat|user|subscriber|customer|month|quarter|year|head|person|phone|chip|barrel|ounce|store)$/;
const perYear: Readonly<Record<string, number>> = { year: 1, quarter: 4, month: 12, week: 52 };

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
    if (!isPriceOf(passage, price, count)) return [];
    const product = combined(intervalOf(count), intervalOf(price), (one, other) => one * other);
    const value = count.value * price.value;
    const times = (perYear[claim.per ?? ""] ?? 1) / (perYear[price.per ?? claim.per ?? ""] ?? 1);
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

function isPriceOf(passage: Passage, price: Quantity, count: Quantity): boolean {
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

const annual =
  /\bannual(?:i[sz]ed)? (?:run[- ]?)?(?:rate|pace|run)\b[^.;,\d]{0,20}$|\brun[- ]rate of [^.;,\d]{0,20}$/i;

/** "At $4.3 billion a quarter it runs at an annual rate of $21 billion". */
export function paceSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    if (!annual.test(lead(passage, claim))) return [];
    const short = onlyOne(
      windowBefore(passage, claim, 1).all.filter(
        (one) =>
          one.end <= claim.start &&
          one.kind === claim.kind &&
          one.currency === claim.currency &&
          one.kind !== "percent",
      ),
    );
    const times = perYear[short?.per ?? ""];
    if (short === undefined || times === undefined || times === 1) return [];
    const [low, high] = intervalOf(short);
    if (overlaps(intervalOf(claim), [low * times, high * times])) return [];
    return [{ claim, shown: `${short.shown} a ${short.per} is ${shown(short.value * times, claim)} a year` }];
  });
}

const upBy =
  /\b(?:r[io]se|risen|gr[eo]w|grown|climb\w*|jump\w*|increas\w*|up|add\w*|gain\w*|widen\w*)\b[^,;.]{0,20}\bby (?:\p{L}+ ){0,2}$/iu;
const downBy =
  /\b(?:f[ae]ll|fallen|drop\w*|declin\w*|shr[aiu]nk|slid|slip\w*|down|cut|lost|decreas\w*)\b[^,;.]{0,20}\bby (?:\p{L}+ ){0,2}$/iu;

/** "Fell to $11.3 billion and then climbed by $3.7 billion to $18 billion". */
export function stepSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim, at) => {
    const [start, step] = passage.quantities.slice(Math.max(0, at - 2), at);
    if (start === undefined || step === undefined) return [];
    if (!/^ to (?:about |around |some |roughly |nearly )?$/i.test(between(passage, step, claim))) return [];
    const way = upBy.test(lead(passage, step)) ? 1 : downBy.test(lead(passage, step)) ? -1 : 0;
    const bare = (one: Quantity) => ({ ...one, noun: undefined, per: undefined });
    if (
      way === 0 ||
      step.kind === "percent" ||
      !areAlike(bare(start), bare(step)) ||
      !areAlike(bare(start), bare(claim))
    )
      return [];
    if (!/\b(?:to|at|of|was|were|from|reached) (?:about |some )?$/i.test(lead(passage, start))) return [];
    if (sentenceOf(passage, claim) - sentenceOf(passage, start) > 1 || scaleOf(start) !== scaleOf(claim))
      return [];
    const reached = combined(intervalOf(start), intervalOf(step), (one, other) => one + way * other);
    if (overlaps(intervalOf(claim), reached)) return [];
    return [
      {
        claim,
        shown: `${start.shown} ${way > 0 ? "+" : "-"} ${step.shown} is ${shown(start.value + way * step.value, claim)}`,
      },
    ];
  });
}
