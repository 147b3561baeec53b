/** What a broken invariant of design §4 means for those who pay. */
export type Harm =
  | "double charge"
  | "lost unlock"
  | "stolen text"
  | "stuck lease"
  | "broken promise"
  | "gas drain";

/** An invariant of design §4 that did not hold. */
export class Violation extends Error {
  override readonly name = "Violation";
  readonly harm: Harm;

  constructor(harm: Harm, invariant: string) {
    super(`${harm}: ${invariant}`);
    this.harm = harm;
  }
}

/** Throws Violation unless the invariant holds. */
export function must(holds: boolean, harm: Harm, invariant: string): asserts holds {
  if (!holds) throw new Violation(harm, invariant);
}

/** What happened in runs, by name. */
export type Tally = Map<string, number>;

export function count(tally: Tally, name: string, times = 1): void {
  tally.set(name, (tally.get(name) ?? 0) + times);
}
