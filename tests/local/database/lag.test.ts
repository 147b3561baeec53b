import {
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  paginateQuery,
  TransactGetItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, expect, test } from "vitest";
import { makeRandomLag } from "../../../local/database/lag.ts";
import { makeRandomSource, suppressFaults } from "../../../local/stand-in.ts";
import { startTestDatabase } from "../../support/database.ts";
import {
  index,
  makeAccount,
  makeAccountKey,
  putAccounts,
  readAllItems,
  readCoins,
  readIndexItems,
  startAccounts,
  table,
} from "./accounts.ts";

const late = 400;
const lag = { index: 0, read: 0, now: 0 };
const hands = { index: () => lag.index, read: () => lag.read, now: () => lag.now };
beforeEach(() => {
  Object.assign(lag, { index: 0, read: 0, now: lag.now + 2_000 });
});
const database = startAccounts(() => startTestDatabase("embedded", { lag: hands }));

const listNames = async (owner: string, limit: number | undefined, forward: boolean) => {
  const found: (string | undefined)[] = [];
  const query = {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: "#owner = :owner",
    ExpressionAttributeNames: { "#owner": "owner" },
    ExpressionAttributeValues: { ":owner": { S: owner } },
    ScanIndexForward: forward,
    Limit: limit,
  };
  const pages = paginateQuery({ client: database.client }, query);
  for await (const { Items = [] } of pages) found.push(...Items.map(({ sk }) => sk?.S));
  return found;
};
const countCoins = async (consistent: boolean, name = "a") => {
  const { Item } = await database.client.send(
    new GetItemCommand({ TableName: table, Key: makeAccountKey(name), ConsistentRead: consistent }),
  );
  return Item === undefined ? undefined : readCoins(Item);
};

test("an index shows new, changed, moved and deleted items only after the configured delay, with any page size", async () => {
  await putAccounts(database.client, [makeAccount("a", 1), makeAccount("b", 1), makeAccount("c", 1, "bob")]);
  lag.index = late;
  await putAccounts(database.client, [makeAccount("a", 2), makeAccount("b", 1, "bob"), makeAccount("d", 1)]);
  await database.client.send(new DeleteItemCommand({ TableName: table, Key: makeAccountKey("c") }));
  for (const limit of [undefined, 1]) {
    for (const forward of [true, false]) {
      const order = (list: string[]) => (forward ? list : list.toReversed());
      expect(await listNames("ann", limit, forward)).toEqual(order(["a", "b"]));
      expect(await listNames("bob", limit, forward)).toEqual(["c"]);
    }
  }
  expect((await readIndexItems(database.client, ["ann"])).map(readCoins)).toEqual([1, 1]);
  expect(await readAllItems(database.client)).toHaveLength(3);
  lag.now += late;
  expect([await listNames("ann", 1, true), await listNames("bob", 1, false)]).toEqual([["a", "d"], ["b"]]);
  expect((await readIndexItems(database.client, ["ann"])).map(readCoins)).toEqual([2, 1]);
});

test("an eventually consistent read may show an old item, and a consistent read always shows the newest item", async () => {
  await putAccounts(database.client, [makeAccount("a", 1)]);
  lag.now += late;
  lag.read = late;
  await putAccounts(database.client, [makeAccount("a", 2), makeAccount("b", 7)]);
  expect([await countCoins(false), await countCoins(false, "b")]).toEqual([1, undefined]);
  expect([await countCoins(true), await countCoins(true, "b")]).toEqual([2, 7]);
  const readBatch = async (ConsistentRead: boolean) => {
    const Keys = [makeAccountKey("a"), makeAccountKey("b")];
    const { Responses } = await database.client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ConsistentRead } } }),
    );
    return (Responses?.[table] ?? []).map(readCoins).sort();
  };
  expect([await readBatch(false), await readBatch(true)]).toEqual([[1], [2, 7]]);
  const { Responses = [] } = await database.client.send(
    new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName: table, Key: makeAccountKey("a") } }] }),
  );
  expect(readCoins(Responses[0]?.Item)).toBe(2);
  lag.now += late;
  expect(await countCoins(false)).toBe(2);
});

test("a rough database delays its indexes by up to a second, and answers one of ten plain reads with old data; the same seed repeats the delays, and a reliable database has no delays", () => {
  const listDelays = () => {
    const { index: ofIndex, read } = makeRandomLag(makeRandomSource("a seed", "database"));
    return Array.from({ length: 1_000 }, () => [ofIndex(), read()] as const);
  };
  expect(listDelays()).toEqual(listDelays());
  const [indexes, reads] = [listDelays().map(([each]) => each), listDelays().map(([, each]) => each)];
  expect(Math.max(...indexes, ...reads)).toBeLessThanOrEqual(1_000);
  expect(Math.max(...indexes)).toBeGreaterThan(900);
  const old = reads.filter((each) => each > 0).length;
  expect(old).toBeGreaterThan(50);
  expect(old).toBeLessThan(150);
  const calm = makeRandomLag(suppressFaults(makeRandomSource("a seed", "database"), () => true));
  expect([calm.index(), calm.read()]).toEqual([0, 0]);
});
