import { type CalendarDate, dayLength, exists, spanOf, weekdayAt } from "./calendar.ts";
import { correct, type Fault, type Moment } from "./elapsed.ts";

/** The market of shares, which rests on weekends and holidays; tokens trade on. */
const exchange =
  /\b(?:nasdaq|nyse|new york|wall street|stock (?:exchange|market)|the exchange|opening bell|closing bell)\b/i;
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

/** A session of the stock exchange on a day on which it rests. */
export function sessionFaults(
  text: string,
  named: readonly CalendarDate[],
  { today }: Moment,
): readonly Fault[] {
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
