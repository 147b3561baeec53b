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
  const pickName = () => `n${random(8)}`;
  const pickNames = (count: number) => Array.from(new Set(Array.from({ length: count }, pickName)));
  const pickOwner = () => ({ S: `o${random(3)}` });
  const pickNumber = (...choices: readonly [string, ...string[]]) => ({ N: pick(...choices) });
  const makeTarget = (of: string) => ({ TableName: table, Key: makeAccountKey(of) });
  const owned = { "#owner": "owner" };

  const makeItem = (of: string): Record<string, AttributeValue> => ({
    ...makeAccountKey(of),
    coins: pickNumber("0", "1", "7", "-2.50", "1e3"),
    ...pick<object>({ owner: pickOwner() }, { owner: pickOwner() }, {}),
    ...pick<object>({ tags: { SS: pick(["a"], ["b", "c"], ["a", "b"]) } }, {}),
    ...pick<object>(
      { nested: { M: { list: { L: [{ S: "x" }, pickNumber("1", "2")] }, on: { BOOL: true } } } },
      {},
    ),
  });
  const makeCondition = (): Condition => ({
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
        ExpressionAttributeValues: { ":a": pickNumber("0", "1"), ":b": { N: "900" } },
      },
    ),
  });
  const pickChange = (): ItemUpdate =>
    pick<ItemUpdate>(
      {
        UpdateExpression: "SET coins = if_not_exists(coins, :zero) + :n",
        ExpressionAttributeValues: { ":zero": { N: "0" }, ":n": pickNumber("1", "-1", "0.1") },
      },
      {
        UpdateExpression: "ADD coins :n, tags :tags",
        ExpressionAttributeValues: { ":n": { N: "2" }, ":tags": { SS: pick(["b"], ["a", "z"]) } },
      },
      { UpdateExpression: "REMOVE #owner, tags", ExpressionAttributeNames: owned },
      {
        UpdateExpression: "SET #owner = :owner DELETE tags :tags",
        ExpressionAttributeNames: owned,
        ExpressionAttributeValues: { ":owner": pickOwner(), ":tags": { SS: ["a"] } },
      },
    );
  const makeAction = (of: string): TransactWriteItem =>
    pick<TransactWriteItem>(
      { Put: { TableName: table, Item: makeItem(of), ...pick({}, makeCondition()) } },
      {
        Update: {
          ...makeTarget(of),
          ...pickChange(),
          ...pick({}, { ConditionExpression: "attribute_exists(pk)" }),
        },
      },
      { Delete: { ...makeTarget(of), ...pick({}, makeCondition()) } },
      {
        ConditionCheck: {
          ...makeTarget(of),
          ConditionExpression: "attribute_exists(pk)",
          ...makeCondition(),
        },
      },
    );

  let last = new TransactWriteItemsCommand({
    TransactItems: [makeAction(pickName())],
    ClientRequestToken: `${seed}`,
  });
  function makeTransaction(id: number): TransactWriteItemsCommand {
    const TransactItems = pickNames(1 + random(4)).map(makeAction);
    // Sometimes the last transaction is sent again with the same client token.
    last =
      random(6) === 0
        ? last
        : new TransactWriteItemsCommand({ TransactItems, ClientRequestToken: `${seed}-${id}` });
    return last;
  }

  function makeStep(id: number): EngineRequest {
    const of = pickName();
    if (random(2) === 0) {
      const command = makeTransaction(id);
      return (client) => client.send(command);
    }
    const put = new PutItemCommand({
      TableName: table,
      Item: makeItem(of),
      ReturnValues: "ALL_OLD",
      ...pick({}, makeCondition()),
    });
    const ReturnValues = pick("ALL_NEW", "ALL_OLD", "UPDATED_NEW");
    const update = new UpdateItemCommand({ ...makeTarget(of), ...pickChange(), ReturnValues });
    const remove = new DeleteItemCommand({
      ...makeTarget(of),
      ReturnValues: "ALL_OLD",
      ...pick({}, makeCondition()),
    });
    const requests = pickNames(3).map((each) =>
      pick<object>(
        { PutRequest: { Item: makeItem(each) } },
        { DeleteRequest: { Key: makeAccountKey(each) } },
      ),
    );
    const batch = new BatchWriteItemCommand({ RequestItems: { [table]: requests } });
    const read = new TransactGetItemsCommand({
      TransactItems: pickNames(4).map((each) => ({ Get: makeTarget(each) })),
    });
    const query = new QueryCommand({
      TableName: table,
      IndexName: index,
      KeyConditionExpression: "#owner = :owner AND sk > :sk",
      ExpressionAttributeNames: owned,
      ExpressionAttributeValues: { ":owner": pickOwner(), ":sk": { S: pickName() } },
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
