import { weekdayAt } from "../dates/calendar.ts";
import { lead, type Passage, passageOf, plain, sentenceOf, sentenceText, tail } from "../passage.ts";
import type { Quantity } from "../quantity.ts";
import type { AuditFacts, Issue } from "../schema.ts";
import { against, clauseBefore, namesToday, priceFault } from "./price.ts";
import { finding, namePattern, namesOthers, type Rule } from "./rule.ts";
import { grounding } from "./sources.ts";

/** Prices and moves that the text states of its stock, against the quote at the time of the audit. */
export const figures: Rule = {
  check: "figures",
  label: "Prices",
  by: "rules",
  cannotJudge: "prices of other days, and of other stocks",
  mayStop: true,
  holdsOurs: true,
  find: (draft, facts) => [...prices(draft, facts), ...grounding(draft, facts)],
};

const prices: Rule["find"] = ({ headline, preview, body }, facts) => {
  const passages = [headline, preview, ...body.split("\n")]
    .filter((text) =>
      /[$＄]|dollar|usd|[%％]|percent|\bshares\b|\btokens\b|\b(?:this (?:morning|afternoon)|today|(?:mon|tues|wednes|thurs|fri)day)\b/i.test(
        text,
      ),
    )
    .slice(0, 400)
    .map((text) => passageOf(plain(text).trim()));
  return passages.flatMap((passage) => claimsOf(passage, facts)).slice(0, 4);
};

function claimsOf(passage: Passage, facts: AuditFacts): readonly Issue[] {
  const near = passage.quantities.flatMap((one) => {
    const wrong = isPrice(one) || one.isBare ? presentFault(passage, one, facts) : undefined;
    return wrong === undefined ? [] : [{ sentence: sentenceText(passage, sentenceOf(passage, one)), wrong }];
  });
  const found = passage.quantities.filter(isPrice).flatMap((price, _at, prices) => {
    const sentence = sentenceText(passage, sentenceOf(passage, price));
    const wrong =
      priceFault(passage, price, facts) ??
      rangeFault(passage, price, prices, facts) ??
      extremeFault(passage, price, facts) ??
      floorFault(passage, price, facts) ??
      dayFault(passage, price, facts);
    return wrong === undefined ? [] : [{ sentence, wrong }];
  });
  const traded = passage.quantities.flatMap((one) => {
    const wrong = volumeFault(passage, one, facts);
    return wrong === undefined ? [] : [{ sentence: sentenceText(passage, sentenceOf(passage, one)), wrong }];
  });
  const moved = passage.counted.flatMap((number) => moves(sentenceText(passage, number), facts));
  const seen = new Map([...found, ...near, ...traded].toReversed().map((one) => [one.sentence, one]));
  return [
    ...[...seen.values()]
      .toReversed()
      .map(({ sentence, wrong }) =>
        finding("high", "figures", wrong, sentence, "Correct it, or say when it was the price."),
      ),
    ...moved,
  ];
}

/** Dollars of one share or token. */
function isPrice({ kind, currency, shown, per }: Quantity): boolean {
  const isOfOne = per === undefined || /^(?:share|token|each|apiece|piece|unit)$/.test(per);
  return (
    kind === "money" &&
    currency === "USD" &&
    isOfOne &&
    !/\p{L}{1,}$/u.test(shown.replace(/(?:dollars?|usdg?)$/i, ""))
  );
}

const dayClaim =
  /\b(?<!week |month |year |record |time |multi-year |no )(high|low|top|bottom)(?: (?:for|in) (?:\p{Lu}[\p{L}.&'’-]*|the (?:stock|shares?|token))(?: \p{Lu}[\p{L}.&'’-]*){0,2})?(?: (?:today|so far|this (?:morning|afternoon)|for the (?:day|session)|of the (?:day|session)))?(?: so far)?,?(?: (?:of|at|near|was|is|stands|stood|came|reached|touched|about|around|so far))* $/iu;
/** "Fallen no lower than $1,039": the lowest price of the day, said in another way. */
const furthest =
  /\b(?:no|never|not|nothing)(?: (?:any|once))? (lower|higher|cheaper|dearer|further)(?: \p{L}+)? than (?:about )?$/iu;

const day = /\b(?:day|day's|today|today's|intraday|session|session's|this (?:morning|afternoon))\b/i;

/** "Dropped as low as $385". */
const asFarAs = /\b(?:as|so) (low|high) as (?:about )?$/i;
/** "Touched $165.90 at its best moment". */
const reached =
  /\b(?:touch\w*|reach\w*|hit|saw|seen|trad\w*|stood|fetch\w*|climb\w*|r[io]se\w*|got|went|fell|fallen|dropp\w*|sank|slid|slipp\w*|dipp\w*|cost|quoted)\b/i;
const atItsBest =
  /^(?: (?:a|per) (?:share|token))?,? (?:at|in) (?:its|the|their) (best|worst|highest|lowest|peak|top|bottom|dearest|cheapest|strongest|weakest|most)\b/i;

/** A day that a sentence or the one before it speaks of, when no other time stands there. */
function isOfThisDay(around: string, sentence: string, { gatheredAt }: AuditFacts): boolean {
  const named = /\b(\w+day)\b/i.exec(around)?.[1]?.toLowerCase();
  if (
    /\b(?:yesterday|week|month|quarter|year|decade|since|spring|summer|autumn|winter|(?:19|20)\d\d)\b/i.test(
      sentence,
    )
  )
    return false;
  return (
    /\b(?:morning|afternoon|opening bell|trading day)\b/i.test(around) ||
    named === weekdayAt(Date.parse(gatheredAt))
  );
}

/** "Today's high of $360". */
function dayFault(passage: Passage, price: Quantity, facts: AuditFacts): string | undefined {
  const number = sentenceOf(passage, price);
  const sentence = sentenceText(passage, number);
  const around = number === 0 ? sentence : `${sentenceText(passage, number - 1)} ${sentence}`;
  const claim =
    dayClaim.exec(lead(passage, price)) ??
    furthest.exec(lead(passage, price)) ??
    asFarAs.exec(lead(passage, price)) ??
    (reached.test(lead(passage, price))
      ? atItsBest.exec(passage.text.slice(price.end, price.end + 50))
      : null);
  if (
    claim === null ||
    !(day.test(sentence) || /\bso far\b/i.test(sentence) || isOfThisDay(around, sentence, facts)) ||
    namesOthers(clauseBefore(passage, price), facts)
  )
    return undefined;
  if (
    /\b(?:yesterday|last (?:week|month|year)|(?:mon|tues|wednes|thurs)day|evening|night|had (?:first |once |even )?\p{L}+ed)\b/iu.test(
      clauseBefore(passage, price),
    ) ||
    /^ (?:after hours|in after-hours)\b/i.test(passage.text.slice(price.end))
  )
    return undefined;
  const isHigh = /high|top|dearer|best|peak|dearest|strong|most/i.test(claim[1] ?? "");
  const actual = isHigh ? facts.quote.dayHigh : facts.quote.dayLow;
  // The range of a day only widens: no text is older than a price beyond it.
  const beyond = (isHigh ? price.value - actual : actual - price.value) / actual;
  const isHedged = price.hedge !== undefined;
  return Math.abs(price.value - actual) / actual > 0.01 + price.slack / actual ||
    (!isHedged && beyond > 0.003 + price.slack / actual)
    ? against(price, facts)
    : undefined;
}

/** "Between $300 and $310 today": both ends are the quote's, or lie inside of them. */
function rangeFault(
  passage: Passage,
  price: Quantity,
  prices: readonly Quantity[],
  facts: AuditFacts,
): string | undefined {
  const other = prices[prices.indexOf(price) + 1];
  const sentence = sentenceText(passage, sentenceOf(passage, price));
  if (other === undefined || !/^ ?(?:and|to|-) ?$/.test(passage.text.slice(price.end, other.start)))
    return undefined;
  const before = clauseBefore(passage, price);
  if (
    !/\b(?:between|range (?:of|from|is|was)|from|ranged from|moved from)(?: about| around)? $/i.test(before)
  )
    return undefined;
  if (
    (!namesToday(sentence, facts) &&
      !/\b(?:today|today's|the day's|this (?:morning|afternoon)|intraday|the session|since the (?:open|opening|bell|start of trading))\b/i.test(
        sentence,
      )) ||
    namesOthers(sentence, facts)
  )
    return undefined;
  if (/\b(?:yesterday|week|month|year|analysts|targets?|expect\w*|forecast)\b/i.test(sentence))
    return undefined;
  const { dayLow, dayHigh, mid } = facts.quote;
  const [low, high] = [Math.min(price.value, other.value), Math.max(price.value, other.value)];
  const isOut = low < dayLow - 0.01 * mid - price.slack || high > dayHigh + 0.01 * mid + other.slack;
  return isOut ? against(low < dayLow - 0.01 * mid ? price : other, facts) : undefined;
}

const floor =
  /\b(?:(?:has|have|had|did)(?:n't| not| never)(?: once)? |never |without ever |not once )(?:dip|fall|fell|fallen|drop|trad|go|gone|went|slip|sink|sunk|touch|leave|left)\w*(?: (?:back|down))? (?:below|under|beneath) (?:about |even )?$|\b(?:stayed|held|remained|kept|has stayed|has held|has remained) (?:well |comfortably )?above $/i;
const ceiling =
  /\b(?:(?:has|have|had|did)(?:n't| not| never)(?: once)? |never |without ever |not once )(?:r[io]se|risen|climb|trad|go|gone|went|get|got|reach|top|cross|break|broken)\w*(?: (?:back|up))? (?:above|over|past|beyond)? ?$|\b(?:stayed|held|remained|kept|has stayed|has held|has remained) (?:well |comfortably )?(?:below|under) $/i;
const ofToday =
  /\b(?:today|this morning|this afternoon|since the (?:open|opening|bell)|since (?:trading|the market) (?:began|opened)|all (?:day|morning|session)|so far|intraday|(?:the )?session|at any (?:point|time|moment))\b/i;

/** "Has not dipped below $301 today", with a low of $298. */
function floorFault(passage: Passage, price: Quantity, facts: AuditFacts): string | undefined {
  const before = clauseBefore(passage, price);
  const sentence = sentenceText(passage, sentenceOf(passage, price));
  const { dayLow, dayHigh } = facts.quote;
  if (!ofToday.test(sentence) || namesOthers(before, facts)) return undefined;
  if (
    /\b(?:yesterday|week|month|year|since (?:january|february|march|april|may|june|july|august))\b/i.test(
      sentence,
    )
  )
    return undefined;
  const isBroken =
    (floor.test(before) && price.value > dayLow * 1.003) ||
    (ceiling.test(before) && price.value < dayHigh * 0.997);
  return isBroken ? against(price, facts) : undefined;
}

const turnover =
  /\b(?:shares?|tokens?)\b[^.;,]{0,30}\b(?:(?:have |has )?(?:been traded|changed hands|traded)|were traded|turned over)\b|\b(?:volume|turnover)\b/i;

/** "Some 240 million shares have changed hands today", with a tenth of them in the quote. */
function volumeFault(passage: Passage, one: Quantity, facts: AuditFacts): string | undefined {
  const { volume } = facts.quote;
  const sentence = sentenceText(passage, sentenceOf(passage, one));
  if (one.kind !== "count" || one.value < 10_000 || volume <= 0) return undefined;
  if (
    !turnover.test(sentence) ||
    !/\b(?:today|this morning|so far|on the day|have (?:been traded|changed hands)|has (?:been traded|changed hands))\b/i.test(
      sentence,
    )
  )
    return undefined;
  if (
    namesOthers(sentence, facts) ||
    /\b(?:average|usual\w*|typical\w*|normal\w*|yesterday|options?|contracts?|week|month|year|outstanding)\b/i.test(
      sentence,
    )
  )
    return undefined;
  if (one.noun !== undefined && !/^(?:share|token|of)$/.test(one.noun)) return undefined;
  return one.value > 1.5 * volume || one.value < volume / 4
    ? `A volume that the quote does not bear out (the text says ${one.shown}, so far it is ${volume.toLocaleString("en-US")})`
    : undefined;
}

const extreme =
  /\b(?<kind>(?:52|fifty-two)-week|all-time|record|year's|year-to-date|yearly|12-month|lifetime|historic)(?: closing)? (?<side>high|low|peak)(?: (?:of|at|is|was|near|stands at|stood at|set|in \w+|on \w+ \d+|last \w+|reached))*,? ?$/i;

/** A year's high below today's price cannot be one. */
function extremeFault(passage: Passage, price: Quantity, facts: AuditFacts): string | undefined {
  const { dayLow, dayHigh, mid, symbol } = facts.quote;
  const before = clauseBefore(passage, price);
  const side = extreme.exec(before)?.groups?.side?.toLowerCase();
  if (side === undefined || namesOthers(before, facts) || !isOwn(before, facts)) return undefined;
  if (
    /\b(?:19|20)[01]\d\b/.test(before) ||
    /\b(?:previous|former|old|then|broke|above|past|topped|beat)\b/i.test(before)
  )
    return undefined;
  const isWrong =
    side === "low" ? price.value - price.slack > dayLow * 1.005 : price.value + price.slack < dayHigh * 0.995;
  return isWrong
    ? `A ${side} of ${price.shown} cannot be: ${symbol} is at $${mid}, today $${dayLow} to $${dayHigh}`
    : undefined;
}

function isOwn(before: string, facts: AuditFacts): boolean {
  return (
    /\b(?:its|the|a)\b/i.test(before) || new RegExp(String.raw`\b(?:${namePattern(facts)})\b`).test(before)
  );
}

/** A move "today" that is far wider than the day's whole range; a gap overnight explains some of it. */
function moves(sentence: string, facts: AuditFacts): readonly Issue[] {
  const { dayHigh, dayLow, mid } = facts.quote;
  if (
    dayHigh <= dayLow ||
    sentence.length > 1500 ||
    !/\b(?:today|this morning|this afternoon|on the day|intraday|since the (?:open|opening|close|last close)|in (?:an|the last) hour)\b/i.test(
      sentence,
    )
  )
    return [];
  const move = new RegExp(
    String.raw`\b(?:${namePattern(facts)}|the (?:stock|token|shares?))(?:'s)?(?: (?:stock|token|shares?|price|is|are|was|has|have|trades|trading|now|today|just))* (?:up|down|rose|risen|fell|fallen|gained|lost|jumped|surged|dropped|slipped|climbed|slid|tumbled|rallied|soared|plunged|sunk|shed|added)(?: (?:by|about|more|than|nearly|almost|some|over|roughly|around))* (\d+(?:\.\d+)?) ?(?:%|percent\b)(?!,? (?:from|since(?! the (?:open|close|last close))|over|in(?! an hour| the last hour)|below|above|this (?:year|month|week|quarter)|on the (?:year|week|month)|year to date|for the (?:year|week|month)))`,
    "i",
  ).exec(sentence);
  const range = ((dayHigh - dayLow) / mid) * 100;
  // Since the open a price moves within the day's range; since the day before a gap may come on top.
  const most = /\bsince the open/i.test(sentence) ? range + 1 : Math.max(3 * range, range + 5);
  if (move === null || Number(move[1]) <= most) return [];
  const wrong = `A move today that does not fit the day's range of ${range.toFixed(1)}% ($${dayLow} to $${dayHigh})`;
  return [finding("high", "figures", wrong, sentence, "Check it, and say from which price it is counted.")];
}

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
function presentFault(passage: Passage, one: Quantity, facts: AuditFacts): string | undefined {
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
