/**
 * The state of the money after a failure.
 *
 * - `none`: nothing was charged.
 * - `fee`: the platform's fee is paid and is not refunded; if `buy` is called again, it pays only the rest of the price.
 * - `unknown`: a signed payment was sent and may still be charged, at most once. If `buy` is called again, it sends the same signature and
 *   signs nothing.
 */
export type Money = "none" | "fee" | "unknown";

type MarketErrorOptions = {
  readonly money?: Money | undefined;
  /** The HTTP status, if the service answered. */
  readonly status?: number | undefined;
  /** Seconds after which the same call may succeed. */
  readonly retryAfter?: number | undefined;
  /** The cause of the error: the service's answer, or an exception. */
  readonly cause?: unknown;
};

/**
 * The error that every failed call of the client throws. The error's `code` comes from the service or from this client, and stays the same
 * in every version (client/README.md).
 */
export class MarketError extends Error {
  override readonly name = "MarketError";
  readonly code: string;
  readonly money: Money;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: string, message: string, options: MarketErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.money = options.money ?? "none";
    this.status = options.status;
    this.retryAfter = options.retryAfter;
  }
}
