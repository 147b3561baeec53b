import type { AuditOrder } from "../audit/schema.ts";

/** A queue that delivers each message at least once. */
export type Queue<Message> = {
  /** Throws `upstream` `queue_unavailable`. `delaySeconds` (at most 900) holds the message back. */
  send(message: Message, options?: { readonly delaySeconds?: number }): Promise<void>;
};

/** The site's files, as far as pages of presses are concerned. */
export type Pages = {
  /** The site's own document; `undefined` while no site is there. Throws `upstream` `site_unavailable`. */
  template(): Promise<string | undefined>;
};

/**
 * Runs the audit state machine to its end. Throws what its steps refuse by its code (`refusalNamed`), and `upstream`
 * `audit_unavailable` when it fails otherwise or takes too long.
 */
export type AuditWorkflow = {
  run(order: AuditOrder): Promise<void>;
};
