import * as Audit from "../../core/audit/index.ts";
import { AuditOrder } from "../../core/audit/schema.ts";
import { step } from "../../core/audit/step.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = step(AuditOrder, (order) =>
  Audit.gather(
    { table: runtime.table(), clock: runtime.clock, market: runtime.market(), chain: runtime.chain() },
    order,
  ),
);
