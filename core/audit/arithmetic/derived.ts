import { lead, type Passage, sentenceOf } from "../passage.ts";
import { combined, intervalOf, likened, overlaps, type Quantity } from "../quantity.ts";
import { directionWord, type Slip, shown } from "./pairs.ts";
import {
  type Act,
  isPart,
  isSame,
  isSum,
  isTime,
  type Reading,
  readingsOf,
  readingsOfTwo,
  sums,
  totalOf,
} from "./reckon.ts";

/** A figure's sentence before it and after it, and its clause. */
type Beside = {
  readonly ahead: string;
  readonly after: string;
  readonly clause: string;
  /** The stretch between the commas and joints next to the figure. */
  readonly own: string;
  readonly window: string;
};

function besideOf(passage: Passage, claim: Quantity): Beside {
  const place = sentenceOf(passage, claim);
  const begin = passage.starts[place] ?? 0;
  const end = passage.starts[place + 1] ?? passage.text.length;
  const ahead = passage.text.slice(begin, claim.start);
  const after = passage.text.slice(claim.end, end);
  const next = passage.quantities.find(({ start }) => start >= claim.end)?.start ?? end;
  const last = passage.quantities.findLast((one) => one.end <= claim.start)?.end ?? begin;
  const before = passage.text.slice(Math.max(begin, last, claim.start - 70), claim.start);
  const clause = `${before
    .split(/[;:]|, (?=\p{L})/u)
    .slice(-2)
    .join(
      ", ",
    )}¤${passage.text.slice(claim.end, Math.min(next, end, claim.end + 50)).split(/[;:]|[,.)](?: |$)/)[0] ?? ""}`;
  const own = `${
    clause
      .split("¤")[0]
      ?.split(/, | and | but /)
      .at(-1) ?? ""
  }¤${clause.split("¤")[1] ?? ""}`;
  return { ahead, after, clause, own, window: passage.text.slice(passage.starts[place - 2] ?? 0, end) };
}

const follows =
  /(?:^|[,;:.(-] ?|\band )(?:so|thus|hence|therefore|consequently|accordingly|in other words|put differently|that is|i\.e\.|meaning|or)\b(?! (?:far|much|that night))|\b(?:therefore|thus|hence|consequently)\b/i;
const verbs =
  "(?:leaves?|left|makes?|made|comes? to|came to|amounts? to|amounted to|works? out|worked out|adds? up|equals?|equalled|is|was|means?|meant|gives?|gave|brings?|brought|puts?|values?|valued|corresponds?|translates?|implies|represents?|takes?|costs?|buys?|would (?:be|leave|make|mean|give))";
const carries = new RegExp(
  String.raw`(?:^|[,;:(-] ?| and )(?:that|this|which|these|those|it all) (?:\p{L}+ )?${verbs}\b|^\W*(?:together|in (?:all|total|sum)|on average|combined|altogether|taken together|over the year|spread over)\b|, (?:leaving|making|giving|bringing|putting|valuing|equal|equivalent|for a total|an?)\b[^,;]{0,60}$`,
  "iu",
);
const restWords =
  /\b(?:leav(?:es?|ing)|left|remain\w*|the (?:rest|remainder|balance|other)|must (?:bring|come|add|deliver)|to go|gap|difference|swing|lead of|sav(?:e|es|ed|ing|ings)|(?:rise|increase|gain|growth|jump|decrease|decline|drop|fall|reduction|cut|improvement) of|short(?:fall)?(?: of| by)?|exceed\w*|beat|missed|surplus|excess|deficit|widen\w* by|narrow\w* by)\b|¤ (?:\p{L}+ ){0,2}(?:more|fewer|less|higher|lower|short|ahead|cheaper|dearer)\b/iu;
const sumWords =
  /\b(?:together|combined|in all|altogether|in total|totals?|totall?(?:ed|ing)|a total|sum|add\w* up|all told|between them|jointly)\b/i;
const eachWords =
  /\b(?:per|each|every|apiece|head|averag\w+|typical|mean|single|an? (?:share|store|shop|piece|unit|car|vehicle|user|day|week|month|barrel|customer|trip|ride|order|member|employee|person|seat|subscriber|plane|jet|phone|visit|passenger|token|tonne|ton|branch|restaurant))\b/i;
const priceWords =
  /\b(?:worth|valu\w+|capitali[sz]\w*|puts?|cost(?:s|ing)?|paid|pays?|bill|rais\w+|proceeds|interest|receiv\w+|collect\w*|outlay|spen[dt]\w*|payout|earns?|buys?|brings?|turns? out)\b/i;

const yearly =
  /(?<!\b(?:within|in|over|for|than|after|of) )\b(?:an?|per|each|every) (?:year|month|quarter)\b(?! (?:ago|earlier|before))|\bannual\w*\b|\baverage\b|\bcompound\w*/i;

/** A percentage that is none of a change. */
const level =
  /\b(?:margins?|share|rate|yield|ratio|weight|odds|probability|stake)(?: (?:of|at|was|is|were|are|stood at|came to|would (?:be|have been)))?(?: (?:about|around|just|only|nearly|almost|over|under))* ¤/i;

/** What the words at a figure say that it is. */
function actsOf(claim: Quantity, { clause, own, ahead }: Beside): ReadonlySet<Act> {
  if (claim.kind === "multiple" || (claim.isBare && /\b(?:ratio|multiple) of /i.test(clause)))
    return new Set(["ratio"]);
  if (claim.kind === "points") return new Set(yearly.test(clause) ? [] : ["rest"]);
  if (isPart(claim)) {
    if (yearly.test(clause)) return new Set(["growth"]);
    if (level.test(clause) && !/¤ (?:higher|lower|more|less|above|below)\b/i.test(clause))
      return new Set(["share"]);
    if (/\bto (?:\p{L}+ ){0,2}¤/u.test(clause)) return new Set(["share"]);
    // "A gain of $3.6 billion, or 13 per cent".
    const isStep =
      /\b(?:rise|increase|gain|jump|decrease|decline|drop|fall|cut|reduction) of [^,;]{0,30},? (?:or|which is|that is) $/i.test(
        ahead,
      );
    if (directionWord(clause) !== undefined || (isStep && !/¤ of\b/.test(clause)))
      return new Set(["change", "growth"]);
    if (sumWords.test(clause)) return new Set(["share", "sum"]);
    return restWords.test(clause) ? new Set(["share", "rest"]) : new Set(["share"]);
  }
  if (claim.isBare && !Number.isInteger(claim.value)) return new Set();
  const acts = new Set<Act>();
  if (restWords.test(own)) acts.add("rest");
  if (sumWords.test(clause)) acts.add("sum").add("product");
  if (eachWords.test(own)) acts.add("quotient").add("product");
  if (acts.size === 0) acts.add("product").add("sum").add("rest").add("quotient");
  return acts;
}

const foreign =
  /\b(?:expect\w*|estimat\w+|consensus|analysts?|forecasts?|guid\w+|target\w*|if|might|could|would have|suppose|assum\w+|imagine|including|of which|among them|excluding|organic\w*|currenc\w+|constant|comparable|adjusted|inflation|last year|a year (?:ago|earlier|before))\b/i;

type Case = {
  readonly claim: Quantity;
  readonly beside: Beside;
  readonly near: readonly Quantity[];
  readonly acts: ReadonlySet<Act>;
  readonly place: number;
};

/** "One" and "two" in words are seldom calculated with. */
function isWord(one: Quantity): boolean {
  return one.kind === "count" && one.value <= 2 && /^\p{L}+$/u.test(one.shown) && !isTime(one);
}

/** The highest or lowest price of a day, from which no change is counted. */
function isMark(passage: Passage, one: Quantity): boolean {
  return (
    one.kind === "money" &&
    /\b(?:touch\w*|high|low|peak)(?: (?:of|at))?(?: (?:about|around))? $/i.test(lead(passage, one))
  );
}

function caseOf(passage: Passage, claim: Quantity): Case {
  const place = sentenceOf(passage, claim);
  const beside = besideOf(passage, claim);
  const near = passage.quantities
    .filter((one) => {
      const at = sentenceOf(passage, one);
      return (
        one.start !== claim.start && !isWord(one) && !isMark(passage, one) && at <= place && at >= place - 2
      );
    })
    .slice(-9);
  return { claim, beside, near, acts: actsOf(claim, beside), place };
}

/** How surely the words say that the figure follows from others. */
function strengthOf(
  passage: Passage,
  { claim, near, place, beside: { ahead, clause, own } }: Case,
): "said" | "likely" | undefined {
  // A level between two levels, and a part of a year.
  if (claim.kind === "percent" && /\b(?:from|to|at|and|between) (?:about |around )?¤/i.test(clause))
    return undefined;
  // "7% above the quarter just reported": of a figure that stands elsewhere.
  if (
    isPart(claim) &&
    /¤ (?:above|below|over|under|more than|less than) (?:the|its|last|that)\b/i.test(clause)
  )
    return undefined;
  if (/\b(?:highest|lowest|largest|smallest|top|bottom)(?: (?:is|was|of|at))? ¤/i.test(clause))
    return undefined;
  if (claim.kind === "fraction" && /\b(?:first|second|other|latter|final|last) ¤/i.test(clause))
    return undefined;
  if (
    claim.kind === "fraction" &&
    /¤ (?:of|in) (?:an?|the|every|each) (?:year|month|quarter|week|day)\b/i.test(clause)
  )
    return undefined;
  const clauses = ahead.slice(-110);
  if (
    carries.test(clauses) ||
    follows.test(clauses.split(/[;:]|, (?:and|but|which|while|as|because) /).at(-1) ?? "")
  )
    return "said";
  if (
    /\bthat (?:is|makes|leaves|means|gives|comes to|works out at|amounts to) (?:\p{L}+ ){0,2}¤|¤[^,;]{0,40}\b(?:therefore|thus|hence)\b/iu.test(
      clause,
    )
  )
    return "said";
  if (/^\W*(?:so|thus|hence|therefore|in other words)\b/i.test(ahead) && !/[;:]/.test(ahead)) return "said";
  const isFirst = near.every((other) => other.start > claim.start || sentenceOf(passage, other) !== place);
  if (
    isFirst &&
    /^\W*(?:but |and )?the (?:\p{L}+ )?(?:result|two|three|four|lot|rest|remainder|remaining|others?|sum|total|difference|gap|balance|rate|average|ratio|margin|yield)\b[^;:]{0,70}$/iu.test(
      ahead,
    )
  )
    return "said";
  if (/\b(?:ratio|margin|yield|average|rate) of (?:\p{L}+ ){0,2}¤/u.test(clause)) return "said";
  if (isPart(claim) && isOfWhole(passage, claim, near)) return "said";
  if (!isSum(claim)) return undefined;
  if (
    /\bthe (?:\p{L}+ )?remaining\b|\bleav(?:es|ing)\b|\bdifference\b|\btogether\b|\bcombined\b|\bin (?:all|total)\b|\bsav(?:es?|ed|ing)\b|\bmust (?:bring|come|add|deliver)\b/iu.test(
      own,
    )
  )
    return "said";
  if (isScaled(passage, claim, clause, near)) return "said";
  if (isStep(passage, claim, clause, place)) return "said";
  return claim.kind === "money" && (priceWords.test(clause) || eachWords.test(own)) ? "likely" : undefined;
}

/** "At 42 a month it builds 504 in a year", "53 cents, so $2.12 a year", "$16.55 is 18 cents a day". */
function isScaled({ text }: Passage, claim: Quantity, clause: string, near: readonly Quantity[]): boolean {
  const rate = near.findLast((other) => other.end <= claim.start);
  if (rate === undefined || claim.start - rate.end > 80) return false;
  const gap = text.slice(rate.end, claim.start);
  if (/¤ (?:an?|per|each|every) (?:day|week|month|hour)\b/i.test(clause))
    return /^,? (?:which )?(?:is|makes|means|comes to|works out at|equals|corresponds to)(?: \p{L}+)? $/iu.test(
      gap,
    );
  if (
    !/¤ (?:(?:\p{L}+ ){0,2}(?:in|per|each|every|over) )?(?:the |an? )?(?:full |whole )?years?\b/iu.test(
      clause,
    )
  )
    return false;
  if (
    /^(?: \p{L}+)?,? (?:so|which makes|which is|that is|or rather)(?: \p{L}+)? $/iu.test(gap) &&
    /\b(?:quarterly|monthly|weekly|daily)\b/i.test(text.slice(Math.max(0, rate.start - 50), rate.start))
  )
    return true;
  return (
    /^ (?:\p{L}+ )?(?:an?|per|each|every) (?:month|week|quarter|day)\b/iu.test(gap) &&
    !/[,;]|\b(?:and|or|but)\b/i.test(gap)
  );
}

/** "412,000 cars, 28,000 more than in the year before, when it was 384,000". */
function isStep(passage: Passage, claim: Quantity, clause: string, place: number): boolean {
  if (!/¤ (?:\p{L}+ )?(?:more|fewer|less) than\b/iu.test(clause)) return false;
  const alike = passage.quantities.filter(
    (one) => sentenceOf(passage, one) === place && one.start !== claim.start && isSame(one, claim),
  );
  return (
    alike.length === 2 &&
    alike.some((one) => one.start < claim.start) &&
    alike.every((one) => one.value > claim.value)
  );
}

/** "120 million of the 2.4 billion shares, about one in twenty". */
function isOfWhole({ text }: Passage, claim: Quantity, near: readonly Quantity[]): boolean {
  const [part, whole] = near.filter((one) => one.end <= claim.start).slice(-2);
  if (part === undefined || whole === undefined || !isSum(part) || !isSum(whole)) return false;
  return (
    /^(?: \p{L}+){0,3} (?:of|out of) (?:the|its|his|her|their|all|a total of)(?: \p{L}+)? ?$/u.test(
      text.slice(part.end, whole.start),
    ) &&
    /^(?: \p{L}+){0,3},? ?\(?(?:or|that is|which is|about|around|roughly|nearly|almost|some|just)?(?: \p{L}+){0,2} ?$/u.test(
      text.slice(whole.end, claim.start),
    )
  );
}

/** Words like "costs" only bear a calculation whose units leave no doubt: prices by pieces, sums by heads, interest. */
function isLikely({ act, parts }: Reading, { beside: { clause } }: Case): boolean {
  const [one, other] = parts;
  if (one === undefined || other === undefined) return false;
  const [money, count] = one.kind === "money" ? [one, other] : [other, one];
  if (money.kind !== "money") return false;
  if (isPart(count)) return /\binterest\b|\btax\b/i.test(clause);
  if (count.kind !== "count" || isTime(count)) return false;
  return act === "product"
    ? money.value < 1e5 && count.value >= 1e5
    : money.value >= 1e5 && count.value >= 100 && eachWords.test(clause);
}

/** A figure of the claim's kind that says the same. */
function isRepeated(claim: Quantity, other: Quantity): boolean {
  const alike = likened(other, claim);
  return (
    other.start !== claim.start &&
    isSame(alike, claim) &&
    Math.abs(alike.value - claim.value) <= 0.005 * claim.value
  );
}

/** A calculation of the text's, made again: wrong when nothing that its words allow explains the figure. */
export function derivedSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((figure) => {
    const claim = rounded(inCents(passage, figure));
    // "Four times" may be of a figure that its words name elsewhere.
    if (claim.kind === "multiple" || isTime(claim) || isWord(claim) || claim.value <= 0) return [];
    const one = caseOf(passage, claim);
    const strength = strengthOf(passage, one);
    if (strength === undefined || foreign.test(one.beside.clause)) return [];
    if (passage.quantities.some((other) => isRepeated(claim, other))) return [];
    const best = plainest(passage, one, strength);
    if (best === undefined || isExplained(passage, one, best)) return [];
    const unit =
      isPart(claim) || claim.kind === "points" ? ({ kind: "percent", currency: "" } as const) : claim;
    return [{ claim, shown: `${best.shown} is ${shown(best.value, unit)}`, isGuess: true }];
  });
}

/** Cents are those of the currency that the text speaks of. */
function inCents({ quantities }: Passage, one: Quantity): Quantity {
  if (!/cents?$/i.test(one.shown)) return one;
  const whole = quantities.findLast(
    (other) => other.kind === "money" && other.start < one.start && !/cents?$/i.test(other.shown),
  );
  return whole?.currency === "EUR" ? { ...one, currency: "EUR" } : one;
}

/** "A ratio of 40" is no exact count. */
function rounded(one: Quantity): Quantity {
  return one.isBare && one.slack === 0 ? { ...one, slack: 0.5 } : one;
}

/** The calculation that the text means: of the nearest figures that allow one. */
function plainest(passage: Passage, one: Case, strength: "said" | "likely"): Reading | undefined {
  const { claim, near, place, acts, beside } = one;
  const own = near.filter(
    (other) =>
      sentenceOf(passage, other) === place &&
      other.start < claim.start &&
      isSame(other, claim) &&
      isSum(other),
  );
  for (const back of [0, 1, 2]) {
    const some = near.filter(
      (other) =>
        sentenceOf(passage, other) >= place - back &&
        (other.start < claim.start ||
          !isSum(claim) ||
          (back === 0 && isStep(passage, claim, beside.clause, place))),
    );
    const plain = readingsOf(claim, some, beside.window, beside.clause).filter(
      (two) =>
        acts.has(two.act) &&
        !two.isRemote &&
        isNear(two, claim) &&
        (two.parts.length > 1 || !isSum(claim) || isScaled(passage, claim, beside.clause, near)) &&
        (strength === "said" || isLikely(two, one)) &&
        // What is left is left by all that the sentence lists.
        ((two.act !== "rest" && two.act !== "sum") || own.every((other) => two.parts.includes(other))),
    );
    const [best] = plain.toSorted((left, right) => distance(left, claim) - distance(right, claim));
    if (best !== undefined) return best;
  }
  return undefined;
}

/** Whether some calculation gives the figure: of those nearby, or of one nearby with any other of the text. */
function isExplained(passage: Passage, { claim, near, acts, beside, place }: Case, best: Reading): boolean {
  const given = intervalOf(claim);
  const fits = ({ act, interval }: Reading) => acts.has(act) && overlaps(given, interval);
  const isHere = (one: Quantity) => sentenceOf(passage, one) === place;
  // A calculation that stands in one sentence needs no far-fetched one, and no figure from afar.
  if (best.parts.every(isHere))
    return readingsOf(claim, near, beside.window, beside.clause).some(
      (two) => fits(two) && (!two.isRemote || two.parts.every(isHere)),
    );
  if (readingsOf(claim, near, beside.window, beside.clause).some(fits)) return true;
  const own = near.filter((one) => sentenceOf(passage, one) >= place - 1);
  const terms = near.filter((one) => sentenceOf(passage, one) === place);
  const explains = (two: Reading) => !two.isRemote && fits(two);
  return passage.quantities.some(
    (far) =>
      far.start !== claim.start &&
      !near.includes(far) &&
      (own.some((one) => [...readingsOfTwo(claim, one, far), ...sums(claim, [one, far])].some(explains)) ||
        sums(claim, [...terms, far]).some(explains)),
  );
}

function distance({ value }: Reading, claim: Quantity): number {
  return Math.abs(Math.log(value / claim.value));
}

/** A slip of the pen is near, or a factor of ten, a hundred or a thousand away. */
function isNear(one: Reading, claim: Quantity): boolean {
  if (one.value <= 0) return false;
  const far = distance(one, claim);
  if (far < Math.log(one.act === "ratio" ? 6 : 3)) return true;
  const digits = /[\d.,]+/.exec(claim.shown)?.[0].replace(/\D|^0+|0+$/g, "") ?? "";
  return (
    digits.length >= 2 &&
    !isPart(claim) &&
    [10, 100, 1000].some((power) => Math.abs(far - Math.log(power)) < 0.02)
  );
}

/** Whether any calculation with figures nearby gives a figure, or its words put it into another world. */
export function isBorneOut(
  passage: Passage,
  { claim: figure, shown: told }: Slip,
  price?: Quantity,
): boolean {
  const claim = rounded(inCents(passage, figure));
  const place = sentenceOf(passage, claim);
  const { clause, ahead } = besideOf(passage, claim);
  if (isNoResult(claim, clause) || projected.test(ahead) || isElsewhere.test(`${ahead.slice(-120)}¤`))
    return true;
  if (/\b(?:remain\w*|the rest|left)\b/i.test(clause) && isRestOfSome(passage, claim)) return true;
  const at = (one: Quantity) => sentenceOf(passage, one) - place;
  const named = passage.quantities.filter((one) => at(one) <= 0 && at(one) >= -2 && told.includes(one.shown));
  const first = Math.min(...named.map(at), 0);
  // The sentences that the finding calculates with may explain the figure in another way.
  const here = passage.quantities.filter(
    (one) => one.start !== claim.start && !isWord(one) && at(one) <= 0 && at(one) >= first,
  );
  // A change, a share or a multiple may be one of today's price, which readers see beside the text.
  const near = price === undefined || isSum(claim) ? here : [...here, price];
  const acts = isPart(claim) ? actsOf(claim, besideOf(passage, claim)) : undefined;
  const window = passage.text.slice(passage.starts[place + first] ?? 0, passage.starts[place + 1]);
  const given = intervalOf(claim);
  return (
    readingsOf(claim, near.slice(-14), window, clause).some(
      ({ isRemote, interval, act, parts }) =>
        !isRemote &&
        (acts === undefined || acts.has(act)) &&
        // The figures that the finding names have been calculated with.
        !parts.every((one) => told.includes(one.shown)) &&
        overlaps(given, interval),
    ) ||
    isOfMany(
      claim,
      near.filter((one) => at(one) === 0),
    )
  );
}

/** What would be without something: the text need not give what that is. */
const isElsewhere =
  /\b(?:would have (?:been|risen|fallen|grown|come)|without (?:it|them|this|that|these|those)\b[^;:]{0,60})[^;:,]{0,40}¤/i;

/** What some figures before it leave of a larger one anywhere in the text. */
function isRestOfSome(passage: Passage, claim: Quantity): boolean {
  const alike = passage.quantities.filter(
    (one) => one.start < claim.start && isSum(one) && isSame(one, claim),
  );
  const given = intervalOf(claim);
  const parts = alike.slice(-6);
  const sumsOfParts = Array.from(
    { length: 2 ** parts.length },
    (_, mask) => totalOf(parts.filter((_part, at) => (mask >> at) % 2 === 1)).interval,
  );
  return alike.some((whole) =>
    sumsOfParts.some(([low, high]) =>
      overlaps(given, [intervalOf(whole)[0] - high, intervalOf(whole)[1] - low]),
    ),
  );
}

/** Steps of a projection, which goes on from figures that it does not give. */
const projected =
  /\b(?:after (?:\p{L}+ ){1,2}(?:years?|quarters?)|in (?:\p{L}+ ){1,2}years' time|multipl\w+ by (?:two|three|four|twelve)|(?:is|are|would be) then)\b[^;]*$/iu;

/** "Two thirds of the growth", "three of them", "20 more": what they are of does not stand at the figures. */
function isNoResult(claim: Quantity, clause: string): boolean {
  if (
    claim.kind === "count" &&
    claim.noun === undefined &&
    claim.value <= 12 &&
    /^\p{L}+$/u.test(claim.shown)
  )
    return true;
  // "The 12% was the growth of the quarter before": of figures that the text does not give.
  if (
    /¤ (?:is|was|were|are) the (?:\p{L}+ ){0,2}(?:of|for) (?:the |last )?(?:\p{L}+ )?(?:year|quarter|month|week|half)\b/iu.test(
      clause,
    )
  )
    return true;
  // "20 more than the 46.3%" are points of another figure's unit.
  if (claim.kind === "percent" && /^\d+$/.test(claim.shown)) return true;
  return (
    isPart(claim) &&
    /¤ of (?:its|their|the) (?:former|previous|old|earlier|usual)\b|¤ of (?:the|this|that|those|these|its|all) (?:growth|increase|rise|gain|decline|drop|fall|difference|change|points?|gap|improvement)\b/i.test(
      clause,
    )
  );
}

/** "A times B plus C times D", and three figures multiplied. */
function isOfMany(claim: Quantity, near: readonly Quantity[]): boolean {
  if (!isSum(claim)) return false;
  const given = intervalOf(claim);
  const product = (some: readonly Quantity[]) =>
    some.map(intervalOf).reduce((one, other) => combined(one, other, (x, y) => x * y));
  return near.some((one, at) => {
    const four = near.slice(at, at + 4);
    const threes = near
      .slice(at + 1)
      .flatMap((second, next) => near.slice(at + next + 2).map((third) => [one, second, third]));
    if (threes.some((some) => overlaps(given, product(some)))) return true;
    if (four.length < 4) return false;
    const [left, right] = [product(four.slice(0, 2)), product(four.slice(2))];
    return overlaps(given, [left[0] + right[0], left[1] + right[1]]);
  });
}
