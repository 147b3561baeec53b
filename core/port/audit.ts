import type { AuditOrder } from "../audit/schema.ts";

/**
 * Runs the audit state machine to its end. Throws `conflict` `stock_delisted`, and `upstream` `audit_unavailable` when
 * it fails or takes too long; by then nothing has been stored or counted.
 */
export type AuditWorkflow = {
  run(order: AuditOrder): Promise<void>;
};
