import type { Issue } from "../schema.ts";
import { plain, sentences } from "../text.ts";
import { finding, type Rule } from "./rule.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

const month =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const weekday = `(?:(${weekdays.join("|")}),? (?:the )?)?`;
const monthFirst = new RegExp(
  String.raw`\b${weekday}${month}\.? (\d{1,2})(?:st|nd|rd|th)?(?!\d)(?:,? (\d{4})\b)?`,
  "gi",
);
const dayFirst = new RegExp(
  String.raw`\b${weekday}(\d{1,2})(?:st|nd|rd|th)? (?:of )?${month}\.?(?:,? (\d{4})\b)?`,
  "gi",
);
const iso = /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?!\d|-)/g;

type CalendarDate = {
  readonly shown: string;
  readonly weekday: string | undefined;
  readonly year: number | undefined;
  /** From 0. */
  readonly month: number;
  readonly day: number;
};

/** Told as having happened. */
const past =
  /\b(?:reported|announced|said|rose|fell|grew|was|were|closed|filed|published|launched|posted|opened|raised|cut|lost|gained|bought|sold|signed|told|wrote|approved)\b/i;
const notYet =
  /\b(?:will|would|could|may|might|expect\w*|plan\w*|due|scheduled|until|by|forecast\w*|target\w*|project\w*|guidance|expires?|matur\w+|next|from)\b/i;
const nowBefore = /\b(?:today|this morning|this afternoon|right now|as of now)[,(: ]{1,3}(?:on |is )?$/i;
const nowAfter = /^,? ?\(?today\b/i;

/** Dates of one sentence that are looked at; no sentence has more. */
const looked = 8;
const dayLength = 86_400_000;
/** A text may be some days old when it is audited. */
const week = 7 * dayLength;

/** Dates that do not exist, weekdays that they do not have, and a past or a present that the calendar does not bear out. */
export const dates: Rule = ({ headline, preview, body }, { gatheredAt }) =>
  [headline, preview, body]
    .flatMap((text) => sentences(plain(text)))
    .flatMap((sentence) =>
      datesIn(sentence)
        .slice(0, looked)
        .flatMap((date) => faults(date, sentence, Date.parse(gatheredAt))),
    )
    .slice(0, 3);

function datesIn(sentence: string): readonly CalendarDate[] {
  return [
    ...[...sentence.matchAll(monthFirst)].map(([shown, name, month = "", day, year]) => ({
      shown,
      name,
      month,
      day,
      year,
    })),
    ...[...sentence.matchAll(dayFirst)].map(([shown, name, day, month = "", year]) => ({
      shown,
      name,
      month,
      day,
      year,
    })),
    ...[...sentence.matchAll(iso)].map(([shown, year, month = "", day]) => ({
      shown,
      name: undefined,
      month,
      day,
      year,
    })),
  ].map(({ shown, name, month, day, year }) => ({
    shown,
    weekday: name?.toLowerCase(),
    year: year === undefined ? undefined : Number(year),
    month: /^\d/.test(month) ? Number(month) - 1 : months.indexOf(month.slice(0, 3).toLowerCase()),
    day: Number(day),
  }));
}

function faults(date: CalendarDate, sentence: string, today: number): readonly Issue[] {
  const { year = 2024, month, day } = date;
  const time = Date.UTC(year, month, day);
  const there = new Date(time);
  if (day > 31) return [];
  if (there.getUTCMonth() !== month || there.getUTCDate() !== day)
    return [fault(`There is no ${date.shown}`, sentence, "Correct the date.")];
  if (date.year === undefined) return [];
  const name = weekdays[there.getUTCDay()];
  if (date.weekday !== undefined && date.weekday !== name)
    return [
      fault(`${date.shown} is no ${date.weekday} but a ${name}`, sentence, "Correct the date or the day."),
    ];
  if (time > today + dayLength && past.test(sentence) && !notYet.test(sentence))
    return [
      fault(
        `${date.shown} is told as past and lies ahead`,
        sentence,
        "Correct the date, or say that it is a plan.",
      ),
    ];
  if (Math.abs(time - today) > week && besideNow(sentence, date.shown))
    return [fault(`${date.shown} is not today`, sentence, "Give the date that the text speaks of.")];
  return [];
}

/** "Today, March 3, 2024" says that they are one; "today's plant opened on March 3, 2024" does not. */
function besideNow(sentence: string, shown: string): boolean {
  const index = sentence.indexOf(shown);
  return nowBefore.test(sentence.slice(0, index)) || nowAfter.test(sentence.slice(index + shown.length));
}

function fault(wrong: string, passage: string, remedy: string): Issue {
  return finding("medium", "dates", wrong, passage, remedy);
}
