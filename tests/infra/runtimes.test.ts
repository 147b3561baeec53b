import { expect, test } from "vitest";
import { synthesize } from "./assembly.ts";
import { makeReader } from "./reading.ts";

/**
 * The date when AWS ends its support of each runtime. AWS begins to warn on the day when the support ends. About a month after that day AWS
 * refuses new functions, and about two months after that day AWS also refuses updates. The dates come from AWS's table of November 2026:
 * docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html.
 */
const ends: Readonly<Record<string, string>> = {
  "nodejs24.x": "2028-04-30",
  // Only the function with which CDK publishes the site uses the runtime below, and that function runs only in deployments.
  "python3.13": "2029-06-30",
};

/**
 * A change of the runtime must begin this number of months before the end of support. A migration away from SST also takes about nine
 * months. The steps of this migration are in docs/operations.md.
 */
const monthsBefore = 9;

function computeWarningDate(end: string): Date {
  const from = new Date(end);
  from.setUTCMonth(from.getUTCMonth() - monthsBefore);
  return from;
}

test("every function of every stage, including CDK's helpers, runs on a runtime with at least nine months of support left", async () => {
  const used = new Set<unknown>();
  for (const stage of ["jane", "dev", "staging", "prod"]) {
    const functions = makeReader(await synthesize(stage)).ofType("AWS::Lambda::Function");
    for (const { resource } of functions) used.add(resource.Properties.Runtime);
  }
  // Every runtime on the list must be used by a function, so that the list stays true.
  expect([...used].toSorted()).toEqual(Object.keys(ends).toSorted());
  const late = Object.entries(ends).filter(([, end]) => new Date() >= computeWarningDate(end));
  expect(late).toEqual([]);
});
