import { expect, test } from "vitest";
import { type CaseOutcome, measured, tuning } from "../../bench/audit-eval/engine.ts";
import { computeMeasures } from "../../bench/audit-eval/measure.ts";
import type { Issue, Verdict } from "../../core/audit/schema.ts";
import { appleFacts, goodDraft } from "../core/audit/sample.ts";

const makeIssue = (severity: Issue["severity"], check: string, quoted = "grew 11%"): Issue => ({
  severity,
  check,
  detail: `Wrong: "${quoted}". Mend it.`,
});

function makeOutcome(
  kind: string | undefined,
  verdict: Verdict,
  score: number,
  ...issues: Issue[]
): CaseOutcome {
  const judged = { verdict, score, issues };
  return {
    name: `${kind} ${score}`,
    kind,
    isTwin: false,
    accepted: kind === undefined ? [] : [kind],
    cleanName: undefined,
    draft: goodDraft,
    facts: appleFacts,
    judged,
    again: [judged],
  };
}

test("the evaluation counts faulty drafts that the audit stops, faults that the audit names, and clean drafts that the audit stops by mistake", () => {
  const measures = computeMeasures([
    makeOutcome(undefined, "approve", 90, makeIssue("low", "dates")),
    makeOutcome(undefined, "revise", 60, makeIssue("high", "dates")),
    makeOutcome("dates", "revise", 70, makeIssue("high", "dates"), makeIssue("medium", "pump", "not in it")),
    makeOutcome("dates", "reject", 60, makeIssue("high", "pump", "Two things explain")),
    makeOutcome("pump", "approve", 95, makeIssue("medium", "pump", "not in it")),
    makeOutcome("copies", "approve", 80),
  ]);
  expect(measures).toMatchObject({
    faulty: 4,
    stopped: 2,
    named: 2,
    clean: 2,
    falseStops: 1,
    falseAlarms: 1,
    precision: 2 / 3,
    recall: 0.5,
  });
  expect(measures.kinds).toEqual([
    { kind: "copies", drafts: 1, stopped: 0, named: 0, falseStops: 0 },
    { kind: "dates", drafts: 2, stopped: 2, named: 1, falseStops: 1 },
    { kind: "pump", drafts: 1, stopped: 0, named: 1, falseStops: 0 },
  ]);
});

test("the evaluation counts changed verdicts, faulty drafts that score above their clean twins, and drafts without a review", () => {
  const clean = { ...makeOutcome(undefined, "approve", 80), name: "clean" };
  const better = { ...makeOutcome("dates", "approve", 81), cleanName: "clean" };
  const other = { verdict: "revise", score: 80, issues: [] } as const;
  const measures = computeMeasures([
    { ...clean, again: [other, undefined] },
    better,
    { ...better, judged: undefined },
  ]);
  expect(measures).toMatchObject({ flips: 1, inversions: 1, unreviewed: 1, stopped: 0 });
});

test("the two parts of the corpus have at least 160 drafts together, and no draft is in both parts", () => {
  expect(tuning.length + measured.length).toBeGreaterThanOrEqual(160);
  const bodies = new Set(tuning.map(({ draft }) => draft.body));
  expect(measured.filter(({ draft }) => bodies.has(draft.body))).toEqual([]);
});
