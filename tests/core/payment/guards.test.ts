import { hexToBigInt, numberToHex, parseTransaction } from "viem/utils";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { makeChainError } from "../../../core/chain/call.ts";
import { type Hex, HexInput, lower } from "../../../core/chain/hex.ts";
import { type PaymentPorts, type PayOutcome, pay, reconcile } from "../../../core/payment/index.ts";
import type { RpcCall, RpcOutcome } from "../../../core/port/chain.ts";
import { removeExtraFields } from "../../support/http-payer.ts";
import {
  actAfter,
  actBefore,
  actBeforeRequests,
  advanceClock,
  alterNode,
  lengthenWaits,
  limitToOneKey,
  loseStoreAnswers,
  pickFirstOption,
  raiseGasPrice,
  recordSends,
  skipWaits,
  withholdCalls,
} from "../../support/interference.ts";
import { listBusyRelayers, readRelayers, readSettlingTransaction } from "../../support/ledger.ts";
import {
  authorize,
  encodeInvalidation,
  encodePermitHeader,
  exactProxy,
  fetchTerms,
  getTestAccount,
  listPress,
  type makePermit,
  payLeg,
  permit2,
  readBalance,
  send,
  signLeg,
  startPayments,
  usdg,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { setFrozen } from "../../support/wallets.ts";
import { makeReaders, makeRefusal } from "./readers.ts";

/**
 * Tests each guard: a guard is a check that repeats an earlier check. A guard matters only after a race, an answer of a lagging node or the
 * loss of a record. Each guard has a test in which that guard alone decides (docs/payments.md, invariants 1, 2, 4, 5 and 8).
 */
const publisher = getTestAccount(4);
const somebody = getTestAccount(7);
const minute = 60_000;
const sends = /^eth_sendRawTransaction/;
const broadcasts = /^eth_sendRawTransactionSync$/;

const payments = startPart(startPayments);
const readers = makeReaders(payments);
const { makePayingReader, listCharges, readRecord, payAndDie, leaseKeys, waitForQueue } = readers;
const { spendAll, makeEmptyingPorts, refill } = readers;
afterEach(async () => expect(await listBusyRelayers(payments.ports)).toEqual([]));

type PayingReader = Awaited<ReturnType<typeof makePayingReader>>;

/** Signs a permit for the leg. Returns the request that pays with the permit, and the call with which any account can settle the permit. */
async function signByPermit(
  { account, leg, pressId }: PayingReader,
  identifier?: string,
  changes?: Parameters<typeof makePermit>[2],
) {
  const { entry, permit, signature, call } = await signLeg(payments, account, leg, pressId, changes);
  return {
    permit,
    request: { leg, pressId, header: encodePermitHeader(entry, permit, signature, identifier) },
    /** The request that pays with the same permit, but without the ticket of the terms. */
    bare: { leg, pressId, header: encodePermitHeader(removeExtraFields(entry), permit, signature) },
    call,
  };
}

/**
 * Signs an EIP-3009 authorization for the leg. Returns the request that pays with the authorization, and the call with which any account
 * can settle the authorization.
 */
async function authorizeLeg({ account, leg, pressId }: PayingReader, validBefore?: bigint) {
  const [, entry] = (await fetchTerms(payments, leg, pressId)).terms.accepts;
  if (entry === undefined) throw new Error("There is no second way to pay");
  const { header, call, nonce } = await authorize(
    account,
    entry,
    validBefore === undefined ? {} : { validBefore },
  );
  return { nonce, request: { leg, pressId, header }, call };
}

/** Ports that resolve `signing` when a relayer is about to sign, and that sign only after `go`. */
function holdSigning(ports: PaymentPorts) {
  const [signing, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sign: typeof ports.relayers.sign = async (...order) => {
    signing.resolve();
    await go.promise;
    return ports.relayers.sign(...order);
  };
  return {
    held: { ...ports, relayers: { ...ports.relayers, sign } },
    signing: signing.promise,
    go: go.resolve,
  };
}

const readOutcome = (work: Promise<PayOutcome>) => work.catch((error: unknown) => error);

/** Ports that change the node's answers to calls of one method. */
function changeAnswers(
  ports: PaymentPorts,
  method: string,
  changeOutcome: (call: RpcCall, outcome: RpcOutcome) => RpcOutcome,
): PaymentPorts {
  return alterNode(ports, new RegExp(`^${method}$`), async (calls, ask) =>
    (await ask()).map((outcome, index) => {
      const call = calls[index];
      return call?.method === method ? changeOutcome(call, outcome) : outcome;
    }),
  );
}

/** Ports with a node that shows no logs. */
const hideLogs = (ports: PaymentPorts) =>
  changeAnswers(ports, "eth_getLogs", () => ({ status: "ok", result: [] }));

const headCall: RpcCall = { method: "eth_blockNumber", params: [] };
const subtractBlocks = (number: unknown, blocks = 1n) =>
  numberToHex(hexToBigInt(HexInput.parse(number)) - blocks);
const Head = z.looseObject({ number: HexInput });

/** Wallet code that accepts every signature, but burns all gas in a transaction that `enemy` sends. */
function makeHostileCode(enemy: Hex): Hex {
  const magic = `1626ba7e${"0".repeat(56)}`;
  // if (tx.origin == enemy) invalid(); return magic;
  return `0x3273${enemy.slice(2)}14604857${`7f${magic}60005260206000f3`}5bfe`;
}

test("a fee that has finally failed does not count as paid, so the payment to the publisher is refused and nothing is charged", async () => {
  const payer = await makePayingReader("fee");
  const { permit, request } = await signByPermit(payer);
  const takenBack = actBefore(payments.ports, broadcasts, () =>
    send(payments, payer.account, permit2, encodeInvalidation(permit.nonce)),
  );
  expect(await pay(takenBack, request)).toMatchObject({ terms: { code: "permit2_invalid_nonce" } });
  // The permit can no longer be charged, so it is not watched.
  expect(await readRecord(payer)).toMatchObject({ state: "failed" });
  expect((await readRecord(payer))?.pending).toBeUndefined();

  const text = await signByPermit({ ...payer, leg: "publisher" });
  await expect(pay(payments.ports, text.request)).rejects.toMatchObject({ code: "fee_first" });
  expect(await listCharges(payer)).toEqual([]);
});

describe("an EIP-3009 authorization whose nonce is spent counts as possibly paid", () => {
  test("a payment with a fresh signature must wait as long as an authorization with a spent nonce may have paid, even if no log shows that payment", async () => {
    const payer = await makePayingReader("fee");
    const [first, fresh] = [await authorizeLeg(payer), await signByPermit(payer)];
    await payAndDie(first.request, "signing");
    await send(payments, somebody, usdg, first.call);
    const ahead = advanceClock(payments.ports, minute);
    await readOutcome(pay(hideLogs(ahead), fresh.request));
    expect(await listCharges(payer)).toEqual([25_000n]);
    expect(await pay(ahead, fresh.request)).toMatchObject({ kind: "paid" });
    expect(await readRecord(payer)).toMatchObject({
      state: "settled",
      signed: { nonce: String(first.nonce) },
    });
    expect(await listCharges(payer)).toEqual([25_000n]);
  });

  test("a payer is asked to wait, and is not refused, if the nonce is spent but the log of the payment is not visible yet", async () => {
    const payer = await makePayingReader("fee");
    const { request, call } = await authorizeLeg(payer);
    await send(payments, somebody, usdg, call);
    await expect(pay(hideLogs(skipWaits(payments.ports)), request)).rejects.toMatchObject({
      code: "settlement_pending",
    });
    expect(await pay(payments.ports, request)).toMatchObject({ kind: "paid" });
    expect(await listCharges(payer)).toEqual([25_000n]);
  });
});

test("a contract wallet's payment that waits for a relayer key is checked again if another payment of the wallet fails meanwhile", async () => {
  const payer = await makePayingReader("fee");
  await payments.client.setCode({ address: payer.wallet, bytecode: makeHostileCode(usdg) });
  const [waiting, other] = [await signByPermit(payer), await signByPermit(payer)];
  const giveBack = await leaseKeys();
  const failing = actBefore(payments.ports, broadcasts, () => setFrozen(payments, payer.wallet, true));
  let ahead = 0;
  const clock = {
    now: () => Date.now() + ahead,
    // One payment of the wallet waits for a relayer key. Meanwhile the wallet's other payment gets a key, is broadcast and fails, and the
    // wallet's cooldown passes.
    async sleep() {
      if (ahead > 0) return;
      ahead = minute;
      await giveBack();
      expect(await pay(failing, other.request)).toMatchObject({ kind: "terms", receipt: { success: false } });
      await setFrozen(payments, payer.wallet, false);
    },
  };
  await readOutcome(pay({ ...payments.ports, clock }, waiting.request));
  // The other payment's permit is public on the chain, so a stranger tries to settle the permit.
  await readOutcome(pay(advanceClock(payments.ports, 2 * minute), waiting.request));
  await send(payments, somebody, exactProxy, other.call).catch(() => undefined);
  expect(ahead).toBe(minute);
  expect(await listCharges(payer)).toEqual([25_000n]);
  expect(await readRecord(payer)).toMatchObject({
    state: "settled",
    signed: { nonce: String(other.permit.nonce) },
  });
});

test("a contract wallet that waits for a relayer key is refused if another wallet with the same code burns gas meanwhile", async () => {
  const [payer, burner] = [await makePayingReader(), await makePayingReader()];
  for (const { wallet: address } of [payer, burner])
    await payments.client.setCode({ address, bytecode: makeHostileCode(exactProxy) });
  const [waiting, failing] = [await signByPermit(payer), await signByPermit(burner)];
  const giveBack = await leaseKeys();
  const frozen = actBefore(payments.ports, broadcasts, () => setFrozen(payments, burner.wallet, true));
  let failed: unknown;
  // The clock stands still, so that the cooldown of the code cannot end.
  const at = Date.now();
  async function sleep() {
    if (failed !== undefined) return;
    await giveBack();
    failed = await pay(frozen, failing.request);
  }
  await expect(
    pay({ ...payments.ports, clock: { now: () => at, sleep } }, waiting.request),
  ).rejects.toMatchObject({ code: "wallet_gas_limit" });
  expect(failed).toMatchObject({ receipt: { success: false } });
  expect(await listCharges(payer)).toEqual([]);
});

test("if two requests present the same authorization, and one request settles it while the other request asks the chain, both requests get the answer that the fee is paid", async () => {
  const payer = await makePayingReader("fee");
  const { request } = await authorizeLeg(payer);
  const slow = actBefore(payments.ports, /^eth_estimateGas$/, async () =>
    expect(await pay(payments.ports, request)).toMatchObject({ kind: "paid" }),
  );
  expect(await pay(slow, request)).toMatchObject({ kind: "paid" });
  expect(await listCharges(payer)).toEqual([25_000n]);
});

test("a ticket still identifies its payment if somebody else has submitted the payment without the ticket", async () => {
  const payer = await makePayingReader("publisher");
  const { request, bare } = await signByPermit(payer);
  await payAndDie(request, "signing");
  // The time for which the first request reserved the payment has expired. Another process gets the same permit without the ticket, and
  // dies after its broadcast and before its answer.
  await payAndDie(bare, "after", advanceClock(payments.ports, 40_000));
  expect(await pay(advanceClock(payments.ports, minute), request)).toMatchObject({
    kind: "paid",
    unlocked: { body: `The text of ${payer.pressId}.` },
  });
  expect(await listCharges(payer)).toEqual([25_000n, 225_000n]);
});

test("a relayer key whose lease has expired is not leased again if its transaction was stored after the end of the lease", async () => {
  const [slow, quick] = [await makePayingReader("fee"), await makePayingReader("fee")];
  const [first, second] = [await signByPermit(slow), await signByPermit(quick)];
  const sent: Hex[] = [];
  const ports = recordSends(limitToOneKey(payments.ports), sent);
  const [stored, broadcast] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sleepy = actBefore(ports, broadcasts, () => {
    stored.resolve();
    return broadcast.promise;
  });
  const { held, signing, go } = holdSigning(sleepy);
  const running = readOutcome(pay(held, first.request));
  await signing;
  // The next payment arrives half a minute later and finds the relayer key free, because the lease has expired without a stored
  // transaction. Before the next payment leases the key, the first payment stores its transaction.
  const other = actAfter(advanceClock(ports, 31_000), /^eth_estimateGas$/, () => {
    go();
    return stored.promise;
  });
  const [overtaking] = await Promise.all([
    readOutcome(pay(other, second.request)),
    stored.promise.then(() => payments.ports.clock.sleep(500)).then(() => broadcast.resolve()),
  ]);
  expect([await running, overtaking]).toMatchObject([{ kind: "paid" }, { kind: "paid" }]);
  const different = new Set(sent);
  const nonces = [...different].map((raw) => parseTransaction(raw).nonce);
  // The relayer key never signed two different transactions with the same nonce.
  expect(new Set(nonces).size).toBe(different.size);
});

test("if a wallet burns gas only for one relayer, its payment is simulated again with that relayer, and nothing is sent", async () => {
  const payer = await makePayingReader("fee");
  const [asked = "0x", sender = "0x", ...rest] = await payments.ports.relayers.addresses();
  await payments.client.setCode({ address: payer.wallet, bytecode: makeHostileCode(sender) });
  const { request } = await signByPermit(payer);
  const sent: Hex[] = [];
  const giveBack: (() => Promise<void>)[] = [await leaseKeys(rest)];
  // Another process leases the relayer for which the payment was simulated, so only the other relayer is left.
  const ports = recordSends(pickFirstOption(payments.ports), sent);
  const taken = actAfter(ports, /^eth_getStorageAt$/, async () => {
    giveBack.push(await leaseKeys([asked]));
  });
  await expect(pay(taken, request)).rejects.toMatchObject({ code: "payments_unavailable" });
  expect(sent).toEqual([]);
  for (const back of giveBack) await back();
  expect(await readRecord(payer)).toMatchObject({ state: "failed", failure: "released" });
  // With any of the other relayers, the payment succeeds.
  expect(await pay(pickFirstOption(payments.ports), request)).toMatchObject({ kind: "paid" });
});

test("a contract wallet's payment skips a relayer key without gas, and is sent with a key that has gas", async () => {
  const payer = await makePayingReader("fee");
  const [asked = "0x", empty = "0x"] = await payments.ports.relayers.addresses();
  await payments.client.setCode({ address: payer.wallet, bytecode: makeHostileCode(somebody.address) });
  const { request } = await signByPermit(payer);
  const value = await payments.client.getBalance({ address: empty });
  await payments.client.setBalance({ address: empty, value: 1n });
  // Another process leases the relayer for which the payment was simulated, so the relayer without gas is the first free relayer.
  let giveBack = async () => {};
  const taken = actAfter(pickFirstOption(payments.ports), /^eth_getStorageAt$/, async () => {
    giveBack = await leaseKeys([asked]);
  });
  const outcome = await readOutcome(pay(taken, request));
  await giveBack();
  await payments.client.setBalance({ address: empty, value });
  expect(outcome).toMatchObject({ kind: "paid" });
});

test("if a contract wallet's transaction is stored but the table's answer is lost, the answer does not say that nothing was charged", async () => {
  const payer = await makePayingReader("fee");
  await payments.client.setCode({ address: payer.wallet, bytecode: makeHostileCode(publisher.address) });
  const { request } = await signByPermit(payer);
  const outcome = await readOutcome(pay(loseStoreAnswers(skipWaits(payments.ports)), request));
  expect(outcome).toMatchObject({ code: "settlement_pending" });
  const later = advanceClock(payments.ports, minute);
  await expect.poll(() => reconcile(later)).toMatchObject({ pending: 0, unknown: 0 });
  expect(await listCharges(payer)).toEqual([25_000n]);
});

test("a relayer key counts the nonce of its reverted transaction as used, even if a stranger's transfer has paid", async () => {
  const { request, call } = await signByPermit(await makePayingReader("fee"));
  const ports = limitToOneKey(payments.ports);
  const overtaken = actBefore(ports, broadcasts, () => send(payments, somebody, exactProxy, call));
  expect(await pay(overtaken, request)).toMatchObject({ kind: "paid" });
  const [address = "0x"] = await ports.relayers.addresses();
  const [key] = await readRelayers(ports);
  expect(key?.nextNonce).toBe(await payments.client.getTransactionCount({ address }));
});

test("a relayer key that was removed from the pool signs no replacement of its stuck transaction", async () => {
  const payer = await makePayingReader("fee");
  const { request } = await signByPermit(payer);
  await payAndDie(request, "before");
  const stuck = await readSettlingTransaction(payments.ports, payer.wallet, payer.pressId, "fee");
  if (stuck === null) throw new Error("Nothing was stored");
  const listAddresses = async () =>
    (await payments.ports.relayers.addresses()).filter((address) => address !== stuck.relayer);
  const retired = { ...payments.ports, relayers: { ...payments.ports.relayers, addresses: listAddresses } };
  // At this high gas price, a relayer key that is in the pool of keys would replace its own stuck transaction.
  const dear = raiseGasPrice(advanceClock(retired, minute), 10n);
  const sent: Hex[] = [];
  await reconcile(recordSends(withholdCalls(dear, sends), sent));
  expect(sent).toEqual([stuck.rawTx]);
  const after = await readSettlingTransaction(payments.ports, payer.wallet, payer.pressId, "fee");
  expect(after?.hashes).toEqual(stuck.hashes);
  // The stuck transaction, which the removed relayer key signed earlier, is mined later.
  await expect.poll(() => reconcile(advanceClock(retired, minute))).toMatchObject({ pending: 0, unknown: 0 });
  expect(await readRecord(payer)).toMatchObject({ state: "settled", txHash: stuck.hashes[0] });
});

test("if two simultaneous payments for two presses use one identifier, only one is charged and the other is answered as a conflict", async () => {
  const payer = await makePayingReader("fee");
  const other = { ...payer, pressId: await listPress(payments, publisher) };
  const name = "attempt-of-two-presses";
  const requests = [(await signByPermit(payer, name)).request, (await signByPermit(other, name)).request];
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  // Both requests have read that the identifier is free before either request uses it.
  const together = actAfter(payments.ports, /^eth_estimateGas$/, () => {
    waiting += 1;
    if (waiting === requests.length) both.resolve();
    return both.promise;
  });
  const outcomes = await Promise.all(requests.map((request) => readOutcome(pay(together, request))));
  expect(outcomes.filter((outcome) => outcome instanceof Error)).toMatchObject([
    { code: "payment_identifier_conflict" },
  ]);
  expect(outcomes).toContainEqual(expect.objectContaining({ kind: "paid" }));
  expect(await listCharges(payer)).toEqual([25_000n]);
});

test("a second check at an older block does not count when a newer block has shown that the wallet lacks the money", async () => {
  const payer = await makePayingReader("fee");
  const { request } = await signByPermit(payer);
  const { chain } = payments.ports;
  const held = await readBalance(payments, payer.wallet);
  await spendAll(payer);
  const sent: Hex[] = [];
  let first: unknown;
  /** Gives the answers of a lagging node that still shows the wallet's money. */
  const makeOldOutcome = ({ method, params }: RpcCall, outcome: RpcOutcome): RpcOutcome => {
    // This block is older than the block of the first check, even if a busy machine has made many blocks since then.
    if (method === "eth_blockNumber") return { status: "ok", result: subtractBlocks(first) };
    if (method === "eth_estimateGas") return { status: "ok", result: "0x186a0" };
    const isBalance = method === "eth_call" && JSON.stringify(params[0]).includes("0x70a08231");
    return isBalance ? { status: "ok", result: numberToHex(held, { size: 32 }) } : outcome;
  };
  const batch: PaymentPorts["chain"]["batch"] = async (calls, limits) => {
    sent.push(
      ...calls.flatMap(({ method, params }) => (sends.test(method) ? [HexInput.parse(params[0])] : [])),
    );
    const outcomes = await chain.batch(calls, limits);
    if (limits?.elsewhere !== true) {
      const head = outcomes[calls.findIndex(({ method }) => method === headCall.method)];
      if (head?.status === "ok") first = head.result;
      return outcomes;
    }
    return outcomes.map((outcome, index) => makeOldOutcome(calls[index] ?? headCall, outcome));
  };
  expect(await pay({ ...payments.ports, chain: { batch } }, request)).toMatchObject({
    ...makeRefusal("permit2_insufficient_balance"),
    receipt: undefined,
  });
  expect(sent).toEqual([]);
});

test("a nonce counts as spent if the simulation shows that it is spent, even if another call shows that it is unspent", async () => {
  const payer = await makePayingReader("fee");
  const { request, call } = await signByPermit(payer);
  await send(payments, somebody, exactProxy, call);
  // The calls of one batch may reach different nodes. In this test, the call for the nonce reaches a lagging node.
  const late = changeAnswers(payments.ports, "eth_call", ({ params }, outcome) =>
    JSON.stringify(params[0]).includes("0x4fe02b44") && params[1] === "latest"
      ? { status: "ok", result: numberToHex(0n, { size: 32 }) }
      : outcome,
  );
  expect(await pay(late, request)).toMatchObject({ kind: "paid" });
  expect(await listCharges(payer)).toEqual([25_000n]);
});

test("an identifier still belongs to its payment after somebody else submitted the payment without the identifier", async () => {
  const payer = await makePayingReader("publisher");
  const { request, bare } = await signByPermit(payer, "attempt-that-was-cut-off");
  await payAndDie(request, "signing");
  await payAndDie(bare, "after", advanceClock(payments.ports, 40_000));
  const afterwards = advanceClock(payments.ports, minute);
  for (const _ of ["first", "again"]) {
    expect(await pay(afterwards, request)).toMatchObject({
      unlocked: { body: `The text of ${payer.pressId}.` },
    });
  }
});

test("a second request does not end a payment while the first request's reservation is valid, and the first request pays", async () => {
  const payer = await makePayingReader("fee");
  const { request } = await signByPermit(payer);
  const { held, signing, go } = holdSigning(payments.ports);
  const slow = readOutcome(pay(held, request));
  await signing;
  await expect(pay(skipWaits(payments.ports), request)).rejects.toMatchObject({
    code: "payments_unavailable",
  });
  go();
  expect(await slow).toMatchObject({ kind: "paid" });
  expect(await listCharges(payer)).toEqual([25_000n]);
});

test("if another process has used a relayer key since the key was read, the key is not leased with its old nonce", async () => {
  const [slow, quick] = [await makePayingReader("fee"), await makePayingReader("fee")];
  const [first, second] = [await signByPermit(slow), await signByPermit(quick)];
  const ports = limitToOneKey(payments.ports);
  const sent: Hex[] = [];
  const overtaken = actAfter(recordSends(ports, sent), /^eth_estimateGas$/, async () => {
    // The other request has a pool object of its own, as in another process.
    expect(await pay(limitToOneKey(payments.ports), second.request)).toMatchObject({ kind: "paid" });
  });
  expect(await pay(overtaken, first.request)).toMatchObject({ kind: "paid" });
  expect(sent).toHaveLength(1);
});

test("if a slow request has lost its relayer key to another request, the slow request stores and sends nothing", async () => {
  const [slow, quick] = [await makePayingReader("fee"), await makePayingReader("fee")];
  const [first, second] = [await signByPermit(slow), await signByPermit(quick)];
  const sent: Hex[] = [];
  const ports = recordSends(limitToOneKey(payments.ports), sent);
  const { held, signing, go } = holdSigning(ports);
  const running = readOutcome(pay(held, first.request));
  await signing;
  // The lease has expired. The next request has leased the relayer key and is about to send its own transaction.
  const [arrived, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = actBefore(advanceClock(ports, 31_000), broadcasts, () => {
    arrived.resolve();
    return leave.promise;
  });
  const other = readOutcome(pay(holding, second.request));
  await arrived.promise;
  go();
  expect(await running).toMatchObject({ code: "payments_unavailable" });
  // The slow request did not release the relayer key, because the key was leased to the next request.
  expect(await listBusyRelayers(payments.ports)).toHaveLength(1);
  leave.resolve();
  expect(await other).toMatchObject({ kind: "paid" });
  expect(new Set(sent).size).toBe(1);
  expect(await listCharges(slow)).toEqual([]);
});

describe("the reconciler finishes the payments that requests have left unfinished", () => {
  /** A fee that was broadcast and failed because its payer had moved the money away. After the failure, the payer has the money again. */
  async function makeFailedFee() {
    const payer = await makePayingReader("fee");
    const signed = await signByPermit(payer);
    expect(await pay(makeEmptyingPorts(payer), signed.request)).toMatchObject({
      terms: { code: "permit2_insufficient_balance" },
    });
    await refill(payer.wallet);
    return { payer, ...signed };
  }

  test("the reconciler watches a failed payment that others can settle, and goes on watching until the node shows the log of such a settlement", async () => {
    const { payer, call } = await makeFailedFee();
    await reconcile(advanceClock(payments.ports, minute));
    expect(await readRecord(payer)).toMatchObject({ state: "failed", pending: "watched" });
    await send(payments, somebody, exactProxy, call);
    // The permit's nonce is spent, and the node does not show the transaction yet.
    await reconcile(hideLogs(advanceClock(payments.ports, 2 * minute)));
    expect(await readRecord(payer)).toMatchObject({ state: "failed", pending: "watched" });
    await reconcile(advanceClock(payments.ports, 3 * minute));
    expect(await readRecord(payer)).toMatchObject({ state: "settled" });
  });

  test("the reconciler does not end a payment twice when an index still shows the payment as pending", async () => {
    const payer = await makePayingReader("fee");
    const { request } = await signByPermit(payer);
    await payAndDie(request, "after");
    let seen: { readonly [part: string]: unknown } | undefined;
    const { middlewareStack } = payments.store.database.client;
    const query = { step: "initialize", name: "late index" } as const;
    const isIndex = (input: object) =>
      JSON.stringify(input).includes("gsi1") && JSON.stringify(input).includes("$market#pending_pending");
    middlewareStack.add(
      (proceed) => async (asked) => {
        if (!isIndex(asked.input)) return proceed(asked);
        const { response, output } = await proceed(asked);
        if (seen !== undefined) return { response, output: Object.assign(output, seen) };
        seen = { ...output };
        return { response, output };
      },
      query,
    );
    try {
      const cut = withholdCalls(advanceClock(payments.ports, minute), /./);
      expect(await reconcile(cut)).toMatchObject({ unknown: 1 });
      expect(seen).toBeDefined();
      expect(await pay(payments.ports, request)).toMatchObject({ kind: "paid" });
      const done = await reconcile(advanceClock(payments.ports, minute));
      expect(done).toMatchObject({ settled: 0, failed: 0, pending: 0, unknown: 0 });
    } finally {
      middlewareStack.remove("late index");
    }
  });

  test.each(["after", "before"] as const)(
    "if a process died %s the broadcast and did not free its relayer key, the reconciler frees the key as soon as all payments of the key have ended",
    async (when) => {
      const payer = await makePayingReader("fee");
      const { request, call } = await signByPermit(payer);
      await payAndDie(request, when);
      const { relayer, transaction } = payments.ports.table.entities;
      const [key] = await listBusyRelayers(payments.ports);
      const stored = await readSettlingTransaction(payments.ports, payer.wallet, payer.pressId, "fee");
      if (key === undefined || stored === null) throw new Error("Nothing is in flight");
      if (when === "before") await send(payments, somebody, exactProxy, call);
      expect(await pay(payments.ports, request)).toMatchObject({ kind: "paid" });
      // The process died after it wrote the payment's record, but before it wrote two other items. The test now restores the old state of
      // these two items.
      await relayer.put(key).go();
      await transaction.put(stored).go();
      await reconcile(advanceClock(payments.ports, minute));
      expect(await listBusyRelayers(payments.ports)).toEqual([]);
    },
  );
});

test("a permit whose broadcast failed does not give access to a text for which another permit has paid", async () => {
  const payer = await makePayingReader("publisher");
  const [one, shown] = [await signByPermit(payer), await signByPermit(payer)];
  await payAndDie(one.request, "signing");
  const poor = makeEmptyingPorts(payer, advanceClock(payments.ports, 40_000));
  expect(await pay(poor, shown.request)).toMatchObject({ receipt: { success: false } });
  await refill(payer.wallet);
  await send(payments, somebody, exactProxy, one.call);
  // The permit is public on the chain and could still pay.
  await expect(pay(advanceClock(payments.ports, minute), shown.bare)).rejects.toMatchObject({
    code: "already_unlocked",
  });
  const fresh = await signByPermit(payer);
  expect(await pay(advanceClock(payments.ports, minute), fresh.request)).toMatchObject({
    unlocked: { body: `The text of ${payer.pressId}.` },
  });
});

test("a permit that was signed for another press or another payee does not give access to a text for which another permit has paid", async () => {
  const payer = await makePayingReader("publisher");
  const twin = { ...payer, pressId: await listPress(payments, publisher) };
  await payLeg(payments, payer.account, "fee", twin.pressId);
  const [own, foreign] = [await signByPermit(payer), await signByPermit(twin)];
  await payAndDie(foreign.request, "signing");
  await payAndDie(own.request, "after");
  const ahead = advanceClock(payments.ports, minute);
  expect(await reconcile(ahead)).toMatchObject({ settled: 1, released: 1 });
  const elsewhere = await signByPermit(payer, undefined, { to: lower(somebody.address) });
  for (const { bare } of [foreign, elsewhere])
    await expect(pay(ahead, { ...bare, pressId: payer.pressId })).rejects.toMatchObject({
      code: "already_unlocked",
    });
  expect(await pay(ahead, own.request)).toMatchObject({
    unlocked: { body: `The text of ${payer.pressId}.` },
  });
});

test("a permit that a stranger has settled does not give the stranger the text, even if the node has not seen the settlement yet", async () => {
  const payer = await makePayingReader("publisher");
  const { request, bare, call } = await signByPermit(payer);
  await payAndDie(request, "signing");
  const block = await readHead();
  await send(payments, somebody, exactProxy, call);
  expect(await reconcile(advanceClock(payments.ports, minute))).toMatchObject({ settled: 1 });
  await expect(pay(makeLatePorts(payments.ports, block), bare)).rejects.toMatchObject({
    code: "already_unlocked",
  });
  expect(await pay(payments.ports, request)).toMatchObject({ kind: "paid", unlocked: {} });
});

test("a wallet is not asked for another signature for a leg if eight failed signatures for this leg can still be charged", async () => {
  const payer = await makePayingReader("fee");
  const { relayers } = payments.ports;
  const sign = () => Promise.reject(new Error("No key today"));
  const keyless = { ...payments.ports, relayers: { ...relayers, sign } };
  for (let tried = 0; tried < 9; tried += 1) {
    const { request } = await signByPermit(payer);
    await expect(pay(keyless, request)).rejects.toMatchObject({ code: "payments_unavailable" });
  }
  expect((await readRecord(payer))?.earlier).toHaveLength(8);
  const { request } = await signByPermit(payer);
  await expect(pay(payments.ports, request)).rejects.toMatchObject({ code: "payments_unavailable" });
  expect(await listCharges(payer)).toEqual([]);
});

test("a payer is asked to wait, not to pay, until the chain shows who spent the nonce of a reverted payment", async () => {
  const payer = await makePayingReader("fee");
  const { request, call } = await signByPermit(payer);
  const overtaken = actBefore(payments.ports, broadcasts, () => send(payments, somebody, exactProxy, call));
  await expect(pay(hideLogs(overtaken), request)).rejects.toMatchObject({ code: "settlement_pending" });
  expect(await pay(payments.ports, request)).toMatchObject({ kind: "paid" });
  expect(await listCharges(payer)).toEqual([25_000n]);
});

test("a payer is asked to wait until the node has reached the block of the revert, and then gets the right reason", async () => {
  const payer = await makePayingReader("fee");
  const { request } = await signByPermit(payer);
  let sent = false;
  const poor = actBefore(payments.ports, broadcasts, async () => {
    await spendAll(payer);
    sent = true;
  });
  const behind = changeAnswers(poor, "eth_getBlockByNumber", (call, outcome) => {
    if (!sent || call.params[0] !== "latest" || outcome.status !== "ok") return outcome;
    const block = Head.parse(outcome.result);
    return { status: "ok", result: { ...block, number: subtractBlocks(block.number, 50n) } };
  });
  await expect(pay(behind, request)).rejects.toMatchObject({ code: "settlement_pending" });
  expect(await reconcile(advanceClock(payments.ports, minute))).toMatchObject({ failed: 1 });
  expect(await readRecord(payer)).toMatchObject({ failure: "permit2_insufficient_balance" });
});

/** Ports with a node that shows the chain as it was at the given block. */
function makeLatePorts(ports: PaymentPorts, block: Hex): PaymentPorts {
  const batch: PaymentPorts["chain"]["batch"] = (calls) =>
    ports.chain.batch(
      calls.map(({ method, params }) => {
        const then = params.map((one) => (one === "latest" ? block : one));
        return { method, params: method === "eth_estimateGas" ? [...then.slice(0, 1), block] : then };
      }),
    );
  return { ...ports, chain: { batch } };
}

const readHead = async () => numberToHex(await payments.client.getBlockNumber());

describe("a payment that reverted, and that somebody else settled later, counts as paid", () => {
  /**
   * Makes a payer, and ports on which the answer to the broadcast is lost. The payer's wallet cannot pay at the moment of the broadcast,
   * and a stranger settles the permit some blocks later.
   */
  async function makeOvertakenPayer() {
    const payer = await makePayingReader("fee");
    const { request, call } = await signByPermit(payer);
    const blocks: Record<"empty" | "refilled", Hex> = { empty: "0x0", refilled: "0x0" };
    const overtaken = alterNode(payments.ports, broadcasts, async (_, ask) => {
      await spendAll(payer);
      await ask();
      blocks.empty = await readHead();
      await refill(payer.wallet);
      blocks.refilled = await readHead();
      await send(payments, somebody, exactProxy, call);
      throw makeChainError("The answer is lost");
    });
    const makePortsAt = (when: keyof typeof blocks) => makeLatePorts(payments.ports, blocks[when]);
    return { payer, request, overtaken, makePortsAt };
  }

  test("a lagging node that names an old block as the newest block does not make the payment fail", async () => {
    const { payer, request, overtaken, makePortsAt } = await makeOvertakenPayer();
    let chosen = false;
    const ports = alterNode(overtaken, /^eth_getBlockByNumber$/, (calls, ask) => {
      if (chosen || calls.length > 1) return ask();
      chosen = true;
      return makePortsAt("empty").chain.batch(calls);
    });
    expect(await pay(ports, request)).toMatchObject({ kind: "paid" });
    expect(await listCharges(payer)).toEqual([10_000_000n, 25_000n]);
  });

  test("if a request finds the charge, it records the payment as paid, even if a lagging node has just made another request record a failure", async () => {
    const { payer, request, overtaken, makePortsAt } = await makeOvertakenPayer();
    let misled: unknown;
    const ports = actBefore(overtaken, /^eth_getLogs$/, async () => {
      await readOutcome(pay(makePortsAt("empty"), request));
      misled = await readRecord(payer);
    });
    expect(await pay(ports, request)).toMatchObject({ kind: "paid" });
    expect(misled).toMatchObject({ state: "failed" });
    expect(await readRecord(payer)).toMatchObject({ state: "settled" });
    expect(await listCharges(payer)).toEqual([10_000_000n, 25_000n]);
  });

  test("if a request finds the charge while a lagging node makes another request prepare a second broadcast, the payer is asked to wait, not to pay", async () => {
    const { payer, request, overtaken, makePortsAt } = await makeOvertakenPayer();
    const ports = actBefore(overtaken, /^eth_getLogs$/, () =>
      payAndDie(request, "signing", makePortsAt("refilled")),
    );
    await expect(pay(ports, request)).rejects.toMatchObject({ code: "settlement_pending" });
    expect(await reconcile(advanceClock(payments.ports, minute))).toMatchObject({ settled: 1 });
    expect(await listCharges(payer)).toEqual([10_000_000n, 25_000n]);
  });
});

type PaymentSigner = (
  payer: PayingReader,
  deadline: bigint,
) => Promise<{ readonly request: Parameters<typeof pay>[1] }>;
const signWithPermit: PaymentSigner = (payer, deadline) => signByPermit(payer, undefined, { deadline });

/**
 * Counts the transactions that settle the payments of three wallets while the wallets wait for one relayer key. The clock of the service is
 * ahead of the real time by the given number of milliseconds.
 */
async function countTransactions(aheadMs: number, sign = signWithPermit): Promise<number> {
  const { now, sleep } = payments.ports.clock;
  const clock = { now: () => now() + aheadMs, sleep };
  const ports = lengthenWaits({ ...limitToOneKey(payments.ports), clock });
  const deadline = BigInt(Math.floor(clock.now() / 1000) + 300);
  const payers = [
    await makePayingReader("fee"),
    await makePayingReader("fee"),
    await makePayingReader("fee"),
  ];
  const requests = await Promise.all(payers.map(async (payer) => (await sign(payer, deadline)).request));
  const giveBack = await leaseKeys(await ports.relayers.addresses());
  const paying = requests.map((request) => readOutcome(pay(ports, request)));
  await waitForQueue(3);
  await giveBack();
  expect(await Promise.all(paying)).toMatchObject(payers.map(() => ({ kind: "paid" })));
  const hashes = await Promise.all(payers.map(async (payer) => (await readRecord(payer))?.txHash));
  return new Set(hashes).size;
}

test("if shared transactions have wasted too much gas in an hour, EIP-3009 payments still share a transaction in this hour, but permits do not", async () => {
  const hour = 60 * minute;
  const subject = { subject: "service:shared", day: new Date().toISOString().slice(0, 13) };
  const { gas } = payments.ports.table.entities;
  const expiresAt = Math.floor(Date.now() / 1000) + 86_400;
  await gas.put({ ...subject, spent: 1_500_000, expiresAt }).go();
  const left = hour - (Date.now() % hour);
  expect(await countTransactions(0)).toBe(3);
  expect(await countTransactions(0, authorizeLeg)).toBeLessThan(3);
  // The record of the wasted gas still exists, but the next hour has begun.
  expect(await countTransactions(left)).toBeLessThan(3);
  expect((await gas.get(subject).go()).data?.spent).toBe(1_500_000);
  await gas.delete(subject).go();
});

test("if a contract wallet's payment fails while its next payment is about to be recorded, the wallet must wait and wastes no more gas", async () => {
  const payer = await makePayingReader("fee");
  await payments.client.setCode({ address: payer.wallet, bytecode: makeHostileCode(usdg) });
  const other = { ...payer, pressId: await listPress(payments, publisher) };
  const [one, failing] = [await signByPermit(payer), await signByPermit(other)];
  const sent: Hex[] = [];
  const frozen = actBefore(payments.ports, broadcasts, () => setFrozen(payments, payer.wallet, true));
  let isArmed = true;
  const stop = actBeforeRequests(payments.store, "TransactItems", async () => {
    if (!isArmed) return;
    // At this moment, the gas budgets have been checked, and the payment's record is about to be written.
    isArmed = false;
    expect(await pay(frozen, failing.request)).toMatchObject({ receipt: { success: false } });
    await setFrozen(payments, payer.wallet, false);
  });
  try {
    await expect(pay(recordSends(payments.ports, sent), one.request)).rejects.toMatchObject({
      code: "wallet_gas_limit",
    });
  } finally {
    stop();
  }
  expect(sent).toEqual([]);
});

// This test is the last in the file, because it moves the chain's clock.
test("a payment that settled before its deadline does not count as expired or unpaid, even if a lagging node does not show the settlement", async () => {
  /** Ports whose logs come from a node that has not seen the last blocks. */
  const hideLastBlocks = (ports: PaymentPorts) =>
    alterNode(ports, /^eth_getLogs$/, async (calls, ask) =>
      (await ask()).map((outcome, index): RpcOutcome => {
        const method = calls[index]?.method;
        if (method === "eth_getLogs") return { status: "ok", result: [] };
        if (method !== "eth_blockNumber" || outcome.status !== "ok") return outcome;
        // On a busy machine, new blocks are mined between two questions, and the node must lag behind all of them.
        return { status: "ok", result: subtractBlocks(outcome.result, 50n) };
      }),
    );
  /** Ports with a node that lags behind the chain and knows only the state of its own newest block. */
  const hideOldStates = (ports: PaymentPorts) =>
    alterNode(ports, /^eth_call$/, async (calls, ask) => {
      if (calls.length > 1) return ask();
      return calls.map(
        ({ params }): RpcOutcome =>
          params[1] === "latest"
            ? { status: "ok", result: numberToHex(0n, { size: 32 }) }
            : { status: "failed", code: -32_000, message: "header not found" },
      );
    });
  const claimed: PayingReader[] = [];
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 580);
  for (const { sign, token } of [
    { sign: (payer: PayingReader) => authorizeLeg(payer), token: usdg },
    { sign: (payer: PayingReader) => signByPermit(payer), token: exactProxy },
    { sign: (payer: PayingReader) => authorizeLeg(payer, deadline), token: usdg },
    { sign: (payer: PayingReader) => signByPermit(payer, undefined, { deadline }), token: exactProxy },
  ]) {
    const payer = await makePayingReader("fee");
    const { request, call } = await sign(payer);
    await payAndDie(request, "signing");
    await send(payments, somebody, token, call);
    claimed.push(payer);
  }
  // A node may lag for 60 seconds, so it may still lag 5 seconds after the deadline.
  await payments.client.increaseTime({ seconds: Number(deadline) + 5 - Math.floor(Date.now() / 1000) });
  await payments.client.mine({ blocks: 1 });
  const ahead = advanceClock(payments.ports, 500_000);
  for (const behind of [hideLastBlocks(ahead), hideOldStates(ahead)]) {
    await reconcile(behind);
    for (const payer of claimed) expect(await readRecord(payer)).toMatchObject({ state: "queued" });
  }
  const [, , ...recent] = claimed;
  const logless = changeAnswers(ahead, "eth_getLogs", ({ params }, outcome) =>
    recent.some(({ wallet }) => JSON.stringify(params).toLowerCase().includes(wallet.slice(2)))
      ? { status: "ok", result: [] }
      : outcome,
  );
  await reconcile(logless);
  for (const payer of recent) expect(await readRecord(payer)).toMatchObject({ pending: "watched" });
  await reconcile(advanceClock(ahead, minute));
  for (const payer of claimed) {
    expect(await readRecord(payer)).toMatchObject({ state: "settled" });
    expect(await listCharges(payer)).toEqual([25_000n]);
  }
});
