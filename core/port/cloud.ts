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

/** The edge's log files, each with one JSON object a line. Its calls throw when the store does not answer. */
export type EdgeLogs = {
  /** The names of the files that the edge has stored under a UTC day, `YYYY-MM-DD`. */
  files(day: string): Promise<readonly string[]>;
  /** The lines of a file. Throws for a file that is no log, or too large to be read at once. */
  lines(file: string): Promise<readonly string[]>;
};

/** A browser's subscription at its vendor's push service (RFC 8030), with the browser's keys (RFC 8291). */
export type PushTarget = {
  readonly endpoint: string;
  /** Base64url: the browser's public key of 65 bytes, and its secret of 16 bytes. */
  readonly p256dh: string;
  readonly auth: string;
};

/**
 * `gone`: the subscription does not exist any more, or cannot be served. `later`: the service is busy or down. `refused`: the service does
 * not accept this message, which may be our fault, so the subscription stays.
 */
export type Delivery =
  | { readonly status: "sent" }
  | { readonly status: "gone" | "refused" }
  | { readonly status: "later"; readonly retryAfter: number | undefined };

/** Sends notifications through browsers' push services. */
export type Push = {
  /** Sends at most 3,000 bytes, encrypted for the browser. A later message with the same `topic` replaces a waiting one. */
  send(target: PushTarget, text: string, topic: string): Promise<Delivery>;
};
