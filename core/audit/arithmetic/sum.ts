import { between, lead, type Passage, quantitiesOf, tail } from "../passage.ts";
import {
  areAlike,
  combined,
  type Interval,
  intervalOf,
  likened,
  overlaps,
  type Quantity,
} from "../quantity.ts";
import { directionWord, pairsIn, type Slip, shown } from "./pairs.ts";

const totalBefore =
  /\b(?:(?:a |the |in )?total(?:l?ed|l?ing|s)?(?: (?:of|to|is|was|comes to|came to|bill of|cost of))*|(?:the |a )?(?:combined|sum)(?: (?:of|is|was|comes to))*|add(?:s|ed|ing)? up to|adds? to|sums? to|together(?: (?:they|these|the two|the three|that|it))?(?: (?:are|is|were|was|make|makes|made|come to|came to|brought in|account for|cost|earned|hold))*|altogether|all told,?|in all,?|making(?: a total of)?)(?: (?:about|around|roughly|some|nearly|almost|just|over|more than|under|the|a|an)){0,3} ?$/i;
const totalAfter =
  /^(?:[^,.;]{0,25}?)?,? (?:in (?:all|total)|together|altogether|combined|all told|in the aggregate|in sum|between them|taken together)\b/i;
const breakdown =
  /\b(?:made up of|consist(?:s|ed|ing) of|compris(?:es|ed|ing)|composed of|split (?:into|between|among)|divided (?:into|between|among)|broken down into)\b/i;
const rest =
  /\b(?:the|a) (?:rest|remaining|remainder|other|balance)(?:,? (?!of\b)[\p{L}]+){0,3},? $|\b(?:what|that) (?:is left|remains|leaves)(?: over)?(?:,| is)? $/iu;

/** Sums, remainders and differences that the text works out itself. */
export function sums(passage: Passage): readonly Slip[] {
  return passage.counted.flatMap((number) => {
    const all = quantitiesOf(passage, number);
    return [
      ...totals(passage, all, quantitiesOf(passage, number - 1)),
      ...operations(passage, all),
      ...remainders(passage, all, quantitiesOf(passage, number - 1)),
    ];
  });
}

function totals(passage: Passage, all: readonly Quantity[], before: readonly Quantity[]): readonly Slip[] {
  return all.flatMap((claim, at) => {
    if (claim.kind === "multiple" || claim.kind === "fraction") return [];
    const ahead = lead(passage, claim);
    const following = all[at + 1];
    const isBroken = following !== undefined && breakdown.test(between(passage, claim, following));
    // "A, B and C, together D": the word is of the figure after it.
    const isAfter =
      totalAfter.test(tail(passage, claim)) &&
      !(following !== undefined && totalBefore.test(lead(passage, following)));
    if (!totalBefore.test(ahead) && !isAfter && !isBroken) return [];
    // "Together that is 245 up and 125 down": which of the figures before belong to which total is not said.
    const isOneOfTwo =
      following !== undefined && isTerm(following, claim, all) && isJoined(passage, claim, following);
    // "A total of 12 presses" begins what it does not add up.
    const own = (isBroken ? all.slice(at + 1) : all.slice(0, at)).filter((one) => isTerm(one, claim, all));
    const terms =
      own.length >= 2
        ? own
        : isBroken || isOneOfTwo || own.length === 1
          ? []
          : before.filter((one) => isTerm(one, claim, before));
    if (
      terms.length < 2 ||
      terms.length > 8 ||
      pairsIn(passage).some(({ old, young }) => terms.includes(old) && terms.includes(young))
    )
      return [];
    if (!isList(passage, terms)) return [];
    // Rises and falls multiply.
    if (claim.kind === "percent" && terms.some((one) => directionWord(lead(passage, one)) !== undefined))
      return [];
    const given = intervalOf(claim);
    const runs = terms.flatMap((_, from) =>
      terms.slice(from + 1).map((_, length) => terms.slice(from, from + length + 2)),
    );
    if (runs.some((run) => overlaps(given, added(run.map((one) => likened(one, claim)))))) return [];
    return [
      {
        claim,
        shown: `${terms.map((one) => one.shown).join(" + ")} is ${shown(totalOf(terms.map((one) => likened(one, claim))), claim)}`,
      },
    ];
  });
}

function isJoined(passage: Passage, one: Quantity, other: Quantity): boolean {
  return /\band (?:[\p{L}]+ ){0,2}$/u.test(between(passage, one, other));
}

function isTerm(one: Quantity, claim: Quantity, all: readonly Quantity[]): boolean {
  if (one === claim) return false;
  // "Two results" are no two of the claim's cents.
  if (one.isBare && !claim.isBare && !/\d/.test(one.shown)) return false;
  const term = likened(one, claim);
  return areAlike({ ...term, noun: undefined }, { ...claim, noun: undefined }) && all.includes(one);
}

/** Terms stand one after the other, with nothing that compares or converts them. */
function isList(passage: Passage, terms: readonly Quantity[]): boolean {
  return terms.slice(1).every((one, at) => {
    const previous = terms[at];
    if (previous === undefined) return false;
    const gap = between(passage, previous, one);
    return (
      gap.length <= 160 &&
      /[,;.+]|\b(?:and|plus|while|but)\b/.test(gap) &&
      !/\b(?:from|against|than|versus|compared|or|out of|to)(?: (?!and\b|plus\b)\w+){0,2} $/i.test(gap)
    );
  });
}

function added(terms: readonly Quantity[]): Interval {
  return terms.map(intervalOf).reduce((one, other) => [one[0] + other[0], one[1] + other[1]]);
}

function totalOf(terms: readonly Quantity[]): number {
  return terms.reduce((total, { value }) => total + value, 0);
}

type Operation = {
  readonly words: RegExp;
  readonly sign: string;
  readonly result: (one: number, other: number) => number;
  /** Only with a figure of the same kind. */
  readonly isSum: boolean;
};
const written: readonly Operation[] = [
  {
    words: /^[^,.;]{0,30}(?: plus |\+|,? added to )(?:[\p{L}]+ ){0,4}$/iu,
    sign: "+",
    result: (one, other) => one + other,
    isSum: true,
  },
  {
    words: /^[^,.;]{0,30}(?: minus |,? less | net of | - |−)(?:[\p{L}]+ ){0,4}$/iu,
    sign: "-",
    result: (one, other) => one - other,
    isSum: true,
  },
  {
    words: /^[^,.;]{0,30}(?: times | multiplied by |×| x |\*)(?:the |about )*$/iu,
    sign: "×",
    result: (one, other) => one * other,
    isSum: false,
  },
  {
    words:
      /^[^,.;]{0,30}(?: divided by | over |÷| spread over | split (?:among|between) )(?:the |its |about |some )*$/iu,
    sign: "÷",
    result: (one, other) => one / other,
    isSum: false,
  },
];
const results =
  /^[^.;]{0,30}(?:\b(?:is|are|makes?|equals?|gives?|leaves?|leaving|making|giving|comes? to|amounts? to|or|for|yields?|means)\b|=|≈|,)(?: (?:about|around|roughly|some|nearly|almost|just|over|a|an|the|net|total|that is|of|you|us|only|profit|price|sum|little|more|less|than|under))* ?$/i;

/** "A plus B makes C", "A minus B leaves C", "A divided by B is C". */
function operations(passage: Passage, all: readonly Quantity[]): readonly Slip[] {
  return all.flatMap((first, at) => {
    const second = all[at + 1];
    const claim = all[at + 2];
    if (second === undefined || claim === undefined || !results.test(between(passage, second, claim)))
      return [];
    // "A minus B minus C is D": the last two alone do not give it.
    const previous = all[at - 1];
    if (previous !== undefined && written.some(({ words }) => words.test(between(passage, previous, first))))
      return [];
    return written.flatMap(({ words, sign, result, isSum }) => {
      if (!words.test(between(passage, first, second))) return [];
      const one = likened(first, second);
      const other = isSum ? likened(second, first) : second;
      const third = likened(claim, first);
      if (isSum && !(areAlike(one, other) && areAlike(one, third))) return [];
      if (
        [one, other, third].some(
          ({ kind }) => kind === "percent" || kind === "points" || kind === "fraction" || kind === "multiple",
        ) &&
        !isSum
      )
        return [];
      if (!isSum && other.value === 0) return [];
      const computed = combined(intervalOf(one), intervalOf(other), result);
      if (overlaps(intervalOf(third), computed)) return [];
      return [
        {
          claim,
          shown: `${first.shown} ${sign} ${second.shown} is ${shown(result(one.value, other.value), third)}`,
        },
      ];
    });
  });
}

/** "60% from A, 25% from B and the remaining 20% from C". */
function remainders(
  passage: Passage,
  all: readonly Quantity[],
  before: readonly Quantity[],
): readonly Slip[] {
  return all.flatMap((claim, at) => {
    if (!rest.test(lead(passage, claim))) return [];
    if (claim.kind === "percent") {
      const here = all.slice(0, at).filter(({ kind }) => kind === "percent");
      const parts = here.length > 0 ? here : before.filter(({ kind }) => kind === "percent");
      if (parts.length === 0 || !parts.every((one) => isShare(passage, one))) return [];
      const left = 100 - totalOf(parts);
      // "One grew 3%, the other 5%" are no parts of a whole.
      if (
        Math.abs(left - claim.value) > 20 ||
        !/^,? (?:of|comes?|came|goes|went|is|are|was|were|from|in|to|say|said)\b/.test(tail(passage, claim))
      )
        return [];
      const slack = parts.reduce((total, one) => total + one.slack, claim.slack);
      return Math.abs(left - claim.value) <= slack + (claim.hedge === undefined ? 0 : 3)
        ? []
        : [
            {
              claim,
              shown: `100% less ${parts.map((one) => one.shown).join(" and ")} leaves ${shown(left, claim)}`,
            },
          ];
    }
    const [whole, ...parts] = all.slice(0, at).filter((one) => areAlike(likened(one, claim), claim));
    if (whole === undefined || parts.length === 0 || parts.some(({ value }) => value > whole.value))
      return [];
    const left = combined(intervalOf(whole), added(parts), (one, other) => one - other);
    if (Math.abs(left[0] - claim.value) > 0.4 * claim.value) return [];
    return overlaps(intervalOf(claim), left)
      ? []
      : [
          {
            claim,
            shown: `${whole.shown} less ${parts.map((one) => one.shown).join(" and ")} leaves ${shown(whole.value - totalOf(parts), claim)}`,
          },
        ];
  });
}

/** A share of a whole, not a change. */
function isShare(passage: Passage, one: Quantity): boolean {
  return !/\b(?:by|up|down|rose|fell|grew|growth|grows|rises|falls)\b/i.test(lead(passage, one));
}
