import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type RunningDatabase, startDatabase } from "../../../local/database/index.ts";
import { clientFor, engines, startTestDatabase } from "../../support/database.ts";
import { account, allItems, createAccounts, putAccounts } from "./accounts.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "engines-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

test("an address is used as it is and left running", async () => {
  await using running = await startTestDatabase();
  const used = await startDatabase({ engine: `http://${new URL(running.endpoint).host}/`, port: 0 });
  expect(used.endpoint).toBe(running.endpoint);
  await used.stop();
  await createAccounts(running.client);
});

test("a port that is taken is reported, and the directory let go", async () => {
  await using running = await startTestDatabase();
  const port = Number(new URL(running.endpoint).port);
  await expect(startDatabase({ engine: "embedded", port, directory })).rejects.toThrow("EADDRINUSE");
  const free = await startDatabase({ engine: "embedded", port: 0, directory });
  await free.stop();
});

test("CI without Java fails instead of leaving an engine out", () => {
  vi.stubEnv("PATH", directory);
  vi.stubEnv("CI", "");
  expect(engines()).toEqual(["embedded"]);
  vi.stubEnv("CI", "true");
  expect(engines).toThrow("Java is not installed");
});

describe.runIf(engines().includes("java"))("DynamoDB Local", () => {
  test("keeps its state in the directory and begins anew on demand", async () => {
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
