import { expect, test } from "vitest";
import { makeReview, Reading } from "../../../core/audit/reading.ts";
import { listChecks, rules } from "../../../core/audit/rule/index.ts";
import { goodDraft, soundReading } from "./sample.ts";

const known = new Map(listChecks([]).map(({ check, by }) => [check, by]));

test("the list of checks contains every concern that the model may report, and says that the model makes this check", () => {
  const { concern } = Reading.unwrap().shape.findings.unwrap().element.shape;
  const findings = concern.options.map((one) => ({
    concern: one,
    excerpt: "subscriptions keep growing",
    weight: 1,
    reason: "It is.",
  }));
  const { issues } = makeReview(goodDraft, { ...soundReading, findings });
  expect(issues).toHaveLength(concern.options.length);
  expect(issues.filter(({ check }) => !known.get(check)?.includes("model"))).toEqual([]);
});

test("a check states its number of findings, even if the number is zero, and states what the check cannot judge", () => {
  const issue = { severity: "low", check: "dates", detail: "A detail." } as const;
  const run = listChecks([issue, issue]);
  expect(run.filter(({ found }) => found > 0)).toMatchObject([{ check: "dates", by: "rules", found: 2 }]);
  expect(run.filter(({ cannotJudge }) => cannotJudge === "")).toEqual([]);
  expect(new Set(run.map(({ check }) => check)).size).toBe(run.length);
});

test("every rule has a check of its own, with a readable label and a text about the limits of the check", () => {
  expect(new Set(rules.map(({ check }) => check)).size).toBe(rules.length);
  for (const { check, label, cannotJudge } of rules) {
    expect(check).toMatch(/^[a-z-]+$/);
    expect(label).toMatch(/^[A-Z][a-z ]+$/);
    expect(cannotJudge).toMatch(/^[a-z].*[^.]$/);
  }
});
