import { wordNumber } from "../numbers.ts";
import { lead, type Passage, sentenceOf, sentenceText, tail } from "../passage.ts";
import { areAlike, combined, intervalOf, overlaps, type Quantity } from "../quantity.ts";
import { around, isEarlier } from "./named.ts";
import { directionWord, isAmount, isSupposed, onlyOne, type Slip, shown, wordsBeside } from "./pairs.ts";

/** "Half of it" may be half of anything. */
const ofThem = /^ of (?:them|these|those)\b/i;
const ofNoun = /^ of (?:the |all |its |their |all the ){1,2}(?:\p{L}+ )?(\p{L}{4,})/iu;
const everyNth = /^(?:every|\S+ (?:in|out of)) /i;
const timeNoun = /^(?:minute|hour|day|week|month|quarter|year|decade|season|time)$/;

/** "14,000 of 350,000 people: about one in 20 of them", where the sentences around give one whole and one part. */
export function portionSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    if (claim.kind !== "fraction" || isSupposed.test(wordsBeside(passage, claim))) return [];
    const beside = wordsBeside(passage, claim);
    if (directionWord(beside) !== undefined || isEarlier(passage, claim)) return [];
    // A share of somebody who is named is a share of that one.
    const after = tail(passage, claim).split(/[,;.]/)[0] ?? "";
    if (/\bof (?:it\b|that\b|this\b|\p{Lu})/u.test(after)) return [];
    const noun = ofNoun.exec(after)?.[1]?.toLowerCase();
    if (!everyNth.test(claim.shown) && !ofThem.test(after) && noun === undefined) return [];
    // "Nine of the eighteen, every second one": smaller numbers of its own sentence come first.
    const own = around(passage, claim, 0, 0).filter(isAmount);
    const isOwn = own.some((one) =>
      own.some((other) => {
        const ratio = (one.value / other.value) * 100;
        return one.value < other.value && overlaps(intervalOf(claim), [ratio, ratio]);
      }),
    );
    if (isOwn) return [];
    const near = distinct(
      around(passage, claim, everyNth.test(claim.shown) ? 4 : 2).filter(
        (one) =>
          isAmount(one) && one.value >= 100 && !timeNoun.test(one.noun ?? "") && one.start < claim.start,
      ),
    );
    const [one, other] = near.toSorted((left, right) => right.value - left.value);
    if (noun !== undefined && one?.noun !== undefined && !noun.startsWith(one.noun.slice(0, 4))) return [];
    if (noun !== undefined && one?.noun === undefined) return [];
    if (near.length !== 2 || one === undefined || other === undefined) return [];
    if (!areAlike({ ...one, noun: undefined, per: undefined }, { ...other, noun: undefined, per: undefined }))
      return [];
    if ([one, other].some((part) => isEarlier(passage, part))) return [];
    const share = combined(intervalOf(other), intervalOf(one), (part, whole) => (part / whole) * 100);
    const given = intervalOf(claim);
    if (overlaps(given, share) || overlaps(given, [100 - share[1], 100 - share[0]])) return [];
    // A share of something else is far off.
    const value = (other.value / one.value) * 100;
    if (value < claim.value / 2 || value > claim.value * 2) return [];
    return [
      {
        claim,
        shown: `${other.shown} of ${one.shown} is ${shown(value, { kind: "percent", currency: "" })}`,
      },
    ];
  });
}

function distinct(found: readonly Quantity[]): readonly Quantity[] {
  return [...new Map(found.map((one) => [one.value, one])).values()];
}

const ofTotal =
  /\bof (?:the |its |this |that )?(?:(?:quarter|month|year|half|group|company|bank)['’]s )?(?:grand |group |whole |entire |overall )?(?:total|whole)\b|\bof (?:the )?total\b/i;

/** "Of the quarter's total, chips accounted for $560 billion, or 54%": the total may be the sum of what was listed. */
export function totalShareSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim, at) => {
    const part = passage.quantities[at - 1];
    if (part === undefined || claim.kind !== "percent" || !isAmount(part)) return [];
    const place = sentenceOf(passage, claim);
    if (sentenceOf(passage, part) !== place) return [];
    if (
      !/^,? ?(?:\(|or|that is|which is|equal to|a share of)(?: (?:about|around|roughly|some|nearly|almost|just))* ?$/i.test(
        passage.text.slice(part.end, claim.start),
      )
    )
      return [];
    const sentence = sentenceText(passage, place);
    if (!ofTotal.test(sentence)) return [];
    const alike = around(passage, claim, 12).filter(
      (one) =>
        one !== part &&
        one.start < part.start &&
        areAlike({ ...one, noun: undefined, per: undefined }, { ...part, noun: undefined, per: undefined }),
    );
    const lists = Object.values(Object.groupBy(alike, (one) => sentenceOf(passage, one)))
      .filter((list) => list !== undefined)
      .filter((list) => list.length >= 2)
      .map((list) => ({
        shown: list.map((one) => one.shown).join(" + "),
        interval: list.map(intervalOf).reduce((one, other) => [one[0] + other[0], one[1] + other[1]]),
      }));
    const wholes = [
      ...alike.map((one) => ({ shown: one.shown, interval: intervalOf(one) })),
      ...lists,
    ].filter(({ interval }) => interval[0] > part.value);
    const shares = wholes.map(({ shown: text, interval }) => ({
      text,
      share: combined(intervalOf(part), interval, (one, whole) => (one / whole) * 100),
    }));
    const [only] = shares;
    if (
      only === undefined ||
      shares.some(({ share }) => overlaps(intervalOf(claim), share)) ||
      shares.length > 2
    )
      return [];
    return [
      {
        claim,
        shown: `${part.shown} of ${only.text} is ${shown((only.share[0] + only.share[1]) / 2, { kind: "percent", currency: "" })}`,
      },
    ];
  });
}

const left =
  /^ ?(?:\p{L}+ ){0,3}?(?:(?:are|is) )?(?:still )?(?:to come|to go|outstanding|remain(?:s|ing)?|left|to be (?:delivered|built|opened|paid|filled)|unsold|undelivered|unfilled|missing)\b/iu;
const done = /\b(\w+) of (?:the|its|these|those) (\w+)\b(?: \p{L}+)?(?: (?:already|now|so far))?/iu;
/** The words that count parts; others between "of" and "the" are no number. */
const counts = new Set(
  "one two three four five six seven eight nine ten eleven twelve fifteen twenty".split(" "),
);

/** "Five tranches of twelve jets each. With three of the five delivered, 24 are still to come." */
export function remainderSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    if (claim.kind !== "count" || !left.test(tail(passage, claim))) return [];
    const place = sentenceOf(passage, claim);
    const begin = passage.starts[place] ?? 0;
    const match = done.exec(passage.text.slice(begin, claim.start));
    const [part, whole] = [numberOf(match?.[1]), numberOf(match?.[2])];
    if (part === undefined || whole === undefined || part >= whole) return [];
    const before = [place - 1, place]
      .filter((at) => at >= 0)
      .map((at) => sentenceText(passage, at))
      .join(" ");
    const each = new RegExp(String.raw`\b(?:${match?.[2]}) \p{L}+ of (\w+)\b`, "iu").exec(before)?.[1];
    const sizes = [1, ...[numberOf(each)].filter((size) => size !== undefined)];
    const results = sizes.map((size) => (whole - part) * size);
    if (results.some((value) => overlaps(intervalOf(claim), [value, value]))) return [];
    const size = sizes.at(-1) ?? 1;
    return [
      {
        claim,
        shown: `${whole - part} of ${whole}${size > 1 ? `, of ${size} each,` : ""} are left, which is ${(whole - part) * size}`,
      },
    ];
  });
}

function numberOf(word = ""): number | undefined {
  if (counts.has(word.toLowerCase())) return wordNumber(word);
  return /^\d{1,6}$/.test(word) ? Number(word) : undefined;
}

const term =
  /\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|\d{1,2})-(year|month|season|week|quarter)\b/i;

/** "A twelve-year contract worth $780 million, or $52 million a season". */
export function termSlips(passage: Passage): readonly Slip[] {
  return passage.counted.flatMap((place) => {
    const sentence = sentenceText(passage, place);
    const match = term.exec(sentence);
    const length = numberOf(match?.[1]);
    const money = passage.quantities.filter(
      (one) => one.kind === "money" && sentenceOf(passage, one) === place,
    );
    const rate = onlyOne(
      money.filter(({ per }) => per !== undefined && /^(?:year|season|month|week|quarter)$/.test(per)),
    );
    const sum = onlyOne(money.filter((one) => one.per === undefined));
    if (length === undefined || rate === undefined || sum === undefined || money.length !== 2) return [];
    if (rate.currency !== sum.currency || isSupposed.test(sentence)) return [];
    const gap = passage.text.slice(Math.min(rate.end, sum.end), Math.max(rate.start, sum.start));
    if (
      !/^[^;.]{0,60}$/.test(gap) ||
      !/\bor\b|\ba total|\bin (?:total|all)\b|\bworth\b|\bcomes? to\b|\(|\btherefore\b/i.test(gap + sentence)
    )
      return [];
    const times: Readonly<Record<string, number>> = { year: 1, season: 1, quarter: 4, month: 12, week: 52 };
    const unit = match?.[2]?.toLowerCase() ?? "year";
    const spans = (length * (times[rate.per ?? "year"] ?? 1)) / (times[unit] ?? 1);
    const [low, high] = intervalOf(rate);
    if (overlaps(intervalOf(sum), [low * spans, high * spans])) return [];
    const ratio = sum.value / (rate.value * spans);
    if (ratio > 3 || ratio < 1 / 3) return [];
    return [
      {
        claim: sum,
        shown: `${rate.shown} a ${rate.per} for ${length} ${unit}s is ${shown(rate.value * spans, sum)}`,
      },
    ];
  });
}

const stepAhead =
  /\b(?:increase|rise|gain|growth|jump|addition|decrease|decline|drop|fall|reduction|loss|shortfall|difference) of (?:about |around |some |nearly |almost |roughly )?$/i;
const stepGap =
  /^(?:,? (?:which )?(?:is|was|amounts? to|equals?|comes? to|makes|means|represents|works out at|corresponds to)|,? or|,| \()(?: (?:about|around|roughly|some|nearly|almost|just|over|an?|growth|of))* ?$/i;

/** "The increase of half a billion amounts to 9 percent", of a base that stands before it. */
export function stepShareSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim, at) => {
    const step = passage.quantities[at - 1];
    if (step === undefined || claim.kind !== "percent" || !isAmount(step)) return [];
    if (!stepAhead.test(lead(passage, step)) || !stepGap.test(passage.text.slice(step.end, claim.start)))
      return [];
    const bases = distinct(
      around(passage, claim, 2, 1).filter(
        (one) =>
          one !== step &&
          one.value > step.value &&
          areAlike({ ...one, noun: undefined, per: undefined }, { ...step, noun: undefined, per: undefined }),
      ),
    );
    const given = intervalOf(claim);
    const results = bases.flatMap((base) =>
      [0, 1, -1].map((sign) => {
        const whole = base.value + sign * step.value;
        return {
          base,
          share: combined(
            intervalOf(step),
            [whole - base.slack, whole + base.slack],
            (one, other) => (one / other) * 100,
          ),
        };
      }),
    );
    const [first] = results;
    if (first === undefined || bases.length > 2 || results.some(({ share }) => overlaps(given, share)))
      return [];
    return [
      {
        claim,
        shown: `${step.shown} of ${first.base.shown} is ${shown((step.value / first.base.value) * 100, { kind: "percent", currency: "" })}`,
      },
    ];
  });
}

const byAhead = /\bby (?:about |some |around |roughly )?$/i;
const outcome =
  /^,? (?:or|a|an|which is|that is)(?: \p{L}+){0,2}? (?:of |by )?(?:about |around |some |nearly |almost |roughly )?$|^,? \(|^,? or $/iu;

/** "Fell by 2,000 to 18,000, a cut of 15%": a share of what it was. */
export function movedShareSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim, at) => {
    const [step, level] = [passage.quantities[at - 2], passage.quantities[at - 1]];
    if (step === undefined || level === undefined || claim.kind !== "percent") return [];
    if (
      !isAmount(step) ||
      !byAhead.test(lead(passage, step)) ||
      !/^(?: \p{L}+){0,2} to $/u.test(passage.text.slice(step.end, level.start))
    )
      return [];
    if (
      !areAlike({ ...step, noun: undefined, per: undefined }, { ...level, noun: undefined, per: undefined })
    )
      return [];
    if (!outcome.test(passage.text.slice(level.end, claim.start)) || step.value >= level.value * 3) return [];
    const results = [1, -1].map((sign) => {
      const base = level.value + sign * step.value;
      return {
        base,
        share: combined(intervalOf(step), [base - level.slack, base + level.slack], (one, other) =>
          Math.abs((one / other) * 100),
        ),
      };
    });
    if (results.some(({ share }) => overlaps(intervalOf(claim), share))) return [];
    const base = level.value + (directionWord(lead(passage, step)) === "up" ? -step.value : step.value);
    return [
      {
        claim,
        shown: `${step.shown} of ${shown(base, level)} is ${shown((step.value / base) * 100, { kind: "percent", currency: "" })}`,
      },
    ];
  });
}

const ofSales =
  /^ of (?:(?:its|the|all|total|group|net|annual) )*(?:sales|revenues?|turnover|profits?|output|production|capacity|deliveries|shipments|orders|votes?|users|staff|employees|customers|costs|spending|assets|loans|the market)\b/i;

/** "60% of sales, services 25% and licences 20%": parts of one whole that come to more than it. */
export function overfullSlips(passage: Passage): readonly Slip[] {
  return passage.counted.flatMap((place) => {
    const all = passage.quantities.filter(
      (one) => one.kind === "percent" && sentenceOf(passage, one) === place,
    );
    const [first] = all;
    const last = all.at(-1);
    const sentence = sentenceText(passage, place);
    if (first === undefined || last === undefined || all.length < 3 || !ofSales.test(tail(passage, first)))
      return [];
    if (
      directionWord(sentence) !== undefined ||
      /\b(?:growth|grew|margin|rate|respectively|while|both|including|of which|last year|year ago|earlier|from|than|each|overlap\w*|some|several answers)\b/i.test(
        sentence,
      )
    )
      return [];
    if (all.slice(1).some((one) => /^ of\b/.test(tail(passage, one)) && !ofSales.test(tail(passage, one))))
      return [];
    const sum = all.reduce((total, one) => total + one.value, 0);
    if (sum <= 100 + all.length * 0.5 || sum > 125) return [];
    return [
      {
        claim: last,
        shown: `${all.map((one) => one.shown).join(" + ")} is ${shown(sum, { kind: "percent", currency: "" })} of one whole`,
        isWhole: true,
      },
    ];
  });
}

const split =
  /\b(two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|\d{1,3})-for-(one|two|three|\d)\b[^.]{0,20}\bsplit\b/i;

/** "After the ten-for-one split a share that cost $1,200 costs $12". */
export function splitPriceSlips(passage: Passage): readonly Slip[] {
  return passage.counted.flatMap((place) => {
    const match = split.exec(sentenceText(passage, place));
    const [many, one] = [numberOf(match?.[1]), numberOf(match?.[2])];
    const prices = distinct(
      passage.quantities.filter(
        ({ kind, value, start }) =>
          kind === "money" &&
          value < 100_000 &&
          passage.starts.findLastIndex((begin) => begin <= start) === place,
      ),
    );
    const [old, young] = prices.toSorted((left, right) => right.value - left.value);
    if (
      many === undefined ||
      one === undefined ||
      old === undefined ||
      young === undefined ||
      prices.length !== 2
    )
      return [];
    const [low, high] = intervalOf(old);
    if (
      overlaps(intervalOf(young), [(low * one) / many, (high * one) / many]) ||
      old.value / young.value < 1.5
    )
      return [];
    return [
      {
        claim: young,
        shown: `${old.shown} divided by ${many / one} is ${shown((old.value * one) / many, young)}`,
      },
    ];
  });
}
