import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { beforeAll, expect, test } from "vitest";
import { systemClock } from "../../core/adapter/system.ts";
import { openTable } from "../../core/table.ts";
import { commit } from "../../core/transact.ts";
import { startPart } from "../support/provide.ts";
import { startTestTable } from "../support/table.ts";

let requests = 0;

const room = startPart(startTestTable);
beforeAll(async () => {
  room.database.client.middlewareStack.add(
    (next) => (request) => {
      requests += 1;
      return next(request);
    },
    { step: "initialize" },
  );
});

/** Returns two records for each payer, with `undefined` for a missing record. Also returns the number of table requests. */
async function readAll(payers: readonly number[]) {
  const { joined, gets } = room.table;
  const before = requests;
  const found = await Promise.all(
    payers.map((payer) =>
      joined([
        gets.identifier({ wallet: `0x${payer}`, identifier: "nobody's" }),
        gets.identifier({ wallet: `0x${payer}`, identifier: "own" }),
      ]),
    ),
  );
  return { found, took: requests - before };
}

async function write(payer: number): Promise<void> {
  const about = { pressId: payer, leg: "fee", digest: `digest ${payer}`, expiresAt: 1 } as const;
  await room.table.entities.identifier.put({ wallet: `0x${payer}`, identifier: "own", ...about }).go();
}

const makeOwnRecords = (payer: number) => [undefined, { Item: expect.objectContaining({ pressId: payer }) }];

test("the reads of many payers at the same moment take one request per hundred keys, and each payer gets its own records", async () => {
  const payers = Array.from({ length: 70 }, (_, payer) => payer);
  for (const payer of payers) await write(payer);
  expect(await readAll(payers.slice(0, 50))).toEqual({
    found: payers.slice(0, 50).map(makeOwnRecords),
    took: 1,
  });
  expect(await readAll(payers)).toEqual({ found: payers.map(makeOwnRecords), took: 2 });
});

test("our own reads and ElectroDB's reads ask again for keys that the table leaves unanswered, so that no item seems to be missing", async () => {
  const { entities } = room.table;
  for (const payer of [900, 901]) await write(payer);
  let left = 0;
  room.database.client.middlewareStack.add(
    (next) => async (request) => {
      const answer = await next(request);
      const { output } = answer;
      if (left > 0 && output !== undefined && "Responses" in output && output.Responses !== undefined) {
        left -= 1;
        const [[name, items = []] = []] = Object.entries(output.Responses);
        if (name === undefined || !Array.isArray(items))
          throw new TypeError("The table has answered nothing");
        const [{ pk, sk } = {}, ...answered] = items;
        Object.assign(output, {
          Responses: { [name]: answered },
          UnprocessedKeys: { [name]: { Keys: [{ pk, sk }], ConsistentRead: true } },
        });
      }
      return answer;
    },
    { step: "deserialize", priority: "high" },
  );
  left = 2;
  expect((await readAll([900, 901])).found).toEqual([makeOwnRecords(900), makeOwnRecords(901)]);
  left = 2;
  const keys = [900, 901].map((payer) => ({ wallet: `0x${payer}`, identifier: "own" }));
  const { data } = await entities.identifier.get(keys).go({ consistent: true });
  expect(data.map(({ pressId }) => pressId).toSorted()).toEqual([900, 901]);
  left = Number.POSITIVE_INFINITY;
  await expect(readAll([900, 901])).rejects.toThrow("The table left keys of a read unanswered");
  left = 0;
});

test("a table read after another read makes its own request, and finds what was written in between", async () => {
  expect((await readAll([100])).found).toEqual([[undefined, undefined]]);
  await write(100);
  expect(await readAll([100])).toEqual({ found: [makeOwnRecords(100)], took: 1 });
});

test("a table read with an invalid key fails without making the other reads fail", async () => {
  const { joined, gets } = room.table;
  await write(101);
  const read = (payer: number, identifier: string) =>
    joined([gets.identifier({ wallet: `0x${payer}`, identifier })]);
  const found = await Promise.allSettled([read(101, "own"), read(102, "x".repeat(4_000)), read(101, "own")]);
  const [own, refused] = [{ value: [{ Item: expect.objectContaining({ pressId: 101 }) }] }, "rejected"];
  expect(found).toMatchObject([own, { status: refused }, own]);
});

/** Commits the payers' records at the same moment. Returns the outcomes of the commits, and the number of table requests. */
async function commitRecords(payers: readonly number[], digest = "d", table = room.table) {
  const before = requests;
  const outcomes = await Promise.all(
    payers.map((payer) =>
      commit({ table, clock: systemClock }, ({ identifier }) => ({
        record: identifier
          .create({
            wallet: `0x${payer}`,
            identifier: "own",
            pressId: payer,
            leg: "fee",
            digest,
            expiresAt: 1,
          })
          .commit(),
      })),
    ),
  );
  return { outcomes, took: requests - before };
}

test("if many callers write at the same moment, the service makes one request per hundred records, and all writes are made", async () => {
  const payers = Array.from({ length: 120 }, (_, index) => 200 + index);
  const { outcomes, took } = await commitRecords(payers);
  expect({ outcomes, took }).toEqual({ outcomes: payers.map(() => ({ done: true })), took: 2 });
  expect((await readAll(payers)).found).toEqual(payers.map(makeOwnRecords));
});

test("if a write is refused, the writes of other callers at the same moment do not fail (invariant 9)", async () => {
  await write(401);
  const { outcomes, took } = await commitRecords([400, 401, 402]);
  expect(outcomes).toMatchObject([
    { done: true },
    { done: false, refused: new Set(["record"]) },
    { done: true },
  ]);
  expect(took).toBe(4);
  expect((await readAll([400, 401, 402])).found).toEqual([400, 401, 402].map(makeOwnRecords));
});

const add = () =>
  commit({ table: room.table, clock: systemClock }, ({ counter }) => ({
    count: counter.upsert({ name: "press" }).add({ last: 1 }).commit(),
  }));
const readCount = async () =>
  (await room.table.entities.counter.get({ name: "press" }).go({ consistent: true })).data?.last;

test("if two callers write the same record at the same moment, each caller gets a separate transaction", async () => {
  const before = requests;
  await Promise.all([add(), add()]);
  expect({ took: requests - before, count: await readCount() }).toEqual({ took: 2, count: 2 });
});

test("writes of different functions at the same moment need one transaction per function, because each function has its own permissions", async () => {
  let caller = "pay";
  const table = openTable(DynamoDBDocumentClient.from(room.database.client), room.name, () => caller);
  const before = requests;
  const first = commitRecords([800], "d", table);
  caller = "reconcile";
  await Promise.all([first, commitRecords([801], "d", table)]);
  expect(requests - before).toBe(2);
});

test("if the writes of several callers are together too large for one transaction, each caller's writes are made separately", async () => {
  const payers = Array.from({ length: 30 }, (_, index) => 600 + index);
  const { outcomes, took } = await commitRecords(payers, "d".repeat(150_000));
  expect({ outcomes, took }).toEqual({ outcomes: payers.map(() => ({ done: true })), took: 31 });
});

test("if the answer to a shared table transaction is lost, the transaction is not repeated for each caller, and an unconditional write in the transaction is made once", async () => {
  room.database.client.middlewareStack.add(
    (next) => async (request) => {
      await next(request);
      throw new Error("The answer is lost");
    },
    { step: "initialize", name: "lost" },
  );
  const other = commitRecords([700]).catch(() => undefined);
  await expect(add()).rejects.toThrow();
  await other;
  room.database.client.middlewareStack.remove("lost");
  expect(await readCount()).toBe(3);
});
