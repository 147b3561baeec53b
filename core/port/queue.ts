/** A queue that delivers each message at least once. */
export type Queue<Message> = {
  /** Throws `upstream` `queue_unavailable`. `delaySeconds` (at most 900) holds the message back. */
  send(message: Message, options?: { readonly delaySeconds?: number }): Promise<void>;
};
