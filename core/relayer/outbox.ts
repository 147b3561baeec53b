import { keccak256, parseTransaction } from "viem/utils";
import { getResult, Quantity, requireAnswer } from "../chain/call.ts";
import { type Hex, toAddress } from "../chain/hex.ts";
import { parseReceipt, Receipt } from "../chain/receipt.ts";
import { AppError } from "../error.ts";
import { findFeeLimits, mayRaisePrice, readGasLimits } from "../gas/index.ts";
import type { RelayTransaction, RpcCall, RpcOutcome, Signer } from "../port/chain.ts";
import { type Ids, poll } from "../port/clock.ts";
import type { TransactionItem } from "../record/relayer.ts";
import { type Action, commit, type WriteEntities } from "../transact.ts";
import type { Claim, IntentOutcome, OutboxPorts, Records, WaitingIntent } from "./intent.ts";
import {
  countKeyReads,
  type FreeKey,
  type Keys,
  type LeasedKey,
  listExpiredTransactions,
  listFreeKeys,
  makeFlightWrite,
  makeKeyReleaseWrite,
  readItemsWithKeys,
} from "./key.ts";

type TablePorts = Pick<OutboxPorts, "table" | "clock">;

/** A signed transaction, which must be stored before anything is sent. */
export type RawTransaction = { readonly txHash: Hex; readonly rawTx: Hex; readonly nonce: number };

/** The call and the gas of a transaction. `gas`: the estimate in gas units; prices are in wei per gas unit. */
export type CallWithGas = {
  readonly to: RelayTransaction["to"];
  readonly data: Hex;
  readonly value?: bigint;
  readonly nonce: number;
  readonly gas: bigint;
  readonly gasPrice: bigint;
  /** The maximum gas price in wei per gas unit; if the field is missing, the stage's maximum applies. */
  readonly maxPrice?: bigint | undefined;
};

/**
 * Seconds for which a transaction stays stored. A year is longer than any outage during which the transaction may still be in flight, and
 * longer than a dead-letter queue keeps a message that asks for the outcome.
 */
const keptFor = 365 * 24 * 60 * 60;

/** Signs a transaction with a leased key. The gas limit is the estimate plus a quarter. */
export async function signTx(
  { relayers, settings }: Pick<OutboxPorts, "relayers" | "settings">,
  relayer: Hex,
  { to, data, value = 0n, nonce, maxPrice = readGasLimits(settings).maxPrice, ...need }: CallWithGas,
): Promise<RawTransaction> {
  const limits = findFeeLimits({ ...need, maxPrice });
  const rawTx = await relayers.sign(relayer, {
    chainId: settings.chainId,
    nonce,
    to,
    data,
    value,
    ...limits,
  });
  return { rawTx, txHash: keccak256(rawTx), nonce };
}

/** Makes the record of a signed transaction, which is stored before the broadcast. */
export function makeTransaction(
  { clock }: Pick<OutboxPorts, "clock">,
  about: Pick<TransactionItem, "id" | "relayer" | "intents" | "maxPrice">,
  { rawTx, txHash, nonce }: RawTransaction,
): TransactionItem {
  const expiresAt = Math.floor(clock.now() / 1000) + keptFor;
  return { ...about, rawTx, nonce, hashes: [txHash], state: "stored", expiresAt };
}

/** The hash under which a transaction was sent last. Throws TypeError if the transaction was never signed. */
function readCurrentHash({ hashes: [txHash] }: Pick<TransactionItem, "hashes">): string {
  if (txHash === undefined) throw new TypeError("The transaction has no hash");
  return txHash;
}

/**
 * Stores a transaction and the records of its intents in one table transaction, before the broadcast. `sent`: the stored records;
 * `refused`: the intents whose records other requests have changed meanwhile. `refused` is empty if another request has leased the key.
 */
export async function storeRecords<Item extends Claim, Sent, Ending, Listed extends WaitingIntent>(
  ports: TablePorts,
  records: Records<Item, Sent, Ending, Listed>,
  transaction: TransactionItem,
  items: readonly Item[],
): Promise<{ readonly sent: readonly Sent[]; readonly refused: readonly Item[] }> {
  const { relayer: address, id: lease, nonce } = transaction;
  const crowd = items.length > 1 ? { now: ports.clock.now() } : undefined;
  let sent: readonly Sent[] = [];
  const outcome = await commit(ports, (entities) => {
    const sentIn = { transaction: lease, txHash: readCurrentHash(transaction) };
    const stored = items.map((item) => records.stored(entities, item, sentIn));
    sent = stored.map((one) => one.sent);
    const writes = stored.flatMap((one, index) =>
      one.writes.map((write, which) => [`${index} ${which}`, write] as const),
    );
    return {
      transaction: entities.transaction.create(transaction).commit(),
      key: makeFlightWrite(entities, { address, lease, nonce }, crowd),
      ...Object.fromEntries(writes),
    };
  });
  if (outcome.done) return { sent, refused: [] };
  return { sent: [], refused: items.filter((_, index) => outcome.refused.has(`${index} 0`)) };
}

/**
 * The writes that free a key, and that record the outcome of the key's last transaction. One condition on the key's write is enough,
 * because the key stays leased until the transaction has ended. `landed`: the hash under which the transaction is on the chain, or
 * `undefined` if the transaction is not on the chain.
 */
export function makeEndWrites(
  entities: Pick<WriteEntities, "relayer" | "transaction">,
  leased: LeasedKey,
  landed: string | undefined,
): { readonly transaction: Action | undefined; readonly key: Action } {
  const { id, hashes } = leased;
  const state = hashes?.some((hash) => hash === landed) === true ? "landed" : "over";
  return {
    transaction: hashes && entities.transaction.patch({ id }).set({ state }).commit(),
    key: makeKeyReleaseWrite(entities, leased, landed),
  };
}

/** Ends a transaction and frees its key, unless another request has already done so. Returns the ended transaction in its new state. */
export async function endTransaction(
  ports: TablePorts,
  item: TransactionItem,
  landed: { readonly transactionHash: string } | undefined,
): Promise<TransactionItem> {
  await commit(ports, (entities) => makeEndWrites(entities, item, landed?.transactionHash));
  return { ...item, state: landed === undefined ? "over" : "landed" };
}

export async function readTransaction(
  { table }: Pick<OutboxPorts, "table">,
  id: string,
): Promise<TransactionItem | undefined> {
  const { data } = await table.entities.transaction.get({ id }).go({ consistent: true });
  return data ?? undefined;
}

/** Looks up a stored transaction on the chain; `calls` are sent in the same round trip. Throws Error if the transaction is not stored. */
export async function findTx(
  ports: Pick<OutboxPorts, "table" | "chain">,
  id: string,
  calls: readonly RpcCall[] = [],
): Promise<{
  readonly transaction: TransactionItem;
  readonly receipt: Receipt | undefined;
  readonly answers: readonly RpcOutcome[];
}> {
  const transaction = await readTransaction(ports, id);
  if (transaction === undefined) throw new Error(`The outbox has lost its transaction ${id}`);
  const answers = await ports.chain.batch([...calls, ...makeReceiptCalls(transaction)]);
  return { transaction, receipt: findReceipt(transaction, answers.slice(calls.length)), answers };
}

/** The calls that ask which of a transaction's hashes is on the chain. */
function makeReceiptCalls({ hashes }: TransactionItem): readonly RpcCall[] {
  return hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] }));
}

/**
 * Returns the receipt that decides the transaction's outcome, if there is one. The revert of a replaced transaction does not count, because
 * the replacement may still succeed.
 */
function findReceipt({ hashes }: TransactionItem, mined: readonly RpcOutcome[]): Receipt | undefined {
  const receipts = mined.flatMap((outcome) => parseReceipt(requireAnswer(outcome)) ?? []);
  return (
    receipts.find(({ status }) => status === "0x1") ??
    receipts.find(({ transactionHash }) => transactionHash === hashes[0])
  );
}

/**
 * Handles a transaction that is not on the chain: sends it once more, or sends a replacement that the chain can include. If the caller
 * gives a `guard`, the function waits for the transaction's outcome. Throws `upstream` if the chain does not answer.
 */
export async function resendTx(
  ports: OutboxPorts,
  id: string,
  guard?: EffectCheck,
): Promise<IntentOutcome | undefined> {
  const item = await readTransaction(ports, id);
  const next = item?.state === "stored" ? await renewTx(ports, item, guard) : undefined;
  if (next === undefined || guard !== undefined) return next && broadcastTx(ports, next);
  // The node's answer to the repeated broadcast does not matter. Either the node already has the transaction, or the next check shows the
  // outcome.
  await ports.chain.batch([{ method: "eth_sendRawTransaction", params: [next.rawTx] }]);
  return undefined;
}

/** The options for the choice of a free key. */
type KeyChoice = { readonly preferred: string | undefined; readonly withoutGas: ReadonlySet<string> };

/** Maps a key (its pool and address) to the number of reads of keys that this process had begun when it last tried the key. */
const triedAt = new WeakMap<Signer, Map<string, number>>();

type WaitCheck = { isTransactionAwaited(transaction: TransactionItem): Promise<boolean> };

/**
 * Finds a free key, which the caller tries to lease at once. Keys that are known to lack gas are left out. A key counts as leased if
 * another request of this process has tried it since this request read the keys. Thus concurrent requests do not all try the same key. If
 * all keys are leased, the function frees a key with an expired lease.
 */
export async function findFreeKey(
  ports: OutboxPorts & { readonly ids: Ids },
  records: WaitCheck,
  keys: Keys,
  { preferred, withoutGas }: KeyChoice,
): Promise<FreeKey | undefined> {
  const now = ports.clock.now();
  const tried = triedAt.get(ports.relayers) ?? new Map<string, number>();
  triedAt.set(ports.relayers, tried);
  const isUsable = (address: string) => !withoutGas.has(address) && (tried.get(address) ?? 0) < keys.read;
  const usable = {
    ...keys,
    addresses: keys.addresses.filter(isUsable),
    items: keys.items.filter(({ address }) => isUsable(address)),
  };
  const choices = listFreeKeys(usable, now);
  const wanted = choices.find(({ address }) => address === preferred);
  const choice = wanted ?? (choices.length > 0 ? choices[ports.ids.pick(choices.length)] : undefined);
  if (choice !== undefined) {
    tried.set(choice.address, countKeyReads());
    return choice;
  }
  const left = listExpiredTransactions(usable, now);
  const stale = left.length === 0 ? undefined : left[ports.ids.pick(left.length)];
  if (stale !== undefined) await freeExpiredKey(ports, records, stale, true);
  return undefined;
}

/**
 * Frees a key whose lease has expired before its transaction was finished. Ends the transaction if it is on the chain or if no intent waits
 * for it. A transaction that is not ended is sent again, but only if `again` is set. Throws `upstream` if the chain does not answer.
 */
async function freeExpiredKey(
  ports: OutboxPorts,
  records: WaitCheck,
  id: string,
  again: boolean,
): Promise<void> {
  const found = await readTransaction(ports, id);
  if (found?.state !== "stored") return;
  const waits = await records.isTransactionAwaited(found);
  if (waits && !again) return;
  const { transaction, receipt } = await findTx(ports, id);
  if (transaction.state !== "stored") return;
  if (receipt !== undefined || !waits) await endTransaction(ports, transaction, receipt);
  else await resendTx(ports, id);
}

/**
 * Frees each key whose lease has expired, if no intent waits for the key's transaction. A process may die after it has ended a
 * transaction's intents and before it ends the transaction. After such a crash the key stays leased, although no work needs the key.
 */
export async function freeExpiredKeys(ports: OutboxPorts, records: WaitCheck): Promise<void> {
  const { keys } = await readItemsWithKeys(ports, []);
  for (const id of listExpiredTransactions(keys, ports.clock.now())) {
    try {
      await freeExpiredKey(ports, records, id, false);
    } catch (error) {
      if (!(error instanceof AppError && error.kind === "upstream")) throw error;
    }
  }
}

/** A call that shows whether the effect of a transaction is already on the chain, even if another transaction has caused the effect. */
type EffectCheck = { readonly call: RpcCall; isOver(outcome: RpcOutcome | undefined): boolean };

/**
 * Returns the transaction that must be sent if a stored transaction is not on the chain yet: either the same transaction or a replacement.
 * If the transaction's price is too low, or its nonce is not the key's next nonce, the function makes a replacement that the chain can
 * include. The replacement is stored before anything is sent (invariant 2). The nonce in a payer's authorization allows only one transfer,
 * even if several transactions carry the payment (invariant 1). A call without a payer's nonce has a `guard`, with one exception: a
 * transaction that sends ETH needs no `guard`, because it keeps its nonce. Returns `undefined` if the chain has included the transaction
 * since the last check. Throws `upstream` if the chain does not answer.
 */
async function renewTx(
  ports: OutboxPorts,
  item: TransactionItem,
  guard?: EffectCheck,
): Promise<TransactionItem | undefined> {
  const relayer = toAddress(item.relayer);
  const receipts = makeReceiptCalls(item);
  const [count, price, ...rest] = await ports.chain.batch([
    { method: "eth_getTransactionCount", params: [relayer, "latest"] },
    { method: "eth_gasPrice", params: [] },
    ...receipts,
    // The receipts are read after the transaction count, so that a transaction that has used the nonce is seen.
    ...(guard === undefined ? [] : [guard.call]),
  ]);
  if (guard?.isOver(rest[receipts.length]) === true) return undefined;
  // The chain has included the transaction since the last check, so the transaction itself has used the nonce.
  if (findReceipt(item, rest.slice(0, receipts.length)) !== undefined) return undefined;
  const nonce = Number(getResult(count, Quantity));
  // A node may answer the calls of a JSON-RPC batch in any order, and may show a block's transaction count before it shows the block's
  // receipts.
  if (nonce > item.nonce && findReceipt(item, await ports.chain.batch(receipts)) !== undefined)
    return undefined;
  return chooseTxToSend(ports, item, {
    nonce,
    gasPrice: getResult(price, Quantity),
    mayGoBack: guard === undefined,
  });
}

/** The stored transaction, or its stored replacement if the chain can no longer include the transaction. */
async function chooseTxToSend(
  ports: OutboxPorts,
  item: TransactionItem,
  now: { readonly nonce: number; readonly gasPrice: bigint; readonly mayGoBack: boolean },
): Promise<TransactionItem> {
  const stored = parseTransaction(toHex(item.rawTx));
  const { nonce = 0, gas = 0n, maxFeePerGas = 0n, to, data = "0x", value = 0n } = stored;
  // Another transaction has used the nonce, or earlier nonces are missing, so the chain cannot include this transaction. A transaction that
  // sends ETH keeps its nonce, because under two nonces it could be included twice.
  const misplaced = value === 0n && (now.mayGoBack ? now.nonce !== nonce : now.nonce > nonce);
  const maxPrice =
    item.maxPrice === undefined ? readGasLimits(ports.settings).maxPrice : BigInt(item.maxPrice);
  // If the gas price is above the allowed maximum, the transaction is not sent again until the price falls; meanwhile the deadlines of its
  // intents may pass.
  const best = maxFeePerGas >= now.gasPrice || !mayRaisePrice(maxFeePerGas, maxPrice);
  if ((!misplaced && best) || to == null) return item;
  // A key that was removed from the pool signs no replacement. Either the chain includes the key's transaction unchanged, or the deadlines
  // of its intents pass.
  if (!(await ports.relayers.addresses()).includes(toAddress(item.relayer))) return item;
  // Nodes accept a replacement whose gas price is at least 10 % higher, so a gas price that is 50 % higher is safe.
  const raised = (maxFeePerGas * 3n) / 2n;
  const signed = await signTx(ports, toAddress(item.relayer), {
    to: toAddress(to),
    data,
    value,
    nonce: misplaced ? now.nonce : nonce,
    // The stored gas limit is already a quarter higher than the estimate, so it is not raised again.
    gas: (gas * 4n) / 5n + 1n,
    gasPrice: misplaced || now.gasPrice * 2n >= raised ? now.gasPrice : raised / 2n + 1n,
    maxPrice,
  });
  return (await replaceTx(ports, item, signed)) ?? item;
}

/** Stores a replacement before it is sent. Returns `undefined` if the transaction has ended or was replaced meanwhile. */
async function replaceTx(
  ports: TablePorts,
  item: TransactionItem,
  signed: RawTransaction,
): Promise<TransactionItem | undefined> {
  const { id, relayer: address, hashes } = item;
  const { rawTx, txHash, nonce } = signed;
  const next = { ...item, rawTx, nonce, hashes: [txHash, ...hashes] };
  const { done } = await commit(ports, (entities) => ({
    transaction: entities.transaction
      .put(next)
      .where(({ rawTx: last }, { eq }) => eq(last, item.rawTx))
      .commit(),
    key: makeFlightWrite(entities, { address, lease: id, nonce }, undefined),
  }));
  return done ? next : undefined;
}

function toHex(text: string): Hex {
  return `0x${text.slice(2)}`;
}

type Ports = Pick<OutboxPorts, "chain" | "clock">;

/** Milliseconds between two requests for a receipt (about the time of a block), and the maximum number of such requests. */
const pollInterval = 100;
const pollTime = 6_000;
const polls = pollTime / pollInterval;

/** The error code of EIP-7966 for a node that has accepted the transaction and has stopped waiting for the receipt. */
const timedOut = 4;

/** The sequencer's answer that it will never include a transaction (Nitro's transaction filter). */
const rejected = /rejected by chain policy/i;

/** The answer of a node that refuses a transaction because the base fee is above the offered price. */
const underpriced = /max fee per gas less than block base fee/i;

/** The maximum number of milliseconds for one attempt to send a transaction again. */
const resendTime = 3_000;

/**
 * Sends a stored transaction and waits for its receipt: in one call if the node supports this (EIP-7966), and by polling if not. A
 * transaction that offers less than the base fee gets a new price once, and is stored before it is sent again.
 */
export async function broadcastTx(ports: OutboxPorts, item: TransactionItem): Promise<IntentOutcome> {
  let transaction = item;
  let receipt = await sendAndWait(ports, transaction);
  if (receipt === "underpriced") {
    transaction = (await ignoreFailure(() => replaceAtNewPrice(ports, item))) ?? item;
    receipt = await sendAndWait(ports, transaction);
  }
  if (receipt === "rejected") return { kind: "rejected", transaction };
  if (receipt === undefined || receipt === "underpriced") return { kind: "pending", transaction };
  return { kind: "landed", transaction, receipt };
}

/**
 * Stores the transaction again with the same nonce at the current price, because no node has accepted the transaction at the offered price.
 */
async function replaceAtNewPrice(ports: OutboxPorts, item: TransactionItem): Promise<TransactionItem> {
  const [price] = await ports.chain.batch([{ method: "eth_gasPrice", params: [] }]);
  return chooseTxToSend(ports, item, {
    nonce: item.nonce,
    gasPrice: getResult(price, Quantity),
    mayGoBack: false,
  });
}

async function sendAndWait(
  ports: Ports,
  { rawTx, hashes }: TransactionItem,
): Promise<Receipt | "rejected" | "underpriced" | undefined> {
  const txHash = readCurrentHash({ hashes });
  const outcome = await sendBytes(ports, rawTx);
  if (outcome?.status === "ok") {
    const receipt = Receipt.safeParse(outcome.result);
    if (receipt.success && receipt.data.transactionHash === txHash) return receipt.data;
  }
  if (outcome !== undefined && isRejection(outcome)) return "rejected";
  if (outcome !== undefined && isUnderpriced(outcome)) return "underpriced";
  return pollReceipt(ports, txHash);
}

/**
 * Sends the bytes of a transaction to a node. Nodes that do not support the method `eth_sendRawTransactionSync` answer with different error
 * codes. If the node has not clearly accepted or refused the bytes, they are sent again at once by `eth_sendRawTransaction`, which is
 * idempotent.
 */
async function sendBytes(ports: Ports, rawTx: string): Promise<RpcOutcome | undefined> {
  const outcome = await sendRawTx(ports, "eth_sendRawTransactionSync", rawTx);
  const isTaken = outcome?.status === "ok" || (outcome?.status === "failed" && outcome.code === timedOut);
  if (isTaken || (outcome !== undefined && (isRejection(outcome) || isUnderpriced(outcome)))) return outcome;
  return sendRawTx(ports, "eth_sendRawTransaction", rawTx, ports.clock.now() + resendTime);
}

async function sendRawTx(
  { chain }: Ports,
  method: string,
  rawTx: string,
  until?: number,
): Promise<RpcOutcome | undefined> {
  const limits = until === undefined ? undefined : { until };
  const outcomes = await ignoreFailure(() => chain.batch([{ method, params: [rawTx] }], limits));
  return outcomes?.[0];
}

function isUnderpriced(outcome: RpcOutcome): boolean {
  return outcome.status !== "ok" && underpriced.test(outcome.message);
}

function isRejection(outcome: RpcOutcome): boolean {
  return outcome.status !== "ok" && rejected.test(outcome.message);
}

function pollReceipt({ chain, clock }: Ports, txHash: string): Promise<Receipt | undefined> {
  return poll(clock, { tries: polls, until: clock.now() + pollTime, pauseMs: pollInterval }, () =>
    ignoreFailure(async () => {
      const [outcome] = await chain.batch([{ method: "eth_getTransactionReceipt", params: [txHash] }]);
      return parseReceipt(requireAnswer(outcome));
    }),
  );
}

/**
 * Turns a failure after the broadcast of a transaction into `undefined`, because the outcome of the transaction is not known yet. Nothing
 * is lost, because the transaction is stored.
 */
async function ignoreFailure<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}
