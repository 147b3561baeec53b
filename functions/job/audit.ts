import * as Audit from "../../core/audit/index.ts";
import { AuditOrder, Findings } from "../../core/audit/schema.ts";
import { machineStep } from "../lib/job.ts";
import * as runtime from "../lib/runtime.ts";

export const facts = machineStep("audit-facts", AuditOrder, (order) =>
  Audit.gather(
    { table: runtime.table(), clock: runtime.clock, market: runtime.market(), chain: runtime.chain() },
    order,
  ),
);

export const store = machineStep("audit-store", Findings, async (findings) => {
  const { verdict, score } = await Audit.store({ table: runtime.table(), clock: runtime.clock }, findings);
  return { verdict, score };
});
