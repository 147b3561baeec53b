import * as Audit from "../../core/audit/index.ts";
import { Evidence } from "../../core/audit/schema.ts";
import { makeMachineStep } from "../lib/job.ts";

export const handler = makeMachineStep("audit-rules", Evidence, ({ draft, facts }) => ({
  issues: Audit.applyRules(draft, facts),
}));
