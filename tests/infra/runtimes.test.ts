import { expect, test } from "vitest";
import { synthesize } from "./assembly.ts";
import { reader } from "./reading.ts";

/**
 * When AWS takes its support from a runtime (the day from which it warns; it refuses new functions about a month later, and
 * updates two). From AWS's table of November 2026: docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html.
 */
const ends: Readonly<Record<string, string>> = {
  "nodejs24.x": "2028-04-30",
  // CDK's publisher of the site, which runs in deployments only.
  "python3.13": "2029-06-30",
};

/** So long before an end somebody has to move: about as long as leaving SST may take (docs/operations.md). */
const monthsBefore = 9;

function warnFrom(end: string): Date {
  const from = new Date(end);
  from.setUTCMonth(from.getUTCMonth() - monthsBefore);
  return from;
}

test("every function of every stage, CDK's helpers included, runs on a runtime that lives for nine months yet", async () => {
  const used = new Set<unknown>();
  for (const stage of ["jane", "dev", "staging", "prod"]) {
    const functions = reader(await synthesize(stage)).ofType("AWS::Lambda::Function");
    for (const { resource } of functions) used.add(resource.Properties.Runtime);
  }
  // Each on the list is used, so that the list stays true.
  expect([...used].toSorted()).toEqual(Object.keys(ends).toSorted());
  const late = Object.entries(ends).filter(([, end]) => new Date() >= warnFrom(end));
  expect(late).toEqual([]);
});
