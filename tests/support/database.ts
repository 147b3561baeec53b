import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { startDatabase } from "../../local/database/index.ts";
import { javaMissing } from "../../local/database/java.ts";

export type EngineName = "embedded" | "java";

export interface TestDatabase extends AsyncDisposable {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  stop(): Promise<void>;
}

/** The engines that a suite about stored data runs on: `describe.each(engines())(…)`. AWS's own DynamoDB Local joins
 * wherever Java exists.
 * @throws in CI without Java, so that the comparison with AWS's engine cannot be left out unnoticed */
export function engines(): readonly EngineName[] {
  const missing = javaMissing();
  if (missing === undefined) return ["embedded", "java"];
  if (process.env.CI !== undefined && process.env.CI !== "") {
    throw new Error(`CI runs the data suites on DynamoDB Local as well. ${missing}`);
  }
  return ["embedded"];
}

/** Starts an empty database in memory, that nobody else uses. */
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
