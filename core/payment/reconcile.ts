import { AppError } from "../error.ts";
import {
  type FailedLeg,
  listChargeableItems,
  parseSettlement,
  type QueuedLeg,
  readAuthorization,
  type SettledLeg,
  type Settlement,
  type SettlementItem,
  type SignedItem,
  type SubmittedLeg,
} from "../record/payment.ts";
import { isErrandDue } from "../record/wallet.ts";
import { findTx, freeExpiredKeys, resendTx } from "../relayer/index.ts";
import { type ClaimEnd, creditLeg, endByChain, endClaim, type LegOutcome, listLegs } from "./end.ts";
import { isSameAttempt } from "./judge.ts";
import type { Identifier } from "./method.ts";
import { type PayAttempt, type PayRecords, readState } from "./request.ts";
import type { Leg } from "./schema.ts";
import { findProofs } from "./search.ts";
import { countSale, isSubmittedLeg, type PaymentPorts, readLegs, storeSignatures } from "./settlement.ts";
import { makeBusyError, makeSettlementPendingError } from "./terms.ts";

/** The state of a leg of a purchase when a wallet asks to pay this leg. */
export type LegStatus =
  /**
   * Another request has paid the leg of the purchase. `before`: whether the leg was paid before this request was received. `state`: the
   * newest records of the payment.
   */
  | {
      readonly kind: "paid";
      readonly settlement: SettledLeg;
      readonly before: boolean;
      readonly state: PayRecords;
    }
  /**
   * The leg of the purchase may be paid now. `state`: the newest records of the payment. `chargeable`: the payer's earlier signatures that
   * others can still charge.
   */
  | { readonly kind: "open"; readonly state: PayRecords; readonly chargeable: readonly SignedItem[] };

/**
 * The milliseconds between two checks of a pending settlement, the maximum number of checks in one request, and the maximum duration of all
 * checks in one request.
 */
const pollInterval = 150;

const mostPolls = 40;

const longestWait = 10_000;

/**
 * The maximum number of searches for the transfer that spent a permit. One search is not enough, because nodes show logs later than the
 * chain's state.
 */
const mostUnclear = 3;

/**
 * Ends every pending settlement of this wallet and press before a new settlement may begin (invariants 2, 3 and 6). Throws `fee_first` and
 * `payment_identifier_conflict` (each `conflict`), and `settlement_pending` and `payments_unavailable` (each `upstream`).
 */
export async function finishPendingLegs(
  ports: PaymentPorts,
  newest: PayRecords,
  attempt: PayAttempt,
): Promise<LegStatus> {
  const { leg, first, presented } = attempt;
  let state = newest;
  refuseOtherPayload(state, leg, presented.identifier);
  const until = ports.clock.now() + longestWait;
  for (let poll = 0; ; poll += 1) {
    const own = state.legs[leg];
    if (own?.state === "settled") {
      return {
        kind: "paid",
        settlement: own,
        before: state === first && !isSameAttempt(own, state.identifier, presented),
        state,
      };
    }
    const current = findUnfinishedLeg(state, leg);
    if (current === undefined) {
      const left = findFailedLeg(state, leg);
      if (left === undefined) return makeOpenStatus(state, leg, []);
      const credit = await creditLeg(ports, left);
      if (credit.kind === "unpaid") return makeOpenStatus(state, leg, left === own ? credit.chargeable : []);
      if (credit.kind === "settled" && left === own) {
        return { kind: "paid", settlement: credit.settlement, before: false, state };
      }
      if (credit.kind === "unclear") {
        if (poll >= mostUnclear) throw makeSettlementPendingError(left.txHash);
        await ports.clock.sleep(2 * pollInterval);
      }
      state = await readState(ports, state.key);
      continue;
    }
    const ending = await advanceSettlement(ports, current, poll === 0);
    if (ending.kind === "settled" && current === own) {
      return { kind: "paid", settlement: ending.settlement, before: false, state };
    }
    if (ending.kind === "held" || ending.kind === "pending") {
      if (poll === mostPolls || ports.clock.now() > until)
        throw ending.kind === "held" ? makeBusyError() : makeSettlementPendingError(ending.txHash);
      await ports.clock.sleep(pollInterval);
    }
    state = await readState(ports, state.key);
  }
}

/** Under x402's payment-identifier extension, one identifier belongs to exactly one payload. */
function refuseOtherPayload(
  { identifier: named, key }: PayRecords,
  leg: Leg,
  identifier: Identifier | undefined,
): void {
  if (named === undefined || identifier === undefined) return;
  if (named.digest === identifier.digest && named.pressId === key.pressId && named.leg === leg) return;
  throw new AppError(
    "conflict",
    "payment_identifier_conflict",
    "This payment identifier was used for another payment. Nothing was charged: choose a new identifier.",
  );
}

/** The status of an unpaid leg. Throws `fee_first` (`conflict`) for the publisher's leg if the fee is unpaid. */
function makeOpenStatus(state: PayRecords, leg: Leg, chargeable: readonly SignedItem[]): LegStatus {
  if (leg === "publisher" && state.legs.fee?.state !== "settled") {
    throw new AppError("conflict", "fee_first", "Pay the platform fee first.");
  }
  return { kind: "open", state, chargeable };
}

/**
 * Finds the leg whose settlement must end before this payment can continue. If the settlement of the payment's own leg is unfinished, the
 * function returns this leg. For a payment to the publisher, the result can also be the leg of the fee.
 */
function findUnfinishedLeg({ legs }: PayRecords, leg: Leg): QueuedLeg | SubmittedLeg | undefined {
  const waitsFor = leg === "publisher" ? [legs.publisher, legs.fee] : [legs.fee];
  return waitsFor.find((item) => item?.state === "submitted" || item?.state === "queued");
}

/** Finds a failed leg whose signed payments others may have settled. Before a payment to the publisher, the fee's leg is checked too. */
function findFailedLeg({ legs }: PayRecords, leg: Leg): FailedLeg | undefined {
  const waitsFor = leg === "publisher" ? [legs.publisher, legs.fee] : [legs.fee];
  return waitsFor.find((item): item is FailedLeg => item?.state === "failed" && item.pending === "watched");
}

/**
 * Makes one step towards the end of a settlement. The result is `held` if another request has put the settlement into a transaction, or is
 * about to sign a transaction that contains the settlement.
 */
async function advanceSettlement(
  ports: PaymentPorts,
  item: QueuedLeg | SubmittedLeg,
  firstLook: boolean,
): Promise<LegOutcome | ClaimEnd | { readonly kind: "held" }> {
  if (item.state === "queued" && item.claimUntil < ports.clock.now()) return endClaim(ports, item);
  if (!isSubmittedLeg(item)) return { kind: "held" };
  try {
    const ending = await endByChain(ports, item);
    if (ending.kind === "pending" && firstLook) await resendTx(ports, item.transaction);
    return ending;
  } catch (error) {
    // A node's failure says nothing about a sent transaction, so the transaction counts as pending and not as refused.
    if (error instanceof AppError && error.kind === "upstream") {
      return { kind: "pending", txHash: item.txHash };
    }
    throw error;
  }
}

/** If a pending settlement has not changed for this number of milliseconds, the reconciler works on the settlement. */
const grace = 15_000;

/** The maximum number of settlements of one kind that are read at once. The oldest settlements are read first. */
const most = 100;

/**
 * The number of milliseconds after which a run of the reconciler starts no new check of a settlement. Each call to a node may last
 * until its time-out.
 */
const longestRun = 40_000;

/** The reconciler runs every minute, and must have ended a settlement after this number of milliseconds. */
const reconciled = 150_000;

/**
 * How many settlements one run of the reconciler handled, by outcome. `pending`: the number of settlements that have not ended yet;
 * `unknown`: the number of settlements that could not be checked; `watched`: the number of failed settlements whose signatures others may
 * still charge; `counted`: the number of settled payments that this run has added to the counts of their presses, because the counts could
 * not be written when the payments were settled. `oldest`: the milliseconds since the last change of the oldest settlement that has not
 * ended or could not be checked.
 */
export type ReconcileCounts = Readonly<Record<Exclude<RunOutcome, "gone"> | "oldest", number>>;

const kinds = ["uncounted", "waiting", "pending", "watched"] as const;

/**
 * Finishes, sends again or releases every settlement that has been pending for a while (invariant 3). A settlement stays pending if the
 * process that worked on it has died, or if the chain is slow to include its transaction. The job also records a failed payment as paid if
 * somebody else has settled it (invariant 1). The job runs every minute. During a run, requests and other runs can change the same
 * settlements without harm. A step of the job is written only if the settlement still has the state from which the step started. Throws
 * AggregateError after the run if a settlement met an unexpected error.
 */
export async function reconcile(ports: PaymentPorts): Promise<ReconcileCounts> {
  const now = ports.clock.now();
  const found = await Promise.all(
    kinds.map((pending) =>
      ports.table.entities.settlement.query
        .inFlight({ pending })
        .lt({ changedAt: pending === "uncounted" ? now + 1 : now - grace })
        .go({ limit: most, order: "asc" }),
    ),
  );
  const data = found.flatMap((page) => page.data);
  const outcomes: RunOutcome[] = [];
  const defects: unknown[] = [];
  for (const item of data) {
    try {
      outcomes.push(ports.clock.now() - now > longestRun ? "unknown" : await endLeg(ports, item));
    } catch (error) {
      // A settlement that fails because of a defect of the service must not delay other settlements, and the defect must be reported.
      outcomes.push("unknown");
      defects.push(error);
    }
  }
  if (ports.clock.now() - now <= longestRun) {
    await freeExpiredKeys(ports, {
      isTransactionAwaited: async (transaction) =>
        isErrandDue(transaction.intents[0] ?? "", now) ?? (await listLegs(ports, transaction)).length > 0,
    }).catch((error: unknown) => defects.push(error));
  }
  if (defects.length > 0) throw new AggregateError(defects, "Some payments could not be reconciled");
  const countOutcomes = (kind: RunOutcome) => outcomes.filter((outcome) => outcome === kind).length;
  const waiting = data.filter((_, index) => outcomes[index] === "pending" || outcomes[index] === "unknown");
  return {
    settled: countOutcomes("settled"),
    failed: countOutcomes("failed"),
    released: countOutcomes("released"),
    pending: countOutcomes("pending"),
    watched: countOutcomes("watched"),
    counted: countOutcomes("counted"),
    unknown: countOutcomes("unknown"),
    oldest: Math.max(0, ...waiting.map(({ changedAt }) => now - changedAt)),
  };
}

type RunOutcome = "settled" | "failed" | "released" | "pending" | "watched" | "counted" | "unknown" | "gone";

async function endLeg(ports: PaymentPorts, found: SettlementItem): Promise<RunOutcome> {
  // The index lags behind the table, so the settlement's present state is read from the table itself.
  const [item] = await readLegs(ports, [found]);
  if (item?.pending === undefined) return "gone";
  if (item.state === "queued" && item.claimUntil >= ports.clock.now()) return "pending";
  try {
    if (item.state === "settled") return (await countSale(ports, item)) ? "counted" : "gone";
    if (item.state === "queued") return (await endClaim(ports, item)).kind;
    if (item.state === "failed") return await checkFailedLeg(ports, item);
    if (!isSubmittedLeg(item)) return "gone";
    const { kind } = await endByChain(ports, item);
    if (kind === "pending") await resendTx(ports, item.transaction);
    return kind;
  } catch (error) {
    // Other settlements must not wait for a settlement that cannot be read now. The next run starts within a minute, and tries again to
    // read this settlement.
    if (error instanceof AppError && error.kind === "upstream") return "unknown";
    throw error;
  }
}

/** Checks a failed settlement until its signatures can no longer be charged. */
async function checkFailedLeg(ports: PaymentPorts, item: FailedLeg): Promise<RunOutcome> {
  const credit = await creditLeg(ports, item);
  if (credit.kind === "settled") return "settled";
  const left = credit.kind === "unclear" ? listChargeableItems(item) : credit.chargeable;
  if (!(await storeSignatures(ports, item, left))) return "gone";
  if (credit.kind === "unclear") return "unknown";
  return left.length > 0 ? "watched" : "gone";
}

/** Reads the pending settlements, the oldest first. */
export type PendingLegs = {
  readonly items: readonly Settlement[];
  /** Milliseconds since the last change of the oldest pending settlement; 0 if no settlement is pending. */
  readonly oldest: number;
};

/**
 * Reads the pending settlements, and the time for which the oldest settlement has been pending. The function is separate from the
 * reconciler, so that operators notice if the reconciler has stopped.
 */
export async function readPending({
  table,
  clock,
}: Pick<PaymentPorts, "table" | "clock">): Promise<PendingLegs> {
  const pages = await Promise.all(
    (["waiting", "pending"] as const).map((pending) =>
      table.entities.settlement.query.inFlight({ pending }).go({ limit: most, order: "asc" }),
    ),
  );
  const items = pages.flatMap(({ data }) => data.map(parseSettlement));
  const now = clock.now();
  return { items, oldest: Math.max(0, ...items.map(({ changedAt }) => now - changedAt)) };
}

type SurveyPorts = Pick<PaymentPorts, "table" | "clock" | "chain" | "settings">;

/**
 * Counts the payments that are settled on the chain but still pending in the table, although the reconciler has had enough time. A payment
 * that is counted here has moved money and delivered nothing, so the count must be 0. Throws `upstream` if the chain does not answer.
 */
export async function countUndelivered(ports: SurveyPorts, { items }: PendingLegs): Promise<number> {
  const before = ports.clock.now() - reconciled;
  const old = items.filter(({ changedAt }) => changedAt < before).filter(isSubmittedLeg);
  const paid = await Promise.all(old.map((item) => isLegPaid(ports, item)));
  // The index lags behind the table, so the settlements found on the chain are now read from the table itself.
  const now = await readLegs(
    ports,
    old.filter((_, index) => paid[index]),
  );
  return now.filter(({ pending }) => pending === "pending").length;
}

async function isLegPaid(ports: SurveyPorts, sent: SubmittedLeg): Promise<boolean> {
  const { receipt } = await findTx(ports, sent.transaction);
  return receipt !== undefined && findProofs(readAuthorization(sent), receipt).length > 0;
}
