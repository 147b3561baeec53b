import { type Address, type Hex, toAddress } from "../chain/hex.ts";
import { makeBusyError } from "../error.ts";
import * as Gas from "../gas/index.ts";
import type { Meter } from "../port/cloud.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import {
  type Authorization,
  type ClaimedLeg,
  computeFee,
  type FailedLeg,
  isSameNonce,
  type LegKey,
  type LegTransfer,
  listChargeableItems,
  makePaymentKey,
  makeSignedItem,
  parseSettlement,
  type QueuedLeg,
  type SettledLeg,
  type Settlement,
  type SettlementItem,
  type SignedItem,
  type SubmittedLeg,
} from "../record/payment.ts";
import type { AgentItem } from "../record/press.ts";
import { claimTime, type TransactionItem } from "../record/relayer.ts";
import type { Write } from "../record/write.ts";
import { type KeyLease, makeEndWrites } from "../relayer/index.ts";
import { makeOpeningWrites, makeSession, makeSessionEndWrites, type NewSession } from "../session/index.ts";
import { type Action, commit, type WriteEntities } from "../transact.ts";
import type { Leg } from "./schema.ts";
import { makeSettlementPendingError } from "./terms.ts";

/** The ports of the functions that change a settlement's state. */
export type PaymentPorts = Pick<AllPorts, "table" | "clock" | "ids" | "settings" | "chain" | "relayers"> & {
  readonly meter: Meter;
};

/**
 * The transitions of a settlement's record (design §4): none → queued → submitted → settled | failed, and from failed to queued again. Each
 * transition of a settlement's record is one conditional transaction of the table.
 */
type RecordPorts = Pick<PaymentPorts, "table" | "clock" | "meter"> & GasSettings;

type GasSettings = { readonly settings: Pick<Settings, "gas"> };

export function isSubmittedLeg(item: Settlement): item is SubmittedLeg {
  return item.state === "submitted";
}

/** The outcome of an attempt to claim a payment. The request may sign a transaction only if the outcome is `queued`. */
export type ClaimOutcome =
  | { readonly kind: "queued"; readonly settlement: QueuedLeg }
  /** Another request has leased the relayer key before this request could lease it. */
  | { readonly kind: "relayer_taken" }
  /** Another request is now settling the same leg for the same wallet and press. */
  | { readonly kind: "contended" }
  /** The nonce was first presented for another press, or for the other leg of the purchase. */
  | { readonly kind: "permit_bound" }
  /** The payer is a wallet with code that has used up its gas allowance or has burned gas a moment ago. */
  | { readonly kind: "gas_refused" }
  /** The fee does not cover the gas of the purchase, and the publisher's gas account has too little left for the rest. */
  | { readonly kind: "price_refused" };

export type NewClaim = {
  /** The press, with the price of both legs together. */
  readonly agent: AgentItem;
  readonly leg: Leg;
  readonly authorization: Authorization;
  readonly signature: Hex;
  /** The payer's identifier for this attempt to pay. The payer must not have used the same identifier for another payload. */
  readonly identifier: { readonly id: string; readonly digest: string } | undefined;
  /** The hash of the ticket that the payer has sent back. */
  readonly ticket: Hex | undefined;
  /** The relayer key that the claim has taken. */
  readonly lease: KeyLease | undefined;
  /**
   * The gas units of the settlement; set only if the payment may share a transaction. A payment that may share a transaction waits for a
   * shared transaction, unless the payment was claimed together with a relayer key.
   */
  readonly gasEstimate: bigint | undefined;
  /** The gas reserve of a wallet with code. */
  readonly gas: Gas.GasHold | undefined;
  /** The party that pays for the gas of the purchase. */
  readonly carry: Gas.GasSplit | undefined;
  /**
   * The record of this leg of the purchase at the time when the payment was checked. A newer record may contain another signature that can
   * still be charged.
   */
  readonly last: Settlement | undefined;
  /** The payer's earlier signatures for the same leg. The service never broadcast these signatures, but others may still charge them. */
  readonly earlier: readonly SignedItem[];
  /** The newest block at the time when the authorization was checked. */
  readonly block: bigint;
};

/**
 * A search begins this number of blocks before the newest block, because the node that was asked about the nonce may have lagged by a
 * minute.
 */
const margin = 600;

/** The identifier that a payer gives to an attempt to pay is stored for this number of seconds. */
const identifierLifetime = 7 * 24 * 60 * 60;

/**
 * The transition to `queued`, from no record or from `failed`. One transaction of the table binds the nonce to this press and leg of the
 * purchase, and claims the settlement, with or without a relayer key (invariant 1). A failed settlement may be claimed again. A settlement
 * that is still `queued` may also be claimed again after its claim has expired.
 */
export async function claimLeg(
  ports: Pick<PaymentPorts, "table" | "clock" | "ids"> & GasSettings,
  order: NewClaim,
): Promise<ClaimOutcome> {
  const { agent, leg, authorization, lease, gasEstimate, identifier, last, gas, carry } = order;
  const now = ports.clock.now();
  const mayWait = lease !== undefined && gasEstimate !== undefined;
  const key = { wallet: authorization.from, pressId: agent.pressId, leg };
  const again = (last === undefined ? [] : listChargeableItems(last)).find((signed) =>
    isSameNonce(signed, authorization),
  );
  const earlier = order.earlier.filter((signed) => !isSameNonce(signed, authorization));
  const claimed = last !== undefined && isSameNonce(last.signed, authorization) ? last : undefined;
  // The authorization may have been settled by another party after it was first presented.
  const block = again?.block ?? Math.max(0, Number(order.block) - margin);
  const name = identifier?.id ?? claimed?.identifier;
  const ticket = order.ticket ?? claimed?.ticket;
  const open = {
    ...key,
    state: "queued" as const,
    claim: ports.ids.uuid(),
    claimUntil: now + claimTime,
    signed: makeSignedItem(authorization, order.signature, block),
    ...(earlier.length > 0 && { earlier }),
    id: agent.id,
    slug: agent.slug,
    headline: agent.headline,
    stock: agent.stock,
    // An earlier signature keeps the price for which it was signed.
    priceUnits: claimed?.priceUnits ?? agent.priceUnits,
    publisher: agent.publisher,
    changedAt: now,
    // A request without an identifier or ticket does not take over the identifier or ticket of the first claim of this authorization.
    ...(name !== undefined && { identifier: name }),
    ...(ticket !== undefined && { ticket }),
    ...(carry !== undefined && { carry }),
    ...(gas !== undefined && { gas: { ...gas, subjects: [...gas.subjects] } }),
    // The record keeps the hash of the earlier broadcast, in case this claim fails.
    ...(claimed?.txHash !== undefined && { txHash: claimed.txHash }),
  };
  const settlement: QueuedLeg =
    lease === undefined && gasEstimate !== undefined
      ? { ...open, pending: "waiting", gasEstimate: Number(gasEstimate) }
      : { ...open, pending: "pending", ...(lease !== undefined && { relayer: lease.address }) };
  const { writes: own } = ports.table;
  const makeWrites = (entities: WriteEntities) => ({
    key: lease?.write(entities, settlement, now),
    // If the authorization was broadcast earlier, the record keeps the mark of this broadcast.
    authorization: own.authorization.upsert(
      { ...key, method: authorization.method, nonce: String(authorization.nonce) },
      ({ notExists, eq }) => `${notExists("nonce")} OR (${eq("pressId", key.pressId)} AND ${eq("leg", leg)})`,
    ),
    settlement: own.settlement.put(settlement, ({ notExists, eq, lt }) =>
      last === undefined
        ? notExists("state")
        : `${eq("claim", last.claim)} AND ${eq("state", last.state)} AND (${eq("state", "failed")} OR (${eq("state", "queued")} AND ${lt("claimUntil", now)}))`,
    ),
    gas:
      gas === undefined ? undefined : Gas.reserveGas(entities, ports.settings, authorization.from, gas, now),
    account:
      leg === "fee" && carry !== undefined && carry.booked > 0
        ? Gas.makeReserveWrite(entities, ports.settings, carry, carry.booked, now)
        : undefined,
    identifier:
      identifier === undefined
        ? undefined
        : entities.identifier
            .put({
              ...key,
              identifier: identifier.id,
              digest: identifier.digest,
              expiresAt: Math.floor(now / 1000) + identifierLifetime,
            })
            .where(
              (item, { notExists, eq }) =>
                `${notExists(item.digest)} OR ${eq(item.digest, identifier.digest)}`,
            )
            .commit(),
  });
  const outcome = await commit(ports, makeWrites, mayWait ? "once" : undefined);
  // If other writes at the same moment prevent a claim, a payment that may share a transaction waits for a shared transaction. The write of
  // the claim is not repeated.
  if (!outcome.done && mayWait && outcome.refused.size === 0) return { kind: "relayer_taken" };
  if (outcome.done) return { kind: "queued", settlement };
  if (outcome.refused.has("authorization")) return { kind: "permit_bound" };
  if (outcome.refused.has("key")) return { kind: "relayer_taken" };
  if (outcome.refused.has("gas")) return { kind: "gas_refused" };
  if (outcome.refused.has("account")) return { kind: "price_refused" };
  return { kind: "contended" };
}

/**
 * The claim stays `queued` and gets a relayer key. From now on, no other sender takes the payment into its transaction. The write is
 * refused if another request has changed the record in the meantime.
 */
export function leaseClaim(
  ports: Pick<PaymentPorts, "table" | "clock">,
  from: QueuedLeg,
  { address }: KeyLease,
): { readonly item: ClaimedLeg; readonly write: Write } {
  const claimUntil = ports.clock.now() + claimTime;
  const item = { ...from, pending: "pending", relayer: address, claimUntil } as const;
  return { item, write: makeLegWrite(ports, item, from) };
}

/**
 * queued → submitted, in the same write that stores the transaction to be broadcast (invariant 2). The write is refused if another sender
 * has taken the payment into its own transaction, or if another request has ended or replaced the expired claim. If the write is refused,
 * nothing may be broadcast.
 */
export function makeSubmittedWrites(
  ports: Pick<PaymentPorts, "table" | "clock">,
  from: QueuedLeg,
  sentFields: Pick<SubmittedLeg, "transaction" | "txHash">,
): { readonly sent: SubmittedLeg; readonly writes: readonly Write[] } {
  const { wallet, pressId, leg, signed } = from;
  const { method, nonce } = signed;
  const sent = makeSubmittedLeg(from, { ...sentFields, changedAt: ports.clock.now() });
  const known = ports.table.writes.authorization.upsert(
    { wallet, pressId, leg, method, nonce, broadcast: true },
    ({ eq }) => `${eq("pressId", pressId)} AND ${eq("leg", leg)}`,
  );
  return { sent, writes: [makeLegWrite(ports, sent, from), known] };
}

/** A claim that is part of a stored transaction. */
export function makeSubmittedLeg(
  queuedLeg: QueuedLeg,
  sentFields: Pick<SubmittedLeg, "transaction" | "txHash" | "changedAt">,
): SubmittedLeg {
  const { relayer: _relayer, gasEstimate: _estimate, ...kept } = queuedLeg;
  return { ...kept, ...sentFields, state: "submitted", pending: "pending" };
}

/** Replaces a record if its state has not changed since it was read. */
function makeLegWrite({ table }: Pick<PaymentPorts, "table">, to: Settlement, from: Settlement): Write {
  return table.writes.settlement.put(to, ({ eq }) => {
    const same = [eq("state", from.state), eq("claim", from.claim)];
    if (from.pending !== undefined) same.push(eq("pending", from.pending));
    if (from.state === "queued") same.push(eq("claimUntil", from.claimUntil));
    return same.join(" AND ");
  });
}

/** Additional records that change in the same table transaction in which a settlement ends. */
export type EndRecords = {
  /**
   * The chain transaction with the payment, if the transaction contains no other payment. The ends of the payment and of this chain
   * transaction are recorded together.
   */
  readonly transaction?: TransactionItem | undefined;
  /** The record of this request's answer, if the answer is allowed to contain the press's text. */
  readonly answer?: AnswerRecord | undefined;
  /**
   * The cost of the service's gas for the settlement, in USDG base units. The field is missing if the service has spent no gas for the
   * settlement, or if this cost was counted before.
   */
  readonly cost?: number | undefined;
  /** The hash of our own transaction on the chain, if another party's transfer has settled the payment. */
  readonly landed?: string | undefined;
};

/**
 * queued | submitted | failed → settled: the chain has confirmed this transfer. One table transaction writes all records that change: the
 * leg's record, the transfer that has paid the leg, the press's reads and earnings, and the released key. The record of the publisher's leg
 * also shows that the press is unlocked. If the request is answered at once, the table transaction also stores the time of the answer and
 * the answer's session (invariants 3 and 5). If other writes are changing the press or the key at this moment, the press or the key is
 * written later, so that the delivery is not delayed. Returns `undefined` if another request has ended the settlement meanwhile, or if the
 * transfer has paid for another leg. Throws `settlement_pending` (`upstream`) if the table refuses every attempt for a temporary
 * reason.
 */
export async function finishLeg(
  ports: RecordPorts,
  record: QueuedLeg | SubmittedLeg | FailedLeg,
  { txHash, logIndex }: LegTransfer,
  endRecords: EndRecords = {},
): Promise<SettledLeg | undefined> {
  const { answer, cost = 0, landed = txHash } = endRecords;
  const { wallet, pressId, leg, gas: hold } = record;
  const carried = settleLegCarry(record, cost);
  const now = ports.clock.now();
  const settledAt = new Date(now).toISOString();
  const settled: SettledLeg = {
    ...pickSettledFields(record),
    state: "settled",
    txHash,
    changedAt: now,
    settledAt,
    ...(leg === "publisher" && { unlockedBy: wallet, unlockedAt: settledAt, unlockedPress: pressId }),
    ...makeListEntry(record, settledAt),
    ...(answer !== undefined && { answeredAt: settledAt }),
    ...(carried !== undefined && { carry: carried.carry }),
  };
  const end = {
    to: settled,
    landed,
    transaction: endRecords.transaction,
    booked: carried?.booked ?? 0,
    gas: { spent: carried?.own ?? 0, stays: leg === "fee" ? (carried?.carry.kept ?? 0) : 0, failed: false },
  };
  const done = await endLegRecord(ports, record, end, (entities) => ({
    transfer: ports.table.writes.transfer.create({ txHash, logIndex, wallet, pressId, leg }),
    ...(answer !== undefined && makeSessionWrites(entities, ports, wallet, answer)),
  }));
  if (done === undefined) return undefined;
  ports.meter.count({ name: "LegSettled", leg });
  if (carried !== undefined && carried.own > 0) {
    const payer = { wallet, hold, how: "settled", hasPaid: () => hasPaid(ports, record) } as const;
    await Gas.countUnpaidGas(ports, payer, carried.own);
  }
  return done;
}

function settleLegCarry(
  { leg, carry }: Pick<SettlementItem, "leg" | "carry">,
  cost: number,
): Gas.GasSplitResult | undefined {
  if (carry === undefined) return undefined;
  return leg === "fee" ? Gas.settleFeeGasSplit(carry, cost) : Gas.settleRestGasSplit(carry, cost);
}

/**
 * The fields by which a settled payment is found in lists: a fee in the list of its payer, and a payment to the publisher in the list of
 * this publisher's sales.
 */
function makeListEntry(
  { leg, wallet, publisher, pressId }: QueuedLeg | SubmittedLeg | FailedLeg,
  settledAt: string,
) {
  const listed = { listedAt: settledAt, listedPress: pressId };
  if (leg === "fee") return { listedAs: "fee", listedFor: wallet, ...listed } as const;
  return publisher === undefined ? {} : ({ listedAs: "sale", listedFor: publisher, ...listed } as const);
}

/** The failure of a settlement. */
export type LegFailure = {
  /** The code that is stored for the failure: x402's code, or `released`. */
  readonly code: string;
  /** The settlement's transaction on the chain, and the gas burned for this leg, in gas units and in USDG base units. */
  readonly landed?: { readonly txHash: string; readonly burned: bigint; readonly cost: number } | undefined;
  /**
   * Whether the authorization can no longer be charged. As long as an authorization can be charged, the service keeps checking it on the
   * chain (invariant 1).
   */
  readonly over: boolean;
  /** Whether another payment in the same transaction made this payment fail. */
  readonly byOthers?: boolean;
};

/**
 * queued | submitted → failed: the service has moved no money. The claim is released (invariant 4), and the burned gas is counted
 * (invariant 8). Returns `undefined` if another request has ended the settlement meanwhile. Throws `table_busy` (`upstream`) if
 * the table refuses every attempt for a temporary reason.
 */
export async function markLegFailed(
  ports: RecordPorts,
  record: QueuedLeg | SubmittedLeg,
  { code: failure, landed, over, byOthers = false }: LegFailure,
  transaction?: TransactionItem,
): Promise<FailedLeg | undefined> {
  const { earlier = [], leg, carry, gas: hold } = record;
  const burned = landed?.cost ?? 0;
  // The gas that was reserved with the fee stays available for another attempt of this payment, unless this attempt has burned the gas. An
  // attempt that burns the gas also uses up the part of the fee that was reserved for this gas.
  const ownDoing = burned > 0 && !byOthers;
  const ahead = hold === undefined ? (carry?.kept ?? 0) : (hold.ahead ?? 0);
  const stays = leg === "publisher" && !ownDoing ? ahead : 0;
  const failed: FailedLeg = {
    ...pickSettledFields(record),
    state: "failed",
    failure,
    changedAt: ports.clock.now(),
    ...(earlier.length > 0 && { earlier }),
    ...((!over || earlier.length > 0) && { pending: "watched" }),
    ...(carry !== undefined && {
      carry:
        leg === "fee"
          ? { ...carry, booked: 0, kept: 0, ...(carry.share !== undefined && { gas: 0 }) }
          : {
              ...carry,
              kept: stays,
              ...(ownDoing && { burned: true, fee: Math.min(carry.fee, carry.rest) }),
            },
    }),
  };
  const done = await endLegRecord(
    ports,
    record,
    {
      to: failed,
      landed: landed?.txHash,
      transaction,
      booked: leg === "fee" ? -(carry?.booked ?? 0) : 0,
      gas: { spent: burned, stays, failed: burned > 0 },
    },
    () => ({}),
  );
  if (done === undefined) return undefined;
  ports.meter.count({ name: "SettlementFailed", code: failure });
  if (burned > 0) {
    const wallet = hold === undefined ? "plain" : "contract";
    ports.meter.count({ name: "GasBurned", wallet }, Number(landed?.burned ?? 0n));
    const how = byOthers ? "by_others" : "failed";
    const payer = { wallet: record.wallet, hold, how, hasPaid: () => hasPaid(ports, record) } as const;
    await Gas.countUnpaidGas(ports, payer, burned);
  }
  return done;
}

/** Stores the payer's signatures that another party can still charge; the settlement stays `failed`. */
export async function storeSignatures(
  ports: RecordPorts,
  from: FailedLeg,
  left: readonly SignedItem[],
): Promise<boolean> {
  const { pending: _pending, earlier: _earlier, ...rest } = from;
  const earlier = left.filter((signed) => !isSameNonce(signed, from.signed));
  const next: FailedLeg = {
    ...rest,
    // The settlement is moved to the end of the queue, so that every settlement is checked in time.
    changedAt: ports.clock.now(),
    ...(left.length > 0 && { pending: "watched", earlier: [...earlier] }),
  };
  const { done } = await commit(ports, () => ({ settlement: makeLegWrite(ports, next, from) }));
  return done;
}

/**
 * The settlement stays `settled`. Adds the payment to the counts of its press exactly once, even if many requests try to add the payment
 * (invariant 3).
 */
export async function countSale(ports: RecordPorts, record: SettledLeg): Promise<boolean> {
  const { pending: _pending, ...counted } = record;
  const { done } = await commit(ports, (entities) => ({
    settlement: ports.table.writes.settlement.put(counted, ({ eq, notExists }) => {
      const answered =
        record.answeredAt === undefined ? notExists("answeredAt") : eq("answeredAt", record.answeredAt);
      return `${eq("pending", "uncounted")} AND ${answered}`;
    }),
    press: makeCountWrite(entities, record),
  }));
  return done;
}

/** A wallet that pays for its own press does not increase the number of reads of the press. */
function makeCountWrite({ press }: WriteEntities, leg: Settlement): Action {
  const { id, wallet, publisher, signed } = leg;
  const isOther = wallet !== publisher && wallet !== signed.payTo;
  return press
    .patch({ id })
    .add({
      reads: 1,
      earnedUnits: Number(signed.amount),
      ...(isOther && { otherReads: 1, readFees: computeFee(leg) }),
    })
    .commit();
}

type LegEnd<To> = {
  readonly to: To;
  /** The transaction that has paid the leg of the purchase, or our own transaction if it has reverted. */
  readonly landed: string | undefined;
  readonly transaction: TransactionItem | undefined;
  /** The amount, in USDG base units, by which the balance of the publisher's gas account changes. */
  readonly booked: number;
  /** The changes to the gas account of a wallet with code. */
  readonly gas: Gas.GasEnd;
};

async function endLegRecord<To extends SettledLeg | FailedLeg>(
  ports: RecordPorts,
  from: QueuedLeg | SubmittedLeg | FailedLeg,
  { to, landed, transaction, booked, gas: gasEnd }: LegEnd<To>,
  makeExtraWrites: (entities: WriteEntities) => Readonly<Record<string, Action | Write | undefined>>,
): Promise<To | undefined> {
  const counts = to.state === "settled" && to.leg === "publisher";
  const write = (entities: WriteEntities, record: Settlement) => ({
    settlement: makeLegWrite(ports, record, from),
    gas:
      from.gas === undefined
        ? makeKeptRelease(entities, from, gasEnd.stays, ports.clock.now())
        : Gas.releaseGas(entities, from.wallet, from.gas, gasEnd, ports.clock.now()),
    ...makeExtraWrites(entities),
  });
  const lease =
    from.state === "queued" && from.relayer !== undefined
      ? { id: from.claim, relayer: from.relayer }
      : undefined;
  const held = transaction ?? lease;
  const keyWrites = (entities: WriteEntities) =>
    held === undefined ? {} : makeEndWrites(entities, held, landed);
  const whole = await commit(
    ports,
    (entities) => ({
      ...write(entities, to),
      ...keyWrites(entities),
      press: counts ? makeCountWrite(entities, to) : undefined,
      account:
        from.carry === undefined || booked === 0
          ? undefined
          : Gas.makeBookWrite(entities, from.carry, booked, ports.clock.now()),
    }),
    "once",
  );
  if (whole.done) return to;
  if (whole.refused.has("settlement") || whole.refused.has("transfer")) return undefined;
  // Another write is changing the press, the gas account or the relayer key, or another request has leased the key. Therefore only the
  // payment's own records are written now. The press, the gas account and the key are written later.
  const record = counts ? { ...to, pending: "uncounted" as const } : to;
  const recorded = await commit(ports, (entities) => write(entities, record));
  if (!recorded.done) {
    if (recorded.refused.has("settlement") || recorded.refused.has("transfer")) return undefined;
    // The table is only busy. Nobody else has ended the payment, so the caller must not report that no money moved (invariant 1).
    throw to.state === "settled" ? makeSettlementPendingError(landed) : makeBusyError(recorded);
  }
  if (held !== undefined) await commit(ports, keyWrites);
  if (from.carry !== undefined) await Gas.bookAmount(ports, from.carry, booked);
  return record;
}

/**
 * Releases the gas that was reserved with the fee, if the payment to the publisher ends without a reserve of its own. If a payment has no
 * reserve of its own, the payment ran no code of its wallet, or another party has settled the payment.
 */
function makeKeptRelease(
  entities: WriteEntities,
  { leg, wallet, carry }: Settlement,
  stays: number,
  now: number,
): Action | undefined {
  const { day = "", kept = 0 } = carry ?? {};
  if (leg === "fee" || kept === stays) return undefined;
  const end = { spent: 0, stays, failed: false };
  return Gas.releaseGas(entities, wallet, { day, limit: kept, subjects: [] }, end, now);
}

/** The fields that a record still has when its settlement is no longer pending. */
function pickSettledFields(record: Settlement) {
  const {
    pending: _pending,
    relayer: _relayer,
    gasEstimate: _estimate,
    transaction: _transaction,
    failure: _failure,
    earlier: _earlier,
    gas: _gas,
    ...kept
  }: SettlementItem = record;
  return kept;
}

/** The record of an answer that contains the press's text. The record is stored before the answer is sent. */
export type AnswerRecord = {
  /** The session whose cookie the answer sets; `undefined` if the answer sets no cookie. */
  readonly opens: NewSession | undefined;
};

/** The table writes that open the answer's session and end a replaced session. */
function makeSessionWrites(
  entities: WriteEntities,
  { clock }: Pick<PaymentPorts, "clock">,
  wallet: string,
  { opens: opening }: AnswerRecord,
): Readonly<Record<string, Action | undefined>> {
  if (opening === undefined) return {};
  const { token, instead } = opening;
  const [session, listed] = makeOpeningWrites(
    entities,
    makeSession(clock, token, toAddress(wallet), "payment"),
  );
  const [oldSession, oldListed] = instead === undefined ? [] : makeSessionEndWrites(entities, instead);
  return { session, listed, oldSession, oldListed };
}

/**
 * The settlement stays `settled` and gets the time of its answer. Stores the time when the text was delivered, and the session that the
 * answer opens. If two requests deliver the text at the same time, exactly one of the two requests gets the result `first`. If another
 * write is changing the record, the result is `busy`, and nothing is recorded.
 */
export async function recordAnswer(
  ports: Pick<PaymentPorts, "table" | "clock">,
  { wallet, pressId, leg }: SettledLeg,
  answer: AnswerRecord,
): Promise<"first" | "before" | "busy"> {
  const answeredAt = new Date(ports.clock.now()).toISOString();
  const outcome = await commit(ports, (entities) => ({
    settlement: entities.settlement
      .patch({ wallet, pressId, leg })
      .set({ answeredAt })
      .where((item, { eq, notExists }) => `${eq(item.state, "settled")} AND ${notExists(item.answeredAt)}`)
      .commit(),
    ...makeSessionWrites(entities, ports, wallet, answer),
  }));
  if (outcome.done) return "first";
  return outcome.refused.has("settlement") ? "before" : "busy";
}

/**
 * Opens a session when the service repeats an earlier answer. If the write fails because of a concurrent write, the answer sets no cookie.
 */
export async function openSession(
  ports: Pick<PaymentPorts, "table" | "clock">,
  { wallet }: SettlementItem,
  answer: AnswerRecord,
): Promise<AnswerRecord> {
  const outcome = await commit(ports, (entities) => ({
    ...makeSessionWrites(entities, ports, wallet, answer),
  }));
  return outcome.done ? answer : { opens: undefined };
}

/**
 * Reads the newest records of the given legs of purchases, with one request for every hundred records. Records that do not exist are left
 * out.
 */
export async function readLegs(
  { table }: Pick<PaymentPorts, "table">,
  keys: readonly LegKey[],
): Promise<readonly Settlement[]> {
  if (keys.length === 0) return [];
  const { data } = await table.entities.settlement.get(keys.map(makePaymentKey)).go({ consistent: true });
  return data.map(parseSettlement);
}

/**
 * Whether the wallet has unlocked the press, which means that the wallet's payment to the publisher is settled. `pressId` is the agent id.
 * The function reads the table once, with strong consistency.
 */
export async function hasUnlockedPress(
  { table }: Pick<PaymentPorts, "table">,
  wallet: Address,
  pressId: number,
): Promise<boolean> {
  const { data } = await table.entities.settlement
    .get({ wallet, pressId, leg: "publisher" })
    .go({ consistent: true });
  return data?.state === "settled";
}

/**
 * Whether a payment of the wallet has ever been settled. A payment to a publisher is claimed only after its fee was paid. So even an
 * unfinished claim of a payment to a publisher shows that the wallet has paid a fee.
 */
export async function hasPaid(
  { table }: Pick<PaymentPorts, "table">,
  { wallet, leg }: Pick<SettlementItem, "wallet" | "leg">,
): Promise<boolean> {
  if (leg === "publisher") return true;
  const { data } = await table.entities.settlement.query.unlocks({ unlockedBy: wallet }).go({ limit: 1 });
  return data.length > 0;
}
