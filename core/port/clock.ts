import { createHash } from "node:crypto";

/** The clock of the service as a port, so that tests can set the time. */
export type Clock = {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Waits for the given number of milliseconds. If `upTo` is set, the wait is only a random part of the given time, so that callers do not
   * all retry at the same moment.
   */
  sleep(milliseconds: number, how?: "upTo"): Promise<void>;
};

/** The limit of `poll`: either the maximum number of tries, or the time of the last try in milliseconds since the Unix epoch. */
type PollLimits = {
  readonly tries?: number;
  readonly until?: number;
  /**
   * The milliseconds between two tries, or a function that calculates the milliseconds from the number of tries so far. The default is 0
   * milliseconds, which means no pause.
   */
  readonly pauseMs?: number | ((tried: number) => number);
};

/**
 * Calls a function at once and then repeatedly, until a call returns a value. Returns `undefined` if no try has returned a value within the
 * limit.
 */
export async function poll<Value>(
  clock: Clock,
  { tries = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY, pauseMs = 0 }: PollLimits,
  tryOnce: (tried: number) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  for (let tried = 1; ; tried += 1) {
    const found = await tryOnce(tried);
    if (found !== undefined) return found;
    const pause = typeof pauseMs === "number" ? pauseMs : pauseMs(tried);
    if (tried >= tries || clock.now() + pause > until) return undefined;
    if (pause > 0) await clock.sleep(pause);
  }
}

/** Computes the hash of a secret. The table stores only the hash, so that a reader of the table cannot use the secret. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Cryptographically random values. */
export type Ids = {
  /** 256 random bits in base64url. */
  secret(): string;
  /** At least 96 random bits, written with the characters `[a-zA-Z0-9]`, as EIP-4361 requires of a nonce. */
  nonce(): string;
  /** A random UUID, for leases and claims. */
  uuid(): string;
  /** A uniformly random integer in `[0, below)`. */
  pick(below: number): number;
};
