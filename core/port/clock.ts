/** The time, so that nouns can be tried at any moment. */
export type Clock = {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Resolves after so many milliseconds; `upTo` after a random part of them, so that those who met do not all come back at
   * one moment.
   */
  sleep(milliseconds: number, how?: "upTo"): Promise<void>;
};

/** How long `poll` goes on: so many tries, or until this moment in milliseconds since the Unix epoch. */
type PollLimits = {
  readonly tries?: number;
  readonly until?: number;
  /** Milliseconds between two tries, or how many after that many tries. None unless given. */
  readonly pauseMs?: number | ((tried: number) => number);
};

/** Tries at once and then again, until there is a value. Answers `undefined` when tries or time are used up. */
export async function poll<Value>(
  clock: Clock,
  { tries = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY, pauseMs = 0 }: PollLimits,
  attempt: (tried: number) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  for (let tried = 1; ; tried += 1) {
    const found = await attempt(tried);
    if (found !== undefined) return found;
    const pause = typeof pauseMs === "number" ? pauseMs : pauseMs(tried);
    if (tried >= tries || clock.now() + pause > until) return undefined;
    if (pause > 0) await clock.sleep(pause);
  }
}

/** Values that nobody can guess. */
export type Ids = {
  /** 256 random bits, base64url. */
  secret(): string;
  /** At least 96 random bits of `[a-zA-Z0-9]`, as EIP-4361 asks of a nonce. */
  nonce(): string;
  /** A random UUID, for leases and claims. */
  uuid(): string;
  /** An integer, uniformly in `[0, below)`. */
  pick(below: number): number;
};
