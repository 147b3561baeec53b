import { weekdayAt } from "../dates/calendar.ts";
import { lead, type Passage, sentenceOf, sentenceText, tail } from "../passage.ts";
import type { Quantity } from "../quantity.ts";
import type { AuditFacts } from "../schema.ts";
import { against } from "./price.ts";
import { namePattern, namesOthers } from "./rule.ts";

/** A figure so near to the quote is hardly one of anything else. */
const near = { least: 0.6, most: 1.6 } as const;
/** How far outside of the day's range a price of the day may lie, as a share of the quote. */
const tolerated = 0.012;

const present =
  /\b(?:today(?!['’]s (?:shares|money|dollars|prices))|this (?:morning|afternoon)|right now|at the moment|at present|currently|as of this writing|so far|by (?:ten|eleven|noon|midday)|since the (?:open|opening|bell))\b/i;
/** What a price of today is a price of. */
const security =
  "the (?:share|stock|token|price|quote)s?|people (?:pay|paid)|chang(?:es?|ed) hands|shares?|stock|tokens?|its price|span|range";
/** Words at a figure that put it into another time, or make it a mark, a plan or a price of something else. */
const otherwise =
  /\b(?:yesterday(?:['’]s)?|\w+day(?:['’]s)?|then|old|former|close|closed|closing|ago|earlier|before|last|since|from|against|after|than|average|line|targets?|highest|lowest|record|all-time|52-week|peak|strike|calls?|puts?|options?|bought|sold|paid me|split|ipo|fair|worth|dividends?|fees?|earn\w*|cards?|tickets?|phones?|cars?|rides?|subscription|in (?:19|20)\d\d|january|february|march|april|may|june|july|august|october|november|december)\b/i;
const supposed =
  /\b(?:if|would|could|might|suppose|assum\w+|imagine|analysts?|consensus|forecasts?|targets?|expect\w*|estimates?|fair value|options?|strike|average|moving|premarket|pre-market|after hours|after-hours|had been|used to)\b/i;

/** "The share, at 86.90 dollars this Friday", when it has been nowhere near: a price said of now, in whatever words. */
export function presentFault(passage: Passage, one: Quantity, facts: AuditFacts): string | undefined {
  const { dayLow, dayHigh, mid } = facts.quote;
  const size = one.value / mid;
  if (size < near.least || size > near.most || (one.kind !== "money" && !isPriceWithoutUnit(passage, one)))
    return undefined;
  const sentence = sentenceText(passage, sentenceOf(passage, one));
  if (
    sentence.length > 600 ||
    !isOfNow(sentence, facts) ||
    supposed.test(sentence) ||
    namesOthers(sentence, facts)
  )
    return undefined;
  const ahead =
    lead(passage, one)
      .split(/[,;:(]|\b(?:and|but|while)\b(?! a half)/)
      .at(-1) ?? "";
  const after = tail(passage, one).split(/[,;:)]|\b(?:and|but|while)\b(?! (?:a half|change|some))/)[0] ?? "";
  const isRange = /\bbetween $/i.test(ahead) || /^ ?(?:and|to|-) $/.test(lead(passage, one));
  if (otherwise.test(isRange ? withoutToday(ahead, facts) : withoutToday(`${ahead} ¤ ${after}`, facts)))
    return undefined;
  const before = passage.text.slice(
    Math.max(0, passage.starts[sentenceOf(passage, one) - 2] ?? 0),
    one.start,
  );
  if (!new RegExp(String.raw`\b(?:${security}|${namePattern(facts)})\b`, "iu").test(before)) return undefined;
  const isAbove = one.hedge === "over" || /\b(?:above|over|past)(?: \p{L}+)? $/iu.test(ahead);
  const isBelow = one.hedge === "under" || /\b(?:below|under|beneath)(?: \p{L}+)? $/iu.test(ahead);
  const slack = one.slack + tolerated * mid + (one.hedge === "about" ? 0.01 * mid : 0);
  const isTooHigh = one.value - slack > Math.max(dayHigh, mid) && !isBelow;
  const isTooLow = one.value + slack < Math.min(dayLow, mid) && !isAbove;
  return isTooHigh || isTooLow ? against(one, facts) : undefined;
}

/** "Paid between 24.10 and 25.20 for it", "it is near 152 and a half". */
function isPriceWithoutUnit(passage: Passage, one: Quantity): boolean {
  return (
    one.isBare &&
    one.noun === undefined &&
    /\d/.test(one.shown) &&
    (/\.\d\d$/.test(one.shown) || one.value >= 20) &&
    /\b(?:at|near|around|about|between|is|was|to|and|costs?|for)(?: \p{L}+)? $/iu.test(lead(passage, one)) &&
    /^(?:[.,;:)]| (?:for it|a share|a token|and|to|this|today|now)\b)/.test(tail(passage, one) || ".")
  );
}

function isOfNow(sentence: string, facts: AuditFacts): boolean {
  return present.test(sentence) || todayIn(facts).test(sentence);
}

/** "On Friday", "this Friday", "in Friday's trading", said on a Friday and of no other one. */
function todayIn({ gatheredAt }: AuditFacts): RegExp {
  const day = weekdayAt(Date.parse(gatheredAt));
  return new RegExp(
    String.raw`(?<!\b(?:last|next|previous|every|a|of|since|until|before|by) )\b${day}(?:['’]s (?:trading|session))?(?: (?:morning|afternoon|midday|noon))?\b(?!['’]|,? (?:the )?(?:\p{L}+ )?\d|,? (?:last|week|evening|night))`,
    "iu",
  );
}

function withoutToday(text: string, facts: AuditFacts): string {
  return text.replace(todayIn(facts), "").replace(/\btoday\b/gi, "");
}
