import { quantitiesIn } from "../numbers.ts";
import { plain, remembering, sentences } from "../passage.ts";
import { areAlike, intervalOf, likened, overlaps, type Quantity, scaleOf } from "../quantity.ts";
import type { AuditDraft, AuditFacts, Issue } from "../schema.ts";
import { finding, type Rule } from "./rule.ts";
import { contradiction, isFigure } from "./sources.ts";

/** What the headline announces must be in the text, and the text must not say otherwise. */
export const headline: Rule = {
  check: "headline",
  label: "Headline",
  by: "rules and model",
  cannotJudge: "whether a figure of speech is a good one",
  mayStop: true,
  holdsOurs: false,
  find: (draft, facts) => teased("headline", draft, facts),
};

/** What the preview announces must be in the text, as that of the headline. */
export const preview: Rule = {
  check: "preview",
  label: "Preview",
  by: "rules and model",
  cannotJudge: "whether what the body gives is worth its price",
  mayStop: true,
  holdsOurs: false,
  find: (draft, facts) => teased("preview", draft, facts),
};

const readBody = remembering((markdown: string) => {
  const text = plain(markdown);
  return { sentences: sentences(text), lines: linesOf(text) };
}, 2);

/** Figures of a teaser that the body contradicts in a sentence about the same; one that it does not give is asked for. */
function teased(place: "headline" | "preview", draft: AuditDraft, { quote }: AuditFacts): readonly Issue[] {
  const body = readBody(draft.body);
  const given = body.lines.flat();
  return sentences(plain(draft[place]))
    .flatMap((sentence) => quantitiesIn(sentence).map((claim) => ({ claim, sentence })))
    .filter(({ claim }) => isTold(claim) && !isOfQuote(claim, quote))
    .filter(({ claim }) => !given.some((one) => isSame(claim, one) || isExcess(claim, one)))
    .map(({ claim, sentence }) => ({
      claim,
      otherwise: isFigure(claim) ? contradiction({ figure: claim, sentence }, body.sentences) : undefined,
    }))
    .filter(({ claim, otherwise }) => otherwise !== undefined || !isWorkedOut(claim, body.lines))
    .slice(0, 2)
    .map(({ claim, otherwise }) =>
      otherwise === undefined
        ? finding(
            "low",
            place,
            `Where does the text give this figure of the ${place}?`,
            claim.shown,
            `Give it in the text, or take it out of the ${place}.`,
          )
        : finding(
            "high",
            place,
            `The ${place} says ${claim.shown}, the body says otherwise`,
            otherwise,
            "Make the two agree.",
          ),
    );
}

/** Whether two figures of one paragraph give it. */
function isWorkedOut(claim: Quantity, lines: readonly (readonly Quantity[])[]): boolean {
  return lines.some((line, at) => isDerived(claim, [...line, ...(lines[at + 1] ?? [])]));
}

/** The quantities of each sentence; a table and the items of a list are one. */
function linesOf(text: string): readonly (readonly Quantity[])[] {
  return text
    .split(/\n(?:\s*\n)+/)
    .filter((block) => /\S/.test(block))
    .slice(0, 400)
    .flatMap((block) => (/\n/.test(block.trim()) ? [block] : sentences(block)))
    .map((line) => quantitiesIn(line.slice(0, 20_000)).slice(0, 200));
}

/** Today's price needs no place in the body: readers see the quote beside the text. */
function isOfQuote({ kind, currency, value }: Quantity, { dayLow, dayHigh }: AuditFacts["quote"]): boolean {
  return kind === "money" && currency === "USD" && value >= dayLow * 0.995 && value <= dayHigh * 1.005;
}

/** Figures of one paragraph that are tried in pairs. */
const tried = 24;

/** What can be worked out from two figures of one paragraph: a change, a share, a sum, a difference, a product. */
function isDerived(claim: Quantity, line: readonly Quantity[]): boolean {
  const given = intervalOf(claim);
  const found = line.slice(0, tried);
  const fits = (value: number) => overlaps(given, [value, value]) || overlaps(given, [-value, -value]);
  return found.some((one, at) =>
    found.slice(at + 1).some((other) => {
      const [x, y] = [likened(one, other).value, likened(other, one).value];
      if (x === 0 || y === 0) return false;
      if (claim.kind === "percent")
        return areAlike(unnamed(likened(one, other)), unnamed(likened(other, one)))
          ? [(y / x - 1) * 100, (x / y - 1) * 100, (x / y) * 100, (y / x) * 100, x + y, x - y].some(fits)
          : false;
      return [x + y, x - y, x * y, (x * y) / 100, x / y, y / x].some(fits);
    }),
  );
}

function unnamed(one: Quantity): Quantity {
  return { ...one, noun: undefined, per: undefined };
}

/** A figure that says how much; small bare numbers count reasons and days. */
function isTold({ kind, isBare, shown }: Quantity): boolean {
  // "A hundred billion" is a manner of speaking.
  return !isBare && !/^a\b/i.test(shown) && (kind === "money" || kind === "percent" || kind === "count");
}

/** The same number, as exact as both are written; a table may give it without its unit. */
function isSame(claim: Quantity, other: Quantity): boolean {
  const near =
    overlaps(intervalOf(claim), intervalOf(other)) ||
    Math.abs(claim.value - other.value) <= 0.01 * Math.abs(claim.value);
  const isShare = (kind: Quantity["kind"]) => kind === "percent" || kind === "fraction" || kind === "points";
  if (
    near &&
    isShare(claim.kind) === isShare(other.kind) &&
    (claim.currency === other.currency || other.isBare || isUnsaid(claim) || isUnsaid(other))
  )
    return true;
  const bare = claim.value / scaleOf(claim);
  return other.isBare && Math.abs(bare - other.value) <= Math.max(claim.slack / scaleOf(claim), 0.01 * bare);
}

/** "108% of the cash flow" is what exceeds it by 8%. */
function isExcess(claim: Quantity, other: Quantity): boolean {
  const [low, high] = intervalOf(claim);
  const isOver = claim.kind === "percent" && other.kind === "percent" && claim.value > 100;
  return isOver && overlaps([low - 100, high - 100], intervalOf(other));
}

/** "95 billion" after "120 billion yen": the currency goes without saying. */
function isUnsaid(one: Quantity): boolean {
  return one.kind === "count" && one.noun === undefined && scaleOf(one) > 1;
}
