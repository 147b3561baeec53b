import { defineConfig } from "vitest/config";
import { WholeRunReport } from "./tests/support/whole-run-report.ts";

export default defineConfig({
  // The packages that pass through Vite name sources that they do not ship, which it would say once a file.
  logLevel: "error",
  test: {
    // It imports JSON in a way that only bundlers take.
    server: { deps: { inline: ["@actions/workflow-parser"] } },
    include: ["tests/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a service says while it is made to fail is of interest when a test fails, too.
    silent: "passed-only",
    reporters: ["default", new WholeRunReport({ outputFile: ".local/test-report.json" })],
  },
});
