import { type AttributeValue, DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { storage } from "../../functions/storage.ts";
import type { Ledger } from "./ledger.ts";
import type { Watch } from "./service.ts";

const Value = z.custom<AttributeValue>((value) => typeof value === "object" && value !== null);
const Keyed = z.object({
  TableName: z.string(),
  Key: z.record(z.string(), Value).optional(),
  Item: z.record(z.string(), Value).optional(),
});
const Transaction = z.object({
  TransactItems: z.array(
    z.object({
      Put: Keyed.optional(),
      Update: Keyed.optional(),
      Delete: Keyed.optional(),
      ConditionCheck: Keyed.optional(),
    }),
  ),
});
const Consumed = z.object({ CapacityUnits: z.number() });
const Answer = z.object({ ConsumedCapacity: z.union([Consumed, z.array(Consumed)]).optional() });

const singleWrites = ["PutItem", "UpdateItem", "DeleteItem"];
const reads = ["GetItem", "BatchGetItem", "Query", "TransactGetItems"];

/**
 * Counts requests to the table and their units: those of reads as the database tells them, those of writes from the
 * items before and after, because the stand-in knows nothing of what indexes cost.
 */
export function watchTable(endpoint: string, ledger: Ledger): Watch {
  const client = new DynamoDBClient({ endpoint });
  const read = async ({ TableName, Key, Item: put }: z.infer<typeof Keyed>): Promise<Item | undefined> => {
    const { [storage.partitionKey]: pk, [storage.sortKey]: sk } = Key ?? put ?? {};
    if (pk === undefined || sk === undefined) throw new TypeError("A change names no key");
    const found = await client.send(new GetItemCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }));
    return found.Item;
  };
  return async ({ by, target, body }) => {
    const operation = target?.split(".")[1] ?? "";
    if (by === undefined) return {};
    if (reads.includes(operation)) {
      const asked = Object.assign(z.looseObject({}).parse(JSON.parse(body)), {
        ReturnConsumedCapacity: "TOTAL",
      });
      return {
        body: JSON.stringify(asked),
        answered: async (reply) => {
          const used = [Answer.parse(JSON.parse(reply)).ConsumedCapacity ?? []].flat();
          const told = used.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
          // A read that finds nothing is half a unit in the cloud, and nothing to the stand-in.
          const readUnits = Math.max(told, 0.5);
          ledger.add(by, { tableRequests: 1, readUnits });
        },
      };
    }
    const changes = changesOf(operation, body);
    const before = await Promise.all(changes.map(read));
    return {
      answered: async () => {
        const after = await Promise.all(changes.map(read));
        const one = (_: unknown, index: number) =>
          writeUnits(before[index], after[index], operation === "TransactWriteItems");
        const units = changes.map(one).reduce((sum, unit) => sum + unit, 0);
        ledger.add(by, { tableRequests: 1, writeUnits: units });
      },
    };
  };
}

function changesOf(operation: string, body: string): readonly z.infer<typeof Keyed>[] {
  const parsed: unknown = JSON.parse(body);
  if (singleWrites.includes(operation)) return [Keyed.parse(parsed)];
  if (operation !== "TransactWriteItems") throw new TypeError(`A function asks the table for ${operation}`);
  return Transaction.parse(parsed).TransactItems.flatMap(
    ({ Put, Update, Delete, ConditionCheck }) => Put ?? Update ?? Delete ?? ConditionCheck ?? [],
  );
}

export type Item = Readonly<Record<string, AttributeValue>>;

/** Bytes of an item as DynamoDB bills them (developer guide, "DynamoDB item sizes and formats"). */
export function itemSize(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + utf8(name) + valueSize(value), 0);
}

function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return utf8(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.replace(/^-|\.|^0+|0+$/g, "").length / 2) + 1;
  if (value.L !== undefined) return value.L.reduce((sum, one) => sum + 1 + valueSize(one), 3);
  if (value.M !== undefined) return Object.keys(value.M).length + 3 + itemSize(value.M);
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1;
  throw new TypeError(`The table holds nothing of the kind ${Object.keys(value)}`);
}

function utf8(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * Write units of one change, with those of the indexes that it touches: an index costs one write where it gains, loses
 * or keeps an item that has changed, two where the item moves within it. In a transaction the table's own are doubled.
 */
export function writeUnits(
  before: Item | undefined,
  after: Item | undefined,
  inTransaction: boolean,
): number {
  const own = units(Math.max(sizeOf(before), sizeOf(after)));
  const changed = JSON.stringify(before) !== JSON.stringify(after);
  const ofIndexes = changed
    ? storage.indexes.reduce((sum, index) => sum + indexUnits(before, after, index), 0)
    : 0;
  return own * (inTransaction ? 2 : 1) + ofIndexes;
}

function indexUnits(
  before: Item | undefined,
  after: Item | undefined,
  index: (typeof storage.indexes)[number],
): number {
  const [was, is] = [before, after].map((item) => keyIn(item, index));
  if (was === is) return was === undefined ? 0 : units(Math.max(sizeOf(before), sizeOf(after)));
  return (was === undefined ? 0 : units(sizeOf(before))) + (is === undefined ? 0 : units(sizeOf(after)));
}

function keyIn(item: Item | undefined, { partitionKey, sortKey }: (typeof storage.indexes)[number]) {
  const [partition, sort] = [item?.[partitionKey]?.S, item?.[sortKey]?.S];
  return partition === undefined || sort === undefined ? undefined : `${partition}\n${sort}`;
}

function sizeOf(item: Item | undefined): number {
  return item === undefined ? 0 : itemSize(item);
}

/** A started kilobyte is one, and so is a change of nothing. */
function units(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024));
}
