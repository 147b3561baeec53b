import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { onEachEngine, startTestDatabase, type TestDatabase } from "../../support/database.ts";
import { account, clearAccounts, createAccounts, key, putAccounts, table } from "./accounts.ts";

type OldItem = "ALL_OLD" | "NONE" | undefined;

onEachEngine("conditions and settings on %s", (engine) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startTestDatabase(engine);
    await createAccounts(database.client);
  });
  beforeEach(() => clearAccounts(database.client));
  afterAll(() => database.stop());

  const impossible = (name: string, old: OldItem) => ({
    TableName: table,
    Key: key(name),
    ConditionExpression: "coins = :coins",
    ExpressionAttributeValues: { ":coins": { N: "-1" } },
    ReturnValuesOnConditionCheckFailure: old,
  });
  const writes = {
    put: ({ Key, ...rest }: ReturnType<typeof impossible>) =>
      database.client.send(new PutItemCommand({ ...rest, Item: { ...Key, coins: { N: "1" } } })),
    update: (input: ReturnType<typeof impossible>) =>
      database.client.send(new UpdateItemCommand({ ...input, UpdateExpression: "REMOVE coins" })),
    delete: (input: ReturnType<typeof impossible>) => database.client.send(new DeleteItemCommand(input)),
  };

  test.each(["put", "update", "delete"] as const)(
    "a failed condition of the %s of an item returns the old item on demand and writes nothing",
    async (name) => {
      await putAccounts(database.client, [account("a", 5)]);
      async function itemGivenBack(of: string, old: OldItem): Promise<unknown> {
        const error = await writes[name](impossible(of, old)).catch((thrown: unknown) => thrown);
        if (!(error instanceof ConditionalCheckFailedException)) throw new Error("The write did not fail.");
        expect(error.message).toBe("The conditional request failed");
        return error.Item;
      }
      expect(await itemGivenBack("a", "ALL_OLD")).toEqual(account("a", 5));
      expect(await itemGivenBack("a", "NONE")).toBeUndefined();
      expect(await itemGivenBack("a", undefined)).toBeUndefined();
      expect(await itemGivenBack("nobody", "ALL_OLD")).toBeUndefined();
      const found = await database.client.send(new GetItemCommand({ TableName: table, Key: key("a") }));
      expect(found.Item).toEqual(account("a", 5));
    },
  );

  test.each([
    ["gone = absent", 0],
    ["gone <> absent", 1],
    ["gone <= absent", 0],
    ["coins IN (gone, absent)", 0],
    ["coins BETWEEN gone AND absent", 0],
    ["begins_with(gone, absent)", 0],
    ["NOT size(gone) < size(absent)", 1],
  ])("the filter %s on missing attributes finds %i", async (filter, count) => {
    await putAccounts(database.client, [account("a", 5)]);
    const answer = await database.client.send(
      new ScanCommand({ TableName: table, FilterExpression: filter }),
    );
    expect(answer.Count).toBe(count);
  });
});
