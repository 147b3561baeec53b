import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startDatabase } from "../../../local/database/index.ts";
import { clientFor, onDynamoDbLocal, startTestDatabase } from "../../support/database.ts";
import { account, allItems, createAccounts, putAccounts } from "./accounts.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "engines-"));
});
afterEach(async () => {
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

onDynamoDbLocal("DynamoDB Local", () => {
  test("DynamoDB Local keeps its state in the directory", async () => {
    const first = await startDatabase({ engine: "java", port: 0, directory });
    const client = clientFor(first.endpoint);
    await createAccounts(client);
    await putAccounts(client, [account("a", 1)]);
    client.destroy();
    await first.stop();
    const next = await startDatabase({ engine: "java", port: 0, directory });
    const kept = await allItems(clientFor(next.endpoint)).finally(() => next.stop());
    expect(kept).toEqual([account("a", 1)]);
  });
});
