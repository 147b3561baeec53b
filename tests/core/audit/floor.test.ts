import { beforeAll, expect, test } from "vitest";
import {
  development,
  fresh,
  measured,
  measuredFresh,
  rulesAlone,
  runCases,
} from "../../../bench/audit-eval/engine.ts";
import { computeMeasures, type Measures, makeFigures } from "../../../bench/audit-eval/measure.ts";
import { figures } from "../../../web/src/how/figures.ts";

/**
 * The minimum number of faulty drafts of each kind that the rules alone must stop, measured on drafts that were not used to write the
 * rules. The rules are allowed to stop at most one of the 72 clean drafts.
 */
const least: Readonly<Record<string, number>> = {
  dates: 10,
  prices: 6,
  copies: 3,
  outlets: 4,
  injections: 14,
};

let both: Measures;
let ofDevelopment: Measures;
let ofFresh: Measures;
beforeAll(async () => {
  const measureParts = async (...parts: readonly (typeof measured)[]) =>
    computeMeasures((await runCases(rulesAlone, parts.flat())).outcomes);
  [both, ofDevelopment, ofFresh] = [
    await measureParts(measured, measuredFresh),
    await measureParts(development),
    await measureParts(fresh),
  ];
});

test("the rules stop at most one of the clean drafts that were not used to write the rules", () => {
  expect(both.falseStops).toBeLessThanOrEqual(1);
  expect(ofDevelopment.falseStops).toBe(0);
});

test("the verdict on a draft is the same in every audit, and does not depend on the editor in which the draft was typed", () => {
  expect(both.flips).toBe(0);
  expect(both.inversions).toBe(0);
});

test.each(Object.entries(least))(
  "among the faulty drafts of the kind %s, the rules stop at least %i drafts",
  (kind, count) => {
    expect(both.kinds.find((one) => one.kind === kind)?.stopped).toBeGreaterThanOrEqual(count);
  },
);

test("the numbers on the site's page about the audit equal the results of the rules on the drafts in the corpus's part `fresh`", () => {
  expect(figures.rules).toEqual(makeFigures(ofFresh));
});
