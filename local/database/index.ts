import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { systemClock } from "../../core/adapter/system.ts";
import { poll } from "../../core/port/clock.ts";
import { storage } from "../../functions/storage.ts";
import { type GuardedChild, spawnChild } from "../child.ts";
import { bind, type Dice, ignoreFailure, type LocalServer } from "../stand-in.ts";
import { startEmbedded } from "./embedded.ts";
import type { Lag } from "./lag.ts";

/**
 * `embedded` runs in this process, `java` starts AWS's DynamoDB Local, and an address names a running
 * database.
 */
export type DatabaseEngine = "embedded" | "java" | `http://${string}` | `https://${string}`;

export interface DatabaseOptions {
  /** The folder of the database's state; without a folder the state is in memory. */
  readonly directory?: string | undefined;
  /** Whether the stored state is deleted before the database starts. */
  readonly fresh?: boolean | undefined;
  /**
   * Only for the embedded engine: requests take milliseconds and overlap, some answers come very late, and indexes and eventually
   * consistent reads lag.
   */
  readonly rough?: Dice | undefined;
  /** Only for the embedded engine: how long indexes and eventually consistent reads lag. `lag` also works without `rough`. */
  readonly lag?: Lag | undefined;
}

/**
 * Starts a DynamoDB on 127.0.0.1. If a directory is given, every write that was answered survives the end of this process. `stop` answers
 * the running requests first.
 * @throws Error if another process uses the directory or Java is missing
 */
export async function startDatabase(
  options: DatabaseOptions & { readonly engine: DatabaseEngine },
): Promise<LocalServer> {
  const { engine } = options;
  if (engine === "embedded") return startEmbedded(options);
  if (engine === "java") return startJava(options);
  return { endpoint: engine.replace(/\/+$/, ""), stop: () => Promise.resolve() };
}

type TableKeys = { readonly partitionKey: string; readonly sortKey: string };

/**
 * Creates the table of `functions/storage.ts` if it is missing. The client's region and credentials come from the environment. Expired
 * items stay in the table: the code checks the time itself, because DynamoDB may delete an item hours after it has expired. Throws Error if
 * the existing table has other keys or indexes.
 */
export async function ensureTable(endpoint: string, name: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  try {
    await createTable(client, name);
    await waitUntilTableExists({ client, maxWaitTime: 120, minDelay: 1 }, { TableName: name });
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (Table === undefined || !hasCurrentKeys(Table)) {
      throw new Error(
        `The table ${name} was made by another version of this project. Start with --fresh to create it again.`,
      );
    }
  } finally {
    client.destroy();
  }
}

async function createTable(client: DynamoDBClient, name: string): Promise<void> {
  const keys = [storage, ...storage.indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  const command = new CreateTableCommand({
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    KeySchema: makeKeySchema(storage),
    GlobalSecondaryIndexes: storage.indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: makeKeySchema(index),
      Projection: { ProjectionType: "ALL" },
    })),
  });
  try {
    await client.send(command);
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}

function makeKeySchema({ partitionKey, sortKey }: TableKeys) {
  return [
    { AttributeName: partitionKey, KeyType: "HASH" as const },
    { AttributeName: sortKey, KeyType: "RANGE" as const },
  ];
}

/** Formats each key attribute of an index as one line; for the table itself, `index` is the empty string. */
const formatKeys = (index: string, schema: TableDescription["KeySchema"] = []) =>
  schema.map(({ KeyType, AttributeName }) => `${index} ${KeyType} ${AttributeName}`);

function hasCurrentKeys({ KeySchema, GlobalSecondaryIndexes = [] }: TableDescription): boolean {
  const wanted = [
    ...formatKeys("", makeKeySchema(storage)),
    ...storage.indexes.flatMap((index) => formatKeys(index.name, makeKeySchema(index))),
  ];
  const found = [
    ...formatKeys("", KeySchema),
    ...GlobalSecondaryIndexes.flatMap((index) => formatKeys(index.IndexName ?? "", index.KeySchema)),
  ];
  return wanted.toSorted().join() === found.toSorted().join();
}

const jar = fileURLToPath(
  new URL("../../node_modules/amplify-dynamodb-simulator/emulator/DynamoDBLocal.jar", import.meta.url),
);
const readyWithinMs = 240_000;

/** The reason why AWS's DynamoDB Local cannot run on this machine; `undefined` if it can run. */
export function findJavaProblem(): string | undefined {
  if (!existsSync(jar))
    return "The npm package amplify-dynamodb-simulator, which has DynamoDB Local, is not installed.";
  const found = spawnSync("java", ["-version"], { stdio: "ignore" });
  return found.status === 0 ? undefined : "Java is not installed.";
}

/**
 * Starts AWS's DynamoDB Local, which ends with this process. The database's state is in `<directory>/dynamodb-java`.
 * @throws Error if Java is missing or the program does not start
 */
async function startJava(options: DatabaseOptions): Promise<LocalServer> {
  const missing = findJavaProblem();
  if (missing !== undefined) throw new Error(`DynamoDB Local needs Java. ${missing}`);
  const port = await findFreePort();
  const storage = await makeStorageFlags(options.directory, options.fresh === true);
  const flags = [
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Xmx256m",
    "-Djava.library.path=./DynamoDBLocal_lib",
  ];
  const program = ["-jar", "DynamoDBLocal.jar", "-port", String(port), "-sharedDb", "-disableTelemetry"];
  const running = spawnChild("java", [...flags, ...program, ...storage], { cwd: dirname(jar) });
  const endpoint = `http://127.0.0.1:${port}`;
  await awaitReady(running, endpoint);
  return { endpoint, stop: running.stop };
}

async function makeStorageFlags(directory: string | undefined, fresh: boolean): Promise<string[]> {
  if (directory === undefined) return ["-inMemory"];
  const path = resolve(join(directory, "dynamodb-java"));
  if (fresh) await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  return ["-dbPath", path];
}

async function awaitReady(running: GuardedChild, endpoint: string): Promise<void> {
  let ended = false;
  void running.exited.then(() => {
    ended = true;
  });
  const isReady = await poll(systemClock, { until: Date.now() + readyWithinMs, pauseMs: 25 }, async () => {
    if (ended) throw new Error(`DynamoDB Local ended while it was starting:\n${running.output()}`);
    return (await isReachable(endpoint)) || undefined;
  });
  if (isReady !== undefined) return;
  await running.stop();
  throw new Error(`DynamoDB Local did not answer within ${readyWithinMs / 1000} s:\n${running.output()}`);
}

async function isReachable(endpoint: string): Promise<boolean> {
  try {
    await (await fetch(endpoint)).arrayBuffer();
    return true;
  } catch {
    // While DynamoDB Local is starting, no server listens on the port yet. The caller tries again, and limits the time for these attempts.
    return false;
  }
}

/**
 * Finds a free port for a program that is started later. If a program asks for any free port, the operating system gives it no port of this
 * range.
 */
export async function findFreePort(): Promise<number> {
  const probe = createServer();
  const port = await bind(probe, randomInt(20_000, 30_000)).catch(ignoreFailure("EADDRINUSE"));
  if (port === undefined) return findFreePort();
  await new Promise((closed) => probe.close(closed));
  return port;
}
