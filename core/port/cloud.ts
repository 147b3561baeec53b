import type { AuditOrder } from "../audit/schema.ts";

/** A queue that delivers each message at least once. */
export type Queue<Message> = {
  /** Throws `upstream` `queue_unavailable`. `delaySeconds` (at most 900) holds the message back. */
  send(message: Message, options?: { readonly delaySeconds?: number }): Promise<void>;
};

/** The site's files in their bucket. */
export type Pages = {
  /** The site's own document; `undefined` before the first build. Throws `upstream` `site_unavailable`. */
  template(): Promise<string | undefined>;
};

/**
 * Runs the audit state machine to its end. Throws its steps' refusals by their code (`refusalNamed`), and `upstream` `audit_unavailable`
 * when it fails otherwise or takes too long.
 */
export type AuditWorkflow = {
  run(order: AuditOrder): Promise<void>;
};

/** The operators' log. Never give it signatures, tokens, texts, or addresses that hold keys. */
export type Log = {
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
};

/** Events inside an operation that its answer does not show, for metrics. */
export type Occurrence =
  /** A leg was settled, by us or by a stranger. */
  | { readonly name: "LegSettled"; readonly leg: "fee" | "publisher" }
  /** A settlement was given up without a charge. `code` is the protocol's, or `released`. */
  | { readonly name: "SettlementFailed"; readonly code: string }
  /** Gas units that a failed settlement has cost us, of a wallet with or without code. The metric adds up units. */
  | { readonly name: "GasBurned"; readonly wallet: "contract" | "plain" }
  | { readonly name: "RelayersBusy" };

/** Counts events, one by default. It returns at once and never fails. */
export type Meter = {
  count(occurrence: Occurrence, times?: number): void;
};
