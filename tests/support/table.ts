import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { vi } from "vitest";
import { openTable } from "../../core/table.ts";
import { ensureTable } from "../../local/database/index.ts";
import type { Lag } from "../../local/database/lag.ts";
import { type EngineName, startTestDatabase } from "./database.ts";

export type TestTable = Awaited<ReturnType<typeof startTestTable>>;

/** The worst case of an unreliable database: indexes and eventually consistent reads are 1 s behind the writes. */
export const alwaysLate: Lag = { index: () => 1_000, read: () => 1_000 };

/** Starts a database with the empty table. `lag` delays the reads of the embedded database. */
export async function startTestTable(engine: EngineName = "embedded", lag?: Lag) {
  const database = await startTestDatabase(engine, lag);
  const name = "market";
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  await ensureTable(database.endpoint, name);
  const client = DynamoDBDocumentClient.from(database.client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  return {
    table: openTable(client, name),
    name,
    database,
    stop: database.stop,
    [Symbol.asyncDispose]: database.stop,
  };
}
