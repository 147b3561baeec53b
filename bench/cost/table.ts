import { type AttributeValue, DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { storage } from "../../functions/storage.ts";
import { type Item, writeUnits } from "./item-size.ts";
import type { Ledger } from "./ledger.ts";
import type { Watch } from "./proxy.ts";

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
