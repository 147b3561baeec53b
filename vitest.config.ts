import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst, longest } from "./tests/support/longest-first.ts";
import { QuietReporter } from "./tests/support/quiet-reporter.ts";
import { WholeRunReport } from "./tests/support/whole-run-report.ts";

/** They start processes of their own, and run before the others. */
const ownProcess = [
  "tests/core/payment/load.test.ts",
  "tests/infra/{bundles,plain-cdk,rehearsal}.test.ts",
  "tests/local/start.test.ts",
  "tests/web/build.test.ts",
];

/** Files that load the service's functions, which keep the ports that they were given first. */
const functions = [
  "tests/{attack,client,e2e,functions,spec}/**/*.test.ts",
  "tests/bench/{cost,drill}.test.ts",
  "tests/infra/paid-read.test.ts",
  "tests/local/testnet.test.ts",
  "tests/web/{browser/**/*,sample}.test.ts",
  // It puts another module in the place of one that other files have loaded.
  "tests/core/payment/repair.test.ts",
];

/** Files that hold something against the clock: they run when the others have ended. */
const alone = ["tests/web/browser/paint.test.ts"];

/** What `npm run test:fast` leaves to `npm test`: browsers, Java, processes of their own, and what takes ten seconds. */
const slow = [
  "tests/{attack,bench,client,e2e,infra,local}/**",
  "tests/web/browser/**",
  ...longest.map((name) => `tests/${name}.test.ts`),
];

/** What files share that are loaded into one process. */
const shared = {
  isolate: false,
  setupFiles: ["tests/support/fresh-modules.ts", "tests/support/shared-process.ts"],
};

// The programs that tests start find their code compiled, which takes a third of a start's CPU time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, ".local", "test-cache", "compiled");

export default defineConfig(({ mode }) => {
  const left = mode === "fast" ? [...configDefaults.exclude, ...slow] : configDefaults.exclude;
  return {
    // The packages that pass through Vite name sources that they do not ship, which it would say once a file.
    logLevel: "error",
    test: {
      // It imports JSON in a way that only bundlers take.
      server: { deps: { inline: ["@actions/workflow-parser"] } },
      // Each project would transform the same sources again, and each run.
      fsModuleCache: true,
      pool: "forks",
      // The rules of the audit are large patterns: V8 takes six times as long to make its bytecode of them as to compile them at once.
      execArgv: ["--no-regexp-tier-up"],
      // Twice the cores of a runner: files wait for blocks, clocks and processes. Six took longer (683 s where four took 647).
      maxWorkers: 4,
      sequence: { sequencer: LongestFirst },
      env: { TESTS: mode },
      setupFiles: ["tests/support/output-of-tests.ts", "tests/support/checked-models.ts"],
      // Bounds against tests that hang. A machine that is busy with other things must not come near them.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      expect: { poll: { timeout: 60_000 } },
      // What a service says while it is made to fail is of interest when a test fails, too.
      silent: "passed-only",
      reporters: [
        new QuietReporter(),
        ...(mode === "fast" ? [] : [new WholeRunReport({ outputFile: ".local/test-report.json" })]),
      ],
      // They run in the order of their names.
      projects: [
        { extends: true, test: { name: "own process", include: ownProcess, exclude: left } },
        // Loading their imports takes most of these files longer than their tests, so a worker loads them once.
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
            // A list, which is added to the one above; a name alone would stand in its place.
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
            maxConcurrency: 3,
            sequence: { groupOrder: 1 },
          },
        },
      ],
    },
  };
});
