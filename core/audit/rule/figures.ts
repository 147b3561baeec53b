import {
  findSentence,
  type Passage,
  plain,
  readPassage,
  readSentence,
  readTextAfter,
  readTextBefore,
} from "../passage.ts";
import type { Quantity } from "../quantity.ts";
import type { AuditFacts, Issue } from "../schema.ts";
import { findWeekday } from "./dates.ts";
import { hasOtherTicker, makeFinding, makeNamePattern, type Rule } from "./rule.ts";
import { findUngroundedFigures } from "./sources.ts";

/** Compares what the text says about the stock's price today with the quote at the time of the audit. */
export const figures: Rule = {
  check: "figures",
  label: "Prices",
  by: "rules",
  cannotJudge: "prices of other days, and of other stocks",
  holdsOurs: true,
  find: (draft, facts) => [
    ...[draft.headline, draft.preview, ...draft.body.split("\n")]
      .filter((text) => /\d/.test(text) && !/^\s*\|/.test(text))
      .slice(0, 400)
      .flatMap((text) => plain(text).split("\n"))
      .flatMap((line) => findPriceFaults(readPassage(line.trim()), facts))
      .slice(0, 4),
    ...findUngroundedFigures(draft, facts),
  ],
};

function findPriceFaults(passage: Passage, facts: AuditFacts): readonly Issue[] {
  const wrong = passage.quantities.filter((one) => isWrongPrice(passage, one, facts));
  const bySentence = Map.groupBy(wrong, (one) => findSentence(passage, one));
  const { symbol, mid, dayLow, dayHigh } = facts.quote;
  return [...bySentence].flatMap(([number, [first]]) =>
    first === undefined
      ? []
      : makeFinding(
          "high",
          "figures",
          `A price that the quote does not support (the text says ${first.shown}, ${symbol} is at $${mid}, today $${dayLow} to $${dayHigh})`,
          readSentence(passage, number),
          "Correct the price, or say when it was the price.",
        ),
  );
}

/** A number within these multiples of the quote is almost certainly the stock's price. */
const near = { least: 0.6, most: 1.6, farthest: 5 } as const;
/** How far a price that is stated for today may lie outside the day's range of prices, as a fraction of the quote. */
const tolerated = 0.012;
/**
 * The distance by which a stated high may exceed the day's high, or a stated low may fall below the day's low. The tolerance for a stated
 * high or low is small, because the day's high never falls and the day's low never rises.
 */
const beyond = 0.005;

const today =
  /\b(?:today(?!['’]s (?:shares|money|dollars|prices|money))|tonight|this (?:morning|afternoon)|(?:in|during) the (?:course of the )?(?:morning|afternoon|session)|right now|at the moment|at present|currently|as of this writing|so far|by (?:ten|eleven|noon|midday)|since the (?:open|opening|bell)|within the first (?:hour|minutes)|(?:of|for|on) the (?:day|session)|the day['’]s|intraday)\b/i;
/** Words in the present tense between the stock's name and its price, as in "the token trades near". */
const standing =
  "(?:[^,;:()]{0,30} )?(?:trades?|is trading|are trading|changes? hands|is quoted|are quoted|stands?|sits?|costs?|is changing hands|quoted)(?: (?:now|today|currently|just|only))? (?:at|near|around|about|close to|for|just (?:above|below|under|over)|above|below)?(?: (?:about|around))? ?$";
/** Words before a price that is stated for the present, such as "The current share price is". */
const current =
  "(?:the )?current (?:(?:share|stock|token) )?price (?:is|stands at)(?: (?:about|around|near))? ?$";
const security = "the (?:share|stock|token|price)s?|shares?|stock|tokens?|its price";
const thing = "the (?:share|stock|token|price)s?|its (?:shares?|stock|token)";

/**
 * Words beside a number which show that the number belongs to another time, or that it is a threshold, a plan or the price of something
 * else.
 */
const otherwise =
  /\b(?:yesterday(?:['’]s)?|\w+day(?:['’]s)?|then|old|former|close|closed|closing|ago|earlier|before|last|since|from|against|after|than|average|line|targets?|highest|lowest|record|all-time|52-week|peak|strike|calls?|puts?|options?|warrants?|bought|sold|paid me|split|ipo|fair|worth|valued|market value|dividends?|fees?|earn\w*|each dollar|cards?|tickets?|phones?|cars?|rides?|subscription|in (?:19|20)\d\d|january|february|march|april|may|june|july|august|september|october|november|december)\b/i;
const supposed =
  /\b(?:if|should|would|could|might|suppose|assum\w+|imagine|analysts?|consensus|forecasts?|targets?|expect\w*|estimates?|fair value|options?|warrants?|strike|average|moving|premarket|pre-market|after hours|after-hours|had been|used to|(?:market )?capitali[sz]ation|market value|worth|split)\b/i;
/** Words which show that a sentence in the present tense is about another time than today. */
const otherTime =
  /\b(?:yesterday|last|ago|earlier|before|then|was|were|had|spring|summer|autumn|winter|(?:19|20)\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december)\b/i;

const top = /\b(?:(?<!week |month |year |record |time )(?:high|top)|as high as|no higher than)\b/i;
const bottom = /\b(?:(?<!week |month |year |record |time )(?:low|bottom)|as low as|no lower than)\b/i;
const extremeAfter =
  /^(?: a share)?,? (?:at )?(?:its|the|their) (best|highest|lowest|worst)(?: level| price| point| of the (?:day|session|morning))/i;
const above = /\b(?:above|over|past|more than|north of)(?: \p{L}+)? $/iu;
const below = /\b(?:below|under|beneath|less than|short of)(?: \p{L}+)? $/iu;
const never = /\b(?:not|never|n't|nowhere|without)\b|n't\b/i;

/** Whether a price that the text states for the present is impossible, given the day's range of prices. */
function isWrongPrice(passage: Passage, figure: Quantity, facts: AuditFacts): boolean {
  const { dayLow, dayHigh, mid } = facts.quote;
  const size = figure.value / mid;
  if (size * near.farthest < 1 || size > near.farthest || !isPrice(passage, figure)) return false;
  const number = findSentence(passage, figure);
  const sentence = readSentence(passage, number);
  if (sentence.length > 600 || supposed.test(sentence) || hasOtherTicker(sentence, facts)) return false;
  const start = passage.starts[number] ?? 0;
  const before = passage.text.slice(Math.max(start, figure.start - 160), figure.start);
  const isNow = today.test(sentence) || makeDayPattern(facts).test(sentence);
  const names = makeNamePattern(facts);
  const stands = new RegExp(
    String.raw`\b(?:(?:${thing}|${names})(?:['’]s (?:shares?|stock|token|price))? ${standing}|${current})`,
    "iu",
  );
  if (!isNow && !(stands.test(before) && !otherTime.test(sentence))) return false;
  const ahead =
    readTextBefore(passage, figure)
      .split(/[,;:(]|\b(?:and|but|while)\b(?! a half)/)
      .at(-1) ?? "";
  const after =
    readTextAfter(passage, figure).split(/[,;:)]|\b(?:and|but|while)\b(?! (?:a half|change|some))/)[0] ?? "";
  const extreme = readDayExtreme(ahead, readTextAfter(passage, figure), isNow);
  const isFarOff = size < near.least || size > near.most;
  if (isFarOff && extreme === undefined && !stands.test(before)) return false;
  const around = passage.text.slice(Math.max(0, passage.starts[number - 2] ?? 0), figure.start);
  if (extreme === undefined && !new RegExp(String.raw`\b(?:${security}|${names})\b`, "iu").test(around))
    return false;
  const isRange = /\bbetween $/i.test(ahead) || /^ ?(?:and|to|-) $/.test(readTextBefore(passage, figure));
  const rest = removeTodayWords(isRange || extreme !== undefined ? ahead : `${ahead} ¤ ${after}`, facts);
  if (otherwise.test(rest)) return false;
  const slack = figure.slack + (figure.hedge === "about" ? 0.015 * mid : 0);
  if (extreme === "high") return isFarFromPrice(figure.value - slack, figure.value + slack, dayHigh, 1);
  if (extreme === "low") return isFarFromPrice(figure.value - slack, figure.value + slack, dayLow, -1);
  const isAbove = figure.hedge === "over" || above.test(ahead);
  const isBelow = figure.hedge === "under" || below.test(ahead);
  // The words "not under $288 at any time today" make a stronger statement than "above $288".
  if ((isAbove || isBelow) && never.test(ahead))
    return isBelow ? figure.value > dayLow * (1 + beyond) : figure.value < dayHigh * (1 - beyond);
  const margin = slack + tolerated * mid;
  if (isAbove) return figure.value - slack > Math.max(dayHigh, mid) * (1 + beyond);
  if (isBelow) return figure.value + slack < Math.min(dayLow, mid) * (1 - beyond);
  return figure.value - margin > Math.max(dayHigh, mid) || figure.value + margin < Math.min(dayLow, mid);
}

/** Whether the text calls a price the day's high or the day's low. */
function readDayExtreme(
  textBefore: string,
  textAfter: string,
  isPresent: boolean,
): "high" | "low" | undefined {
  if (!isPresent) return undefined;
  const said = extremeAfter.exec(textAfter)?.[1] ?? "";
  const words = `${textBefore.slice(-50)} ${said}`;
  if (top.test(words) || /best|highest/i.test(said)) return "high";
  return bottom.test(words) || /worst|lowest/i.test(said) ? "low" : undefined;
}

function isFarFromPrice(low: number, high: number, actual: number, side: 1 | -1): boolean {
  const [inner, outer] = side === 1 ? [high, low] : [low, high];
  return side * (outer - actual) > beyond * actual || side * (actual - inner) > 0.012 * actual;
}

/**
 * Whether a number is the dollar price of one share or token, as in "paid between 24.10 and 25.20 for it" or "it is near 152 and a half".
 */
function isPrice(passage: Passage, figure: Quantity): boolean {
  if (figure.kind === "money") {
    const isOfOne = figure.per === undefined || /^(?:share|token|each|apiece|piece|unit)$/.test(figure.per);
    return (
      figure.currency === "USD" &&
      isOfOne &&
      !/\p{L}$/u.test(figure.shown.replace(/ ?(?:dollars?|usdg?)$/i, ""))
    );
  }
  return (
    figure.isBare &&
    figure.noun === undefined &&
    /\d/.test(figure.shown) &&
    (/\.\d\d$/.test(figure.shown) || figure.value >= 20) &&
    /\b(?:at|near|around|about|between|is|was|to|and|costs?|for)(?: \p{L}+)? $/iu.test(
      readTextBefore(passage, figure),
    ) &&
    /^(?:[.,;:)]| (?:for it|a share|a token|and|to|this|today|now)\b)/.test(
      readTextAfter(passage, figure) || ".",
    )
  );
}

/** Matches words that mean today, such as "On Friday", "this Friday" or "in Friday's trading" in a text that is audited on a Friday. */
function makeDayPattern({ gatheredAt }: AuditFacts): RegExp {
  const day = findWeekday(Date.parse(gatheredAt));
  return new RegExp(
    String.raw`(?<!\b(?:last|next|previous|every|a|of|since|until|before|by) )\b${day}(?:['’]s (?:trading|session))?(?: (?:morning|afternoon|midday|noon))?\b(?!['’]|,? (?:the )?(?:\p{L}+ )?\d|,? (?:last|week|evening|night))`,
    "iu",
  );
}

function removeTodayWords(text: string, facts: AuditFacts): string {
  return text
    .replace(makeDayPattern(facts), "")
    .replace(/\b(?:today(?:['’]s)?|the day['’]s|intraday|(?:after|since) the (?:open|opening|bell))\b/gi, "");
}
