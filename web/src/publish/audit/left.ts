import { auditLimit } from "../../../../core/audit/schema.ts";
import type { AuditedPress } from "../../api/publish.ts";

/** How often a press can still be audited (specification §8). Every press has all of them before it is saved. */
export function auditsLeft(own: Pick<AuditedPress, "auditCount"> | undefined): number {
  return Math.max(0, auditLimit - (own?.auditCount ?? 0));
}
