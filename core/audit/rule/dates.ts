import { plain, splitSentences } from "../passage.ts";
import type { Issue } from "../schema.ts";
import { makeFinding, type Rule } from "./rule.ts";

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const weekdayName = weekdays.map((day) => day.charAt(0).toUpperCase() + day.slice(1)).join("|");

/** One day in milliseconds. */
const dayLength = 86_400_000;

/** A day or a month that a text names. `month` counts from 0; `day` is undefined for a date such as "June 2026". */
type CalendarDate = {
  readonly shown: string;
  readonly start: number;
  readonly end: number;
  readonly weekday: string | undefined;
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number | undefined;
};

const monthWord =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";

const weekdayBefore = String.raw`(?:\b(?<before>${weekdayName})(?:,? (?:the )?| \())?`;
const weekdayAfter = String.raw`(?:(?:, (?:a )?| \((?:a )?|, which (?:is|was|falls on) a )(?<after>${weekdayName})\b(?!['’]s))?`;
const tailYear = String.raw`(?:,? (?:of )?(?<year>(?:19|20)\d\d)\b)?`;

const forms = [
  String.raw`${weekdayBefore}\b(?<month>${monthWord})\.? (?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?(?![\d%]|[.,]\d|-(?:year|month|day)\b)${tailYear}${weekdayAfter}`,
  String.raw`${weekdayBefore}(?<![\d.,$€£-])(?<day>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<month>${monthWord})\b\.?${tailYear}${weekdayAfter}`,
  String.raw`${weekdayBefore}(?<![\d-])(?<year>(?:19|20)\d\d)-(?<month>\d\d)-(?<day>\d\d)(?!\d|-\d)${weekdayAfter}`,
  String.raw`\b(?<month>${monthWord})\.?(?: of|,)? (?<year>(?:19|20)\d\d)\b`,
].map((form) => new RegExp(form, "gi"));

/** The dates in a passage, in order; only the first twenty are read. */
function findDates(passage: string): readonly CalendarDate[] {
  const found = forms.flatMap((form) =>
    [...passage.matchAll(form)].slice(0, 20).map((match): CalendarDate => {
      const { before, after, month = "", day, year } = match.groups ?? {};
      return {
        shown: match[0],
        start: match.index,
        end: match.index + match[0].length,
        weekday: (before ?? after)?.toLowerCase(),
        year: year === undefined ? undefined : Number(year),
        month: /^\d/.test(month) ? Number(month) - 1 : monthNames.indexOf(month.slice(0, 3).toLowerCase()),
        day: day === undefined ? undefined : Number(day),
      };
    }),
  );
  return found
    .filter(
      (one) =>
        !found.some(
          (other) =>
            other !== one &&
            other.start <= one.start &&
            other.end >= one.end &&
            other.shown.length > one.shown.length,
        ),
    )
    .filter(({ shown, day }) => !(day === undefined || day <= 31) || !/^may \d/.test(shown))
    .toSorted((one, other) => one.start - other.start);
}

/** Whether a date exists in the calendar. */
function isRealDate({ year = 2024, month, day = 1 }: CalendarDate): boolean {
  const there = new Date(Date.UTC(year, month, day));
  return there.getUTCMonth() === month && there.getUTCDate() === day;
}

/** The first and the last moment of a date. A date without a year gets the year in which the date lies nearest to `today` (ms). */
function findSpan(date: CalendarDate, today: number): readonly [number, number] {
  const { year, month, day } = date;
  const now = new Date(today).getUTCFullYear();
  const years = year === undefined ? [now - 1, now, now + 1] : [year];
  const spans = years.map((at): readonly [number, number] =>
    day === undefined
      ? [Date.UTC(at, month, 1), Date.UTC(at, month + 1, 1) - 1]
      : [Date.UTC(at, month, day), Date.UTC(at, month, day + 1) - 1],
  );
  const computeDistance = ([start]: readonly [number, number]) => Math.abs(start - today);
  return spans.reduce((best, span) => (computeDistance(span) < computeDistance(best) ? span : best));
}

/** The weekday of a moment, in lower case. */
export function findWeekday(time: number): string {
  return weekdays[new Date(time).getUTCDay()] ?? "";
}

/** A wrong date or time in a text. */
type DateFault = { readonly wrong: string; readonly remedy: string };

/** A sentence, the sentence before it, and the time of the audit (ms). */
type DateContext = { readonly text: string; readonly earlier: string; readonly today: number };

/**
 * Matches the name of a month, or the year of a date such as 2026-07-14; a sentence without such a match names no day that can be checked.
 */
const timeWord = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:19|20)\d\d-/i;

/**
 * Finds dates that do not exist, dates with the wrong weekday, dates that are wrongly called "today", and events in the past tense with a
 * date in the future.
 */
export const dates: Rule = {
  check: "dates",
  label: "Dates",
  by: "rules",
  cannotJudge: "whether an event happened on the day that is given",
  holdsOurs: true,
  find: ({ headline, preview, body }, { gatheredAt }) => {
    const today = Date.parse(gatheredAt);
    return [headline, preview, ...body.split("\n")]
      .filter((line) => timeWord.test(line))
      .flatMap((paragraph) => {
        const told = splitSentences(plain(paragraph));
        return told.flatMap((text, at) =>
          listFaults({ text, earlier: told[at - 1] ?? "", today }).slice(0, 1),
        );
      })
      .slice(0, 3);
  },
};

function listFaults(context: DateContext): readonly Issue[] {
  const { text } = context;
  if (text.length > 2000 || !timeWord.test(text)) return [];
  return findDates(text)
    .slice(0, 8)
    .flatMap((date) => [
      ...findCalendarFault(date, context),
      ...findTenseFault(date, context),
      ...findRelativeFault(date, context),
    ])
    .map(({ wrong, remedy }) => makeFinding("high", "dates", wrong, text, remedy));
}

/**
 * A date without a year means the day nearest to today that has this day and month. If the nearest day is at least 100 days ahead, the date
 * may also mean the same day a year earlier; if the nearest day is at least 100 days ago, the date may also mean the same day a year later.
 */
function listSpans(date: CalendarDate, today: number) {
  const nearest = findSpan(date, today);
  if (date.year !== undefined || Math.abs(nearest[0] - today) < 100 * dayLength) return [nearest];
  const year = new Date(nearest[0]).getUTCFullYear();
  return [nearest, findSpan({ ...date, year: year + (nearest[0] > today ? -1 : 1) }, today)];
}

function findCalendarFault(date: CalendarDate, { text, earlier, today }: DateContext): readonly DateFault[] {
  if (date.day === undefined || date.day > 31 || date.month > 11) return [];
  if (!isRealDate(date)) return [{ wrong: `There is no ${date.shown}`, remedy: "Correct the date." }];
  if (date.weekday === undefined) return [];
  // A date without a year may be the nearest date with this day and month, or the date in any year that the text names.
  const years = date.year === undefined ? (`${earlier} ${text}`.match(/\b(?:19|20)\d\d\b/g) ?? []) : [];
  const candidates = [
    ...listSpans(date, today),
    ...years.map((year) => findSpan({ ...date, year: Number(year) }, today)),
  ];
  const days = candidates.map(([start]) => findWeekday(start));
  if (days.includes(date.weekday)) return [];
  return [
    { wrong: `${date.shown} is no ${date.weekday} but a ${days[0]}`, remedy: "Correct the date or the day." },
  ];
}

/** Whether a day or a whole month lies the given number of days, weeks or months after today. */
type SpanTest = (distance: number, start: number, end: number, today: number) => boolean;

const relative: readonly { readonly words: string; readonly fits: SpanTest; readonly distance: number }[] = [
  {
    words: "today|tonight|this (?:morning|afternoon|evening)|right now|as of now",
    fits: isOnDay,
    distance: 0,
  },
  { words: "yesterday|last night", fits: isOnDay, distance: -1 },
  { words: "tomorrow", fits: isOnDay, distance: 1 },
  { words: "(?:later |early |late )?next month", fits: isInMonth, distance: 1 },
  { words: "(?:earlier |later )?this month", fits: isInMonth, distance: 0 },
  { words: "(?:late |early )?last month", fits: isInMonth, distance: -1 },
  { words: "(?:later |early |late )?next week", fits: isInWeek, distance: 1 },
  { words: "(?:earlier |later )?this week", fits: isInWeek, distance: 0 },
  { words: "(?:late |early )?last week", fits: isInWeek, distance: -1 },
];

const beside = relative.map(({ words, ...span }) => ({
  ...span,
  before: new RegExp(
    String.raw`\b(${words})(?:[,(: ]{1,3}(?:on |is |at the close (?:of|on) |in |which is |that is )?(?:the )?(?:(?:${weekdayName}),? )?|,? (?:after|before|at) (?:the )?(?:market |markets )?(?:close|closes|bell|open|opens|opening),? on (?:(?:${weekdayName}),? )?| (?:(?!\b(?:of|from|since|after|until|to|than|for|by|the|that|it|they|he|she|we|will|would)\b)[\p{L}'’]+,? ){1,5}on (?:(?:${weekdayName}),? )?)$`,
    "iu",
  ),
  after: new RegExp(String.raw`^,? ?\(?(${words})\b(?!['’]s)`, "i"),
}));

/** Checks that a date agrees with the time word beside it, as in "Tonight, August 27" or "next month, on July 14". */
function findRelativeFault(date: CalendarDate, { text, today }: DateContext): readonly DateFault[] {
  if (!isRealDate(date)) return [];
  const [start, end] = findSpan(date, today);
  return beside.flatMap(({ before, after, fits, distance }) => {
    const said = before.exec(text.slice(0, date.start))?.[1] ?? after.exec(text.slice(date.end))?.[1];
    if (said === undefined || fits(distance, start, end, today)) return [];
    return [
      {
        wrong: `${date.shown} is not "${said.toLowerCase()}" on ${new Date(today).toISOString().slice(0, 10)}`,
        remedy: "Correct the date or the words beside it.",
      },
    ];
  });
}

/** Three offsets from UTC (the lowest on Earth, zero, and the highest), because the writer's day can differ from the server's day. */
const zones = [-12, 0, 14].map((hours) => hours * 3_600_000);

function isOnDay(days: number, start: number, end: number, today: number): boolean {
  return zones.some((zone) => {
    const time = today + zone + days * dayLength;
    return time >= start && time <= end;
  });
}

function isInMonth(months: number, start: number, _end: number, today: number): boolean {
  const countMonths = (time: Date) => 12 * time.getUTCFullYear() + time.getUTCMonth();
  return zones.some((zone) => countMonths(new Date(start)) - countMonths(new Date(today + zone)) === months);
}

/** Weeks are calendar weeks, which begin on Monday. */
function isInWeek(weeks: number, start: number, end: number, today: number): boolean {
  const countWeeks = (moment: number) => Math.floor((moment / dayLength + 3) / 7);
  return zones.some((zone) =>
    [start, end].some((moment) => countWeeks(moment) - countWeeks(today + zone) === weeks),
  );
}

/** A past-tense verb right before a date, as in "which ended on". A date that is expected, due or planned is not a past event. */
const happenedOn =
  /(?<!\b(?:be|been|being|is|are|to|will|would|if|once|when|not|as) )\b(?!(?:scheduled|expected|planned|supposed|slated|timed|dated|based|called|needed|required|booked|listed|proposed|targeted|tipped|billed|promised|invited|requested|postponed|delayed|moved|rescheduled|set)\b)(?!(?:declared|announced|confirmed|ordered) (?!on ))(?:\p{L}{2,}ed|shown|spoke|met|held|rose|fell|came|went|took|gave|sold|bought|told|said|began|won|lost|left|paid|sent|made|was (?:held|signed|approved|published|paid|sold|opened|closed)) (?:to (?:the|its|his) \p{L}+ )?(?:(?!\b(?:to|that|from|until|for|by|and)\b)[\p{L}'’]+ ){0,4}on (?:the )?(?:\p{L}+day,? (?:the )?)?$/iu;

/** A past-tense verb after a date at the start of a sentence, as in "On Wednesday, September 9, Apple showed". */
const happenedAfter =
  /^,? (?:(?:the|its|a) )?(?:[\p{L}'’.-]+ ){1,4}(?<!\b(?:is|are|be|been|was|to|being|as|were|has|have|had) )(?:showed|presented|unveiled|announced|reported|released|published|launched|introduced|opened|held|met|voted|approved|said|told|began|started|signed|completed|closed|raised|cut|paid|delivered|revealed|spoke|ruled|decided|agreed|came|went|took|gave|became) (?!(?:by|to be|for (?:mid|early|late))\b)/iu;

/**
 * Words which show that a sentence states a shareholder's right or a plan, and not an event. The day of a shareholder's right or of a plan
 * may lie in the future, as in "to those registered on October 6".
 */
const entitled =
  /\b(?:those|who|anyone|everyone|holders?|shareholders?|owners?|record|if|will|would|plan\w*|expect\w*|due|payable|effective|scheduled|until|by|deadline)\b/i;

/** Finds a sentence in the past tense about a day in the coming weeks. */
function findTenseFault(date: CalendarDate, { text, earlier, today }: DateContext): readonly DateFault[] {
  if (!isRealDate(date) || date.day === undefined) return [];
  const [start] = findSpan(date, today);
  // A date without a year may belong to last year if the date in this year would be months ahead.
  if (start <= today + dayLength || (date.year === undefined && start >= today + 75 * dayLength)) return [];
  const before = text.slice(0, date.start);
  const opens =
    /^(?:["'(]*|.*[;:] )(?:(?:in|at|during) (?:[\p{L}'’]+ ){1,4})?(?:on |last )?(?:the )?(?:\p{L}+day,? (?:the )?)?$/iu;
  const isPast = happenedOn.test(before) || (opens.test(before) && happenedAfter.test(text.slice(date.end)));
  // A date without a year may belong to a year that the text names nearby.
  const now = String(new Date(today).getUTCFullYear());
  const hasOtherYear = (`${earlier} ${text}`.match(/\b(?:19|20)\d\d\b/g) ?? []).some(
    (year) => year !== now && Number(year) !== date.year,
  );
  if (
    !isPast ||
    entitled.test(text) ||
    hasOtherYear ||
    /\b(?:last year|years? (?:ago|earlier|before))\b/i.test(`${earlier} ${text}`)
  )
    return [];
  return [
    {
      wrong: `${date.shown} is told as past and lies ahead`,
      remedy: "Correct the date, or say that it is a plan.",
    },
  ];
}
