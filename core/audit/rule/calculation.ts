import { findQuantities } from "../numbers.ts";
import {
  escapePattern,
  findSentence,
  keepFirstPerKey,
  listQuantities,
  listWords,
  type Passage,
  plain,
  readPassage,
  readSentence,
  readTextBefore,
} from "../passage.ts";
import { findInterval, findScale, type Interval, parseNumber, type Quantity } from "../quantity.ts";
import type { AuditDraft, Issue } from "../schema.ts";
import { type FigureError, listErrorIssues } from "./arithmetic.ts";
import { removeHiddenText, removeUnreadableText } from "./hidden.ts";
import { type Calculation, findFigureError } from "./operation.ts";

/**
 * Repeats the calculations that a model lists, with the article's own figures. Each figure is looked up in the article; an entry with a
 * figure that the article does not contain counts as `dropped`. A model's entry may be a wrong calculation, but it cannot contain invented
 * figures.
 */
export function checkCalculations(
  draft: AuditDraft,
  calculations: readonly Calculation[],
): { readonly issues: readonly Issue[]; readonly dropped: number } {
  if (calculations.length === 0) return { issues: [], dropped: 0 };
  const readAll = (parts: readonly string[]) =>
    [...[draft.headline, draft.preview].map(removeUnreadableText), ...parts.map(removeHiddenText)]
      .map((part) => readPassage(plain(part).trim()))
      .filter(({ text }) => text !== "");
  const [lines, paragraphs] = [readAll(draft.body.split("\n")), readAll(draft.body.split(/\n\s*\n/))];
  // If a paragraph has several lines, its excerpt may begin on one line and end on another line.
  const told = calculations.map((one) =>
    checkCalculation(findQuotedFigures(lines, one.excerpt).length > 0 ? lines : paragraphs, one),
  );
  const errors = told.flatMap((one) => (typeof one === "string" ? [] : [one]));
  return {
    issues: listErrorIssues(errors),
    dropped: told.filter((one) => one === "not in the text").length,
  };
}

/** A figure and the passage that contains the figure. */
type PassageFigure = { readonly passage: Passage; readonly one: Quantity };

function checkCalculation(
  passages: readonly Passage[],
  calculation: Calculation,
): FigureError | "not in the text" | "no error" {
  const { excerpt, result, operation } = calculation;
  if (
    !listWords(plain(excerpt))
      .join(" ")
      .includes(listWords(plain(result)).join(" "))
  )
    return "not in the text";
  const claims = locateFigure(result, findQuotedFigures(passages, excerpt));
  const every = passages.flatMap((passage) => passage.quantities.map((one) => ({ passage, one })));
  const operands = calculation.operands.map((figure) => ({
    figure,
    places: locateFigure(
      figure,
      every.filter(({ one }) => !claims.some((claim) => claim.one === one)),
    ),
  }));
  const isMissing = ({ figure, places }: (typeof operands)[number]) =>
    places.length === 0 && !passages.some(({ text }) => hasFigure(text, figure));
  if (operands.some(isMissing)) return "not in the text";
  // The article contains the number, but the audit's rules do not treat this number as a figure (for example a year).
  if (operands.length === 0 || operands.some(({ places }) => places.length === 0)) return "no error";
  const errors = claims.map(({ passage, one: claim }): FigureError | undefined => {
    if (isDenied(readTextBefore(passage, claim)) || claim.value === 0) return undefined;
    const sentence = readSentence(passage, findSentence(passage, claim));
    const found = operands.map(({ places }) => preferSameParagraph(places, passage));
    const near = [{ passage, one: claim }, ...found.flat()].flatMap((place) =>
      listQuantities(place.passage, findSentence(place.passage, place.one)),
    );
    const chosen = found.map((places) => places.map(({ one }) => one));
    const used = new Set([claim, ...chosen.flat()]);
    const shown = findFigureError({
      operation,
      claim,
      said: readClaim(passage, claim),
      operands: chosen.map(keepWidestFigures),
      others: [...new Set(near)].filter((one) => !used.has(one) && one.value !== claim.value),
    });
    return shown === undefined ? undefined : { claim, shown, sentence };
  });
  // A figure that occurs twice in the excerpt is wrong only if it is wrong in both places.
  const [error] = errors;
  return error === undefined || errors.includes(undefined) ? "no error" : error;
}

/** The figures that stand in an excerpt of the article. */
function findQuotedFigures(passages: readonly Passage[], excerpt: string): readonly PassageFigure[] {
  const parts = listWords(plain(excerpt)).map(escapePattern);
  if (parts.length === 0) return [];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${parts.join("[^\\p{L}\\p{N}]+")}(?![\\p{L}\\p{N}])`, "iu");
  return passages.flatMap((passage) => {
    const found = pattern.exec(passage.text);
    if (found === null) return [];
    const end = found.index + found[0].length;
    return passage.quantities
      .filter((one) => one.start < end && one.end > found.index)
      .map((one) => ({ passage, one }));
  });
}

function hasFigure(text: string, figure: string): boolean {
  const sought = listWords(plain(figure)).join(" ");
  return sought !== "" && ` ${listWords(text).join(" ")} `.includes(` ${sought} `);
}

/**
 * Finds the positions of a figure in the article. If the given spelling does not occur, finds the positions where the same number has
 * another spelling.
 */
function locateFigure(figure: string, candidates: readonly PassageFigure[]): readonly PassageFigure[] {
  const text = plain(figure).trim();
  const [asked, ...further] = findQuantities(text);
  if (asked === undefined || further.length > 0) return [];
  const same = candidates.filter(({ one }) => isSameFigure(asked, one));
  const exact = same.filter(
    ({ one }) => normaliseFigure(one.shown) === normaliseFigure(asked.shown) && one.kind === asked.kind,
  );
  return exact.length > 0 ? exact : same;
}

/** If an operand's figure occurs in several paragraphs, the occurrence in the paragraph that states the result is preferred. */
function preferSameParagraph(
  places: readonly PassageFigure[],
  resultPassage: Passage,
): readonly PassageFigure[] {
  const beside = places.filter(({ passage }) => passage === resultPassage);
  return beside.length > 0 ? beside : places;
}

const normaliseFigure = (shown: string) => shown.toLowerCase().replace(/[\s-]/g, "");

/**
 * The model's "12.4" may stand for the article's "$12.4 billion", and the model's "$11.2 billion" may stand for the first figure of "$11.2
 * to 12.4 billion".
 */
function isSameFigure(modelFigure: Quantity, articleFigure: Quantity): boolean {
  if (readDigits(modelFigure) !== readDigits(articleFigure)) return false;
  if (modelFigure.isBare || articleFigure.isBare) return true;
  const areOfOneKind =
    modelFigure.kind === articleFigure.kind && modelFigure.currency === articleFigure.currency;
  if (areOfOneKind) return modelFigure.value === articleFigure.value || findScale(articleFigure) === 1;
  return (
    modelFigure.value === articleFigure.value &&
    (modelFigure.kind === "count" || articleFigure.kind === "count")
  );
}

function readDigits(figure: Quantity): number {
  const written = /\d[\d.,]*\d|\d/.exec(figure.shown)?.[0];
  return written === undefined ? figure.value / findScale(figure) : parseNumber(written);
}

/**
 * Keeps one figure for each kind, currency, value and hedge (such as "about"), and puts the figures with a hedge first. If the article once
 * says "some 40", every 40 in the article may mean 42.
 */
function keepWidestFigures(figures: readonly Quantity[]): readonly Quantity[] {
  const widest = figures.toSorted(
    (one, other) => Number(one.hedge === undefined) - Number(other.hedge === undefined),
  );
  return keepFirstPerKey(
    widest,
    ({ kind, currency, value, hedge }) => `${kind} ${currency} ${value} ${hedge}`,
  );
}

/** Whether the article itself says that the figure is wrong, as in "and not 65%". */
function isDenied(textBefore: string): boolean {
  return /\b(?:not|never|rather than|instead of)\b[^.,;:]{0,15}$/i.test(textBefore);
}

/** The interval of results that the article's words allow; for a range such as "10 to 12%" the interval contains both ends. */
function readClaim(passage: Passage, claim: Quantity): Interval {
  const at = passage.quantities.indexOf(claim);
  const ends = [-1, 0].flatMap((back) => {
    const [one, other] = [passage.quantities[at + back], passage.quantities[at + back + 1]];
    const gap = one && other && passage.text.slice(one.end, other.start);
    const isRange = gap !== undefined && /^(?: ?- ?| (?:to|or) (?:about )?)$/.test(gap);
    const isMove =
      one !== undefined && /\b(?:from|between|(?:range|band) of) $/.test(readTextBefore(passage, one));
    const end = one === claim ? other : one;
    return isRange && !isMove && end !== undefined && (end.kind === claim.kind || end.isBare)
      ? [end.value]
      : [];
  });
  const [low, high] = findInterval(claim);
  return [Math.min(low, ...ends), Math.max(high, ...ends)];
}
