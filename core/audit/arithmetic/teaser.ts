import { stems } from "../claim.ts";
import { lead, type Passage, sentenceOf, sentenceText, tail } from "../passage.ts";
import { areAlike, combined, type Interval, intervalOf, overlaps, type Quantity } from "../quantity.ts";
import { directionWord, pairsIn } from "./pairs.ts";
import { isAmount, isSupposed, type Slip, shown, wordsBeside } from "./slip.ts";

/** What headline and preview give, and the text below them. */
export type Announced = { readonly teasers: readonly Passage[]; readonly body: readonly Passage[] };
/** A slip of a body's figure, with its sentence. */
export type BodySlip = { readonly slip: Slip; readonly sentence: string };

const yearly =
  /\b(?:year[- ]on[- ]year|year[- ]over[- ]year|from (?:a|the) year (?:earlier|ago|before)|than a year (?:earlier|ago|before)|the year before|a year (?:earlier|ago|before)|within (?:a year|twelve months|four quarters)|in (?:a year|twelve months|four quarters)|over the year|on the year|the previous year|last year)\b/i;

/** "$27.6 billion, against $24.0 billion a year earlier" in the preview, and "services advanced 13%" in the body. */
export function teaserChangeSlips({ teasers, body }: Announced): readonly BodySlip[] {
  const pairs = teasers.flatMap((teaser) =>
    pairsIn(teaser)
      .filter(({ old }) => old.kind !== "percent" && old.value > 0)
      .map((pair) => ({ pair, stems: stems(teaser.text), text: teaser.text })),
  );
  const [only] = pairs;
  if (only === undefined || pairs.length > 1) return [];
  const { old, young } = only.pair;
  const change = combined(intervalOf(old), intervalOf(young), (from, to) => (to / from - 1) * 100);
  const ratio = combined(intervalOf(old), intervalOf(young), (from, to) => to / from);
  return body.flatMap((passage) =>
    passage.quantities.flatMap((claim): readonly BodySlip[] => {
      const sentence = sentenceText(passage, sentenceOf(passage, claim));
      const beside = wordsBeside(passage, claim);
      if (
        passage.quantities.some((one) =>
          areAlike({ ...one, noun: undefined }, { ...young, noun: undefined }),
        ) ||
        isSupposed.test(beside)
      )
        return [];
      const isOfYear = yearly.test(only.text) && yearly.test(sentence);
      const shared = [...stems(beside)].some((stem) => only.stems.has(stem));
      const given = intervalOf(claim);
      const fits = (result: Interval) => overlaps(given, result) || overlaps([-given[1], -given[0]], result);
      if (claim.kind === "multiple") {
        if (
          !isOfYear ||
          claim.value < 1.5 ||
          overlaps(given, ratio) ||
          overlaps(given, [1 / ratio[1], 1 / ratio[0]])
        )
          return [];
        if (
          !/\b(?:ha[sd]|have|more than|nearly|almost|it|they|revenues?|sales|profits?|which) $/i.test(
            lead(passage, claim),
          )
        )
          return [];
      } else if (claim.kind === "percent") {
        if (!shared || !isOfYear || directionWord(beside) === undefined || fits(change)) return [];
        if (/^ (?:of|margin|share|stake)\b/.test(tail(passage, claim))) return [];
      } else return [];
      const value = (young.value / old.value - 1) * 100;
      const result =
        claim.kind === "multiple"
          ? `a factor of ${(young.value / old.value).toFixed(2)}`
          : shown(value, { kind: "percent", currency: "" });
      return [{ slip: { claim, shown: `${old.shown} to ${young.shown} is ${result}` }, sentence }];
    }),
  );
}

const numbers = ["two", "three", "four", "five", "six", "seven", "eight"];
const whole =
  /\b(?:total\w*|all|together|combined|altogether|splits?|divided|consists?|made up|breaks? down|as follows|of which|bring\w* in|add\w*)\b/i;

/** A list whose amounts miss the total that headline, preview or the words before it give. */
export function listTotalSlips(
  announced: readonly Passage[],
  blocks: readonly (readonly Passage[])[],
): readonly BodySlip[] {
  return blocks.flatMap((block): readonly BodySlip[] => {
    const firsts = block.flatMap(({ quantities }) => (quantities.length === 1 ? quantities : []));
    const [first] = firsts;
    if (first === undefined || firsts.length < 3 || firsts.length !== block.length || !isAmount(first))
      return [];
    const alike = (one: Quantity) =>
      areAlike({ ...one, noun: undefined, per: undefined }, { ...first, noun: undefined, per: undefined });
    if (!firsts.every(alike)) return [];
    const sum = firsts.map(intervalOf).reduce((one, other) => [one[0] + other[0], one[1] + other[1]]);
    const word = numbers[firsts.length - 2] ?? "";
    const candidates = announced.flatMap((passage) =>
      passage.quantities.flatMap((one) => {
        const sentence = sentenceText(passage, sentenceOf(passage, one));
        const isTotal = new RegExp(`\\b${word}\\b`, "i").test(sentence) || whole.test(sentence);
        return alike(one) && isTotal && one.value > Math.max(...firsts.map(({ value }) => value))
          ? [{ one, sentence }]
          : [];
      }),
    );
    if (candidates.some(({ one }) => overlaps(intervalOf(one), sum))) return [];
    const found = candidates.find(({ one }) => one.value > 0.85 * sum[0] && one.value < 1.18 * sum[1]);
    if (found === undefined) return [];
    const value = firsts.reduce((total, one) => total + one.value, 0);
    return [
      {
        slip: { claim: found.one, shown: `the items of the list add up to ${shown(value, found.one)}` },
        sentence: found.sentence,
      },
    ];
  });
}
