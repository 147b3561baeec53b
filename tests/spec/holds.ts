import { test } from "vitest";
import { rows } from "./rows.ts";

const claims: ReadonlyMap<string, string> = new Map(rows.map(({ id, claim }) => [id, claim]));

/** Defines the test for one row of the specification. */
export function prove(id: string, proof: () => Promise<void> | void): void {
  test(makeTitle(id), proof);
}

/** Defines one test for each given row. The tests share one proof, and each row gives the input of the proof. */
export function proveEach<Given>(
  given: Readonly<Record<string, Given>>,
  proof: (given: Given) => Promise<void> | void,
): void {
  for (const [id, one] of Object.entries(given)) test(makeTitle(id), () => proof(one));
}

function makeTitle(id: string): string {
  const claim = claims.get(id);
  if (claim === undefined) throw new Error(`docs/spec-matrix.md has no row ${id}`);
  return `${id}: ${claim}`;
}
