import {
  between,
  isLinked,
  lead,
  type Passage,
  quantitiesOf,
  sentenceOf,
  sentenceText,
  tail,
} from "../passage.ts";
import { areAlike, combined, intervalOf, overlaps, type Quantity, scaleOf } from "../quantity.ts";
import {
  directionWord,
  isAmount,
  isSupposed,
  onlyOne,
  type Slip,
  shown,
  windowBefore,
  wordsBeside,
} from "./pairs.ts";

const perYear: Readonly<Record<string, readonly number[]>> = {
  month: [12],
  quarter: [4],
  week: [52],
  day: [365, 360, 250, 252, 260],
};

const perMonth: Readonly<Record<string, readonly number[]>> = { day: [30, 31, 20, 21, 22], week: [4, 4.33] };

/** "$2.5 billion a quarter, or $12 billion a year". */
export function periodSlips(passage: Passage): readonly Slip[] {
  return passage.counted.flatMap((number) => periods(passage, quantitiesOf(passage, number)));
}

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

export const timesAYear: Readonly<Record<string, number>> = { year: 1, quarter: 4, month: 12, week: 52 };

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
    const times = timesAYear[short?.per ?? ""];
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

const ranks = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const cardinals = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const running =
  /\b(?:(?:the |a )?(?<rank>second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) (?:year|quarter|month)(?: (?:running|in a row|in succession)|ly (?:rise|fall|increase|decrease) in a row)|(?<rank2>second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) (?:consecutive|successive|straight) (?:\p{L}+ )?(?:year|quarter|month|rise|increase|fall|decline|gain)|(?<count>two|three|four|five|six|seven|eight|nine|ten) (?:consecutive |successive |straight )?(?:years|quarters|months)(?: (?:running|in a row|in succession|on end))|(?<count2>two|three|four|five|six|seven|eight|nine|ten) (?:consecutive|successive|straight) (?:\p{L}+ )?(?:years|quarters|months|rises|increases|falls|declines|gains))\b/iu;

/** "27.5 in 2023, 30.0 in 2024, 34.1 in 2025: it has grown for the fourth year running." */
export function runningSlips(passage: Passage): readonly Slip[] {
  return passage.starts.flatMap((_, place) => {
    const sentence = sentenceText(passage, place);
    const match = running.exec(sentence);
    const said = directionWord(sentence);
    if (match === null || said === undefined || isSupposed.test(sentence)) return [];
    const word = (name: string) => (match.groups?.[name] ?? "").toLowerCase();
    const rank = ranks.indexOf(word("rank") || word("rank2"));
    const times = 1 + (rank >= 0 ? rank : cardinals.indexOf(word("count") || word("count2")));
    const dated = passage.quantities
      .filter((one) => place - sentenceOf(passage, one) <= 1 && sentenceOf(passage, one) <= place)
      .flatMap((one) => {
        const at = isAmount(one) ? yearOf(passage, one) : undefined;
        return at === undefined ? [] : [{ one, at }];
      })
      .toSorted((one, other) => one.at - other.at);
    const [first] = dated;
    const last = dated.at(-1);
    const isSeries = dated.every(
      ({ one, at }, index) =>
        at === (first?.at ?? 0) + index &&
        areAlike({ ...one, noun: undefined }, { ...(first?.one ?? one), noun: undefined }),
    );
    if (last === undefined || dated.length < 3 || !isSeries) return [];
    const steps = dated.slice(1).map(({ one }, index) => {
      const change = one.value - (dated[index]?.one.value ?? one.value);
      return said === "up" ? change > 0 : change < 0;
    });
    const run = steps.length - 1 - steps.lastIndexOf(false);
    // A series that begins with the run says nothing of the time before it.
    if (times === run || (!steps.includes(false) && times > run)) return [];
    const way = said === "up" ? "rises" : "falls";
    const shown = `of the years that the text gives, ${run} in a row are ${way}, the text says ${times}`;
    return [{ claim: last.one, shown, isWhole: true }];
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
