import { wordNumber } from "../numbers.ts";
import {
  type CalendarDate,
  correct,
  dayLength,
  exists,
  type Fault,
  type Moment,
  monthNames,
  monthWord,
  spanOf,
} from "./calendar.ts";

const rangeJoint = /^,? ?(?:to|until|till|through|and|-|up to)(?: (?:on|the))? ?$/i;
const rangeAhead = /\b(?:from|between|starting|beginning|opens?|runs?|lasts?)(?: (?:on|the|\w+day,?))* ?$/i;

/** "From September 14 until September 11": an end before its beginning. */
export function rangeFaults(
  named: readonly CalendarDate[],
  text: string,
  { today }: Moment,
): readonly Fault[] {
  return named.slice(0, -1).flatMap((one, at) => {
    const other = named[at + 1];
    if (other === undefined || ![one, other].every(exists)) return [];
    if (!rangeJoint.test(text.slice(one.end, other.start)) || !rangeAhead.test(text.slice(0, one.start)))
      return [];
    const isBack = /\bbetween\b/i.test(text.slice(Math.max(0, one.start - 30), one.start));
    const year = one.year ?? other.year;
    const [from, to] = [
      spanOf({ ...one, year }, today)[0],
      spanOf({ ...other, year: other.year ?? year }, today)[1],
    ];
    // Without years November to February crosses the end of one.
    const isAcross = other.year === undefined && one.month - other.month > 5;
    if (to >= from || isAcross || isBack) return [];
    return [{ wrong: `${other.shown} comes before ${one.shown}`, remedy: correct }];
  });
}

const begins =
  /\b(?:applied|application|handed in|filed|submitted|proposed|asked|requested|announced|opened|began|started|launched|ordered|sued|invited|placed|called|lodged|sent)\b[^.;]{0,60}$/i;
const follows =
  /\b(?:approved|granted|cleared|rejected|refused|answered|replied|settled|completed|delivered|ratified|confirmed|accepted|dismissed|ruled|decided|agreed|closed|ended|finished)\b[^.;,]{0,40}$/i;

/** "It applied on August 25, and the council approved it on August 12": what follows stands before. */
export function sequenceFaults(
  named: readonly CalendarDate[],
  text: string,
  { today }: Moment,
): readonly Fault[] {
  return named.slice(0, -1).flatMap((one, at) => {
    const other = named[at + 1];
    if (other === undefined || ![one, other].every((date) => exists(date) && date.day !== undefined))
      return [];
    const joint = text.slice(one.end, other.start);
    const ahead = text.slice(Math.max(0, one.start - 100), one.start);
    if (
      !begins.test(ahead) ||
      !follows.test(joint) ||
      !/^,? ?(?:and|then|but|which|before|\()/i.test(joint.trim())
    )
      return [];
    if (
      /\b(?:after|had|earlier|previous\w*|since|already|ago|separate\w*|another|other|appeal)\b/i.test(joint)
    )
      return [];
    const year = one.year ?? other.year;
    const [first, second] = [
      spanOf({ ...one, year }, today)[0],
      spanOf({ ...other, year: other.year ?? year }, today)[0],
    ];
    if (second >= first || first - second > 200 * dayLength) return [];
    return [
      {
        wrong: `${other.shown} comes before ${one.shown}, and what is told of it follows from that`,
        remedy: correct,
      },
    ];
  });
}

const beforeOrAfter =
  /^,? (?:\()?(?:(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}|some|about|several|a few|just|only|nearly) ){0,3}(?:(?:days?|weeks?|months?) )?(?<way>after|before)\b(?:(?!\b(?:and|but|while|until|when)\b)[^.;,]){3,60}\b(?:on|of)(?: \p{L}+day,?)? (?:the )?$/iu;

/** "Gave its consent on June 9, three weeks after the deal closed on June 30". */
export function stepFaults(
  named: readonly CalendarDate[],
  text: string,
  { today }: Moment,
): readonly Fault[] {
  return named.slice(0, -1).flatMap((one, at) => {
    const other = named[at + 1];
    if (other === undefined || ![one, other].every((date) => exists(date) && date.day !== undefined))
      return [];
    const way = beforeOrAfter.exec(text.slice(one.end, other.start))?.groups?.way?.toLowerCase();
    if (way === undefined) return [];
    const year = one.year ?? other.year;
    const days =
      (spanOf({ ...one, year }, today)[0] - spanOf({ ...other, year: other.year ?? year }, today)[0]) /
      dayLength;
    const isRight = way === "after" ? days >= 0 : days <= 0;
    if (isRight || Math.abs(days) > 150) return [];
    return [{ wrong: `${one.shown} does not come ${way} ${other.shown}`, remedy: correct }];
  });
}

const months = new RegExp(
  String.raw`\b(${monthWord}) (?:to|through|until|till|-) (?:the end of )?(${monthWord})\b(?! \d)`,
  "i",
);
const lengths: readonly (readonly [RegExp, number])[] = [
  [/\b(?:first|second|this|last) half\b|\bhalf[- ]year\b|\bsix months\b/i, 6],
  [/\b(?:first|second|third|fourth|last|past|this) quarter\b|\bthree months\b/i, 3],
  [/\bnine months\b/i, 9],
];

/** "The first half … January to September": a period, and months that are more or fewer. */
export function periodFaults(text: string, context: string): readonly Fault[] {
  const found = months.exec(text);
  if (found === null) return [];
  const at = (word = "") => monthNames.indexOf(word.slice(0, 3).toLowerCase());
  const count = ((at(found[2]) - at(found[1]) + 12) % 12) + 1;
  const named = (passage: string) => lengths.filter(([words]) => words.test(passage));
  const own = named(text);
  const periods =
    own.length > 0
      ? own
      : /\b(?:those|these|that|this) (?:months?|period|time|half|quarter)\b/i.test(text)
        ? named(context)
        : [];
  const [only] = periods;
  if (only === undefined || periods.length > 1 || only[1] === count) return [];
  const isBeside = own.length === 0 || Math.abs(text.search(only[0]) - found.index) < 60;
  return isBeside
    ? [{ wrong: `"${found[0]}" is ${count} months, and the period is of ${only[1]}`, remedy: correct }]
    : [];
}

const counted = "(an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,3})";
function countOf(word = ""): number {
  return /^an?$/i.test(word) ? 1 : (wordNumber(word) ?? Number(word));
}

const untilDate = new RegExp(
  String.raw`\b(?:in|within)(?: (?:about|around|roughly|less than|just under|just over|under|over|some|almost|nearly|only|exactly))* ${counted} (days?|weeks?|months?)(?:['’]? time)?,? (?:\(|- )?(?:on |by )?(?:\p{L}+day,? )?(?:the )?$`,
  "iu",
);
const afterDate = new RegExp(
  String.raw`^,? (?:\(|- )?(?:is |which is |that is |now |just |only |about |roughly )*${counted} (days?|weeks?|months?) (?<way>ago|away|from now|from today|hence|off)\b`,
  "iu",
);
const before = new RegExp(
  String.raw`\b${counted} (days?|weeks?|months?) ago,? (?:\()?(?:on )?(?:\p{L}+day,? )?$`,
  "iu",
);
const size: Readonly<Record<string, readonly [length: number, slack: number]>> = {
  day: [1, 1.5],
  week: [7, 5],
  month: [30.4, 16],
};

/** "Reports in two weeks, on October 15", six weeks before it. */
export function distanceFaults(
  named: readonly CalendarDate[],
  text: string,
  { today }: Moment,
): readonly Fault[] {
  return named.flatMap((date) => {
    if (date.day === undefined || !exists(date)) return [];
    const [ahead, behind, ago] = [
      untilDate.exec(text.slice(0, date.start)),
      afterDate.exec(text.slice(date.end)),
      before.exec(text.slice(0, date.start)),
    ];
    const match = ahead ?? behind ?? ago;
    if (match === null) return [];
    // "A week later", told of another day.
    if (
      ahead !== null &&
      /\b(?:would|was|were|had|said|expected)\b/i.test(text.slice(0, date.start)) &&
      date.year === undefined
    )
      return [];
    const isPast = ago !== null || /ago/i.test(behind?.groups?.way ?? "");
    const number = countOf(match[1]);
    const [length, slack] = size[(match[2] ?? "").replace(/s$/i, "").toLowerCase()] ?? [1, 1];
    const days = Math.round((spanOf(date, today)[0] - today) / dayLength) * (isPast ? -1 : 1);
    if (Math.abs(days - number * length) <= slack + (length > 1 ? 0.1 * number * length : 0)) return [];
    return [
      {
        wrong: `${date.shown} is ${Math.abs(days)} days ${isPast === days >= 0 ? "ago" : "away"}, the text says ${match[1]} ${match[2]}`,
        remedy: correct,
      },
    ];
  });
}

const since = new RegExp(
  String.raw`\b(?:in |over |for |during )?(?:the )?(?:last |past )?${counted} years (?:since|after) (?:that|this|its|the|then|those|going public)\b`,
  "i",
);
const startYear = /\b(?:19|20)\d\d\b/g;
const begun =
  /\b(?:list(?:ed|ing)|founded|float(?:ed|ation)|went public|debut\w*|sold its shares|opened|started|began|launched|bought|acquired|took over|merged|born|introduced|signed|created|swallowed)\b/i;

/** "It was listed in 2019. In the five years since that listing", in 2026. */
export function sinceFaults(text: string, context: string, { today }: Moment): readonly Fault[] {
  const match = since.exec(text);
  const years = [...new Set(context.match(startYear) ?? [])];
  const [year] = years;
  if (
    match === null ||
    year === undefined ||
    years.length > 1 ||
    !begun.test(context) ||
    /\b(?:19|20)\d\d\b/.test(text)
  )
    return [];
  const number = countOf(match[1]);
  const span = new Date(today).getUTCFullYear() - Number(year);
  if (span < 1 || Math.abs(span - number) <= 1) return [];
  return [{ wrong: `From ${year} to now is ${span} years: "${match[0]}"`, remedy: correct }];
}

/** "A record since 2031", "back in 2030". */
export function futureYearFaults(text: string, { today }: Moment): readonly Fault[] {
  const now = new Date(today).getUTCFullYear();
  const found =
    /\b(?:since|back in|as far back as|already in|ever since|not seen since)(?: (?:about|around|early|late|mid-?|the (?:spring|summer|autumn|fall|winter) of|\p{L}+))? ?((?:20|21)\d\d)\b/iu.exec(
      text,
    );
  const late =
    /\b(?:will|expects? to|plans? to|aims? to|intends? to|is (?:due|set|expected|planned) to|wants? to)\b(?:(?!\b(?:from|since|of|than|in|as|what|which|that|its|the (?:year|level|record))\b)[^.;,]){0,60} (?:by|before|until|no later than) (?:the end of )?((?:19|20)\d\d)\b/i.exec(
      text,
    );
  if (found !== null && Number(found[1]) > now)
    return [{ wrong: `"${found[0]}" names a year to come as past`, remedy: correct }];
  if (late !== null && Number(late[1]) < now)
    return [{ wrong: `${late[1]} is told as still to come and is over`, remedy: correct }];
  return [];
}
