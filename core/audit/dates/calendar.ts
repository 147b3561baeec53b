/** A time that a text tells wrongly. */
export type Fault = { readonly wrong: string; readonly remedy: string };

/** When the audit takes place (ms), and of which stock. */
export type Moment = { readonly today: number; readonly symbol: string };

/** A sentence, and the one before it. */
export type Passage = {
  readonly text: string;
  readonly earlier: string;
  /** Up to three sentences before it, from other paragraphs as well. */
  readonly context: string;
};
export const correct = "Correct the date or the words beside it.";
export const monthNames = [
  "jan",
  "feb",
  "mar",
  "apr",
  "may",
  "jun",
  "jul",
  "aug",
  "sep",
  "oct",
  "nov",
  "dec",
];
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
export const weekdayName = weekdays.map((day) => day.charAt(0).toUpperCase() + day.slice(1)).join("|");

/** One day in milliseconds. */
export const dayLength = 86_400_000;

/** A day or a month that a text names. `month` from 0; `day` is undefined for "June 2026". */
export type CalendarDate = {
  readonly shown: string;
  readonly start: number;
  readonly end: number;
  readonly weekday: string | undefined;
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number | undefined;
};

export const monthWord =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";

const weekdayBefore = String.raw`(?:\b(?<before>${weekdayName})(?:,? (?:the )?| \())?`;
const weekdayAfter = String.raw`(?:(?:, (?:a )?| \((?:a )?|, which (?:is|was|falls on) a )(?<after>${weekdayName})\b)?`;
const tailYear = String.raw`(?:,? (?:of )?(?<year>(?:19|20)\d\d)\b)?`;

const forms = [
  String.raw`${weekdayBefore}\b(?<month>${monthWord})\.? (?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?(?![\d%]|[.,]\d)${tailYear}${weekdayAfter}`,
  String.raw`${weekdayBefore}(?<![\d.,$€£-])(?<day>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<month>${monthWord})\b\.?${tailYear}${weekdayAfter}`,
  String.raw`${weekdayBefore}(?<![\d-])(?<year>(?:19|20)\d\d)-(?<month>\d\d)-(?<day>\d\d)(?!\d|-\d)${weekdayAfter}`,
  String.raw`\b(?<month>${monthWord})\.?(?: of|,)? (?<year>(?:19|20)\d\d)\b`,
].map((form) => new RegExp(form, "gi"));

/** Every date of a passage, in order; no passage has more than the first twenty. */
export function datesIn(passage: string): readonly CalendarDate[] {
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

/** Whether the calendar has such a day. */
export function exists({ year = 2024, month, day = 1 }: CalendarDate): boolean {
  const there = new Date(Date.UTC(year, month, day));
  return there.getUTCMonth() === month && there.getUTCDate() === day;
}

/** First and last moment of a date; one without a year is the nearest to `today` (ms). */
export function spanOf(date: CalendarDate, today: number): readonly [number, number] {
  const { year, month, day } = date;
  const now = new Date(today).getUTCFullYear();
  const years = year === undefined ? [now - 1, now, now + 1] : [year];
  const spans = years.map((at): readonly [number, number] =>
    day === undefined
      ? [Date.UTC(at, month, 1), Date.UTC(at, month + 1, 1) - 1]
      : [Date.UTC(at, month, day), Date.UTC(at, month, day + 1) - 1],
  );
  const distance = ([start]: readonly [number, number]) => Math.abs(start - today);
  return spans.reduce((best, span) => (distance(span) < distance(best) ? span : best));
}

/** The weekday of a moment, in lower case. */
export function weekdayAt(time: number): string {
  return weekdays[new Date(time).getUTCDay()] ?? "";
}

/** The market of shares, which rests on weekends and holidays; tokens trade on. */
const exchange =
  /\b(?:nasdaq|nyse|new york|wall street|stock (?:exchange|market)|the exchange|opening bell|closing bell|(?:the )?market['’]?s close|closing price|close of (?:trading|the market)|trading session)\b/i;

const traded =
  /\b(?:closed|close|closes|closing|opened|opens|traded|trading|trades|session|rallied|rose|fell|gained|lost|finished|ended)\b/i;

const rests =
  /\b(?:shut|closed (?:for|on|over|all)|is closed|are closed|were closed|was closed|holiday\w*|no trading|not|never|tokens?|around the clock|futures|weekend|except|before|after|ahead of|since|until|until after)\b/i;

/** The n-th weekday (0 is Sunday) of a month, or the last one for 5. */
function nth(year: number, month: number, weekday: number, at: number): number {
  const first = (7 + weekday - new Date(Date.UTC(year, month, 1)).getUTCDay()) % 7;
  const day = 1 + first + 7 * (at - 1);
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, day > length ? day - 7 : day);
}

/** A fixed holiday is kept on the Friday before a Saturday and on the Monday after a Sunday. */
function kept(year: number, month: number, day: number): number {
  const time = Date.UTC(year, month, day);
  const weekday = new Date(time).getUTCDay();
  return time + (weekday === 6 ? -1 : weekday === 0 ? 1 : 0) * dayLength;
}

/** Good Friday, two days before Easter by the Gregorian computus. */
function goodFriday(year: number): number {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const epact =
    (19 * golden +
      century -
      Math.floor(century / 4) -
      Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) +
      15) %
    30;
  const week = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - ((year % 100) % 4)) % 7;
  const shift = Math.floor((golden + 11 * epact + 22 * week) / 451);
  const day = epact + week - 7 * shift + 114;
  return Date.UTC(year, Math.floor(day / 31) - 1, (day % 31) + 1) - 2 * dayLength;
}

/** Why the American exchanges rest on a day, if they do: the holidays that NYSE publishes. */
export function restOf(time: number): string | undefined {
  const year = new Date(time).getUTCFullYear();
  const day = Math.floor(time / dayLength) * dayLength;
  const holidays = new Map([
    [kept(year, 0, 1), "New Year's Day"],
    [nth(year, 0, 1, 3), "Martin Luther King Jr. Day"],
    [nth(year, 1, 1, 3), "Washington's Birthday"],
    [goodFriday(year), "Good Friday"],
    [nth(year, 4, 1, 5), "Memorial Day"],
    [kept(year, 5, 19), "Juneteenth"],
    [kept(year, 6, 4), "Independence Day"],
    [nth(year, 8, 1, 1), "Labor Day"],
    [nth(year, 10, 4, 4), "Thanksgiving"],
    [kept(year, 11, 25), "Christmas Day"],
  ]);
  const weekday = weekdayAt(day);
  return holidays.get(day) ?? (weekday === "saturday" || weekday === "sunday" ? `a ${weekday}` : undefined);
}

const restDay =
  /\b(?:on|of|last|this|next) (saturday|sunday|(?:labou?r|memorial|thanksgiving|christmas|independence|new year's) day|thanksgiving|juneteenth|good friday)\b(?!['’]s)/i;

const resumes =
  /\b(?:trading|market|markets|exchange|exchanges|nasdaq|nyse|wall street|session)\b[^.;,]{0,40}\b(?:resum\w+|reopens?|opens? again|restarts?|starts again|picks up again|continues|returns)(?: \p{L}+){0,3} on (?:\p{L}+day,? )?(?:the )?$/iu;
const otherMarket =
  /\b(?:tokens?|futures|london|tokyo|hong kong|amsterdam|frankfurt|paris|europe\w*|asia\w*|not|except)\b/i;

/** A session of the stock exchange on a day on which it rests. */
export function sessionFaults(
  text: string,
  named: readonly CalendarDate[],
  { today }: Moment,
): readonly Fault[] {
  const opens = named.flatMap((date) => {
    if (date.day === undefined || !exists(date) || !resumes.test(text.slice(0, date.start))) return [];
    const why = restOf(spanOf(date, today)[0]);
    return why === undefined || !exchange.test(text) || otherMarket.test(text)
      ? []
      : [{ wrong: `${date.shown} is ${why}, and the exchange does not open on it`, remedy: correct }];
  });
  if (opens.length > 0) return opens;
  if (!exchange.test(text) || !traded.test(text) || rests.test(text)) return [];
  const days = named
    .filter((date) => date.day !== undefined && exists(date))
    .flatMap((date) => {
      const why = restOf(spanOf(date, today)[0]);
      const isOn = /\bon (?:the )?(?:\w+day,? )?$|, $/i.test(text.slice(0, date.start));
      return why === undefined || !isOn ? [] : [`${date.shown} is ${why}`];
    });
  const word = restDay.exec(text)?.[1];
  const wrong = days[0] ?? (word === undefined ? undefined : `"${word}" is a day of rest`);
  return wrong === undefined
    ? []
    : [{ wrong: `${wrong}, and the exchange does not trade on it`, remedy: correct }];
}
