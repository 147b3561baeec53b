import { getAddress } from "viem/utils";
import { toAddress } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Gas from "../gas/index.ts";
import { isSameNonce, type SettledLeg } from "../record/payment.ts";

import { chooseSession, consumeSignedRead, verifyRead } from "../session/index.ts";
import { findRefusalReason, makeOwnerCall, type PayDecision, parseOwner } from "./decide.ts";
import { isSameAttempt, showsSecret } from "./judge.ts";
import { findMethod, makeBoundReason, type Payment, type TermsReason } from "./method.ts";
import type { LegStatus } from "./reconcile.ts";
import type { NoPayment, PayAttempt, PayRecords, PayRequest, PressLegs } from "./request.ts";
import type { Leg, PaymentReceipt, PaymentRequired } from "./schema.ts";
import type { PayRefusal, SettleOutcome } from "./settle.ts";
import { type AnswerRecord, openSession, type PaymentPorts, readLegs, recordAnswer } from "./settlement.ts";
import {
  type AmountDue,
  computeAmountDue,
  findLegAmount,
  makeLegUrl,
  makeNetworkId,
  makeSettlementPendingError,
  makeTerms,
  makeTextError,
  makeUnlockedError,
} from "./terms.ts";

/** The outcome of a request to pay. A refusal without terms is thrown as an AppError. */
export type PayOutcome =
  | {
      readonly kind: "terms";
      readonly terms: PaymentRequired;
      /** Whether the wallet that asks for the terms has already unlocked the press and so need not pay. */
      readonly hasText: boolean;
      /** The payment's receipt if the payment was broadcast and has failed; otherwise the field is missing. */
      readonly receipt: PaymentReceipt | undefined;
    }
  | {
      readonly kind: "paid";
      readonly receipt: PaymentReceipt;
      /** The time of the settlement, as a text in ISO 8601. */
      readonly settledAt: string;
      /**
       * Whether the leg of the purchase was paid before this request was received. If the leg was already paid, the request has charged
       * nothing.
       */
      readonly already: boolean;
      /**
       * The text of the press if the publisher's leg of the purchase is paid, and the token of a session that can read the text again. The
       * session token is missing if the caller already has a session for the text.
       */
      readonly unlocked: { readonly body: string; readonly token: string | undefined } | undefined;
    };

/**
 * Gives the text again to a wallet that has unlocked the press. The wallet proves its identity by a signed sign-in message. Each sign-in
 * message is accepted only once, and a payment in the same request is ignored. If the wallet has not unlocked the press, the request is
 * handled as if it had no sign-in message. A returned `Reason` says why the sign-in message is refused.
 */
export async function readBySignIn(
  ports: PaymentPorts,
  { leg, pressId, signIn }: PayRequest,
): Promise<PaidOutcome | TermsReason | undefined> {
  if (signIn === undefined || leg !== "publisher") return undefined;
  try {
    const reader = await verifyRead(ports, signIn, makeLegUrl(ports.settings, leg, pressId));
    const [own] = await readLegs(ports, [{ wallet: reader.wallet, pressId, leg }]);
    if (own?.state !== "settled") return undefined;
    const body = await readText(ports, own);
    await consumeSignedRead(ports, reader);
    return giveText(ports, own, { opens: undefined }, body);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "auth") throw error;
    return { code: "invalid_sign_in", error: `${error.message} Nothing was charged. Or pay by these terms.` };
  }
}

/** Makes up-to-date payment terms for a request whose payment could not be checked. */
export async function offerTerms(
  ports: PaymentPorts,
  leg: Leg,
  { reason, offered }: NoPayment,
): Promise<PayOutcome> {
  const hasText = offered.legs.publisher?.state === "settled";
  return { ...makeOffer(ports, await readAmount(ports, leg, offered), reason), hasText };
}

/**
 * Throws an error if the service must not offer the terms for a fee. A payer must not be asked to sign a fee payment that would later be
 * refused because of its gas (invariant 8).
 */
export async function requireOfferable(
  ports: PaymentPorts,
  leg: Leg,
  { agent, legs }: PressLegs,
): Promise<void> {
  if (leg === "publisher" || legs.fee?.state === "settled") return;
  await Gas.requireGasPayer(ports, agent.publisher, findLegAmount(leg, BigInt(agent.priceUnits)));
}

/**
 * The inputs for delivering a text. The inputs are read before the wallet is charged, so that no read can fail between the charge and the
 * delivery.
 */
export type DeliveryInput = { readonly answer: AnswerRecord; readonly body: string };

/** Reads the inputs for delivering the text, if the request's payment entitles its payer to the text. */
export async function prepareDelivery(
  ports: PaymentPorts,
  { first }: PayAttempt,
  verdict: PayDecision["verdict"],
): Promise<DeliveryInput | undefined> {
  if (verdict.kind === "refused" || !verdict.delivers) return undefined;
  const answer = { opens: chooseSession(ports, first.key.wallet, first.session) };
  return { answer, body: await readText(ports, first.agent) };
}

/** The answer to a request whose settlement has ended. */
export async function deliver(
  ports: PaymentPorts,
  { leg, presented, first }: PayAttempt,
  due: AmountDue,
  outcome: Exclude<SettleOutcome, { kind: "again" }> | PayRefusal,
  deliveryInput: DeliveryInput | undefined,
): Promise<PayOutcome> {
  switch (outcome.kind) {
    case "refused":
      return makeOffer(ports, due, outcome.reason);
    case "permit_bound":
      return makeOffer(ports, due, makeBoundReason(findMethod(presented.authorization)));
    case "failed":
      return makeOffer(ports, due, outcome.reason, { payer: first.key.wallet, txHash: outcome.txHash });
    case "pending":
      throw makeSettlementPendingError(outcome.txHash);
    case "settled": {
      const { settlement, answered } = outcome;
      if (leg === "fee") return makePaidOutcome(ports, settlement, false);
      if (deliveryInput === undefined) throw makeUnlockedError(ports.settings, settlement.slug);
      const { answer, body } = deliveryInput;
      return giveText(
        ports,
        settlement,
        answered ? answer : await recordLateAnswer(ports, settlement, answer),
        body,
      );
    }
  }
}

/**
 * Records that this request's answer gives the text, if another request has settled the payment. If another request of the same payer got
 * the text meanwhile, this function only opens a session for this request.
 */
async function recordLateAnswer(
  ports: PaymentPorts,
  settlement: SettledLeg,
  answer: AnswerRecord,
): Promise<AnswerRecord> {
  const recorded = await recordAnswer(ports, settlement, answer);
  if (recorded === "busy") throw makeTextError();
  return recorded === "first" ? answer : openSession(ports, settlement, answer);
}

/** Makes the current terms for a leg of the purchase. For the publisher's leg, the press's owner is read from the chain. */
async function readAmount(ports: PaymentPorts, leg: Leg, { agent, legs }: PressLegs): Promise<AmountDue> {
  const known = { priceUnits: agent.priceUnits, fee: legs.fee };
  if (leg === "fee")
    return computeAmountDue(ports.settings, leg, { ...known, owner: ports.settings.treasury });
  const call = makeOwnerCall(ports.settings.contracts.identityRegistry, agent.pressId);
  const [owner] = await ports.chain.batch([call]);
  return computeAmountDue(ports.settings, leg, { ...known, owner: parseOwner(owner) });
}

export function makeOffer(
  { settings, ids }: PaymentPorts,
  due: AmountDue,
  reason: TermsReason,
  failed?: { readonly payer: string; readonly txHash: string },
): Extract<PayOutcome, { readonly kind: "terms" }> {
  const receipt =
    failed === undefined
      ? undefined
      : {
          success: false,
          transaction: failed.txHash,
          network: makeNetworkId(settings),
          payer: getAddress(toAddress(failed.payer)),
          errorReason: reason.code,
        };
  const terms = makeTerms(settings, due, reason, ids.secret());
  return { kind: "terms", terms, hasText: false, receipt };
}

/**
 * Delivers the result of a payment that another request has settled. Anybody can read settled permits on the chain, so a settled permit
 * alone does not give access to the text. Before the first delivery, a request gets the text if it contains a secret of the paying request
 * (its payment-identifier or ticket), or an unused permit that is valid now. After the first delivery, the service gives the text only to
 * an attempt with the same payment-identifier (invariants 5 and 6).
 */
export async function deliverSettledLeg(
  ports: PaymentPorts,
  { presented }: PayAttempt,
  { settlement, before, state }: Extract<LegStatus, { kind: "paid" }>,
): Promise<PayOutcome> {
  if (settlement.leg === "fee") return makePaidOutcome(ports, settlement, before);
  const named = isSameAttempt(settlement, state.identifier, presented);
  const makeRefusal = () => makeUnlockedError(ports.settings, settlement.slug);
  if (!named) {
    if (settlement.answeredAt !== undefined) throw makeRefusal();
    if (
      !showsSecret(settlement, state.identifier, presented) &&
      !(await isUnusedPermit(ports, state, settlement, presented))
    ) {
      throw makeRefusal();
    }
  }
  const answer = { opens: chooseSession(ports, state.key.wallet, state.session) };
  const body = await readText(ports, settlement);
  const recorded = await recordAnswer(ports, settlement, answer);
  if (recorded === "busy") throw makeTextError();
  if (recorded === "first") return giveText(ports, settlement, answer, body);
  if (!named) throw makeRefusal();
  return giveText(ports, settlement, await openSession(ports, settlement, answer), body);
}

/**
 * Whether a permit was never broadcast, and would be accepted now if this leg of the purchase were still unpaid. Only the payer can know a
 * permit that was never broadcast.
 */
async function isUnusedPermit(
  ports: PaymentPorts,
  state: PayRecords,
  { leg, signed }: SettledLeg,
  presented: Payment,
): Promise<boolean> {
  if (isSameNonce(signed, presented.authorization)) return false;
  return (await findRefusalReason(ports, state, leg, presented)) === undefined;
}

type PaidOutcome = Extract<PayOutcome, { kind: "paid" }>;

function makePaidOutcome(
  { settings }: PaymentPorts,
  settlement: SettledLeg,
  wasPaidBefore: boolean,
): PaidOutcome {
  const { wallet, txHash, settledAt } = settlement;
  const receipt = {
    success: true,
    transaction: txHash,
    network: makeNetworkId(settings),
    payer: getAddress(wallet),
  };
  return { kind: "paid", receipt, settledAt, already: wasPaidBefore, unlocked: undefined };
}

function giveText(
  ports: PaymentPorts,
  settlement: SettledLeg,
  { opens }: AnswerRecord,
  body: string,
): PaidOutcome {
  return { ...makePaidOutcome(ports, settlement, false), unlocked: { body, token: opens?.token } };
}

/** The text that a reader gets for the payment to the publisher. `id`: the id of the press. */
async function readText({ table }: PaymentPorts, { id }: { readonly id: number }): Promise<string> {
  const { data } = await table.entities.body.get({ id }).go({ consistent: true });
  if (data === null) throw makeTextError();
  return data.body;
}
