import {
  computeRounding,
  type Hedge,
  makeSingular,
  parseNumber,
  type Quantity,
  type QuantityKind,
  scales,
} from "./quantity.ts";

const currencies: Readonly<Record<string, string>> = {
  $: "USD",
  us$: "USD",
  dollar: "USD",
  usdg: "USD",
  cent: "USD",
  "€": "EUR",
  euro: "EUR",
  "£": "GBP",
  pound: "GBP",
  penny: "GBP",
  "¥": "JPY",
  yen: "JPY",
  yuan: "CNY",
  "₹": "INR",
  rupee: "INR",
  "₩": "KRW",
  won: "KRW",
  franc: "CHF",
  krone: "DKK",
  kroner: "DKK",
  krona: "SEK",
  kronor: "SEK",
  rmb: "CNY",
  renminbi: "CNY",
  r$: "BRL",
  s$: "SGD",
  c$: "CAD",
  a$: "AUD",
  hk$: "HKD",
  nt$: "TWD",
};

const small =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );

const tens = ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/** The value of each word from "one" to "ninety-nine". */
const words = new Map([
  ...small.map((word, at) => [word, at + 1] as const),
  ...tens.map((word, at) => [word, 10 * (at + 3)] as const),
  ...["twenty", ...tens].flatMap((ten, at) =>
    small.slice(0, 9).map((one, digit) => [`${ten}-${one}`, 10 * (at + 2) + digit + 1] as const),
  ),
]);

const digits = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+|,\d{1,2}(?![\d,]))?`;
const spelled = [...words.keys()].toSorted((one, other) => other.length - one.length).join("|");

const units = small.slice(0, 9).join("|");

const number = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}.,$€£¥₹₩/#])(?<![\p{L}\p{N}]-)`,
    String.raw`(?<sign>[+-] ?)?(?:(?<currency>(?:us|c|a|hk|nt|r|s)?\$|[€£¥₹₩]|(?:usd|eur|gbp|chf|dkk|sek|nok|rmb|cny|jpy|inr|krw|twd|hkd|brl|sgd) )[ ]?)?`,
    `(?:(?<digits>${digits})|(?<spelled>(?:(?:${units}|a) hundred(?: and)? (?:${spelled}))|${spelled}|half a|a(?= (?:hundred|thousand|million|billion|trillion)))(?![\\p{L}\\p{N}]))(?<extra> and a (?:half|quarter)(?![\\p{L}\\p{N}]))?`,
    String.raw`(?:[ -]?(?<scale>hundred(?: (?:thousand|million|billion|trillion))?|thousand|(?:m|b|tr)illions?|mln|bn|tn|mn)(?![\p{L}\p{N}])|(?<letter>[kmbt])(?![\p{L}\p{N}]))?`,
    String.raw`(?<unit> ?%| ?-?(?:percentage|basis)[ -]points?| ?-?percent(?:age points?)?| per cent| pct| points?| ?bps?(?![\p{L}])| ?pp(?![\p{L}])|[ -]?times(?![\p{L}])|-?fold(?![\p{L}])|x(?![\p{L}\p{N}])|[ -]?(?:dollars?|euros?|pounds?|yen|yuan|renminbi|won|rupees?|francs?|kroner?|kronor|krona|cents?|pence|usdg|usd|eur|gbp|chf)(?![\p{L}]))?`,
    String.raw`(?![\p{N}])`,
  ].join(""),
  "giu",
);

const before = {
  over: /(?:\b(?:more than|(?<!\b(?:hand(?:s|ed)?|t(?:akes?|ook)|turn(?:s|ed)?|carr(?:y|ies|ied)|roll(?:s|ed)?|left) )over|above|at least|north of|in excess of|well over|just over|a little over|slightly more than|beyond|exceed\w*|upwards of|past)|>) ?$/i,
  under:
    /(?:\b(?:nearly|almost|under|below|less than|fewer than|(?<!\b(?:add(?:s|ed|ing)?|sum(?:s|med|ming)?) )up to|at most|just under|just short of|a little under|approaching|as much as)|<) ?$/i,
  about:
    /(?:\b(?:about|around|roughly|some|approximately|close to|circa|something like|near|an estimated|or so)|~|≈) ?$/i,
};

const per =
  /^(?!,? (?:a|an|each|every) \w+ (?:earlier|ago|before|later|from|since))(?:(?:,? (?:a|per|each|every|an)|\/) ?(share|token|trip|ride|order|season|month|quarter|year|week|day|hour|unit|car|vehicle|seat|user|barrel|ounce|store|subscriber|customer|household|head|person|piece|phone|chip|gigawatt|megawatt)\b|,? (apiece|each|annually|monthly|quarterly|yearly|daily|weekly)\b)/i;

const periods: Readonly<Record<string, string>> = {
  annually: "year",
  yearly: "year",
  monthly: "month",
  quarterly: "quarter",
  daily: "day",
  weekly: "week",
};

const noun =
  /^ (?:(?:new|more|fewer|of the|of its|of these|million|ordinary|common|outstanding|paid|net|active) ){0,2}(\p{Ll}{3,20})\b/u;

/** Words that name no counted thing, although they may follow a number without a unit. */
const particles = new Set(
  "and but for from the that this than with was were are its has had have after before while when where which who into over under about against percent out not one two three".split(
    " ",
  ),
);

const month =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)?\.? $/i;

const monthAfter =
  /^(?:st|nd|rd|th)? (?:of )?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/i;

/**
 * The quantities in a plain text, in the order of the text. The list of quantities leaves out dates, years, ordinals and numbers inside
 * names.
 */
export function findQuantities(text: string): readonly Quantity[] {
  return [...text.matchAll(number)].flatMap((match) => readQuantity(text, match));
}

function readQuantity(text: string, match: RegExpMatchArray): readonly Quantity[] {
  const {
    sign = "",
    currency = "",
    digits: written,
    spelled: word = "",
    extra = "",
    scale,
    letter,
    unit = "",
  } = match.groups ?? {};
  const start = match.index ?? 0;
  const end = start + match[0].length;
  const after = text.slice(end, end + 60);
  const ahead = text.slice(Math.max(0, start - 30), start);
  const measure = unit.trim().toLowerCase().replace(/^-/, "");
  if (age.test(after) || /^one$/i.test(word)) return [];
  const isBare = currency === "" && scale === undefined && letter === undefined && measure === "";
  if (isBare && isNonQuantity(written ?? "", ahead, after)) return [];
  const mantissa = (written === undefined ? parseWord(word) : parseNumber(written)) + readFraction(extra);
  // "A hundred billion" has two scale words.
  const factor = (scale ?? letter ?? "")
    .toLowerCase()
    .split(" ")
    .reduce((product, name) => product * (scales[name.replace(/s$/, "")] ?? 1), 1);
  const cents = /^(?:cents?|pence)$/.test(measure) ? 0.01 : 1;
  const basis = /^(?:basis|bps?$)/.test(measure) ? 0.01 : 1;
  const kind = findKind(measure, currency, factor);
  // A small whole count is exact: "forty stores" means exactly 40.
  const isExact = kind === "count" && factor === 1 && mantissa < 100 && Number.isInteger(mantissa);
  const slack = isExact ? 0 : written === undefined ? mantissa * 0.02 : computeRounding(written, kind);
  const counted = kind === "count" ? noun.exec(after)?.[1]?.toLowerCase() : undefined;
  const rate =
    per.exec(after) ??
    (kind === "count"
      ? per.exec(after.replace(/^ \p{Ll}+(?: of \p{Ll}+)?(?= (?:a|per|each|every) )/u, ""))
      : null);
  const period = (rate?.[1] ?? rate?.[2])?.toLowerCase();
  const negative = sign.startsWith("-") && !/[\p{L}\p{N}]$/u.test(ahead) ? -1 : 1;
  return [
    {
      shown: match[0].trim(),
      start,
      end,
      kind,
      currency: findCurrency(currency, measure),
      value: negative * mantissa * factor * cents * basis,
      slack: slack * factor * cents * basis,
      hedge: findHedge(ahead),
      per: period === undefined ? undefined : (periods[period] ?? period),
      noun: counted === undefined || particles.has(counted) ? undefined : makeSingular(counted),
      isBare,
    },
  ];
}

/** Matches words that follow a number and show that the number is a time and not a count, as in "two years ago". */
const age =
  /^[ -](?:years?|months?|weeks?|days?|quarters?|decades?) (?:ago|earlier|before|prior|later|running|in a row)\b/i;

/**
 * Whether a number is a year, a day of a month, a clock time, an ordinal or a version. Years, days, times, ordinals and versions are not
 * quantities, so calculations do not use them.
 */
function isNonQuantity(numberText: string, textBefore: string, textAfter: string): boolean {
  if (
    /^(?:19|20)\d\d$/.test(numberText) &&
    !/^ (?:shares|tokens|cars|stores|units|people|employees|jobs)\b/.test(textAfter)
  )
    return true;
  if (
    month.test(textBefore.replace(/ ?\d{1,2}(?:,? and|,| to| or|-) ?$/, " ")) ||
    monthAfter.test(textAfter) ||
    /^(?:st|nd|rd|th)(?![\p{L}])/u.test(textAfter)
  )
    return true;
  if (/^:\d\d|^ ?(?:[ap]\.?m\b|o'clock)|^[-/]\d|^-\p{L}|^['’]?\p{L}/iu.test(textAfter) && numberText !== "")
    return true;
  return /\d:$|\b(?:no\.|page|section|chapter|article|item|rule|note|step|part|figure|q|version|model|iphone|windows|form|formula|level|phase|type|category|tier|class) $/i.test(
    textBefore,
  );
}

function findKind(measure: string, currency: string, factor: number): QuantityKind {
  if (/^(?:%|percent$|per cent|pct)/.test(measure)) return "percent";
  if (/points?$|^bps?$|^pp$/.test(measure)) return "points";
  if (/^(?:times|fold|x)$/.test(measure)) return factor === 1 ? "multiple" : "count";
  return currency !== "" || measure !== "" ? "money" : "count";
}

function findCurrency(sign: string, measure: string): string {
  const name = (sign.trim() || (measure === "pence" ? "penny" : measure)).toLowerCase();
  // Any currency name that is not in the list is already a code, such as USD.
  return currencies[name] ?? currencies[name.replace(/s$/, "")] ?? name.toUpperCase();
}

/** The fraction after a number, as in "eight and a half". */
function readFraction(fractionText: string): number {
  return fractionText === "" ? 0 : /half/i.test(fractionText) ? 0.5 : 0.25;
}

function parseWord(word: string): number {
  const lower = word.toLowerCase();
  if (lower === "half a") return 0.5;
  const [, hundreds = "", rest = ""] = /^(\w+) hundred(?: and)? (.+)$/.exec(lower) ?? [];
  return rest === "" ? (words.get(lower) ?? 1) : 100 * (words.get(hundreds) ?? 1) + (words.get(rest) ?? 0);
}

function findHedge(textBefore: string): Hedge | undefined {
  if (before.over.test(textBefore)) return "over";
  if (before.under.test(textBefore)) return "under";
  return before.about.test(textBefore) ? "about" : undefined;
}
