import {
  TransactGetItemsCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { onEachEngine, startTestDatabase, type TestDatabase } from "../../support/database.ts";
import {
  account,
  allItems,
  clearAccounts,
  createAccounts,
  indexItems,
  key,
  putAccounts,
  table,
} from "./accounts.ts";
import { add, check, get, put, putNew, remove } from "./actions.ts";

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
  async function cancelled(items: TransactWriteItem[]): Promise<TransactionCanceledException> {
    const error = await write(items).catch((thrown: unknown) => thrown);
    if (error instanceof TransactionCanceledException) return error;
    throw new Error("The transaction was not cancelled.", { cause: error });
  }

  test("a put, an update, a delete and a check are applied together", async () => {
    await putAccounts(database.client, [account("a", 5), account("b", 1), account("c", 9)]);
    await write([put("new", 7, "bob"), add("a", -5), remove("b"), check("c", 9)]);
    const expected = [account("a", 0), account("c", 9), account("new", 7, "bob")];
    expect(await allItems(database.client)).toEqual(expected);
    expect(await indexItems(database.client, ["ann", "bob"])).toEqual(expected);
  });

  test.each([
    ["put", putNew("c", 1)],
    ["update", add("c", -10)],
    ["delete", remove("nobody")],
    ["check", check("c", 8)],
  ])("a %s whose condition fails undoes all other actions, in the index too", async (_kind, failing) => {
    const before = [account("a", 5), account("b", 1), account("c", 9)];
    await putAccounts(database.client, before);
    const error = await cancelled([put("a", 50, "bob"), remove("b"), put("new", 1, "bob"), failing]);
    expect(error.CancellationReasons?.map((reason) => reason.Code)).toEqual([
      "None",
      "None",
      "None",
      "ConditionalCheckFailed",
    ]);
    expect(await allItems(database.client)).toEqual(before);
    expect(await indexItems(database.client, ["ann", "bob"])).toEqual(before);
  });

  test("the reasons list each action in order, with the item if it was requested", async () => {
    await putAccounts(database.client, [account("a", 5), account("b", 1)]);
    const error = await cancelled([
      putNew("a", 1),
      put("x", 1),
      remove("gone"),
      add("b", -3),
      check("lost", 1),
    ]);
    const failed = { Code: "ConditionalCheckFailed" };
    expect(error.CancellationReasons).toEqual([
      expect.objectContaining({
        ...failed,
        Message: "The conditional request failed",
        Item: account("a", 5),
      }),
      { Code: "None" },
      { ...failed, Message: "The conditional request failed" },
      expect.objectContaining({ ...failed, Item: account("b", 1) }),
      expect.objectContaining(failed),
    ]);
    expect(error.CancellationReasons?.[4]?.Item).toBeUndefined();
    expect(error.message).toBe(
      "Transaction cancelled, please refer cancellation reasons for specific reasons " +
        "[ConditionalCheckFailed, None, ConditionalCheckFailed, ConditionalCheckFailed, ConditionalCheckFailed]",
    );
  });

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
