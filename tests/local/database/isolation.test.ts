import {
  IdempotentParameterMismatchException,
  TransactGetItemsCommand,
  TransactionCanceledException,
  TransactionConflictException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { onEachEngine, startTestDatabase, type TestDatabase } from "../../support/database.ts";
import {
  account,
  allItems,
  clearAccounts,
  coinsOf,
  createAccounts,
  indexItems,
  key,
  putAccounts,
  table,
} from "./accounts.ts";
import { add, get, put, putNew } from "./actions.ts";

/** Returns nothing for a request that a conflict refused. */
function unlessConflict(error: unknown): undefined {
  if (error instanceof TransactionConflictException || error instanceof TransactionCanceledException) return;
  throw error;
}

/** Repeats a request until it meets no conflict. */
async function insist(act: () => Promise<object>): Promise<void> {
  while ((await act().catch(unlessConflict)) === undefined) {}
}

onEachEngine("many clients at once on %s", (engine) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startTestDatabase(engine);
    await createAccounts(database.client);
  });
  beforeEach(() => clearAccounts(database.client));
  afterAll(() => database.stop());

  const write = (items: TransactWriteItem[], token?: string) =>
    database.client.send(new TransactWriteItemsCommand({ TransactItems: items, ClientRequestToken: token }));

  test("of many requests that claim one item exactly one wins", async () => {
    const claims = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => write([putNew("claim", i), put(`by${i}`, i)])),
    );
    expect(claims.filter((claim) => claim.status === "fulfilled")).toHaveLength(1);
    expect(await allItems(database.client)).toHaveLength(2);
  });

  test("concurrent transfers lose nothing, and no reader sees half of one", async () => {
    const names = ["a", "b", "c", "d"];
    await putAccounts(
      database.client,
      names.map((name) => account(name, 10)),
    );
    let running = true;
    async function transfer(seed: number): Promise<void> {
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
        const answer = await database.client.send(command).catch(unlessConflict);
        if (answer === undefined) continue;
        const coins = (answer.Responses ?? []).map((response) => coinsOf(response.Item));
        expect(coins.reduce((sum, each) => sum + each, 0)).toBe(40);
        expect(Math.min(...coins)).toBeGreaterThanOrEqual(0);
        reads += 1;
      }
      return reads;
    }
    // Plain writes take the same lock: none may be lost between a transaction's reads and writes.
    async function earn(): Promise<void> {
      const earning = {
        TableName: table,
        Key: key("earned"),
        UpdateExpression: "ADD coins :one",
        ExpressionAttributeValues: { ":one": { N: "1" } },
      };
      for (let i = 0; i < 20; i += 1) {
        await insist(() => database.client.send(new UpdateItemCommand(earning)));
        await insist(() => write([{ Update: earning }]));
      }
    }
    const readers = [read(), read()];
    await Promise.all([transfer(0), transfer(1), transfer(2), transfer(3), earn(), earn()]);
    running = false;
    for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(0);
    const items = await allItems(database.client);
    expect(coinsOf(items.find((item) => item.sk?.S === "earned"))).toBe(80);
    expect(await indexItems(database.client, ["ann"])).toEqual(
      items.filter((item) => item.sk?.S !== "earned"),
    );
  });

  test("a read transaction answers in order, with nothing for a missing item", async () => {
    await putAccounts(database.client, [account("a", 5), account("b", 1)]);
    const projected = { Get: { TableName: table, Key: key("a"), ProjectionExpression: "coins" } };
    const answer = await database.client.send(
      new TransactGetItemsCommand({ TransactItems: [get("b"), get("nobody"), projected] }),
    );
    expect(answer.Responses).toEqual([{ Item: account("b", 1) }, {}, { Item: { coins: { N: "5" } } }]);
  });

  test("a repeat with the same token has no effect, and another payload with it is refused", async () => {
    await putAccounts(database.client, [account("a", 5)]);
    const token = `repeat-${engine}`;
    await write([add("a", 1)], token);
    await write([add("a", 1)], token);
    expect(await allItems(database.client)).toEqual([account("a", 6)]);
    await expect(write([add("a", 2)], token)).rejects.toBeInstanceOf(IdempotentParameterMismatchException);
    await Promise.all(Array.from({ length: 8 }, () => write([add("a", 10)], `${token}-2`)));
    expect(await allItems(database.client)).toEqual([account("a", 16)]);
  });

  test("a cancelled transaction does not use up its token", async () => {
    const token = `cancelled-${engine}`;
    await expect(write([add("a", 1)], token)).rejects.toBeInstanceOf(TransactionCanceledException);
    await putAccounts(database.client, [account("a", 5)]);
    await write([add("a", 1)], token);
    expect(await allItems(database.client)).toEqual([account("a", 6)]);
  });
});
