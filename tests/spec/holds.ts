import { test } from "vitest";
import { catalogue, formatTestTitle, type RowId } from "./catalogue/index.ts";

const titles: ReadonlyMap<string, string> = new Map(catalogue.map((row) => [row.id, formatTestTitle(row)]));

/** Defines the test for one row of the specification. */
export function holds(id: RowId, proof: () => Promise<void> | void): void {
  test(findTitle(id), proof);
}

/** Defines the tests for rows that share one proof; each row gives the input of the proof. */
export function holdsEach<Given>(
  rows: Readonly<Partial<Record<RowId, Given>>>,
  proof: (given: Given) => Promise<void> | void,
): void {
  for (const [id, given] of Object.entries<Given>(rows)) test(findTitle(id), () => proof(given));
}

function findTitle(id: string): string {
  const title = titles.get(id);
  if (title === undefined) throw new Error(`The specification has no row ${id}`);
  return title;
}
