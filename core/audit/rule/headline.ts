import { findQuantities } from "../numbers.ts";
import { plain, rememberResults, splitSentences, toVisibleText } from "../passage.ts";
import { areComparable, findInterval, findScale, overlaps, type Quantity } from "../quantity.ts";
import type { AuditDraft, AuditFacts, Issue } from "../schema.ts";
import { makeFinding, type Rule } from "./rule.ts";
import { findContradiction, needsSource } from "./sources.ts";

/** The article's text must contain what its headline announces, and must not contradict the headline. */
export const headline: Rule = {
  check: "headline",
  label: "Headline",
  by: "rules and model",
  cannotJudge: "whether a figure of speech is a good one",
  find: (draft, facts) => checkTeaser("headline", draft, facts),
};

/** The article's text must contain what its preview announces, and must not contradict the preview. */
export const preview: Rule = {
  check: "preview",
  label: "Preview",
  by: "rules and model",
  cannotJudge: "whether what the body gives is worth its price",
  find: (draft, facts) => checkTeaser("preview", draft, facts),
};

const readBody = rememberResults((markdown: string) => {
  const sentences = splitSentences(toVisibleText(markdown));
  const figures = sentences.slice(0, 400).map((line) => findQuantities(line.slice(0, 20_000)).slice(0, 200));
  return { sentences, figures, given: figures.flat() };
}, 2);

/**
 * Finds numbers in a headline or preview that the article's body does not contain, or that a sentence of the body contradicts.
 */
function checkTeaser(
  place: "headline" | "preview",
  draft: AuditDraft,
  { quote }: AuditFacts,
): readonly Issue[] {
  const body = readBody(draft.body);
  return splitSentences(plain(draft[place]))
    .flatMap((sentence) => findQuantities(sentence).map((claim) => ({ claim, sentence })))
    .filter(({ claim }) => isNeededFigure(claim) && !isDayPrice(claim, quote))
    .filter(
      ({ claim }) => !body.given.some((one) => isSameValue(claim, one) || isSameExcessShare(claim, one)),
    )
    .map(({ claim, sentence }) => ({
      claim,
      otherwise: findOtherFigure(claim, sentence, body),
    }))
    .filter(({ claim, otherwise }) => otherwise !== undefined || !isCalculated(claim, body.given))
    .slice(0, 2)
    .map(({ claim, otherwise }) =>
      otherwise === undefined
        ? makeFinding(
            "low",
            place,
            `Where does the text give this figure of the ${place}?`,
            claim.shown,
            `Give the figure in the text, or take it out of the ${place}.`,
          )
        : makeFinding(
            "high",
            place,
            `The ${place} says ${claim.shown}, the body says otherwise`,
            otherwise,
            "Give the same number in both places.",
          ),
    );
}

/** Two numbers of the body form a pair only if both are among this many consecutive numbers. */
const tried = 12;

/** Whether the number is the change, share, sum, difference or product of two numbers that stand near each other. */
function isCalculated(claim: Quantity, figures: readonly Quantity[]): boolean {
  const said = findInterval(claim);
  const fits = (value: number) => overlaps(said, [value, value]) || overlaps(said, [-value, -value]);
  return figures.some((one, at) =>
    figures.slice(at + 1, at + tried).some((other) => {
      const [x, y] = [one.value, other.value];
      if (x * y === 0) return false;
      const sums = areComparable(one, other) ? [x + y, x - y] : [];
      const parts = [(y / x - 1) * 100, (x / y - 1) * 100, (x / y) * 100, (y / x) * 100];
      const others = claim.kind === "percent" ? parts : [x * y, (x * y) / 100, x / y, y / x];
      return [...sums, ...others].some(fits);
    }),
  );
}

const changeBefore =
  /\b(?:up|down|by|adds?|added|gains?|gained|loses?|lost|saves?|saved|cuts?|another|extra|additional) (?:about |around |nearly |almost |over )?$/i;
const changeAfter = /^ (?:more|less|higher|lower)\b/i;

/**
 * Finds a sentence of the body that contradicts the number. If the number is the size of a change, a sentence with two amounts that differ
 * by this number does not contradict the number.
 */
function findOtherFigure(
  claim: Quantity,
  sentence: string,
  { sentences, figures }: ReturnType<typeof readBody>,
): string | undefined {
  if (!needsSource(claim)) return undefined;
  const isChange =
    changeBefore.test(sentence.slice(0, claim.start)) || changeAfter.test(sentence.slice(claim.end));
  const others = isChange ? sentences.filter((_, at) => !isDifference(claim, figures[at] ?? [])) : sentences;
  return findContradiction({ figure: claim, sentence }, others);
}

function isDifference(claim: Quantity, figures: readonly Quantity[]): boolean {
  return figures.some((one, at) =>
    figures.slice(at + 1, at + tried).some((other) => {
      const change = Math.abs(one.value - other.value);
      return areComparable(one, other) && overlaps(findInterval(claim), [change, change]);
    }),
  );
}

/** Today's price need not occur in the article's body, because readers see the quote beside the text. */
function isDayPrice({ kind, currency, value }: Quantity, { dayLow, dayHigh }: AuditFacts["quote"]): boolean {
  return kind === "money" && currency === "USD" && value >= dayLow * 0.995 && value <= dayHigh * 1.005;
}

/**
 * Whether the article's body must also contain this number. The body need not give small numbers without a unit, because such numbers only
 * count reasons or days.
 */
function isNeededFigure({ kind, isBare, shown }: Quantity): boolean {
  // The words "a hundred billion" do not mean an exact number.
  return !isBare && !/^a\b/i.test(shown) && (kind === "money" || kind === "percent" || kind === "count");
}

/** Whether two rounded numbers could stand for the same exact number. A number in a table can lack a unit. */
function isSameValue(claim: Quantity, other: Quantity): boolean {
  const near =
    overlaps(findInterval(claim), findInterval(other)) ||
    Math.abs(claim.value - other.value) <= 0.01 * Math.abs(claim.value);
  const isShare = (kind: Quantity["kind"]) => kind === "percent" || kind === "points";
  if (
    near &&
    isShare(claim.kind) === isShare(other.kind) &&
    (claim.currency === other.currency || other.isBare || mayBeMoney(claim) || mayBeMoney(other))
  )
    return true;
  const bare = claim.value / findScale(claim);
  return (
    other.isBare && Math.abs(bare - other.value) <= Math.max(claim.slack / findScale(claim), 0.01 * bare)
  );
}

/** Whether two numbers have the same meaning, such as "108% of the cash flow" and "8% above the cash flow". */
function isSameExcessShare(claim: Quantity, other: Quantity): boolean {
  const [low, high] = findInterval(claim);
  const isOver = claim.kind === "percent" && other.kind === "percent" && claim.value > 100;
  return isOver && overlaps([low - 100, high - 100], findInterval(other));
}

/** Whether a number that is written without a currency may be an amount of money, such as "95 billion" after "120 billion yen". */
function mayBeMoney(figure: Quantity): boolean {
  return figure.kind === "count" && figure.noun === undefined && findScale(figure) > 1;
}
