import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { type Json, toCanonicalJson } from "../../../core/verdict/report.ts";

test("the canonical form of the example in RFC 8785 equals the form that the RFC prints", () => {
  const value = {
    numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\nA\'B"\\\\"/',
    literals: [null, true, false],
  };
  expect(toCanonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test("keys are sorted by UTF-16 code units, as in the second example of RFC 8785", () => {
  const value = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 };
  expect(Object.values(JSON.parse(toCanonicalJson(value)))).toHaveLength(7);
  expect([...toCanonicalJson(value).matchAll(/:(\d)/g)].map(([, place]) => Number(place))).toEqual([
    2, 4, 6, 7, 1, 5, 3,
  ]);
});

test("a value has the same canonical JSON text for every key order, and parsing the text gives the same value", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (json) => {
      const plain = z.json().parse(JSON.parse(json));
      const text = toCanonicalJson(plain);
      expect(JSON.parse(text)).toEqual(plain);
      expect(toCanonicalJson(reverseKeys(plain))).toBe(text);
    }),
  );
});

function reverseKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, reverseKeys(member)] as const)
      .reverse(),
  );
}
