import {
  type CalendarDate,
  correct,
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
