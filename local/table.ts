import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { storage } from "../functions/storage.ts";

type Keys = { readonly partitionKey: string; readonly sortKey: string };

/**
 * Makes the one table of `functions/storage.ts` where it is missing. Region and credentials come from the
 * environment. Throws an Error where a table of that name has other keys or indexes.
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
    await ensureTimeToLive(client, name);
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

async function ensureTimeToLive(client: DynamoDBClient, name: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
  const status = TimeToLiveDescription?.TimeToLiveStatus;
  if (status === "ENABLED" || status === "ENABLING") return;
  const TimeToLiveSpecification = { AttributeName: storage.ttlAttribute, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
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
