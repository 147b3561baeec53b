import {
  GetItemCommand,
  TransactGetItemsCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "../../support/database.ts";
import { createAccounts, makeAccount, makeAccountKey, putAccounts, table } from "./accounts.ts";
import { get, put } from "./actions.ts";

/** In these cases AWS behaves differently from DynamoDB Local, so the engines cannot be compared. */
describe("the database behaves as AWS in cases where DynamoDB Local behaves differently", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startTestDatabase();
    await createAccounts(database.client);
    await putAccounts(database.client, [makeAccount("a", 5)]);
  });
  afterAll(() => database.stop());

  const update = (expression: string): TransactWriteItem => ({
    Update: {
      TableName: table,
      Key: makeAccountKey("a"),
      UpdateExpression: expression,
      ExpressionAttributeValues: { ":one": { N: "1" } },
    },
  });

  test.each([
    [update("SET coins = sk + :one"), "An operand in the update expression has an incorrect data type"],
    [
      update("SET coins = gone + :one"),
      "The provided expression refers to an attribute that does not exist in the item",
    ],
    [
      update("SET coins.deep = :one"),
      "The document path provided in the update expression is invalid for update",
    ],
    [
      { Delete: { TableName: table, Key: { pk: { S: "account" } } } },
      "The provided key element does not match the schema",
    ],
    [
      { Put: { TableName: table, Item: { ...makeAccountKey("a"), owner: { N: "1" } } } },
      "One or more parameter values were invalid: Type mismatch for Index Key owner Expected: S Actual: N IndexName: byOwner",
    ],
  ])(
    "an action that does not fit its item cancels the transaction, and the answer gives the reason (case %#)",
    async (action, message) => {
      const sent = database.client.send(
        new TransactWriteItemsCommand({ TransactItems: [put("new", 1), action] }),
      );
      const error = await sent.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TransactionCanceledException);
      expect(error).toMatchObject({
        CancellationReasons: [{ Code: "None" }, { Code: "ValidationError", Message: message }],
      });
      const found = await database.client.send(
        new GetItemCommand({ TableName: table, Key: makeAccountKey("new") }),
      );
      expect(found.Item).toBeUndefined();
    },
  );

  test("a transaction consumes twice the capacity of its single actions", async () => {
    const read = await database.client.send(
      new TransactGetItemsCommand({
        TransactItems: [get("a"), get("nobody")],
        ReturnConsumedCapacity: "TOTAL",
      }),
    );
    expect(read.ConsumedCapacity).toEqual([{ TableName: table, CapacityUnits: 4, ReadCapacityUnits: 4 }]);
  });
});
