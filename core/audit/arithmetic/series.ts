import { lead, type Passage, sentenceOf, tail } from "../passage.ts";
import { areAlike, combined, intervalOf, overlaps, type Quantity } from "../quantity.ts";
import { directionWord } from "./pairs.ts";
import { type Slip, shown } from "./slip.ts";
import { isAmount, isSupposed, wordsBeside } from "./window.ts";

const year = /^[^,.;]{0,12}?\b(?:in|for|of|during) (?:fiscal )?((?:19|20)\d\d)\b/i;
const yearAhead = /\b(?:in|for) (?:fiscal )?((?:19|20)\d\d)(?:,| \p{L}+){0,3} ?$/iu;

/** The year that the words at a figure give it. */
function yearOf(passage: Passage, one: Quantity): number | undefined {
  const found = year.exec(tail(passage, one))?.[1] ?? yearAhead.exec(lead(passage, one))?.[1];
  return found === undefined ? undefined : Number(found);
}

/** A growth in a year for which the paragraph gives that year's figure and the year's before: "31 in 2024, 15 in 2023". */
export function seriesSlips(passage: Passage): readonly Slip[] {
  const dated = passage.quantities.flatMap((one) => {
    const at = isAmount(one) ? yearOf(passage, one) : undefined;
    return at === undefined ? [] : [{ one, at }];
  });
  const [first] = dated;
  if (
    first === undefined ||
    dated.some(({ one }) => !areAlike({ ...one, noun: undefined }, { ...first.one, noun: undefined }))
  )
    return [];
  if (new Set(dated.map(({ at }) => at)).size !== dated.length) return [];
  return passage.quantities.flatMap((claim) => {
    const beside = wordsBeside(passage, claim);
    const said = directionWord(beside);
    const at = yearOf(passage, claim);
    const young = dated.find((one) => one.at === at)?.one;
    const old = dated.find((one) => one.at + 1 === at)?.one;
    if (claim.kind !== "percent" || young === undefined || old === undefined || old.value <= 0) return [];
    if (
      said === undefined ||
      isSupposed.test(beside) ||
      sentenceOf(passage, claim) < sentenceOf(passage, young)
    )
      return [];
    const change = combined(intervalOf(old), intervalOf(young), (from, to) => (to / from - 1) * 100);
    const [low, high] = intervalOf(claim);
    if (overlaps([low, high], change) || overlaps([-high, -low], change)) return [];
    const percent = (young.value / old.value - 1) * 100;
    return [
      {
        claim,
        shown: `${old.shown} to ${young.shown} is ${shown(percent, { kind: "percent", currency: "" })}`,
      },
    ];
  });
}

const opener = /\b(?:of|among) (?:the|its|all|these|those|their) [^.]{0,60}$/i;
const most = /\b(largest|biggest|highest|greatest|smallest|lowest)\b/i;

function aheadOf(passage: Passage, { start }: Quantity): string {
  return passage.text.slice(passage.starts.findLast((begin) => begin <= start) ?? 0, start);
}

/** "Of the five lines the Mac, at $8 billion, was the largest", beside a larger one. */
export function rankSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    const rank = most.exec(tail(passage, claim).split(/[.;]/)[0] ?? "")?.[1];
    if (rank === undefined || !isAmount(claim) || !opener.test(aheadOf(passage, claim))) return [];
    const place = sentenceOf(passage, claim);
    const others = passage.quantities.filter(
      (one) =>
        one !== claim &&
        one.start > claim.end &&
        sentenceOf(passage, one) - place <= 1 &&
        areAlike({ ...one, noun: undefined }, { ...claim, noun: undefined }),
    );
    const isLow = /smallest|lowest/i.test(rank);
    const better = others.find((one) =>
      isLow ? one.value < claim.value - claim.slack : one.value > claim.value + claim.slack,
    );
    return better === undefined
      ? []
      : [{ claim, shown: `the ${rank} is given as ${claim.shown}, beside ${better.shown}`, isWhole: true }];
  });
}
