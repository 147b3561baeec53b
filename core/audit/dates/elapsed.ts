import { wordNumber } from "../numbers.ts";
import {
  type CalendarDate,
  correct,
  datesIn,
  dayLength,
  exists,
  type Fault,
  type Moment,
  monthNames,
  monthWord,
  type Passage,
  spanOf,
  weekdayAt,
  weekdayName,
} from "./calendar.ts";

const counted =
  "(\\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)";

const yearsAgo = new RegExp(
  String.raw`\b((?:19|20)\d\d)(?:,? (?:and )?(?:that is |that was |which is |which was |about |some |almost |nearly |just |exactly |now |only ){0,3}| \()${counted} years ago\b|\b${counted} years ago,? (?:back )?\(?(?:in )?(?:${monthWord} (?:of )?)?((?:19|20)\d\d)\b`,
  "gi",
);

const yearsBetween = new RegExp(
  String.raw`\b(?:from|between) ((?:19|20)\d\d) (?:to|and|until|through) ((?:19|20)\d\d),? (?:\()?(?:a (?:period|span|stretch) of |in |over |within |that is |which is |or |for )?(?:about |some |almost |nearly |just |only )?${counted} years\b`,
  "gi",
);

const apart = new RegExp(
  String.raw`\b${counted} (days?|weeks?|months?) (later|after|before|earlier|apart)\b`,
  "i",
);

const lengths: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30.4 };

const later = new RegExp(
  String.raw`\b${counted} years (later|after (?:that|it)|afterwards|on),? (?:in )?\(?((?:19|20)\d\d)\b|\bin ((?:19|20)\d\d),? ${counted} years (?:later|after (?:that|it))`,
  "i",
);

const since = new RegExp(
  String.raw`\b${counted} years after ((?:19|20)\d\d),? (?:in )?\(?((?:19|20)\d\d)\b`,
  "i",
);

const begun =
  /\b(?:founded|established|born|started|launched|opened|incorporated|created|begun|began)\b[^.;,]{0,30}\bin (?:(?:january|february|march|april|may|june|july|august|september|october|november|december) )?((?:19|20)\d\d)\b/i;

const aged = new RegExp(
  String.raw`\b(?:turn(?:s|ed)|is(?: now)?(?: aged)?|at the age of|(?:now )?aged|celebrat\w+ its|marks? its|marked its) (?:its )?${counted}(?:th|rd|nd|st)?(?: years old|(?:th)? (?:birthday|anniversary))?(?=,? (?:this year|now|today|years old)|$|[,.;])`,
  "i",
);

const lasted = new RegExp(
  String.raw`\b(?:those|these|the|lasted|took|within|after|in|over|for) (?:just |only |about |all |full )?${counted} (months|years)\b(?! (?:ago|later|earlier|before))`,
  "i",
);

/** Years that two passages count between them: "in 2008. Twelve years later, in 2025". */
function yearSpans(text: string, earlier: string, now: number): readonly Fault[] {
  const count = (word = "") => wordNumber(word) ?? Number(word);
  const fault = (from: number, to: number, years: number, shown: string): readonly Fault[] =>
    Number.isNaN(years) || Math.abs(to - from - years) <= 1
      ? []
      : [{ wrong: `From ${from} to ${to} is ${to - from} years: "${shown}"`, remedy: correct }];
  const after = since.exec(text);
  if (after !== null) return fault(Number(after[2]), Number(after[3]), count(after[1]), after[0]);
  const step = later.exec(text);
  if (step !== null) {
    const before = `${earlier} ${text.slice(0, step.index)}`.match(/\b(?:19|20)\d\d\b/g) ?? [];
    const from = Number(before.at(-1));
    return new Set(before).size === 1
      ? fault(from, Number(step[3] ?? step[4]), count(step[1] ?? step[5]), step[0])
      : [];
  }
  const age = aged.exec(text);
  const start = begun.exec(text.slice(0, age?.index ?? 0));
  return age === null || start === null || !/year|anniversary|birthday|turn/i.test(text.slice(age.index))
    ? []
    : fault(Number(start[1]), now, count(age[1]), age[0]);
}

/** "From March 2024 to June 2024, and those nine months". */
function monthSpans(text: string, named: readonly CalendarDate[]): readonly Fault[] {
  const [one, other, third] = named.filter(({ year }) => year !== undefined);
  const span = lasted.exec(text.slice(other?.end ?? 0));
  if (one?.year === undefined || other?.year === undefined || third !== undefined || span === null) return [];
  const months = 12 * (other.year - one.year) + other.month - one.month;
  const claimed = (wordNumber(span[1] ?? "") ?? Number(span[1])) * (/year/i.test(span[2] ?? "") ? 12 : 1);
  const slack = /year/i.test(span[2] ?? "") ? 7 : 1.5;
  return months <= 0 || Math.abs(months - claimed) <= slack
    ? []
    : [
        {
          wrong: `From ${one.shown} to ${other.shown} is ${months} months, the text says ${span[1]} ${span[2]}`,
          remedy: correct,
        },
      ];
}

const sinceMonth = new RegExp(
  String.raw`\b(?:in|over|for|during) (?:the )?(?:last |past |some |about |almost |nearly )*(${counted.slice(1, -1)}|thirteen|fourteen|sixteen|seventeen|eighteen|nineteen|twenty-four) (months|years) since (?=${monthWord}\b)`,
  "i",
);

/** "In the eighteen months since March 2024 it has": counted up to now. */
function sinceThen(text: string, named: readonly CalendarDate[], today: number): readonly Fault[] {
  const match = sinceMonth.exec(text);
  const end = match === null ? -1 : match.index + match[0].length;
  const from = named.find(({ start }) => start === end);
  if (match === null || from?.year === undefined || !/\b(?:has|have|is|are)\b/i.test(text)) return [];
  const now = new Date(today);
  const months = 12 * (now.getUTCFullYear() - from.year) + now.getUTCMonth() - from.month;
  const word = (match[1] ?? "").toLowerCase();
  const isOfYears = /year/i.test(match[2] ?? "");
  const claimed = (wordNumber(word) ?? Number(word)) * (isOfYears ? 12 : 1);
  return Math.abs(months - claimed) <= (isOfYears ? 8 : 1.5 + 0.1 * claimed)
    ? []
    : [
        {
          wrong: `${from.shown} is ${months} months ago, the text says ${match[1]} ${match[2]}`,
          remedy: correct,
        },
      ];
}

const term = new RegExp(
  String.raw`\b(?:for|over|lasting|with) (?:a (?:term|period|span|duration|life|run) of )?(?:an? )?${counted}[- ]years?\b|\b${counted}-year (?:term|contract|lease|concession|licen[cs]e|deal|agreement|period|loan|bond)\b`,
  "i",
);
const endsIn =
  /\b(?:lapses?|expires?|ends?|ended|runs? out|ran out|matures?|falls? due|comes? to an end|is up|up for renewal)(?: \p{L}+){0,2}? (?:in|on|at the end of) (?:\p{L}+day,? )?$/iu;

/** "Signed in March 2023 for a term of five years, and lapses in March 2027". */
function termFaults(text: string, named: readonly CalendarDate[]): readonly Fault[] {
  const [one, other, third] = named.filter(({ year }) => year !== undefined);
  const match = term.exec(text);
  if (one?.year === undefined || other?.year === undefined || third !== undefined || match === null)
    return [];
  if (
    !endsIn.test(text.slice(0, other.start)) ||
    /\b(?:extend\w*|renew(?:ed|al)|option|early|prolong\w*)\b/i.test(text.slice(0, other.start))
  )
    return [];
  const word = (match[1] ?? match[2] ?? "").toLowerCase();
  const months = 12 * (other.year - one.year) + other.month - one.month;
  const claimed = 12 * (wordNumber(word) ?? Number(word));
  return months <= 0 || Math.abs(months - claimed) <= 7
    ? []
    : [
        {
          wrong: `From ${one.shown} to ${other.shown} is ${months} months, the text says ${word} years`,
          remedy: correct,
        },
      ];
}

/** Spans of time that the text counts itself. */
export function elapsed(
  { text, earlier }: { readonly text: string; readonly earlier: string },
  named: readonly CalendarDate[],
  { today }: Moment,
): readonly Fault[] {
  const now = new Date(today).getUTCFullYear();
  const count = (word = "") => wordNumber(word) ?? Number(word);
  const ago = [...text.matchAll(yearsAgo)].flatMap((match) => {
    const [year, years] = [Number(match[1] ?? match[4]), count(match[2] ?? match[3])];
    const slack = /about|some|almost|nearly/i.test(match[0]) ? 2 : 1;
    return Math.abs(now - year - years) <= slack
      ? []
      : [{ wrong: `From ${year} to ${now} is ${now - year} years: "${match[0]}"`, remedy: correct }];
  });
  const between = [...text.matchAll(yearsBetween)].flatMap(([shown, from, to, years]) => {
    const span = Number(to) - Number(from);
    return [span, span + 1].includes(count(years))
      ? []
      : [{ wrong: `From ${from} to ${to} is ${span} years: "${shown}"`, remedy: correct }];
  });
  const own = named.filter((date) => date.day !== undefined && exists(date));
  // "On August 19. Two weeks later, on August 26": the first day may stand in the sentence before.
  const first =
    own.length === 1 ? datesIn(earlier).filter((date) => date.day !== undefined && exists(date)) : [];
  const [one, other, third] = [...first.slice(-2), ...own];
  const spans = [
    ...yearSpans(text, earlier, now),
    ...monthSpans(text, named),
    ...sinceThen(text, named, today),
    ...termFaults(text, named),
  ];
  const step = apart.exec(text);
  if (one === undefined || other === undefined || third !== undefined || step === null)
    return [...ago, ...between, ...spans];
  const year = one.year ?? other.year;
  const days =
    Math.abs(spanOf({ ...one, year }, today)[0] - spanOf({ ...other, year: other.year ?? year }, today)[0]) /
    dayLength;
  const unit = (step[2] ?? "").replace(/s$/, "").toLowerCase();
  const claimed = count(step[1]) * (lengths[unit] ?? 1);
  const slack = unit === "day" ? 1 : unit === "week" ? 4 : 20;
  return Math.abs(days - claimed) <= slack
    ? [...ago, ...between, ...spans]
    : [
        ...ago,
        ...between,
        ...spans,
        {
          wrong: `${one.shown} and ${other.shown} lie ${days} days apart, the text says ${step[0]}`,
          remedy: correct,
        },
      ];
}

const relative: readonly {
  readonly words: string;
  readonly fits: (start: number, end: number, today: number) => boolean;
}[] = [
  {
    words: "today|tonight|this (?:morning|afternoon|evening)|right now|as of now",
    fits: (start, end, today) => isWithin(start, end, today, 0),
  },
  { words: "yesterday|last night", fits: (start, end, today) => isWithin(start, end, today, -1) },
  { words: "tomorrow", fits: (start, end, today) => isWithin(start, end, today, 1) },
  { words: "(?:later |early |late )?next month", fits: (start, _, today) => monthsApart(start, today) === 1 },
  { words: "(?:earlier |later )?this month", fits: (start, _, today) => monthsApart(start, today) === 0 },
  { words: "(?:late |early )?last month", fits: (start, _, today) => monthsApart(start, today) === -1 },
  {
    words: "(?:later |early |late )?next week",
    fits: (start, end, today) => weeksApart(start, today) === 1 || weeksApart(end, today) === 1,
  },
  {
    words: "(?:earlier |later )?this week",
    fits: (start, end, today) => weeksApart(start, today) === 0 || weeksApart(end, today) === 0,
  },
  {
    words: "(?:late |early )?last week",
    fits: (start, end, today) => weeksApart(start, today) === -1 || weeksApart(end, today) === -1,
  },
];

const beside = relative.map(({ words, fits }) => ({
  fits,
  before: new RegExp(
    String.raw`\b(${words})(?:[,(: ]{1,3}(?:on |is |at the close (?:of|on) |in |which is |that is )?(?:the )?(?:(?:${weekdayName}),? )?|,? (?:after|before|at) (?:the )?(?:market |markets )?(?:close|closes|bell|open|opens|opening),? on (?:(?:${weekdayName}),? )?| (?:(?!\b(?:of|from|since|after|until|to|than|for|by|the)\b)[\p{L}'’]+,? ){1,5}on (?:(?:${weekdayName}),? )?)$`,
    "iu",
  ),
  after: new RegExp(String.raw`^,? ?\(?(${words})\b(?!['’]s)`, "i"),
}));

/** "Tonight, August 27", "next month, on July 14": the date and the word beside it are one. */
export function relativeFault(date: CalendarDate, { text }: Passage, { today }: Moment): readonly Fault[] {
  if (!exists(date)) return [];
  const [start, end] = spanOf(date, today);
  return beside.flatMap(({ before, after, fits }) => {
    const said = before.exec(text.slice(0, date.start))?.[1] ?? after.exec(text.slice(date.end))?.[1];
    if (said === undefined || fits(start, end, today)) return [];
    return [
      {
        wrong: `${date.shown} is not "${said.toLowerCase()}" on ${new Date(today).toISOString().slice(0, 10)}`,
        remedy: correct,
      },
    ];
  });
}

/** In New York, in London or in Hong Kong, since a reader's day is not the server's. */
const zones = [-5, 0, 8].map((hours) => hours * 3_600_000);

function isWithin(start: number, end: number, today: number, days: number): boolean {
  return zones.some((zone) => {
    const time = today + zone + days * dayLength;
    return time >= start && time <= end;
  });
}

function monthsApart(time: number, today: number): number {
  const [one, other] = [new Date(time), new Date(today)];
  return 12 * (one.getUTCFullYear() - other.getUTCFullYear()) + one.getUTCMonth() - other.getUTCMonth();
}

/** Weeks from Monday on. */
function weeksApart(time: number, today: number): number {
  const week = (moment: number) => Math.floor((moment / dayLength + 3) / 7);
  return week(time) - week(today);
}

const dayWord = new RegExp(
  String.raw`\b(today|tonight|this (?:morning|afternoon|evening)|yesterday|last night|tomorrow)(?:, | \(|, a | is a? ?|, on )(${weekdayName})\b`,
  "gi",
);

const offsets: Readonly<Record<string, number>> = { yesterday: -1, "last night": -1, tomorrow: 1 };

/** "Yesterday, Wednesday", on a Friday. */
export function dayWordFaults(text: string, { today }: Moment): readonly Fault[] {
  return [...text.matchAll(dayWord)].slice(0, 3).flatMap(([shown, word = "", day = ""]) => {
    const days = zones.map((zone) =>
      weekdayAt(today + zone + (offsets[word.toLowerCase()] ?? 0) * dayLength),
    );
    return days.includes(day.toLowerCase())
      ? []
      : [{ wrong: `"${shown}" is not right: ${word.toLowerCase()} is a ${days[1]}`, remedy: correct }];
  });
}

const dayAhead = /\b(this|this coming|next|last|this past)(?: (?:morning|week))? $/i;

const reach: Readonly<Record<string, readonly [number, number]>> = {
  this: [-7, 8],
  "this coming": [-1, 8],
  next: [0, 15],
  last: [-15, 0],
  "this past": [-8, 0],
};

/** "This Wednesday, September 16", when that is two weeks away. */
export function weekdayFaults(
  named: readonly CalendarDate[],
  text: string,
  { today }: Moment,
): readonly Fault[] {
  return named.flatMap((date) => {
    const said = dayAhead.exec(text.slice(0, date.start))?.[1]?.toLowerCase() ?? "";
    const [least, most] = reach[said] ?? [];
    if (date.weekday === undefined || !exists(date) || least === undefined || most === undefined) return [];
    const days = (spanOf(date, today)[0] - today) / dayLength;
    if (days >= least && days <= most) return [];
    return [
      {
        wrong: `${date.shown} is not "${said}" week's on ${new Date(today).toISOString().slice(0, 10)}`,
        remedy: correct,
      },
    ];
  });
}

const monthBeside = new RegExp(
  String.raw`\b(next|this|last) (month|year),? \(?(?:in |which is |that is )?(?:(${monthWord})(?! \d)|((?:19|20)\d\d))\b|\b(?:in )?(?:(${monthWord})|((?:19|20)\d\d)),? (?:\()?(next|last) (month|year)\b`,
  "gi",
);

const steps: Readonly<Record<string, number>> = { next: 1, this: 0, last: -1 };

/** "Next month, in September", in September; "last year, in 2023", in 2026. */
export function monthWordFaults(text: string, { today }: Moment): readonly Fault[] {
  const now = new Date(today);
  return [...text.matchAll(monthBeside)].slice(0, 3).flatMap((match) => {
    const [shown] = match;
    const step = steps[(match[1] ?? match[7] ?? "").toLowerCase()] ?? 0;
    const unit = (match[2] ?? match[8] ?? "").toLowerCase();
    const month = match[3] ?? match[5];
    const year = match[4] ?? match[6];
    const isWrong =
      unit === "month" && month !== undefined
        ? (now.getUTCMonth() + step + 12) % 12 !== monthNames.indexOf(month.slice(0, 3).toLowerCase())
        : unit === "year" && year !== undefined && now.getUTCFullYear() + step !== Number(year);
    return isWrong
      ? [{ wrong: `"${shown}" does not fit ${now.toISOString().slice(0, 10)}`, remedy: correct }]
      : [];
  });
}
