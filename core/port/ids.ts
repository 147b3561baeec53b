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
