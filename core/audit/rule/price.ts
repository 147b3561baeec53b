import { dayLength, weekdayAt } from "../dates/calendar.ts";
import { type Passage, sentenceOf, sentenceText } from "../passage.ts";
import type { Quantity } from "../quantity.ts";
import type { AuditFacts } from "../schema.ts";
import { namePattern, namesOthers } from "./rule.ts";

/** How far outside of the day's range a price may lie, as a share of the quote: a text may be some minutes older. */
const tolerated = {
  exact: 0.01,
  cents: 0.0015,
  rounded: 0.02,
  today: 0.003,
  yesterday: 0.04,
  gap: 0.2,
} as const;
/** What a text says where a price left the day before with a gap. */
const gapped =
  /\b(?:gap\w*|plung\w+|tumbl\w+|soar\w+|surg\w+|slump\w*|jump\w*|crash\w*|collapse\w*|overnight|since then|after (?:the )?(?:results|report|earnings)|before the (?:results|report|news)|split|(?:up|down|fell|rose|lost|gained|dropped|climbed|higher|lower)\b[^.;]{0,30}\d)/i;

const filler =
  "(?:at|near|around|about|roughly|just|close|to|slightly|for|now|currently|approximately|some|nearly|almost|today|of|is|a|price|above|over|below|under|more|less|than|still|only|well|the|mid-|high|low|again)";

/** Words of the present that a price follows: "trades at", "is quoted near", "now costs". */
const stated = new RegExp(
  String.raw`\b(?<verb>trad(?:es?|ing)|chang(?:es?|ing) hands|(?:is|are|'s) (?:now |currently |still )?(?:quoted|priced|valued|trading)|stands?|sits?|hover(?:s|ing)|(?:stays?|remains?|holds?|keeps?|is still|is back) (?=(?:at|above|below|near|around|over|under)\b)|fetches|goes for|sells for|costs|(?:is|are|'s) (?:now |currently |still )?(?:at|worth)|(?:now|currently) (?:at|worth|costs)|(?:has|have) (?:just |now |since )?(?:risen|fallen|slipped|dropped|climbed|rallied|jumped|sunk|slid|crossed|broken|passed|moved|gone|dipped|eased) (?:to|below|above|past|through|under|over|back to))(?: ${filler})*,? ?$`,
  "i",
);

const priceWord =
  /\b(?:(?:current|latest|last|spot|market|share|token|stock|today's)(?:'s)? (?:price|quote|mid)|(?:the|its) (?:price|quote|quotation|mid))(?:,? (?:of|is|at|stands at|sits at|stood at|now|currently|today|per share|a share|a token|for the token|for one token|about|around|near|roughly|the token|the stock))*,? ?$/i;

const todays =
  /\b(?:today's|the current|the present|the latest)(?: (?:share |stock |token |market )?(?:price|level|quote|quotation))?(?:,? of)?(?: (?:about|around|roughly|some|nearly|almost|just over|just under))? ?$/i;
/** "AAPL ($327.20)", "AAPL at $327". */
const labelled =
  /\b(?<name>[A-Z]{1,5})(?: token)?(?: \(| at |, at |: |[,;] (?:(?:currently|now|today|at the moment|last|at present),? )(?:(?:trading |quoted |priced )?(?:at|around|near|about) )?)$/;
/** "Buyers have to lay out $69 for it". */
const paid =
  /\b(?:investors?|buyers?|savers?|traders?|whoever|anyone|anybody|those|people|newcomers)\b[^.;]{0,80}\b(?:ha(?:s|ve) to|must|needs? to|will)? ?(?:lay out|pay|pays|spend|part with|put down|put up|find|hand over)(?: (?:about|around|roughly|some|just over|just under|nearly|almost))? $/i;
const paidFor =
  /^ (?:for (?:it|one|a (?:single )?(?:share|token|piece)|each (?:share|token))\b|(?:a|per) (?:share|token)\b)[^.;]{0,30}\b(?:as of (?:this )?(?:writing|now)|today|now|at the moment|this (?:morning|afternoon))\b/i;

const opening =
  /^(?:["'(]*)At (?:(?:a|the|its) (?:current |present |share |token )?(?:price|quote|level) of )?(?:about |around |roughly |nearly |just over |just under |some )?$/;

/** "With the stock at $298". */
const withPrice = (names: string) =>
  new RegExp(
    String.raw`\b[Ww]ith (?:the |its |one )?(?:${names}|stock|token|shares?|price)(?: (?:stock|token|shares?|price))?(?: (?:now|still|currently|trading|today))* (?:at|near|around)(?: (?:about|around|roughly|just over|just under))? $`,
  );
/** A trade of the last hours: "an hour ago the token changed hands at". */
const justNow =
  /\b(?:(?:an|one|two|three|four|\d|half an|a few|some) (?:hours?|minutes?) (?:ago|earlier)|(?:hours|minutes|moments) (?:ago|before)|earlier today|this morning|this afternoon|a moment ago|just now|in early trading|shortly after (?:nine|ten|eleven|noon|twelve))\b/i;
const tradedAt = new RegExp(
  String.raw`\b(?:changed hands|traded|stood|sat|hovered|was (?:at|quoted|trading|priced|worth)|touched|hit|reached|fetched|cost|sold for|(?:dipped|rose|fell|climbed|slipped|jumped|dropped|went) (?:to|above|below|past))(?: ${filler})*,? ?$`,
  "i",
);

/** What says that a price is no one of now, before it in its clause or right after it. */
const otherTimeBefore =
  /\b(?:if|could|would|might|may|should|once|when(?:ever)?|until|target|forecasts?|expect\w*|estimates?|projects?|sees|predicts?|strike|futures?|options?|bonds?|oil|gold|bitcoin|crude|barrel|ounce|premarket|pre-market|after-hours|suppose|imagine|say|assum\w+|were to|in (?:19|20)\d\d|used to|was|were|had been)\b/i;

const otherTimeAfter =
  /^(?:,? (?:a|per) (?:share|token))?,? ?\(?(?:back )?(?:in (?:19|20)\d\d|(?:a|one|two|three|\d+) (?:years?|months?|weeks?|days?) (?:ago|earlier|before)|last (?:year|month|week|quarter|spring|summer|autumn|fall|winter)|at the time|at the (?:end|start|beginning) of|then\b|by (?:year|the end|christmas|20\d\d|\w+ 20\d\d)|in (?:a|two|three|five|ten|twelve) (?:years?|months?)|(?:on|in|of|from|since|until|before|after) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)|as of(?! (?:this|now|today|writing|the time|right now|press time))|(?:million|billion|trillion|an hour|a month|a year|per month|each|apiece))/i;

const yesterdays =
  /\b(?:closed|ended|finished|settled)(?: (?:at|near|around|the (?:day|session) at|yesterday at|thursday at|wednesday at|trading at|last night at))+ ?$/i;

const opened =
  /\b(?:opened|opening (?:price|quote)(?: (?:of|was|at))?|(?:the|today's|this morning's) open(?:ing)? (?:of|at|was))(?: (?:today|this morning|the day|trading))?(?: (?:at|near|around|about))* ?$/i;

/** The words before a price, from the beginning of its clause on. */
export function clauseBefore(passage: Passage, { start }: Quantity): string {
  const sentence = passage.starts.findLast((begin) => begin <= start) ?? 0;
  return (
    withoutAsides(passage.text.slice(Math.max(sentence, start - 200), start))
      .split(/[:;] |,? (?:and|but|while|whereas|though|although) (?!now|still|currently|so|then)/)
      .at(-1) ?? ""
  );
}

/** Asides of a clause, and the last trade in the words of a trade of now. */
function withoutAsides(clause: string): string {
  return clause
    .replace(/,? (?:which|who|whose)\b[^,;:()]{3,120}, (?!which|who)/g, " ")
    .replace(/ \([^()]{1,80}\)(?= )/g, (aside) => (/\$/.test(aside) ? " " : aside))
    .replace(/\b(?:was|were|is|are) last (?:seen|quoted|traded|priced|trading)\b/i, "is quoted")
    .replace(/\blast (?:traded|changed hands)\b(?= (?:at|for|near|around|just|about))/i, "trades");
}

export function priceFault(passage: Passage, price: Quantity, facts: AuditFacts): string | undefined {
  const before = clauseBefore(passage, price);
  const after = passage.text.slice(price.end, price.end + 60);
  const when = timeOf(before, after, passage, price, facts);
  if (when === undefined) return undefined;
  if (when === "yesterday")
    return off(price, before, facts, gapped.test(passage.text) ? tolerated.gap : tolerated.yesterday);
  if (when === "earlier today" && price.hedge !== "about") return off(price, before, facts, tolerated.today);
  return off(
    price,
    before,
    facts,
    price.hedge === "about" || price.slack >= 5
      ? tolerated.rounded
      : price.hedge === undefined && /\.\d\d$/.test(price.shown)
        ? tolerated.cents
        : tolerated.exact,
  );
}

/** At what time a price is claimed, if it is the stock's and one that the quote can speak to. */
function timeOf(
  before: string,
  after: string,
  passage: Passage,
  price: Quantity,
  facts: AuditFacts,
): "now" | "earlier today" | "yesterday" | undefined {
  const isOfYesterday = isWeekday(after, facts, -1);
  if (/^ ?(?:-|to|and) ?\$ ?\d/.test(after)) return undefined;
  if (otherTimeAfter.test(after) && !isWeekday(after, facts, 0) && !isOfYesterday) return undefined;
  const isOpening =
    opening.test(before) &&
    /^(?:,? (?:a|per) (?:share|token|piece))?(?: (?:now|today|currently|this morning|on \w+day(?: morning| afternoon)?))?,/.test(
      after,
    ) &&
    !/\b(?:was|were|had|would|if|went public|ipo|19\d\d|20[01]\d)\b/i.test(after);
  const last = labelled.exec(before)?.groups?.name;
  if (
    last === facts.stock.symbol &&
    /^[),.;]|^$| (?:a|per) |^ (?:today|now|this)/.test(after) &&
    !otherTimeBefore.test(before)
  )
    return "now";
  if (
    paid.test(before) &&
    paidFor.test(passage.text.slice(price.end, price.end + 90)) &&
    new RegExp(String.raw`\b(?:${namePattern(facts)})\b`, "u").test(before) &&
    !otherTimeBefore.test(before) &&
    !namesOthers(before, facts)
  )
    return "now";
  const match = stated.exec(before) ?? priceWord.exec(before) ?? todays.exec(before) ?? opened.exec(before);
  if (
    withPrice(namePattern(facts)).test(before) &&
    /^(?:,| (?:a|per) )/.test(after) &&
    !namesOthers(before, facts)
  )
    return "now";
  const sentence = sentenceText(passage, sentenceOf(passage, price));
  const recent = tradedAt.exec(before);
  if (
    recent !== null &&
    (justNow.test(sentence) || namesToday(sentence, facts)) &&
    !/\b(?:if|target|expect\w*|forecast\w*|option|strike|yesterday|last (?:week|month|year))\b/i.test(
      sentence,
    ) &&
    isSubject(before.slice(0, recent.index), recent[0], passage, price, facts)
  )
    return "earlier today";
  const closing = yesterdays.exec(before);
  if (
    closing !== null &&
    !/\bhad (?:\p{L}+ )?$/iu.test(before.slice(0, closing.index)) &&
    (isOfYesterday || !otherTimeAfter.test(after)) &&
    isSubject(before.slice(0, closing.index), "trades", passage, price, facts)
  )
    return "yesterday";
  if (isOfYesterday) return undefined;
  if (isOpening)
    return namesOthers(after, facts) ||
      !new RegExp(String.raw`\b(?:${namePattern(facts)}|the (?:stock|token|shares?)|it)\b`, "i").test(
        passage.text,
      )
      ? undefined
      : "now";
  if (match === null || otherTimeBefore.test(before)) return undefined;
  if (todays.test(before))
    return /^(?: (?:a|per) (?:token|share)\b|[.,;)]|$| (?:leaves|is|means|makes|looks|reflects|values|implies|gives|allows))/.test(
      after,
    ) && !namesOthers(before, facts)
      ? "now"
      : undefined;
  return isSubject(before.slice(0, match.index), match[0], passage, price, facts) ? "now" : undefined;
}

/** "On Friday the token was at", said on a Friday. */
export function namesToday(sentence: string, { gatheredAt }: AuditFacts): boolean {
  const day = weekdayAt(Date.parse(gatheredAt));
  return (
    new RegExp(
      String.raw`\bon ${day}(?: (?:morning|afternoon|noon))?\b(?!,? (?:the )?(?:\d|last|week|in |of |january|february|march|april|may|june|july|august|september|october|november|december))`,
      "i",
    ).test(sentence) && !/\b(?:had|before|previous|last|following)\b/i.test(sentence)
  );
}

/** "On Friday", said on a Friday, or so many days before. */
function isWeekday(after: string, { gatheredAt }: AuditFacts, days: number): boolean {
  const named = /^,? (?:on |of )?(\w+day)\b(?! (?:last|week))/i.exec(after)?.[1]?.toLowerCase();
  return named !== undefined && named === weekdayAt(Date.parse(gatheredAt) + days * dayLength);
}

/** The last name before the claim must be the stock's, with no other name in between. */
function isSubject(
  before: string,
  claim: string,
  passage: Passage,
  price: Quantity,
  facts: AuditFacts,
): boolean {
  const subject = new RegExp(
    String.raw`\b(?:${namePattern(facts)}|(?:[Tt]he|[Ii]ts|[Oo]ne|[Aa]) (?:tokeni[sz]ed |common |depositary |American depositary )?(?:stock|token|shares?|ADS))(?: (?:stock|token|shares?))?\b`,
    "gu",
  );
  const last = [...before.matchAll(subject)].at(-1);
  if (last === undefined) {
    if (/\b(?:token|stock|share)(?:'s)? price\b/i.test(claim) && before.trim().split(" ").length <= 3)
      return true;
    // "It trades at": of what the sentence before spoke of.
    const isPronoun =
      /^(?:["'(]*)(?:[Ii]t|[Tt]hey|[Nn]ow|[Tt]oday)?,?(?: (?:it|now|still|also|today|currently|has|the price|is))*,? ?$/.test(
        before,
      );
    const earlier = passage.text.slice(Math.max(0, price.start - 400), price.start - before.length);
    // "How did the stock react? It trades at": the question may stand in a line of its own.
    const isAlone =
      !/\p{Ll}[^.!?]* \p{Lu}\p{Ll}/u.test(earlier) && earlier.length < 60 && /^trad|^chang/i.test(claim);
    return (
      isPronoun &&
      (subject.test(earlier) || isAlone) &&
      !namesOthers(earlier, facts) &&
      /^(?:trad|chang|hover|now|has|have|(?:the|its) price)/i.test(claim)
    );
  }
  // "Microsoft, unlike Apple, trades at" is about Microsoft.
  const ahead = before.slice(0, last.index);
  if (
    /\b(?:unlike|than|like|versus|beside|besides|against|with|from) $/i.test(ahead) &&
    /\p{Lu}\p{L}+/u.test(ahead.replace(/^\W*\p{Lu}/u, "x"))
  )
    return false;
  if (/\b(?:unlike|than|versus|beside|against) $/i.test(ahead) && ahead.trim().split(" ").length > 1)
    return false;
  const between = before.slice(last.index + last[0].length);
  // Only securities trade and change hands; dividends, phones and fees stand, sit and are priced as well.
  const isSecurity =
    /^(?:trad|chang|hover|(?:is|are|'s) (?:now |currently |still )?trading|has (?:risen|fallen|slipped|dropped|climbed))/i.test(
      claim,
    );
  return isSecurity
    ? !/[ (]\p{Lu}\p{L}/u.test(
        between.replace(
          /\b(?:Monday|Tuesday|Wednesday|Thursday|Friday|American|US|U\.S\.|New|York|London|Amsterdam|Nasdaq|NYSE|January|February|March|April|May|June|July|August|September|October|November|December)\b/g,
          "",
        ),
      )
    : onlyTheStock.test(between);
}

const onlyTheStock =
  /^(?:'s)?(?:,? (?:stock|common|shares?|tokens?|price|itself|still|now|currently|today|this|morning|afternoon|which|that|it|and|has|is|the|on|chain))*,? ?$/i;

function off(price: Quantity, before: string, facts: AuditFacts, tolerance: number): string | undefined {
  const { quote } = facts;
  const isAbove = price.hedge === "over" || /\b(?:above|over|past|through)(?: \w+){0,1} $/i.test(before);
  const isBelow = price.hedge === "under" || /\b(?:below|under)(?: \w+){0,1} $/i.test(before);
  const low = Math.min(quote.dayLow, quote.mid);
  const high = Math.max(quote.dayHigh, quote.mid);
  // A mark that a price is above or below is exact, and "just under" it is near it.
  const slack = isAbove || isBelow ? 0 : price.slack;
  const isClose =
    /\b(?:just|only just|barely|slightly|a (?:little|shade|touch|whisker) )(?: ?(?:over|above|under|below|short of|shy of|more than|less than)) $/i.test(
      before,
    ) || /\b(?:nearly|almost) $/i.test(before);
  const near = isClose ? 0.02 * price.value : Number.POSITIVE_INFINITY;
  const above = Math.max(0, price.value - (isBelow ? near : slack) - high);
  const below = Math.max(0, low - price.value - (isAbove ? near : slack));
  // "Above $330" is wrong when the quote has not been there.
  return Math.max(above, below) / quote.mid >
    (isAbove || isBelow ? Math.min(tolerance, tolerated.today) : tolerance)
    ? against(price, facts)
    : undefined;
}

export function against({ shown }: Quantity, { quote }: AuditFacts): string {
  return `A price that the quote does not bear out (the text says ${shown}, ${quote.symbol} is at $${quote.mid}, today $${quote.dayLow} to $${quote.dayHigh})`;
}
