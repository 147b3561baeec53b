import { expect, test } from "vitest";
import { findInventedLink, findOriginal } from "../../../core/draft/index.ts";
import { makeGoodDraft } from "./newsdesk.ts";

const link = "https://wire.example/1";
const title =
  "Maker of phones opens a new research office in the north of the country, two of its suppliers say";
const text = `2026-11-20: ${title}. The office will take in six hundred people by the end of the coming year, the company's landlord said on Friday.`;
const source = { title, source: "Example Wire", link, text };

const findCopied = (words: string) =>
  findOriginal(makeGoodDraft({ body: `${makeGoodDraft().body}\n\nAfter that, ${words} And so on.` }), [
    source,
  ]);

test.each([
  ["twelve words", "take in six hundred people by the end of the coming year."],
  [
    "them in another case and with other punctuation",
    "Take in – six hundred people; BY THE END (of the coming) year.",
  ],
  [
    "words with emphasis, a link and invisible characters",
    "take **in six** hundred [people](https://a.example) by the _end_ of the\u200b coming year.",
  ],
  ["a typographic apostrophe", "by the end of the coming year, the company’s landlord said on Friday."],
  ["a title without quotation marks", `${title}.`],
  ["a title with more of the source around it in quotation marks", `"${title}. The office will take in"`],
])("a text that copies at least twelve words in a row from a source is found: %s", (_what, words) => {
  expect(findCopied(words)).toBe(source);
});

test("copied words of a source are found in the headline and in the preview too", () => {
  const run = "take in six hundred people by the end of the coming year";
  expect(findOriginal(makeGoodDraft({ headline: run }), [source])).toBe(source);
  expect(
    findOriginal(makeGoodDraft({ preview: `Here we ${run} again and leave it at that for now.` }), [source]),
  ).toBe(source);
});

test.each([
  ["eleven words", "in six hundred people by the end of the coming year."],
  [
    "the same words in another order",
    "people, six hundred, by the end of the year that comes, the office will take in.",
  ],
  ["a title in quotation marks", `"${title}" is what they wrote.`],
  ["a title as a link's text", `read [${title}](${link}) or ["${title}"](${link}) again.`],
  [
    "words on both sides of a cited title",
    `the office will take in six "${title}" hundred people by the end of the coming.`,
  ],
])("a text with %s does not count as copied", (_what, words) => {
  expect(findCopied(words)).toBeUndefined();
});

test("only the sources' own addresses may be linked, whatever Markdown surrounds them", () => {
  const sources = [source, { ...source, link: "https://en.example/Apple_(company)?a=1&b=2" }];
  const findInvented = (body: string) => findInventedLink(makeGoodDraft({ body }), sources);
  expect(findInvented(`[a](${link}), <${link}>, **${link}**. ${link}; "${link}"`)).toBeUndefined();
  expect(findInvented("[a](https://en.example/Apple_(company)?a=1&b=2)")).toBeUndefined();
  expect(findInvented("[a](https://wire.example/2)")).toBe("https://wire.example/2");
  expect(findInvented(`[a](${link}/more)`)).toBe(`${link}/more`);
});
