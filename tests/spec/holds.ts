import { test } from "vitest";
import { rows } from "./rows.ts";

const claims: ReadonlyMap<string, string> = new Map(rows.map(({ id, claim }) => [id, claim]));

/** Defines the test for one row of the specification. Rows with the same proof share the result of one run. */
export function prove(id: string, proof: () => Promise<void> | void): void {
  test(makeTitle(id), () => runProof(proof));
}

/**
 * Defines one test for each given row. The tests share one proof, and each row gives the input of the proof. Rows with the same input share
 * the result of one run.
 */
export function proveEach<Given>(
  given: Readonly<Record<string, Given>>,
  proof: (given: Given) => Promise<void> | void,
): void {
  const run = shareRuns(proof);
  for (const [id, one] of Object.entries(given)) test(makeTitle(id), () => run(one));
}

const runProof = shareRuns((proof: () => Promise<void> | void) => proof());

/** Returns a function that runs a proof once for each input. Later calls with the same input return the result of the first run. */
function shareRuns<Given>(proof: (given: Given) => Promise<void> | void): (given: Given) => Promise<void> {
  const runs = new Map<Given, Promise<void>>();
  return (given) => {
    const run = runs.get(given) ?? (async () => proof(given))();
    runs.set(given, run);
    return run;
  };
}

function makeTitle(id: string): string {
  const claim = claims.get(id);
  if (claim === undefined) throw new Error(`docs/spec-matrix.md has no row ${id}`);
  return `${id}: ${claim}`;
}
