import { folded, isReported, passageOf, plain, quantitiesOf, sentenceText } from "../passage.ts";
import {
  areAlike,
  combined,
  type Interval,
  intervalOf,
  likened,
  overlaps,
  type Quantity,
} from "../quantity.ts";
import type { Issue } from "../schema.ts";
import { finding, type Rule, shown } from "./rule.ts";
import { tableSlips } from "./table.ts";

/** A figure that does not follow from figures beside it, and the calculation that shows it. */
export type Slip = { readonly claim: Quantity; readonly shown: string; readonly sentence: string };

/** Paragraphs that are calculated; a text of the largest size that people write has fewer. */
const looked = 400;
const most = 4;

/**
 * Calculations that a sentence or a table makes itself, made again: a change "from A to B" with its percentage, a share of
 * a whole that is named, and a table's totals and changes. All others are listed by the model (`calculation.ts`): who
 * guesses from prose which figure follows from which others stops more right articles than wrong ones.
 */
export const arithmetic: Rule = {
  check: "arithmetic",
  label: "Figures that do not add up",
  by: "rules and model",
  cannotJudge: "figures whose parts the text does not give",
  mayStop: true,
  holdsOurs: true,
  find: ({ headline, preview, body }) => {
    const lines = [headline, preview, ...body.split("\n")].filter(
      (line) => /\d/.test(line) && !/^\s*\|/.test(line),
    );
    return figureIssues([
      ...lines.slice(0, looked).flatMap((line) => sentenceSlips(plain(line).trim())),
      ...tableSlips(folded(body)),
    ]);
  },
};

/** What a report says of wrong figures: one finding a sentence and one a figure. "The text says" names it (`decide`). */
export function figureIssues(slips: readonly Slip[]): readonly Issue[] {
  const bySentence = firstOfEach(slips, ({ sentence }) => sentence);
  return firstOfEach(bySentence, ({ claim }) => `${claim.kind} ${claim.value}`)
    .slice(0, most)
    .map(({ claim, shown: calculation, sentence }) =>
      finding(
        "high",
        "arithmetic",
        `A figure that does not add up: ${calculation}, the text says ${claim.shown}`,
        sentence,
        "Correct the figure or its basis, or say from what it is counted.",
      ),
    );
}

export function firstOfEach<One>(all: readonly One[], key: (one: One) => unknown): readonly One[] {
  return [...Map.groupBy(all, key).values()].flatMap(([first]) => first ?? []);
}

/** Nothing that the text works out from its own figures: another's, another time's or another world's. */
const supposed =
  /\b(?:if|would|could|might|suppose|assum\w+|imagine|analysts?|consensus|forecasts?|guidance|targets?|corrections?|corrected|wrote|written|wrong\w*|mistak\w*|misprint\w*|error)\b|n't\b|\bnot\b/i;
/** Growth of another base than two figures beside it. */
const otherBase =
  /\b(?:a year(?! (?:earlier|ago|before))|per year|per annum|annual(?:ly|i[sz]ed)?|(?:each|every) year|yearly|compound(?:ed)?|cagr|average|constant[- ]currenc\w+|currency|organic\w*|like-for-like|same-store|comparable|excluding|adjust\w*|inflation|real terms|without|split|margins?|share|rate|yields?|stake)\b/i;

function sentenceSlips(paragraph: string): readonly Slip[] {
  const passage = passageOf(paragraph);
  return passage.counted.flatMap((number) => {
    const sentence = sentenceText(passage, number);
    const figures = quantitiesOf(passage, number);
    const start = passage.starts[number] ?? 0;
    if (figures.length < 3 || figures.length > 8 || sentence.length > 500 || supposed.test(sentence))
      return [];
    const between = (one: Quantity, other: Quantity) => passage.text.slice(one.end, other.start);
    const ahead = (one: Quantity) => passage.text.slice(Math.max(start, one.start - 60), one.start);
    const after = (one: Quantity) => passage.text.slice(one.end, one.end + 60);
    const said = { sentence, figures, between, ahead, after };
    return [...changeSlips(said), ...shareSlips(said)]
      .filter(({ claim }) => !isReported(sentence, claim.start - start))
      .map((slip) => ({ ...slip, sentence }));
  });
}

type Said = {
  readonly sentence: string;
  readonly figures: readonly Quantity[];
  readonly between: (one: Quantity, other: Quantity) => string;
  readonly ahead: (one: Quantity) => string;
  readonly after: (one: Quantity) => string;
};

const few = String.raw`(?: (?!and\b|or\b|to\b|by\b)[\p{L}'’-]+){0,3} ?`;
const from = new RegExp(String.raw`\bfrom${few}$`, "iu");
const to = new RegExp(String.raw`^(?: (?!and\b|or\b|from\b|by\b)[\p{L}'’-]+){0,5},? to${few}$`, "iu");
const backTo = new RegExp(String.raw`^(?: [\p{L}'’-]+){0,3},? (?:up |down )?from${few}$`, "iu");

/** "From 81.0 to 85.1 million, or 5.1%": one pair and one percentage in a sentence. */
function changeSlips({ sentence, figures, between, ahead, after }: Said): readonly Omit<Slip, "sentence">[] {
  const pairs = figures.flatMap((figure, at) => {
    const next = figures[at + 1];
    if (next === undefined) return [];
    const [one, other] = [likened(figure, next), likened(next, figure)];
    if (!isAmount(one) || !areAlike(one, other) || one.value <= 0 || other.value <= 0) return [];
    const gap = between(figure, next);
    if (from.test(ahead(figure)) && to.test(gap)) return [[one, other] as const];
    return /\bto (?:about )?$/i.test(ahead(figure)) && backTo.test(gap) ? [[other, one] as const] : [];
  });
  const [pair] = pairs;
  const claims = figures.filter(({ kind }) => kind === "percent");
  const [claim] = claims;
  const used = pair?.map(({ start }) => start) ?? [];
  // A third amount, or another percentage, may be what the change is counted from.
  const others = figures.filter((one) => one !== claim && isAmount(one) && !used.includes(one.start));
  if (
    pair === undefined ||
    claim === undefined ||
    pairs.length > 1 ||
    claims.length > 1 ||
    others.some(isLarge)
  )
    return [];
  if (
    otherBase.test(sentence) ||
    /^ (?:of|for)\b/.test(after(claim)) ||
    /\b(?:from|to|at) $/.test(ahead(claim))
  )
    return [];
  const [old, young] = pair;
  const change = combined(intervalOf(old), intervalOf(young), (was, is) => (is / was - 1) * 100);
  if (fitsEitherWay(intervalOf(claim), change)) return [];
  const percent = (young.value / old.value - 1) * 100;
  const sign = percent > 0 ? "+" : "";
  return [{ claim, shown: `from ${old.shown} to ${young.shown} is ${sign}${percent.toFixed(1)}%` }];
}

function isAmount({ kind }: Quantity): boolean {
  return kind === "money" || kind === "count";
}

/** "In two years" and "three markets" are no amounts that a change is counted from. */
function isLarge({ kind, value }: Quantity): boolean {
  return kind === "money" || value >= 50;
}

function fitsEitherWay(given: Interval, change: Interval): boolean {
  return overlaps(given, change) || overlaps(given, [-change[1], -change[0]]);
}

const makesUp =
  /^(?:,| [\p{L}'’-]+){0,6} (?:is|was|are|were|makes? up|made up|represents?|represented|accounts? for|accounted for|equals?)(?: (?:now|only|just|about|around|roughly|nearly|almost|some))* $/iu;
const ofWhole = /^ of (?:the |its |their |all |a total of )(?:[\p{L}'’-]+ ){0,4}$/iu;
const orShare =
  /^(?: [\p{L}'’-]+){0,6},? ?(?:or|that is|i\.e\.|which is|a share of|which makes?|making|=|\()(?: (?:about|around|roughly|nearly|almost|some))? ?$/iu;
const gives =
  /^(?: [\p{L}'’-]+){0,4} (?:is|are|equals?|makes?|comes? to)(?: (?:about|around|roughly|nearly|almost))? $/iu;

/** "$600 million is 40% of the segment's $1.5 billion", "352 of the 640, or 55%", "40% of the $1.5 billion is $600 million". */
function shareSlips({ figures, between, after }: Said): readonly Omit<Slip, "sentence">[] {
  return figures.flatMap((one, at) => {
    const [second, third] = [figures[at + 1], figures[at + 2]];
    if (second === undefined || third === undefined) return [];
    const [gap, next] = [between(one, second), between(second, third)];
    const [claim, part, whole] =
      isShare(second) && makesUp.test(gap) && ofWhole.test(next)
        ? [second, one, third]
        : isShare(third) && ofWhole.test(gap) && orShare.test(next) && !/^ of\b/.test(after(third))
          ? [third, one, second]
          : isShare(one) && ofWhole.test(gap) && gives.test(next)
            ? [one, third, second]
            : [];
    if (claim === undefined || part === undefined || whole === undefined) return [];
    const [top, bottom] = [likened(part, whole), likened(whole, part)].map((figure) => ({
      ...figure,
      noun: undefined,
      per: undefined,
    }));
    if (top === undefined || bottom === undefined || !isAmount(top) || !areAlike(top, bottom)) return [];
    if (top.value <= 0 || bottom.value <= 0 || top.value > bottom.value) return [];
    const share = combined(intervalOf(top), intervalOf(bottom), (x, y) => (x / y) * 100);
    const given = intervalOf(claim);
    if (overlaps(given, share) || overlaps(given, [100 - share[1], 100 - share[0]])) return [];
    const percent = shown((top.value / bottom.value) * 100, { kind: "percent", currency: "" });
    return [{ claim, shown: `${part.shown} of ${whole.shown} is ${percent}` }];
  });
}

function isShare({ kind }: Quantity): boolean {
  return kind === "percent" || kind === "fraction";
}
