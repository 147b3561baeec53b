import * as Audit from "../../core/audit/index.ts";
import { Evidence } from "../../core/audit/schema.ts";
import { machineStep } from "../lib/job.ts";

export const handler = machineStep("audit-rules", Evidence, ({ draft, facts }) => ({
  issues: Audit.inspect(draft, facts),
}));
