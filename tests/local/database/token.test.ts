import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdempotentParameterMismatchException, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "../../../local/database/database.ts";
import { startDatabase } from "../../../local/database/index.ts";
import type { Listening } from "../../../local/stand-in.ts";
import { openTestClient } from "../../support/database.ts";
import { createAccounts, makeAccount, readAllItems } from "./accounts.ts";
import { put } from "./actions.ts";

let directory: string;
let database: Listening;
let client: ReturnType<typeof openTestClient>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "tokens-"));
  database = await startDatabase({ engine: "embedded", port: 0, directory });
  client = openTestClient(database.endpoint);
  await createAccounts(client);
});
afterEach(async () => {
  vi.useRealTimers();
  client.destroy();
  await database.stop();
  await rm(directory, { recursive: true });
});

test("a client token is valid for ten minutes", async () => {
  const write = (coins: number) =>
    client.send(
      new TransactWriteItemsCommand({ TransactItems: [put("a", coins)], ClientRequestToken: "token" }),
    );
  const start = Date.now();
  await write(1);
  vi.useFakeTimers({ toFake: ["Date"], now: start + 599_000 });
  await expect(write(2)).rejects.toBeInstanceOf(IdempotentParameterMismatchException);
  vi.setSystemTime(start + 601_000);
  await write(2);
  expect(await readAllItems(client)).toEqual([makeAccount("a", 2)]);
});

test("a start deletes expired client tokens, and keeps the others", async () => {
  const tokens = async (later: number): Promise<readonly string[]> => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + later });
    await (await startDatabase({ engine: "embedded", port: 0, directory })).stop();
    const { store } = await openDatabase({ directory });
    const keys = await store.db.keys({ gte: "token~", lt: "token~~" }).all();
    await store.db.close();
    return keys;
  };
  const write = new TransactWriteItemsCommand({ TransactItems: [put("a", 1)], ClientRequestToken: "once" });
  await client.send(write);
  await database.stop();
  expect(await tokens(590_000)).toEqual(["token~once"]);
  expect(await tokens(20_000)).toEqual([]);
});
