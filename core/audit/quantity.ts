/** What a number in a text counts. Years, days and version numbers are none. A fraction is in percent. */
type Kind = "money" | "percent" | "points" | "multiple" | "fraction" | "count";

/** A number as a reader understands it. `value` is in units (dollars, not millions; percent as written). */
export type Quantity = {
  readonly shown: string;
  /** Where it stands in the text that it was read from. */
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
  /** Of money: a code such as `USD`. */
  readonly currency: string;
  readonly value: number;
  /** Half of the last digit that is written: "12.4 billion" may be 12.35 to 12.45 billion. */
  readonly slack: number;
  readonly hedge: Hedge | undefined;
  /** What it is counted for: `share`, `month`, … */
  readonly per: string | undefined;
  /** What a count counts, singular: `car`. */
  readonly noun: string | undefined;
  /** Without currency, scale or unit: takes those of the number that it is compared with. */
  readonly isBare: boolean;
};
type Hedge = "about" | "over" | "under";

/** What a word or letter after a number multiplies it by. */
export const scales: Readonly<Record<string, number>> = {
  hundred: 1e2,
  thousand: 1e3,
  k: 1e3,
  lakh: 1e5,
  million: 1e6,
  mn: 1e6,
  mln: 1e6,
  m: 1e6,
  crore: 1e7,
  billion: 1e9,
  bn: 1e9,
  b: 1e9,
  trillion: 1e12,
  tn: 1e12,
  t: 1e12,
};
const currencies: Readonly<Record<string, string>> = {
  $: "USD",
  us$: "USD",
  dollar: "USD",
  usdg: "USD",
  usd: "USD",
  cent: "USD",
  "€": "EUR",
  euro: "EUR",
  eur: "EUR",
  "£": "GBP",
  pound: "GBP",
  gbp: "GBP",
  penny: "GBP",
  "¥": "JPY",
  yen: "JPY",
  yuan: "CNY",
  "₹": "INR",
  rupee: "INR",
  "₩": "KRW",
  won: "KRW",
  franc: "CHF",
  chf: "CHF",
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
const words = new Map([
  ...small.map((word, at) => [word, at + 1] as const),
  ...tens.map((word, at) => [word, 10 * (at + 3)] as const),
  ...["twenty", ...tens].flatMap((ten, at) =>
    small.slice(0, 9).map((one, digit) => [`${ten}-${one}`, 10 * (at + 2) + digit + 1] as const),
  ),
]);
const shares = new Map([
  ["half", 1 / 2],
  ["third", 1 / 3],
  ["quarter", 1 / 4],
  ["fifth", 1 / 5],
  ["sixth", 1 / 6],
  ["seventh", 1 / 7],
  ["eighth", 1 / 8],
  ["tenth", 1 / 10],
]);

const digits = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+|,\d{1,2}(?![\d,]))?`;
const spelled = [...words.keys()].toSorted((one, other) => other.length - one.length).join("|");
const number = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}.,$€£¥₹₩/#])(?<![\p{L}\p{N}]-)`,
    String.raw`(?<sign>[+-] ?)?(?:(?<currency>(?:us|c|a|hk|nt)?\$|[€£¥₹₩]|usd |eur |gbp |chf )[ ]?)?`,
    `(?:(?<digits>${digits})|(?<spelled>${spelled}|half a|a(?= (?:hundred|thousand|million|billion|trillion)))(?![\\p{L}\\p{N}]))`,
    String.raw`(?:[ -]?(?<scale>hundred|thousand|lakh|million|crore|billion|trillion|mln|bn|tn|mn)(?![\p{L}\p{N}])|(?<letter>[kmbt])(?![\p{L}\p{N}]))?`,
    String.raw`(?<unit> ?%| ?-?(?:percentage|basis)[ -]points?| ?-?percent(?:age points?)?| per cent| pct| points?| ?bps?(?![\p{L}])| ?pp(?![\p{L}])|[ -]?times(?![\p{L}])|-?fold(?![\p{L}])|x(?![\p{L}\p{N}])|[ -]?(?:dollars?|euros?|pounds?|yen|yuan|won|rupees?|francs?|cents?|pence|usdg|usd|eur|gbp|chf)(?![\p{L}]))?`,
    String.raw`(?![\p{N}])`,
  ].join(""),
  "giu",
);
const multiples = new Map(
  Object.entries({
    2: "twice double doubles doubled doubling twofold",
    3: "thrice triple triples tripled tripling threefold",
    4: "quadruple quadrupled quadrupling fourfold",
    0.5: "halve halves halved halving",
  }).flatMap(([factor, list]) => list.split(" ").map((word) => [word, Number(factor)] as const)),
);
const portion = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:(?<some>one|two|three|four|five|six|seven|eight|nine) (?:in|out of) (?:every )?(?<every>two|three|four|five|six|seven|eight|nine|ten|twenty)(?![\p{L}-])|(?<multiple>${[...multiples.keys()].join("|")})(?![\p{L}-])|(?:(?<count>one|two|three|four|five|six|seven|a)[ -](?<part>third|quarter|fifth|sixth|seventh|eighth|tenth)s?|(?<half>half))(?= (?:of|as|the|more|less|again|since|in|from|to|over|within|on|compared)\b|[,.;:)]|$))`,
  "giu",
);

const before = {
  over: /(?:\b(?:more than|over|above|at least|north of|in excess of|well over|just over|a little over|slightly more than|beyond|exceed\w*|upwards of|past)|>) ?$/i,
  under:
    /(?:\b(?:nearly|almost|under|below|less than|fewer than|up to|at most|just under|just short of|a little under|approaching|as much as)|<) ?$/i,
  about:
    /(?:\b(?:about|around|roughly|some|approximately|close to|circa|something like|near|an estimated|or so)|~|≈) ?$/i,
};
const per =
  /^(?!,? (?:a|an|each|every) \w+ (?:earlier|ago|before|later|from|since))(?:(?:,? (?:a|per|each|every|an)|\/) ?(share|token|month|quarter|year|week|day|hour|unit|car|vehicle|seat|user|barrel|ounce|store|subscriber|customer|household|head|person|piece|phone|chip|gigawatt|megawatt)\b|,? (apiece|each|annually|monthly|quarterly|yearly|daily|weekly)\b)/i;
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
/** Words after a bare number that are nothing that one counts. */
const particles = new Set(
  "and but for from the that this than with was were are its has had have after before while when where which who into over under about against percent out not one two three".split(
    " ",
  ),
);
const month =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)?\.? $/i;
const monthAfter =
  /^(?:st|nd|rd|th)? (?:of )?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/i;

/** The quantities of a plain text, in order. Dates, years, ordinals and numbers inside names are left out. */
export function quantitiesIn(text: string): readonly Quantity[] {
  const numbers = [...text.matchAll(number)].flatMap((match) => numberAt(text, match));
  const portions = [...text.matchAll(portion)].flatMap((match) => portionAt(text, match));
  const taken = (one: Quantity) =>
    portions.some(({ start, end }) => start < one.end && one.start < end) && one.kind === "count";
  return [...numbers.filter((one) => !taken(one)), ...portions].toSorted(
    (one, other) => one.start - other.start,
  );
}

function numberAt(text: string, match: RegExpMatchArray): readonly Quantity[] {
  const {
    sign = "",
    currency = "",
    digits: written,
    spelled: word = "",
    scale,
    letter,
    unit = "",
  } = match.groups ?? {};
  const start = match.index ?? 0;
  const end = start + match[0].length;
  const after = text.slice(end, end + 60);
  const ahead = text.slice(Math.max(0, start - 30), start);
  const measure = unit.trim().toLowerCase().replace(/^-/, "");
  if (
    age.test(after) ||
    (/^one$/i.test(word) && /\b(?:the|this|that|which|no|any|every|each) $/i.test(ahead))
  )
    return [];
  const isBare = currency === "" && scale === undefined && letter === undefined && measure === "";
  if (isBare && isNoQuantity(written ?? "", ahead, after)) return [];
  const mantissa = written === undefined ? wordValue(word) : numberOf(written);
  const factor = scales[(scale ?? letter ?? "").toLowerCase()] ?? 1;
  const isOfDollar = /^cents?$/.test(measure) && ofDollar.test(after);
  const cents = /^(?:cents?|pence)$/.test(measure) && !isOfDollar ? 0.01 : 1;
  const basis = /^(?:basis|bps?$)/.test(measure) ? 0.01 : 1;
  const kind = isOfDollar ? "percent" : kindOf(measure, currency, factor);
  // What is counted one by one is exact: forty stores are forty.
  const isExact = kind === "count" && factor === 1 && mantissa < 100 && Number.isInteger(mantissa);
  const slack = isExact ? 0 : written === undefined ? mantissa * 0.02 : slackOf(written, kind);
  const counted = kind === "count" ? noun.exec(after)?.[1]?.toLowerCase() : undefined;
  const rate = per.exec(after);
  const period = (rate?.[1] ?? rate?.[2])?.toLowerCase();
  const negative = sign.startsWith("-") && !/[\p{L}\p{N}]$/u.test(ahead) ? -1 : 1;
  return [
    {
      shown: match[0].trim(),
      start,
      end,
      kind,
      currency: currencyOf(currency, measure),
      value: negative * mantissa * factor * cents * basis,
      slack: slack * factor * cents * basis,
      hedge: hedgeOf(ahead),
      per: period === undefined ? undefined : (periods[period] ?? period),
      noun: counted === undefined || particles.has(counted) ? undefined : singular(counted),
      isBare,
    },
  ];
}

/** "46 cents of each dollar" are 46%. */
const ofDollar = /^ (?:of|on|in|from|out of) (?:each|every|the|a) (?:\p{L}+ )?(?:dollar|euro)\b/iu;
/** "Two years ago": a time, nothing that is counted. */
const age =
  /^[ -](?:years?|months?|weeks?|days?|quarters?|decades?) (?:ago|earlier|before|prior|later|running|in a row)\b/i;

/** A year, a day of a month, a clock time, an ordinal or the number of a version: nothing that can be added. */
function isNoQuantity(written: string, ahead: string, after: string): boolean {
  if (
    /^(?:19|20)\d\d$/.test(written) &&
    !/^ (?:shares|tokens|cars|stores|units|people|employees|jobs)\b/.test(after)
  )
    return true;
  if (month.test(ahead) || monthAfter.test(after) || /^(?:st|nd|rd|th)(?![\p{L}])/u.test(after)) return true;
  if (/^:\d\d|^ ?(?:[ap]\.?m\b|o'clock)|^[-/]\d|^-\p{L}|^['’]?\p{L}/iu.test(after) && written !== "")
    return true;
  return /\d:$|\b(?:no\.|page|section|chapter|article|item|rule|note|step|part|figure|q|version|model|iphone|windows|form|formula|level|phase|type|category|tier|class) $/i.test(
    ahead,
  );
}

function portionAt(text: string, match: RegExpMatchArray): readonly Quantity[] {
  const { count = "one", part, half, multiple, some, every } = match.groups ?? {};
  const start = match.index ?? 0;
  const share = shares.get(half === undefined ? (part ?? "").toLowerCase() : "half") ?? 0;
  const times = multiples.get((multiple ?? "").toLowerCase());
  const counted = (word?: string) => words.get(word?.toLowerCase() ?? "") ?? 1;
  const value =
    times ?? (every === undefined ? 100 * counted(count) * share : (100 * counted(some)) / counted(every));
  // "A quarter" may be three months, and is no share of anything then.
  if (part?.toLowerCase() === "quarter" && !/^ of\b/.test(text.slice(start + match[0].length))) return [];
  return [
    {
      shown: match[0],
      start,
      end: start + match[0].length,
      kind: times === undefined ? "fraction" : "multiple",
      currency: "",
      value,
      slack: times === undefined ? 3 : 0.08 * times,
      hedge: hedgeOf(text.slice(Math.max(0, start - 30), start)),
      per: undefined,
      noun: undefined,
      isBare: false,
    },
  ];
}

function kindOf(measure: string, currency: string, factor: number): Kind {
  if (/^(?:%|percent$|per cent|pct)/.test(measure)) return "percent";
  if (/points?$|^bps?$|^pp$/.test(measure)) return "points";
  if (/^(?:times|fold|x)$/.test(measure)) return factor === 1 ? "multiple" : "count";
  return currency !== "" || measure !== "" ? "money" : "count";
}

function currencyOf(sign: string, measure: string): string {
  const name = (sign.trim() || (measure === "pence" ? "penny" : measure)).toLowerCase();
  return currencies[name] ?? currencies[name.replace(/s$/, "")] ?? "";
}

function wordValue(word: string): number {
  const lower = word.toLowerCase();
  return lower === "half a" ? 0.5 : (words.get(lower) ?? 1);
}

function numberOf(written: string): number {
  const plainDigits = /^\d+,\d{1,2}$/.test(written) ? written.replace(",", ".") : written.replaceAll(",", "");
  return Number(plainDigits);
}

/** Half of the last digit's worth. Zeros at the end of a whole number may be rounding, up to a fortieth of it. */
function slackOf(written: string, kind: Kind): number {
  const decimals = /[.,](\d+)$/.exec(/,\d{3}$/.test(written) ? "" : written)?.[1]?.length ?? 0;
  if (decimals > 0) return 0.5 * 10 ** -decimals;
  if (kind === "percent" || kind === "points") return 0.5;
  const zeros = /0*$/.exec(written.replaceAll(",", ""))?.[0].length ?? 0;
  const value = numberOf(written);
  return Math.max(0.5, Math.min(0.5 * 10 ** zeros, value / 40));
}

function hedgeOf(ahead: string): Hedge | undefined {
  if (before.over.test(ahead)) return "over";
  if (before.under.test(ahead)) return "under";
  return before.about.test(ahead) ? "about" : undefined;
}

export function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}

/** From where to where a number may lie. */
export type Interval = readonly [low: number, high: number];

/** What a quantity stands for, by the digits and the words with which it is given. */
export function intervalOf({ value, slack, hedge }: Quantity): Interval {
  const size = Math.abs(value);
  const exact: Interval = [value - slack, value + slack];
  if (hedge === "about")
    return [Math.min(exact[0], value - 0.06 * size), Math.max(exact[1], value + 0.06 * size)];
  if (hedge === "over") return [exact[0], value + 0.25 * size + slack];
  if (hedge === "under") return [value - 0.15 * size - slack, exact[1]];
  return exact;
}

export function overlaps([low, high]: Interval, [otherLow, otherHigh]: Interval): boolean {
  const rounding = 1e-9 * Math.max(Math.abs(high), Math.abs(otherHigh));
  return low <= otherHigh + rounding && otherLow <= high + rounding;
}

/** The smallest interval that holds every result of an operation on two intervals; it is monotonic in each. */
export function combined(
  one: Interval,
  other: Interval,
  operation: (one: number, other: number) => number,
): Interval {
  const corners = one.flatMap((left) => other.map((right) => operation(left, right)));
  return [Math.min(...corners), Math.max(...corners)];
}

/** Whether two quantities are of one kind, so that they can be compared, added and divided. */
export function areAlike(one: Quantity, other: Quantity): boolean {
  if (one.kind !== other.kind || one.currency !== other.currency) return false;
  if ((one.per ?? other.per) !== (other.per ?? one.per)) return false;
  return (
    one.noun === undefined || other.noun === undefined || one.noun === other.noun || one.kind !== "count"
  );
}

const time = /^(?:minute|hour|day|week|month|quarter|year|decade)$/;

/** "From 12.4 to 13.1 billion": a number without a unit has that of the one that it is compared with. */
export function likened(one: Quantity, other: Quantity): Quantity {
  if (!one.isBare || other.isBare || time.test(one.noun ?? "")) return one;
  const factor = scaleOf(other);
  const size = Math.abs(one.value / (other.value / factor));
  if (size > 20 || size < 0.05) return one;
  return {
    ...one,
    kind: other.kind,
    currency: other.currency,
    value: one.value * factor,
    slack: (one.slack || slackOf(one.shown, other.kind)) * factor,
    noun: undefined,
    isBare: false,
  };
}

/** What the scale word multiplies by: a million in "$3 million". */
export function scaleOf({ shown, kind }: Quantity): number {
  const [, word = ""] = /(\p{L}+)\W*(?:dollars?|euros?|pounds?)?$/u.exec(shown) ?? [];
  return kind === "percent" || kind === "points" ? 1 : (scales[word.toLowerCase()] ?? 1);
}
