import type { HDAccount } from "viem/accounts";
import { concat, encodeFunctionData, numberToHex, padHex, toHex } from "viem/utils";
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { erc20Abi, multicall3Abi } from "../../../core/chain/abi.ts";
import { multicall3 } from "../../../core/chain/deployment.ts";
import { type Hex, lower } from "../../../core/chain/hex.ts";
import { changePrice } from "../../../core/correction/index.ts";
import { PriceInput } from "../../../core/correction/schema.ts";
import { isChargeable } from "../../../core/payment/end.ts";
import { type PaymentPorts, pay, reconcile } from "../../../core/payment/index.ts";
import { encodeHidingCall, hider, placeHider } from "../../support/hider.ts";
import {
  actAfter,
  actBefore,
  advanceClock,
  alterNode,
  changeResults,
  skipWaits,
} from "../../support/interference.ts";
import { countReads, listBusyRelayers, listTransfers, readSettlement } from "../../support/ledger.ts";
import {
  authorize,
  encodeInvalidation,
  encodeSale,
  encodeTransfer,
  exactProxy,
  fetchTerms,
  getTestAccount,
  identityRegistry,
  listPress,
  permit2,
  send,
  startPayments,
  treasury,
  usdg,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { makeReaders, makeRefusal } from "./readers.ts";

const publisher = getTestAccount(4);
const somebody = getTestAccount(7);
const parts = { fee: 25_000n, publisher: 225_000n } as const;

const payments = startPart(startPayments);
const readers = makeReaders(payments);
const { makeReader, makePayingReader, sign, readRecord, payAndDie } = readers;
const { expectCharged, expectFees, makeEmptyingPorts, refill } = readers;
afterAll(async () => expect(await listBusyRelayers(payments.ports)).toEqual([]));

const settleAs = (account: HDAccount, data: Hex) => send(payments, account, exactProxy, data);

/**
 * Both legs of a purchase use the same code, so these tests cover only the leg to the publisher. The file explore.test.ts tests batches
 * with a fee that a stranger settles, and tests/attack/charged-twice.test.ts tests payments that a stranger settles while our process runs.
 */
describe("a payment to the publisher counts as paid when somebody else settles its permit", () => {
  const leg = "publisher";

  test.each(["queued", "submitted"] as const)(
    "if our process died after a payment was %s and a stranger settles the payment later, the reconciler finds the payment",
    async (state) => {
      const payer = await makePayingReader(leg);
      await payAndDie(payer, state === "queued" ? "signing" : "before");
      expect(await readRecord(payer)).toMatchObject({ state });
      const { transactionHash } = await settleAs(somebody, payer.call);
      expect(await reconcile(advanceClock(payments.ports, 60_000))).toMatchObject({
        settled: 1,
        unknown: 0,
      });
      expect(await readRecord(payer)).toMatchObject({
        state: "settled",
        txHash: transactionHash,
      });
      expect(await countReads(payments.ports, payer.pressId + 1000)).toBe(1);
      await expectCharged(payer.wallet, parts.fee, parts.publisher);
    },
  );
});

describe("a payment is charged once even if the table is throttled when the payment's end is recorded", () => {
  /** Ports whose table throttles the given number of transactions that would record a payment as settled. */
  function throttleEnds(times: number): PaymentPorts {
    const { table } = payments.ports;
    let left = times;
    const write: typeof table.write = async (items) => {
      const isThrottled = left > 0 && JSON.stringify(items).includes('"__edb_e__":"transfer"');
      if (!isThrottled) return table.write(items);
      left -= 1;
      return { canceled: true, data: [{ code: "ThrottlingError" }] };
    };
    return skipWaits({ ...payments.ports, table: { ...table, write } });
  }

  test.each([
    ["a stranger has settled", 5, "settlement_pending", "queued"],
    ["we have settled", 10, "settlement_pending", "submitted"],
  ] as const)("a payment that %s is not refused, and is credited later", async (who, times, code, state) => {
    const payer = await makePayingReader("fee");
    if (who === "a stranger has settled") await settleAs(somebody, payer.call);
    await expect(pay(throttleEnds(times), payer)).rejects.toMatchObject({ kind: "upstream", code });
    expect(await readRecord(payer)).toMatchObject({ state });
    const fresh = await sign(payer.account, "fee", payer.pressId);
    const later = advanceClock(payments.ports, 40_000);
    expect(await pay(later, { ...payer, header: fresh.header })).toMatchObject({ kind: "paid" });
    await expectCharged(payer.wallet, parts.fee);
  });
});

describe("a permit whose transaction was broadcast and reverted stays valid until its deadline", () => {
  test("a permit whose transaction reverted is settled instead of a fresh permit, even after another attempt has failed", async () => {
    const payer = await makePayingReader("fee");
    await pay(makeEmptyingPorts(payer), payer);
    await refill(payer.wallet);
    const fresh = await sign(payer.account, "fee", payer.pressId);
    await payAndDie({ ...payer, header: fresh.header }, "signing");
    const relayers = {
      ...payments.ports.relayers,
      sign: async () => {
        throw new Error("No key today");
      },
    };
    const afterwards = advanceClock(payments.ports, 40_000);
    await expect(pay({ ...afterwards, relayers }, { ...payer, header: fresh.header })).rejects.toMatchObject({
      code: "payments_unavailable",
    });
    expect(await pay(afterwards, { ...payer, header: fresh.header })).toMatchObject({ kind: "paid" });
    expect(await readRecord(payer)).toMatchObject({
      state: "settled",
      signed: { nonce: String(payer.permit.nonce) },
    });
  });

  test("if an earlier permit reverts after a fresh permit was checked, the fresh permit is checked again", async () => {
    const payer = await makePayingReader("fee");
    const fresh = await sign(payer.account, "fee", payer.pressId);
    const slow = actAfter(payments.ports, /^eth_estimateGas$/, async () => {
      expect(await pay(makeEmptyingPorts(payer), payer)).toMatchObject({ kind: "terms" });
      await refill(payer.wallet);
    });
    await expect(pay(slow, { ...payer, header: fresh.header })).rejects.toMatchObject({
      code: "payments_unavailable",
    });
    expect(await pay(payments.ports, { ...payer, header: fresh.header })).toMatchObject({ kind: "paid" });
    expect(await readRecord(payer)).toMatchObject({
      state: "settled",
      signed: { nonce: String(payer.permit.nonce) },
    });
    await expectFees(payer.wallet, 1);
  });

  test("if the reservation of an older permit has expired, a request with this permit is answered as paid, but the newer permit is charged", async () => {
    const payer = await makePayingReader("fee");
    await payAndDie(payer, "signing");
    const newer = await sign(payer.account, "fee", payer.pressId);
    const reverting = advanceClock(makeEmptyingPorts(payer), 61_000);
    expect(await pay(reverting, { ...payer, header: newer.header })).toMatchObject({ kind: "terms" });
    await refill(payer.wallet);
    expect(await pay(advanceClock(payments.ports, 61_000), payer)).toMatchObject({ kind: "paid" });
    await expectFees(payer.wallet, 1);
  });

  test("a reverted permit still buys a press whose owner has changed since the permit was signed, and the payer is not charged again for the new owner", async () => {
    const payer = await makePayingReader("publisher");
    expect(await pay(makeEmptyingPorts(payer), payer)).toMatchObject({ kind: "terms" });
    await refill(payer.wallet);
    const sale = encodeSale(publisher.address, somebody.address, payer.pressId);
    await send(payments, publisher, identityRegistry, sale);
    const fresh = await sign(payer.account, "publisher", payer.pressId);
    expect(await pay(payments.ports, { ...payer, header: fresh.header })).toMatchObject({
      unlocked: { body: `The text of ${payer.pressId}.` },
    });
    const moved = await listTransfers(payments, { from: payer.wallet });
    expect(moved.filter(({ value }) => value === parts.publisher)).toMatchObject([
      { to: lower(publisher.address) },
    ]);
  });
});

describe("a permit that reverted can still be charged at the exact time of its deadline", () => {
  /** Ports with a chain whose newest block has the given time in seconds, and with a clock that shows the same time. */
  function makePortsAt(seconds: bigint): PaymentPorts {
    const there = changeResults(payments.ports, "eth_getBlockByNumber", (block) => ({
      ...Object(block),
      timestamp: numberToHex(seconds),
    }));
    return { ...there, clock: { now: () => Number(seconds) * 1000, sleep: async () => undefined } };
  }

  test("a reverted permit is valid until the chain's time is past the permit's deadline, so no other permit is charged before then", async () => {
    const payer = await makePayingReader("fee");
    const { deadline } = payer.permit;
    await pay(makeEmptyingPorts(payer), payer);
    await refill(payer.wallet);
    const fresh = await sign(payer.account, "fee", payer.pressId, { deadline: deadline + 300n });
    const request = { ...payer, header: fresh.header };
    await expect(pay(makePortsAt(deadline), request)).rejects.toMatchObject({ code: "payments_unavailable" });
    await expectFees(payer.wallet, 0);
    expect(await pay(makePortsAt(deadline + 1n), request)).toMatchObject({ kind: "paid" });
    await expectFees(payer.wallet, 1);
  });

  test("a reverted fee keeps its price: it is neither charged to a wallet that has too little for this price, nor in place of a fee of another amount", async () => {
    const payer = await makePayingReader("fee");
    const { deadline } = payer.permit;
    await pay(makeEmptyingPorts(payer), payer);
    const next = PriceInput.parse({ id: payer.pressId + 1000, priceUsdg: 0.1 });
    await changePrice({ ...payments.ports, settings: {} }, lower(publisher.address), next);
    await send(payments, somebody, usdg, encodeTransfer(payer.wallet, 100_000n));
    expect(await pay(payments.ports, payer)).toMatchObject(makeRefusal("permit2_insufficient_balance"));
    await refill(payer.wallet);
    const fresh = await sign(payer.account, "fee", payer.pressId, { deadline: deadline + 200n });
    const request = { ...payer, header: fresh.header };
    await expect(pay(payments.ports, request)).rejects.toMatchObject({ code: "payments_unavailable" });
    expect(await pay(makePortsAt(deadline + 1n), request)).toMatchObject({ kind: "paid" });
    const fees = await listTransfers(payments, { from: payer.wallet, to: treasury });
    expect(fees.map(({ value }) => value)).toEqual([10_000n]);
  });

  test("a payment by EIP-3009 is not refused because a reverted permit lacks its approval, and is charged after the permit's deadline", async () => {
    const payer = await makePayingReader("fee");
    const { deadline } = payer.permit;
    const revoke = { abi: erc20Abi, functionName: "approve", args: [permit2, 0n] } as const;
    const revoking = actBefore(payments.ports, /^eth_sendRawTransactionSync$/, () =>
      send(payments, payer.account, usdg, encodeFunctionData(revoke)),
    );
    expect(await pay(revoking, payer)).toMatchObject(makeRefusal("permit2_allowance_required"));
    const [, entry] = (await fetchTerms(payments, "fee", payer.pressId)).terms.accepts;
    if (entry === undefined) throw new Error("There is no second way to pay");
    const fresh = await authorize(payer.account, entry, { validBefore: deadline + 200n });
    const request = { ...payer, header: fresh.header };
    await expect(pay(payments.ports, request)).rejects.toMatchObject({ code: "payments_unavailable" });
    expect(await pay(makePortsAt(deadline + 1n), request)).toMatchObject({ kind: "paid" });
    await expectFees(payer.wallet, 1);
  });

  test("Permit2 accepts a permit when the block's time equals the deadline, and refuses it one second later", async () => {
    const payer = await makePayingReader("fee");
    const simulateAt = async (time: bigint) => {
      const [outcome] = await payments.ports.chain.batch([
        {
          method: "eth_call",
          params: [
            { from: somebody.address, to: exactProxy, data: payer.call },
            "latest",
            {},
            { time: numberToHex(time) },
          ],
        },
      ]);
      return outcome?.status;
    };
    expect(await simulateAt(payer.permit.deadline)).toBe("ok");
    expect(await simulateAt(payer.permit.deadline + 1n)).toBe("reverted");
    expect(isChargeable(payer.permit, { spent: false, timestamp: payer.permit.deadline })).toBe(true);
    expect(isChargeable(payer.permit, { spent: false, timestamp: payer.permit.deadline + 1n })).toBe(false);
  });
});

describe("a transfer pays only one leg of a purchase", () => {
  /** Makes two presses with the same price and owner, and for each press one reader's permit for the fee. */
  async function signTwoFees() {
    const reader = await makeReader();
    const signFee = async () => {
      const pressId = await listPress(payments, publisher);
      return { leg: "fee" as const, pressId, ...(await sign(reader.account, "fee", pressId)) };
    };
    return { ...reader, one: await signFee(), other: await signFee() };
  }

  /** Spends a permit's nonce without any transfer, which the permit's owner may do. */
  const spend = (account: HDAccount, nonce: bigint) =>
    send(payments, account, permit2, encodeInvalidation(nonce));

  /** Sends a stranger's transaction in which Multicall3 runs the given calls. */
  function aggregate(calls: readonly { readonly target: Hex; readonly callData: Hex }[]) {
    const args = [calls.map((call) => ({ ...call, allowFailure: true }))] as const;
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args });
    return send(payments, somebody, multicall3, data);
  }

  test("if a transaction contains one transfer and the nonces of two permits, the transfer pays only for the permit by which it was made", async () => {
    const { account, wallet, one, other } = await signTwoFees();
    // One of the two permits is spent without a transfer. The nonce of this permit is appended to the calldata at a position that the
    // contract does not read.
    await spend(account, other.permit.nonce);
    await settleAs(account, concat([one.call, padHex(toHex(other.permit.nonce), { size: 32 })]));
    expect(await pay(payments.ports, other)).toMatchObject(makeRefusal("permit2_invalid_nonce"));
    expect(await pay(payments.ports, one)).toMatchObject({ kind: "paid" });
    await expectCharged(wallet, parts.fee);
  });

  test("a transfer pays only one leg even if another call of its Multicall3 transaction contains the nonce of the other leg's permit", async () => {
    const { account, wallet, one, other } = await signTwoFees();
    await spend(account, other.permit.nonce);
    await aggregate([
      { target: exactProxy, callData: one.call },
      // An authorization of EIP-3009 may have any nonce, even the nonce of the other leg.
      { target: usdg, callData: numberToHex(other.permit.nonce, { size: 32 }) },
    ]);
    expect(await pay(payments.ports, other)).toMatchObject(makeRefusal("permit2_invalid_nonce"));
    expect(await pay(payments.ports, one)).toMatchObject({ kind: "paid" });
    await expectCharged(wallet, parts.fee);
  });

  test("if a payment's transfer was credited to another leg, the payment ends and blocks neither a relayer key nor the reconciler", async () => {
    const { wallet, one, other } = await signTwoFees();
    await payAndDie(one, "after");
    const [moved] = await listTransfers(payments, { from: wallet });
    if (moved === undefined) throw new Error("Nothing was paid");
    const { txHash, logIndex } = moved;
    const taken = { txHash, logIndex, wallet, pressId: other.pressId, leg: "fee" as const };
    await payments.ports.table.entities.transfer.create(taken).go();
    expect(await reconcile(advanceClock(payments.ports, 60_000))).toMatchObject({ settled: 0, unknown: 0 });
    expect(await readSettlement(payments.ports, wallet, one.pressId, "fee")).toMatchObject({
      state: "failed",
    });
    expect(await listBusyRelayers(payments.ports)).toEqual([]);
  });

  test("a payer's request costs only a few node calls, even if the wallet has many hidden transfers", async () => {
    const pressId = await listPress(payments, publisher);
    const reader = await makeReader();
    await placeHider(payments.devnet.rpcUrl);
    for (let index = 0; index < 12; index += 1) {
      await send(
        payments,
        somebody,
        hider,
        encodeHidingCall((await sign(reader.account, "fee", pressId)).call),
      );
    }
    const late = await sign(reader.account, "fee", pressId);
    await spend(reader.account, late.permit.nonce);
    let trips = 0;
    const counted = alterNode(payments.ports, /./, async (_, ask) => {
      trips += 1;
      return ask();
    });
    expect(await pay(counted, { leg: "fee", pressId, header: late.header })).toMatchObject({
      terms: { code: "permit2_invalid_nonce" },
    });
    expect(trips).toBeLessThanOrEqual(8);
  });

  /** Settles both permits in one transaction, which any account may do. */
  const settleBoth = (one: { readonly call: Hex }, other: { readonly call: Hex }) =>
    aggregate([one, other].map(({ call }) => ({ target: exactProxy, callData: call })));

  test("two transfers in one transaction pay two legs", async () => {
    const { wallet, one, other } = await signTwoFees();
    await settleBoth(one, other);
    for (const fee of [other, one]) {
      expect(await pay(payments.ports, fee)).toMatchObject({ kind: "paid" });
    }
    await expectCharged(wallet, parts.fee, parts.fee);
  });

  test("the second of two equal transfers counts as the payment if the first transfer is credited to another leg during the search", async () => {
    const { wallet, one, other } = await signTwoFees();
    await settleBoth(one, other);
    // At this moment, both transfers have been found, and the record of the payment is about to be written.
    const done = runBeforeWrite(() => pay(payments.ports, other));
    const outcome = await pay(payments.ports, one);
    expect([outcome, await done()]).toMatchObject([{ kind: "paid" }, { kind: "paid" }]);
    await expectCharged(wallet, parts.fee, parts.fee);
  });

  test("if the only visible transfer of a payer was credited to another leg, the payer must wait for a second transfer, and no fresh signature is charged", async () => {
    const { account, wallet, one, other } = await signTwoFees();
    await payAndDie(one, "signing");
    await settleBoth(other, one);
    const fresh = await sign(account, "fee", one.pressId);
    let looks = 0;
    // Ports with a node that shows the first of two transfers a moment before the second transfer.
    const slow = alterNode(advanceClock(payments.ports, 60_000), /^eth_getLogs$/, async (calls, ask) => {
      looks += 1;
      return (await ask()).map((outcome, index) => {
        const isLog = looks === 1 && calls[index]?.method === "eth_getLogs" && outcome.status === "ok";
        const logs = isLog ? z.array(z.unknown()).parse(outcome.result) : [];
        return logs.length === 2 ? { status: "ok", result: logs.slice(0, 1) } : outcome;
      });
    });
    const done = runBeforeWrite(() => pay(payments.ports, other));
    const outcome = await pay(slow, { ...one, header: fresh.header });
    expect([outcome, await done()]).toMatchObject([{ kind: "paid" }, { kind: "paid" }]);
    await expectCharged(wallet, parts.fee, parts.fee);
  });

  test("a settled permit of one base unit does not pay for another permit with the same nonce, even if a contract hides both permits", async () => {
    const { account, wallet, one } = await signTwoFees();
    await placeHider(payments.devnet.rpcUrl);
    const small = await sign(account, "fee", one.pressId, { nonce: one.permit.nonce, amount: 1n });
    await send(payments, somebody, hider, encodeHidingCall(small.call));
    expect(await pay(payments.ports, one)).toMatchObject(makeRefusal("permit2_invalid_nonce"));
    await expectCharged(wallet, 1n);
  });

  test("a transfer that was not made by a permit pays for nothing, even if its transaction contains the nonce of a spent permit", async () => {
    const { account, wallet, other } = await signTwoFees();
    const approval = { abi: erc20Abi, functionName: "approve", args: [multicall3, parts.fee] } as const;
    await send(payments, account, usdg, encodeFunctionData(approval));
    await spend(account, other.permit.nonce);
    const args = [wallet, treasury, parts.fee] as const;
    await aggregate([
      { target: usdg, callData: encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args }) },
      { target: publisher.address, callData: numberToHex(other.permit.nonce, { size: 32 }) },
    ]);
    expect(await pay(payments.ports, other)).toMatchObject(makeRefusal("permit2_invalid_nonce"));
    await expectCharged(wallet, parts.fee);
  });

  test.each(["one block", "two blocks"] as const)(
    "if a payer invalidates a nonce and another permit is settled by a hidden transfer in %s, the transfer pays only for the other permit",
    async (where) => {
      const { wallet, one, other } = await signTwoFees();
      await placeHider(payments.devnet.rpcUrl);
      const calls = [
        { from: wallet, to: permit2, data: encodeInvalidation(other.permit.nonce) },
        { from: somebody.address, to: hider, data: encodeHidingCall(one.call) },
      ].map((call) => ({ method: "eth_sendTransaction", params: [call] }));
      // The devnet mines the transactions of one request in the same block.
      for (const together of where === "one block" ? [calls] : calls.map((call) => [call])) {
        await payments.ports.chain.batch(together);
        await payments.client.mine({ blocks: 1 });
      }
      expect(await pay(payments.ports, other)).toMatchObject(makeRefusal("permit2_invalid_nonce"));
      expect(await pay(payments.ports, one)).toMatchObject({ kind: "paid" });
      await expectCharged(wallet, parts.fee);
    },
  );

  test("while the node lacks old state, a hidden transfer does not pay for a permit whose nonce the payer has invalidated", async () => {
    const { account, wallet, one, other } = await signTwoFees();
    await placeHider(payments.devnet.rpcUrl);
    await send(payments, somebody, hider, encodeHidingCall(one.call));
    await spend(account, other.permit.nonce);
    const stateless = alterNode(skipWaits(payments.ports), /^eth_call$/, async (calls, ask) =>
      (await ask()).map((outcome, index) =>
        calls[index]?.method === "eth_call" && calls[index].params[1] !== "latest"
          ? { status: "failed", code: -32_000, message: "missing trie node" }
          : outcome,
      ),
    );
    await expect(pay(stateless, other)).rejects.toMatchObject({ code: "settlement_pending" });
    expect(await pay(payments.ports, other)).toMatchObject(makeRefusal("permit2_invalid_nonce"));
    expect(await pay(payments.ports, one)).toMatchObject({ kind: "paid" });
    await expectCharged(wallet, parts.fee);
  });

  test("a transfer of the right amount without the permit's nonce does not pay for anything", async () => {
    const { account, wallet, one, other } = await signTwoFees();
    await settleAs(somebody, one.call);
    await spend(account, other.permit.nonce);
    expect(await pay(payments.ports, other)).toMatchObject(makeRefusal("permit2_invalid_nonce"));
    await expectCharged(wallet, parts.fee);
  });
});

/** Runs `work` right before the next table transaction is written. The returned function returns the result of `work`. */
function runBeforeWrite<Result>(work: () => Promise<Result>): () => Promise<Result | undefined> {
  const { middlewareStack } = payments.store.database.client;
  const name = "before writing";
  let done: Promise<Result> | undefined;
  middlewareStack.add(
    (proceed) => async (asked) => {
      if ("TransactItems" in asked.input && done === undefined) {
        done = work();
        await done;
      }
      return proceed(asked);
    },
    { step: "initialize", name },
  );
  return async () => {
    middlewareStack.remove(name);
    return done;
  };
}
