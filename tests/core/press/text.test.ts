import fc from "fast-check";
import { expect, test } from "vitest";
import { countBytes, countCharacters, countMinutes, countWords } from "../../../core/press/text.ts";

test.each([
  ["plain", 5],
  ["naïve", 5],
  ["nai\u0308ve", 5],
  ["👩‍👩‍👧‍👦 4", 3],
  ["🇸🇪🇯🇵", 2],
  ["क्षि", 1],
  ["", 0],
])("the text %s has %i visible characters", (text, characters) => {
  expect(countCharacters(text)).toBe(characters);
});

test.each([
  ["Apple rose 3.5% on 1,200 orders, didn't it?", 8],
  ["## Heading\n\n* one\n* **two** and _three_\n\n> four `five`", 7],
  ["See [the filing](https://example.com/a/very-long/path?q=1) now", 4],
  ["![a chart](https://example.com/chart.png)", 2],
  ["Source: https://example.com/one/two/three", 2],
  ["Source: <https://example.com/one/two/three>", 2],
  ["one<br/>two <span class='x y z'>three</span>", 3],
  ["<!-- not shown -->shown", 1],
  ["when a < b and c > d", 6],
  ["| a | b |\n|---|---|\n| 1 | 2 |", 4],
  ["Aktien stiegen für fünf Tage", 5],
  ["акции выросли", 2],
  ["今日は天気がいい", 5],
  ["--- *** ___ _ ### ...", 0],
  ["1. one\n> 2) two\n\n3 three", 4],
  // In the cases below, a sign between two words also counts as a word, as in programs that count words by spaces.
  ["Prices rose — and fell – twice - today", 9],
  ["Risk & return: 2 + 2", 6],
  ["- one\n- two — three\n\n---\n\n— four", 5],
  ["– — –", 0],
])("the text %j has %i words", (markdown, words) => {
  expect(countWords(markdown)).toBe(words);
});

test("the words of a text are counted, whatever characters separate them", () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/).filter((text) => text !== "http" && text !== "https");
  const gap = fc.constantFrom(" ", "\n\n", ", ", ".\n- ", " **", "\n> ");
  fc.assert(
    fc.property(fc.array(fc.tuple(word, gap), { maxLength: 60 }), (pairs) => {
      expect(countWords(pairs.flat().join(""))).toBe(pairs.length);
    }),
  );
});

test.each(["<", "](", "[](", "<a ", "https://", "`", "a<!--", "\u0301", "\n", "1", "> "])(
  "the words in 100 kB of %j are counted within milliseconds",
  (piece) => {
    const started = process.cpuUsage();
    countWords(piece.repeat(Math.ceil(102_400 / piece.length)));
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  },
);

test("the bytes of a text are counted in UTF-8", () => {
  expect([countBytes("aé€😀"), countBytes("")]).toEqual([10, 0]);
});

test.each([
  [0, 1],
  [150, 1],
  [329, 1],
  [330, 2],
  [2200, 10],
])("a text of %i words takes %i minutes to read", (words, minutes) => {
  expect(countMinutes(words)).toBe(minutes);
});
