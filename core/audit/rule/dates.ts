import {
  type CalendarDate,
  datesIn,
  dayLength,
  exists,
  type Fault,
  type Moment,
  monthWord,
  type Passage,
  sessionFaults,
  spanOf,
  weekdayAt,
  weekdayName,
} from "../dates/calendar.ts";
import { closeFaults, exchangeHourFaults, hourFaults, nextSessionFaults } from "../dates/clock.ts";
import { dayWordFaults, elapsed, monthWordFaults, relativeFault, weekdayFaults } from "../dates/elapsed.ts";
import {
  distanceFaults,
  futureYearFaults,
  periodFaults,
  rangeFaults,
  sequenceFaults,
  sinceFaults,
  stepFaults,
} from "../dates/order.ts";
import { fiscalFaults, quarterFaults, quoteAge, tenseFault } from "../dates/tense.ts";
import { plain, sentences } from "../passage.ts";
import type { AuditFacts, Issue } from "../schema.ts";
import { finding, type Rule } from "./rule.ts";

/** Dates that do not exist or have another weekday, and a past, a present or a future that the calendar does not bear out. */
export const dates: Rule = {
  check: "dates",
  label: "Dates",
  by: "rules",
  cannotJudge: "whether an event happened on the day that is given",
  mayStop: true,
  holdsOurs: true,
  find: ({ headline, preview, body }, facts) => {
    const moment = { today: Date.parse(facts.gatheredAt), symbol: facts.stock.symbol };
    const found = [headline, preview, ...body.split("\n")]
      .filter((line) => line.trim() !== "")
      .flatMap((paragraph) => {
        const told = sentences(plain(paragraph));
        return told.map((text, at) => ({ text, earlier: told[at - 1] ?? "" }));
      })
      .flatMap((passage, at, all) => {
        const before = all.slice(Math.max(0, at - 3), at).map(({ text }) => text);
        return faultsIn({ ...passage, context: before.join(" ") }, moment, facts).slice(0, 1);
      });
    return found.slice(0, 3);
  },
};

/** Without one of these a sentence speaks of no time that could be checked. */
const timeWord =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:19|20)\d\d|\b(?:today|tonight|this (?:morning|afternoon|evening)|yesterday|last night|tomorrow|(?:next|last|this) (?:month|year)|saturday|sunday|labou?r day|thanksgiving|christmas|good friday|memorial day|juneteenth|monday|tuesday|wednesday|thursday|friday|years|[ap]\.?m|o'clock|time)\b/i;

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
    ...fiscalFaults(text, named, moment),
    ...quoteAge(text, named, moment, facts),
    ...weekdayFaults(named, text, moment),
    ...dayOfMonthFaults(text, moment),
    ...sessionFaults(text, named, moment),
    ...elapsed(passage, named, moment),
    ...rangeFaults(named, text, moment),
    ...sequenceFaults(named, text, moment),
    ...stepFaults(named, text, moment),
    ...distanceFaults(named, text, moment),
    ...periodFaults(text, passage.context),
    ...sinceFaults(text, passage.context, moment),
    ...futureYearFaults(text, moment),
    ...hourFaults(text, moment),
    ...closeFaults(text, moment),
    ...exchangeHourFaults(text, moment),
    ...nextSessionFaults(text, moment),
  ];
  return faults.map(({ wrong, remedy }) => finding("high", "dates", wrong, text, remedy));
}

const dayOfMonth = new RegExp(
  String.raw`\b(${weekdayName}),? the (\d{1,2})(?:st|nd|rd|th)\b(?! (?:of|${monthWord})\b)`,
  "gi",
);

/** "On Wednesday the 31st", in no month around. */
function dayOfMonthFaults(text: string, { today }: Moment): readonly Fault[] {
  const now = new Date(today);
  return [...text.matchAll(dayOfMonth)].slice(0, 3).flatMap(({ 0: shown, 1: weekday = "", 2: day }) => {
    const isThere = [-1, 0, 1].some((step) => {
      const time = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + step, Number(day));
      return new Date(time).getUTCDate() === Number(day) && weekdayAt(time) === weekday.toLowerCase();
    });
    return isThere
      ? []
      : [{ wrong: `${shown} is in none of the months around`, remedy: "Correct the date or the day." }];
  });
}

/** A day without a year is the nearest. One that is months away may be of this year or of the next or last one. */
function nearestOf(date: CalendarDate, today: number) {
  const nearest = spanOf(date, today);
  if (date.year !== undefined || Math.abs(nearest[0] - today) < 100 * dayLength) return [nearest];
  const year = new Date(nearest[0]).getUTCFullYear();
  return [nearest, spanOf({ ...date, year: year + (nearest[0] > today ? -1 : 1) }, today)];
}

function calendarFault(date: CalendarDate, { text, earlier }: Passage, { today }: Moment): readonly Fault[] {
  if (date.day === undefined || date.day > 31 || date.month > 11) return [];
  if (!exists(date)) return [{ wrong: `There is no ${date.shown}`, remedy: "Correct the date." }];
  if (date.weekday === undefined) return [];
  // Without a year it is the nearest, or one that the text speaks of.
  const years = date.year === undefined ? (`${earlier} ${text}`.match(/\b(?:19|20)\d\d\b/g) ?? []) : [];
  const candidates = [
    ...nearestOf(date, today),
    ...years.map((year) => spanOf({ ...date, year: Number(year) }, today)),
  ];
  const days = candidates.map(([start]) => weekdayAt(start));
  if (days.includes(date.weekday)) return [];
  return [
    { wrong: `${date.shown} is no ${date.weekday} but a ${days[0]}`, remedy: "Correct the date or the day." },
  ];
}
