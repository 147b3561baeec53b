import { AppError } from "../error.ts";
import {
  allSigned,
  authorizationOf,
  type Failed,
  type Queued,
  type Settled,
  type Settlement,
  type SettlementItem,
  type SignedItem,
  type Submitted,
  settlementIn,
} from "../record/payment.ts";
import { isErrandDue } from "../record/wallet.ts";
import { clearKeys, lookUp, sendAgain } from "../relayer/index.ts";
import { creditOthers, type Ending, endByChain, legsIn, type Released, release } from "./end.ts";
import { isNamed } from "./judge.ts";
import { type Identifier, methodOf } from "./method.ts";
import { type Asked, readState, type State } from "./request.ts";
import type { Leg } from "./schema.ts";
import { count, isSubmitted, keepWatching, type PaymentPorts, readLegs } from "./settlement.ts";
import { paymentsBusy, pending } from "./terms.ts";

/** The state of a leg for a wallet that asks to pay it. */
export type LegStatus =
  /** Another request has paid the leg. `before`: it was paid before this request came; `state`: the newest records. */
  | {
      readonly kind: "paid";
      readonly settlement: Settled;
      readonly before: boolean;
      readonly state: State;
    }
  /** The leg may be paid now; `state`: the newest records. `chargeable`: its payer's earlier signatures that others can still charge. */
  | { readonly kind: "open"; readonly state: State; readonly chargeable: readonly SignedItem[] };

/** Milliseconds between looks at a pending settlement, the most looks of a request, and the longest time. */
const pollInterval = 150;

const mostPolls = 40;

const longestWait = 10_000;

/** How often the transfer of a spent permit is searched: nodes show logs a moment later than state. */
const mostUnclear = 3;

/**
 * Ends every pending settlement of this wallet and press before a new one may begin (invariants 2, 3 and 6). Throws `conflict` `fee_first` and `payment_identifier_conflict`, `upstream` `settlement_pending` and
 * `payments_unavailable`.
 */
export async function finishUnderWay(ports: PaymentPorts, newest: State, asked: Asked): Promise<LegStatus> {
  const { leg, first, presented } = asked;
  let state = newest;
  refuseOtherPayload(state, leg, presented.identifier);
  const until = ports.clock.now() + longestWait;
  for (let poll = 0; ; poll += 1) {
    const own = state.legs[leg];
    if (own?.state === "settled") {
      return {
        kind: "paid",
        settlement: own,
        before: state === first && !isNamed(own, state.identifier, presented),
        state,
      };
    }
    const current = findUnfinished(state, leg);
    if (current === undefined) {
      const left = findFailed(state, leg);
      if (left === undefined) return open(state, leg, []);
      const credit = await creditOthers(ports, left);
      if (credit.kind === "unpaid") return open(state, leg, left === own ? credit.chargeable : []);
      if (credit.kind === "settled" && left === own) {
        return { kind: "paid", settlement: credit.settlement, before: false, state };
      }
      if (credit.kind === "unclear") {
        if (poll >= mostUnclear) throw pending(left.txHash);
        await ports.clock.sleep(2 * pollInterval);
      }
      state = await readState(ports, state.key);
      continue;
    }
    const ending = await advance(ports, current, poll === 0);
    if (ending.kind === "settled" && current === own) {
      return { kind: "paid", settlement: ending.settlement, before: false, state };
    }
    if (ending.kind === "held" || ending.kind === "pending") {
      if (poll === mostPolls || ports.clock.now() > until)
        throw ending.kind === "held" ? paymentsBusy() : pending(ending.txHash);
      await ports.clock.sleep(pollInterval);
    }
    state = await readState(ports, state.key);
  }
}

/** x402 extension payment-identifier: one name, one payload. */
function refuseOtherPayload(
  { identifier: named, key }: State,
  leg: Leg,
  identifier: Identifier | undefined,
): void {
  if (named === undefined || identifier === undefined) return;
  if (named.digest === identifier.digest && named.pressId === key.pressId && named.leg === leg) return;
  throw new AppError(
    "conflict",
    "payment_identifier_conflict",
    "This payment identifier was used for another payment. Nothing was charged: choose a new one.",
  );
}

function open(state: State, leg: Leg, chargeable: readonly SignedItem[]): LegStatus {
  if (leg === "publisher" && state.legs.fee?.state !== "settled") {
    throw new AppError("conflict", "fee_first", "Pay the platform fee first.");
  }
  return { kind: "open", state, chargeable };
}

/** The leg that must end before this one may go on: itself, or the fee that the publisher's leg waits for. */
function findUnfinished({ legs }: State, leg: Leg): Queued | Submitted | undefined {
  const waitsFor = leg === "publisher" ? [legs.publisher, legs.fee] : [legs.fee];
  return waitsFor.find((item) => item?.state === "submitted" || item?.state === "queued");
}

/** Looks at a leg that we have not charged, but whose payer's signatures others may have charged since. */
function findFailed({ legs }: State, leg: Leg): Failed | undefined {
  const waitsFor = leg === "publisher" ? [legs.publisher, legs.fee] : [legs.fee];
  return waitsFor.find((item): item is Failed => item?.state === "failed" && item.pending === "watched");
}

/** One step towards the end of a settlement; `held` while another request has it in a transaction, or is about to sign. */
async function advance(
  ports: PaymentPorts,
  item: Queued | Submitted,
  firstLook: boolean,
): Promise<Ending | Released | { readonly kind: "held" }> {
  if (item.state === "queued" && item.claimUntil < ports.clock.now()) return release(ports, item);
  if (!isSubmitted(item)) return { kind: "held" };
  try {
    const ending = await endByChain(ports, item);
    if (ending.kind === "pending" && firstLook) await sendAgain(ports, item.transaction);
    return ending;
  } catch (error) {
    // A node's fault says nothing about a sent transaction: it is pending, not refused.
    if (error instanceof AppError && error.kind === "upstream") {
      return { kind: "pending", txHash: item.txHash };
    }
    throw error;
  }
}

/** Milliseconds after which a pending settlement is left to the reconciler. */
const grace = 15_000;

/** The most settlements of a kind that a run or a look reads, the oldest first. */
const most = 100;

/** Milliseconds after which a run looks at no further settlement: a node may let every question time out. */
const longestRun = 40_000;

/** Milliseconds after which the reconciler, which runs every minute, must have ended a settlement. */
const reconciled = 150_000;

/** The result of one run. `pending` stay under way; `unknown` could not be looked at. */
export type Reconciliation = {
  readonly settled: number;
  readonly failed: number;
  readonly released: number;
  readonly pending: number;
  /** How many failed settlements have signatures that others may still charge. */
  readonly watched: number;
  /** How many settled ones this run has added to the count of their press, because that was not possible at once. */
  readonly counted: number;
  readonly unknown: number;
  /** Milliseconds that the oldest settlement still under way, or of unknown end, has waited. */
  readonly oldest: number;
};

const kinds = ["uncounted", "waiting", "pending", "watched"] as const;

/**
 * Finishes, sends again or releases every settlement that has been pending for a while (invariant 3): those of a process that
 * died, and those that the chain was slow to take. Credits failed ones that others have charged (invariant 1). It runs every
 * minute, and is safe beside requests and other runs: each step is conditional on the state that it read. Throws AggregateError
 * after the run if a settlement met an unexpected error.
 */
export async function reconcile(ports: PaymentPorts): Promise<Reconciliation> {
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
  const outcomes: Outcome[] = [];
  const defects: unknown[] = [];
  for (const item of data) {
    try {
      outcomes.push(ports.clock.now() - now > longestRun ? "unknown" : await endOne(ports, item));
    } catch (error) {
      // A settlement that meets a defect of ours must not delay the others, and the defect must be reported.
      outcomes.push("unknown");
      defects.push(error);
    }
  }
  if (ports.clock.now() - now <= longestRun) {
    await clearKeys(ports, {
      waitsFor: async (transaction) =>
        isErrandDue(transaction.intents[0] ?? "", now) ?? (await legsIn(ports, transaction)).length > 0,
    }).catch((error: unknown) => defects.push(error));
  }
  if (defects.length > 0) throw new AggregateError(defects, "Some payments could not be reconciled");
  const total = (kind: Outcome) => outcomes.filter((outcome) => outcome === kind).length;
  const waiting = data.filter((_, index) => outcomes[index] === "pending" || outcomes[index] === "unknown");
  return {
    settled: total("settled"),
    failed: total("failed"),
    released: total("released"),
    pending: total("pending"),
    watched: total("watched"),
    counted: total("counted"),
    unknown: total("unknown"),
    oldest: Math.max(0, ...waiting.map(({ changedAt }) => now - changedAt)),
  };
}

type Outcome = "settled" | "failed" | "released" | "pending" | "watched" | "counted" | "unknown" | "gone";

async function endOne(ports: PaymentPorts, found: SettlementItem): Promise<Outcome> {
  // The index lags behind the table: what counts is read from the table itself.
  const [item] = await readLegs(ports, [found]);
  if (item?.pending === undefined) return "gone";
  if (item.state === "queued" && item.claimUntil >= ports.clock.now()) return "pending";
  try {
    if (item.state === "settled") return (await count(ports, item)) ? "counted" : "gone";
    if (item.state === "queued") return (await release(ports, item)).kind;
    if (item.state === "failed") return await watch(ports, item);
    if (!isSubmitted(item)) return "gone";
    const { kind } = await endByChain(ports, item);
    if (kind === "pending") await sendAgain(ports, item.transaction);
    return kind;
  } catch (error) {
    // A settlement that cannot be read now must not delay the others; the next run comes in a minute.
    if (error instanceof AppError && error.kind === "upstream") return "unknown";
    throw error;
  }
}

/** Looks at a failed settlement until none of its signatures can be charged any more. */
async function watch(ports: PaymentPorts, item: Failed): Promise<Outcome> {
  const credit = await creditOthers(ports, item);
  if (credit.kind === "settled") return "settled";
  const left = credit.kind === "unclear" ? allSigned(item) : credit.chargeable;
  if (!(await keepWatching(ports, item, left))) return "gone";
  if (credit.kind === "unclear") return "unknown";
  return left.length > 0 ? "watched" : "gone";
}

/** The pending settlements, the oldest first. */
export type UnderWay = {
  readonly items: readonly Settlement[];
  /** Milliseconds since the oldest pending settlement has changed, 0 when none is pending. */
  readonly oldest: number;
};

/** Reads the pending settlements. This read is separate from the reconciler, so that it notices when the reconciler stops. */
export async function underWay({ table, clock }: Pick<PaymentPorts, "table" | "clock">): Promise<UnderWay> {
  const pages = await Promise.all(
    (["waiting", "pending"] as const).map((pending) =>
      table.entities.settlement.query.inFlight({ pending }).go({ limit: most, order: "asc" }),
    ),
  );
  const items = pages.flatMap(({ data }) => data.map(settlementIn));
  const now = clock.now();
  return { items, oldest: Math.max(0, ...items.map(({ changedAt }) => now - changedAt)) };
}

type SurveyPorts = Pick<PaymentPorts, "table" | "clock" | "chain" | "settings">;

/**
 * How many pending settlements are settled on the chain but not in our records, though the reconciler has had its chance: money moved and
 * nothing delivered. Must be 0. Throws `upstream` when the chain cannot say.
 */
export async function countUndelivered(ports: SurveyPorts, { items }: UnderWay): Promise<number> {
  const before = ports.clock.now() - reconciled;
  const old = items.filter(({ changedAt }) => changedAt < before).filter(isSubmitted);
  const paid = await Promise.all(old.map((item) => isPaid(ports, item)));
  // The index lags behind the table: what counts is read from the table itself.
  const now = await readLegs(
    ports,
    old.filter((_, index) => paid[index]),
  );
  return now.filter(({ pending }) => pending === "pending").length;
}

async function isPaid(ports: SurveyPorts, sent: Submitted): Promise<boolean> {
  const { receipt } = await lookUp(ports, sent.transaction);
  const authorization = authorizationOf(sent);
  return (
    receipt !== undefined && methodOf(authorization).paidBy(ports.settings, authorization, receipt).length > 0
  );
}
