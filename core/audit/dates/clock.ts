import { remembering } from "../passage.ts";
import { correct, dayLength, type Fault, type Moment, restOf, weekdayAt } from "./calendar.ts";

/** A time of day in minutes, where a text gives it, and the place whose clock is meant. */
type ClockTime = {
  readonly shown: string;
  readonly start: number;
  readonly minutes: number;
  readonly zone: string | undefined;
};

const places: readonly (readonly [names: string, zone: string])[] = [
  ["New York|Eastern|Wall Street|ET|EDT|EST", "America/New_York"],
  ["Chicago|Central", "America/Chicago"],
  ["San Francisco|Pacific|California|Seattle|PT|PDT|PST", "America/Los_Angeles"],
  ["London|British|BST", "Europe/London"],
  [
    "Amsterdam|Frankfurt|Paris|Berlin|Zurich|Madrid|Milan|Dutch|German|French|Central European|CET|CEST",
    "Europe/Berlin",
  ],
  ["UTC|GMT", "UTC"],
  ["Tokyo|Japanese|JST", "Asia/Tokyo"],
  ["Hong Kong|HKT", "Asia/Hong_Kong"],
  ["Taipei", "Asia/Taipei"],
  ["Seoul|KST", "Asia/Seoul"],
  ["Mumbai|Indian", "Asia/Kolkata"],
];
const placeNames = places.map(([names]) => names).join("|");
const hours = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const time = new RegExp(
  String.raw`(?<![\d.:$])(?:(?<hour>\d{1,2})(?:[:.](?<minute>[0-5]\d))?(?: ?(?<half>[ap])\.? ?m\b\.?|(?<=:\d\d)(?![\d:%]))|(?<part>half past|quarter past|quarter to) (?<word>${hours.join("|")})|(?<full>${hours.join("|")})(?= (?:o'clock|in the (?:morning|afternoon|evening))))(?: o'clock)?(?:,? (?:in the (?<when>morning|afternoon|evening)|at night))?(?:,? (?:in |by )?(?<place>${placeNames})\b)?`,
  "gi",
);

function timesIn(text: string): readonly ClockTime[] {
  return [...text.matchAll(time)].slice(0, 8).flatMap((match) => {
    const { hour, minute = "0", half, part, word, full, when, place } = match.groups ?? {};
    const named = hours.indexOf((word ?? full ?? "").toLowerCase()) + 1;
    const written = hour === undefined ? named : Number(hour);
    const shift =
      part === undefined ? Number(minute) : /half/i.test(part) ? 30 : / to/i.test(part) ? -15 : 15;
    const isLate = half === undefined ? /afternoon|evening/i.test(when ?? "") : /p/i.test(half);
    const isTold =
      half !== undefined || when !== undefined || (hour !== undefined && written > 12) || /:/.test(match[0]);
    if (!isTold || written > 23) return [];
    const at =
      (isLate && written < 12
        ? written + 12
        : half !== undefined && !isLate && written === 12
          ? 0
          : written) *
        60 +
      shift;
    const zone = places.find(([names]) => new RegExp(`^(?:${names})$`, "i").test(place ?? ""))?.[1];
    return [{ shown: match[0].trim(), start: match.index, minutes: at, zone }];
  });
}

/** To make one takes longer than all else that is read of a text. */
const clockOf = remembering(
  (zone) =>
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    }),
  places.length,
);

/** Minutes since midnight in a place, and the day of its calendar (ms, midnight UTC). */
function localTime(now: number, zone: string) {
  const parts = clockOf(zone).formatToParts(now);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  return {
    minutes: part("hour") * 60 + part("minute"),
    day: Date.UTC(part("year"), part("month") - 1, part("day")),
  };
}

const newYork = "America/New_York";
const monthNames = new Intl.DateTimeFormat("en-US", { month: "long", timeZone: "UTC" });
const opening = 9 * 60 + 30;
const closing = 16 * 60;

/** "On Friday", "today", "September 4": said of the day of the audit. */
function isOfToday(text: string, day: number): boolean {
  const date = new Date(day);
  const month = monthNames.format(date);
  const weekday = weekdayAt(day);
  return (
    new RegExp(
      String.raw`\b(?:today|this (?:morning|afternoon)|${month}\.? ${date.getUTCDate()}\b|${date.getUTCDate()} ${month}\b)`,
      "i",
    ).test(text) ||
    (new RegExp(String.raw`\bon ${weekday}\b(?!,? (?:\w+ \d|\d))`, "i").test(text) &&
      !/\b(?:last|previous|next|every)\b/i.test(text))
  );
}

const happened =
  /\b(?:was|were|taken|at the time|stood|traded|rose|fell|reached|touched|changed hands|closed|ended|finished|quoted|written|reported|announced|said|signed|published|released)\b/i;
const still =
  /\b(?:will|would|due|scheduled|expect\w*|plans?|planned|to be|opens?|begins?|starts?|until|before|by|from|next|every|usually|always)\b/i;

/** A price taken at an hour of today that is still to come. */
export function hourFaults(text: string, { today }: Moment): readonly Fault[] {
  if (!happened.test(text) || still.test(text)) return [];
  return timesIn(text)
    .flatMap(({ shown, minutes, zone }) => {
      const now = zone === undefined ? undefined : localTime(today, zone);
      if (now === undefined || !isOfToday(text, now.day) || minutes <= now.minutes + 15) return [];
      return [{ wrong: `"${shown}" is still to come on the day of the audit`, remedy: correct }];
    })
    .slice(0, 1);
}

const afterClose =
  /\b(?:in |during )?(?:after-hours|extended-hours|post-market|late) (?:trading|session|trade)\b|\bafter the (?:close|closing bell|market closed|markets closed)\b|\b(?:closed|ended|finished|settled) (?:(?:the|today['’]s|\w+day['’]s) (?:day|session|week|trading)|trading|at|up|down|higher|lower)\b|\bat (?:the close|the closing bell|today's close)\b|\bclosing price (?:of|was|on)\b/i;

/** "In after-hours trading on Friday it reached", on a Friday morning. */
export function closeFaults(text: string, { today }: Moment): readonly Fault[] {
  const { minutes, day } = localTime(today, newYork);
  if (restOf(day) !== undefined || minutes >= closing) return [];
  const said = afterClose.exec(text);
  if (!/\$|%|\bshares?\b|\bstock\b|\btoken\b/i.test(text)) return [];
  if (said === null || !isOfToday(text, day)) return [];
  if (
    /\b(?:will|due|reports?|expect\w*|plans?|to be|would|opens?|if|tokyo|hong kong|london|frankfurt|amsterdam|europe|asia|shanghai|taipei|seoul|zurich|paris|yesterday|thursday's|morning's|not|yet)\b/i.test(
      text,
    )
  )
    return [];
  if (
    !/\b(?:rose|fell|reached|was|were|had|closed|ended|finished|settled|dropped|gained|lost|slipped|climbed|jumped|traded|stood|touched|hit|added|shed|sank|moved|went)\b/i.test(
      text,
    )
  )
    return [];
  return [
    {
      wrong: `"${said[0]}" is told of a day on which New York has not closed yet`,
      remedy: "Say what the price was when you wrote, or correct the day.",
    },
  ];
}

const openingWord = /\b(?:opens?|opening(?: bell)?|joins?|starts?|begins?|trading (?:starts|begins))\b/i;
const closingWord = /\b(?:closes?|closing(?: bell)?|shuts?|ends?|stops?)\b/i;

/** "New York opens at half past four in Amsterdam": the hour of the exchange by another clock. */
export function exchangeHourFaults(text: string, { today }: Moment): readonly Fault[] {
  return timesIn(text)
    .flatMap((one): readonly Fault[] => {
      if (one.zone === undefined) return [];
      const ahead = text.slice(0, one.start).split(/[.;]/).at(-1) ?? "";
      const market =
        /\b(?:New York|Wall Street|Nasdaq|NYSE|American (?:market|exchange)s?|US (?:market|exchange)s?)\b(?!.*\b(?:London|Tokyo|Hong Kong|Amsterdam|Frankfurt)\b)/i.exec(
          ahead,
        );
      const said = market === null ? "" : ahead.slice(market.index);
      const isOpening = openingWord.test(said);
      if (
        market === null ||
        isOpening === closingWord.test(said) ||
        /\b(?:pre-?market|after-hours|extended|before|after|until|hours?)\b/i.test(said)
      )
        return [];
      const shift = localTime(today, one.zone).minutes - localTime(today, newYork).minutes;
      const expected = ((isOpening ? opening : closing) + shift + 2880) % 1440;
      if (
        Math.abs(expected - one.minutes) <= 1 ||
        /\b(?:winter|march|november|december|january|february|daylight)\b/i.test(text)
      )
        return [];
      const clock = `${Math.floor(expected / 60)}:${String(expected % 60).padStart(2, "0")}`;
      return [
        {
          wrong: `New York ${isOpening ? "opens" : "closes"} at ${clock} there, the text says ${one.shown}`,
          remedy: correct,
        },
      ];
    })
    .slice(0, 1);
}

const trading = /\b(?:exchange|market|markets|wall street|trading|session|nasdaq|nyse|opening bell)\b/i;
const resumes = /\b(?:opens?|reopens?|trades?|trading|resumes?|react|session|bell)\b/i;
const namedDay =
  /\b(?:on|until|next|this|by|from) (monday|tuesday|wednesday|thursday|friday)\b(?!,? (?:\p{Lu}\p{L}+ \d|\d|the))/giu;

/** "It reacts on Monday, when the exchange opens again", with Monday a holiday. */
export function nextSessionFaults(text: string, { today }: Moment): readonly Fault[] {
  if (!trading.test(text) || !resumes.test(text)) return [];
  if (
    /\b(?:closed|shut|holiday|rests?|no trading|not|never|labou?r day|thanksgiving|tokens?|was|were|did|except|after the (?:holiday|weekend)|london|tokyo|hong kong|frankfurt)\b/i.test(
      text,
    )
  )
    return [];
  const { day } = localTime(today, newYork);
  return [...text.matchAll(namedDay)].slice(0, 3).flatMap(([shown, name = ""]) => {
    const ahead = [1, 2, 3, 4, 5, 6, 7]
      .map((days) => day + days * dayLength)
      .find((one) => weekdayAt(one) === name.toLowerCase());
    const why = ahead === undefined ? undefined : restOf(ahead);
    return why === undefined
      ? []
      : [{ wrong: `"${shown}" is ${why}, and the exchange does not open on it`, remedy: correct }];
  });
}
