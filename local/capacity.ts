import { AppError } from "../core/error.ts";
import type { RuntimeLimits } from "../functions/limits.ts";

/** The limits of a stage, and how many runs of functions its account allows at once. */
export type CapacityLimits = RuntimeLimits & { readonly concurrency: number };

/** The room of the gateway and of Lambda. */
export type Capacity = {
  /** Takes one request of a route from its throttle. Answers whether there was one left. */
  readonly admit: (id: string) => boolean;
  /** Runs work as a run of this function. Throws `TooManyRuns` where all runs that it may have are taken. */
  readonly run: <Result>(id: string, work: () => Promise<Result>) => Promise<Result>;
};

/** Lambda's refusal to start one more run, under the name by which Step Functions knows it. */
export class TooManyRuns extends Error {
  override readonly name = "Lambda.TooManyRequestsException";

  constructor(id: string) {
    super(`All runs that the function ${id} may have at once are taken.`);
  }
}

/** Takes everything. */
export const unlimited: Capacity = { admit: () => true, run: (_id, work) => work() };

/**
 * Applies a stage's limits as AWS does: a token bucket for each route (API Gateway), runs of their own for functions with
 * a reservation, and the rest of the account's runs for all others (Lambda).
 *
 * @param now milliseconds that never go back
 */
export function makeCapacity(limits: CapacityLimits, now: () => number = () => performance.now()): Capacity {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const throttles = new Map(Object.entries(limits.routes));
  const reserved = new Map(Object.entries(limits.reserved));
  const others = Object.values(limits.reserved).reduce((left, runs) => left - runs, limits.concurrency);
  const running = new Map<string, number>();
  return {
    admit(id) {
      const { rate, burst } = throttles.get(id) ?? limits.gateway;
      const at = now();
      const bucket = buckets.get(id) ?? { tokens: burst, at };
      const tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * rate);
      const admitted = tokens >= 1;
      buckets.set(id, { tokens: admitted ? tokens - 1 : tokens, at });
      return admitted;
    },
    async run(id, work) {
      const pool = reserved.has(id) ? id : unreserved;
      const taken = running.get(pool) ?? 0;
      if (taken >= (reserved.get(id) ?? others)) throw new TooManyRuns(id);
      running.set(pool, taken + 1);
      try {
        return await work();
      } finally {
        running.set(pool, (running.get(pool) ?? 1) - 1);
      }
    },
  };
}

/** The pool of functions without a reservation. No function has this name. */
const unreserved = "";

/** What the gateway answers where a route's throttle is used up. */
export function tooManyRequests(): AppError {
  const message = "Too many requests come to this address. No money moved. Try again shortly.";
  return new AppError("limit", "too_many_requests", message, { retryAfter: 1 });
}

/** What the gateway answers where Lambda starts no further run. */
export function atCapacity(cause: TooManyRuns): AppError {
  const message = "Too many requests are under way. No money moved. Try again shortly.";
  return new AppError("upstream", "at_capacity", message, { cause, retryAfter: 1 });
}
