import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openTable } from "../../core/table.ts";
import { type Job, jobs, queues } from "../../functions/jobs.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { storage } from "../../functions/storage.ts";
import { listSources } from "./source.ts";

const rows: readonly (Route | Job)[] = [...routes, ...jobs];

describe("the tables of endpoints and workers list every handler that exists", () => {
  test("every handler has a row in the tables of endpoints and workers", () => {
    const handlers = listSources("functions/http", "functions/job").flatMap(({ path, text }) =>
      [...text.matchAll(/^export const (\w+)/gm)].map(([, handler]) => `${path} ${handler}`),
    );
    expect(handlers.length).toBeGreaterThan(0);
    const named = new Set(rows.map(({ file, handler }) => `${file} ${handler}`));
    expect(handlers.filter((one) => !named.has(one))).toEqual([]);
    expect([...named].filter((one) => !handlers.includes(one))).toEqual([]);
  });

  test("ids of rows and routes are unique", () => {
    const ids = rows.map(({ id }) => id);
    const paths = routes.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test("every route ends within the gateway's limit of 30 seconds, and every queue hides a message while the message is handled", () => {
    expect(routes.filter(({ timeoutSeconds }) => timeoutSeconds >= 30)).toEqual([]);
    for (const { trigger, timeoutSeconds } of jobs) {
      if (trigger.kind !== "queue") continue;
      const queue = queues.find(({ name }) => name === trigger.queue);
      expect(queue?.visibilitySeconds).toBeGreaterThanOrEqual(6 * timeoutSeconds);
    }
  });
});

type Index = {
  readonly index?: string;
  readonly pk: { readonly field: string };
  readonly sk: { readonly field: string };
};

test("every index used by the records exists in the table with the same key names", () => {
  const { entities } = openTable(DynamoDBDocumentClient.from(new DynamoDBClient({})), "none");
  const all = Object.values(Object.getOwnPropertyDescriptors(entities));
  const indexes: readonly Index[] = all.flatMap(({ get, value = get?.() }) =>
    Object.values(value.schema.indexes),
  );
  const used = indexes.flatMap(({ index }) => index ?? []);
  expect(new Set(used)).toEqual(new Set(storage.indexes.map(({ name }) => name)));
  const fields = new Set(indexes.flatMap(({ pk, sk }) => [pk.field, sk.field]));
  const keys = storage.indexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  expect(fields).toEqual(new Set([storage.partitionKey, storage.sortKey, ...keys]));
});

test("opening the table makes only one entity, because each entity delays a function's start", () => {
  const { entities, gets } = openTable(DynamoDBDocumentClient.from(new DynamoDBClient({})), "none");
  expect([Object.keys(entities), Object.keys(gets)]).toEqual([["nonce"], []]);
  expect(entities.gas).toBe(entities.gas);
  expect(Object.keys(entities).sort()).toEqual(["gas", "nonce"]);
});

test("our own reads for a payment use the same keys as ElectroDB's reads, and every key is complete", () => {
  const { entities, gets } = openTable(DynamoDBDocumentClient.from(new DynamoDBClient({})), "none");
  const wallet = `0x${"aB".repeat(20)}`;
  fc.assert(
    fc.property(text, text, text, number, leg, (one, other, third, pressId, leg) => {
      const nonce = { wallet, method: "permit2", nonce: one, payTo: other, amount: third } as const;
      expect([
        gets.agent({ pressId }),
        gets.gas({ subject: one, day: other }),
        gets.identifier({ wallet, identifier: one }),
        gets.relayer({ address: one }),
        gets.session({ tokenHash: one }),
        gets.settlement({ wallet: one, pressId, leg }),
        gets.unpaid(nonce),
      ]).toEqual(
        [
          entities.agent.get({ pressId }).params(),
          entities.gas.get({ subject: one, day: other }).params(),
          entities.identifier.get({ wallet, identifier: one }).params(),
          entities.relayer.get({ address: one }).params(),
          entities.session.get({ tokenHash: one }).params(),
          entities.settlement.get({ wallet: one, pressId, leg }).params(),
          entities.unpaid.get(nonce).params(),
        ].map(({ Key }) => ({ Key })),
      );
    }),
  );
  expect(() => Reflect.apply(gets.settlement, undefined, [{ wallet, pressId: 7 }])).toThrow("leg");
  expect(() => Reflect.apply(gets.gas, undefined, [{ day: "2026-11-26" }])).toThrow("subject");
});

const text = fc.string();
const number = fc.integer({ min: 0 });
const leg = fc.constantFrom("fee", "publisher");
const signed = fc.record(
  {
    method: fc.constantFrom("permit2", "eip3009"),
    chainId: number,
    token: text,
    spender: text,
    amount: text,
    payTo: text,
    nonce: text,
    validAfter: text,
    deadline: text,
    signature: text,
    block: number,
  },
  // ElectroDB reads a value's constructor, so every object in these tests needs a prototype.
  { noNullPrototype: true },
);
/** Makes objects that have either all members of a group or none of them. */
const makeAllOrNone = <Group>(members: { [Name in keyof Group]: fc.Arbitrary<Group[Name]> }) =>
  fc.oneof(fc.record(members), fc.constant({}));
const settlement = fc
  .tuple(
    fc.record({
      wallet: text,
      pressId: number,
      leg,
      state: fc.constantFrom("queued", "submitted", "settled", "failed"),
      claim: text,
      claimUntil: number,
      signed,
      id: number,
      slug: text,
      headline: text,
      stock: text,
      priceUnits: text,
      changedAt: number,
    }),
    makeAllOrNone({ earlier: fc.array(signed), txHash: text, publisher: text, ticket: text }),
    makeAllOrNone({ pending: fc.constantFrom("waiting", "pending", "watched", "uncounted") }),
    makeAllOrNone({ unlockedBy: text, unlockedAt: text, unlockedPress: number }),
    makeAllOrNone({
      listedAs: fc.constantFrom("fee", "sale"),
      listedFor: text,
      listedAt: text,
      listedPress: number,
    }),
  )
  .map(([needed, sent, pending, unlocked, listed]) => ({
    ...needed,
    ...sent,
    ...pending,
    ...unlocked,
    ...listed,
  }));

/**
 * After a payment has ended, ElectroDB leaves the payment in the index of pending payments, with an empty key. Our own write removes an
 * ended payment from the index of pending payments. This function drops ElectroDB's empty keys, so that a test can compare ElectroDB's
 * write with our own write.
 */
function dropEndedKeys(write: object, { pending }: { readonly pending?: string }): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(write), (name, value) =>
    pending === undefined && /^gsi1[ps]k$/.test(name) ? undefined : value,
  );
  return plain;
}

test("our own writes of a payment equal the writes that ElectroDB would make, and each write has every field that its record requires", () => {
  const table = openTable(DynamoDBDocumentClient.from(new DynamoDBClient({})), "market");
  const { writes: own } = table;
  fc.assert(
    fc.property(settlement, text, number, (item, other, now) => {
      const { wallet, pressId, leg, signed } = item;
      const nonce = { wallet, pressId, leg, method: signed.method, nonce: signed.nonce };
      const transfer = { txHash: other, logIndex: now, wallet, pressId, leg };
      const made = table.transaction.write(({ authorization, settlement, transfer: transfers }) => [
        authorization
          .upsert(nonce)
          .where(
            (is, { notExists, eq }) =>
              `${notExists(is.nonce)} OR (${eq(is.pressId, now)} AND ${eq(is.leg, leg)})`,
          )
          .commit(),
        settlement
          .put(item)
          .where(
            (is, { eq, lt }) =>
              `${eq(is.claim, other)} AND (${eq(is.state, "failed")} OR (${eq(is.state, "queued")} AND ${lt(is.claimUntil, now)}))`,
          )
          .commit(),
        settlement
          .put(item)
          .where((is, { notExists }) => notExists(is.state))
          .commit(),
        transfers.create(transfer).commit(),
      ]);
      const { TransactItems } = made.params();
      expect([
        own.authorization.upsert(
          nonce,
          ({ notExists, eq }) => `${notExists("nonce")} OR (${eq("pressId", now)} AND ${eq("leg", leg)})`,
        ),
        own.settlement.put(
          item,
          ({ eq, lt }) =>
            `${eq("claim", other)} AND (${eq("state", "failed")} OR (${eq("state", "queued")} AND ${lt("claimUntil", now)}))`,
        ),
        own.settlement.put(item, ({ notExists }) => notExists("state")),
        own.transfer.create(transfer),
      ]).toEqual(TransactItems.map((write) => dropEndedKeys(write, item)));
      const without = { ...item, claim: undefined };
      expect(() => Reflect.apply(own.settlement.put, undefined, [without, () => ""])).toThrow("claim");
    }),
  );
});
