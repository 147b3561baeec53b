import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a service says while it is made to fail is of interest when a test fails, too.
    silent: "passed-only",
    reporters: ["default", ["json", { outputFile: ".local/test-report.json" }]],
  },
});
