import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";

const root = fileURLToPath(new URL("../..", import.meta.url));
const Report = z.object({ numPassedTests: z.int(), numFailedTests: z.int() });
let directory: string;

/** A project of two test files, with the reporter of this one. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "report-"));
  const reporter = JSON.stringify(join(root, "tests/support/whole-run-report.ts"));
  await writeFile(
    join(directory, "vitest.config.ts"),
    `import { WholeRunReport } from ${reporter};
export default { test: { globals: true, pool: "threads", isolate: false, maxWorkers: 1, reporters: [new WholeRunReport({ outputFile: "report.json" })] } };`,
  );
  await writeFile(join(directory, "one.test.js"), 'test("a", () => {}); test("b", () => {});');
  await writeFile(join(directory, "other.test.js"), 'test("c", () => { throw new Error("no"); });');
});
afterAll(() => rm(directory, { recursive: true }));

function run(...args: readonly string[]): Promise<void> {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  return new Promise((resolve) => {
    execFile(process.execPath, [vitest, "run", "--root", directory, ...args], { cwd: directory }, () =>
      resolve(),
    );
  });
}

const counts = async () => Report.parse(JSON.parse(await readFile(join(directory, "report.json"), "utf8")));

test("a run of every test writes the report; runs of some of them leave it as it is", async () => {
  await run();
  expect(await counts()).toEqual({ numPassedTests: 2, numFailedTests: 1 });
  await run("one");
  await run("-t", "a");
  await run("--shard", "1/2");
  expect(await counts()).toEqual({ numPassedTests: 2, numFailedTests: 1 });
});
