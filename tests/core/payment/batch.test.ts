import { beforeEach, describe, expect, test } from "vitest";
import { multicall3 } from "../../../core/chain/deployment.ts";
import { type Hex, HexInput } from "../../../core/chain/hex.ts";
import { encodeSettle } from "../../../core/chain/permit2.ts";
import { type PaymentPorts, pay, reconcile } from "../../../core/payment/index.ts";
import type { Leg } from "../../../core/payment/schema.ts";
import { decodePayment } from "../../../core/payment/terms.ts";
import {
  actBefore,
  actBeforeRequests,
  advanceClock,
  alterNode,
  lengthenWaits,
  limitToOneKey,
  makeDyingPorts,
  skipWaits,
  withholdCalls,
} from "../../support/interference.ts";
import {
  countReads,
  listBusyRelayers,
  listTransfers,
  readRelayers,
  readSettlement,
  readSettlingTransaction,
} from "../../support/ledger.ts";
import {
  authorize,
  encodeInvalidation,
  exactProxy,
  fetchTerms,
  getTestAccount,
  listPress,
  makeSignedHeader,
  permit2,
  send,
  startPayments,
  usdg,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { setFrozen } from "../../support/wallets.ts";
import { makeReaders, makeRefusal } from "./readers.ts";

const publisher = getTestAccount(4);
const somebody = getTestAccount(9);
const sends = /^eth_sendRawTransactionSync$/;

const payments = startPart(startPayments);
const { makeReader, leaseKeys, waitForQueue, expectFees, spendAll } = makeReaders(payments);
beforeEach(async () => {
  expect(await listBusyRelayers(payments.ports)).toEqual([]);
});

const makeOneKeyPorts = () => lengthenWaits(limitToOneKey(payments.ports));

/** Gives a wallet code that burns all gas. */
const burnGas = (address: Hex) => payments.client.setCode({ address, bytecode: "0x5b600056" });

const leaseFirstKey = async () => leaseKeys((await payments.ports.relayers.addresses()).slice(0, 1));

/** Makes the given number of readers who are about to pay one leg of a purchase. */
async function makePayers(count: number, pressId: number, leg: Leg = "fee") {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { account, wallet } = await makeReader();
      const header = await makeSignedHeader(payments, account, leg, pressId);
      return { account, wallet, request: { leg, pressId, header } };
    }),
  );
}

/** Expects that the wallet has paid one fee by its own transfer. Returns the transfer's transaction. */
async function expectOwnFee(wallet: Hex, pressId: number) {
  await expectFees(wallet);
  const [moved] = await listTransfers(payments, { from: wallet });
  const record = await readSettlement(payments.ports, wallet, pressId, "fee");
  expect(record).toMatchObject({ state: "settled", txHash: moved?.txHash });
  return moved?.txHash;
}

/** The given number of readers who are about to pay the fee by EIP-3009. */
async function makeAuthorizers(count: number, pressId: number) {
  const { terms, entry } = await fetchTerms(payments, "fee", pressId);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { account, wallet } = await makeReader();
      const signed = await authorize(account, terms.accepts[1] ?? entry);
      const request = { leg: "fee" as const, pressId, header: signed.header };
      return { account, wallet, request, call: signed.call };
    }),
  );
}

/**
 * Starts all payments while the only relayer key is leased, and then frees the key. The first payment starts before the others, so that its
 * call comes first in the shared transaction. Returns the outcome of each payment.
 */
async function payTogether(
  group: readonly { readonly request: Parameters<typeof pay>[1] }[],
  ports: (index: number) => PaymentPorts = () => makeOneKeyPorts(),
  prepare: () => Promise<void> = async () => undefined,
) {
  const giveBack = await leaseFirstKey();
  const running: Promise<unknown>[] = [];
  for (const [index, { request }] of group.entries()) {
    running.push(pay(ports(index), request).catch((error: unknown) => error));
    if (index === 0) await waitForQueue(1);
  }
  await waitForQueue(group.length);
  await prepare();
  await giveBack();
  return Promise.all(running);
}

describe("payments that wait for a relayer key share a transaction", () => {
  test("the payments of many readers to one publisher all unlock the press, and each read is counted, either at once or later by the reconciler", async () => {
    const pressId = await listPress(payments, publisher);
    const group = await makePayers(6, pressId);
    await payTogether(group);
    // The relayer key that has just sent a batch is marked, so that the next request that leases this key looks for waiting payments.
    const [key] = await readRelayers(makeOneKeyPorts());
    expect(key?.crowdUntil).toBeGreaterThan(0);
    const seconds = await Promise.all(
      group.map(async ({ account }) => ({
        request: {
          leg: "publisher" as const,
          pressId,
          header: await makeSignedHeader(payments, account, "publisher", pressId),
        },
      })),
    );
    const outcomes = await payTogether(seconds);
    expect(outcomes).toMatchObject(
      seconds.map(() => ({ kind: "paid", unlocked: { body: `The text of ${pressId}.` } })),
    );
    await reconcile(payments.ports);
    expect(await countReads(payments.ports, pressId + 1000)).toBe(6);
    await reconcile(payments.ports);
    expect(await countReads(payments.ports, pressId + 1000)).toBe(6);
  });
});

test("if another process sends a payment just when the payment's own request stops waiting, the request still reports that the payment was made", async () => {
  const [late, other] = await makePayers(2, await listPress(payments, publisher));
  if (late === undefined || other === undefined) throw new Error("Nobody pays");
  const giveBack = await leaseFirstKey();
  const sendBoth = async () => {
    await giveBack();
    const [address = ""] = await makeOneKeyPorts().relayers.addresses();
    const crowdUntil = Date.now() + 60_000;
    await payments.ports.table.entities.relayer.patch({ address }).set({ crowdUntil }).go();
    expect(await pay(makeOneKeyPorts(), other.request)).toMatchObject({ kind: "paid" });
  };
  let writes = 0;
  const stop = actBeforeRequests(payments.store, "TransactItems", async () => {
    // The first table transaction claims the payment without a relayer key, and the second table transaction releases the claim.
    if (++writes === 2) await sendBoth();
  });
  const paid = await pay(skipWaits(makeOneKeyPorts()), late.request);
  stop();
  expect(paid).toMatchObject({ kind: "paid" });
  await expectFees(late.wallet);
});

describe("a payment's failure makes no other payment fail (invariant 9)", () => {
  test("a payment is checked again if its wallet spends the USDG while the payment waits, and the other payments of the batch are settled", async () => {
    const pressId = await listPress(payments, publisher);
    const [hostile, ...others] = await makePayers(4, pressId);
    if (hostile === undefined) throw new Error("Nobody pays");
    const outcomes = await payTogether([hostile, ...others], undefined, () => spendAll(hostile));
    // The payment is left out of the transaction, so it burns no gas and has no receipt.
    expect(outcomes[0]).toMatchObject({ ...makeRefusal("permit2_insufficient_balance"), receipt: undefined });
    expect(outcomes.slice(1)).toMatchObject(others.map(() => ({ kind: "paid", already: false })));
    await expectFees(hostile.wallet, 0);
  });

  test("a payment by permit is left out of the batch if its wallet gets code while the payment waits", async () => {
    const pressId = await listPress(payments, publisher);
    const [hostile, ...others] = await makePayers(3, pressId);
    if (hostile === undefined) throw new Error("Nobody pays");
    const outcomes = await payTogether([hostile, ...others], undefined, async () => {
      await payments.client.setCode({ address: hostile.wallet, bytecode: "0x600160005260206000f3" });
    });
    expect(outcomes[0]).toMatchObject(makeRefusal("invalid_permit2_signature"));
    expect(outcomes.slice(1)).toMatchObject(others.map(() => ({ kind: "paid", already: false })));
    await expectFees(hostile.wallet, 0);
  });

  test("if a wallet gets code while its EIP-3009 payment waits, the payment stays in the batch, because the wallet's code is not run", async () => {
    const pressId = await listPress(payments, publisher);
    const group = await makeAuthorizers(3, pressId);
    const [gaining] = group;
    const outcomes = await payTogether(group, undefined, () => burnGas(gaining?.wallet ?? "0x"));
    expect(outcomes).toMatchObject(group.map(() => ({ kind: "paid", already: false })));
    const proofs = await Promise.all(group.map(({ wallet }) => expectOwnFee(wallet, pressId)));
    expect(new Set(proofs).size).toBe(1);
  });

  test("if some wallets' code starts to burn gas while their payments wait, the other payers lose nothing and need no second try", async () => {
    const pressId = await listPress(payments, publisher);
    const [hostile, others] = [await makePayers(2, pressId), await makePayers(4, pressId)];
    const failures: unknown[] = [];
    const counted: PaymentPorts = {
      ...makeOneKeyPorts(),
      meter: { count: (fact) => void (fact.name === "SettlementFailed" && failures.push(fact)) },
    };
    const giveBack = await leaseFirstKey();
    const running: Promise<unknown>[] = [];
    // The hostile wallets pay first, because the code of the first payers would run before the other payers' calls.
    for (const group of [hostile, others]) {
      running.push(...group.map(({ request }) => pay(counted, request)));
      await waitForQueue(running.length);
    }
    for (const { wallet } of hostile) await burnGas(wallet);
    await giveBack();
    const outcomes = await Promise.all(running);
    expect(outcomes.slice(0, 2)).toMatchObject(hostile.map(() => ({ kind: "terms" })));
    expect(outcomes.slice(2)).toMatchObject(others.map(() => ({ kind: "paid", already: false })));
    expect(failures).toHaveLength(hostile.length);
  });

  test("if somebody else settles a payment after the batch was signed, the payment is credited, and the other payments keep their own transfers", async () => {
    const pressId = await listPress(payments, publisher);
    const group = await makePayers(3, pressId);
    const [copied] = group;
    const payment = decodePayment(copied?.request.header ?? "", payments.ports.settings);
    if (copied === undefined || payment === undefined) throw new Error("Nobody pays");
    const data = encodeSettle(payment.authorization, payment.signature);
    const frontRun = actBefore(makeOneKeyPorts(), sends, () => send(payments, somebody, exactProxy, data));
    const outcomes = await payTogether(group, () => frontRun);
    expect(outcomes).toMatchObject(group.map(() => ({ kind: "paid" })));
    for (const { wallet } of group) await expectOwnFee(wallet, pressId);
  });

  /**
   * Reads the cost of the gas that was lost in the given hours because payments in shared transactions failed. The cost is in USDG base
   * units.
   */
  async function readLostGas(hours: readonly string[]): Promise<number> {
    const { gas } = payments.ports.table.entities;
    const asked = hours.map((day) => ({ subject: "service:shared", day }));
    const { data } = await gas.get(asked).go({ consistent: true });
    return data.reduce((sum, { spent }) => sum + spent, 0);
  }

  test("a batch that ran out of gas is split into single payments, and the gas that the harmless payments lost is added to the hour's lost gas", async () => {
    const pressId = await listPress(payments, publisher);
    const [hostile, ...others] = await makePayers(4, pressId);
    if (hostile === undefined) throw new Error("Nobody pays");
    const hours = [0, 3_600_000].map((later) => new Date(Date.now() + later).toISOString().slice(0, 13));
    const before = await readLostGas(hours);
    // Right after the batch was signed, the hostile wallet gets code that burns all gas (EIP-7702).
    const gaining = actBefore(makeOneKeyPorts(), sends, () => burnGas(hostile.wallet));
    const outcomes = await payTogether([hostile, ...others], () => gaining);
    expect(outcomes.slice(1)).toMatchObject(others.map(() => ({ kind: "paid", already: false })));
    expect(outcomes[0]).toMatchObject({ kind: "terms" });
    for (const { wallet } of others) await expectFees(wallet);
    await expectFees(hostile.wallet, 0);
    expect(await readLostGas(hours)).toBeGreaterThan(before);
  });

  test("two payments of one wallet never share a transaction, because their transfers could be confused", async () => {
    const [one, two] = [await listPress(payments, publisher), await listPress(payments, publisher)];
    // Both payments of the second wallet wait until a request of the first wallet sends them.
    const readers = await makePayers(2, one);
    const again = await Promise.all(
      readers.map(async ({ account }) => {
        const header = await makeSignedHeader(payments, account, "fee", two);
        return { request: { leg: "fee" as const, pressId: two, header } };
      }),
    );
    expect(await payTogether([...readers, ...again])).toMatchObject(Array(4).fill({ kind: "paid" }));
    for (const { wallet } of readers) {
      const [first, second] = [
        await readSettlement(payments.ports, wallet, one, "fee"),
        await readSettlement(payments.ports, wallet, two, "fee"),
      ];
      expect(first?.txHash).not.toBe(second?.txHash);
      await expectFees(wallet, 2);
    }
  });
});

test("a payment that failed because of another payer is checked again if its own payer has made another request since the failure", async () => {
  const pressId = await listPress(payments, publisher);
  const [hostile, victim] = await makePayers(2, pressId);
  const first = decodePayment(victim?.request.header ?? "", payments.ports.settings)?.authorization;
  if (hostile === undefined || victim === undefined || first === undefined) throw new Error("Nobody pays");
  const { account, wallet } = victim;
  await payments.client.setBalance({ address: wallet, value: 10n ** 18n });
  const header = await makeSignedHeader(payments, account, "fee", pressId);
  const second = decodePayment(header, payments.ports.settings);
  if (second === undefined) throw new Error("Nobody pays");
  /** Cancels the failed permit and signs another permit for the same payer. The second permit stays valid although its broadcast fails. */
  async function payByNewPermit() {
    await send(payments, account, permit2, encodeInvalidation(first?.nonce ?? 0n));
    const poor = actBefore(payments.ports, sends, () => setFrozen(payments, wallet, true));
    expect(await pay(poor, { leg: "fee", pressId, header })).toMatchObject({ receipt: { success: false } });
    await setFrozen(payments, wallet, false);
  }
  const burning = actBefore(makeOneKeyPorts(), sends, () => burnGas(hostile.wallet));
  let step: "batch" | "failed" | "paid otherwise" = "batch";
  const meter: PaymentPorts["meter"] = {
    count: ({ name }) => {
      if (name === "SettlementFailed" && step === "batch") step = "failed";
    },
  };
  const stop = actBeforeRequests(payments.store, "RequestItems", async () => {
    if (step !== "failed") return;
    step = "paid otherwise";
    await payByNewPermit();
  });
  const giveBack = await leaseFirstKey();
  // The hostile payment comes first, so that its wallet's code runs before the call for the other payment.
  const leading = pay(burning, hostile.request).catch((error: unknown) => error);
  await waitForQueue(1);
  const following = pay({ ...burning, meter }, victim.request).catch((error: unknown) => error);
  await waitForQueue(2);
  await giveBack();
  await Promise.all([leading, following]);
  stop();
  expect(step).toBe("paid otherwise");
  await send(payments, somebody, exactProxy, encodeSettle(second.authorization, second.signature));
  await reconcile(advanceClock(payments.ports, 60_000));
  expect(await readSettlement(payments.ports, wallet, pressId, "fee")).toMatchObject({
    state: "settled",
    signed: { nonce: String(second.authorization.nonce) },
  });
  await expectFees(wallet);
});

describe("if one payment in a batch with both payment methods fails after the batch was signed, the other payments succeed (invariant 9)", () => {
  type Payer = Awaited<ReturnType<typeof makePayers>>[number] & { readonly call: Hex };
  type BatchCase = {
    readonly name: string;
    readonly method: "permit2" | "eip3009";
    readonly strike: (payer: Payer) => Promise<unknown>;
    readonly charged: number;
    readonly outcome: object;
    /** The gas of the whole batch is charged to the hostile payment, even if that payment ran last and the other payments succeeded. */
    readonly bearsAll?: true;
  };
  test.each<BatchCase>([
    {
      name: "somebody else settles an authorization, whose own call then succeeds and moves nothing",
      method: "eip3009",
      strike: ({ call }) => send(payments, somebody, usdg, call),
      charged: 1,
      outcome: { kind: "paid" },
    },
    {
      name: "a permit's wallet gains code that burns all gas (EIP-7702)",
      method: "permit2",
      strike: ({ wallet }) => burnGas(wallet),
      charged: 0,
      outcome: { kind: "terms" },
      bearsAll: true,
    },
    {
      name: "an authorization's wallet spends its USDG",
      method: "eip3009",
      strike: (payer) => spendAll(payer),
      charged: 0,
      outcome: makeRefusal("invalid_exact_evm_insufficient_balance"),
    },
    {
      name: "a permit's wallet spends its USDG",
      method: "permit2",
      strike: (payer) => spendAll(payer),
      charged: 0,
      outcome: makeRefusal("permit2_insufficient_balance"),
    },
  ])(
    "the other payers of a batch are charged once, by their own transfers, when $name",
    async ({ method, strike, charged, outcome, bearsAll }) => {
      const pressId = await listPress(payments, publisher);
      const permits = await makePayers(3, pressId);
      const authorizations = await makeAuthorizers(3, pressId);
      const all = [...permits.map((payer) => ({ ...payer, call: "0x" as const })), ...authorizations];
      const hostile = all[method === "permit2" ? 0 : 3];
      if (hostile === undefined) throw new Error("Nobody pays");
      const others = all.filter((payer) => payer !== hostile);
      const burned: (number | undefined)[] = [];
      const counted: PaymentPorts = {
        ...makeOneKeyPorts(),
        meter: { count: ({ name }, value) => void (name === "GasBurned" && burned.push(value)) },
      };
      const struck = actBefore(counted, sends, () => strike(hostile));
      const outcomes = await payTogether([hostile, ...others], () => struck);
      expect(outcomes).toMatchObject([outcome, ...others.map(() => ({ kind: "paid", already: false }))]);
      const proofs = new Set<string | undefined>();
      for (const { wallet } of others) proofs.add(await expectOwnFee(wallet, pressId));
      // All payments are sent in one transaction. If the hostile payment has burned all gas of this transaction, each other payment is sent
      // alone.
      expect(bearsAll ? [1, others.length] : [1]).toContain(proofs.size);
      const [shared = "0x"] = proofs;
      if (proofs.size === 1 && charged === 0) {
        const { gasUsed } = await payments.client.getTransactionReceipt({ hash: HexInput.parse(shared) });
        expect(burned).toEqual([Math.floor(Number(gasUsed) / (bearsAll ? 1 : all.length))]);
      }
      await expectFees(hostile.wallet, charged);
    },
  );
});

describe("a later request or reconciler run finishes the batch of a dead process", () => {
  /** Makes payments whose process died just before or after the node received their batch. */
  async function storeBatch(count: number, when: "before" | "after" = "before") {
    const pressId = await listPress(payments, publisher);
    const group = await makePayers(count, pressId);
    const { ports, ended } = makeDyingPorts(makeOneKeyPorts(), sends, when);
    const giveBack = await leaseFirstKey();
    for (const { request } of group) void pay(ports, request).catch(() => undefined);
    await waitForQueue(group.length);
    await giveBack();
    await ended;
    return { pressId, group };
  }

  test.each(["before", "after"] as const)(
    "the next run settles every payment once if the process died just %s the node received the batch",
    async (when) => {
      const { group } = await storeBatch(3, when);
      await reconcile(advanceClock(payments.ports, 60_000));
      await reconcile(advanceClock(payments.ports, 61_000));
      for (const { wallet, request } of group) {
        expect(await pay(makeOneKeyPorts(), request)).toMatchObject({ kind: "paid" });
        await expectFees(wallet);
      }
      expect(await listBusyRelayers(payments.ports)).toEqual([]);
    },
  );

  test("a dead process's batch keeps its transaction and relayer key until the last payment of the batch has ended, and then frees the key", async () => {
    const { pressId, group } = await storeBatch(3);
    const last = group.at(-1);
    for (const payer of group) {
      const payment = decodePayment(payer.request.header, payments.ports.settings);
      if (payment === undefined || last === undefined) throw new Error("Nobody pays");
      expect(await readSettlingTransaction(payments.ports, last.wallet, pressId, "fee")).toMatchObject({
        state: "stored",
      });
      expect(await listBusyRelayers(payments.ports)).toHaveLength(1);
      await send(payments, somebody, exactProxy, encodeSettle(payment.authorization, payment.signature));
      expect(await pay(makeOneKeyPorts(), payer.request)).toMatchObject({ kind: "paid" });
      await expectFees(payer.wallet);
    }
    expect(await listBusyRelayers(payments.ports)).toEqual([]);
  });

  test("the next process that uses a dead process's relayer key sends the stored batch first, and the batch settles every payment", async () => {
    const { pressId, group } = await storeBatch(2);
    const [one] = group;
    const [newcomer] = await makePayers(1, pressId);
    if (one === undefined || newcomer === undefined) throw new Error("Nobody pays");
    const batch = await readSettlingTransaction(payments.ports, one.wallet, pressId, "fee");
    expect(await pay(advanceClock(makeOneKeyPorts(), 60_000), newcomer.request)).toMatchObject({
      kind: "paid",
    });
    await reconcile(advanceClock(payments.ports, 60_000));
    for (const { wallet } of group) expect(await expectOwnFee(wallet, pressId)).toBe(batch?.hashes[0]);
  });

  test("if the outcome of a sent batch is unknown, each of its payments is answered with 503 settlement_pending, never with 402", async () => {
    const pressId = await listPress(payments, publisher);
    const group = await makePayers(3, pressId);
    const patient = makeOneKeyPorts();
    const { now, sleep } = patient.clock;
    // As soon as all payments wait, the clock runs five times as fast.
    let since = Number.POSITIVE_INFINITY;
    const clock = {
      now: () => now() + 4 * Math.max(0, now() - since),
      sleep: (pause: number) => sleep(now() < since ? pause : pause / 25),
    };
    const lost = withholdCalls({ ...patient, clock }, /^eth_(sendRaw|getTransactionReceipt)/);
    const outcomes = await payTogether(
      group,
      () => lost,
      async () => {
        since = now();
      },
    );
    expect(outcomes).toMatchObject(group.map(() => ({ code: "settlement_pending" })));
    for (const { request } of group)
      expect(await pay(makeOneKeyPorts(), request)).toMatchObject({ kind: "paid" });
    for (const { wallet } of group) await expectFees(wallet);
  });
});

test("if the sequencer permanently rejects a transaction, its relayer key is free at once, and the service goes on watching the signed payment", async () => {
  const pressId = await listPress(payments, publisher);
  const [reader] = await makePayers(1, pressId);
  if (reader === undefined) throw new Error("Nobody pays");
  const filtered = alterNode(makeOneKeyPorts(), sends, async () => [
    { status: "failed", code: -32000, message: "Transaction rejected by chain policy" },
  ]);
  await expect(pay(filtered, reader.request)).rejects.toMatchObject({ code: "payments_unavailable" });
  expect(await listBusyRelayers(payments.ports)).toEqual([]);
  expect(await readSettlingTransaction(payments.ports, reader.wallet, pressId, "fee")).toMatchObject({
    state: "over",
  });
  expect(await readSettlement(payments.ports, reader.wallet, pressId, "fee")).toMatchObject({
    state: "failed",
    pending: "watched",
  });
  expect(await pay(makeOneKeyPorts(), reader.request)).toMatchObject({ kind: "paid" });
  await expectFees(reader.wallet);
});

test("a batch that the sequencer permanently rejects is split, and each of its payments is sent alone and settled once", async () => {
  const pressId = await listPress(payments, publisher);
  const group = await makePayers(3, pressId);
  const strict = alterNode(makeOneKeyPorts(), sends, async (calls, ask) =>
    JSON.stringify(calls).includes(multicall3.slice(2))
      ? [{ status: "failed", code: -32000, message: "Transaction rejected by chain policy" }]
      : ask(),
  );
  expect(await payTogether(group, () => strict)).toMatchObject(group.map(() => ({ kind: "paid" })));
  for (const { wallet } of group) await expectFees(wallet);
});
