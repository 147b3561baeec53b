import * as Audit from "../../core/audit/index.ts";
import { Findings } from "../../core/audit/schema.ts";
import { machineStep } from "../lib/job.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = machineStep("audit-store", Findings, async (findings) => {
  const { verdict, score } = await Audit.store({ table: runtime.table(), clock: runtime.clock }, findings);
  return { verdict, score };
});
