import type { Case } from "./operation.ts";

/**
 * The smallest case found within `timeLimit` milliseconds that still fails: fewer operations first, in halves, quarters
 * and one by one, then simpler ones.
 */
export async function smallest(
  failing: Case,
  fails: (one: Case) => Promise<boolean>,
  timeLimit: number,
): Promise<Case> {
  const until = performance.now() + timeLimit;
  let best = failing;
  const better = async (candidate: Case) => {
    if (performance.now() > until || !(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  for (let size = Math.ceil(best.operations.length / 2); size >= 1; ) {
    let smaller = false;
    for (let from = best.operations.length - size; from > -size; from -= size) {
      const rest = best.operations.filter((_, index) => index < from || index >= from + size);
      if (await better({ ...best, operations: rest })) smaller = true;
    }
    size = size === 1 && smaller ? 1 : size === 1 ? 0 : Math.ceil(size / 2);
  }
  await better({ ...best, choices: [0] });
  await better({ ...best, skew: 0 });
  await better({ ...best, back: { ...best.back, header: "fresh" } });
  await better({ ...best, back: { ...best.back, late: false } });
  await better({ ...best, back: { ...best.back, settled: "not" } });
  for (const index of best.operations.keys()) {
    for (const plain of [
      { crash: undefined },
      { ambush: undefined },
      { named: false },
      { twice: false },
      { oldTerms: false },
      { life: 300 },
      { steps: 30 },
    ]) {
      const operations = best.operations.map((one, at) => (at === index ? simpler(one, plain) : one));
      if (JSON.stringify(operations) !== JSON.stringify(best.operations))
        await better({ ...best, operations });
    }
  }
  return best;
}

/** The operation with a field replaced, where it has it. */
function simpler<Value extends object>(one: Value, change: Partial<Record<string, unknown>>): Value {
  const known = Object.entries(change).filter(([name]) => name in one);
  return { ...one, ...Object.fromEntries(known) };
}
