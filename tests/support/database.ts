import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe } from "vitest";
import { startDatabase } from "../../local/database/index.ts";
import { javaMissing } from "../../local/database/java.ts";

export type EngineName = "embedded" | "java";

export interface TestDatabase extends AsyncDisposable {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  stop(): Promise<void>;
}

/** A suite about stored data, on the embedded engine and on AWS's own DynamoDB Local. `%s` in its name is the engine. */
export function onEachEngine(name: string, suite: (engine: EngineName) => void): void {
  describe(name.replace("%s", "embedded"), () => suite("embedded"));
  onDynamoDbLocal(name.replace("%s", "java"), () => suite("java"));
}

/**
 * A suite that needs AWS's DynamoDB Local. Without Java it is skipped, which its name and the counts say.
 * Throws in CI without Java, so that the comparison with AWS's engine cannot be left out unnoticed.
 */
export function onDynamoDbLocal(name: string, suite: () => void): void {
  const missing = javaMissing();
  if (missing === undefined) {
    describe(name, suite);
    return;
  }
  if (process.env.CI !== undefined && process.env.CI !== "") {
    throw new Error(`CI runs the data suites on DynamoDB Local as well. ${missing}`);
  }
  describe.skip(`${name} (skipped: ${missing})`, suite);
}

/** Starts an empty database in memory, which nobody else uses. */
export async function startTestDatabase(engine: EngineName = "embedded"): Promise<TestDatabase> {
  const database = await startDatabase({ engine, port: 0 });
  const client = clientFor(database.endpoint);
  async function stop(): Promise<void> {
    client.destroy();
    await database.stop();
  }
  return { endpoint: database.endpoint, client, stop, [Symbol.asyncDispose]: stop };
}

/** The real client. @param maxAttempts 1 sends every request once */
export function clientFor(endpoint: string, maxAttempts = 3): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts,
  });
}
