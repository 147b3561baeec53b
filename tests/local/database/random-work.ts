import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type Update,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { index, makeAccountKey, table } from "./accounts.ts";
import type { EngineRequest } from "./outcome.ts";

interface Condition {
  readonly ReturnValuesOnConditionCheckFailure?: "ALL_OLD" | "NONE";
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>;
}
type ItemUpdate = Pick<Update, "ExpressionAttributeNames" | "ExpressionAttributeValues"> & {
  readonly UpdateExpression: string;
};

/** Random requests for a few items, determined by the seed. The requests' conditions are true about as often as they are false. */
export function* makeRandomWork(seed: number, steps: number): Generator<EngineRequest> {
  const random = makeRandomGenerator(seed);
  const pick = <T>(...choices: readonly [T, ...T[]]): T => choices[random(choices.length)] ?? choices[0];
  const name = () => `n${random(8)}`;
  const names = (count: number) => Array.from(new Set(Array.from({ length: count }, name)));
  const owner = () => ({ S: `o${random(3)}` });
  const number = (...choices: readonly [string, ...string[]]) => ({ N: pick(...choices) });
  const target = (of: string) => ({ TableName: table, Key: makeAccountKey(of) });
  const owned = { "#owner": "owner" };

  const item = (of: string): Record<string, AttributeValue> => ({
    ...makeAccountKey(of),
    coins: number("0", "1", "7", "-2.50", "1e3"),
    ...pick<object>({ owner: owner() }, { owner: owner() }, {}),
    ...pick<object>({ tags: { SS: pick(["a"], ["b", "c"], ["a", "b"]) } }, {}),
    ...pick<object>(
      { nested: { M: { list: { L: [{ S: "x" }, number("1", "2")] }, on: { BOOL: true } } } },
      {},
    ),
  });
  const condition = (): Condition => ({
    ReturnValuesOnConditionCheckFailure: pick("ALL_OLD", "NONE"),
    ...pick<Condition>(
      { ConditionExpression: "attribute_exists(pk)" },
      { ConditionExpression: "attribute_not_exists(pk)" },
      { ConditionExpression: "attribute_not_exists(tags) OR size(tags) > size(sk)" },
      {
        ConditionExpression:
          "attribute_exists(nested.#list[1]) AND NOT nested.#list[0] = sk OR begins_with(#owner, sk)",
        ExpressionAttributeNames: { ...owned, "#list": "list" },
      },
      {
        ConditionExpression: pick(
          "coins >= :a AND coins < :b",
          "coins BETWEEN :a AND :b",
          "NOT coins IN (:a, :b)",
          "coins < :a OR coins <> :b",
        ),
        ExpressionAttributeValues: { ":a": number("0", "1"), ":b": { N: "900" } },
      },
    ),
  });
  const change = (): ItemUpdate =>
    pick<ItemUpdate>(
      {
        UpdateExpression: "SET coins = if_not_exists(coins, :zero) + :n",
        ExpressionAttributeValues: { ":zero": { N: "0" }, ":n": number("1", "-1", "0.1") },
      },
      {
        UpdateExpression: "ADD coins :n, tags :tags",
        ExpressionAttributeValues: { ":n": { N: "2" }, ":tags": { SS: pick(["b"], ["a", "z"]) } },
      },
      { UpdateExpression: "REMOVE #owner, tags", ExpressionAttributeNames: owned },
      {
        UpdateExpression: "SET #owner = :owner DELETE tags :tags",
        ExpressionAttributeNames: owned,
        ExpressionAttributeValues: { ":owner": owner(), ":tags": { SS: ["a"] } },
      },
    );
  const action = (of: string): TransactWriteItem =>
    pick<TransactWriteItem>(
      { Put: { TableName: table, Item: item(of), ...pick({}, condition()) } },
      {
        Update: { ...target(of), ...change(), ...pick({}, { ConditionExpression: "attribute_exists(pk)" }) },
      },
      { Delete: { ...target(of), ...pick({}, condition()) } },
      { ConditionCheck: { ...target(of), ConditionExpression: "attribute_exists(pk)", ...condition() } },
    );

  let last = new TransactWriteItemsCommand({
    TransactItems: [action(name())],
    ClientRequestToken: `${seed}`,
  });
  function makeTransaction(id: number): TransactWriteItemsCommand {
    const TransactItems = names(1 + random(4)).map(action);
    // Sometimes the last transaction is sent again with the same client token.
    last =
      random(6) === 0
        ? last
        : new TransactWriteItemsCommand({ TransactItems, ClientRequestToken: `${seed}-${id}` });
    return last;
  }

  function makeStep(id: number): EngineRequest {
    const of = name();
    if (random(2) === 0) {
      const command = makeTransaction(id);
      return (client) => client.send(command);
    }
    const put = new PutItemCommand({
      TableName: table,
      Item: item(of),
      ReturnValues: "ALL_OLD",
      ...pick({}, condition()),
    });
    const ReturnValues = pick("ALL_NEW", "ALL_OLD", "UPDATED_NEW");
    const update = new UpdateItemCommand({ ...target(of), ...change(), ReturnValues });
    const remove = new DeleteItemCommand({
      ...target(of),
      ReturnValues: "ALL_OLD",
      ...pick({}, condition()),
    });
    const requests = names(3).map((each) =>
      pick<object>({ PutRequest: { Item: item(each) } }, { DeleteRequest: { Key: makeAccountKey(each) } }),
    );
    const batch = new BatchWriteItemCommand({ RequestItems: { [table]: requests } });
    const read = new TransactGetItemsCommand({
      TransactItems: names(4).map((each) => ({ Get: target(each) })),
    });
    const query = new QueryCommand({
      TableName: table,
      IndexName: index,
      KeyConditionExpression: "#owner = :owner AND sk > :sk",
      ExpressionAttributeNames: owned,
      ExpressionAttributeValues: { ":owner": owner(), ":sk": { S: name() } },
      ScanIndexForward: random(2) > 0,
      Limit: 3,
    });
    return pick<EngineRequest>(
      (client) => client.send(put),
      (client) => client.send(update),
      (client) => client.send(remove),
      (client) => client.send(batch),
      (client) => client.send(read),
      (client) => client.send(query),
    );
  }
  for (let id = 0; id < steps; id += 1) yield makeStep(id);
}

/** A generator of integers below n (mulberry32). */
function makeRandomGenerator(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  };
}
