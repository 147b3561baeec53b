import * as Audit from "../../core/audit/index.ts";
import { Evidence } from "../../core/audit/schema.ts";
import { machineStep } from "../lib/job.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = machineStep("audit-review", Evidence, (evidence) =>
  Audit.review(
    {
      table: runtime.table(),
      clock: runtime.clock,
      modelTerms: runtime.modelTerms(),
      reviewer: runtime.reviewer(),
    },
    evidence,
  ),
);
