import type { Hex } from "../chain/hex.ts";
import { appendPurpose, type Call, type PayPurpose } from "../chain/order.ts";
import { AppError } from "../error.ts";
import * as Gas from "../gas/index.ts";
import { poll } from "../port/clock.ts";
import { findDay } from "../quota/index.ts";
import {
  type Authorization,
  type LegTransfer,
  makePaymentKey,
  makePaymentName,
  type QueuedLeg,
  readAuthorization,
  readSignature,
  type Settlement,
  type SettlementItem,
  type SignedItem,
  type SubmittedLeg,
  type WaitingLeg,
} from "../record/payment.ts";
import { sendIntent as carryOut, type IntentOutcome, type Records } from "../relayer/index.ts";
import type { PayDecision } from "./decide.ts";
import {
  endByChain,
  endByReceipt,
  finishAsPaid,
  isTransactionAwaited,
  type LegOutcome,
  releaseLeg,
} from "./end.ts";
import type { Inspection } from "./judge.ts";
import {
  findMethod,
  findReason,
  type Identifier,
  type Method,
  type SignedPayment,
  type TermsReason,
} from "./method.ts";
import { type PayAttempt, type PayRecords, parseLeg, readState } from "./request.ts";
import type { Leg } from "./schema.ts";
import {
  type AnswerRecord,
  type ClaimOutcome,
  claimLeg,
  hasPaid,
  isSubmittedLeg,
  leaseClaim,
  makeSubmittedLeg,
  makeSubmittedWrites,
  markLegFailed,
  type PaymentPorts,
  readLegs,
} from "./settlement.ts";
import { findCurrentPrice, makeBusyError } from "./terms.ts";

type SettleOrder = {
  readonly leg: Leg;
  readonly payment: SignedPayment;
  readonly found: Inspection;
  /** The transfers by which another party has settled this authorization. */
  readonly proofs: readonly LegTransfer[];
  /** The payer's earlier signatures for the same leg of the purchase. Others can still use these signatures to charge the payer. */
  readonly chargeable: readonly SignedItem[];
  /**
   * The identifier and the ticket of this attempt, if they may be stored with the payment. Identifiers and tickets are never written to the
   * chain.
   */
  readonly identifier: Identifier | undefined;
  readonly ticket: Hex | undefined;
  /** The record of this request's answer, if the answer is allowed to contain the press's text. */
  readonly answer: AnswerRecord | undefined;
  /** The gas reserve for the payment of a wallet with code. The payment was already simulated with the relayer in `found`. */
  readonly gas: Gas.GasHold | undefined;
  /** The party that pays for the gas of the purchase. */
  readonly carry: Gas.GasSplit;
};

/** The outcome of a settlement that this request itself has carried out. */
export type SettleOutcome =
  | LegOutcome
  | Extract<ClaimOutcome, { kind: "permit_bound" }>
  /** No transaction was sent, and the records or the chain may have changed, so the payment must be judged again. */
  | { readonly kind: "again" };

/** The payment was refused before a claim was made for it. */
export type PayRefusal = { readonly kind: "refused"; readonly reason: TermsReason };

/**
 * Settles a payment that has passed all checks. The payment is either sent through the outbox, or recorded with the transfers by which
 * another party has settled it. `answer`: the record of this request's answer, if the answer is allowed to contain the press's text. Throws
 * `payments_unavailable` (`upstream`) if no key with gas becomes free; nothing is broadcast in this case. For a wallet with code, also
 * throws the errors of `admitLeg`.
 */
export async function settle(
  ports: PaymentPorts,
  { leg, presented, first }: PayAttempt,
  { state, chargeable, payment, found, verdict }: PayDecision,
  answer: AnswerRecord | undefined,
): Promise<SettleOutcome | PayRefusal> {
  if (verdict.kind === "refused") return verdict;
  const { transfers: proofs, delivers } = verdict;
  const isPaid = proofs.length > 0;
  const carry = computeCarry(ports, leg, state, payment, found, isPaid);
  const admission = isPaid
    ? makeAdmission({ ...carry, booked: leg === "fee" ? 0 : carry.booked })
    : await checkGas(ports, leg, state, payment, found, carry);
  if (admission.kind === "refused") return admission;
  // A request may contain a permit that its sender has copied from the chain. The identifier and the ticket of a request with a copied
  // permit are not stored.
  const names = delivers || leg === "fee" ? presented : undefined;
  const order: SettleOrder = {
    leg,
    payment,
    found,
    proofs,
    chargeable,
    answer,
    identifier: names?.identifier,
    ticket: names?.ticket,
    gas: admission.hold,
    carry: admission.carry,
  };
  if (chargeable.length > mostEarlier) {
    throw makeBusyError(new Error("Too many payments of this wallet for one leg can still be charged"), 30);
  }
  if (isPaid) return creditLegAtOnce(ports, state, order);
  const preferred = found.relayer.address;
  // The code of a wallet can burn any amount of gas on the chain, so the payment of a wallet with code gets a separate transaction.
  const own = makeRecords(ports, state, order, order.gas === undefined);
  const ending = await carryOut(ports, own, { keys: state.keys, preferred });
  if (ending.kind !== "failed" || !ending.byOthers) return ending;
  // A payment that has failed in a shared transaction is sent in a separate transaction the next time, so that it cannot cause other
  // payments to fail.
  const newest = await readState(ports, first.key);
  if (newest.legs[leg]?.claim !== own.last()?.claim) return { kind: "again" };
  return carryOut(ports, makeRecords(ports, newest, order, false), { keys: newest.keys, preferred });
}

/** The entry in the table's index for a payment that waits for a transaction. */
type ListedLeg = Pick<SettlementItem, "wallet" | "pressId" | "leg" | "claim"> & { readonly account: string };

/** The records that are needed while the outbox sends a payment. `last`: the record of the payment, as this request has last read it. */
function makeRecords(ports: PaymentPorts, state: PayRecords, order: SettleOrder, shares: boolean) {
  const { found, leg, answer } = order;
  let last = state.legs[leg];
  const makeCall = (queued: QueuedLeg) =>
    makeSettleCall(readAuthorization(queued), readSignature(queued.signed), queued);
  const records: Records<QueuedLeg, SubmittedLeg, SettleOutcome, ListedLeg> & {
    last(): Settlement | undefined;
  } = {
    last: () => last,
    async claim(lease, hasWaited) {
      if (hasWaited) await recheckBudget(ports, order);
      const held = { lease, gasEstimate: shares ? readGas(found) : undefined };
      const outcome = await claimLeg(ports, { ...makeClaimInput(state, order), ...held, last });
      switch (outcome.kind) {
        case "queued":
          last = outcome.settlement;
          return { kind: "claimed", item: outcome.settlement };
        case "relayer_taken":
          return { kind: "key_taken" };
        case "gas_refused":
          await recheckBudget(ports, order);
          throw Gas.makePendingLimitError();
        case "price_refused":
          throw Gas.makePriceBelowGasError(ports.clock.now());
        case "contended":
          // Another request of this payer has already claimed another payment. Two permits that are both valid for one leg of the purchase
          // could both be charged (invariant 1).
          return { kind: "ended", ending: { kind: "again" } };
        case "permit_bound":
          return { kind: "ended", ending: outcome };
      }
    },
    async makeIntent(queued, sender) {
      const intent = {
        call: makeCall(queued),
        gas: readGas(found),
        gasPrice: found.gasPrice,
        asked: found.relayer,
      };
      // A wallet's contract may behave differently for different senders, so the payment is simulated again with the new relayer.
      const isForeign = order.gas !== undefined && sender !== found.relayer.address;
      const sending = { ...intent, relayer: sender, block: found.block };
      const revert = isForeign ? await Gas.simulateSettlement(ports, intent.call, sending) : undefined;
      if (revert !== undefined)
        throw new Error(`The payment reverts if another relayer sends it: ${revert.data}`);
      return intent;
    },
    nameOf: makePaymentName,
    stored: (_, queued, sentIn) => makeSubmittedWrites(ports, queued, sentIn),
    async release(queued) {
      const failed = await markLegFailed(ports, queued, { code: "released", over: false });
      if (failed !== undefined && queued.claim === last?.claim) last = failed;
      return failed !== undefined;
    },
    land: (sent, landing) => endLegByOutcome(ports, sent, landing, answer),
    async handleUnsent(why, cause) {
      if (why === "unfit") return { kind: "again" };
      if (why === "no_gas") throw makeBusyError(new Error("No relayer has gas left"), 30);
      if (why !== "held")
        throw makeBusyError(
          cause ?? new Error("The claim has expired, or other requests keep changing the transaction"),
        );
      ports.meter.count({ name: "RelayersBusy" });
      // The wait has a random part, so that many refused clients do not all try again at the same moment.
      throw makeBusyError(new Error("All relayers are in use"), 2 + ports.ids.pick(5));
    },
    follow: (queued, landing) => findLegOutcome(ports, queued, landing, answer),
    isTransactionAwaited: (transaction) => isTransactionAwaited(ports, transaction),
    crowd: shares
      ? {
          waiting: (queued, most) => listWaitingLegs(ports, queued, most),
          async listStillWaiting(listed) {
            const now = ports.clock.now();
            return (await readLegs(ports, listed))
              .filter(isWaitingLeg)
              .filter(({ claimUntil }) => claimUntil >= now);
          },
          loadOf: (queued) => ({
            call: makeCall(queued),
            gas: queued.gasEstimate === undefined ? readGas(found) : BigInt(queued.gasEstimate),
            payer: findMethod(queued.signed).asksCode(queued.gas === undefined) ? queued.wallet : undefined,
          }),
          get: (queued) => ports.table.gets.settlement(makePaymentKey(queued)),
          readWaitState(queued, storedItem) {
            const item = parseLeg(ports, storedItem);
            if (item?.claim !== queued.claim) return "gone";
            if (item.state === "queued") return "waits";
            return isSubmittedLeg(item) ? { transaction: item.transaction } : "gone";
          },
          leased: (_, queued, lease) => leaseClaim(ports, queued, lease),
        }
      : undefined,
  };
  return records;
}

function isWaitingLeg(item: Settlement): item is WaitingLeg {
  return item.state === "queued" && item.pending === "waiting";
}

/**
 * Lists the waiting payments of other wallets that can share a transaction with this payment, the oldest first. A transaction contains only
 * one payment per wallet, so each transfer in its logs belongs to exactly one payment (invariant 9).
 */
async function listWaitingLegs(
  ports: PaymentPorts,
  own: QueuedLeg,
  most: number,
): Promise<readonly ListedLeg[]> {
  const permitsShare = await Gas.mayShareTx(ports);
  const shares = ({ signed }: Pick<SettlementItem, "signed">) => permitsShare || signed.method !== "permit2";
  if (!shares(own)) return [];
  const { data } = await ports.table.entities.settlement.query
    .inFlight({ pending: "waiting" })
    .go({ limit: most, order: "asc", attributes: ["wallet", "pressId", "leg", "claim", "signed"] });
  return data
    .filter(shares)
    .filter(({ wallet }) => wallet !== own.wallet)
    .map((listed) => ({ ...listed, account: listed.wallet }));
}

/**
 * Ends a payment according to the outcome of its transaction. If a node fails after the broadcast, the outcome of the payment counts as
 * unknown (invariant 2).
 */
async function endLegByOutcome(
  ports: PaymentPorts,
  sent: SubmittedLeg,
  txOutcome: IntentOutcome,
  answer: AnswerRecord | undefined,
): Promise<LegOutcome> {
  const { transaction } = txOutcome;
  if (txOutcome.kind === "pending") return makePendingOutcome(sent);
  const ending = await endOrKeepPending(sent, () =>
    txOutcome.kind === "rejected"
      ? releaseLeg(ports, sent, transaction)
      : endByReceipt(ports, sent, txOutcome.receipt, { transaction, answer }),
  );
  const refused = txOutcome.kind === "rejected" && ending.kind === "failed" && !ending.byOthers;
  if (refused) throw makeBusyError(new Error("The sequencer has rejected the transaction"), 30);
  return ending;
}

const makePendingOutcome = ({ txHash }: SubmittedLeg) => ({ kind: "pending", txHash }) as const;

async function endOrKeepPending(own: SubmittedLeg, end: () => Promise<LegOutcome>): Promise<LegOutcome> {
  try {
    return await end();
  } catch (error) {
    if (error instanceof AppError && error.kind === "upstream") return makePendingOutcome(own);
    throw error;
  }
}

/**
 * The number of checks of a payment that another request has sent, and the milliseconds between two checks. One check is not enough,
 * because a node may lag.
 */
const followLooks = 10;
const followPause = 300;

/** Finds the outcome of a waiting payment that another request has taken into its transaction. */
async function findLegOutcome(
  ports: PaymentPorts,
  queued: QueuedLeg,
  txOutcome: IntentOutcome | undefined,
  answer: AnswerRecord | undefined,
): Promise<SettleOutcome> {
  if (txOutcome !== undefined) {
    const { id, hashes } = txOutcome.transaction;
    const sentIn = { transaction: id, txHash: hashes[0] ?? "", changedAt: queued.changedAt };
    return endLegByOutcome(ports, makeSubmittedLeg(queued, sentIn), txOutcome, answer);
  }
  const [item] = await readLegs(ports, [queued]);
  if (item === undefined || item.claim !== queued.claim) return { kind: "again" };
  if (item.state === "settled") return { kind: "settled", settlement: item, answered: false };
  if (!isSubmittedLeg(item)) return { kind: "again" };
  const looks = { tries: followLooks, pauseMs: followPause };
  const ended = await poll(ports.clock, looks, async () => {
    const ending = await endOrKeepPending(item, () => endByChain(ports, item, answer));
    return ending.kind === "pending" ? undefined : ending;
  });
  return ended ?? makePendingOutcome(item);
}

/** The maximum gas cost of one leg of a purchase, in USDG base units. */
function computeMaximumCost(inspection: Inspection): number {
  return Gas.computeCost(Gas.findGasLimit(readGas(inspection)), inspection);
}

/** The estimated gas units of the payment's settlement. */
function readGas({ simulation }: Inspection): bigint {
  if (simulation.kind !== "ok") throw new TypeError("A payment that would revert was about to be sent");
  return simulation.gas;
}

function makeClaimInput({ agent, legs }: PayRecords, order: SettleOrder) {
  const { leg, payment, identifier, ticket, gas, chargeable: earlier, found, carry } = order;
  const { authorization, signature } = payment;
  const price = findCurrentPrice(agent.priceUnits, leg === "fee" ? undefined : legs.fee);
  const priced = { ...agent, priceUnits: String(price) };
  const { block } = found;
  return { agent: priced, leg, authorization, signature, identifier, ticket, gas, carry, earlier, block };
}

/**
 * The record of a leg of a purchase stores at most this number of earlier signatures that another party may still charge. The record of a
 * leg has space for only a few signatures.
 */
const mostEarlier = 8;

/** Checks the gas budgets again for a payment that has waited for a relayer. */
async function recheckBudget(
  ports: PaymentPorts,
  { payment, leg, gas: hold, found }: SettleOrder,
): Promise<void> {
  if (hold === undefined) return;
  const wallet = payment.authorization.from;
  const most = computeMaximumCost(found);
  await Gas.requireBudget(ports, { wallet, hold, most, hasPaid: () => hasPaid(ports, { wallet, leg }) });
}

/** Ends the claim as settled, because another party's transfer has settled the authorization (invariant 1). */
async function creditLegAtOnce(
  ports: PaymentPorts,
  state: PayRecords,
  order: SettleOrder,
): Promise<SettleOutcome> {
  const { payment, proofs, answer, leg } = order;
  const nothing = { lease: undefined, gasEstimate: undefined };
  const claimed = await claimLeg(ports, {
    ...makeClaimInput(state, order),
    ...nothing,
    last: state.legs[leg],
  });
  if (claimed.kind === "permit_bound") return claimed;
  if (claimed.kind !== "queued") return { kind: "again" };
  const credited = await finishAsPaid(ports, claimed.settlement, proofs, { answer });
  if (credited !== undefined) {
    return { kind: "settled", settlement: credited, answered: answer !== undefined };
  }
  await markLegFailed(ports, claimed.settlement, {
    code: findMethod(payment.authorization).codes.nonce,
    over: true,
  });
  return { kind: "permit_bound" };
}

/** The call that settles the authorization, together with the press and the leg that the authorization pays for. */
function makeSettleCall(authorization: Authorization, signature: Hex, purpose: PayPurpose): Call {
  return appendPurpose(findMethod(authorization).call(authorization, signature), purpose);
}

/** Decides who pays for the gas of the purchase. The payment of the fee reserves gas for both payments of the purchase. */
function computeCarry(
  { clock }: PaymentPorts,
  leg: Leg,
  { agent, legs }: PayRecords,
  { authorization }: SignedPayment,
  found: Inspection,
  isPaid: boolean,
): Gas.GasSplit {
  const read = {
    ...Gas.makeAccount(agent.publisher, clock.now()),
    gas: isPaid ? undefined : readGas(found),
    hasCode: found.code !== "0x",
    rate: found,
  };
  if (leg === "fee") return Gas.makeGasSplit({ ...read, fee: authorization.amount });
  const fee = BigInt(legs.fee?.signed.amount ?? 0);
  return Gas.makeRestGasSplit(legs.publisher?.carry ?? legs.fee?.carry, { ...read, fee });
}

/** A payment that runs no code of its payer needs no gas reserve, and a payment that only records another party's transfer burns no gas. */
function makeAdmission(carry: Gas.GasSplit): Admission {
  return { kind: "admitted", hold: undefined, carry };
}

/**
 * Checks whether the service may send a payment to the chain at its own cost (invariant 8). For a wallet with code, also calculates the gas
 * to reserve.
 */
async function checkGas(
  ports: PaymentPorts,
  leg: Leg,
  { agent, burned }: PayRecords,
  payment: SignedPayment,
  inspection: Inspection,
  carry: Gas.GasSplit,
): Promise<Admission> {
  const { maxPrice } = Gas.readGasLimits(ports.settings);
  const { gasPrice } = inspection;
  if (gasPrice > maxPrice)
    throw makeBusyError(new Error(`Gas costs ${gasPrice} wei, more than ${maxPrice}`), 30);
  if (inspection.code !== "0x")
    return admitLeg(ports, { pressId: agent.pressId, leg }, payment, inspection, carry);
  if (leg === "fee" || !Gas.isGasReserved(carry, readGas(inspection), inspection)) {
    Gas.requirePlainBudget(ports, burned);
  }
  return makeAdmission(carry);
}

/** Whether the service may send a payment to the chain, and who then pays for the payment's gas. */
type Admission =
  | {
      readonly kind: "admitted";
      readonly hold: Gas.GasHold | undefined;
      readonly carry: Gas.GasSplit;
    }
  /** The payment would fail on the chain. */
  | PayRefusal;

/**
 * Simulates the payment of a wallet with code, and checks that the gas budgets suffice. For a payment of the fee, the budgets must suffice
 * for both payments of the purchase. Throws `wallet_gas_limit` (`limit`) and `payments_unavailable` (`upstream`) in the same cases as
 * `requireBudget`.
 */
async function admitLeg(
  ports: PaymentPorts,
  purpose: PayPurpose,
  payment: SignedPayment,
  inspection: Inspection,
  carry: Gas.GasSplit,
): Promise<Admission> {
  const { gasPrice, block, code, relayer } = inspection;
  const { from: wallet } = payment.authorization;
  const { leg } = purpose;
  const gas = readGas(inspection);
  const contract = { wallet, code, call: makeSettleCall(payment.authorization, payment.signature, purpose) };
  const { revert, subjects } = await Gas.simulateAndTrace(ports, contract, { relayer, gas, gasPrice, block });
  if (revert !== undefined)
    return { kind: "refused", reason: findRefusal(findMethod(payment.authorization), revert) };
  const most = computeMaximumCost(inspection);
  const today = findDay(ports.clock.now()).name;
  const admit = async (hold: Gas.GasHold, about: Gas.GasSplit): Promise<Admission> => {
    await Gas.requireBudget(ports, { wallet, hold, most, hasPaid: () => hasPaid(ports, { wallet, leg }) });
    return { kind: "admitted", hold, carry: about };
  };
  if (leg === "fee") {
    // A failed payment of the fee costs at most the gas limit of its transaction. A settled fee also pays for a part of the gas that the
    // payment to the publisher uses.
    const about = { ...carry, kept: Gas.computeRestCost(gas, inspection) };
    return admit({ day: today, limit: most + Gas.computeKept(about), subjects }, about);
  }
  const { kept = 0, day } = carry;
  const reserved = Gas.isGasReserved(carry, gas, inspection);
  // If the reserve does not cover a payment's gas, the gas allowance of the payment's own day applies.
  if (kept === 0 || (!reserved && day !== today)) {
    return admit({ day: today, limit: most, ...(reserved && { reserved }), subjects }, carry);
  }
  const limit = Math.max(most, kept);
  return admit({ day, limit, ahead: kept, ...(reserved && { reserved }), subjects }, carry);
}

function findRefusal(method: Method, { data }: Gas.Revert): TermsReason {
  const name = method.revertName(data);
  // The nonce was unspent at the last check and is spent now, so another request or another party has settled the payment. The client's
  // next request will show who has settled the payment.
  if (name === method.spentRevert)
    throw makeBusyError(new Error("The permit was spent after it was checked"));
  if (name !== undefined) return findReason(method, name);
  return {
    code: method.codes.simulation,
    error:
      "The payment would fail on the chain: the wallet's contract or the token would refuse it. Nothing was charged.",
  };
}
