import {
  DeleteItemCommand,
  type DynamoDBClient,
  paginateScan,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { vi } from "vitest";
import { openTable, type Table } from "../../core/table.ts";
import { ensureTable } from "../../local/database/index.ts";
import type { Lag } from "../../local/database/lag.ts";
import { type EngineName, startTestDatabase } from "./database.ts";

export type TestTable = Awaited<ReturnType<typeof startTestTable>>;

/** The worst case of an unreliable database: indexes and eventually consistent reads are 1 s behind the writes. */
export const alwaysLate: Lag = { index: () => 1_000, read: () => 1_000 };

/** Opens the table through a test's client. */
export function openTestTable(client: DynamoDBClient, name: string): Table {
  const options = { marshallOptions: { removeUndefinedValues: true } };
  return openTable(DynamoDBDocumentClient.from(client, options), name);
}

/** Makes the error for a conflict between transactions. DynamoDB returns this error, but the databases of `startTestTable` never do. */
export function makeConflict(items: number, at: number): TransactionCanceledException {
  return new TransactionCanceledException({
    message: "Transaction cancelled",
    $metadata: {},
    CancellationReasons: Array.from({ length: items }, (_, index) => ({
      Code: index === at ? "TransactionConflict" : "None",
    })),
  });
}

/** Deletes the items whose time of expiry is before the given time in milliseconds. DynamoDB does this by itself, the embedded database does not. */
export async function deleteExpired({ database: { client }, name }: TestTable, now: number): Promise<void> {
  const FilterExpression = "expiresAt < :now";
  const ExpressionAttributeValues = { ":now": { N: String(Math.floor(now / 1000)) } };
  const scan = { TableName: name, FilterExpression, ExpressionAttributeValues };
  for await (const { Items = [] } of paginateScan({ client }, scan)) {
    for (const { pk, sk } of Items) {
      if (pk !== undefined && sk !== undefined)
        await client.send(new DeleteItemCommand({ TableName: name, Key: { pk, sk } }));
    }
  }
}

/** Starts a database with the empty table. `lag` delays the reads of the embedded database. */
export async function startTestTable(engine: EngineName = "embedded", lag?: Lag) {
  const database = await startTestDatabase(engine, { lag });
  const name = "market";
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  await ensureTable(database.endpoint, name);
  return {
    table: openTestTable(database.client, name),
    name,
    database,
    stop: database.stop,
    [Symbol.asyncDispose]: database.stop,
  };
}
