import { findQuantities } from "../numbers.ts";
import {
  folded,
  isQuotedSpeech,
  keepFirstPerKey,
  listQuantities,
  listStems,
  plain,
  readPassage,
  readSentence,
} from "../passage.ts";
import {
  areComparable,
  borrowUnit,
  combineIntervals,
  findInterval,
  type Interval,
  overlaps,
  type Quantity,
} from "../quantity.ts";
import type { Issue } from "../schema.ts";
import { makeFinding, type WordingRule, writeFigure } from "./rule.ts";

/** A figure that does not follow from the neighbouring figures, and the calculation that proves the error. */
export type FigureError = { readonly claim: Quantity; readonly shown: string; readonly sentence: string };

/** The maximum number of paragraphs whose figures are checked; even the longest texts by people have fewer paragraphs. */
const looked = 400;
const most = 4;

/**
 * Repeats the calculations that a sentence or a table shows completely: a change "from A to B" with its percentage, a share of a named
 * whole, and a table's totals and changes. If a sentence or a table does not show a calculation completely, the model lists the calculation
 * (`calculation.ts`). If a rule guessed from the sentences how the figures depend on each other, the rule would stop more correct articles
 * than wrong articles.
 */
export const arithmetic: WordingRule = {
  check: "arithmetic",
  label: "Figures that do not add up",
  by: "rules and model",
  cannotJudge: "figures whose parts the text does not give",
  holdsOurs: true,
  find: ({ headline, preview, body }) => {
    const lines = [headline, preview, ...body.split("\n")].filter(
      (line) => /\d/.test(line) && !/^\s*\|/.test(line),
    );
    return listErrorIssues([
      ...lines
        .slice(0, looked)
        .flatMap((line) => plain(line).split("\n"))
        .flatMap((line) => findSentenceErrors(line.trim())),
      ...findTableErrors(folded(body)),
    ]);
  },
};

/**
 * The findings about wrong figures: at most one per sentence and one per figure. The function `decide` finds the wrong figure in a
 * finding's text after the words "the text says".
 */
export function listErrorIssues(errors: readonly FigureError[]): readonly Issue[] {
  const bySentence = keepFirstPerKey(errors, ({ sentence }) => sentence);
  return keepFirstPerKey(bySentence, ({ claim }) => `${claim.kind} ${claim.value}`)
    .slice(0, most)
    .map(({ claim, shown: calculation, sentence }) =>
      makeFinding(
        "high",
        "arithmetic",
        `A figure that does not add up: ${calculation}, the text says ${claim.shown}`,
        sentence,
        "Correct the figure or its basis, or say what the figure is calculated from.",
      ),
    );
}

/**
 * Words which show that the text does not calculate a figure itself, because the figure is an estimate by others, a plan, a correction or a
 * supposition.
 */
const supposed =
  /\b(?:if|would|could|might|suppose|assum\w+|imagine|analysts?|consensus|estimates|expectations|forecasts?|guidance|targets?|corrections?|corrected|wrote|written|wrong\w*|mistak\w*|misprint\w*|error)\b|n't\b|\bnot\b/i;
/** Words which show that a percentage is not simply the change between the two figures of its sentence. */
const otherBase =
  /\b(?:a year(?! (?:earlier|ago|before))|per year|per annum|annual(?:ly|i[sz]ed)?|(?:each|every) year|yearly|compound(?:ed)?|cagr|average|constant[- ]currenc\w+|currency|organic\w*|like-for-like|same-store|comparable|excluding|adjust\w*|inflation|real terms|without|split|margins?|share|rate|yields?|stake)\b/i;

function findSentenceErrors(paragraph: string): readonly FigureError[] {
  const passage = readPassage(paragraph);
  return passage.counted.flatMap((number) => {
    const sentence = readSentence(passage, number);
    const figures = listQuantities(passage, number);
    const start = passage.starts[number] ?? 0;
    if (figures.length < 3 || figures.length > 8 || sentence.length > 500 || supposed.test(sentence))
      return [];
    const readBetween = (one: Quantity, other: Quantity) => passage.text.slice(one.end, other.start);
    const readBefore = (one: Quantity) => passage.text.slice(Math.max(start, one.start - 60), one.start);
    const readAfter = (one: Quantity) => passage.text.slice(one.end, one.end + 60);
    const said = { sentence, figures, readBetween, readBefore, readAfter };
    return [...findChangeErrors(said), ...findShareErrors(said)]
      .filter(({ claim }) => !isQuotedSpeech(sentence, claim.start - start))
      .map((error) => ({ ...error, sentence }));
  });
}

type SentenceFigures = {
  readonly sentence: string;
  readonly figures: readonly Quantity[];
  readonly readBetween: (one: Quantity, other: Quantity) => string;
  readonly readBefore: (one: Quantity) => string;
  readonly readAfter: (one: Quantity) => string;
};

const few = String.raw`(?: (?!and\b|or\b|to\b|by\b)[\p{L}'’-]+){0,3} ?`;
const from = new RegExp(String.raw`\bfrom${few}$`, "iu");
const to = new RegExp(String.raw`^(?: (?!and\b|or\b|from\b|by\b)[\p{L}'’-]+){0,5},? to${few}$`, "iu");
const backTo = new RegExp(String.raw`^(?: [\p{L}'’-]+){0,3},? (?:up |down )?from${few}$`, "iu");

/** Checks a sentence with one pair of figures and one percentage, such as "From 81.0 to 85.1 million, or 5.1%". */
function findChangeErrors({
  sentence,
  figures,
  readBetween,
  readBefore,
  readAfter,
}: SentenceFigures): readonly Omit<FigureError, "sentence">[] {
  const pairs = figures.flatMap((figure, at) => {
    const next = figures[at + 1];
    if (next === undefined) return [];
    const [one, other] = [borrowUnit(figure, next), borrowUnit(next, figure)];
    if (!isAmount(one) || !areComparable(one, other) || one.value <= 0 || other.value <= 0) return [];
    const gap = readBetween(figure, next);
    if (from.test(readBefore(figure)) && to.test(gap)) return [[one, other] as const];
    return /\bto (?:about )?$/i.test(readBefore(figure)) && backTo.test(gap) ? [[other, one] as const] : [];
  });
  const [pair] = pairs;
  const claims = figures.filter(({ kind }) => kind === "percent");
  const [claim] = claims;
  const used = pair?.map(({ start }) => start) ?? [];
  // If the sentence has a third amount or another percentage, the change may be measured from that third amount or other percentage.
  const others = figures.filter((one) => one !== claim && isAmount(one) && !used.includes(one.start));
  if (
    pair === undefined ||
    claim === undefined ||
    pairs.length > 1 ||
    claims.length > 1 ||
    // A change is never measured from a small count such as "two years" or "three markets".
    others.some(({ kind, value }) => kind === "money" || value >= 50)
  )
    return [];
  if (
    otherBase.test(sentence) ||
    isOfOtherSubject(sentence, readBefore(claim)) ||
    /^ (?:of|for)\b/.test(readAfter(claim)) ||
    comparison.test(readAfter(claim)) ||
    /\b(?:from|to|at) $/.test(readBefore(claim))
  )
    return [];
  const [old, young] = pair;
  const [first, last] = old.start < young.start ? [old, young] : [young, old];
  const isReaction =
    claim.start < first.start
      ? security.test(readBefore(claim)) && reason.test(readBetween(claim, first))
      : reaction.test(readBetween(last, claim));
  if (isReaction) return [];
  const change = combineIntervals(findInterval(old), findInterval(young), (was, is) => (is / was - 1) * 100);
  const told = findInterval(claim);
  if (overlaps(told, change) || overlaps(told, [-change[1], -change[0]])) return [];
  const percent = (young.value / old.value - 1) * 100;
  const sign = percent > 0 ? "+" : "";
  return [{ claim, shown: `from ${old.shown} to ${young.shown} is ${sign}${percent.toFixed(1)}%` }];
}

/** Matches words after a percentage that name another base than the first figure, as in "12% below 2019". */
const comparison =
  /^ (?:(?:more|less|fewer|higher|lower) than|above|below|ahead of|short of) (?!(?:a|the|last) year\b)/i;

const contrast =
  /\b(?:while|whereas|(?:and|but)(?! (?:\p{L}+ly|also|even|hence|in|indeed|overall|so|then|thereby|therefore|thus)\b)) ((?:(?!(?:while|whereas|and|but)\b)[\p{L}'’-]+ ){1,4})(?:rose|fell|grew|sank|shrank|slid|lost|gained|dropped|declined|increased|decreased|climbed|jumped|slipped)(?: by)?(?: (?:about|around|only|just|nearly|almost))? $/iu;
const sameSubject =
  /\b(?:it|they|that|this|these|those|which|totals?|sums?|numbers?|figures?|growth|increases?|decreases?|rises?|gains?|changes?|counts?|base|levels?|values?|amounts?|results?)\b/i;

/** Words that may name the same subject again, as in "Services rose from … to …, while the segment grew 35%". */
const subjectAgain =
  /\b(?:segments?|units?|divisions?|business(?:es)?|lines?|compan(?:y|ies)|groups?|firms?|sales|revenues?|turnover|same|rest|quarter|year|period)\b/i;

/** Whether a percentage belongs to another subject than the rest of the sentence, as in "while net income fell 3%". */
function isOfOtherSubject(sentence: string, textBefore: string): boolean {
  const [, subject = ""] = contrast.exec(textBefore) ?? [];
  const [named, rest] = [listStems(subject), listStems(sentence.replace(subject, ""))];
  if (sameSubject.test(sentence) || subjectAgain.test(subject)) return false;
  return named.size > 0 && ![...named].some((stem) => rest.has(stem));
}

const shares = String.raw`\b(?:shares|stocks?|tokens?|adrs?|investors)\b`;
const security = new RegExp(shares, "i");
/** Matches the words between the change of a security and the figures that explain it, as in "Shares fell 3% after revenue rose from". */
const reason =
  /\b(?:after|although|as|because|despite|even|since|though|when|while)\b(?!.{0,80}, (?:up |down )?from)/i;
/** Matches the words between two figures and the reaction of a security, as in "sales rose from … to …, sending the shares up". */
const reaction = new RegExp(String.raw`(?:,|\b(?:and|as|but|so|though|while|with)\b)[^,]*${shares}`, "i");

function isAmount({ kind }: Quantity): boolean {
  return kind === "money" || kind === "count";
}

const makesUp =
  /^(?:,| [\p{L}'’-]+){0,6} (?:is|was|are|were|makes? up|made up|represents?|represented|accounts? for|accounted for|equals?)(?: (?:now|only|just|about|around|roughly|nearly|almost|some))* $/iu;
const ofWhole = /^ of (?:the |its |their |all |a total of )(?:[\p{L}'’-]+ ){0,4}$/iu;
const orShare =
  /^(?: [\p{L}'’-]+){0,6},? ?(?:or|that is|i\.e\.|which is|a share of|which makes?|making|=|\()(?: (?:about|around|roughly|nearly|almost|some))? ?$/iu;
const gives =
  /^(?: [\p{L}'’-]+){0,4} (?:is|are|equals?|makes?|comes? to)(?: (?:about|around|roughly|nearly|almost))? $/iu;

/**
 * Checks shares such as "$600 million is 40% of the segment's $1.5 billion", "352 of the 640, or 55%" or "40% of the $1.5 billion is $600
 * million".
 */
function findShareErrors({
  figures,
  readBetween,
  readAfter,
}: SentenceFigures): readonly Omit<FigureError, "sentence">[] {
  return figures.flatMap((one, at) => {
    const [second, third] = [figures[at + 1], figures[at + 2]];
    if (second === undefined || third === undefined) return [];
    const [gap, next] = [readBetween(one, second), readBetween(second, third)];
    const [claim, part, whole] =
      second.kind === "percent" && makesUp.test(gap) && ofWhole.test(next)
        ? [second, one, third]
        : third.kind === "percent" &&
            ofWhole.test(gap) &&
            orShare.test(next) &&
            !/^ of\b/.test(readAfter(third))
          ? [third, one, second]
          : one.kind === "percent" && ofWhole.test(gap) && gives.test(next)
            ? [one, third, second]
            : [];
    if (claim === undefined || part === undefined || whole === undefined) return [];
    const [top, bottom] = [borrowUnit(part, whole), borrowUnit(whole, part)].map((figure) => ({
      ...figure,
      noun: undefined,
      per: undefined,
    }));
    if (top === undefined || bottom === undefined || !isAmount(top) || !areComparable(top, bottom)) return [];
    if (top.value <= 0 || bottom.value <= 0 || top.value > bottom.value) return [];
    const share = combineIntervals(findInterval(top), findInterval(bottom), (x, y) => (x / y) * 100);
    const given = findInterval(claim);
    if (overlaps(given, share) || overlaps(given, [100 - share[1], 100 - share[0]])) return [];
    const percent = writeFigure((top.value / bottom.value) * 100, { kind: "percent", currency: "" });
    return [{ claim, shown: `${part.shown} of ${whole.shown} is ${percent}` }];
  });
}

type TableRow = {
  readonly label: string;
  readonly cells: readonly (Quantity | undefined)[];
  readonly line: string;
};
/** The maximum number of rows of a table; the figures of a longer table are not checked. */
const longestTable = 60;

const isRule = /^[\s|:-]+$/;
const totalName =
  /^\W*(?:total(?! (?:assets|debt|liabilities|equity|deposits|return|capital|borrowings)\b)|sum|all(?! others?\b|[ -]time (?:highs?|lows?|records?|best|peak)$)|together|altogether|overall|group total|grand total)\b/i;
/** Labels of rows whose figures are already part of the figures of a row above them. */
const partName = /^[\W_]*(?:of which|thereof|incl(?:uding\b|\.))/i;
const changeName =
  /\b(?:change|growth|yoy|y\/y|year[- ]on[- ]year|year[- ]over[- ]year|difference|diff\.?|±|delta|%)|^\s*[%+±]/i;

/** Finds rows of Markdown tables whose change or total does not follow from the other cells. */
function findTableErrors(markdown: string): readonly FigureError[] {
  const lines = markdown.split("\n");
  const found: FigureError[] = [];
  let block: string[] = [];
  for (const line of [...lines, ""]) {
    if (/^\s*\|.*\|/.test(line)) block.push(line);
    else {
      if (block.length >= 3) found.push(...checkTable(block));
      block = [];
    }
  }
  return found;
}

function checkTable(block: readonly string[]): readonly FigureError[] {
  // Besides its rows, a Markdown table has two lines: the header, and the line of dashes below the header.
  if (block.length > longestTable + 2) return [];
  const [heads = [], ...rest] = block.filter((line) => !isRule.test(line)).map(splitCells);
  const lines = block.filter((line) => !isRule.test(line)).slice(1);
  const rows = rest.map(
    (cells, at): TableRow => ({
      label: cells[0] ?? "",
      cells: cells.map((cell, column) => (column === 0 ? undefined : parseCell(cell))),
      line: lines[at] ?? "",
    }),
  );
  return [...checkChanges(heads, rows), ...checkTotals(rows)];
}

function splitCells(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

/** The value of a table cell that contains one number; brackets or a currency may stand beside the number. */
function parseCell(cell: string): Quantity | undefined {
  const text = cell.replace(/[*_`]/g, "");
  const [one, ...others] = findQuantities(text);
  if (one === undefined || others.length > 0 || cell.length > one.shown.length + 12) return undefined;
  // Accountants write a negative amount in brackets.
  return /^\s*(?:[$€£]\s*)?\(/.test(text) && one.value > 0 ? { ...one, value: -one.value } : one;
}

/**
 * Compares a table's column of changes with the two columns before it. The older of the two compared figures may stand in the left or in
 * the right column.
 */
function checkChanges(heads: readonly string[], rows: readonly TableRow[]): readonly FigureError[] {
  const column = heads.findIndex((head, at) => at >= 3 && changeName.test(head));
  if (column < 0) return [];
  const judged = rows.flatMap(({ cells, line }) => {
    const [one, other, claim] = [cells[column - 2], cells[column - 1], cells[column]];
    if (!one?.value || !other?.value || claim === undefined || one.kind !== other.kind) return [];
    const [forward, backward] = [isChangeCorrect(one, other, claim), isChangeCorrect(other, one, claim)];
    return [{ line, claim, forward, backward, one, other }];
  });
  const isForward =
    judged.filter(({ forward }) => forward).length >= judged.filter(({ backward }) => backward).length;
  // If a column of changes fits no row of the table, the column shows something other than the change between the two columns before it. No
  // error is reported for a column that fits no row.
  if (judged.length > 1 && judged.every(({ forward, backward }) => !forward && !backward)) return [];
  return judged.flatMap(({ line, claim, forward, backward, one, other }) => {
    if (isForward ? forward : backward) return [];
    const [old, young] = isForward ? [one, other] : [other, one];
    const percent = (young.value / old.value - 1) * 100;
    const calculation = `${old.shown} to ${young.shown} is ${percent >= 0 ? "+" : ""}${percent.toFixed(1)}%`;
    return [{ claim, shown: calculation, sentence: line }];
  });
}

function isChangeCorrect(oldFigure: Quantity, newFigure: Quantity, claim: Quantity): boolean {
  const given = findInterval(claim);
  const difference = combineIntervals(
    findInterval(oldFigure),
    findInterval(newFigure),
    (from, to) => to - from,
  );
  const relative = combineIntervals(
    findInterval(oldFigure),
    findInterval(newFigure),
    (from, to) => (to / from - 1) * 100,
  );
  const fits = (change: Interval) =>
    overlaps(given, change) ||
    (claim.value >= 0 && !claim.shown.startsWith("+") && overlaps(given, [-change[1], -change[0]]));
  return fits(relative) || ((claim.kind !== "percent" || oldFigure.kind === "percent") && fits(difference));
}

function checkTotals(rows: readonly TableRow[]): readonly FigureError[] {
  const at = rows.findLastIndex(({ label }) => totalName.test(label.replace(/[*_]/g, "")));
  const sum = rows[at];
  const terms = rows.slice(0, Math.max(0, at));
  if (sum === undefined || terms.length < 2) return [];
  return sum.cells.flatMap((claim, column) => {
    const parts = terms.map(({ cells }) => cells[column]);
    const given = parts.filter((one) => one !== undefined);
    if (claim === undefined || given.length !== parts.length || given.some(({ kind }) => kind !== claim.kind))
      return [];
    if (claim.kind === "percent" && Math.abs(claim.value - 100) > 0.5) return [];
    const own = removeSubtotals(
      given.filter((_, row) => row === 0 || !partName.test(rows[row]?.label ?? "")),
    );
    const sums = [own, removeSubtotals(given)].map(addIntervals);
    if (sums.some((added) => overlaps(findInterval(claim), added))) return [];
    const value = own.reduce((result, one) => result + one.value, 0);
    return [{ claim, shown: `the column adds up to ${writeFigure(value, claim)}`, sentence: sum.line }];
  });
}

/** Leaves out the rows of a table that are already contained in a subtotal, so that the total does not count these rows twice. */
function removeSubtotals(rows: readonly Quantity[]): readonly Quantity[] {
  const kept: Quantity[] = [];
  for (const row of rows) {
    const from = kept.findIndex((_, at) => {
      const group = kept.slice(at);
      return group.length >= 2 && overlaps(findInterval(row), addIntervals(group));
    });
    if (from >= 0) kept.splice(from);
    kept.push(row);
  }
  return kept;
}

function addIntervals(rows: readonly Quantity[]): Interval {
  const all = rows.map(findInterval);
  return all.reduce(([low, high], [least, most]) => [low + least, high + most], [0, 0]);
}
