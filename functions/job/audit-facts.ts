import * as Audit from "../../core/audit/index.ts";
import { AuditOrder } from "../../core/audit/schema.ts";
import { machineStep } from "../lib/job.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = machineStep("audit-facts", AuditOrder, (order) =>
  Audit.gather(
    { table: runtime.table(), clock: runtime.clock, market: runtime.market(), chain: runtime.chain() },
    order,
  ),
);
