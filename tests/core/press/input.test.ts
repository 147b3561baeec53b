import { expect, test } from "vitest";
import { SaveInput } from "../../../core/press/input.ts";
import { ListQuery } from "../../../core/press/schema.ts";
import { makeArticle, makeWords } from "./newsroom.ts";

function listFaults(changes: Readonly<Record<string, unknown>>): readonly string[] {
  const { error } = SaveInput.safeParse(makeArticle(changes));
  return error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`) ?? [];
}

test("a draft within the limits is accepted, with its price in base units and its stock in upper case", () => {
  expect(SaveInput.parse(makeArticle({ stock: " aapl ", headline: "  Eight in  ok " }))).toEqual({
    ...makeArticle({ headline: "Eight in  ok" }),
    priceUsdg: 1_500_000n,
  });
});

test("the text of a draft is stored byte for byte", () => {
  const body = `\n\r\n  ${makeWords(150)} \t\u00a0nai\u0308ve\n\n`;
  expect(SaveInput.parse(makeArticle({ body })).body).toBe(body);
});

test.each([
  ["headline", "needs at least 8 characters, and has 7", "x".repeat(7)],
  ["headline", "may have at most 90 characters, and has 95", "x".repeat(95)],
  ["headline", "needs at least 8 characters, and has 3", "   one   "],
  ["headline", "must be one line without control characters", "two\nlines of it"],
  ["publisherName", "must be one line without control characters", "Name \u202eeman"],
  ["headline", "may have at most 90 characters, and has 91", "👩‍👩‍👧‍👦".repeat(91)],
  ["headline", "may have at most 1080 bytes, and has 4008", `headline${"\u0301".repeat(2_000)}`],
  ["headline", "holds half a surrogate pair, which is no valid text", "headline \ud800"],
  ["preview", "needs at least 80 characters, and has 79", "x".repeat(79)],
  ["preview", "may have at most 400 characters, and has 401", "x".repeat(401)],
  ["publisherName", "needs at least 1 character, and has 0", " "],
  ["publisherName", "may have at most 60 characters, and has 61", "x".repeat(61)],
  ["body", "needs at least 150 words, and has 149", makeWords(149)],
  ["body", "may have at most 102400 bytes, and has 102401", "x ".repeat(51_200).concat("x")],
  ["body", "holds half a surrogate pair, which is no valid text", `${makeWords(150)}\udc00`],
  ["stock", "must be a stock token symbol, such as AAPL", "A B"],
])("a draft is refused if its %s %s", (field, message, value) => {
  expect(listFaults({ [field]: value })).toEqual([`${field} ${message}`]);
});

test.each([0, 0.009999, 1000.000001, -1, 0.1234567, 0.1 + 0.2, 1e21])(
  "a draft with a price of %d is refused",
  (priceUsdg) => {
    expect(listFaults({ priceUsdg })).toEqual([
      "priceUsdg must be from 0.01 to 1,000 USDG with at most six decimals",
    ]);
  },
);

test.each([
  [{ priceUsdg: "1.5" }, "priceUsdg"],
  [{ id: 0 }, "id"],
  [{ id: 1.5 }, "id"],
  [{ generationId: "7" }, "generationId"],
  [{ headline: undefined }, "headline"],
  [{ body: null }, "body"],
  [{ id: 1, updatedAt: "yesterday" }, "updatedAt"],
])("the input %j is refused with an error for the field %s", (changes, field) => {
  expect(listFaults(changes)).toEqual([expect.stringMatching(new RegExp(`^${field} `))]);
});

test("an unknown field of a draft is ignored", () => {
  const saved = SaveInput.parse(makeArticle({ status: "live", publisher: "0x00", votes: { up: 9 } }));
  expect(saved).toEqual(SaveInput.parse(makeArticle()));
});

test("a request for a list accepts a stock in upper or lower case, a limit and a cursor", () => {
  expect(ListQuery.parse({ stock: "nvda", limit: "200", cursor: "x", utm: "1" })).toEqual({
    stock: "NVDA",
    limit: 200,
    cursor: "x",
  });
});

test.each([
  { limit: "0" },
  { limit: "201" },
  { limit: "1.5" },
  { limit: "" },
  { stock: "" },
  { stock: "A,B" },
])("a request for a list with %j is refused", (query) => {
  expect(ListQuery.safeParse(query).success).toBe(false);
});
