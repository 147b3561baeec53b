import {
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { onEachEngine, startTestDatabase, type TestDatabase } from "../../support/database.ts";
import { account, allItems, clearAccounts, createAccounts, indexItems, key, table } from "./accounts.ts";
import { get, put, remove } from "./actions.ts";

onEachEngine("transactions on %s", (engine) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startTestDatabase(engine);
    await createAccounts(database.client);
  });
  beforeEach(() => clearAccounts(database.client));
  afterAll(() => database.stop());

  const write = (items: TransactWriteItem[]) =>
    database.client.send(new TransactWriteItemsCommand({ TransactItems: items }));

  // What transactions do and refuse by their conditions: `differential.test.ts`, against AWS's own database.
  test("one item cannot occur twice", async () => {
    await expect(write([put("a", 1), remove("a")])).rejects.toMatchObject({
      name: "ValidationException",
      message: "Transaction request cannot include multiple operations on one item",
    });
    await expect(
      database.client.send(new TransactGetItemsCommand({ TransactItems: [get("a"), get("a")] })),
    ).rejects.toMatchObject({ name: "ValidationException" });
    expect(await allItems(database.client)).toEqual([]);
  });

  test("a transaction has at most a hundred actions", async () => {
    const actions = Array.from({ length: 101 }, (_, i) => put(`n${i}`, i));
    await expect(write(actions)).rejects.toMatchObject({ name: "ValidationException" });
    expect(await allItems(database.client)).toEqual([]);
    await write(actions.slice(0, 100));
    expect(await allItems(database.client)).toHaveLength(100);
    expect(await indexItems(database.client, ["ann"])).toHaveLength(100);
  });

  test("a missing table or a malformed expression refuses the whole request", async () => {
    await expect(
      write([put("a", 1), { Put: { TableName: "nowhere", Item: account("a", 1) } }]),
    ).rejects.toMatchObject({ name: "ResourceNotFoundException" });
    const malformed: TransactWriteItem = {
      Update: { TableName: table, Key: key("a"), UpdateExpression: "SETT coins" },
    };
    await expect(write([put("b", 1), malformed])).rejects.toMatchObject({
      name: "ValidationException",
      message: expect.stringContaining("Invalid UpdateExpression: Syntax error"),
    });
    expect(await allItems(database.client)).toEqual([]);
  });

  test("an empty index key is refused", async () => {
    await expect(write([put("a", 1), put("b", 1, "")])).rejects.toMatchObject({
      name: "ValidationException",
      message: expect.stringContaining(
        "cannot contain an empty string value. IndexName: byOwner, IndexKey: owner",
      ),
    });
    expect(await allItems(database.client)).toEqual([]);
  });
});
