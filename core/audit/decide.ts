import type { PressItem } from "../press/entity.ts";
import type { AuditReport, Issue, Review, Severity, Verdict } from "./schema.ts";

/** Design §2: from `approve` on a press without a high issue is approved, below `reject` it is rejected. */
const thresholds = { approve: 70, reject: 40 } as const;

/** Points that each finding of the rules takes off the model's score. The model's own findings are in its score already. */
export const penalties: Readonly<Record<Severity, number>> = { low: 2, medium: 8, high: 20, critical: 100 };

const order: readonly Severity[] = ["critical", "high", "medium", "low"];

export type Decision = Pick<AuditReport, "verdict" | "score" | "summary" | "issues">;

/** The verdict on what the rules and the model found. Issues come worst first. */
export function decide(findings: { readonly issues: readonly Issue[]; readonly review: Review }): Decision {
  const { review } = findings;
  const issues = [...findings.issues, ...review.issues].toSorted(
    (one, other) => order.indexOf(one.severity) - order.indexOf(other.severity),
  );
  const penalty = findings.issues.reduce((total, { severity }) => total + penalties[severity], 0);
  const score = Math.max(0, review.score - penalty);
  return {
    verdict: verdictOn(score, issues),
    score,
    summary: `${review.summary} ${counted(findings.issues)}`,
    issues,
  };
}

/** The press's status after a verdict (specification §3). */
export function statusAfter(
  verdict: Verdict,
): Extract<PressItem["status"], "approved" | "revise" | "rejected"> {
  return ({ approve: "approved", revise: "revise", reject: "rejected" } as const)[verdict];
}

function verdictOn(score: number, issues: readonly Issue[]): Verdict {
  const worst = issues[0]?.severity;
  if (worst === "critical") return "reject";
  if (score >= thresholds.approve && worst !== "high") return "approve";
  return score < thresholds.reject ? "reject" : "revise";
}

function counted(issues: readonly Issue[]): string {
  if (issues.length === 0) return "The rule checks found nothing.";
  const counts = order.flatMap((severity) => {
    const count = issues.filter((issue) => issue.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  return `The rule checks found ${counts.join(", ")}.`;
}
