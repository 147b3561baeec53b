import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  paginateScan,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import { ensureTable } from "../../local/database/index.ts";

/** A table's items at one time, as a point-in-time restore returns them. */
export type TableCopy = readonly Record<string, AttributeValue>[];

export type TableAddress = {
  readonly client: DynamoDBClient;
  readonly endpoint: string;
  readonly name: string;
};

/** The maximum number of items in one batch write. */
const mostAtOnce = 25;

export async function copyTable({ client, name }: Omit<TableAddress, "endpoint">): Promise<TableCopy> {
  const items: Record<string, AttributeValue>[] = [];
  const pages = paginateScan({ client }, { TableName: name, ConsistentRead: true });
  for await (const { Items = [] } of pages) items.push(...Items);
  return items;
}

/** Replaces the table by a new table that contains the items of `copy`. */
export async function restoreTable({ client, endpoint, name }: TableAddress, copy: TableCopy): Promise<void> {
  await client.send(new DeleteTableCommand({ TableName: name }));
  await waitUntilTableNotExists({ client, maxWaitTime: 30, minDelay: 0.1, maxDelay: 1 }, { TableName: name });
  await ensureTable(endpoint, name);
  for (let first = 0; first < copy.length; first += mostAtOnce) {
    const puts = copy.slice(first, first + mostAtOnce).map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [name]: puts } }),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new Error("The table did not take the whole copy.");
  }
}
