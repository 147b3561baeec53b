const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
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
        month: /^\d/.test(month) ? Number(month) - 1 : months.indexOf(month.slice(0, 3).toLowerCase()),
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

/** The month (1 to 12) in which a company's fiscal year ends, where it is not December. */
const fiscalYearEnds: Readonly<Record<string, number>> = {
  AAPL: 9,
  ACN: 8,
  ADBE: 11,
  ADI: 10,
  AMAT: 10,
  AVGO: 10,
  BABA: 3,
  COST: 8,
  CRM: 1,
  CRWD: 1,
  CSCO: 7,
  DELL: 1,
  DIS: 9,
  FDX: 5,
  GIS: 5,
  HD: 1,
  HPQ: 10,
  INTU: 7,
  KLAC: 6,
  LOW: 1,
  LRCX: 6,
  MDT: 4,
  MSFT: 6,
  MU: 8,
  NKE: 5,
  NVDA: 1,
  ORCL: 5,
  PANW: 7,
  PG: 6,
  QCOM: 9,
  SBUX: 9,
  SMCI: 6,
  SNOW: 1,
  SONY: 3,
  TGT: 1,
  TM: 3,
  V: 9,
  WMT: 1,
  ZM: 1,
};

/** The last moment of a fiscal quarter of a stock's company, 1 to 4; of the year by its name. */
export function quarterEnd(symbol: string, quarter: number, year: number): number {
  const last = fiscalYearEnds[symbol] ?? 12;
  return Date.UTC(year, last - 3 * (4 - quarter), 1) - 1;
}
