import * as Audit from "../../core/audit/index.ts";
import { Evidence } from "../../core/audit/schema.ts";
import { machineStep } from "../lib/job.ts";
import { measure } from "../lib/meter.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = machineStep("audit-review", Evidence, async (evidence) => {
  const reviewed = await Audit.review(
    {
      table: runtime.table(),
      clock: runtime.clock,
      modelTerms: runtime.modelTerms(),
      reviewer: runtime.reviewer(),
    },
    evidence,
  );
  measure({ Misquotes: reviewed.review.dropped });
  return reviewed;
});
