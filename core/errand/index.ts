import { lateness } from "../chain/call.ts";
import { type Authorization, findUsedLogs } from "../chain/eip3009.ts";
import { type Address, toAddress } from "../chain/hex.ts";
import type { Receipt } from "../chain/receipt.ts";
import { AppError } from "../error.ts";
import * as Gas from "../gas/index.ts";
import { claimTime } from "../record/relayer.ts";
import { type ErrandItem, isErrandDue, makeErrandName } from "../record/wallet.ts";
import {
  type CarryPorts,
  endTransaction,
  findTx,
  type Intent,
  type IntentOutcome,
  type Keys,
  type Records,
  readItemsWithKeys,
  resendTx,
  type StoredItem,
  sendIntent,
} from "../relayer/index.ts";
import { claimErrand, endErrand, makeSentWrite, releaseErrand, type UnspentGas } from "./record.ts";

export type { UnspentGas };

/**
 * Errands are transactions that wallets ask us to send and whose gas we pay. Payments are not errands. An errand either moves a wallet's
 * USDG or sends a wallet the ETH for a vote. The fees that the wallet has paid, minus the cost of its reads and earlier errands, must cover
 * the highest possible cost of the errand. Wallets get no free allowance for errands, because anybody can make new wallets at no cost. The
 * cost of an errand is reserved before anything is sent, and the unused part of the reserve is given back after the receipt. A wallet can
 * have only one unfinished errand at a time.
 */

/** The fields of an errand's record that say what the service must send. */
type ErrandOrder = Pick<ErrandItem, "kind" | "what" | "to" | "amount" | "until" | "validAfter" | "nonce">;

/** An errand that has passed all checks. `cost`: the maximum cost of the errand in USDG base units. */
export type Errand = ErrandOrder & {
  readonly wallet: Address;
  /** The ETH that the wallet has received for earlier votes and must still have; only for an errand that sends ETH for a vote. */
  readonly unspent?: UnspentGas;
  readonly cost: number;
  readonly ethPrice: number;
  readonly intent: Intent;
  /** The wallet's last errand at the time when the new errand was checked. */
  readonly last: ErrandItem | undefined;
  /** The sentence that tells the wallet that the errand had no effect, such as "Nothing was moved." */
  readonly nothing: string;
};

/** An errand that has ended, and the receipt of its transaction, if there is one. */
type EndedErrand = { readonly item: ErrandItem; readonly receipt: Receipt | undefined };

/**
 * Reads a wallet's last errand, the keys, and the other requested records. If the last errand can be ended now, the function ends it.
 * Throws `settlement_pending` (`upstream`) while an errand of the wallet is unfinished.
 */
export async function readLastErrand(
  ports: CarryPorts,
  wallet: Address,
  extraGets: readonly unknown[] = [],
): Promise<{
  readonly last: ErrandItem | undefined;
  readonly keys: Keys;
  readonly items: readonly StoredItem[];
}> {
  const { errand } = ports.table.entities;
  const { items, keys } = await readItemsWithKeys(ports, [errand.get({ wallet }).params(), ...extraGets]);
  const [found, ...rest] = items;
  const last = found === undefined ? undefined : (errand.parse(found).data ?? undefined);
  return { last: last && (await end(ports, last)), keys, items: rest };
}

/**
 * Ends an errand if the chain shows the errand's outcome, or if no transaction was sent before the errand's claim expired. Throws
 * `upstream` if the errand cannot be ended yet.
 */
async function end(ports: CarryPorts, item: ErrandItem): Promise<ErrandItem> {
  if (item.state === "sent") return resumeErrand(ports, item);
  if (item.state !== "claimed") return item;
  const isLapsed = item.claimUntil < ports.clock.now();
  const ended = isLapsed ? await endErrand(ports, item, { state: "failed", cost: 0 }) : undefined;
  if (ended === undefined) throw makePendingError(undefined);
  return ended;
}

/**
 * Looks up the transaction of an errand on the chain, and sends it again if necessary. No transfer can happen twice: the nonce of a move
 * allows only one transfer, and a transaction that sends ETH always keeps its nonce.
 */
async function resumeErrand(ports: CarryPorts, sent: ErrandItem): Promise<ErrandItem> {
  const left = BigInt(sent.until) - readSeconds(ports);
  if (left <= -keptFor) {
    const ended = await endErrand(ports, sent, { state: "failed", cost: sent.reserved });
    if (ended === undefined) throw makePendingError(sent.txHash);
    return ended;
  }
  const { transaction, receipt } = await findTx(ports, sent.claim);
  if (receipt !== undefined)
    return (await endByOutcome(ports, sent, { kind: "landed", transaction, receipt })).item;
  // The errand's transaction is not sent any more, and the whole reserved cost counts as spent.
  const isOver = left <= -lateness || transaction.state === "over";
  if (isOver) return (await endByOutcome(ports, sent, { kind: "rejected", transaction }, sent.reserved)).item;
  await resendTx(ports, sent.claim);
  throw makePendingError(sent.txHash);
}

/** The maximum number of errands that one run reads. Each run of the job reads the oldest errands first. */
const most = 100;

/**
 * Ends the errands whose clients do not ask again. The unused part of the cost that an errand has reserved is given back. An errand is
 * ended if no transaction was sent before its claim expired, or if the chain shows its outcome. The job runs every minute. Requests can
 * safely change the same errands during a run, because the job writes a step only if the errand's state has not changed. Throws
 * AggregateError after the run if an errand met an unexpected error.
 */
export async function reconcile(
  ports: CarryPorts,
): Promise<{ readonly ended: number; readonly pending: number }> {
  const { errand } = ports.table.entities;
  const { data: found } = await errand.query
    .underWay({ pending: "errand" })
    .lt({ claimUntil: ports.clock.now() })
    .go({ limit: most, order: "asc" });
  const defects: unknown[] = [];
  let pending = 0;
  for (const { wallet } of found) {
    try {
      // The index lags behind the table, so the errand's present state is read from the table itself.
      const { data: item } = await errand.get({ wallet }).go({ consistent: true });
      if (item !== null) await end(ports, item);
    } catch (error) {
      pending += 1;
      if (!(error instanceof AppError && error.kind === "upstream")) defects.push(error);
    }
  }
  if (defects.length > 0) throw new AggregateError(defects, "Some errands could not be reconciled");
  return { ended: found.length - pending, pending };
}

/** The minimum number of seconds for which the outbox keeps a sent transaction: nearly a year, so that no outage loses the outcome. */
const keptFor = 364n * 24n * 60n * 60n;

/**
 * Ends an errand according to the outcome of its transaction, and frees the errand's key. `lost`: the cost that is recorded if the
 * transaction has no receipt.
 */
async function endByOutcome(
  ports: CarryPorts,
  sent: ErrandItem,
  txOutcome: IntentOutcome,
  lost = 0,
): Promise<EndedErrand> {
  if (txOutcome.kind === "pending") throw makePendingError(sent.txHash);
  const receipt = txOutcome.kind === "landed" ? txOutcome.receipt : undefined;
  const isDone = receipt !== undefined && isErrandDone(ports, sent, receipt);
  const ending = {
    state: isDone ? "done" : "failed",
    cost: receipt === undefined ? lost : readCost(receipt, sent, isDone),
    ...(receipt !== undefined && { txHash: receipt.transactionHash }),
  } as const;
  const ended = await endErrand(ports, sent, ending);
  await endTransaction(ports, txOutcome.transaction, receipt);
  return { item: ended ?? { ...sent, ...ending, reserved: 0 }, receipt };
}

/**
 * Whether the transaction has made the transfer that the errand asks for. The token's logs show whether a transfer of USDG was made; a
 * transfer of ETH was made if the transaction succeeded.
 */
function isErrandDone({ settings }: CarryPorts, sent: ErrandItem, receipt: Receipt): boolean {
  if (sent.kind === "vote") return receipt.status === "0x1";
  const { wallet, to, amount, validAfter = "0", until, nonce = "0" } = sent;
  const authorization: Authorization = {
    from: toAddress(wallet),
    token: settings.contracts.usdg,
    amount: BigInt(amount),
    to: toAddress(to),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(until),
    nonce: BigInt(nonce),
  };
  return findUsedLogs(receipt, authorization).length > 0;
}

/**
 * An errand's cost, including the ETH that the wallet has received. If the node does not give the gas price, the whole reserve counts as
 * the cost.
 */
function readCost(
  { gasUsed, effectiveGasPrice }: Receipt,
  { kind, amount, ethPrice, reserved }: ErrandItem,
  isDone: boolean,
): number {
  if (effectiveGasPrice === undefined) return reserved;
  const sent = kind === "vote" && isDone ? BigInt(amount) : 0n;
  return Gas.convertWei(gasUsed * effectiveGasPrice + sent, ethPrice);
}

/** Seconds since the Unix epoch. */
export function readSeconds({ clock }: Pick<CarryPorts, "clock">): bigint {
  return BigInt(Math.floor(clock.now() / 1000));
}

/**
 * The part of a wallet's fees that can still pay for gas, in USDG base units. If the payment to the publisher for a read is still
 * due, the expected gas of this payment is subtracted from the read's fee. The table's indexes may lag, so the newest fees may not be
 * counted yet.
 */
export async function readCredit(
  ports: Pick<CarryPorts, "table" | "clock">,
  wallet: Address,
  last: Pick<ErrandItem, "spent"> | undefined,
): Promise<number> {
  const { settlement, gas } = ports.table.entities;
  const all = { pages: "all" } as const;
  const [fees, unlocks, burned] = await Promise.all([
    settlement.query.listed({ listedAs: "fee", listedFor: wallet }).go(all),
    settlement.query.unlocks({ unlockedBy: wallet }).go(all),
    gas.get(Gas.makeBurnedKey(wallet, ports.clock.now())).go({ consistent: true }),
  ]);
  const rests = new Map(
    unlocks.data.map(({ pressId, carry: { fee = 0, share, burned } = {} }) => [
      pressId,
      { fee, isCut: share !== undefined || burned === true },
    ]),
  );
  const left = fees.data.map(({ pressId, carry: { fee = 0, rest = 0, share } = {} }) => {
    const done = rests.get(pressId);
    // A wallet's code may use up the whole fee in the payment that is still due.
    if (done === undefined) return share === undefined ? fee - rest : Math.min(0, fee - rest);
    // A wallet that had no code when it paid the fee can have got code or burned gas since then. In this case, the record of the payment to
    // the publisher can lack the part of the fee that exceeds the expected gas. No payment has used the part of the fee that the record
    // lacks, and errands are counted separately.
    return done.fee + (share === undefined && done.isCut ? Math.max(0, fee - rest) : 0);
  });
  const sum = left.reduce((total, one) => total + one, 0);
  return sum - (burned.data?.spent ?? 0) - (last?.spent ?? 0);
}

/**
 * Sends an errand in a separate transaction, so that the transaction's whole cost belongs to the errand, and waits for the outcome. Throws
 * `upstream` if the errand is not sent, or if its outcome is not known yet.
 */
export async function run(ports: CarryPorts, errand: Errand, keys: Keys): Promise<EndedErrand> {
  return sendIntent(ports, makeRecords(ports, errand), { keys, preferred: errand.intent.asked.address });
}

function makeRecords(ports: CarryPorts, errand: Errand): Records<ErrandItem, ErrandItem, EndedErrand> {
  const { cost: reserved, intent, last: judged, nothing, unspent, ...what } = errand;
  let last = judged;
  return {
    async claim(lease) {
      if (lease === undefined) throw new TypeError("An errand is sent alone, and needs a key");
      const { given, gifts, owed, spent = 0 } = last ?? {};
      const item: ErrandItem = {
        ...what,
        ...(given !== undefined && { given }),
        ...(gifts !== undefined && { gifts }),
        ...(owed !== undefined && { owed }),
        claim: ports.ids.uuid(),
        claimUntil: ports.clock.now() + claimTime,
        state: "claimed",
        pending: "errand",
        relayer: lease.address,
        reserved,
        spent: spent + reserved,
      };
      const outcome = await claimErrand(ports, item, last, lease);
      if (outcome === "overtaken") throw makePendingError(undefined);
      return outcome === "claimed" ? { kind: "claimed", item } : { kind: "key_taken" };
    },
    makeIntent: async () => intent,
    nameOf: makeErrandName,
    stored: (entities, item, { txHash }) => makeSentWrite(entities, item, txHash, unspent),
    async release(item) {
      const released = await releaseErrand(ports, item);
      // The errand's claim was released, so the next attempt to send the errand begins with this record and another key.
      last = released ?? last;
      return released !== undefined;
    },
    land: (sent, landing) => endByOutcome(ports, sent, landing),
    async handleUnsent(reason, cause) {
      throw reason === "unsigned" && cause instanceof AppError
        ? cause
        : makeBusyError(nothing, cause ?? new Error(reason));
    },
    follow: () => Promise.reject(makePendingError(undefined)),
    // The same keys also send transactions that settle payments, and the code in core/payment ends these payments.
    isTransactionAwaited: async ({ intents }) =>
      intents.some((name) => isErrandDue(name, ports.clock.now()) !== false),
  };
}

function makePendingError(transaction: string | undefined): AppError {
  return new AppError(
    "upstream",
    "settlement_pending",
    "A transfer for this wallet was started and is not confirmed yet. Repeat this request: nothing is sent twice.",
    { retryAfter: 2, ...(transaction !== undefined && { details: { transaction } }) },
  );
}

/** The refusal of an errand that the service cannot send now. */
export function makeBusyError(moneyStatus: string, cause: unknown): AppError {
  const message = `We cannot send transactions for wallets at the moment. ${moneyStatus} Try again shortly.`;
  return new AppError("upstream", "payments_unavailable", message, { cause, retryAfter: 5 });
}
