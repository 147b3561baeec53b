import {
  type AttributeValue,
  CreateTableCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, beforeEach } from "vitest";
import { copyTable } from "../../support/backup.ts";
import type { TestDatabase } from "../../support/database.ts";
import { startPart } from "../../support/provide.ts";

export type StoredItem = Record<string, AttributeValue>;

export const table = "accounts";
export const index = "byOwner";

/** Creates a table of accounts with the key `pk` and `sk`, an index by `owner`, and a number `coins`. */
export async function createAccounts(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: ["pk", "sk", "owner"].map((AttributeName) => ({
        AttributeName,
        AttributeType: "S",
      })),
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: index,
          KeySchema: [
            { AttributeName: "owner", KeyType: "HASH" },
            { AttributeName: "sk", KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "ALL" },
        },
      ],
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName: table });
}

/** Starts a database with a table of accounts for the tests of a file, and empties the table before each test. */
export function startAccounts<Database extends Pick<TestDatabase, "client" | "stop">>(
  start: () => Promise<Database>,
): Database {
  const database = startPart(start);
  beforeAll(() => createAccounts(database.client));
  beforeEach(() => clearAccounts(database.client));
  return database;
}

export function makeAccountKey(name: string): { pk: AttributeValue; sk: AttributeValue } {
  return { pk: { S: "account" }, sk: { S: name } };
}

export function makeAccount(name: string, coins: number, owner = "ann"): StoredItem {
  return { ...makeAccountKey(name), coins: { N: String(coins) }, owner: { S: owner } };
}

export async function putAccounts(client: DynamoDBClient, items: readonly StoredItem[]): Promise<void> {
  await Promise.all(items.map((Item) => client.send(new PutItemCommand({ TableName: table, Item }))));
}

export async function readAllItems(client: DynamoDBClient): Promise<StoredItem[]> {
  return sort(await copyTable({ client, name: table }));
}

/** Reads all index entries of the given owners, sorted by key. */
export async function readIndexItems(
  client: DynamoDBClient,
  owners: readonly string[],
): Promise<StoredItem[]> {
  const pages = await Promise.all(
    owners.map((owner) =>
      client.send(
        new QueryCommand({
          TableName: table,
          IndexName: index,
          KeyConditionExpression: "#owner = :owner",
          ExpressionAttributeNames: { "#owner": "owner" },
          ExpressionAttributeValues: { ":owner": { S: owner } },
        }),
      ),
    ),
  );
  return sort(pages.flatMap((page) => page.Items ?? []));
}

async function clearAccounts(client: DynamoDBClient): Promise<void> {
  const items = await readAllItems(client);
  await Promise.all(
    items.map(({ sk }) =>
      client.send(new DeleteItemCommand({ TableName: table, Key: makeAccountKey(sk?.S ?? "") })),
    ),
  );
}

export function readCoins(item: StoredItem | undefined): number {
  return Number(item?.coins?.N);
}

function sort(items: readonly StoredItem[]): StoredItem[] {
  const formatKey = (item: StoredItem) => `${item.pk?.S}/${item.sk?.S}`;
  return items.toSorted((a, b) => (formatKey(a) < formatKey(b) ? -1 : 1));
}
