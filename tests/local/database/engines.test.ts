import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startDatabase } from "../../../local/database/index.ts";
import { startTestDatabase } from "../../support/database.ts";
import { createAccounts } from "./accounts.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "engines-"));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

test("an engine that is given by its address is used as it is, and keeps running after the stop", async () => {
  await using running = await startTestDatabase();
  const used = await startDatabase({ engine: `http://${new URL(running.endpoint).host}/`, port: 0 });
  expect(used.endpoint).toBe(running.endpoint);
  await used.stop();
  await createAccounts(running.client);
});

test("a start on a taken port reports the port, and releases the directory", async () => {
  await using running = await startTestDatabase();
  const port = Number(new URL(running.endpoint).port);
  await expect(startDatabase({ engine: "embedded", port, directory })).rejects.toThrow("EADDRINUSE");
  const free = await startDatabase({ engine: "embedded", port: 0, directory });
  await free.stop();
});
