import { afterAll, beforeAll, expect, test } from "vitest";
import { systemIds } from "../../../core/adapter/system.ts";
import type { Address } from "../../../core/chain/hex.ts";
import { claim, fail, type NewClaim } from "../../../core/payment/settlement.ts";
import type { Queued } from "../../../core/record/payment.ts";
import type { Lease } from "../../../core/relayer/index.ts";
import { settlementOf } from "../../support/ledger.ts";
import { startTestTable, type TestTable } from "../../support/table.ts";
import { handClock } from "../press/newsroom.ts";

const wallet: Address = `0x${"a1".repeat(20)}`;
const payee: Address = `0x${"b2".repeat(20)}`;
const clock = handClock();

let store: TestTable;
beforeAll(async () => {
  store = await startTestTable();
});
afterAll(() => store.stop());

const ports = () => ({
  table: store.table,
  clock,
  ids: systemIds,
  meter: { count: () => undefined },
  settings: {},
});
let relayers = 0;

function leaseOf(address: Address): Lease {
  return {
    address,
    write: ({ relayer }, { claim: lease, claimUntil: leaseUntil }) =>
      relayer.put({ address, nextNonce: 0, lease, leaseUntil }).commit(),
  };
}

/** A claim of the wallet's for a press, with a relayer of its own. */
function order(pressId: number, nonce: bigint, changes: Partial<NewClaim> = {}): NewClaim {
  relayers += 1;
  return {
    agent: {
      pressId,
      id: 1000 + pressId,
      priceUnits: "250000",
      slug: "slug",
      headline: "headline",
      stock: "AAPL",
      publisher: payee,
    },
    leg: "fee",
    authorization: {
      method: "permit2",
      chainId: 4663,
      from: wallet,
      token: payee,
      amount: 25_000n,
      spender: payee,
      nonce,
      deadline: 2_000_000_000n,
      validAfter: 0n,
      to: payee,
    },
    signature: "0x",
    identifier: undefined,
    ticket: undefined,
    lease: leaseOf(`0x${relayers.toString(16).padStart(40, "0")}`),
    gasEstimate: undefined,
    gas: undefined,
    carry: undefined,
    last: undefined,
    earlier: [],
    block: 10_000n,
    ...changes,
  };
}

async function claimed(wanted: NewClaim): Promise<Queued> {
  const outcome = await claim(ports(), wanted);
  if (outcome.kind !== "queued") throw new Error(`It was not claimed but ${outcome.kind}.`);
  return outcome.settlement;
}

test("a nonce of a wallet serves the press and leg that first claimed it, and no other", async () => {
  const first = await claimed(order(1, 77n));
  expect(await claim(ports(), order(2, 77n))).toEqual({ kind: "permit_bound" });
  expect(await claim(ports(), order(1, 77n, { leg: "publisher" }))).toEqual({ kind: "permit_bound" });
  expect(await settlementOf(store, wallet, 2, "fee")).toBeNull();
  expect(await settlementOf(store, wallet, 1, "publisher")).toBeNull();

  const last = await fail(ports(), first, { code: "released", over: false });
  expect(await claim(ports(), order(2, 77n))).toEqual({ kind: "permit_bound" });
  expect(await claim(ports(), order(1, 77n, { last }))).toMatchObject({ kind: "queued" });
});

test("a living claim cannot be overwritten, one that has lapsed can", async () => {
  const living = await claimed(order(3, 78n));
  expect(await claim(ports(), order(3, 79n, { last: living }))).toEqual({ kind: "contended" });
  expect(await settlementOf(store, wallet, 3, "fee")).toMatchObject({
    claim: living.claim,
    signed: { nonce: "78" },
  });
  clock.pass(living.claimUntil - clock.now());
  expect(await claim(ports(), order(3, 79n, { last: living }))).toEqual({ kind: "contended" });
  clock.pass(1);
  expect(await claim(ports(), order(3, 79n, { last: living }))).toMatchObject({ kind: "queued" });
});

test("a claim keeps the block from which its permit was first looked for, and what else may still be charged", async () => {
  const first = await claimed(order(4, 80n));
  expect(first).toMatchObject({ signed: { block: 9_400 } });
  const earlier = [first.signed];
  const failed = await fail(ports(), first, { code: "released", over: false });
  const second = await claimed(order(4, 81n, { last: failed, earlier, block: 20_000n }));
  expect(second).toMatchObject({ signed: { nonce: "81", block: 19_400 }, earlier });
  const last = await fail(ports(), second, { code: "released", over: false });
  expect(last).toMatchObject({ pending: "watched", earlier });
  const again = await claimed(order(4, 80n, { last, earlier, block: 30_000n }));
  expect(again).toMatchObject({ signed: { nonce: "80", block: 9_400 } });
  expect(again.earlier).toBeUndefined();
});
