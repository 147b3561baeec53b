import * as Audit from "../../core/audit/index.ts";
import { AuditOrder, Evidence, RunFindings } from "../../core/audit/schema.ts";
import { makeMachineStep } from "../lib/job.ts";
import { logMetrics } from "../lib/meter.ts";
import * as runtime from "../lib/runtime.ts";

export const facts = makeMachineStep("audit-facts", AuditOrder, (order) =>
  Audit.gatherEvidence(
    {
      ...runtime.makeTablePorts(),
      market: runtime.market(),
      chain: runtime.chain(),
      settings: runtime.readSettings(),
    },
    order,
  ),
);

export const review = makeMachineStep("audit-review", Evidence, async (evidence) => {
  const reviewed = await Audit.askModel(
    { ...runtime.makeTablePorts(), modelTerms: runtime.readModelTerms(), reviewer: runtime.reviewer() },
    evidence,
  );
  logMetrics({ Misquotes: reviewed.review.dropped });
  return reviewed;
});

export const store = makeMachineStep("audit-store", RunFindings, async (findings) => {
  const { verdict, score } = await Audit.saveAudit(runtime.makeTablePorts(), findings);
  return { verdict, score };
});
