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

/** Where operators read what callers need not know. Never given signatures, tokens, texts, or addresses that hold keys. */
export type Log = {
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
};

/** What happens inside an operation and no answer tells of. */
export type Occurrence =
  /** A leg was settled, by us or by somebody else. */
  | { readonly name: "LegSettled"; readonly leg: "fee" | "publisher" }
  /** A settlement was given up with nothing charged. `code`: the protocol's, or `released`. */
  | { readonly name: "SettlementFailed"; readonly code: string }
  /** Gas units that a failed settlement has cost us, of a wallet with code or without. Counted by the unit. */
  | { readonly name: "GasBurned"; readonly wallet: "contract" | "plain" }
  | { readonly name: "RelayersBusy" };

/** Counts what happens, once unless told. It answers at once and never fails. */
export type Meter = {
  count(occurrence: Occurrence, times?: number): void;
};
