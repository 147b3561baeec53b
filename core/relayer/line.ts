import type { Clock } from "../port/clock.ts";
import type { Signer } from "../port/signer.ts";

/** Those of one process who wait, by their claims, in the order in which they came. */
type Waiting = Map<string, () => void>;

export type Line = {
  /** For a relayer. */
  readonly waiting: Waiting;
  /** For the end of a transaction that somebody else has sent. */
  readonly following: Waiting;
  /** The one that looks for a free key, for all of them. */
  scout: string | undefined;
};

/** A line is as long as its process lives: other processes have their own. */
const lines = new WeakMap<Signer, Line>();

/**
 * The line of a pool. A crowd that all looks at the table again and again leaves it no time for those who are served: one
 * looks for a key, and who leads a transaction wakes those whom it has taken along.
 */
export function lineOf(relayers: Signer): Line {
  const line = lines.get(relayers) ?? { waiting: new Map(), following: new Map(), scout: undefined };
  lines.set(relayers, line);
  return line;
}

/** Waits until somebody wakes this claim, so many milliseconds at most. Answers whether it was woken. */
export async function untilWoken(
  { clock }: { readonly clock: Clock },
  who: Waiting,
  claim: string,
  milliseconds: number,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  who.set(claim, () => resolve(true));
  return Promise.race([promise, clock.sleep(milliseconds).then(() => false)]);
}

/** Wakes the first who is not among these: nobody has taken it along, and somebody has to look for a key. */
export function wakeNext(line: Line, taken: ReadonlySet<string>): void {
  for (const [claim, wake] of line.waiting) {
    if (taken.has(claim)) continue;
    wake();
    return;
  }
}

/** Wakes those of these who wait here, for whatever. */
export function wakeAll({ waiting, following }: Line, claims: Iterable<string>): void {
  for (const claim of claims) {
    waiting.get(claim)?.();
    following.get(claim)?.();
  }
}
