import { beforeAll, expect, test } from "vitest";
import { provide } from "../support/provide.ts";
import { startTestTable } from "../support/table.ts";

let requests = 0;

const room = provide(startTestTable);
beforeAll(async () => {
  room.database.client.middlewareStack.add(
    (next) => (request) => {
      requests += 1;
      return next(request);
    },
    { step: "initialize" },
  );
});

/** Returns the payers' records, with `undefined` for a payer without a record, and the number of table requests. */
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

const own = (payer: number) => [undefined, { Item: expect.objectContaining({ pressId: payer }) }];

test("the reads of many payers at the same moment take one request per hundred keys, and each payer gets its own records", async () => {
  const payers = Array.from({ length: 70 }, (_, payer) => payer);
  for (const payer of payers) await write(payer);
  expect(await readAll(payers.slice(0, 50))).toEqual({ found: payers.slice(0, 50).map(own), took: 1 });
  expect(await readAll(payers)).toEqual({ found: payers.map(own), took: 2 });
});

test("a table read that starts after the other reads is answered by a later request", async () => {
  expect((await readAll([100])).found).toEqual([[undefined, undefined]]);
  await write(100);
  expect(await readAll([100])).toEqual({ found: [own(100)], took: 1 });
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
