import { changes } from "../arithmetic/change.ts";
import { products } from "../arithmetic/product.ts";
import { shareSlips } from "../arithmetic/share.ts";
import type { Slip } from "../arithmetic/slip.ts";
import { sums } from "../arithmetic/sum.ts";
import { tableSlips } from "../arithmetic/table.ts";
import { unitSlips } from "../arithmetic/unit.ts";
import { type Passage, passageOf, sentenceOf, sentenceText } from "../passage.ts";
import type { Issue } from "../schema.ts";
import { folded, plain } from "../text.ts";
import { finding, type Rule } from "./rule.ts";

/** Paragraphs that are calculated; a text of the largest size that people write has fewer. */
const looked = 400;
const remedy = "Correct the figure or its basis, or say from what it is counted.";

/**
 * Calculations that the text makes itself, made again: changes, differences, shares, sums, products and ratios of figures
 * that stand beside each other. Digits tell how exact a figure claims to be; within that everything is right.
 */
export const arithmetic: Rule = ({ headline, preview, body }) => {
  const paragraphs = [headline, preview, ...body.split("\n").filter((line) => !/^\s*\|/.test(line))];
  const passages = paragraphs
    .filter((text) => /\d|\b(?:half|third|quarter|double|twice|two|three|four)/i.test(text))
    .slice(0, looked)
    .map((text) => passageOf(plain(text).trim()));
  const told = [...passages.flatMap(slipsOf), ...unitSlips(passages)];
  const rows = tableSlips(folded(body)).map(({ slip, line }) => ({ slip, sentence: line }));
  return [...told, ...rows].slice(0, 4).map(({ slip, sentence }) => issueOf(slip, sentence));
};

function slipsOf(passage: Passage) {
  const slips = [...changes(passage), ...shareSlips(passage), ...sums(passage), ...products(passage)];
  const first = new Map(slips.toReversed().map((slip) => [slip.claim.start, slip]));
  return [...first.values()].map((slip) => ({
    slip,
    sentence: sentenceText(passage, sentenceOf(passage, slip.claim)),
  }));
}

function issueOf({ claim, shown, isWhole }: Slip, sentence: string): Issue {
  const wrong =
    isWhole === true || /check the unit/.test(shown) ? shown : `${shown}, the text says ${claim.shown}`;
  return finding("high", "arithmetic", `A figure that does not add up: ${wrong}`, sentence, remedy);
}
