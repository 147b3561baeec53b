import type { Clock } from "../port/clock.ts";
import { unavailable } from "./error.ts";

/** Milliseconds for one look at the chain: a reader waits for it, who may have waited for the API before. */
const chainTime = 2_000;

/** What the chain says, if it does so in time. Throws `upstream` `market_unavailable` when it does not. */
export function inTime<Value>(clock: Clock, answer: Promise<Value>): Promise<Value> {
  const late = clock.sleep(chainTime).then(() => {
    throw unavailable(new Error(`The chain took more than ${chainTime} ms`));
  });
  return Promise.race([answer, late]);
}
