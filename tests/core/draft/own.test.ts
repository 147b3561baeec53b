import { describe, expect, test } from "vitest";
import { applyRules, findDraftFault } from "../../../core/audit/index.ts";
import { makeReview, Reading } from "../../../core/audit/reading.ts";
import { listStockAngles } from "../../../core/draft/index.ts";
import { listSources } from "../../../core/draft/offer.ts";
import { Draft } from "../../../core/draft/schema.ts";
import { readCompany } from "../../../core/market/schema.ts";
import { writeArticle } from "../../../local/bedrock/answer.ts";
import { reviewText } from "../../../local/bedrock/review.ts";
import { ASSETS } from "../../../local/market/assets.ts";

const now = "2026-09-04T15:03:00.000Z";
const asOf = "2026-09-04T15:02:30.000Z";

/** Makes a writing task for each stock and angle. The reports in the tasks look like the reports in news feeds. */
const tasks = ASSETS.flatMap(({ symbol, name }, number) => {
  const stock = { symbol, name: `${name} • Robinhood Token`, address: `0x${"1".repeat(40)}` };
  const mid = 97.31 + number * 41.07;
  const [dayLow, dayHigh] = [mid * 0.985, mid * 1.012].map((price) => Number(price.toFixed(2)));
  const quote = {
    symbol,
    mid: Number(mid.toFixed(2)),
    dayLow: dayLow ?? 0,
    dayHigh: dayHigh ?? 0,
    volume: 3_104_552 + number,
    halted: false,
    asOf,
  };
  const reports = [
    `${name} reports revenue of $12.4 billion, up 8% from a year earlier`,
    `${name} board approves an unchanged dividend policy`,
    `Analysts disagree over the pace of orders at ${name}`,
  ].map((title, index) => ({
    title,
    summary: `${title}. The company said so on Thursday, and gave no outlook.`,
    source: "Example Wire",
    link: `https://wire.example/${symbol}/${index}`,
    publishedAt: "2026-09-03T12:00:00.000Z",
  }));
  const headlines = reports.map((report, index) => ({
    id: `h${index}`,
    kind: "headline" as const,
    title: report.title,
    detail: "What it changes.",
    source: report.source,
    link: report.link,
    publishedAt: report.publishedAt,
  }));
  return [...headlines, ...listStockAngles(stock, { quote, reports })].map((angle) => ({
    name: `${symbol} ${angle.id}`,
    stock,
    angle,
    quote,
    sources: listSources(angle, { stock, quote, reports }),
  }));
});

test.each(tasks)(
  "our own audit finds no fault in a generated draft: $name",
  ({ stock, angle, quote, sources }) => {
    const told = { symbol: stock.symbol, name: readCompany(stock) };
    const draft = Draft.parse(writeArticle({ stock: told, angle, facts: { quote, sources }, now }));
    expect(findDraftFault(draft, { stock, quote, sources, now })).toBeUndefined();
    const audited = { ...draft, stock: stock.symbol, publisherName: "Harbour Notes", aiAssisted: true };
    const facts = { gatheredAt: now, quote, stock, sources, similar: [] };
    const found = [
      ...applyRules(audited, { ...facts, publisherHolds: false, publisherBalance: "0" }),
      ...makeReview(audited, Reading.parse(reviewText(audited))).issues,
    ];
    expect(found.filter(({ severity }) => severity !== "low")).toEqual([]);
  },
);

describe("a generated draft with a fault is requested again", () => {
  const [first] = tasks;
  if (first === undefined) throw new Error("There is no stock");
  const { stock, angle, quote, sources } = first;
  const sound = writeArticle({ stock, angle, facts: { quote, sources }, now });
  const findFault = (sentence: string) =>
    findDraftFault({ ...sound, body: `${sound.body}\n\n${sentence}` }, { stock, quote, sources, now });

  test.each([
    ["a price that the quote rules out", `${stock.symbol} trades at $4,211.50 as this is written.`],
    ["a figure that no source has", "Sales came to $77.7 billion, as 61% of them were abroad."],
    ["a promise", "The price is guaranteed to rise from here."],
    ["words of a source", `It was said that ${sources[0]?.text} ${sources[0]?.title}`],
  ])("a generated draft is requested again because of %s", (_what, sentence) => {
    expect(findFault(sentence)).toMatch(/\w/);
  });

  test("if no quote is known, the numbers in a generated draft cannot be checked, and the draft is not requested again", () => {
    expect(findDraftFault(sound, { stock, quote: undefined, sources, now })).toBeUndefined();
  });
});
