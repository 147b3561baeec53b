import type { AuditOrder } from "../audit/schema.ts";

/**
 * Runs the audit state machine to its end. Throws what its steps refuse by its code (`refusalNamed`), and `upstream`
 * `audit_unavailable` when it fails otherwise or takes too long.
 */
export type AuditWorkflow = {
  run(order: AuditOrder): Promise<void>;
};
