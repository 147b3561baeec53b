import type { Quote } from "../../market/schema.ts";
import { bandSlips, boundSlips, comparativeSlips, listedShareSlips } from "../arithmetic/bound.ts";
import { changes } from "../arithmetic/change.ts";
import { comparisonSlips, countSlips, nearSlips, splitSlips, timesSlips } from "../arithmetic/compare.ts";
import { derivedSlips, isBorneOut } from "../arithmetic/derived.ts";
import { averageSlips, compoundSlips, differenceSlips, midpointSlips } from "../arithmetic/named.ts";
import { placeSlips, sideSlips, verdictSlips } from "../arithmetic/order.ts";
import type { Slip } from "../arithmetic/pairs.ts";
import {
  movedShareSlips,
  overfullSlips,
  portionSlips,
  remainderSlips,
  splitPriceSlips,
  stepShareSlips,
  termSlips,
  totalShareSlips,
} from "../arithmetic/portion.ts";
import { lastingSlips, productSlips, products, spanSlips } from "../arithmetic/product.ts";
import { multipleSlips, perThingSlips, rateSlips } from "../arithmetic/rate.ts";
import {
  paceSlips,
  periodSlips,
  rankSlips,
  runningSlips,
  seriesSlips,
  stepSlips,
} from "../arithmetic/series.ts";
import { shareSlips } from "../arithmetic/share.ts";
import { sums } from "../arithmetic/sum.ts";
import { listTotalSlips, tableSlips, teaserChangeSlips } from "../arithmetic/table.ts";
import { exchangeSlips, numberSlips, pointSlips, receiptSlips, zeroSlips } from "../arithmetic/units.ts";
import { folded, type Passage, passageOf, plain, sentenceOf, sentenceText } from "../passage.ts";
import { type Quantity, scaleOf } from "../quantity.ts";
import type { Issue } from "../schema.ts";
import { finding, type Rule } from "./rule.ts";

/** Paragraphs that are calculated; a text of the largest size that people write has fewer. */
const looked = 400;

const remedy = "Correct the figure or its basis, or say from what it is counted.";

/**
 * Calculations that the text makes itself, made again: changes, differences, shares, sums, products and ratios of figures
 * that stand beside each other. Digits tell how exact a figure claims to be; within that everything is right.
 */
export const arithmetic: Rule = {
  check: "arithmetic",
  label: "Figures that do not add up",
  by: "rules and model",
  cannotJudge: "figures whose parts the text does not give",
  mayStop: true,
  holdsOurs: true,
  find: ({ headline, preview, body }, { quote }) => {
    const lines = body.split("\n").filter((line) => line.trim() !== "" && !/^\s*\|/.test(line));
    const few = lines.slice(0, looked);
    const paragraphs = [headline, preview, ...lines];
    const passages = paragraphs
      .filter((text) => /\d|\b(?:half|third|quarter|double|twice|two|three|four)/i.test(text))
      .slice(0, looked)
      .map(read);
    const price = priceOf(quote);
    const told = [
      ...passages.flatMap((passage) => slipsOf(passage, calculations, price)),
      ...joined(lines)
        .slice(0, looked)
        .flatMap((passage) => slipsOf(passage, acrossParagraphs, price)),
      ...slipsOf(
        wholeOf(headline, preview, few),
        [...acrossTheText, (passage) => rateSlips(passage, price)],
        price,
      ),
      ...unitSlips(passages),
      ...teaserChangeSlips({ teasers: [headline, preview].map(read), body: few.map(read) }),
      ...listTotalSlips(
        [headline, preview, ...few.filter((line) => !item.test(line))].map(read),
        listsOf(few),
      ),
    ];
    const rows = tableSlips(folded(body)).map(({ slip, line }) => ({ slip, sentence: line }));
    // One finding a sentence, and one a figure, in the order of the text.
    const bySentence = firstOfEach([...told, ...rows], ({ sentence }) => sentence);
    return firstOfEach(bySentence, ({ slip: { claim } }) => `${claim.kind} ${claim.value}`)
      .slice(0, 4)
      .map(({ slip, sentence }) => figureIssue(slip, sentence));
  },
};

function read(line: string): Passage {
  return passageOf(plain(line).trim());
}

/** The items of each list. */
function listsOf(lines: readonly string[]): readonly (readonly Passage[])[] {
  const begins = lines.flatMap((line, at) =>
    item.test(line) && !item.test(lines[at - 1] ?? "") ? [at] : [],
  );
  return begins.slice(0, 50).map((begin) => {
    const length = lines.slice(begin, begin + 30).findIndex((line) => !item.test(line));
    return lines
      .slice(begin, length < 0 ? begin + 30 : begin + length)
      .map((line) => read(line.replace(item, "")));
  });
}

function firstOfEach<One>(all: readonly One[], key: (one: One) => unknown): readonly One[] {
  return [...Map.groupBy(all, key).values()].flatMap(([first]) => first ?? []);
}

const calculations = [
  changes,
  shareSlips,
  sums,
  products,
  multipleSlips,
  periodSlips,
  comparisonSlips,
  (passage: Passage) => rateSlips(passage),
  nearSlips,
  countSlips,
  splitSlips,
  seriesSlips,
  rankSlips,
  productSlips,
  paceSlips,
  stepSlips,
  runningSlips,
  timesSlips,
  spanSlips,
  lastingSlips,
] as const;

/** Those whose figures may stand anywhere before them: each names its parts, or what they are. */
const acrossTheText = [
  boundSlips,
  comparativeSlips,
  listedShareSlips,
  bandSlips,
  differenceSlips,
  midpointSlips,
  averageSlips,
  compoundSlips,
  portionSlips,
  movedShareSlips,
  overfullSlips,
  splitPriceSlips,
  sideSlips,
  stepShareSlips,
  totalShareSlips,
  remainderSlips,
  termSlips,
  verdictSlips,
  placeSlips,
  receiptSlips,
  exchangeSlips,
  pointSlips,
  numberSlips,
  zeroSlips,
  perThingSlips,
  derivedSlips,
] as const;

/** Any price of the day, as a figure of the text. */
function priceOf({ mid, dayLow, dayHigh }: Quote): Quantity {
  const [low, high] = [Math.min(dayLow, mid), Math.max(dayHigh, mid)];
  const shown = `$${mid}`;
  const where = { start: -1, end: -1, hedge: undefined, per: "share", noun: undefined, isBare: false };
  return {
    ...where,
    shown,
    kind: "money",
    currency: "USD",
    value: (low + high) / 2,
    slack: (high - low) / 2 + 0.01 * mid,
  };
}

/** Quantities of a whole text that are calculated with; an article has some fifty. */
const mostOfText = 200;

function wholeOf(headline: string, preview: string, lines: readonly string[]): Passage {
  const isListed = (at: number) => item.test(lines[at] ?? "");
  const body = lines.map((line, at) => ended(line, isListed(at) && isListed(at + 1) ? "," : "."));
  const text = [ended(headline), ended(preview), ...body].join(" ");
  return passageOf(text, mostOfText);
}

/** The line's plain text with its stop; the items of a list are one sentence. */
function ended(line: string, stop = "."): string {
  const text = plain(line.replace(item, "")).trim();
  return /[.!?]["')\]]?$/.test(text) ? text : `${text.replace(/[,;]$/, "")}${stop}`;
}

/** Those that need not stand in one paragraph. */
const acrossParagraphs = [
  (passage: Passage) => rateSlips(passage),
  nearSlips,
  productSlips,
  comparisonSlips,
] as const;

const item = /^\s*(?:[-*+]|\d{1,2}\.)\s+/;

/** Each paragraph with the one before it; the items of a list are one paragraph. */
function joined(lines: readonly string[]): readonly Passage[] {
  const paragraphs = lines
    .map((line, at) => {
      const isNext = item.test(line) && item.test(lines[at + 1] ?? "");
      return `${plain(line.replace(item, "")).trim()}${isNext ? ", " : "\n"}`;
    })
    .join("")
    .split("\n");
  return paragraphs
    .slice(1)
    .map((paragraph, at) => `${(paragraphs[at] ?? "").replace(/[^.!?]$/, "$&.")} ${paragraph}`)
    .filter((text) => /\d.*\d/.test(text))
    .map((text) => passageOf(text));
}

function slipsOf(
  passage: Passage,
  calculations: readonly ((passage: Passage) => readonly Slip[])[],
  price: Quantity,
) {
  const slips = calculations
    .flatMap((calculate) => calculate(passage))
    .filter((slip) => slip.isWhole === true || slip.isBound === true || !isBorneOut(passage, slip, price));
  return firstOfEach(slips, ({ claim }) => claim.start)
    .toSorted((left, right) => left.claim.start - right.claim.start)
    .map((slip) => ({ slip, sentence: sentenceText(passage, sentenceOf(passage, slip.claim)) }));
}

/** What a report says of a wrong figure. "The text says" names it, by which `decide` tells each figure once. */
export function figureIssue(
  { claim, shown, isWhole = false, isGuess = false }: Slip,
  sentence: string,
): Issue {
  const wrong = isWhole ? shown : `${shown}, the text says ${claim.shown}`;
  return isGuess
    ? finding("medium", "arithmetic", `A figure that may not add up: ${wrong}`, sentence, remedy)
    : finding("high", "arithmetic", `A figure that does not add up: ${wrong}`, sentence, remedy);
}

/** A slip of one figure against another passage of the text, which the finding quotes. */
type UnitSlip = { readonly slip: Slip; readonly sentence: string };

/** A correction repeats what was wrong. */
const corrects =
  /\b(?:corrections?|corrected|clarifi\w+|we (?:wrote|said|printed|gave)|should have (?:been|read|said)|wrongly|mistaken\w*|misprint\w*|in error)\b/i;

/** "$94.0 billion" here and "$94.0 million" there: the same digits in two units or two currencies. */
function unitSlips(passages: readonly Passage[]): readonly UnitSlip[] {
  const first = new Map<string, Quantity>();
  return passages.flatMap((passage) =>
    passage.quantities.flatMap((one) => {
      const digits = /\d[\d.,]*\d/.exec(one.shown)?.[0];
      if (one.kind !== "money" || digits === undefined || scaleOf(one) === 1) return [];
      if (digits.replace(/\D|0+$/g, "").length < 2) return [];
      const other = first.get(digits);
      if (other === undefined) {
        first.set(digits, one);
        return [];
      }
      if (other.currency === one.currency && scaleOf(other) === scaleOf(one)) return [];
      if (
        corrects.test(
          sentenceText(passage, sentenceOf(passage, one) - 1) +
            sentenceText(passage, sentenceOf(passage, one)),
        )
      )
        return [];
      const shown = `the text gives ${other.shown} and ${one.shown}: check the unit of each`;
      return [
        {
          slip: { claim: one, shown, isWhole: true },
          sentence: sentenceText(passage, sentenceOf(passage, one)),
        },
      ];
    }),
  );
}
