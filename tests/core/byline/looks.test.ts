import { expect, test } from "vitest";
import { computeBylineKeys } from "../../../core/byline/index.ts";

const hasSameLook = (one: string, other: string) =>
  computeBylineKeys(one).some((look) => computeBylineKeys(other).includes(look));

test.each([
  ["another case", "INES CALLOWAY"],
  ["Cyrillic letters", "Іnеѕ Саllоwау"],
  ["one Cyrillic capital", "Ines Сalloway"],
  ["Greek letters", "Ιnes Cαlloway"],
  ["Cherokee and Armenian letters", "Ines Ꮯallօway"],
  ["a small l for the capital I", "lnes Calloway"],
  ["capital I for the small l", "Ines CaIIoway"],
  ["bars and ones", "|nes Ca11oway"],
  ["a nought for o", "Ines Call0way"],
  ["fullwidth letters", "Ｉｎｅｓ　Ｃａｌｌｏｗａｙ"],
  ["mathematical letters", "𝐈𝐧𝐞𝐬 𝒞𝒶𝓁𝓁𝑜𝓌𝒶𝓎"],
  ["a zero-width space", "In\u200bes Calloway"],
  ["a zero-width joiner", "Ines Call\u200doway"],
  ["a soft hyphen", "Ines Callo\u00adway"],
  ["a right-to-left mark", "\u200fInes Calloway"],
  ["an invisible tag", "Ines Calloway\u{e0061}"],
  ["a variation selector", "Ines Calloway\ufe0f"],
  ["a combining dot", "Ine\u0323s Calloway"],
  ["accents", "Inès Callöway"],
  ["two spaces, one of them unbreakable", "Ines \u00a0Calloway"],
  ["no space", "InesCalloway"],
  ["a sign of being checked", "Ines Calloway ✓"],
  ["a full stop", "Ines Calloway."],
])("a byline with %s looks like the plain byline", (_, copy) => {
  expect(copy).not.toBe("Ines Calloway");
  expect(hasSameLook(copy, "Ines Calloway")).toBe(true);
});

test.each([
  ["SAM МILLER", "Sam Miller", "a Cyrillic capital among capitals"],
  ["rnargin Notes", "Margin Notes", "rn for m"],
  ["ΝΙΚΟΣ", "νικος", "Greek in another case"],
  ["АННА", "анна", "Cyrillic in another case"],
  ["Ⅳ Desk", "IV Desk", "a Roman numeral"],
])("the byline %s looks like %s: %s", (one, other) => {
  expect(hasSameLook(one, other)).toBe(true);
});

test.each([
  ["Ines Calloway", "Ines Callaway"],
  ["The Ledger Desk", "The Letter Desk"],
  ["Анна", "Инна"],
  ["田中", "田仲"],
  ["राम", "रमा"],
  ["Margin Notes", "Margin Notes 2"],
])("the byline %s does not look like %s", (one, other) => {
  expect(hasSameLook(one, other)).toBe(false);
});

test.each(["✓✓✓", "\u200b", "🦊", "..."])("the byline %j is refused because it has no letter", (byline) => {
  expect(computeBylineKeys(byline)).toEqual([]);
});

test("a byline of the maximum length is compared quickly", () => {
  const longest = "\ufdfa".repeat(240);
  const began = performance.now();
  expect(computeBylineKeys(longest)).toHaveLength(1);
  expect(performance.now() - began).toBeLessThan(200);
});
