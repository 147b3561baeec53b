import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  TransactGetItemsCommand,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { type GatedDatabase, startGatedDatabase } from "../../support/gated-database.ts";
import { makeAccount, makeAccountKey, putAccounts, readAllItems, startAccounts, table } from "./accounts.ts";
import { add, check, get, put } from "./actions.ts";

let client: GatedDatabase["client"];
const database = startAccounts(() => startGatedDatabase(1));
beforeEach(async () => {
  client = database.client;
  await putAccounts(client, [makeAccount("a", 5), makeAccount("b", 5)]);
});

const write = (items: TransactWriteItem[], token?: string) =>
  client.send(new TransactWriteItemsCommand({ TransactItems: items, ClientRequestToken: token }));
const read = (...names: string[]) =>
  client.send(new TransactGetItemsCommand({ TransactItems: names.map(get) }));
const plain = {
  put: () => client.send(new PutItemCommand({ TableName: table, Item: makeAccount("a", 1) })),
  delete: () => client.send(new DeleteItemCommand({ TableName: table, Key: makeAccountKey("a") })),
  update: () =>
    client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: makeAccountKey("a"),
        UpdateExpression: "SET coins = :one",
        ExpressionAttributeValues: { ":one": { N: "1" } },
      }),
    ),
};

async function readCancellationReasons(request: Promise<unknown>) {
  const error = await request.catch((thrown: unknown) => thrown);
  if (!(error instanceof TransactionCanceledException)) throw new Error("Not cancelled", { cause: error });
  return error.CancellationReasons?.map(({ Code }) => Code);
}

describe("while a write transaction is running, other requests for its items are refused", () => {
  test.each([
    ["a write of an item that the other writes", add("a", 1)],
    ["a write of an item that the other checks", add("b", 1)],
    ["a check of an item that the other writes", check("a", 5)],
    ["a check of an item that the other checks", check("b", 5)],
  ])(
    "a new transaction with %s is cancelled, and the running transaction succeeds",
    async (_what, action) => {
      const goOn = await database.holdAtWork(() => write([add("a", 10), check("b", 5)]));
      expect(await readCancellationReasons(write([put("c", 1), action]))).toEqual([
        "None",
        "TransactionConflict",
      ]);
      await goOn();
      expect(await readAllItems(client)).toEqual([makeAccount("a", 15), makeAccount("b", 5)]);
      await write([put("c", 1), add("a", 1)]);
    },
  );

  test.each(Object.entries(plain))(
    "a plain %s of an item in a running write transaction is refused",
    async (_kind, act) => {
      const goOn = await database.holdAtWork(() => write([add("a", 10)]));
      await expect(act()).rejects.toBeInstanceOf(TransactionConflictException);
      await goOn();
      expect(await readAllItems(client)).toEqual([makeAccount("a", 15), makeAccount("b", 5)]);
      await act();
    },
  );

  test("a read transaction is cancelled by a running write transaction, and a plain read sees the old values", async () => {
    const goOn = await database.holdAtWork(() => write([add("a", 10)]));
    expect(await readCancellationReasons(read("b", "a"))).toEqual(["None", "TransactionConflict"]);
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: makeAccountKey("a"), ConsistentRead: true }),
    );
    expect(Item).toEqual(makeAccount("a", 5));
    await goOn();
    expect((await read("b", "a")).Responses).toHaveLength(2);
  });

  test("a repeat with the same client token is refused while the transaction runs, and succeeds without a second change after its end", async () => {
    const goOn = await database.holdAtWork(() => write([add("a", 10)], "token"));
    await expect(write([add("a", 10)], "token")).rejects.toBeInstanceOf(TransactionInProgressException);
    await goOn();
    await write([add("a", 10)], "token");
    expect(await readAllItems(client)).toEqual([makeAccount("a", 15), makeAccount("b", 5)]);
  });
});

test.each<[string, () => Promise<unknown>]>([
  ["transaction", () => write([add("b", 1)])],
  ["plain write", () => client.send(new PutItemCommand({ TableName: table, Item: makeAccount("b", 1) }))],
])("a %s succeeds and cancels a running read transaction", async (_what, act) => {
  const goOn = await database.holdAtWork(() => read("a", "b"));
  await act();
  expect(await readCancellationReasons(goOn())).toEqual(["None", "TransactionConflict"]);
});

test("during a plain write, a read transaction is cancelled and a write transaction succeeds", async () => {
  const goOn = await database.holdAtWork(plain.update);
  expect(await readCancellationReasons(read("a"))).toEqual(["TransactionConflict"]);
  await write([add("a", 10)]);
  await goOn();
  expect(await readAllItems(client)).toEqual([makeAccount("a", 1), makeAccount("b", 5)]);
});
