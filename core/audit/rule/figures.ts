import type { AuditFacts, Issue, Severity } from "../schema.ts";
import { plain, sentences } from "../text.ts";
import { finding, type Rule } from "./rule.ts";
import { namePattern, namesOthers } from "./subject.ts";

const amount = String.raw`\$ ?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d,.]*\d)(?! ?(?:trillion|billion|million|thousand|bn|tn|mn|[kmbt])\b)(?! ?(?:-|to) ?\$)`;
const filler =
  "(?:at|near|around|about|roughly|just|close|to|slightly|for|now|currently|approximately|some|nearly|almost|today|of|is|a|price)";

/** "trades at $327", "is quoted near $327", "the price is $327": present tense, so that the quote can speak to it. */
const priceClaims = [
  new RegExp(
    String.raw`\b(?:trad(?:es|ing)|chang(?:es|ing) hands|(?:is|are) (?:now |currently )?(?:quoted|priced|valued)|stands|sits|hovers|hovering|(?:now|currently) (?:at|worth|costs))(?: ${filler}){0,4}( above| over| below| under)? ${amount}`,
    "i",
  ),
  new RegExp(
    String.raw`\b(?:current|latest|last|spot|market|share|token|stock)(?:'s)? (?:price|quote|mid)(?: (?:of|is|at|stands at|sits at| now| currently| today)){1,3}( above| over| below| under)? ${amount}`,
    "i",
  ),
];
/** "at today's $327 a token": needs no subject beside it. */
const todays = new RegExp(
  String.raw`\b(?:today's|the current|the present) (?:price of )?()${amount}(?= (?:a|per) (?:token|share)\b|[.,;]|$)`,
  "i",
);

const dayClaim = new RegExp(
  String.raw`\b(?<!week |month |year |record |time )(high|low)(?: (?:today|so far|for the (?:day|session)))? (?:of|at|near|(?:was|is|stands|stood)(?: at| near)?) ${amount}`,
  "gi",
);
const day = /\b(?:day|day's|today|today's|intraday|session|session's)\b/i;

const otherTime =
  /\b(?:in (?:19|20)\d\d|last (?:year|month|week|quarter|spring|summer|autumn|fall|winter)|yesterday|ago|earlier|back (?:in|then|when)|at the time|previously|formerly|once|since|52-week|year-to-date|all-time|IPO|target|forecasts?|expect\w*|could|would|might|may|if|should|estimate\w*|project\w*|by (?:year|the end|20\d\d)|strike|options?|futures?|bonds?|oil|gold|bitcoin|crude|barrel|ounce|contract|multiple|premarket|after-hours)\b/i;

/** Distance from the day's range as a share of the price: below it rounding and a few minutes explain the difference. */
const tolerated = 0.03;
const misleading = 0.25;

/** Prices and moves that the text states as today's, against the quote at the time of the audit. */
export const figures: Rule = ({ headline, preview, body }, facts) =>
  [headline, preview, body]
    .flatMap((text) => sentences(plain(text)))
    .flatMap((sentence) => sentence.split(/[:;] /))
    .filter((sentence) => !otherTime.test(sentence) && !namesOthers(sentence, facts))
    .flatMap((sentence) => [
      ...prices(sentence, facts),
      ...dayRange(sentence, facts),
      ...moves(sentence, facts),
    ])
    .slice(0, 4);

function prices(sentence: string, facts: AuditFacts): readonly Issue[] {
  return [...priceClaims, todays].flatMap((pattern) => {
    const match = pattern.exec(sentence);
    if (match === null) return [];
    if (pattern !== todays && !isSubject(sentence.slice(0, match.index), match[0], facts)) return [];
    const severity = judge(distance(toNumber(match[2]), match[1]?.trim().toLowerCase(), facts));
    return severity === undefined ? [] : [offPrice(severity, sentence, facts)];
  });
}

/** The last name before the claim must be the stock's, with no other name in between. */
function isSubject(before: string, claim: string, facts: AuditFacts): boolean {
  if (/\b(?:token|stock|share)(?:'s)? price\b/i.test(claim) && before.trim().split(" ").length <= 3)
    return true;
  const subject = new RegExp(
    String.raw`\b(?:${namePattern(facts)}|[Tt]he (?:stock|token|shares?))(?: (?:stock|token|shares?))?\b`,
    "g",
  );
  const last = [...before.matchAll(subject)].at(-1);
  if (last === undefined) return false;
  const between = before.slice(last.index + last[0].length);
  // Only securities trade and change hands; dividends, phones and fees stand, sit and are priced as well.
  return /^(?:trad|chang)/i.test(claim) ? !/[ (]\p{Lu}/u.test(between) : onlyTheStock.test(between);
}

const onlyTheStock =
  /^(?:'s)?(?:,? (?:stock|common|shares?|tokens?|price|itself|still|now|currently|today|this|morning|afternoon|which|that|it|and|has|is))*,? ?$/i;

function distance(claimed: number, bound: string | undefined, { quote }: AuditFacts): number {
  const low = Math.min(quote.dayLow, quote.mid);
  const high = Math.max(quote.dayHigh, quote.mid);
  const above = bound === "below" || bound === "under" ? 0 : Math.max(0, claimed - high);
  const below = bound === "above" || bound === "over" ? 0 : Math.max(0, low - claimed);
  return Math.max(above, below) / quote.mid;
}

function judge(off: number): Severity | undefined {
  if (off > misleading) return "high";
  return off > tolerated ? "medium" : undefined;
}

function offPrice(severity: Severity, sentence: string, { quote }: AuditFacts): Issue {
  return finding(
    severity,
    "figures",
    `A price that the quote does not bear out (${quote.symbol} is at $${quote.mid}, today $${quote.dayLow} to $${quote.dayHigh})`,
    sentence,
    "Correct it, or say when it was the price.",
  );
}

function dayRange(sentence: string, facts: AuditFacts): readonly Issue[] {
  if (!day.test(sentence)) return [];
  return [...sentence.matchAll(dayClaim)].flatMap(([, which = "", claimed]) => {
    const actual = which.toLowerCase() === "high" ? facts.quote.dayHigh : facts.quote.dayLow;
    const severity = judge(Math.abs(toNumber(claimed) - actual) / actual);
    return severity === undefined ? [] : [offPrice(severity, sentence, facts)];
  });
}

/** A move "today" that is far wider than the day's whole range. A gap overnight can do that: to be checked, not refused. */
function moves(sentence: string, facts: AuditFacts): readonly Issue[] {
  const { dayHigh, dayLow, mid } = facts.quote;
  if (dayHigh <= dayLow || !/\b(?:today|this morning|this afternoon|on the day|intraday)\b/i.test(sentence))
    return [];
  const move = new RegExp(
    String.raw`\b(?:${namePattern(facts)}|the (?:stock|token|shares?))(?:'s)?(?: (?:stock|token|shares?|price|is|are|has|have|trades|trading|now|today|just))* (?:up|down|rose|risen|fell|fallen|gained|lost|jumped|surged|dropped|slipped|climbed|slid|tumbled|rallied|soared|plunged)(?: (?:by|about|more|than|nearly|almost|some|over|roughly|around))* (\d+(?:\.\d+)?) ?(?:%|percent\b)`,
    "i",
  ).exec(sentence);
  const range = ((dayHigh - dayLow) / mid) * 100;
  if (move === null || toNumber(move[1]) <= Math.max(3 * range, range + 5)) return [];
  return [
    finding(
      "medium",
      "figures",
      `A move today that does not fit the day's range of ${range.toFixed(1)}% ($${dayLow} to $${dayHigh})`,
      sentence,
      "Check it, and say from which price it is counted.",
    ),
  ];
}

function toNumber(text = "0"): number {
  return Number(text.replaceAll(",", ""));
}
