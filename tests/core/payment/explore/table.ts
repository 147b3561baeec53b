import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { openTable, type Table } from "../../../../core/table.ts";
import { openTestClient } from "../../../support/database.ts";
import { applyUpdate, type Item, parseCondition } from "./expression.ts";

/** Maps the key of each item of the table to the item as JSON. The map of items is never changed: a write makes a new map. */
export type Items = ReadonlyMap<string, string>;

/** The table's reply: an answer, or the reasons why a transaction was cancelled. */
export type TableReply = { readonly answer: unknown } | { readonly cancelled: readonly string[] };

const Text = z.record(z.string(), z.string()).optional();
const Attributes = z.record(z.string(), z.unknown());
const Expressions = z.object({
  ConditionExpression: z.string().optional(),
  ExpressionAttributeNames: Text,
  ExpressionAttributeValues: Attributes.optional(),
});
const Put = Expressions.extend({ Item: Attributes });
const Update = Expressions.extend({ Key: Attributes, UpdateExpression: z.string() });
const Delete = Expressions.extend({ Key: Attributes });
const TableWrite = z.union([
  z.object({ Put }).transform(({ Put }) => Put),
  z.object({ Update }).transform(({ Update }) => Update),
  z.object({ Delete }).transform(({ Delete }) => Delete),
  z.object({ ConditionCheck: Delete }).transform(({ ConditionCheck }) => ({ ...ConditionCheck, only: true })),
]);
type TableWrite = z.infer<typeof TableWrite>;
const Query = Expressions.extend({
  KeyConditionExpression: z.string(),
  FilterExpression: z.string().optional(),
  IndexName: z.string().optional(),
  ScanIndexForward: z.boolean().optional(),
  Limit: z.number().optional(),
});
const Request = z.union([
  z.object({ TransactItems: z.array(TableWrite) }),
  z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(Attributes) })) }),
  Query,
  Put,
  Update,
  z.object({ Key: Attributes, ConditionExpression: z.undefined().optional() }),
]);

/** Each item is parsed once, because the same items appear in thousands of states. */
const read = new Map<string, Item>();
function parseItem(text: string): Item {
  const known = read.get(text) ?? Attributes.parse(JSON.parse(text));
  read.set(text, known);
  return known;
}

/** Tells whether a table request may change an item. */
export function isWrite(input: object): boolean {
  return "TransactItems" in input || "Item" in input || "UpdateExpression" in input;
}

/** Each request is parsed once, because processes make the same request in thousands of states. */
const parsed = new WeakMap<object, z.infer<typeof Request>>();

/**
 * Performs a request as DynamoDB does: if all conditions of a transaction hold, all its writes are made, and otherwise no write is made.
 */
export function runRequest(
  items: Items,
  input: object,
): { readonly items: Items; readonly reply: TableReply } {
  const request = parsed.get(input) ?? Request.parse(input);
  parsed.set(input, request);
  const read = (key: Item): Item | undefined => {
    const text = items.get(formatKey(key));
    return text === undefined ? undefined : parseItem(text);
  };
  if ("RequestItems" in request) {
    const found = Object.entries(request.RequestItems).map(
      ([table, { Keys }]) => [table, Keys.flatMap((key) => read(key) ?? [])] as const,
    );
    return { items, reply: { answer: { Responses: Object.fromEntries(found), UnprocessedKeys: {} } } };
  }
  if ("KeyConditionExpression" in request) return { items, reply: { answer: query(items, request) } };
  if ("Key" in request && !("UpdateExpression" in request)) {
    const Item = read(request.Key);
    return { items, reply: { answer: Item === undefined ? {} : { Item } } };
  }
  const writes = "TransactItems" in request ? request.TransactItems : [request];
  const cancelled = writes.map((write) => {
    const {
      ConditionExpression: text,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    } = write;
    const before = read("Item" in write ? write.Item : write.Key);
    return text === undefined || parseCondition(text, names, values)(before)
      ? "None"
      : "ConditionalCheckFailed";
  });
  if (cancelled.some((code) => code !== "None")) return { items, reply: { cancelled } };
  const next = new Map(items);
  for (const write of writes) put(next, write, read("Item" in write ? write.Item : write.Key));
  return { items: next, reply: { answer: {} } };
}

function put(next: Map<string, string>, write: TableWrite, before: Item | undefined): void {
  if ("Item" in write) next.set(formatKey(write.Item), JSON.stringify(write.Item));
  else if ("UpdateExpression" in write) {
    const {
      UpdateExpression: text,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    } = write;
    next.set(formatKey(write.Key), JSON.stringify(applyUpdate(before ?? write.Key, text, names, values)));
  } else if (!("only" in write)) next.delete(formatKey(write.Key));
}

function query(items: Items, request: z.infer<typeof Query>): object {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values, IndexName = "" } = request;
  const tests = [request.KeyConditionExpression, request.FilterExpression].flatMap((text) =>
    text === undefined ? [] : [parseCondition(text, names, values)],
  );
  const sortKey = `${IndexName}sk`;
  const forward = request.ScanIndexForward === false ? -1 : 1;
  const found = [...items.values()]
    .map(parseItem)
    .filter((item) => tests.every((test) => test(item)))
    .sort((one, other) => (String(one[sortKey]) < String(other[sortKey]) ? -forward : forward));
  const Items = found.slice(0, request.Limit);
  return { Items, Count: Items.length };
}

function formatKey({ pk, sk }: Item): string {
  return `${pk} ${sk}`;
}

/** The table through the real client, whose requests all go to `ask`. */
export function openModelTable(ask: (input: object) => Promise<TableReply>): Table {
  const client = DynamoDBDocumentClient.from(openTestClient("http://localhost:1"), {
    marshallOptions: { removeUndefinedValues: true },
  });
  client.middlewareStack.add(
    () =>
      async ({ input }) => {
        const plain: object = JSON.parse(JSON.stringify(input));
        const reply = await ask(plain);
        if ("answer" in reply) return { output: Output.parse(reply.answer), response: {} };
        throw new TransactionCanceledException({
          message: "cancelled",
          $metadata: {},
          CancellationReasons: reply.cancelled.map((Code) => ({ Code })),
        });
      },
    { step: "initialize", priority: "high" },
  );
  return openTable(client, "market");
}
const Output = z.looseObject({}).transform((answer) => ({ ...answer, $metadata: {} }));
