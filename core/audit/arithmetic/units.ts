import { wordNumber } from "../numbers.ts";
import { lead, type Passage, sentenceOf, sentenceText, tail } from "../passage.ts";
import { combined, type Interval, intervalOf, overlaps, type Quantity } from "../quantity.ts";
import { around, isEarlier } from "./named.ts";
import { earlier, isSupposed, onlyOne, type Slip, shown, wordsBeside } from "./pairs.ts";

const receipt = /\b(?:depositary (?:share|receipt)|ads|adr|receipt)s?\b/i;
const ordinary = /\b(?:ordinary|common|underlying|local|H)[ -]shares?\b/i;
const stands =
  /\b(?:represents?|stands? for|equals?|equivalent to|is worth|made up of|corresponds? to|convertible into|(?:to|per) (?:one|each|an?) (?:ads|adr|depositary))\b/i;

/** "One depositary share stands for eight ordinary ones": what both earn must differ by as much. */
export function receiptSlips(passage: Passage): readonly Slip[] {
  const ratio = receiptRatio(passage);
  if (ratio === undefined) return [];
  return passage.quantities.flatMap((claim) => {
    if (!isPerShare(claim) || !receipt.test(beside(passage, claim))) return [];
    const other = onlyOne(
      around(passage, claim, 1).filter(
        (one) => isPerShare(one) && one.currency === claim.currency && ordinary.test(beside(passage, one)),
      ),
    );
    if (other === undefined) return [];
    const [low, high] = intervalOf(other);
    if (overlaps(intervalOf(claim), [low * ratio, high * ratio])) return [];
    return [{ claim, shown: `${ratio} times ${other.shown} is ${shown(other.value * ratio, claim)}` }];
  });
}

function isPerShare({ kind, value }: Quantity): boolean {
  return kind === "money" && value < 10_000;
}

function beside(passage: Passage, one: Quantity): string {
  return `${lead(passage, one).split(/[,;]/).at(-1)} ${tail(passage, one).split(/[,;.]/)[0]}`;
}

function receiptRatio(passage: Passage): number | undefined {
  const found = passage.starts.flatMap((_, place) => {
    const sentence = sentenceText(passage, place);
    if (!receipt.test(sentence) || !stands.test(sentence)) return [];
    const after = sentence.slice(stands.exec(sentence)?.index ?? 0);
    const word = /\b(two|three|four|five|six|eight|ten|twelve|twenty|fifty|half|\d{1,3})\b/i
      .exec(after)?.[1]
      ?.toLowerCase();
    const ratio = word === undefined ? undefined : word === "half" ? 0.5 : (wordNumber(word) ?? Number(word));
    return ratio === undefined ? [] : [ratio];
  });
  return new Set(found).size === 1 ? found[0] : undefined;
}

const toUnit =
  /^(?: ?\p{L}+)? ?(?:to|per|for|against|a|=|buys?)(?: (?:the|one|each|every|a|us|american))* ?(?<unit>dollars?|euros?|pounds?|francs?|us\$|\$|€|£)/iu;
const codes: Readonly<Record<string, string>> = {
  dollar: "USD",
  $: "USD",
  us$: "USD",
  euro: "EUR",
  "€": "EUR",
  pound: "GBP",
  "£": "GBP",
  franc: "CHF",
};

/** "6.40 kroner to the dollar … on that basis sales of DKK 76.8 billion are $12.9 billion". */
export function exchangeSlips(passage: Passage): readonly Slip[] {
  const rates = passage.quantities.flatMap((one) => {
    const unit = toUnit.exec(passage.text.slice(one.end, one.end + 40))?.groups?.unit?.toLowerCase();
    const to = codes[unit?.replace(/(?<=\p{L})s$/u, "") ?? ""];
    return one.kind === "money" && to !== undefined && to !== one.currency && one.value < 20_000
      ? [{ one, to }]
      : [];
  });
  const [rate] = rates;
  if (rate === undefined || rates.some(({ one }) => one.value !== rate.one.value)) return [];
  return passage.quantities.flatMap((claim, at) => {
    if (claim.currency !== rate.to || claim.value < 1000 || isSupposed.test(wordsBeside(passage, claim)))
      return [];
    const amounts = passage.quantities.filter(
      (one) => one !== rate.one && one.currency === rate.one.currency && one.value >= 1000,
    );
    const given = intervalOf(claim);
    const results = amounts.map((one) => ({
      one,
      result: combined(intervalOf(one), intervalOf(rate.one), (amount, price) => amount / price),
    }));
    if (results.length === 0 || results.some(({ result }) => overlaps(given, result))) return [];
    // Right beside the amount, or with words that say what it was reckoned with.
    const ahead = passage.quantities[at - 1];
    const isBeside =
      ahead !== undefined &&
      amounts.includes(ahead) &&
      /^[^.;]{0,12}(?:\(|or|about|,|=|that is|equal to|equivalent to|roughly)/i.test(
        passage.text.slice(ahead.end, claim.start),
      );
    const isReckoned =
      /\b(?:on (?:that|this) basis|at (?:that|this|the) (?:exchange )?rate|converted|in dollars|in euros|translat\w+|conver\w+|works out|makes)\b/i.test(
        sentenceText(passage, sentenceOf(passage, claim)),
      );
    const place = sentenceOf(passage, claim);
    const isAtRate =
      sentenceOf(passage, rate.one) === place &&
      rate.one.start < claim.start &&
      /\b(?:that|this|it|which) (?:is|was|makes|made|equals|gives|comes to|came to|works out at|amounts to)(?: (?:about|around|roughly|some|nearly|almost|just|over|under))* $/i.test(
        lead(passage, claim),
      );
    const told = onlyOne(
      amounts.filter((one) => one.start < claim.start && place - sentenceOf(passage, one) <= 1),
    );
    const near = results.filter(({ one, result }) => {
      if (isAtRate && told !== undefined && one.value !== told.value) return false;
      const size = claim.value / ((result[0] + result[1]) / 2);
      return size > 0.7 && size < 1.4;
    });
    const scaled = results.filter(({ result }) => isPowerOfTen(claim.value / ((result[0] + result[1]) / 2)));
    const [found] = isBeside ? results.filter(({ one }) => one === ahead) : [...near, ...scaled];
    const candidates = new Set([...near, ...scaled].map(({ one }) => one.value));
    if (found === undefined || !(isBeside || isReckoned || isAtRate) || (!isBeside && candidates.size !== 1))
      return [];
    return [
      {
        claim,
        shown: `${found.one.shown} at ${rate.one.shown} each is ${shown(found.one.value / rate.one.value, claim)}`,
      },
    ];
  });
}

/** A factor of 10, 100, 1000 or their inverses, as a slipped unit leaves it. */
function isPowerOfTen(factor: number): boolean {
  const power = Math.log10(factor);
  return (
    Math.abs(Math.round(power)) >= 1 &&
    Math.abs(Math.round(power)) <= 3 &&
    Math.abs(power - Math.round(power)) < 0.012
  );
}

const step =
  /\b(?:expand\w*|widen\w*|narrow\w*|r[io]s\w*|f[ae]ll\w*|gain\w*|los[ts]\w*|up|down|improv\w*|increas\w*|declin\w*|more|less|higher|lower|grew|shr[aiu]nk\w*|drop\w*|mov\w*|differ\w*|gap|change\w*|ad(?:d|vanc)\w*|contract\w*|compress\w*|slip\w*)\b/i;

/** "Each 0.2 points lower than three months before": than figures that the text does not give. */
const ofAnotherTime =
  /^ (?:higher|lower|more|less|better|worse|up|down) than (?:(?:in|at|a|an|the|last|one|two|three|six|twelve) ){1,3}(?:year|month|quarter|week|time|half)s?\b/i;

/** "2.61%, after 2.48% … expanding by 130 basis points": the same difference in another unit. */
export function pointSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    if (claim.kind !== "points" || !step.test(wordsBeside(passage, claim))) return [];
    if (/\b(?:fed|federal reserve|central bank|policy|ecb)\b/i.test(wordsBeside(passage, claim))) return [];
    if (ofAnotherTime.test(tail(passage, claim))) return [];
    const near = around(passage, claim, 6, 1).filter(({ kind }) => kind === "percent");
    const given = intervalOf(claim);
    const pairs = near.flatMap((one, at) => near.slice(at + 1).map((other) => ({ one, other })));
    const differences = pairs.map(({ one, other }) => {
      const [low, high] = combined(intervalOf(one), intervalOf(other), (x, y) => x - y);
      const interval: Interval =
        low >= 0 ? [low, high] : high <= 0 ? [-high, -low] : [0, Math.max(-low, high)];
      return { one, other, interval };
    });
    if (differences.some(({ interval }) => overlaps(given, interval))) return [];
    const sentence = sentenceText(passage, sentenceOf(passage, claim));
    const isOfTwo =
      /\b(?:gap|difference|spread|distance) (?:between|of)\b/i.test(sentence) && pairs.length > 0;
    const own = isOfTwo
      ? differences.filter((pair) =>
          [pair.one, pair.other].every((level) => sentenceOf(passage, level) === sentenceOf(passage, claim)),
        )
      : [];
    const wrong =
      own.length === 1
        ? own
        : differences.filter(
            ({ one, other, interval }) =>
              one.value !== other.value &&
              isComparison(passage, one, other) &&
              [0.01, 0.1, 10, 100].some((factor) =>
                overlaps([given[0] * factor, given[1] * factor], interval),
              ),
          );
    const [found] = wrong;
    if (found === undefined) return [];
    const points = Math.abs(found.one.value - found.other.value);
    return [
      {
        claim,
        shown: `${found.one.shown} and ${found.other.shown} lie ${shown(points, { kind: "count", currency: "" })} percentage points apart`,
      },
    ];
  });
}

/** One of the two is told as the earlier one. */
function isComparison(passage: Passage, one: Quantity, other: Quantity): boolean {
  return (
    Math.abs(sentenceOf(passage, one) - sentenceOf(passage, other)) <= 1 &&
    [one, other].some(
      (level) =>
        isEarlier(passage, level) ||
        /\b(?:had been|was|were|stood at)\b/i.test(lead(passage, level)) ||
        earlier.test(
          passage.text.slice(passage.starts[sentenceOf(passage, level)] ?? 0, level.start).slice(0, 60),
        ),
    )
  );
}

const bought =
  /\b(?:shares?|tokens?|stock|of them|of these|receipts?|units?|cars?|vehicles?|phones?|barrels?|aircraft|jets?|customers?|subscribers?)\b/i;

/** "It spent $3.5 billion at $70 on average, and took 500 million of them back": a number of things by sum and price. */
export function numberSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    if (claim.kind !== "count" || claim.value < 10_000 || isSupposed.test(wordsBeside(passage, claim)))
      return [];
    const said = tail(passage, claim).slice(0, 40);
    if (!bought.test(said)) return [];
    const price = onlyOne(
      around(passage, claim, 1).filter(
        (one) =>
          one.kind === "money" &&
          one.value < 10_000 &&
          one.start < claim.start &&
          /\b(?:average|mean|price|at|paid|each|cost)\b/i.test(`${lead(passage, one)} ${one.per ?? ""}`),
      ),
    );
    if (price === undefined || price.value <= 0) return [];
    const sums = passage.quantities.filter(
      (one) => one.kind === "money" && one.currency === price.currency && one.value >= 1e6,
    );
    const results = sums.map((sum) => ({
      sum,
      result: combined(intervalOf(sum), intervalOf(price), (total, one) => total / one),
    }));
    const given = intervalOf(claim);
    if (results.some(({ result }) => overlaps(given, result))) return [];
    const found = results.find(
      ({ sum, result }) =>
        isPowerOfTen(claim.value / ((result[0] + result[1]) / 2)) ||
        (Math.abs(sentenceOf(passage, sum) - sentenceOf(passage, claim)) <= 1 &&
          sums.length === 1 &&
          claim.value < 2.5 * result[1] &&
          claim.value > result[0] / 2.5),
    );
    if (found === undefined) return [];
    return [
      {
        claim,
        shown: `${found.sum.shown} at ${price.shown} each is ${shown(found.sum.value / price.value, { kind: "count", currency: "" })}`,
      },
    ];
  });
}

/** "It pays one cent a share. On 24.3 billion shares that takes $2.43 billion": right but for its zeros. */
export function zeroSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    if (claim.kind !== "money" || claim.value < 100_000 || isSupposed.test(wordsBeside(passage, claim)))
      return [];
    const count = onlyOne(
      around(passage, claim, 1).filter(
        (one) => one.kind === "count" && one.noun !== undefined && one.value >= 1000,
      ),
    );
    const prices = passage.quantities.filter(
      (one) =>
        one.kind === "money" &&
        one.currency === claim.currency &&
        one.value < 10_000 &&
        one.per !== undefined &&
        (one.per === count?.noun || (one.per === "share" && count?.noun === "token")),
    );
    const price = onlyOne(prices);
    if (count === undefined || price === undefined) return [];
    const value = count.value * price.value;
    if (!isPowerOfTen(claim.value / value)) return [];
    // The same digits may be those of another sum.
    if (passage.quantities.some((one) => one !== claim && one.kind === "money" && one.value === claim.value))
      return [];
    return [{ claim, shown: `${count.shown} times ${price.shown} is ${shown(value, claim)}` }];
  });
}
