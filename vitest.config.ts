import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst, longest } from "./tests/support/longest-first.ts";
import { QuietReporter } from "./tests/support/quiet-reporter.ts";
import { WholeRunReport } from "./tests/support/whole-run-report.ts";

/** Test files that start processes of their own. These files run before all others. */
const ownProcess = [
  "tests/infra/{bundles,plain-cdk,rehearsal}.test.ts",
  "tests/local/start.test.ts",
  "tests/web/build.test.ts",
];

/** Test files that load the service's functions. A loaded function keeps using the first ports that it got. */
const functions = [
  "tests/{attack,client,e2e,functions,spec}/**/*.test.ts",
  "tests/bench/{cost,drill}.test.ts",
  "tests/infra/paid-read.test.ts",
  "tests/local/testnet.test.ts",
  "tests/web/{browser/**/*,sample}.test.ts",
  // `repair.test.ts` replaces a module that other test files have already loaded in the same process.
  "tests/core/payment/repair.test.ts",
];

/** Test files that measure times. These files run after all other files. */
const alone = ["tests/web/browser/paint.test.ts"];

/** Tests that `npm run test:fast` leaves out: tests with browsers, Java or processes of their own, and files that take ten seconds. */
const slow = [
  "tests/{attack,bench,client,e2e,infra,local}/**",
  "tests/web/browser/**",
  ...longest.map((name) => `tests/${name}.test.ts`),
];

/** The settings of test files that are loaded into one process. */
const shared = {
  isolate: false,
  setupFiles: ["tests/support/fresh-modules.ts", "tests/support/shared-process.ts"],
};

// The tests, and the programs that they start, make their temporary files in this directory. Vitest ends its workers so abruptly that the
// workers cannot delete their temporary files.
const temporary = mkdtempSync(join(tmpdir(), "tests-"));
process.env.TMPDIR = temporary;
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));

// The programs that the tests start use this cache, because compiling a program's code takes a third of the CPU time of its start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, ".local", "test-cache", "compiled");

export default defineConfig(({ mode }) => {
  const left = mode === "fast" ? [...configDefaults.exclude, ...slow] : configDefaults.exclude;
  return {
    // Some packages name source files that they do not contain, and Vite would warn of this once for each file.
    logLevel: "error",
    test: {
      // This package imports JSON in a way that only bundlers accept.
      server: { deps: { inline: ["@actions/workflow-parser"] } },
      // Without this cache, each project and each run would transform the same sources again.
      fsModuleCache: true,
      pool: "forks",
      // The audit's rules are large regular expressions. Without this option, V8 would first compile the audit's patterns to bytecode.
      // Making bytecode first would take six times as long as compiling the patterns to machine code immediately.
      execArgv: ["--no-regexp-tier-up"],
      // There are two workers per core of a runner, because tests wait for blocks, clocks and processes. With five workers, the tests took
      // longer than with four.
      maxWorkers: 4,
      sequence: { sequencer: LongestFirst },
      env: { TESTS: mode },
      setupFiles: ["tests/support/output-of-tests.ts", "tests/support/checked-models.ts"],
      // These limits only end tests that hang. Even on a busy machine, every test takes much less time than these limits.
      testTimeout: 900_000,
      // If the machine does other work, packing a program takes minutes.
      hookTimeout: 900_000,
      teardownTimeout: 120_000,
      expect: { poll: { timeout: 60_000 } },
      // The log of a service is shown only if the test has failed.
      silent: "passed-only",
      reporters: [
        new QuietReporter(),
        ...(mode === "fast" ? [] : [new WholeRunReport({ outputFile: ".local/test-report.json" })]),
      ],
      // The projects run in the order of their names.
      projects: [
        { extends: true, test: { name: "own process", include: ownProcess, exclude: left } },
        // For most test files, loading the imports takes longer than running the tests, so a worker loads the imports only once.
        {
          extends: true,
          test: {
            ...shared,
            name: "shared packages",
            include: functions,
            exclude: [...left, ...alone],
          },
        },
        {
          extends: true,
          test: {
            name: "shared process",
            isolate: false,
            // A list of files in `setupFiles` is added to the list above. A single file name in `setupFiles` would replace the list above.
            setupFiles: ["tests/support/shared-process.ts"],
            include: ["tests/**/*.test.ts"],
            exclude: [...left, ...ownProcess, ...functions],
          },
        },
        {
          extends: true,
          test: {
            ...shared,
            name: "alone",
            include: alone,
            exclude: left,
            maxWorkers: 1,
            maxConcurrency: 4,
            sequence: { groupOrder: 1 },
          },
        },
      ],
    },
  };
});
