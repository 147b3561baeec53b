import { decodeFunctionResult, encodeFunctionData, numberToHex } from "viem/utils";
import { multicall3Abi } from "../chain/abi.ts";
import { Bytes, getResult, Quantity, requireAnswer } from "../chain/call.ts";
import { multicall3 } from "../chain/deployment.ts";
import type { Address, Hex } from "../chain/hex.ts";
import type { Call } from "../chain/order.ts";
import { AppError } from "../error.ts";
import { findFeeCap, findGasLimit, readGasLimits } from "../gas/index.ts";
import type { Signer } from "../port/chain.ts";
import type { TransactionItem } from "../record/relayer.ts";
import { commit } from "../transact.ts";
import type {
  CarryPorts,
  Claim,
  Crowd,
  IntentOutcome,
  OutboxPorts,
  Records,
  SendEnd,
  SharedIntent,
  UnsentReason,
  WaitingIntent,
} from "./intent.ts";
import {
  chooseNonce,
  type FreeKey,
  makeLease,
  makeRelayerCalls,
  parseRelayer,
  type Relayer,
  readItemsWithKeys,
} from "./key.ts";
import {
  broadcastTx,
  endTransaction,
  findFreeKey,
  makeTransaction,
  readTransaction,
  signTx,
  storeRecords,
} from "./outbox.ts";

type KeyPool = { readonly relayers: Signer };

/** A waiting intent of this process. If a signal comes while the intent does not sleep, the intent's next sleep ends at once. */
type Waiter = { isWoken: boolean; landing: IntentOutcome | undefined; wake(): void };

/** The queue of waiting intents in this process; each process has a separate queue. */
type Waiters = {
  /** All waiting intents; each key of the map is the claim of an intent. */
  readonly all: Map<string, Waiter>;
  /** The intents that are not part of any transaction, in order of arrival. The first intent looks for a key for all intents. */
  readonly queue: Set<string>;
};

/**
 * The queues of waiting intents in this process, one queue for each pool of keys. A pool gets a queue only when an intent first waits for
 * one of the pool's keys.
 */
export const crowds = new WeakMap<Signer, Waiters>();

function findIntentQueue({ relayers }: KeyPool): Waiters {
  const waiters = crowds.get(relayers) ?? { all: new Map(), queue: new Set() };
  crowds.set(relayers, waiters);
  return waiters;
}

function findFirstClaim({ queue }: Waiters): string | undefined {
  const [first] = queue;
  return first;
}

function wakeWaiter(waiter: Waiter | undefined, landing?: IntentOutcome): void {
  if (waiter === undefined) return;
  waiter.isWoken = true;
  waiter.landing ??= landing;
  waiter.wake();
}

/** Wakes the intent that looks for a key, because a key is free. */
export function wakeNextWaiter(pool: KeyPool): void {
  const waiters = findIntentQueue(pool);
  wakeWaiter(waiters.all.get(findFirstClaim(waiters) ?? ""));
}

/** Removes intents from the queue. If the first intent of the queue is removed, the next intent looks for a key from now on. */
function leaveQueue(pool: KeyPool, claims: readonly string[]): void {
  const waiters = findIntentQueue(pool);
  const first = findFirstClaim(waiters);
  for (const claim of claims) waiters.queue.delete(claim);
  if (findFirstClaim(waiters) !== first) wakeNextWaiter(pool);
}

/** Sleeps until a signal, or at most for the given milliseconds. Returns whether the signal came. */
async function sleepUntilWoken(
  { clock }: CarryPorts,
  waiter: Waiter,
  milliseconds: number,
): Promise<boolean> {
  if (!waiter.isWoken) {
    const woken = new Promise<void>((wake) => {
      waiter.wake = wake;
    });
    await Promise.race([woken, clock.sleep(milliseconds)]);
  }
  const { isWoken } = waiter;
  waiter.isWoken = false;
  return isWoken;
}

/**
 * Durations in milliseconds: the maximum wait for a key; the shortest and the longest pause between two table checks by the queue's first
 * intent; the pause of a later intent without a signal.
 */
const longestWait = 10_000;
const shortestPause = 100;
const longestPause = 600;
const othersPause = 5_000;

/**
 * Claims an intent without taking a key, and waits until another request adds the intent to a transaction or until a key is free. If a
 * key is free, the intent's own request sends the intent together with other waiting intents (group commit). If each waiting request polled
 * the table, the table would have no capacity left for other work. So one request polls the table for all waiting requests, and a sender
 * passes the outcome of its transaction (`landed`) to all intents in the transaction.
 */
export async function waitForKey<Item extends Claim, Sent, Ending, Listed extends WaitingIntent>(
  ports: CarryPorts,
  records: Records<Item, Sent, Ending, Listed>,
  crowd: Crowd<Item, Listed>,
  withoutGas: Set<string>,
): Promise<SendEnd<Ending>> {
  const claimed = await records.claim(undefined, false);
  if (claimed.kind === "ended") return claimed;
  if (claimed.kind === "key_taken") return undefined;
  const { item } = claimed;
  const { claim } = item;
  const waiters = findIntentQueue(ports);
  const own: Waiter = { isWoken: false, landing: undefined, wake: () => undefined };
  waiters.all.set(claim, own);
  waiters.queue.add(claim);
  let pause = shortestPause;
  try {
    for (let waited = 0; waited < longestWait; ) {
      const looks = findFirstClaim(waiters) === claim;
      const time = looks ? Math.ceil(pause / 2) + ports.ids.pick(pause) : othersPause;
      if (!(await sleepUntilWoken(ports, own, time))) waited += time;
      if (own.landing !== undefined) return { ending: await records.follow(item, own.landing) };
      if (looks) pause = Math.min(longestPause, 2 * pause);
      const { items, keys } = await readItemsWithKeys(ports, [crowd.get(item)]);
      const state = crowd.readWaitState(item, items[0]);
      if (state !== "waits") {
        leaveQueue(ports, [claim]);
        if (state !== "gone") await waitForOtherSender(ports, own, state.transaction);
        return { ending: await records.follow(item, own.landing) };
      }
      if (findFirstClaim(waiters) !== claim) continue;
      const key = await findFreeKey(ports, records, keys, { preferred: undefined, withoutGas });
      const leased = key === undefined ? undefined : await leaseKey(ports, crowd, item, key);
      if (key === undefined || leased === undefined) continue;
      const ended = await sendTogether(ports, records, crowd, leased, key);
      if (ended === undefined) withoutGas.add(key.address);
      return ended;
    }
    return await releaseUnsent(records, item, "held");
  } finally {
    leaveQueue(ports, [claim]);
    waiters.all.delete(claim);
  }
}

/**
 * Releases an intent that this request does not send. If the release is refused, another request has changed the intent's record, or the
 * transaction is stored although the answer to its write was lost. After a refusal, the intent's outcome is looked up (invariant 2).
 */
export async function releaseUnsent<Item extends Claim, Sent, Ending, Listed extends WaitingIntent>(
  records: Records<Item, Sent, Ending, Listed>,
  item: Item,
  reason: UnsentReason,
  cause?: unknown,
): Promise<SendEnd<Ending>> {
  if (!(await releaseIfPossible(records, item))) return { ending: await records.follow(item, undefined) };
  return reason === "no_gas" ? undefined : { ending: await records.handleUnsent(reason, cause) };
}

/** Releases an intent, and returns whether it was released. If the table is busy, the intent's claim lapses. */
async function releaseIfPossible<Item extends Claim, Sent, Ending, Listed extends WaitingIntent>(
  records: Records<Item, Sent, Ending, Listed>,
  item: Item,
): Promise<boolean> {
  return records.release(item).catch((error: unknown) => {
    if (error instanceof AppError && error.kind === "upstream") return false;
    throw error;
  });
}

async function leaseKey<Item extends Claim, Listed extends WaitingIntent>(
  ports: CarryPorts,
  crowd: Crowd<Item, Listed>,
  item: Item,
  key: FreeKey,
): Promise<Item | undefined> {
  const held = makeLease(key);
  let leased = item;
  const { done } = await commit(ports, (entities) => {
    const { item: next, write } = crowd.leased(entities, item, held);
    leased = next;
    return { key: held.write(entities, next, ports.clock.now()), record: write };
  });
  return done ? leased : undefined;
}

/** If no signal comes, another request's transaction is checked about every `followPause` milliseconds, at most `followLooks` times. */
const followPause = 300;
const followLooks = 25;

/**
 * Waits until the transaction of another request has ended. The table's record or a signal of this process shows that the transaction has
 * ended.
 */
async function waitForOtherSender(ports: CarryPorts, own: Waiter, id: string): Promise<void> {
  for (let look = 1; look <= followLooks && own.landing === undefined; look += 1) {
    if ((await readTransaction(ports, id))?.state !== "stored") return;
    await sleepUntilWoken(ports, own, followPause / 2 + ports.ids.pick(followPause));
  }
}

/**
 * The maximum number of times that a transaction is signed again because other requests have taken some of its intents. The last
 * transaction that a request signs contains only the request's own intent.
 */
const signings = 3;

/**
 * The maximum number of intents in a transaction. A table transaction of 100 writes has space for two writes for each intent and two writes
 * for the key. A node accepts 95 kB of calldata, and the maximum number of intents takes only 30 kB.
 */
const mostInBatch = 48;

/** The number of waiting intents that a sender reads, as a multiple of the maximum number of intents in a transaction. */
const mostLooked = 4 * mostInBatch;

/**
 * Sends a claimed intent with a key, together with as many waiting intents as fit into the transaction. An intent that would fail is left
 * out, and its own request handles the intent separately.
 */
export async function sendTogether<Item extends Claim, Sent, Ending, Listed extends WaitingIntent>(
  ports: CarryPorts,
  records: Records<Item, Sent, Ending, Listed>,
  crowd: Crowd<Item, Listed>,
  ownIntent: Item,
  key: FreeKey,
): Promise<SendEnd<Ending>> {
  const { all, queue } = findIntentQueue(ports);
  const elsewhere = new Set<string>();
  for (let signing = 1; signing <= signings; signing += 1) {
    const listed = signing === signings ? [] : await crowd.waiting(ownIntent, mostLooked);
    const taken = chooseIntents(
      ports,
      listed.filter(({ claim }) => !elsewhere.has(claim)),
    );
    let loaded: Awaited<ReturnType<typeof signBatch<Item, Sent, Ending, Listed>>>;
    try {
      const items = [ownIntent, ...(await crowd.listStillWaiting(taken))];
      const claims = new Set(items.map(({ claim }) => claim));
      const isShort = () =>
        signing === 1 && items.length < mostInBatch && [...queue].some((claim) => !claims.has(claim));
      loaded = await signBatch(ports, records, crowd, { key, items, isShort });
    } catch (cause) {
      return releaseUnsent(records, ownIntent, "unsigned", cause);
    }
    if (loaded === "short") continue;
    if (typeof loaded === "string") return releaseUnsent(records, ownIntent, loaded);
    if ("refused" in loaded) {
      for (const { claim } of loaded.refused) elsewhere.add(claim);
      continue;
    }
    const others = loaded.items.map(({ claim }) => claim).filter((claim) => claim !== ownIntent.claim);
    leaveQueue(ports, [ownIntent.claim, ...others]);
    let landing = await broadcastTx(ports, loaded.transaction);
    if (landing.kind === "landed" && others.length > 0) {
      // The key is freed before the intents end, because other requests wait for the key.
      landing = {
        ...landing,
        transaction: await endTransaction(ports, landing.transaction, landing.receipt),
      };
      for (const claim of others) wakeWaiter(all.get(claim), landing);
      wakeNextWaiter(ports);
    }
    const ending = await records.land(loaded.sent, landing);
    for (const claim of others) wakeWaiter(all.get(claim));
    wakeNextWaiter(ports);
    return { ending };
  }
  return releaseUnsent(records, ownIntent, "lapsed");
}

/**
 * Picks waiting intents for a full transaction, at most one intent per account. A sender does not always pick the oldest intents. Senders
 * in other processes read the same list, and would otherwise pick the same intents.
 */
function chooseIntents<Listed extends WaitingIntent>(
  { ids }: CarryPorts,
  waiting: readonly Listed[],
): readonly Listed[] {
  const accounts = new Set<string>();
  const distinct = waiting.filter(({ account }) => !accounts.has(account) && accounts.add(account));
  const room = mostInBatch - 1;
  const windows = Math.floor(distinct.length / room);
  const start = windows > 1 ? room * ids.pick(windows) : 0;
  return distinct.slice(start, start + room);
}

/**
 * A stored transaction with its intents, or the reason why no transaction was stored. `refused`: other requests have taken the named
 * intents; `short`: more intents have begun to wait.
 */
type BatchResult<Item, Sent> =
  | { readonly transaction: TransactionItem; readonly items: readonly Item[]; readonly sent: Sent }
  | { readonly refused: readonly Item[] }
  | "no_gas"
  | "unfit"
  | "short"
  | "lapsed";

/** `isShort` returns whether more intents of this process have begun to wait, so that the same transaction can include the new intents. */
type BatchPlan<Item> = {
  readonly key: FreeKey;
  readonly items: readonly Item[];
  readonly isShort: () => boolean;
};

/** Signs and stores a transaction for these intents. The transaction is sent by the request to which the first intent belongs. */
async function signBatch<Item extends Claim, Sent, Ending, Listed extends WaitingIntent>(
  ports: CarryPorts,
  records: Records<Item, Sent, Ending, Listed>,
  crowd: Crowd<Item, Listed>,
  { key, items, isShort }: BatchPlan<Item>,
): Promise<BatchResult<Item, Sent>> {
  const [own] = items;
  const loads = items.map((item) => ({ ...crowd.loadOf(item), item }));
  const { fit, unfit, gasPrice, nonce } = await selectFittingItems(ports, key, loads);
  if (isShort()) return "short";
  const { maxPrice } = readGasLimits(ports.settings);
  if (gasPrice > maxPrice) throw new Error(`Gas costs ${gasPrice} wei, more than ${maxPrice}`);
  for (const { item } of unfit) if (item !== own) await releaseIfPossible(records, item);
  if (own === undefined || unfit.some(({ item }) => item === own)) return "unfit";
  if (fit[0]?.item !== own) return "no_gas";
  // Intents that run no code of their payer come first, so that the code of another payer cannot burn their gas.
  const inOrder = fit.toSorted(
    (one, other) => Number(one.payer !== undefined) - Number(other.payer !== undefined),
  );
  const signed = await signTx(ports, key.address, {
    ...combineCalls(inOrder.map(({ call }) => call)),
    gas: fit.reduce((sum, one) => sum + one.gas, 0n),
    gasPrice,
    nonce,
  });
  const carried = inOrder.map(({ item }) => item);
  const about = { id: own.claim, relayer: key.address, intents: carried.map(records.nameOf) };
  const transaction = makeTransaction(ports, about, signed);
  const { sent, refused } = await storeRecords(ports, records, transaction, carried);
  const mine = sent[carried.indexOf(own)];
  if (mine !== undefined) return { transaction, items: carried, sent: mine };
  return refused.length === 0 || refused.includes(own) ? "lapsed" : { refused };
}

/** The maximum gas units of a shared transaction: about half of a block's gas. */
const mostGas = 16_000_000n;

/**
 * The call that a transaction makes. If the transaction has several intents, its call contains the calls of all intents. If one of these
 * calls fails, the other calls can still succeed. Anybody is allowed to send a call that contains the calls of several intents.
 */
function combineCalls(calls: readonly Call[]): Call {
  const [only] = calls;
  return only !== undefined && calls.length === 1 ? only : encodeBatch(calls);
}

function encodeBatch(calls: readonly Call[]): { readonly to: Address; readonly data: Hex } {
  const args = calls.map(({ to: target, data: callData }) => ({ target, allowFailure: true, callData }));
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [args] });
  return { to: multicall3, data };
}

function decodeSuccesses(returned: Hex): readonly boolean[] {
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: returned });
  return results.map(({ success }) => success);
}

/**
 * The chain's answer about a planned transaction: the intents that fit into the transaction, the intents that would fail, and the state of
 * the key.
 */
type FitResult<Item> = {
  readonly fit: readonly Item[];
  /** The intents that would fail, and the intents whose payer's account got code (EIP-7702) after the intent was checked. */
  readonly unfit: readonly Item[];
  /** The gas price in wei per gas unit, and the key's next nonce. */
  readonly gasPrice: bigint;
  readonly nonce: number;
};

/** The state of a key and of a batch of intents, both read from the chain in one round trip. */
type BatchState<Item> = {
  readonly relayer: Relayer;
  /** The gas price in wei per gas unit. */
  readonly gasPrice: bigint;
  /** The intents that would succeed if they were sent in this order. */
  readonly succeeding: ReadonlySet<Item>;
  /** The intents that run no code of their payers. */
  readonly plain: readonly Item[];
};

async function inspectBatch<Item extends SharedIntent>(
  { chain }: Pick<OutboxPorts, "chain">,
  { address }: FreeKey,
  items: readonly Item[],
): Promise<BatchState<Item>> {
  const batch = encodeBatch(items.map(({ call }) => call));
  const gas = numberToHex(findGasLimit(items.reduce((sum, item) => sum + item.gas, 0n)));
  const [count, balance, price, simulated, ...codes] = await chain.batch([
    ...makeRelayerCalls(address),
    { method: "eth_gasPrice", params: [] },
    { method: "eth_call", params: [{ from: address, ...batch, gas }, "latest"] },
    ...items.flatMap(({ payer }) =>
      payer === undefined ? [] : [{ method: "eth_getCode", params: [payer, "latest"] }],
    ),
  ]);
  const asked = items.filter(({ payer }) => payer !== undefined);
  const withCode = new Set(asked.filter((_, index) => getResult(codes[index], Bytes) !== "0x"));
  const succeeded =
    requireAnswer(simulated).status === "ok" ? decodeSuccesses(getResult(simulated, Bytes)) : [];
  return {
    relayer: parseRelayer(address, [count, balance]),
    gasPrice: getResult(price, Quantity),
    succeeding: new Set(items.filter((_, index) => succeeded[index] === true)),
    plain: items.filter((item) => !withCode.has(item)),
  };
}

/**
 * Asks the chain about a key and about all intents of the planned transaction, right before signing. The transaction is sent by the request
 * to which the first intent belongs. So if the key has too little ETH for the gas of the first intent, no intent fits into the transaction.
 */
async function selectFittingItems<Item extends SharedIntent>(
  ports: Pick<OutboxPorts, "chain" | "settings">,
  relayer: FreeKey,
  items: readonly Item[],
): Promise<FitResult<Item>> {
  const first = await inspectBatch(ports, relayer, items);
  const { plain } = first;
  // In the simulation, a payer's code may have burned the gas that later intents of the same transaction need. So the intents that run no
  // payer's code are simulated again, without the other intents (invariant 9).
  const isMixed = plain.length > 0 && plain.length < items.length;
  const seen = isMixed ? await inspectBatch(ports, relayer, plain) : first;
  const { gasPrice, relayer: known } = seen;
  const { maxPrice } = readGasLimits(ports.settings);
  const fitting = new Set(seen.plain.filter((item) => seen.succeeding.has(item)));
  let cost = 0n;
  let gas = 0n;
  const fit = [...fitting].filter((item, index) => {
    cost += findFeeCap({ gas: item.gas, gasPrice, maxPrice });
    gas += item.gas;
    return cost <= known.balance && (index === 0 || gas <= mostGas);
  });
  const unfit = items.filter((item) => !fitting.has(item));
  return { fit, unfit, gasPrice, nonce: chooseNonce(relayer, known.nonce) };
}
