import {
  IdempotentParameterMismatchException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type RunningDatabase, startDatabase } from "../../../local/database/index.ts";
import { clientFor } from "../../support/database.ts";
import {
  account,
  allItems,
  createAccounts,
  indexItems,
  key,
  putAccounts,
  type StoredItem,
  table,
} from "./accounts.ts";
import { put } from "./actions.ts";

const now = () => Math.floor(Date.now() / 1000);
const expiring = (name: string, seconds: number): StoredItem => ({
  ...account(name, 1),
  expires: { N: String(seconds) },
});

let database: RunningDatabase;
let client: ReturnType<typeof clientFor>;
beforeEach(async () => {
  database = await startDatabase({ engine: "embedded", port: 0, sweepInterval: 10 });
  client = clientFor(database.endpoint);
  await createAccounts(client);
});
afterEach(async () => {
  vi.useRealTimers();
  client.destroy();
  await database.stop();
});

function turnOn() {
  return client.send(
    new UpdateTimeToLiveCommand({
      TableName: table,
      TimeToLiveSpecification: { Enabled: true, AttributeName: "expires" },
    }),
  );
}

async function namesLeft(): Promise<(string | undefined)[]> {
  return (await allItems(client)).map((item) => item.sk?.S);
}

test("what has expired goes from the table and its index, written before or after time to live was turned on", async () => {
  await putAccounts(client, [
    expiring("before", now() - 10),
    expiring("later", now() + 1_000),
    account("never", 1),
  ]);
  await turnOn();
  const transacted = { Put: { TableName: table, Item: expiring("transacted", now() - 10) } };
  await client.send(new TransactWriteItemsCommand({ TransactItems: [transacted] }));
  await putAccounts(client, [expiring("after", now() - 1)]);
  await vi.waitFor(async () => expect(await namesLeft()).toEqual(["later", "never"]), 5_000);
  expect((await indexItems(client, ["ann"])).map((item) => item.sk?.S)).toEqual(["later", "never"]);
});

test("an item whose time was put off stays, as does one that expired over five years ago", async () => {
  await turnOn();
  await putAccounts(client, [
    expiring("soon", now() + 1),
    expiring("put off", now() + 1),
    expiring("ancient", now() - 6 * 365 * 86_400),
  ]);
  await client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: key("put off"),
      UpdateExpression: "SET expires = :later",
      ExpressionAttributeValues: { ":later": { N: String(now() + 1_000) } },
    }),
  );
  await vi.waitFor(async () => expect(await namesLeft()).toEqual(["ancient", "put off"]), 5_000);
});

test("a client token counts for ten minutes", async () => {
  const write = (coins: number) =>
    client.send(
      new TransactWriteItemsCommand({ TransactItems: [put("a", coins)], ClientRequestToken: "token" }),
    );
  const start = Date.now();
  await write(1);
  vi.useFakeTimers({ toFake: ["Date"], now: start + 599_000 });
  await expect(write(2)).rejects.toBeInstanceOf(IdempotentParameterMismatchException);
  vi.setSystemTime(start + 601_000);
  await write(2);
  expect(await allItems(client)).toEqual([account("a", 2)]);
});
