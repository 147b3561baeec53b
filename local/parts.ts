/** Something that runs and has an end. */
export type Part = { stop(): Promise<void> };

/** How long a part took to start, in milliseconds. */
export type Took = { readonly part: string; readonly milliseconds: number };

/** Starts parts, keeps the time, and stops what has started, last first. */
export type Parts = {
  readonly start: <P extends Part>(name: string, starting: () => Promise<P>) => Promise<P>;
  /** Has something done when the parts that were started before it are still running. */
  readonly atEnd: (what: () => void) => void;
  readonly took: () => readonly Took[];
  readonly stop: () => Promise<void>;
};

export function makeParts(): Parts {
  const stack = new AsyncDisposableStack();
  const took: Took[] = [];
  return {
    async start(name, starting) {
      const begin = performance.now();
      const part = await starting();
      stack.defer(() => part.stop());
      took.push({ part: name, milliseconds: performance.now() - begin });
      return part;
    },
    atEnd: (what) => void stack.defer(what),
    took: () => took,
    stop: () => stack.disposeAsync(),
  };
}

/**
 * Waits for all, also when one fails: what is still starting then must not come up after the others were stopped.
 * Rejects with the first failure, in the order given.
 */
export async function all<const Pending extends readonly unknown[]>(pending: Pending) {
  await Promise.allSettled(pending);
  return Promise.all(pending);
}
