import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { storage } from "../../functions/storage.ts";
import type { Dice } from "../stand-in.ts";
import { startEmbedded } from "./embedded.ts";
import { startJava } from "./java.ts";

/** `embedded` runs in this process, `java` starts AWS's DynamoDB Local, an address uses what runs there. */
export type DatabaseEngine = "embedded" | "java" | `http://${string}` | `https://${string}`;

interface StartDatabaseOptions {
  readonly engine: DatabaseEngine;
  /** 0 takes a free one. Nothing listens for an engine that is an address. */
  readonly port: number;
  /** Where the state is kept; in memory where there is none. */
  readonly directory?: string | undefined;
  /** Begins without what the directory holds. */
  readonly fresh?: boolean | undefined;
  /** Embedded only: requests take milliseconds, so that they overlap and conflict, and an answer stalls now and then. */
  readonly rough?: Dice | undefined;
}

export interface RunningDatabase {
  /** For the client's `endpoint`, such as `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  /** Answers what is under way, then ends what was started. */
  stop(): Promise<void>;
}

/** Starts a DynamoDB on 127.0.0.1. Every answered write survives the death of this process where there is a directory.
 * @throws where the directory is in use by another process, the port is taken, or Java is missing */
export async function startDatabase(options: StartDatabaseOptions): Promise<RunningDatabase> {
  const { engine } = options;
  if (engine === "embedded") return startEmbedded(options);
  if (engine === "java") return startJava(options);
  return { endpoint: engine.replace(/\/+$/, ""), stop: () => Promise.resolve() };
}

type Keys = { readonly partitionKey: string; readonly sortKey: string };

/**
 * Makes the one table of `functions/storage.ts` where it is missing. Region and credentials come from the
 * environment. Nothing deletes what has expired: code checks the time itself, as DynamoDB deletes hours late. Throws an
 * Error where a table of that name has other keys or indexes.
 */
export async function ensureTable(endpoint: string, name: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  try {
    await create(client, name);
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName: name });
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (Table === undefined || !fits(Table)) {
      throw new Error(`The table ${name} was made by another version. Start with --fresh to make it anew.`);
    }
  } finally {
    client.destroy();
  }
}

async function create(client: DynamoDBClient, name: string): Promise<void> {
  const keys = [storage, ...storage.indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  const command = new CreateTableCommand({
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    KeySchema: keySchema(storage),
    GlobalSecondaryIndexes: storage.indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index),
      Projection: { ProjectionType: "ALL" },
    })),
  });
  try {
    await client.send(command);
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}

function keySchema({ partitionKey, sortKey }: Keys) {
  return [
    { AttributeName: partitionKey, KeyType: "HASH" as const },
    { AttributeName: sortKey, KeyType: "RANGE" as const },
  ];
}

function fits({ KeySchema = [], GlobalSecondaryIndexes = [] }: TableDescription): boolean {
  const found = [
    { name: "", schema: KeySchema },
    ...GlobalSecondaryIndexes.map(({ IndexName = "", KeySchema: schema = [] }) => ({
      name: IndexName,
      schema,
    })),
  ];
  const wanted = [{ name: "", ...storage }, ...storage.indexes];
  return (
    found.length === wanted.length &&
    wanted.every(({ name, partitionKey, sortKey }) =>
      found.some(
        (index) =>
          index.name === name &&
          index.schema.some((key) => key.KeyType === "HASH" && key.AttributeName === partitionKey) &&
          index.schema.some((key) => key.KeyType === "RANGE" && key.AttributeName === sortKey),
      ),
    )
  );
}
