import type { Clock } from "../port/clock.ts";
import type { Signer } from "../port/signer.ts";

/** Milliseconds that one waits for one's turn, and that a turn may keep the others waiting. */
const patience = 8_000;
const longestTurn = 10_000;

/** When each pool's line will be empty. A line is as long as its process lives: other processes have their own. */
const ends = new WeakMap<Signer, Promise<unknown>>();

/**
 * Those of one process who want a relayer take it one after the other. A crowd that all looks at the table again and
 * again, and finds each free relayer taken by another of its own, leaves the table no time for those who are served.
 * `turn` learns whether it had to wait. `undefined` for one whose turn does not come in time.
 */
export async function inLine<Value>(
  { relayers, clock }: { readonly relayers: Signer; readonly clock: Clock },
  turn: (waited: boolean) => Promise<Value>,
): Promise<Value | undefined> {
  const before = ends.get(relayers);
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (before ?? Promise.resolve()).then(() => Promise.race([promise, clock.sleep(longestTurn)]));
  ends.set(relayers, end);
  void end.then(() => ends.get(relayers) === end && ends.delete(relayers));
  try {
    const came = before === undefined || (await inTime(clock, before));
    return came ? await turn(before !== undefined) : undefined;
  } finally {
    resolve();
  }
}

function inTime(clock: Clock, before: Promise<unknown>): Promise<boolean> {
  return Promise.race([before.then(() => true), clock.sleep(patience).then(() => false)]);
}
