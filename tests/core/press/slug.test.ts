import fc from "fast-check";
import { expect, test } from "vitest";
import { findId, makeSlug } from "../../../core/press/links.ts";

test.each([
  ["Apple's margins: up, again!", 1, "apple-s-margins-up-again-1"],
  ["  Über-Café №5 — naïve  ", 36, "uber-cafe-no5-naive-10"],
  ["苹果公司的利润", 35, "z"],
  ["--- ---", 7, "7"],
  ["ﬁnance Ⅷ", 2, "finance-viii-2"],
])("the slug of %j with id %i is %s", (headline, id, slug) => {
  expect(makeSlug(headline, id)).toBe(slug);
});

test("a slug is short lower-case ASCII and contains the press's id", () => {
  const headline = fc.oneof(fc.string(), fc.string({ unit: "binary", minLength: 80 }));
  fc.assert(
    fc.property(headline, fc.integer({ min: 1, max: 999_999_999_999 }), (text, id) => {
      const slug = makeSlug(text, id);
      expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(slug.length).toBeLessThanOrEqual(71);
      expect(findId(slug)).toBe(id);
    }),
  );
});

test.each(["", "-", "press-", "PRESS-1A", "press-é", "press-12345678901", "../1%", "a_1"])(
  "the slug %j contains no id",
  (slug) => {
    expect(findId(slug)).toBeUndefined();
  },
);
