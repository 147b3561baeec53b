import * as Audit from "../../core/audit/index.ts";
import { AuditOrder, Evidence, RunFindings } from "../../core/audit/schema.ts";
import { makeMachineStep } from "../lib/job.ts";
import { measure } from "../lib/meter.ts";
import * as runtime from "../lib/runtime.ts";

export const facts = makeMachineStep("audit-facts", AuditOrder, (order) =>
  Audit.gatherEvidence(
    {
      ...runtime.tablePorts(),
      market: runtime.market(),
      chain: runtime.chain(),
      settings: runtime.settings(),
    },
    order,
  ),
);

export const review = makeMachineStep("audit-review", Evidence, async (evidence) => {
  const reviewed = await Audit.review(
    { ...runtime.tablePorts(), modelTerms: runtime.modelTerms(), reviewer: runtime.reviewer() },
    evidence,
  );
  measure({ Misquotes: reviewed.review.dropped });
  return reviewed;
});

export const store = makeMachineStep("audit-store", RunFindings, async (findings) => {
  const { verdict, score } = await Audit.store(runtime.tablePorts(), findings);
  return { verdict, score };
});
