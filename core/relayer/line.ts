import type { Clock } from "../port/clock.ts";
import type { Signer } from "../port/signer.ts";

/** Milliseconds that one waits for one's turn. */
const patience = 8_000;

/** The last in each pool's line. Nothing else is kept: a line is as long as its process lives. */
const last = new WeakMap<Signer, Promise<void>>();

/**
 * Those of one process who wait for a relayer do so one after the other: a crowd that all looks at the table again and
 * again leaves it no time for those who are served. `undefined` for one whose turn does not come; it stands in nobody's
 * way, and neither does one who never leaves, for longer than that.
 */
export async function inLine<Value>(
  { relayers, clock }: { readonly relayers: Signer; readonly clock: Clock },
  turn: () => Promise<Value>,
): Promise<Value | undefined> {
  const before = last.get(relayers);
  const { promise, resolve } = Promise.withResolvers<void>();
  last.set(relayers, promise);
  try {
    const came = before === undefined || (await inTime(clock, before));
    return came ? await turn() : undefined;
  } finally {
    resolve();
  }
}

function inTime(clock: Clock, before: Promise<void>): Promise<boolean> {
  return Promise.race([before.then(() => true), clock.sleep(patience).then(() => false)]);
}
