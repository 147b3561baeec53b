import {
  type CalendarDate,
  datesIn,
  dayLength,
  exists,
  monthWord,
  quarterEnd,
  spanOf,
  weekdayAt,
  weekdayName,
} from "../calendar.ts";
import { correct, elapsed, type Fault, type Moment } from "../elapsed.ts";
import type { AuditFacts, Issue } from "../schema.ts";
import { plain, sentences } from "../text.ts";
import { sessionFaults } from "../trading-days.ts";
import { finding, type Rule } from "./rule.ts";

/** Told as having happened. */
const past =
  /\b(?:reported|announced|said|rose|fell|grew|was|were|came|closed|filed|published|launched|posted|opened|raised|cut|lost|gained|bought|sold|signed|told|wrote|approved|ruled|had|delivered|earned|made|spent|paid|ended|released|showed|reached|climbed|dropped|slipped|jumped|declined|increased|began|started|met|voted|held|beat|missed|shipped|confirmed|agreed|decided|completed)\b/i;
const notYet =
  /\b(?:will|would|could|may(?! \d)|might|shall|expect\w*|plan\w*|due|scheduled|until|by|forecast\w*|target\w*|project\w*|guidance|guided|outlook|expires?|matur\w+|next|from|if|when|once|ahead of|before|estimates?|consensus|contracts?|futures?|options?|deadline|set for|runs? (?:to|until)|through)\b/i;
/** Said of what is still to come, right before its date. */
const ahead =
  /\b(?:will(?! have)|is (?:due|scheduled|set|expected|planned|to)|are (?:due|scheduled|set|expected|planned|to)|upcoming|coming|plans? to|expects? to|the next (?!day|morning|week|month|year)[\p{L}]+(?: [\p{L}]+){0,3} (?:comes?|is|are|falls?|lands?|follows?|starts?|begins?|arrives?))\b(?:(?!\b(?:said|told|announced|since|after|of|from|ruled|reported)\b)[^.;,()]){0,80}?(?:[,(] ?)?(?:\b(?:on|by|before|until|for|in)\b )?$/iu;

type Passage = { readonly text: string; readonly earlier: string };

/** Dates that do not exist or have another weekday, and a past, a present or a future that the calendar does not bear out. */
export const dates: Rule = ({ headline, preview, body }, facts) => {
  const moment = { today: Date.parse(facts.gatheredAt), symbol: facts.stock.symbol };
  const found = [headline, preview, ...body.split("\n")]
    .filter((line) => line.trim() !== "")
    .flatMap((paragraph) => {
      const told = sentences(plain(paragraph));
      return told.flatMap((text, at) =>
        faultsIn({ text, earlier: told[at - 1] ?? "" }, moment, facts).slice(0, 1),
      );
    });
  return found.slice(0, 3);
};

/** Without one of these a sentence speaks of no time that could be checked. */
const timeWord =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:19|20)\d\d|\b(?:today|tonight|this (?:morning|afternoon|evening)|yesterday|last night|tomorrow|(?:next|last|this) (?:month|year)|saturday|sunday|labou?r day|thanksgiving|christmas|good friday|memorial day|juneteenth)\b/i;

function faultsIn(passage: Passage, moment: Moment, facts: AuditFacts): readonly Issue[] {
  const { text } = passage;
  if (text.length > 2000 || !timeWord.test(text)) return [];
  const named = datesIn(text).slice(0, 8);
  const faults = [
    ...named.flatMap((date) => [
      ...calendarFault(date, passage, moment),
      ...tenseFault(date, passage, moment),
    ]),
    ...named.flatMap((date) => relativeFault(date, passage, moment)),
    ...dayWordFaults(text, moment),
    ...monthWordFaults(text, moment),
    ...quarterFaults(text, moment),
    ...quoteAge(text, named, moment, facts),
    ...weekdayFaults(named, text, moment),
    ...sessionFaults(text, named, moment),
    ...elapsed(passage, named, moment),
  ];
  return faults.map(({ wrong, remedy }) => finding("high", "dates", wrong, text, remedy));
}

function calendarFault(date: CalendarDate, { text, earlier }: Passage, { today }: Moment): readonly Fault[] {
  if (date.day === undefined || date.day > 31 || date.month > 11) return [];
  if (!exists(date)) return [{ wrong: `There is no ${date.shown}`, remedy: "Correct the date." }];
  if (date.weekday === undefined) return [];
  // Without a year it is the nearest, or one that the text speaks of.
  const years = date.year === undefined ? (`${earlier} ${text}`.match(/\b(?:19|20)\d\d\b/g) ?? []) : [];
  const candidates = [
    spanOf(date, today),
    ...years.map((year) => spanOf({ ...date, year: Number(year) }, today)),
  ];
  const days = candidates.map(([start]) => weekdayAt(start));
  if (days.includes(date.weekday)) return [];
  return [
    { wrong: `${date.shown} is no ${date.weekday} but a ${days[0]}`, remedy: "Correct the date or the day." },
  ];
}

/** A past that lies ahead, and a future that is over. */
function tenseFault(date: CalendarDate, { text, earlier }: Passage, { today }: Moment): readonly Fault[] {
  if (!exists(date)) return [];
  const [start, end] = spanOf(date, today);
  const before = text.slice(0, date.start);
  const isNear =
    date.year !== undefined ||
    (date.day !== undefined &&
      Math.abs(start - today) < 75 * dayLength &&
      !hasOtherYear(`${earlier} ${text}`, today));
  if (!isNear) return [];
  if (
    start > today + dayLength &&
    past.test(clauseAround(text, date)) &&
    !notYet.test(text) &&
    !(date.year === undefined && !/\bon (?:the )?(?:\w+day,? )?$/i.test(before))
  )
    return [
      {
        wrong: `${date.shown} is told as past and lies ahead`,
        remedy: "Correct the date, or say that it is a plan.",
      },
    ];
  if (
    end < today - dayLength &&
    ahead.test(before) &&
    !/\b(?:said|told|announced|promised|had|was|were|would)\b/i.test(before)
  )
    return [
      {
        wrong: `${date.shown} is told as still to come and is over`,
        remedy: "Say what happened on that day, or correct the date.",
      },
    ];
  return [];
}

function hasOtherYear(text: string, today: number): boolean {
  const now = new Date(today).getUTCFullYear();
  return (
    /\b(?:last year|a year (?:ago|earlier|before)|years? ago)\b/i.test(text) ||
    (text.match(/\b(?:19|20)\d\d\b/g) ?? []).some((year) => Number(year) !== now)
  );
}

/** The words from the last semicolon or dash before a date to the next one after it. */
function clauseAround(text: string, { start, end }: CalendarDate): string {
  const from = Math.max(text.lastIndexOf(";", start), text.lastIndexOf(" - ", start));
  const to = text.indexOf(";", end);
  return text.slice(from + 1, to < 0 ? text.length : to);
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
    String.raw`\b(${words})(?:[,(: ]{1,3}(?:on |is |at the close (?:of|on) |in |which is |that is )?(?:the )?(?:(?:${weekdayName}),? )?| (?:after|before|at) (?:the )?(?:market |markets )?(?:close|closes|bell|open|opens|opening),? on (?:(?:${weekdayName}),? )?| (?:(?!\b(?:of|from|since|after|until|to|than|for|by|the)\b)[\p{L}'’]+,? ){1,5}on (?:(?:${weekdayName}),? )?)$`,
    "iu",
  ),
  after: new RegExp(String.raw`^,? ?\(?(${words})\b(?!['’]s)`, "i"),
}));

/** "Tonight, August 27", "next month, on July 14": the date and the word beside it are one. */
function relativeFault(date: CalendarDate, { text }: Passage, { today }: Moment): readonly Fault[] {
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
  // A text may be two days old when it is audited, if it says the date itself.
  return zones.some((zone) =>
    [0, 1, 2].some((age) => {
      const time = today + zone + (days - age) * dayLength;
      return time >= start && time <= end;
    }),
  );
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
function dayWordFaults(text: string, { today }: Moment): readonly Fault[] {
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
function weekdayFaults(named: readonly CalendarDate[], text: string, { today }: Moment): readonly Fault[] {
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
const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const steps: Readonly<Record<string, number>> = { next: 1, this: 0, last: -1 };

/** "Next month, in September", in September; "last year, in 2023", in 2026. */
function monthWordFaults(text: string, { today }: Moment): readonly Fault[] {
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

const ordinals: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, final: 4 };
const quarter =
  /\b(?:(first|second|third|fourth|final)[ -](?:fiscal )?quarter|q([1-4]))(?: (?:results|revenue|sales|earnings|profit))?(?: (?:of|in))?(?: (?:the )?(?:fiscal|financial|calendar)(?: year)?)?,? ((?:19|20)\d\d)\b/gi;
const monthQuarter = new RegExp(
  String.raw`\b(march|june|september|december)[ -]quarter(?: of)?(?:,? ((?:19|20)\d\d))?\b|\bquarter (?:that |which )?(?:ended|ending|to|through) (?:in )?(?:late )?(${monthWord})(?: \d{1,2})?(?:,? ((?:19|20)\d\d))?\b`,
  "gi",
);
const parts =
  /\b(?:(second half|last quarter|whole|full year|full-year|all) (?:of )?|(?:first )?(nine months) of )((?:19|20)\d\d)\b/gi;

/** Results of a time that has not ended. */
function quarterFaults(text: string, { today, symbol }: Moment): readonly Fault[] {
  if (!past.test(text) || notYet.test(text.replace(/\bfrom\b|\bby\b|\bbefore\b/gi, ""))) return [];
  const now = new Date(today).getUTCFullYear();
  const ends = [
    ...[...text.matchAll(quarter)].map(([shown, word, digit, year]) => ({
      shown,
      end: /calendar/i.test(shown)
        ? quarterEnd("", ordinals[word?.toLowerCase() ?? ""] ?? Number(digit), Number(year))
        : quarterEnd(symbol, ordinals[word?.toLowerCase() ?? ""] ?? Number(digit), Number(year)),
    })),
    ...[...text.matchAll(monthQuarter)].map(([shown, one, year, other, otherYear]) => {
      const month = monthNames.indexOf((one ?? other ?? "").slice(0, 3).toLowerCase());
      const isOther = /\b(?:last|previous|prior) year|\byear (?:ago|earlier|before)\b/i.test(text);
      return {
        shown,
        end:
          isOther && (year ?? otherYear) === undefined
            ? 0
            : Date.UTC(Number(year ?? otherYear ?? now), month + 1, 1) - 1,
      };
    }),
    ...[...text.matchAll(parts)].map(([shown, , months, year]) => ({
      shown,
      end: Date.UTC(Number(year), months === undefined ? 12 : 9, 1) - 1,
    })),
  ];
  // A quarter without a year that ends months ahead is the one of the year before.
  return ends
    .filter(({ shown, end }) => end > today && (/\d{4}/.test(shown) || end - today < 95 * dayLength))
    .slice(0, 1)
    .map(({ shown, end }) => ({
      wrong: `"${shown}" has not ended: it lasts until ${new Date(end).toISOString().slice(0, 10)}`,
      remedy: "Name the time that the figures are of, or say that they are a forecast.",
    }));
}

const present =
  /\b(?:now|currently|at present|today|trades|trading|changes hands|stands|sits|is quoted|is priced|costs|current|latest|live)\b/i;

/** A price told as the present one, with a date that is past. */
function quoteAge(
  text: string,
  named: readonly CalendarDate[],
  { today }: Moment,
  { quote }: AuditFacts,
): readonly Fault[] {
  if (!/\$ ?\d/.test(text) || !present.test(text) || past.test(text.replace(/\bcut\b/i, ""))) return [];
  const old = named.find((date) => {
    const [, end] = spanOf(date, today);
    return (
      date.day !== undefined &&
      exists(date) &&
      end < today - 4 * dayLength &&
      /\b(?:as of|as at|at the close (?:of|on)|on|quoted on|price of|prices of|dated)(?: \w+day,?)? $/i.test(
        text.slice(0, date.start),
      )
    );
  });
  if (
    old === undefined ||
    !/\b(?:price|quote|token|share|stock|trades|trading|changes hands|quoted)\b/i.test(text)
  )
    return [];
  return [
    {
      wrong: `A price told as the present one is of ${old.shown}; the quote of ${quote.asOf.slice(0, 10)} is $${quote.mid}`,
      remedy: "Give today's price, or say plainly that it is an old one.",
    },
  ];
}
