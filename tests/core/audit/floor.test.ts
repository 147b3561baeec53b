import { beforeAll, describe, expect, test } from "vitest";
import {
  development,
  fresh,
  judge,
  measured,
  measuredFresh,
  rulesAlone,
} from "../../../bench/audit-eval/engine.ts";
import { figuresOf, type Measures, measure } from "../../../bench/audit-eval/measure.ts";
import { figures } from "../../../web/src/how/figures.ts";

/**
 * The least number of faulty drafts of each kind that the rules alone must stop, measured on drafts that they were not made with. Of 72
 * clean drafts they may stop one.
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
  const of = async (...parts: readonly (typeof measured)[]) =>
    measure((await judge(rulesAlone, parts.flat())).outcomes);
  [both, ofDevelopment, ofFresh] = [
    await of(measured, measuredFresh),
    await of(development),
    await of(fresh),
  ];
});

test("the rules stop at most one clean draft that they were not made with", () => {
  expect(both.falseStops).toBeLessThanOrEqual(1);
  expect(ofDevelopment.falseStops).toBe(0);
});

test("no verdict changes when a draft is audited again, or was typed in another editor", () => {
  expect(both.flips).toBe(0);
  expect(both.inversions).toBe(0);
});

describe("by kind", () => {
  test.each(Object.entries(least))("the rules stop faulty %s, at least %i of them", (kind, count) => {
    expect(both.kinds.find((one) => one.kind === kind)?.stopped).toBeGreaterThanOrEqual(count);
  });
});

test("the figures on the site's page about the audit are those of the fresh part", () => {
  expect(figures.rules).toEqual(figuresOf(ofFresh));
});
