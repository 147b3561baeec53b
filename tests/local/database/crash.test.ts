import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type DynamoDBClient,
  PutItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestClient, startTestDatabase } from "../../support/database.ts";
import { endProcess } from "../../support/start.ts";
import {
  createAccounts,
  makeAccount,
  makeAccountKey,
  putAccounts,
  readAllItems,
  readCoins,
  readIndexItems,
  table,
} from "./accounts.ts";
import { add } from "./actions.ts";

const service = fileURLToPath(new URL("service.ts", import.meta.url));

let directory: string;
let children: ChildProcess[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "database-"));
  children = [];
});
afterEach(async () => {
  await Promise.all(children.map((child) => endProcess(child, "SIGKILL")));
  await rm(directory, { recursive: true });
});

async function startService(): Promise<{ child: ChildProcess; client: DynamoDBClient }> {
  const child = spawn(process.execPath, [service, directory], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const [endpoint] = await once(createInterface(child.stdout), "line");
  return { child, client: openTestClient(String(endpoint), 1) };
}

const writers = 3;
const accountsOfWriter = 25;
const listAccounts = (writer: number) => Array.from({ length: accountsOfWriter }, (_, i) => `${writer}-${i}`);

const crashes = 6;

/** One table transaction of a writer moves all the writer's accounts to the next owner and adds a coin to each account. */
function makeTransaction(writer: number, round: number): TransactWriteItemsCommand {
  const makeUpdate = (name: string): TransactWriteItem => ({
    Update: {
      TableName: table,
      Key: makeAccountKey(name),
      UpdateExpression: "SET #owner = :owner ADD coins :one",
      ExpressionAttributeNames: { "#owner": "owner" },
      ExpressionAttributeValues: { ":owner": { S: formatOwner(writer, round) }, ":one": { N: "1" } },
    },
  });
  return new TransactWriteItemsCommand({
    TransactItems: listAccounts(writer).map(makeUpdate),
    ClientRequestToken: `${writer}-${round}`,
  });
}

function formatOwner(writer: number, round: number): string {
  return `owner-${writer}-${round}`;
}

test("a kill -9 at any time loses no answered write, and each transaction is stored either completely or not at all", async () => {
  let running = await startService();
  await createAccounts(running.client);
  const answered = Array.from({ length: writers }, () => 0);
  const singles: string[] = [];
  let underWayAtCrashes = 0;

  for (let crash = 0; crash < crashes; crash += 1) {
    const { child, client } = running;
    let underWay = 0;
    const busy = answered.map(async (count, writer) => {
      for (let round = count + 1; ; round += 1) {
        underWay += 1;
        // After a crash, each writer first repeats the table transaction that the crash interrupted. Because the repeated table transaction
        // has the same client token, it must not take effect twice.
        await client.send(makeTransaction(writer, round));
        underWay -= 1;
        answered[writer] = round;
      }
    });
    const writeSingles = async () => {
      for (let i = 0; ; i += 1) {
        const name = `single-${crash}-${i}`;
        await client.send(new PutItemCommand({ TableName: table, Item: makeAccount(name, 1, "single") }));
        singles.push(name);
      }
    };
    const ended = Promise.allSettled([...busy, writeSingles()]);
    await delay(60 + 35 * crash);
    // On a slow machine, it is possible that no write has been answered yet. Before the last kill, the test waits until every writer has an
    // answer.
    const isEarly = () => Math.min(...answered) === 0 || singles.length === 0;
    if (crash === crashes - 1) await expect.poll(isEarly, { interval: 20 }).toBe(false);
    underWayAtCrashes += underWay;
    await endProcess(child, "SIGKILL");
    await ended;
    client.destroy();

    running = await startService();
    const items = await readAllItems(running.client);
    for (const [writer, count] of answered.entries()) {
      const mine = items.filter((item) => listAccounts(writer).includes(item.sk?.S ?? ""));
      const rounds = new Set(mine.map(readCoins));
      expect(rounds.size, "a transaction is there whole").toBeLessThanOrEqual(1);
      const [round = 0] = rounds;
      expect([count, count + 1]).toContain(round);
      if (round > 0) expect(mine).toHaveLength(accountsOfWriter);
      const owners = Array.from({ length: round + 2 }, (_, i) => formatOwner(writer, i));
      expect(await readIndexItems(running.client, owners)).toEqual(mine);
    }
    const names = new Set(items.map((item) => item.sk?.S));
    expect(singles.filter((name) => !names.has(name))).toEqual([]);
    expect(await readIndexItems(running.client, ["single"])).toEqual(
      items.filter((item) => item.sk?.S?.startsWith("single")),
    );
  }
  expect(Math.min(...answered)).toBeGreaterThan(0);
  expect(singles.length).toBeGreaterThan(0);
  expect(underWayAtCrashes).toBeGreaterThan(0);
  running.client.destroy();
});

test("a transaction whose log record was cut off at any byte leaves no trace", async () => {
  const { client, stop } = await startTestDatabase("embedded", { directory });
  await createAccounts(client);
  const names = listAccounts(0);
  await putAccounts(
    client,
    names.map((name) => makeAccount(name, 0)),
  );
  const log = await findLogFile(directory);
  const before = (await stat(log)).size;
  // The record is larger than a block of the log (32 KiB), so that the log stores the record in several pieces.
  const wide = { pad: { S: "x".repeat(3_000) } };
  const actions = names.map((name) => ({
    Put: { TableName: table, Item: { ...makeAccount(name, 1, "bob"), ...wide } },
  }));
  await client.send(new TransactWriteItemsCommand({ TransactItems: actions }));
  const { size } = await stat(log);
  expect(size - before).toBeGreaterThan(100_000);

  const cuts = [before, before + 1, before + 7, before + 40_000, size - 5_000, size - 1, size];
  for (const cut of cuts) {
    const copy = join(directory, `cut-${cut}`);
    await cp(join(directory, "dynamodb"), join(copy, "dynamodb"), { recursive: true });
    await truncate(await findLogFile(copy), cut);
    await using recovered = await startTestDatabase("embedded", { directory: copy });
    const items = await readAllItems(recovered.client);
    expect(items.map(readCoins)).toEqual(names.map(() => (cut === size ? 1 : 0)));
    expect(await readIndexItems(recovered.client, [cut === size ? "bob" : "ann"])).toEqual(items);
    expect(await readIndexItems(recovered.client, [cut === size ? "ann" : "bob"])).toEqual([]);
  }
  await stop();
});

async function findLogFile(parent: string): Promise<string> {
  const files = await readdir(join(parent, "dynamodb"));
  const [log, ...others] = files.filter((file) => file.endsWith(".log"));
  expect(others).toEqual([]);
  return join(parent, "dynamodb", String(log));
}

test("data, tables and the client tokens of transactions survive an orderly restart, and a start with `fresh` has an empty database", async () => {
  const transaction = new TransactWriteItemsCommand({
    TransactItems: [add("a", 1)],
    ClientRequestToken: "restart",
  });
  const first = await startTestDatabase("embedded", { directory });
  await createAccounts(first.client);
  await putAccounts(first.client, [makeAccount("a", 1)]);
  await first.client.send(transaction);
  await first.stop();

  const second = await startTestDatabase("embedded", { directory });
  await second.client.send(transaction);
  expect(await readAllItems(second.client)).toEqual([makeAccount("a", 2)]);
  await second.stop();

  const third = await startTestDatabase("embedded", { directory, fresh: true });
  await createAccounts(third.client);
  expect(await readAllItems(third.client)).toEqual([]);
  expect(await readIndexItems(third.client, ["ann"])).toEqual([]);
  await third.stop();
});
