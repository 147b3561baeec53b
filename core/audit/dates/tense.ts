import type { AuditFacts } from "../schema.ts";
import {
  type CalendarDate,
  dayLength,
  exists,
  type Fault,
  type Moment,
  monthNames,
  monthWord,
  type Passage,
  spanOf,
} from "./calendar.ts";

/** Told as having happened. */
const past =
  /\b(?:reported|announced|said|rose|fell|grew|was|were|came|closed|filed|published|launched|posted|opened|raised|cut|lost|gained|bought|sold|signed|told|wrote|approved|ruled|had|delivered|earned|made|spent|paid|ended|released|showed|reached|climbed|dropped|slipped|jumped|declined|increased|began|started|met|voted|held|beat|missed|shipped|confirmed|agreed|decided|completed)\b/i;

const notYet =
  /\b(?:will|would|to (?:be|take place|come|start|begin|open|speak|meet|report|vote)|invit\w+|could|may(?! \d)|might|shall|expect\w*|plan\w*|due|scheduled|until|by|forecast\w*|target\w*|project\w*|guidance|guided|outlook|expires?|matur\w+|next|from|if|when|once|ahead of|before|estimates?|consensus|contracts?|futures?|options?|deadline|set for|runs? (?:to|until)|through)\b/i;

/** A verb of the past right before a date: "which ended on". What is expected, due or planned is none. */
const happenedOn =
  /(?<!\b(?:be|been|being|is|are|to|will|would|if|once|when|not|as) )\b(?!(?:scheduled|expected|planned|supposed|slated|timed|dated|based|called|needed|required|booked|listed|proposed|targeted|tipped|billed|promised|invited|requested|postponed|delayed|moved|rescheduled|set)\b)(?:\p{L}{2,}ed|shown|spoke|met|held|rose|fell|came|went|took|gave|sold|bought|told|said|began|won|lost|left|paid|sent|made|was (?:held|signed|approved|published|paid|sold|opened|closed)) (?:to (?:the|its|his) \p{L}+ )?(?:(?!\b(?:to|that|from|until|for|by|and)\b)[\p{L}'’]+ ){0,4}on (?:the )?(?:\p{L}+day,? (?:the )?)?$/iu;

/** "On Wednesday, September 9, Apple showed": the verb of the sentence that a date begins. */
const happenedAfter =
  /^,? (?:(?:the|its|a) )?(?:[\p{L}'’.-]+ ){1,4}(?<!\b(?:is|are|be|been|was|to|being|as|were|has|have|had) )(?:showed|presented|unveiled|announced|reported|released|published|launched|introduced|opened|held|met|voted|approved|said|told|began|started|signed|completed|closed|raised|cut|paid|delivered|revealed|spoke|ruled|decided|agreed|came|went|took|gave|became) (?!(?:by|to be|for (?:mid|early|late))\b)/iu;

/** Said of what is still to come, right before its date. */
const ahead =
  /\b(?:will(?! have)|is (?:due|scheduled|set|expected|planned|to)|are (?:due|scheduled|set|expected|planned|to)|upcoming|coming|plans? to|expects? to|the next (?!day|morning|week|month|year)[\p{L}]+(?: [\p{L}]+){0,3} (?:comes?|is|are|falls?|lands?|follows?|starts?|begins?|arrives?))\b(?:(?!\b(?:said|told|announced|since|after|of|from|ruled|reported)\b)[^.;,()]){0,80}?(?:[,(] ?)?(?:\b(?:on|by|before|until|for|in)\b )?$/iu;

/** A past that lies ahead, and a future that is over. */
export function tenseFault(
  date: CalendarDate,
  { text, earlier }: Passage,
  { today }: Moment,
): readonly Fault[] {
  if (!exists(date)) return [];
  const [start, end] = spanOf(date, today);
  const before = text.slice(0, date.start);
  const isNear =
    date.year !== undefined ||
    (date.day !== undefined &&
      Math.abs(start - today) < 75 * dayLength &&
      !hasOtherYear(`${earlier} ${text}`, today));
  const isSaidPast =
    date.day !== undefined &&
    start > today + dayLength &&
    start < today + 75 * dayLength &&
    (happenedOn.test(before) ||
      (/^(?:["'(]*|.*[;:] )(?:on |last )?(?:the )?(?:\p{L}+day,? (?:the )?)?$/iu.test(before) &&
        happenedAfter.test(text.slice(date.end))));
  if (
    isSaidPast &&
    !/\b(?:19|20)\d\d\b/.test(
      text
        .replace(/\b(?:fiscal|financial)(?: year)? \d{4}/gi, "")
        .replace(String(new Date(today).getUTCFullYear()), ""),
    )
  )
    return [pastAhead(date)];
  if (
    due.test(before) &&
    end < today - dayLength &&
    (date.year !== undefined || isNear) &&
    !hasPastYear(before, today)
  )
    return [overAhead(date)];
  if (!isNear) return [];
  if (
    start > today + dayLength &&
    past.test(clauseAround(text, date).replace(/\b(?:who|whoever|those)\b[^;]*/gi, "")) &&
    !notYet.test(text) &&
    !runsOut.test(before) &&
    !(date.year === undefined && !/\bon (?:the )?(?:\w+day,? )?$/i.test(before))
  )
    return [pastAhead(date)];
  if (
    end < today - dayLength &&
    ahead.test(before) &&
    !/\b(?:said|told|announced|promised|had|was|were|would)\b/i.test(before)
  )
    return [overAhead(date)];
  return [];
}

/** A verb of the present right before a date: "and accordingly lapses in March 2028". */
const runsOut =
  /\b(?:lapses?|ends?|expires?|starts?|begins?|opens?|closes|matures?|follows?|comes?|arrives?|falls?|returns?|finish(?:es)?|resumes?|reverts?|becomes?|is|are)(?: \p{L}+){0,3}?(?: (?:in|on|at))?(?: (?:the|early|late|mid-?|\p{L}+day,?))* ?$/iu;

/** "Falls due in August 2016", told in the present. */
const due =
  /\b(?:falls? due|comes? due|matures?|expires?|is (?:due|payable|repayable)|are (?:due|payable|repayable)|runs? (?:until|to)|lapses?)(?: (?:only|again|not before))? (?:(?:on|in|by) )?(?:the end of )?(?:\p{L}+day,? )?$/iu;

/** A year that is over: then the sentence may tell of that time. */
function hasPastYear(text: string, today: number): boolean {
  const now = new Date(today).getUTCFullYear();
  return (
    (text.match(/\b(?:19|20)\d\d\b/g) ?? []).some((year) => Number(year) < now) ||
    /\b(?:would|had|that|which) (?:\w+ )?$/i.test(text)
  );
}

function pastAhead({ shown }: CalendarDate): Fault {
  return {
    wrong: `${shown} is told as past and lies ahead`,
    remedy: "Correct the date, or say that it is a plan.",
  };
}

function overAhead({ shown }: CalendarDate): Fault {
  return {
    wrong: `${shown} is told as still to come and is over`,
    remedy: "Say what happened on that day, or correct the date.",
  };
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
function quarterEnd(symbol: string, quarter: number, year: number): number {
  const last = fiscalYearEnds[symbol] ?? 12;
  return Date.UTC(year, last - 3 * (4 - quarter), 1) - 1;
}

const ordinals: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, final: 4 };

const quarter =
  /\b(?:(first|second|third|fourth|final)[ -](?:fiscal )?quarter|q([1-4]))(?: (?:results|revenue|sales|earnings|profit))?(?: (?:of|in))?(?: (?:the |its )?(?:fiscal|financial|calendar)(?: year)?)?,? ((?:19|20)\d\d)\b/gi;

const monthQuarter = new RegExp(
  String.raw`\b(march|june|september|december)[ -]quarter(?: of)?(?:,? ((?:19|20)\d\d))?\b|\bquarter (?:that |which )?(?:ended|ending|to|through) (?:in )?(?:late )?(${monthWord})(?: \d{1,2})?(?:,? ((?:19|20)\d\d))?\b`,
  "gi",
);

const parts =
  /\b(?:(second half|last quarter|whole|full year|full-year|all) (?:of )?|(?:first )?(nine months) of )((?:19|20)\d\d)\b/gi;

const endedOn =
  /^,? ?(?:\()?(?:which |that )?(?:ended|ending|closed|ran to|runs to|ends|to) (?:on |in )?(?:\p{L}+day,? )?(?:the end of )?$/iu;

/** "The second quarter of fiscal 2025, which ended on July 31, 2026": the name of a quarter and the day of its end. */
export function fiscalFaults(
  text: string,
  named: readonly CalendarDate[],
  { today, symbol }: Moment,
): readonly Fault[] {
  if (fiscalYearEnds[symbol] === undefined && !/\bcalendar\b/i.test(text)) return [];
  return [...text.matchAll(quarter)]
    .slice(0, 2)
    .flatMap(({ 0: shown, 1: word, 2: digit, 3: year, index }) => {
      const end = index + shown.length;
      const date = named.find(({ start }) => start >= end && endedOn.test(text.slice(end, start)));
      if (date === undefined || !exists(date) || /calendar/i.test(shown)) return [];
      const expected = quarterEnd(symbol, ordinals[word?.toLowerCase() ?? ""] ?? Number(digit), Number(year));
      const [start, last] = spanOf(date, today);
      // Fiscal years end on a weekday near the month's end.
      if (expected > start - 20 * dayLength && expected < last + 20 * dayLength) return [];
      return [
        {
          wrong: `"${shown}" ended about ${new Date(expected).toISOString().slice(0, 10)}, not on ${date.shown}`,
          remedy: "Name the quarter or the day rightly.",
        },
      ];
    });
}

/** Results of a time that has not ended. */
export function quarterFaults(text: string, { today, symbol }: Moment): readonly Fault[] {
  // What is expected elsewhere in the sentence does not change what a clause tells as past.
  const clauses = text.split(/[,;:()]/);
  const isTold = (passage: string) =>
    past.test(passage) && !notYet.test(passage.replace(/\bfrom\b|\bby\b|\bbefore\b/gi, ""));
  const told = isTold(text)
    ? text
    : clauses.find((clause) => isTold(clause) && /quarter|\bq[1-4]\b/i.test(clause));
  if (told === undefined) return [];
  return endsOf(told, { today, symbol });
}

function endsOf(text: string, { today, symbol }: Moment): readonly Fault[] {
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
export function quoteAge(
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
