import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type RunningDatabase, startDatabase } from "../../../local/database/index.ts";
import { clientFor, onDynamoDbLocal, startTestDatabase } from "../../support/database.ts";
import { account, allItems, createAccounts, putAccounts } from "./accounts.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "engines-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

test("an engine's address is used unchanged, and its engine keeps running", async () => {
  await using running = await startTestDatabase();
  const used = await startDatabase({ engine: `http://${new URL(running.endpoint).host}/`, port: 0 });
  expect(used.endpoint).toBe(running.endpoint);
  await used.stop();
  await createAccounts(running.client);
});

test("a taken port is reported, and the directory is released", async () => {
  await using running = await startTestDatabase();
  const port = Number(new URL(running.endpoint).port);
  await expect(startDatabase({ engine: "embedded", port, directory })).rejects.toThrow("EADDRINUSE");
  const free = await startDatabase({ engine: "embedded", port: 0, directory });
  await free.stop();
});

describe("Java is missing", () => {
  /** Runs a suite on both engines in its own process. */
  function run(ci: string): Promise<{ readonly output: string; readonly code: number }> {
    const vitest = fileURLToPath(new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url));
    const file = "tests/local/database/conditions.test.ts";
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [vitest, "run", "--maxWorkers=1", "--reporter=verbose", file],
        { env: { PATH: directory, CI: ci, NO_COLOR: "1" } },
        (error, stdout, stderr) => resolve({ output: stdout + stderr, code: error === null ? 0 : 1 }),
      );
    });
  }

  test("the tests on DynamoDB Local are counted as skipped, with the reason", async () => {
    const { output, code } = await run("");
    expect(output).toMatch(/Tests +\d+ passed \| \d+ skipped/);
    expect(output).toContain("java (skipped: Java is not installed.)");
    expect(code).toBe(0);
  });

  test("CI fails instead of skipping tests", async () => {
    const { output, code } = await run("true");
    expect(output).toContain("Java is not installed");
    expect(code).toBe(1);
  });
});

onDynamoDbLocal("DynamoDB Local", () => {
  test("DynamoDB Local keeps its state in the directory and starts empty on demand", async () => {
    async function started<T>(fresh: boolean, use: (database: RunningDatabase) => Promise<T>): Promise<T> {
      const database = await startDatabase({ engine: "java", port: 0, directory, fresh });
      return use(database).finally(() => database.stop());
    }
    await started(false, async ({ endpoint }) => {
      const client = clientFor(endpoint);
      await createAccounts(client);
      await putAccounts(client, [account("a", 1)]);
      client.destroy();
    });
    const kept = await started(false, ({ endpoint }) => allItems(clientFor(endpoint)));
    expect(kept).toEqual([account("a", 1)]);
    await started(true, async ({ endpoint }) => {
      await expect(allItems(clientFor(endpoint))).rejects.toMatchObject({
        name: "ResourceNotFoundException",
      });
    });
  });
});
