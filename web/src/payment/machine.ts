import { isSameAddress } from "../api/request.ts";
import {
  goesOnOnline,
  makeRefusalProblem,
  makeServiceProblem,
  type PayAnswer,
  type Problem,
} from "./answer.ts";
import {
  computeLegPrice,
  computePrice,
  type Leg,
  type LegRecord,
  legs,
  type PurchaseRecord,
  type SignedRecord,
} from "./purchase.ts";
import { type Funds, makeInitialState, type PayEvent, type PayPhase, type PayState } from "./state.ts";

/**
 * Computes the state of a payment after an event.
 *
 * If an event does not belong to the current phase, it came too late, and the state does not change. The publisher's part of the price is
 * signed and sent before the fee. If the fee is already paid, even from another browser, the service accepts the publisher's part. If the
 * fee is not paid, the service charges nothing and answers that the fee must be paid first. If the fee must be paid first, the page stores
 * the signature for the publisher's part until the fee is signed and paid. Because of this order, the reader pays no part twice, and no
 * money moves before every unpaid part is signed.
 */
export function applyEvent(state: PayState, event: PayEvent): PayState {
  const { phase } = state;
  switch (event.type) {
    case "start": {
      if (!["idle", "read", "unlocked"].includes(phase.name)) return state;
      const purchase = { ...state.purchase, priceUnits: event.priceUnits };
      // A finished purchase belongs to its wallet, and another wallet may buy next in this tab.
      const isFinished = phase.name !== "idle" && findOpenLeg(state) === undefined;
      const before = isFinished ? makeInitialState(purchase) : state;
      return goTo({ ...before, purchase, way: undefined }, { name: "entering" });
    }
    case "leave":
      return mayLeave(phase) ? goTo({ ...state, way: undefined }, { name: "idle" }) : state;
    case "change_wallet":
      return mayChangeWallet(state)
        ? goTo({ ...state, connected: false, way: undefined }, { name: "connect" })
        : state;
    case "retry":
      return phase.name === "stopped" ? goTo(state, phase.back) : state;
    case "failed":
      return hasTask(phase) ? applyProblem(state, event.problem) : state;
    case "entered":
      return isEntryPhase(phase) ? enterPayment(state, event.record) : state;
    case "elsewhere":
      return phase.name === "entering" ? followOtherTab(state, event.record) : state;
    case "seen": {
      const { wallet, doing } = event;
      return phase.name === "following"
        ? goTo({ ...state, wallet, legs: event.legs, connected: false }, { name: "following", doing })
        : state;
    }
    case "finished":
      return isEntryPhase(phase) ? goTo(state, { name: "read", text: event.text }) : state;
    case "no_wallet":
      return phase.name === "finding" ? goTo(state, { name: "connect" }) : state;
    case "connected":
      return phase.name === "finding" || phase.name === "connect" ? applyWallet(state, event) : state;
    case "funds":
      return phase.name === "funds" ? applyFunds({ ...state, funds: event.funds }, event.funds) : state;
    case "planned":
      return phase.name === "plan" ? startNextStep({ ...state, way: event.way }) : state;
    case "on_chain":
      return phase.name === "network" ? continueOnChain(state) : state;
    case "approval_sent":
      return phase.name === "approve"
        ? { ...goTo(state, { name: "approving", tx: event.tx }), approval: event.tx }
        : state;
    case "approval_mined":
      return phase.name === "approving" ? applyApproval(state, event.funds) : state;
    case "offered":
      return phase.name === "terms" ? applyTerms(state, phase, event) : state;
    case "agree":
      return phase.name === "review" ? goTo(state, { ...phase, name: "sign" }) : state;
    case "signed":
      return phase.name === "sign" ? applySignature(state, phase.leg, event) : state;
    case "answered":
      return phase.name === "send" ? applyAnswer(state, phase, event.answer, event.at) : state;
    case "waited":
      return phase.name === "pending"
        ? goTo(state, { name: "send", leg: phase.leg, tries: phase.tries })
        : state;
  }
}

/**
 * An amount that differs from the agreed amount is shown to the reader before anything is signed, with the new price of the press. Both
 * parts are signed together only if the reader has seen the amounts of both parts.
 */
function applyTerms(
  state: PayState,
  { leg, agreed }: Extract<PayPhase, { name: "terms" }>,
  { terms, fee }: Extract<PayEvent, { type: "offered" }>,
): PayState {
  const { amount } = terms.accepted;
  const isAsShown = leg === "fee" || amount === computeLegPrice(state.purchase, "publisher");
  if (amount !== agreed || !isAsShown) {
    const purchase = { ...state.purchase, priceUnits: findPrice(state, leg, amount) };
    const now = dropUnfitSignature({ ...state, purchase });
    const former = state.legs.publisher?.amount;
    return now.legs.publisher === undefined && former !== undefined
      ? goTo(now, { name: "terms", leg: "publisher", agreed: former })
      : goTo(now, { name: "review", leg, terms, agreed });
  }
  const asShown = fee?.accepted.amount === computeLegPrice(state.purchase, "fee") ? fee : undefined;
  return goTo(state, { name: "sign", leg, terms, fee: asShown });
}

/**
 * Finds the whole price from the offered amount of one part. If the publisher's part is signed, the sum of both parts is the exact price,
 * unless the price has changed since the signature.
 */
function findPrice({ legs: { publisher } }: PayState, leg: Leg, amount: string): string {
  const sum = String(BigInt(amount) + BigInt(publisher?.amount ?? 0));
  const isSum = leg === "fee" && computeLegPrice({ priceUnits: sum }, "fee") === amount;
  return isSum && publisher !== undefined ? sum : computePrice(amount, leg);
}

/**
 * Discards a signature for the publisher's part if the signed amount no longer fits the price. If such a signature were kept, the fee would
 * be charged, and the service would then refuse the publisher's part.
 */
function dropUnfitSignature(state: PayState): PayState {
  const { fee, publisher } = state.legs;
  const isFit =
    publisher?.state !== "ready" || publisher.amount === computeLegPrice(state.purchase, "publisher");
  return isFit || isSentLeg(fee) ? state : { ...state, legs: { fee: undefined, publisher: undefined } };
}

function isEntryPhase({ name }: PayPhase): boolean {
  return name === "entering" || name === "following";
}

/** Whether the runner has a task in this phase; otherwise the reader must act. */
export function hasTask({ name }: PayPhase): boolean {
  return !["idle", "connect", "plan", "review", "read", "unlocked", "stopped"].includes(name);
}

/**
 * Whether the payment continues without its dialog: the reader has agreed to pay, and the payment is running or waits for the connection.
 * `isReconnecting`: whether the browser is offline or was offline a moment ago; in this case the payment is retried.
 */
export function continuesAlone(state: PayState, isReconnecting: boolean): boolean {
  const { phase, way } = state;
  const isRetried = phase.name === "stopped" && isReconnecting && goesOnOnline.has(phase.problem.code);
  const isAgreed = way !== undefined || findOpenLeg(state) !== undefined;
  return isAgreed && hasTask(isRetried ? phase.back : phase);
}

/** Whether closing the dialog ends the payment. A sent payment continues until its outcome is known. */
function mayLeave({ name }: PayPhase): boolean {
  return !["send", "pending", "read"].includes(name);
}

/**
 * Whether another wallet is allowed to pay. The reader can pay with another wallet before the first signature, or if the current wallet
 * cannot continue.
 */
export function mayChangeWallet({ phase, legs }: PayState): boolean {
  const waits = phase.name === "plan" || (phase.name === "stopped" && phase.back.name === "funds");
  return waits && legs.publisher === undefined && !isSentLeg(legs.fee);
}

function goTo(state: PayState, phase: PayPhase): PayState {
  return { ...state, phase };
}

function stopPayment(state: PayState, problem: Problem, back: PayPhase): PayState {
  return goTo(state, { name: "stopped", problem, back });
}

/**
 * A signed payment continues first: it needs no wallet, and nothing else may be signed before the outcome of the signed payment is known.
 */
function enterPayment(state: PayState, record: PurchaseRecord | undefined): PayState {
  const now = restoreRecord(state, record);
  const out = findOpenLeg(now);
  return goTo(now, out === undefined ? { name: "finding" } : { name: "send", leg: out, tries: 0 });
}

/** Each tab stores its signed payments before it sends them, so this tab can read the state of another tab's payments. */
function followOtherTab(state: PayState, record: PurchaseRecord | undefined): PayState {
  return goTo(restoreRecord(state, record), { name: "following", doing: undefined });
}

/** Adds this browser's record of the purchase to the state. */
function restoreRecord(state: PayState, record: PurchaseRecord | undefined): PayState {
  if (record === undefined) return state;
  const { wallet, fee, publisher, approval } = record;
  const purchase = restorePrice(state.purchase, record);
  return dropUnfitSignature({
    ...state,
    wallet,
    legs: { fee, publisher },
    approval,
    purchase,
    connected: false,
  });
}

/**
 * Sets the price of a purchase to the price at which the fee was sent, because the publisher's part is due at the same price (specification
 * §4.4).
 */
function restorePrice(
  purchase: PayState["purchase"],
  record: PurchaseRecord | undefined,
): PayState["purchase"] {
  return record !== undefined && isSentLeg(record.fee)
    ? { ...purchase, priceUnits: record.priceUnits }
    : purchase;
}

function applyProblem(state: PayState, problem: Problem): PayState {
  const { phase } = state;
  switch (problem.code) {
    case "gone":
    case "otherWallet":
      return stopPayment({ ...state, connected: false }, problem, { name: "finding" });
    case "approvalSlow":
      return stopPayment({ ...state, approval: undefined }, problem, { name: "funds" });
    default:
      // The terms of payment are requested again before the next signature, because they expire after some minutes, and the reader may take
      // much longer.
      return stopPayment(state, problem, phase.name === "sign" ? requestNewTerms(phase) : phase);
  }
}

function requestNewTerms({ leg, terms }: Extract<PayPhase, { name: "sign" }>): PayPhase {
  return { name: "terms", leg, agreed: terms.accepted.amount };
}

function findOpenLeg(state: PayState): Leg | undefined {
  return legs.find((leg) => state.legs[leg]?.state === "signed");
}

function applyWallet(
  state: PayState,
  { wallet, record }: Extract<PayEvent, { type: "connected" }>,
): PayState {
  // A reader who paid the fee with one wallet must confirm before another wallet pays the rest.
  const begun = isSentLeg(state.legs.fee) && !isSameAddress(state.wallet, wallet);
  if (begun && state.phase.name === "finding") return goTo(state, { name: "connect" });
  const now = dropUnfitSignature({
    ...state,
    wallet,
    connected: true,
    legs: { fee: record?.fee, publisher: record?.publisher },
    approval: record?.approval,
    purchase: restorePrice(state.purchase, record),
    funds: undefined,
    way: isSameAddress(state.wallet, wallet) ? state.way : undefined,
  });
  const out = findOpenLeg(now);
  if (out !== undefined) return goTo(now, { name: "send", leg: out, tries: 0 });
  if (now.legs.publisher?.state === "paid") return goTo(now, { name: "unlocked" });
  return goTo(now, now.approval === undefined ? { name: "funds" } : { name: "approving", tx: now.approval });
}

/**
 * Whether a signed payment may have been charged. Nobody can charge a signature that was never sent, because only this browser knows the
 * signature.
 */
export function isSentLeg(leg: LegRecord): boolean {
  return leg !== undefined && leg.state !== "ready";
}

/** The sum of the amounts that are not paid yet. */
export function sumUnpaid(state: PayState): bigint {
  return legs
    .filter((leg) => state.legs[leg]?.state !== "paid")
    .reduce((sum, leg) => sum + BigInt(computeLegPrice(state.purchase, leg)), 0n);
}

/**
 * Whether a wallet has too little ETH for the gas of an approval. For a contract wallet, the function returns false, because somebody else
 * may pay the wallet's gas.
 */
export function lacksGas({ gas, approvalCost, isContract }: Funds): boolean {
  return !isContract && gas < (approvalCost ?? 1n);
}

function applyFunds(state: PayState, { usdg }: Funds): PayState {
  if (usdg < sumUnpaid(state)) return stopPayment(state, { code: "insufficient" }, { name: "funds" });
  return state.way === undefined ? goTo(state, { name: "plan" }) : startNextStep(state);
}

/** The next phase after the reader has agreed: first the switch to the chain, then the approval if it is missing, then the signatures. */
function startNextStep(state: PayState): PayState {
  return state.funds?.onChain === true ? continueOnChain(state) : goTo(state, { name: "network" });
}

function continueOnChain(before: PayState): PayState {
  const { way, funds } = before;
  const state = funds === undefined ? before : { ...before, funds: { ...funds, onChain: true } };
  if (way?.method !== "permit2" || funds === undefined || funds.allowance >= sumUnpaid(state)) {
    return startNextLeg(state);
  }
  return lacksGas(funds)
    ? stopPayment({ ...state, way: undefined }, { code: "noGas" }, { name: "funds" })
    : goTo(state, { name: "approve" });
}

/**
 * The next phase for the payments: a signed payment is sent when it is due; otherwise the wallet is asked for a signature. If no wallet is
 * known, the page first looks for a wallet.
 */
function startNextLeg(state: PayState): PayState {
  const { fee, publisher } = state.legs;
  const out = findOpenLeg(state);
  if (out !== undefined) return goTo(state, { name: "send", leg: out, tries: 0 });
  if (publisher?.state === "paid") return goTo(state, { name: "unlocked" });
  if (publisher?.state === "ready" && fee?.state === "paid") {
    const sent = { ...publisher, state: "signed" } as const;
    return goTo(replaceLeg(state, "publisher", sent), { name: "send", leg: "publisher", tries: 0 });
  }
  if (publisher?.state === "ready" && fee?.state === "ready") {
    return goTo(replaceLeg(state, "fee", { ...fee, state: "signed" }), {
      name: "send",
      leg: "fee",
      tries: 0,
    });
  }
  const leg = publisher === undefined ? "publisher" : "fee";
  if (!state.connected || state.way === undefined) return goTo(state, { name: "finding" });
  return goTo(state, { name: "terms", leg, agreed: computeLegPrice(state.purchase, leg) });
}

/**
 * A separate read of the allowance could reach a node that does not know the new allowance yet. If the allowance were read separately, the
 * wallet could be asked for a second approval.
 */
function applyApproval(state: PayState, funds: Funds | undefined): PayState {
  const now: PayState = { ...state, approval: undefined };
  return funds === undefined
    ? stopPayment(now, { code: "approvalReverted" }, { name: "funds" })
    : applyFunds({ ...now, funds }, funds);
}

/**
 * When the fee is sent, the signature for the publisher's part must remain valid for at least this number of seconds. If the signature for
 * the publisher's part expired after the fee was paid, the reader would have paid only the fee.
 */
const leastLife = 30;

function applySignature(
  before: PayState,
  leg: Leg,
  { signed, fee, now }: Extract<PayEvent, { type: "signed" }>,
): PayState {
  const state = fee === undefined ? before : replaceLeg(before, "fee", { ...fee, state: "ready" });
  const { publisher } = state.legs;
  if (leg === "fee" && publisher?.state === "ready" && publisher.until < now + leastLife) {
    const back = { name: "terms", leg: "publisher", agreed: publisher.amount } as const;
    return stopPayment(replaceLeg(state, "publisher", undefined), { code: "late" }, back);
  }
  return goTo(replaceLeg(state, leg, signed), { name: "send", leg, tries: 0 });
}

type SendPhase = Extract<PayPhase, { name: "send" }>;

/**
 * The maximum number of consecutive unanswered attempts to send a payment. After this number of tries, the reader must decide
 * whether to continue.
 */
const mostTries = 6;
/** The maximum wait before the next try, in seconds. */
const longestPause = 60;
/** How many seconds the page waits before it sends a payment again after a lost answer: one number for each try, in order. */
const pauses = [1, 2, 3, 5, 8, 10] as const;

/**
 * Computes the next state from the service's answer to a signed payment. The payment's signature is discarded only if the answer says that
 * nothing was charged.
 */
function applyAnswer(state: PayState, sendPhase: SendPhase, answer: PayAnswer, at: string): PayState {
  const { leg } = sendPhase;
  const sent = state.legs[leg];
  if (sent?.state !== "signed") return state;
  switch (answer.kind) {
    case "paid":
      return markPaid(state, leg, sent, answer, at);
    case "pending":
      return goTo(replaceLeg(state, leg, answer.tx === undefined ? sent : { ...sent, tx: answer.tx }), {
        name: "pending",
        leg,
        tries: 0,
        after: answer.after,
      });
    case "busy":
      return waitAgain(state, sendPhase, answer.after, makeServiceProblem("unavailable", answer));
    case "lost":
      return waitAgain(state, sendPhase, pauses[sendPhase.tries] ?? 10, { code: "unanswered" });
    case "terms": {
      const { code, error } = answer.document;
      const problem = makeRefusalProblem(code, error);
      return stopPayment(replaceLeg(state, leg, undefined), problem, findRetryPhase(state, leg, problem));
    }
    case "fee_first": {
      if (leg === "fee") return waitAgain(state, sendPhase, 1, { code: "unanswered" });
      const { header, amount, payTo, until } = sent;
      const publisher = { state: "ready", header, amount, payTo, until } as const;
      const fee = state.legs.fee?.state === "ready" ? state.legs.fee : undefined;
      if (fee !== undefined && Math.min(fee.until, until) < Date.parse(at) / 1000 + leastLife) {
        const back = { name: "terms", leg: "publisher", agreed: amount } as const;
        return stopPayment(
          { ...state, legs: { fee: undefined, publisher: undefined } },
          { code: "expired" },
          back,
        );
      }
      return startNextLeg({ ...state, legs: { fee, publisher } });
    }
    case "already_unlocked":
      return goTo(replaceLeg(state, leg, undefined), { name: "unlocked" });
    case "missing":
      return stopPayment(replaceLeg(state, leg, undefined), { code: "missing" }, { name: "funds" });
    case "unlisted":
      return stopPayment(replaceLeg(state, leg, undefined), makeServiceProblem("refused", answer), {
        name: "funds",
      });
    case "refused":
      return stopPayment(state, makeServiceProblem("refused", answer), { ...sendPhase, tries: 0 });
  }
}

function markPaid(
  state: PayState,
  leg: Leg,
  { amount, payTo }: SignedRecord,
  { tx, text }: Extract<PayAnswer, { kind: "paid" }>,
  at: string,
): PayState {
  const now = replaceLeg(state, leg, { state: "paid", tx, amount, payTo, at });
  if (leg === "fee") return startNextLeg(now);
  // The fee was paid from another browser, so this browser's signature for the fee is not sent.
  const unsent = now.legs.fee?.state === "ready" ? replaceLeg(now, "fee", undefined) : now;
  return goTo(unsent, text === undefined ? { name: "unlocked" } : { name: "read", text });
}

/** Delays the next try to send the payment. After too many tries, or if the wait is long, the reader decides when to continue. */
function waitAgain(state: PayState, { leg, tries }: SendPhase, after: number, problem: Problem): PayState {
  if (tries + 1 >= mostTries || after > longestPause)
    return stopPayment(state, problem, { name: "send", leg, tries: 0 });
  return goTo(state, { name: "pending", leg, tries: tries + 1, after });
}

/** The phase in which the next try starts after a refusal: the phase that reads the balances, or the phase that requests new terms. */
function findRetryPhase(state: PayState, leg: Leg, { code }: Problem): PayPhase {
  if (!state.connected) return { name: "finding" };
  const lacking = code === "insufficient" || code === "approvalMissing" || code === "tokenRefuses";
  if (lacking || state.way === undefined) return { name: "funds" };
  return { name: "terms", leg, agreed: computeLegPrice(state.purchase, leg) };
}

function replaceLeg(state: PayState, leg: Leg, record: LegRecord): PayState {
  return { ...state, legs: { ...state.legs, [leg]: record } };
}
