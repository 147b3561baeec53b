import fc from "fast-check";
import { expect, test } from "vitest";
import { SaveInput } from "../../../core/press/input.ts";
import {
  emptyText,
  fieldNames,
  findFaults,
  groupIssues,
  isSameText,
  listDifferences,
  makeSaveBody,
  makeText,
  parseUnits,
  readServiceFaults,
} from "../../../web/src/publish/editor/text.ts";
import { makeSamplePress } from "../sample-press.ts";
import { article } from "./parts.ts";

test("the editor finds no fault in a text if and only if a save accepts the text", () => {
  const name = fc.constantFrom(...fieldNames);
  const value = fc.oneof(fc.string({ unit: "grapheme", maxLength: 500 }), fc.string(), fc.constant("0.25"));
  fc.assert(
    fc.property(name, value, (field, written) => {
      const text = { ...article, [field]: written };
      const taken = SaveInput.safeParse(makeSaveBody(text)).success;
      expect(Object.keys(findFaults(text)).length === 0).toBe(taken);
    }),
  );
});

test("each empty field has a message, and the messages have the same words as the service's messages", () => {
  expect(Object.keys(findFaults(emptyText)).sort()).toEqual([...fieldNames].sort());
  expect(findFaults({ ...article, headline: "👩‍👩‍👧‍👦".repeat(7) })).toEqual({
    headline: "needs at least 8 characters, and has 7",
  });
  expect(findFaults({ ...article, body: "one two three" })).toEqual({
    body: "needs at least 150 words, and has 3",
  });
});

test.each([
  ["0.25", "250000"],
  [" 0.250 ", "250000"],
  ["1000", "1000000000"],
  ["0.01", "10000"],
  ["12.345678", "12345678"],
])("the price entry %j is read as %s base units", (price, units) => {
  expect(parseUnits(price)).toBe(units);
});

test.each(["", "0", "0.009999", "1000.000001", "1e2", "0x10", "-1", "1,5", ".5", "1.", "0.1234567", "ten"])(
  "the entry %j is refused as a price",
  (price) => {
    expect(parseUnits(price)).toBeUndefined();
    expect(findFaults({ ...article, priceUsdg: price })).toEqual({
      priceUsdg: "must be from 0.01 to 1,000 USDG with at most six decimals",
    });
  },
);

test("the saved text counts as equal to the sent text, although a save trims white space", () => {
  const sent = {
    ...article,
    headline: `  ${article.headline} `,
    preview: `${article.preview}\n`,
    priceUsdg: "0.250",
  };
  const saved = SaveInput.parse(makeSaveBody(sent));
  const { stock, headline, preview, publisherName } = saved;
  const listed = makeSamplePress(1, { stock, headline, preview, publisherName });
  const press = {
    ...listed,
    ...{ pressId: null, slug: null, publishedAt: null, mintTx: null },
    ...{ status: "draft" as const, earnedUsdg: 0, updatedAt: "2026-01-01T00:00:00.000Z" },
  } as const;
  const shown = makeText({ press, body: saved.body });
  expect(isSameText(sent, shown)).toBe(true);
  expect(shown.priceUsdg).toBe("0.25");
});

test("the differing fields of two texts are listed in the editor's order, and one changed character in the body is a difference", () => {
  const other = { ...article, body: `${article.body} `, stock: "AAPL" };
  expect(listDifferences(article, other)).toEqual(["stock", "body"]);
  expect(listDifferences(article, { ...article, stock: "nvda" })).toEqual([]);
});

test("a refusal's first issue for each field is shown, and issues without a field are left out", () => {
  const issues = [
    { path: "headline", message: "is short" },
    { path: "headline", message: "is odd" },
    { path: "priceUsdg", message: "is dear" },
    { path: "generationId", message: "is unknown" },
  ];
  expect(groupIssues(issues)).toEqual({ headline: "is short", priceUsdg: "is dear" });
});

test("the field for the stock shows a message if the stock is no longer listed", () => {
  const message = "stock: there is no active stock token OLD on this chain.";
  expect(readServiceFaults({ code: "unknown_stock", message, issues: [] })).toEqual({
    stock: "is no active stock token OLD on this chain",
  });
  const issues = [{ path: "preview", message: "is short" }];
  expect(readServiceFaults({ code: "invalid_input", message: "", issues })).toEqual({ preview: "is short" });
});
