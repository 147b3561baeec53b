import {
  IdempotentParameterMismatchException,
  TransactGetItemsCommand,
  TransactionCanceledException,
  TransactionConflictException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runOnDynamoDbLocal, startTestDatabase, type TestDatabase } from "../../support/database.ts";
import {
  createAccounts,
  makeAccount,
  makeAccountKey,
  putAccounts,
  readAllItems,
  readCoins,
  readIndexItems,
  startAccounts,
  table,
} from "./accounts.ts";
import { add, get, put, putNew, remove } from "./actions.ts";
import { readOutcome } from "./outcome.ts";
import { makeRandomWork } from "./random-work.ts";

/** Returns `undefined` for a request that was refused because of a conflict. */
function ignoreConflict(error: unknown): undefined {
  if (error instanceof TransactionConflictException || error instanceof TransactionCanceledException) return;
  throw error;
}

/** Repeats a request as long as it is refused because of a conflict. */
async function repeatUntilFree(act: () => Promise<object>): Promise<void> {
  while ((await act().catch(ignoreConflict)) === undefined) {}
}

describe("many clients use the database at once", () => {
  const database = startAccounts(startTestDatabase);
  const write = (items: TransactWriteItem[], token?: string) =>
    database.client.send(new TransactWriteItemsCommand({ TransactItems: items, ClientRequestToken: token }));

  test("if many concurrent requests create the same item, exactly one request succeeds", async () => {
    const claims = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => write([putNew("claim", i), put(`by${i}`, i)])),
    );
    expect(claims.filter((claim) => claim.status === "fulfilled")).toHaveLength(1);
    expect(await readAllItems(database.client)).toHaveLength(2);
  });

  test("concurrent transfers between accounts lose nothing, and no reader sees half of a transfer", async () => {
    const names = ["a", "b", "c", "d"];
    await putAccounts(
      database.client,
      names.map((name) => makeAccount(name, 10)),
    );
    let running = true;
    async function moveCoins(seed: number): Promise<void> {
      for (let i = 0; i < 12; i += 1) {
        const from = names[(seed + i) % 4] ?? "a";
        const to = names[(seed + i * 3 + 1) % 4] ?? "b";
        if (from === to) continue;
        await write([add(from, -3), add(to, 3)]).catch((error: unknown) => {
          if (!(error instanceof TransactionCanceledException)) throw error;
        });
      }
    }
    async function read(): Promise<number> {
      let reads = 0;
      while (running || reads === 0) {
        const command = new TransactGetItemsCommand({ TransactItems: names.map(get) });
        const answer = await database.client.send(command).catch(ignoreConflict);
        if (answer === undefined) continue;
        const coins = (answer.Responses ?? []).map((response) => readCoins(response.Item));
        expect(coins.reduce((sum, each) => sum + each, 0)).toBe(40);
        expect(Math.min(...coins)).toBeGreaterThanOrEqual(0);
        reads += 1;
      }
      return reads;
    }
    // Plain writes use the same lock as transactions, so that no write is lost between a transaction's reads and writes.
    async function addCoins(): Promise<void> {
      const earning = {
        TableName: table,
        Key: makeAccountKey("earned"),
        UpdateExpression: "ADD coins :one",
        ExpressionAttributeValues: { ":one": { N: "1" } },
      };
      for (let i = 0; i < 20; i += 1) {
        await repeatUntilFree(() => database.client.send(new UpdateItemCommand(earning)));
        await repeatUntilFree(() => write([{ Update: earning }]));
      }
    }
    const readers = [read(), read()];
    await Promise.all([moveCoins(0), moveCoins(1), moveCoins(2), moveCoins(3), addCoins(), addCoins()]);
    running = false;
    for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(0);
    const items = await readAllItems(database.client);
    expect(readCoins(items.find((item) => item.sk?.S === "earned"))).toBe(80);
    expect(await readIndexItems(database.client, ["ann"])).toEqual(
      items.filter((item) => item.sk?.S !== "earned"),
    );
  });

  test("a repeat of a transaction with the same client token has no effect, and another payload with that token is refused", async () => {
    await putAccounts(database.client, [makeAccount("a", 5)]);
    const token = "repeat";
    await write([add("a", 1)], token);
    await write([add("a", 1)], token);
    expect(await readAllItems(database.client)).toEqual([makeAccount("a", 6)]);
    await expect(write([add("a", 2)], token)).rejects.toBeInstanceOf(IdempotentParameterMismatchException);
    await Promise.all(Array.from({ length: 8 }, () => write([add("a", 10)], `${token}-2`)));
    expect(await readAllItems(database.client)).toEqual([makeAccount("a", 16)]);
  });
});

const seed = 77_777;
const steps = 300;

runOnDynamoDbLocal("the embedded database and AWS's DynamoDB Local", () => {
  let embedded: TestDatabase;
  let java: TestDatabase;
  beforeAll(async () => {
    [embedded, java] = [await startTestDatabase("embedded"), await startTestDatabase("java")];
    await Promise.all([createAccounts(embedded.client), createAccounts(java.client)]);
  });
  afterAll(() => Promise.all([embedded.stop(), java.stop()]));

  async function expectSameItems() {
    const items = await readAllItems(embedded.client);
    expect(items).toEqual(await readAllItems(java.client));
    const owners = ["ann", "o0", "o1", "o2"];
    expect(await readIndexItems(embedded.client, owners)).toEqual(await readIndexItems(java.client, owners));
    return items;
  }

  test("all engines give the same answers to random requests and end with the same items", async () => {
    const counts = { succeeded: 0, failed: 0, cancelled: 0 };
    let number = 0;
    for (const step of makeRandomWork(seed, steps)) {
      const [ours, theirs] = await Promise.all([
        readOutcome(step, embedded.client),
        readOutcome(step, java.client),
      ]);
      expect(ours, `step ${number}`).toEqual(theirs);
      counts[ours.kind] += 1;
      number += 1;
    }
    await expectSameItems();
    expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(10);
  });

  const makeTransaction = (...items: TransactWriteItem[]) =>
    new TransactWriteItemsCommand({ TransactItems: items, ClientRequestToken: crypto.randomUUID() });
  const makeLargeTransaction = (count: number) =>
    makeTransaction(...Array.from({ length: count }, (_, i) => put(`n${i}`, i)));
  const nowhere = { Put: { TableName: "nowhere", Item: makeAccount("a", 1) } };
  const malformed = {
    Update: { TableName: table, Key: makeAccountKey("a"), UpdateExpression: "SETT coins" },
  };
  test.each([
    ["writes one item twice", makeTransaction(put("a", 1), remove("a")), "ValidationException"],
    ["has more than a hundred actions", makeLargeTransaction(101), "ValidationException"],
    ["names a missing table", makeTransaction(put("a", 1), nowhere), "ResourceNotFoundException"],
    ["has a malformed expression", makeTransaction(put("b", 1), malformed), "ValidationException"],
    ["empties an index key", makeTransaction(put("a", 1), put("b", 1, "")), "ValidationException"],
  ])("all engines refuse the whole transaction if it %s", async (_, command, name) => {
    const before = await expectSameItems();
    for (const { client } of [embedded, java])
      expect(await readOutcome((of) => of.send(command), client)).toMatchObject({ kind: "failed", name });
    expect(await expectSameItems()).toEqual(before);
  });

  test("all engines refuse a transaction that reads one item twice, and accept a transaction that writes a hundred items", async () => {
    const twice = new TransactGetItemsCommand({ TransactItems: [get("a"), get("a")] });
    for (const { client } of [embedded, java]) {
      await expect(client.send(twice)).rejects.toMatchObject({ name: "ValidationException" });
      await client.send(makeLargeTransaction(100));
    }
    expect((await expectSameItems()).length).toBeGreaterThanOrEqual(100);
  });
});
