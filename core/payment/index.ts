import { AppError } from "../error.ts";
import { decide, findAmountDue, inspectPayment, type PayDecision } from "./decide.ts";
import {
  deliver,
  deliverSettledLeg,
  makeOffer,
  offerTerms,
  type PayOutcome,
  prepareDelivery,
  readBySignIn,
  requireOfferable,
} from "./deliver.ts";
import { findMethod, makeSignatureReason } from "./method.ts";
import { finishPendingLegs } from "./reconcile.ts";
import { type PayAttempt, type PayRequest, type PressLegs, readRequest, readState } from "./request.ts";
import type { Leg } from "./schema.ts";
import { settle } from "./settle.ts";
import type { PaymentPorts } from "./settlement.ts";
import { makeBusyError } from "./terms.ts";

export type { PayOutcome } from "./deliver.ts";
export { rewordForArguments } from "./method.ts";
export { countUndelivered, type PendingLegs, readPending, reconcile } from "./reconcile.ts";
export { type FoundPayment, findPrice, leftBecause, type RepairRun, repair } from "./repair.ts";
export type { PayRequest } from "./request.ts";
export { findAgent } from "./request.ts";
export type { PaymentPorts } from "./settlement.ts";
export { hasUnlockedPress, readLegs } from "./settlement.ts";
export * from "./terms.ts";

/**
 * The maximum number of times that the examination of a payment is repeated. The examination is repeated if the payment or the payer's
 * pending settlements have changed during a wait.
 */
const mostRounds = 8;

/**
 * Handles a request to pay one leg of a purchase (specification §4.4, design §4). Offers payment terms, or settles the signed payment at
 * most once and delivers what was paid for.
 *
 * Throws `unknown_press` (`missing`); `fee_first`, `press_unlisted` and `already_unlocked` (each `conflict`); `settlement_pending` with the
 * transaction, `payments_unavailable`, `chain_unavailable`, `table_busy` and `text_unavailable` (each `upstream`); and `wallet_gas_limit`
 * (`limit`).
 */
export async function pay(ports: PaymentPorts, request: PayRequest): Promise<PayOutcome> {
  const again = await readBySignIn(ports, request);
  if (again !== undefined && "kind" in again) return again;
  const asked = await readRequest(ports, request, again);
  const outcome = await (asked.kind === "unasked"
    ? offerTerms(ports, request.leg, asked)
    : handlePayment(ports, asked));
  const offered = asked.kind === "unasked" ? asked.offered : asked.first;
  const isOffer = outcome.kind === "terms" && outcome.receipt === undefined;
  if (isOffer) requireListed(request.leg, offered);
  if (isOffer) await requireOfferable(ports, request.leg, offered);
  return outcome;
}

/**
 * For an unlisted press, no new fee is offered or accepted. A payer who has already paid the fee can complete the purchase of an unlisted
 * press, and a payment that somebody else has settled still counts. Throws `press_unlisted` (`conflict`).
 */
function requireListed(leg: Leg, { agent, legs }: PressLegs, verdict?: PayDecision["verdict"]): void {
  if (leg === "publisher" || agent.unlistedAt === undefined || legs.fee?.state === "settled") return;
  if (verdict?.kind === "refused" || (verdict?.transfers.length ?? 0) > 0) return;
  throw new AppError(
    "conflict",
    "press_unlisted",
    "The author has taken this article off sale. Nothing was charged.",
  );
}

/** Ends the payer's unfinished settlements, checks the payment, records the result, and delivers the text. */
async function handlePayment(ports: PaymentPorts, asked: PayAttempt): Promise<PayOutcome> {
  const { leg, presented, first } = asked;
  // A wallet's code is asked about the signature before any answer reveals something about the payer.
  const codeSeen = presented.byKey ? undefined : await inspectPayment(ports, leg, first, presented);
  if (codeSeen?.signedByContract === false) {
    const isUndeployed = presented.wrapped === true && codeSeen.code === "0x";
    const reason = makeSignatureReason(findMethod(presented.authorization), isUndeployed);
    return makeOffer(ports, findAmountDue(ports, leg, first, codeSeen), reason);
  }
  let state = first;
  for (let round = 0; round < mostRounds; round += 1) {
    const status = await finishPendingLegs(ports, state, asked);
    if (status.kind === "paid") return deliverSettledLeg(ports, asked, status);
    const decided = await decide(ports, asked, status, codeSeen);
    if (decided !== "again") {
      requireListed(leg, state, decided.verdict);
      const prepared = await prepareDelivery(ports, asked, decided.verdict);
      const ending = await settle(ports, asked, decided, prepared?.answer);
      if (ending.kind !== "again") return deliver(ports, asked, decided.due, ending, prepared);
    }
    state = await readState(ports, first.key);
  }
  throw makeBusyError(new Error("The facts by which this payment is checked keep changing"));
}
