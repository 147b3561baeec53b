import { DeleteTableCommand, DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { describe } from "vitest";
import { type DatabaseOptions, findJavaProblem, startDatabase } from "../../local/database/index.ts";
import type { LocalServer } from "../../local/stand-in.ts";
import { localAws } from "./aws.ts";

export type EngineName = "embedded" | "java";

export type TestDatabase = Awaited<ReturnType<typeof startTestDatabase>>;

/**
 * Runs a suite that needs AWS's DynamoDB Local. Without Java, the suite is skipped, and its title gives the reason. In CI, the run fails if
 * Java is missing, so the comparison with AWS's engine is never skipped. `npm run test:fast` leaves the suite out.
 */
export function runOnDynamoDbLocal(name: string, suite: () => void): void {
  if (process.env.TESTS === "fast") {
    describe.skip(name, suite);
    return;
  }
  java ??= { missing: findJavaProblem() };
  const { missing } = java;
  if (missing === undefined) {
    describe(name, suite);
    return;
  }
  if (process.env.CI !== undefined && process.env.CI !== "") {
    throw new Error(`CI runs the data suites on DynamoDB Local as well. ${missing}`);
  }
  describe.skip(`${name} (skipped: ${missing})`, suite);
}

let java: { readonly missing: string | undefined } | undefined;

/**
 * Returns a database that only the caller uses until the caller calls `stop`. The database is empty and in memory, unless `options` names a
 * folder. The options are only for the embedded database.
 */
export async function startTestDatabase(engine: EngineName = "embedded", options: DatabaseOptions = {}) {
  const idle = engine === "java" ? idleJava.pop() : undefined;
  const database = idle ?? (await startDatabase({ engine, ...options }));
  const client = openTestClient(database.endpoint);
  async function stop(): Promise<void> {
    if (engine === "java") {
      await deleteTables(client);
      idleJava.push(database);
    } else await database.stop();
    client.destroy();
  }
  return { endpoint: database.endpoint, client, stop, [Symbol.asyncDispose]: stop };
}

/** DynamoDB Local needs four CPU seconds to start, so one DynamoDB Local serves many suites. DynamoDB Local ends when the process ends. */
const idleJava: LocalServer[] = [];

async function deleteTables(client: DynamoDBClient): Promise<void> {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const TableName of TableNames) await client.send(new DeleteTableCommand({ TableName }));
}

/**
 * AWS's own client for the database at `endpoint`.
 * @param maxAttempts 1 sends every request only once
 */
export function openTestClient(endpoint: string, maxAttempts = 3): DynamoDBClient {
  return new DynamoDBClient({ endpoint, ...localAws, maxAttempts });
}
