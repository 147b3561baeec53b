/** A browser's subscription at its vendor's push service (RFC 8030), with the browser's keys (RFC 8291). */
export type Target = {
  readonly endpoint: string;
  /** Base64url: the browser's public key of 65 bytes, and its secret of 16. */
  readonly p256dh: string;
  readonly auth: string;
};

/**
 * `gone`: there is no such subscription any more, or none that can be served. `later`: the service is busy or down. `refused`: it does
 * not want this message, which may be our fault, so the subscription stays.
 */
export type Delivery =
  | { readonly status: "sent" }
  | { readonly status: "gone" | "refused" }
  | { readonly status: "later"; readonly retryAfter: number | undefined };

/** Sends notifications through browsers' push services. */
export type Push = {
  /** Sends at most 3,000 bytes, encrypted for the browser. `topic` names it: a later one of the same name replaces a waiting one. */
  send(target: Target, text: string, topic: string): Promise<Delivery>;
};
