import { describe, expect, test } from "vitest";
import { decide, penalties, statusAfter } from "../../../core/audit/decide.ts";
import type { Issue, Severity } from "../../../core/audit/schema.ts";

const issue = (severity: Severity, check = "figures"): Issue => ({ severity, check, detail: "A detail." });
const judged = (score: number, rules: readonly Severity[], model: readonly Severity[] = []) =>
  decide({
    issues: rules.map((severity) => issue(severity)),
    review: { score, summary: "Sound.", issues: model.map((severity) => issue(severity, "balance")) },
  });

describe("the verdict", () => {
  test.each([
    [100, [], [], "approve", 100],
    [70, [], [], "approve", 70],
    [69, [], [], "revise", 69],
    [40, [], [], "revise", 40],
    [39, [], [], "reject", 39],
    [80, ["medium"], [], "approve", 72],
    [80, ["medium", "low", "low"], [], "revise", 68],
    [100, ["high"], [], "revise", 80],
    [100, [], ["high"], "revise", 100],
    [100, [], ["medium", "medium", "medium"], "approve", 100],
    [100, ["critical"], [], "reject", 0],
    [100, [], ["critical"], "reject", 100],
    [50, ["high"], [], "reject", 30],
    [10, ["high"], [], "reject", 0],
  ] as const)(
    "of a score of %i with rules %j and model %j is %s at %i",
    (score, rules, model, verdict, final) => {
      expect(judged(score, rules, model)).toMatchObject({ verdict, score: final });
    },
  );
});

test("a worse finding never costs less", () => {
  expect(penalties.low).toBeLessThan(penalties.medium);
  expect(penalties.medium).toBeLessThan(penalties.high);
  expect(penalties.high).toBeLessThan(penalties.critical);
});

test("issues of rules and model come worst first, and the summary counts the rules'", () => {
  const { issues, summary } = judged(90, ["low", "medium"], ["high", "low"]);
  expect(issues.map(({ severity }) => severity)).toEqual(["high", "medium", "low", "low"]);
  expect(summary).toBe("Sound. The rule checks found 1 medium, 1 low.");
  expect(judged(90, []).summary).toBe("Sound. The rule checks found nothing.");
});

test.each([
  ["approve", "approved"],
  ["revise", "revise"],
  ["reject", "rejected"],
] as const)("%s makes a press %s", (verdict, status) => {
  expect(statusAfter(verdict)).toBe(status);
});
