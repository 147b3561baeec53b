import { findQuantities } from "../numbers.ts";
import { countLinks, formatQuote, keepFirstPerKey, listStems, plain, splitSentences } from "../passage.ts";
import type { Quantity } from "../quantity.ts";
import type { AuditFacts, Issue } from "../schema.ts";
import { makeFinding, type Rule } from "./rule.ts";

/** Words that name only a vague source for a claim, such as "analysts say". */
const hearsay =
  /\b(?:sources (?:say|said|close|familiar)|reports (?:say|said|suggest)|(?:analysts|experts|insiders|many|some) (?:\w+ )?(?:say|said|agree|believe|expect|estimate|think)|(?:studies|research|surveys?) (?:shows?|says?|finds?)|rumou?rs? (?:say|suggest|has it|have it)|(?:it )?is (?:reported|rumou?red|widely \w+)|reportedly|people familiar|word is|everyone knows)\b/i;
/** Words that introduce an imagined example. The numbers in an imagined example are not claims of fact. */
const hypothetical =
  /^(?:["'(]*)(?:if|suppose|assume|imagine|say|picture|take|consider|let us)\b|\b(?:would (?:be|cost|come|make|have|need|mean|pay|earn)|hypothetical\w*|for example|for instance)\b/i;
/** Matches a named person, company or document that a reader can look up. */
const named =
  /\b(?:10-[KQ]|8-K|filings?|annual report|quarterly report|press release|earnings call|transcript|statement|letter to shareholders|prospectus|disclosure|guidance)\b|\b[Aa]ccording to (?:the )?\p{Lu}|(?<!\p{L})\p{Lu}\p{L}+ (?:said|says|told|reports?|reported|writes|wrote|put|puts|estimates?|expects?|announced)\b/u;

/**
 * Finds claims of fact that a reader cannot check: hearsay, and numbers in paragraphs without a link. If other paragraphs have links, a
 * sentence may give numbers without a link if the sentence names their source.
 */
export const sources: Rule = {
  check: "sources",
  label: "Sources",
  by: "rules and model",
  cannotJudge: "whether a linked page says what the text says it does: links are not opened",
  onlyRemarks: true,
  find: ({ body }, facts) => {
    const linked = countLinks(body) > 0;
    const claims = body
      .split(/\n{2,}/)
      .filter((paragraph) => countLinks(paragraph) === 0)
      .map((paragraph) => paragraph.replace(/^[ \t]*\|.*$/gm, ""))
      .flatMap((paragraph) => splitSentences(plain(paragraph)))
      .filter((sentence) => !hypothetical.test(sentence))
      .filter((sentence) =>
        linked
          ? hearsay.test(sentence) || (hasFigure(sentence, facts) && !named.test(sentence))
          : hearsay.test(sentence) || hasFigure(sentence, facts) || /\baccording to\b/i.test(sentence),
      );
    const [first] = claims;
    if (first === undefined) return [];
    const heard = claims.filter((sentence) => hearsay.test(sentence)).length;
    // A single number without a link is not a fault in a text whose other numbers have links.
    if (linked && claims.length === 1 && heard === 0) return [];
    const weighty = linked ? claims.length >= 5 || heard >= 2 : claims.length >= 3;
    const where = linked ? "without a source beside them" : "and the text links no source";
    return [
      {
        severity: weighty ? "medium" : "low",
        check: "sources",
        detail: `Where can this be read? ${claims.length} ${claims.length === 1 ? "sentence claims facts" : "sentences claim facts"} with ${where}, first: ${formatQuote(first)} Link where each figure or statement stands.`,
      },
    ];
  },
};

/** Today's price needs no link, because the site shows the quote beside the text. */
function hasFigure(sentence: string, { quote }: AuditFacts): boolean {
  const shown = [quote.mid, quote.dayHigh, quote.dayLow];
  return findFigures(sentence).some(
    ({ kind, value }) =>
      !(kind === "money" && shown.some((price) => Math.abs(price - value) <= price * 0.02)),
  );
}

/**
 * Compares the numbers in an AI draft with the draft's sources, because a model invents numbers that the sources do not give. If the writer
 * added a link to a paragraph, the paragraph's numbers are not compared, because the writer is responsible for them.
 */
export const findUngroundedFigures: Rule["find"] = ({ headline, preview, body }, facts) => {
  if (facts.sources.length === 0) return [];
  const told = facts.sources.flatMap(({ title, text }) => [title, ...splitSentences(plain(text))]);
  const known = [...told.flatMap(findFigures), ...listQuoteAmounts(facts)];
  const own = body.split(/\n{2,}/).filter((paragraph) => !hasOtherLink(paragraph, facts));
  const claims = [headline, preview, ...own]
    .flatMap((text) => splitSentences(plain(text)))
    .flatMap((sentence) => findFigures(sentence).map((figure) => ({ figure, sentence })));
  return keepFirstPerKey(claims, ({ figure }) => `${figure.kind} ${figure.value}`)
    .filter(({ figure }) => !known.some((other) => areEqualAmounts(figure, other)))
    .slice(0, 3)
    .map(({ figure, sentence }) => reportMissingSource(figure, sentence, told));
};

function reportMissingSource(figure: Quantity, sentence: string, statements: readonly string[]): Issue {
  const { shown } = figure;
  const otherwise = findContradiction({ figure, sentence }, statements);
  return otherwise === undefined
    ? makeFinding(
        "low",
        "figures",
        `None of the sources that the draft was written from gives ${shown}`,
        sentence,
        "Link a page that gives the figure, or take the figure out.",
      )
    : makeFinding(
        "high",
        "figures",
        `The draft says ${shown}, its source says otherwise`,
        otherwise,
        "Correct it to what the source says.",
      );
}

function listQuoteAmounts({ quote }: AuditFacts): readonly Amount[] {
  const { mid, dayHigh, dayLow, volume } = quote;
  const prices = [mid, dayHigh, dayLow].map((value) => ({ kind: "money", value }) as const);
  return [...prices, { kind: "count", value: volume }];
}

function hasOtherLink(paragraph: string, { sources }: AuditFacts): boolean {
  const links = paragraph.match(/\bhttps?:\/\/[^\s)>\]"']+/gi) ?? [];
  return links.some((link) => !sources.some((source) => source.link === link));
}

type Amount = Pick<Quantity, "kind" | "value">;

/**
 * Whether a quantity needs a source. Percentages, counts with a word such as "million", and amounts of money need a source, but amounts in
 * cents or pence do not need a source. Numbers without a unit, years and dates need no source.
 */
export function needsSource({ kind, isBare, shown }: Quantity): boolean {
  return !isBare && /^(?:money|percent|count)$/.test(kind) && !/(?:cents?|pence)$/.test(shown);
}

function findFigures(text: string): readonly Quantity[] {
  // A sentence without digits needs no further check.
  return /\d/.test(text) ? findQuantities(text).filter(needsSource) : [];
}

/** The relative difference that rounding may make, as between "11%" and 11.3% or "$27 billion" and $26.6 billion. */
const rounding = 0.03;

function areEqualAmounts(one: Amount, other: Amount): boolean {
  const counted = one.kind === other.kind || (one.kind !== "percent" && other.kind !== "percent");
  return counted && Math.abs(one.value - other.value) <= Math.abs(one.value) * rounding;
}

/**
 * Whether two sentences are about the same matter: they share at least three meaningful words, and at least half of the shorter sentence's
 * meaningful words.
 */
function isSameTopic(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((stem) => other.has(stem)).length;
  return shared >= 3 && shared * 2 >= Math.min(one.size, other.size);
}

/**
 * Finds a statement about the same matter as the draft's sentence. The statement has numbers of the same kind, but none of them agrees with
 * the draft's number.
 */
export function findContradiction(
  { figure, sentence }: { readonly figure: Amount; readonly sentence: string },
  statements: readonly string[],
): string | undefined {
  const matter = listStems(sentence);
  return statements.find((statement) => {
    if (!isSameTopic(matter, listStems(statement))) return false;
    const given = findFigures(statement).filter(({ kind }) => kind === figure.kind);
    return given.length > 0 && !given.some((other) => areEqualAmounts(figure, other));
  });
}
