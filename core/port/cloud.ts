/** A queue that delivers each message at least once. */
export type Queue<Message> = {
  /** Throws `queue_unavailable` (`upstream`). `delaySeconds` (at most 900) delays the delivery of the message. */
  send(message: Message, options?: { readonly delaySeconds?: number }): Promise<void>;
};

/** The storage bucket with the site's files. */
export type Pages = {
  /** Reads the HTML document of the site; `undefined` if the site was never built. Throws `site_unavailable` (`upstream`). */
  fetchTemplate(): Promise<string | undefined>;
};

/** The operators' log. The log must never contain signatures, tokens, texts, or URLs with keys. */
export type Log = {
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
};

/** The events that are counted in metrics and are not shown in answers to callers. */
export type MetricEvent =
  /** A payment was settled, by the service or by a stranger. */
  | { readonly name: "LegSettled"; readonly leg: "fee" | "publisher" }
  /** A settlement has ended without a charge to the payer. `code` is a code of x402, or `released`. */
  | { readonly name: "SettlementFailed"; readonly code: string }
  /**
   * The gas units that a failed settlement has cost the service, separately for wallets with and without code. The metric is the sum of
   * these gas units.
   */
  | { readonly name: "GasBurned"; readonly wallet: "contract" | "plain" }
  | { readonly name: "RelayersBusy" };

/** Adds the given number, by default 1, to the count of an event. The call returns at once and never fails. */
export type Meter = {
  count(occurrence: MetricEvent, times?: number): void;
};

/** The log files of the content network (the edge), each with one JSON object per line. The methods throw if the store does not answer. */
export type EdgeLogs = {
  /** Lists the names of the log files that the content network has stored under a UTC day, `YYYY-MM-DD`. */
  listFiles(day: string): Promise<readonly string[]>;
  /**
   * Reads the lines of a log file. Throws if the file is not in the format of a log file, or if it is too large to be read in one piece.
   */
  readLines(file: string): Promise<readonly string[]>;
};

/** A browser's subscription at its vendor's push service (RFC 8030), with the browser's keys (RFC 8291). */
export type PushTarget = {
  readonly endpoint: string;
  /** The browser's public key of 65 bytes and the browser's secret of 16 bytes, both in base64url. */
  readonly p256dh: string;
  readonly auth: string;
};

/**
 * `gone`: the subscription no longer exists or can never be used. `later`: the push service is busy or down. `refused`: the push service
 * does not accept this message. The message may be refused because of a fault of ours, so the subscription is not deleted.
 */
export type PushResult =
  | { readonly status: "sent" }
  | { readonly status: "gone" | "refused" }
  | { readonly status: "later"; readonly retryAfter: number | undefined };

/** Sends notifications through browsers' push services. */
export type Push = {
  /**
   * Sends at most 3,000 bytes, encrypted for the browser. If an earlier message with the same `topic` still waits for delivery, the new
   * message replaces the earlier message.
   */
  send(target: PushTarget, text: string, topic: string): Promise<PushResult>;
};
