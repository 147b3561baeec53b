import { type Address, toAddress } from "../chain/hex.ts";
import { canonicalSignature, signedByKey } from "../chain/signature.ts";
import { AppError } from "../error.ts";
import {
  type AuthorizationItem,
  allSigned,
  authorizationOf,
  failedOnChain,
  isSameNonce,
  type Proof,
  type Settled,
  type SignedItem,
  signatureIn,
} from "../record/payment.ts";
import { Account, Budget } from "../relayer/index.ts";
import { openingBy, signedRead, spendRead } from "../session/index.ts";
import { type Carry, carryOf } from "./carry.ts";
import {
  alreadyPublic,
  invalidSignature,
  methodOf,
  nonceBound,
  type Payment,
  type Reason,
  reasonFor,
} from "./method.ts";
import { finishUnderWay, type LegStatus } from "./reconcile.ts";
import type { Leg, PaymentReceipt, PaymentRequired } from "./schema.ts";
import { searchSettlement } from "./search.ts";
import { type Admission, admit, isReserved, type Order, refuseDearGas, settle } from "./settle.ts";
import { type Answering, openSession, type PaymentPorts, readLegs, recordAnswer } from "./settlement.ts";
import {
  checkChain,
  type Inspection,
  inspect,
  isNamed,
  isRepeat,
  lookAgain,
  type Offered,
  ownerCall,
  ownerIn,
  readOffer,
  readState,
  rememberUnpaid,
  type State,
} from "./state.ts";
import {
  alreadyUnlocked,
  busy,
  checkDue,
  checkForm,
  checkTimes,
  type Due,
  decodePayment,
  dueFor,
  legAmount,
  legUrl,
  longestHeader,
  network,
  paymentRequired,
  pending,
  textUnavailable,
} from "./terms.ts";

export { inArguments } from "./method.ts";
export { reconcile, type UnderWay, undelivered, underWay } from "./reconcile.ts";
export { type Found, leftBecause, type Repair, repair } from "./repair.ts";
export type { PaymentPorts } from "./settlement.ts";
export { hasUnlocked, readLegs } from "./settlement.ts";
export { findAgent } from "./state.ts";
export {
  encodeHeader,
  legAmount,
  legUrl,
  network,
  offeringOnly,
  withBazaar,
  withSignIn,
} from "./terms.ts";

/** How a request to pay ended. Refusals that offer no terms are AppErrors. */
export type PayOutcome =
  | {
      readonly kind: "terms";
      readonly terms: PaymentRequired;
      /** Given when something was broadcast and failed. */
      readonly receipt: PaymentReceipt | undefined;
    }
  | {
      readonly kind: "paid";
      readonly receipt: PaymentReceipt;
      readonly settledAt: string;
      /** It had been paid before; nothing was settled again. */
      readonly already: boolean;
      /** The text, for the publisher's leg, and the token of a session that reads it again, unless one is kept. */
      readonly unlocked: { readonly body: string; readonly token: string | undefined } | undefined;
    };

export type PayRequest = {
  readonly leg: Leg;
  /** The agent id. */
  readonly pressId: number;
  /** The payment header as it came, if any. */
  readonly header: string | undefined;
  /** The `sign-in-with-x` header as it came, if any. It is for the publisher's leg. */
  readonly signIn?: string | undefined;
  /** The token of the caller's session, if any, unverified. */
  readonly token?: string | undefined;
  /** For whom terms are asked, if that is said: who has paid the fee is offered the rest of the price that stood then. */
  readonly payer?: Address | undefined;
};

const noPayment: Reason = {
  code: "payment_required",
  error: "Payment required: sign the terms and repeat the request with the payment-signature header.",
};

const malformed: Reason = {
  code: "malformed_payment_header",
  error: "Malformed payment header: it must be base64 of the JSON of an x402 version 2 payment.",
};

const tooLong = (bytes: number): Reason => ({
  code: "malformed_payment_header",
  error: `Malformed payment header: it has ${bytes} bytes, and at most ${longestHeader} can be sent. Nothing was charged. Leave out the terms' extensions but payment-identifier, or sign with a shorter signature.`,
});

/** The payment that a header holds, or why it holds none. */
function readHeader(header: string | undefined, settings: PaymentPorts["settings"]): Payment | Reason {
  if (header === undefined) return noPayment;
  const { length } = header;
  return length > longestHeader ? tooLong(length) : (decodePayment(header, settings) ?? malformed);
}

/**
 * One leg of a purchase (specification §4.4, design §4): offers terms, or settles the signed payment at most once and
 * delivers what it pays for.
 *
 * Throws `missing` `unknown_press`; `conflict` `fee_first` and `already_unlocked`; `upstream` `settlement_pending`
 * (with the transaction), `payments_unavailable`, `chain_unavailable` and `text_unavailable`; `limit` `wallet_gas_limit`.
 */
export async function pay(ports: PaymentPorts, request: PayRequest): Promise<PayOutcome> {
  const { leg, pressId, header, token, payer } = request;
  const again = await readAgain(ports, request);
  if (again !== undefined && "kind" in again) return again;
  const read = readHeader(header, ports.settings);
  const sent = read === noPayment ? (again ?? read) : read;
  if ("code" in sent) {
    const offered = await readOffer(ports, pressId, payer);
    await requireOffer(ports, leg, offered);
    return offer(ports, await dueNow(ports, leg, offered), sent);
  }
  const { authorization, identifier } = sent;
  const key = { pressId, wallet: authorization.from, authorization, identifier: identifier?.id, token };
  const first = await readState(ports, key);
  const outcome = await payBy(ports, leg, first, sent);
  const isOffer = outcome.kind === "terms" && outcome.receipt === undefined;
  if (isOffer) await requireOffer(ports, leg, first);
  return outcome;
}

/** Whatever was wrong with what was presented: nobody is offered a fee to sign that would be refused for gas (invariant 8). */
async function requireOffer(ports: PaymentPorts, leg: Leg, { agent, legs }: Offered): Promise<void> {
  if (leg === "publisher" || legs.fee?.state === "settled") return;
  await Account.requireCarried(ports, agent.publisher, legAmount(leg, BigInt(agent.priceUnits)));
}

async function payBy(ports: PaymentPorts, leg: Leg, first: State, sent: Payment): Promise<PayOutcome> {
  const { authorization } = sent;
  const wrongForm = checkForm(ports.settings, sent);
  if (wrongForm !== undefined) {
    return offer(ports, await dueNow(ports, leg, first), wrongForm);
  }
  if (first.spentOtherwise && isQuiet(first, leg)) {
    const method = methodOf(authorization);
    const due = await dueNow(ports, leg, first);
    return offer(ports, due, reasonFor(method, method.spentRevert));
  }
  const attempt = await checkSigner(ports, leg, first, sent);
  if (attempt.early?.signedByContract === false) {
    const { early } = attempt;
    const isUndeployed = sent.wrapped === true && early.code === "0x";
    const reason = invalidSignature(methodOf(authorization), isUndeployed);
    return offer(ports, dueTo(ports, leg, first, early), reason);
  }
  let newest = first;
  for (let round = 0; round < mostRounds; round += 1) {
    const outcome = await judge(ports, attempt, newest);
    if (outcome !== "again") return outcome;
    newest = await readState(ports, first.key);
  }
  throw busy(new Error("What this payment was judged by keeps changing"));
}

/**
 * The text again, for a wallet that has unlocked the press and proves itself by a signed read, which that uses up: no payment
 * beside it is looked at. For a wallet that has not unlocked it, the request goes on without; `Reason`: why the proof is not good.
 */
async function readAgain(
  ports: PaymentPorts,
  { leg, pressId, signIn }: PayRequest,
): Promise<Paid | Reason | undefined> {
  if (signIn === undefined || leg !== "publisher") return undefined;
  try {
    const reader = await signedRead(ports, signIn, legUrl(ports.settings, leg, pressId));
    const [own] = await readLegs(ports, [{ wallet: reader.wallet, pressId, leg }]);
    if (own?.state !== "settled") return undefined;
    const body = await textOf(ports, own);
    await spendRead(ports, reader);
    return giveText(ports, own, { opens: undefined }, body);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "auth") throw error;
    return { code: "invalid_sign_in", error: `${error.message} Nothing was charged. Or pay by these terms.` };
  }
}

/** Whether the wallet may pay the leg, has not, and nothing is under way for it. */
function isQuiet({ legs }: State, leg: Leg): boolean {
  const own = legs[leg];
  const mayPay = leg === "fee" || legs.fee?.state === "settled";
  return mayPay && (own === undefined || own.state === "failed");
}

/** Times that a payment is judged anew because it, or what is under way for its payer, changed while it waited. */
const mostRounds = 8;

/** A request whose signature its payer stands by. */
type Attempt = {
  readonly leg: Leg;
  readonly presented: Payment;
  /** What was known when it came. */
  readonly first: State;
  /** What the chain said of a contract's signature: it needs the chain's word before anything is said of its payer. */
  readonly early: Inspection | undefined;
};

/** A wallet that has paid hears so even when its header is old, so that a key's signature is checked without the chain. */
async function checkSigner(ports: PaymentPorts, leg: Leg, first: State, sent: Payment): Promise<Attempt> {
  const { authorization, signature } = sent;
  const digest = methodOf(authorization).digest(ports.settings, authorization);
  if (await signedByKey(authorization.from, digest, signature)) {
    return { leg, first, presented: { ...sent, signature: canonicalSignature(signature) }, early: undefined };
  }
  return {
    leg,
    first,
    presented: sent,
    early: await lookAtChain(ports, { leg, state: first, payment: sent }),
  };
}

/**
 * Judges an attempt by the records and the chain as they are now, and settles it if nothing speaks against it. `again`: what it was
 * judged by has changed meanwhile.
 */
async function judge(ports: PaymentPorts, attempt: Attempt, since: State): Promise<PayOutcome | "again"> {
  const { leg, presented, first } = attempt;
  const { identifier, ticket } = presented;
  const status = await finishUnderWay(ports, since, { leg, identifier, ticket, first });
  if (status.kind === "paid") return handOver(ports, presented, status);
  const chosen = choose(ports, attempt, status);
  const found = await inspectChosen(ports, attempt, chosen);
  // Another request of this payer came first while the chain was asked: the table knows what has become of it.
  if (found.nonceSpent && (await hasChanged(ports, chosen.state, leg))) return "again";
  const due = dueTo(ports, leg, chosen.state, found);
  const unfit = await checkSigned(ports, attempt, chosen, found);
  if (unfit !== undefined) return offer(ports, due, unfit);
  const { proofs, owed, refusal } = await checkUnspent(ports, attempt, chosen, found);
  if (refusal !== undefined) return offer(ports, due, refusal);
  const carry = carryFor(ports, attempt, chosen, found, proofs);
  const admission =
    proofs.length > 0 ? admittedBy(carry) : await checkGas(ports, attempt, chosen, found, carry);
  if (admission.kind === "refused") return offer(ports, due, admission.reason);
  const order = { ...chosen, found, proofs, owed, gas: admission.hold, carry: admission.carry };
  return settleAndAnswer(ports, attempt, due, order);
}

/** What runs no code of its payer needs nothing kept, and who only records what others have done burns no gas. */
function admittedBy(carry: Carry | undefined): Admission {
  return { kind: "admitted", hold: undefined, carry };
}

/** Who pays for the gas of the read: a fee's leg reserves for both, where we send it. */
function carryFor(
  { clock }: PaymentPorts,
  { leg, first }: Attempt,
  { state, payment }: Chosen,
  found: Inspection,
  proofs: readonly Proof[],
): Carry | undefined {
  if (leg === "publisher") return state.legs.publisher?.carry ?? state.legs.fee?.carry;
  const gas = found.simulation.kind === "ok" ? found.simulation.gas : 0n;
  const read = { fee: payment.authorization.amount, gas, hasCode: found.code !== "0x", rate: found };
  const carry = carryOf({ ...Account.accountOf(first.agent.publisher, clock.now()), ...read });
  return proofs.length > 0 ? { ...carry, booked: 0 } : carry;
}

/** What is to be settled, and what it is judged by. */
type Chosen = {
  readonly state: State;
  /** Others can still charge these of what the payer signed for the leg. */
  readonly live: readonly SignedItem[];
  readonly payment: Payment;
  /** Whether it was broadcast in vain before and still lives, so that it is tried again in the place of what was presented. */
  readonly revived: boolean;
};

function choose(
  ports: PaymentPorts,
  { leg, presented }: Attempt,
  { state, live }: Extract<LegStatus, { kind: "open" }>,
): Chosen {
  const alive = stillAlive(ports, state, leg, live);
  return { state, live, payment: alive ?? presented, revived: alive !== undefined };
}

/** Base units that the wallet must have: for the fee the whole price (invariant 7). */
function neededFor({ leg, first }: Attempt, { authorization }: Payment): bigint {
  return leg === "fee" ? BigInt(first.agent.priceUnits) : authorization.amount;
}

/** What the chain says of it. What seems to lack something is looked at again, for a node may be late. */
async function inspectChosen(
  ports: PaymentPorts,
  attempt: Attempt,
  { state, payment, revived }: Chosen,
): Promise<Inspection> {
  const { early, first, leg } = attempt;
  // What was read of the chain before something ended is no longer true.
  const stands = early !== undefined && state === first && !revived;
  const seen = stands ? early : await lookAtChain(ports, { leg, state, payment });
  const { authorization } = payment;
  const needed = neededFor(attempt, payment);
  const shortOf = { wallet: authorization.from, method: methodOf(authorization), needed };
  return lookAgain(ports, shortOf, seen, (of) => lookAtChain(of, { leg, state, payment }));
}

async function lookAtChain(
  ports: PaymentPorts,
  { leg, state, payment }: { readonly leg: Leg; readonly state: State; readonly payment: Payment },
): Promise<Inspection> {
  const { priceUnits, publisher } = state.agent;
  const rest = { amount: legAmount("publisher", BigInt(priceUnits)), expected: toAddress(publisher) };
  return inspect(ports, state, payment, leg === "fee" ? rest : undefined);
}

/** Why what was signed does not fit what is due, or what its payer signed before. */
async function checkSigned(
  ports: PaymentPorts,
  attempt: Attempt,
  { state, payment, revived }: Chosen,
  found: Inspection,
): Promise<Reason | undefined> {
  const { leg, presented, first } = attempt;
  const method = methodOf(presented.authorization);
  if (signedBefore(ports, state, leg, presented) === "otherwise") return nonceBound(method);
  if (revived && !isOne(payment, presented)) {
    const stale = await unfitNow(ports, first, leg, presented);
    if (stale !== undefined) return stale;
    if (!found.nonceSpent && isLate(ports, payment)) {
      throw busy(new Error("A permit that was broadcast for this leg lives for some seconds yet"), 6);
    }
  }
  // A permit that was once accepted keeps its terms: its payee may have sold the press since.
  const unfit = revived ? undefined : checkDue(dueTo(ports, leg, state, found), payment);
  if (unfit !== undefined) return unfit;
  const elsewhere = found.nonceSpent && (await isBoundElsewhere(ports, state, leg, payment));
  return elsewhere ? nonceBound(method) : undefined;
}

/** What becomes of what is presented: somebody has settled it (`proofs`), or it can be settled now, or why not. */
type Unspent = {
  readonly proofs: readonly Proof[];
  /** Whether the text is owed to this request: a copy of what the chain shows gets none (invariant 5). */
  readonly owed: boolean;
  readonly refusal: Reason | undefined;
};

async function checkUnspent(
  ports: PaymentPorts,
  attempt: Attempt,
  { state, payment, revived }: Chosen,
  found: Inspection,
): Promise<Unspent> {
  const { leg, presented } = attempt;
  const proofs = found.nonceSpent
    ? await settlementsOf(ports, payment, firstBlock(ports, attempt, state, revived))
    : [];
  const owed = leg === "publisher" && !isCopy(state, leg, presented, { settled: payment, proofs });
  if (proofs.length > 0) return { proofs, owed, refusal: undefined };
  const { authorization } = payment;
  const refusal =
    checkTimes(authorization, ports.clock.now()) ??
    checkChain(authorization, neededFor(attempt, payment), found);
  const copied = leg === "publisher" && !owed ? alreadyPublic(methodOf(presented.authorization)) : undefined;
  return { proofs, owed, refusal: refusal ?? copied };
}

/** A block from before it was presented first, `undefined` for what is presented now. */
function firstBlock(
  ports: PaymentPorts,
  { leg, presented }: Attempt,
  state: State,
  revived: boolean,
): number | undefined {
  if (revived) return state.legs[leg]?.signed.block;
  const before = signedBefore(ports, state, leg, presented);
  return before === undefined || before === "otherwise" ? undefined : before.block;
}

/** Whether it may go on the chain at our cost (invariant 8), and what is kept for a wallet with code. */
async function checkGas(
  ports: PaymentPorts,
  { leg, first }: Attempt,
  { payment, state }: Chosen,
  found: Inspection,
  carry: Carry | undefined,
): Promise<Admission> {
  refuseDearGas(ports, found.gasPrice);
  if (found.code !== "0x") return admit(ports, { pressId: first.agent.pressId, leg }, payment, found, carry);
  if (!isReserved(leg, carry)) Budget.requirePlainRoom(ports, state.burned);
  return admittedBy(carry);
}

type Judged = Chosen & Pick<Unspent, "proofs" | "owed"> & Pick<Order, "found" | "gas" | "carry">;

/** Settles, and answers with what was paid for. The text is read first: nothing may fail between a charge and its delivery. */
async function settleAndAnswer(
  ports: PaymentPorts,
  { leg, presented, first }: Attempt,
  due: Due,
  { state, payment, owed, ...judged }: Judged,
): Promise<PayOutcome | "again"> {
  const answer = owed ? answering(ports, first) : undefined;
  const body = owed ? await textOf(ports, first.agent) : "";
  // A copy may bring to light that its permit has paid, and binds nothing of its own to it.
  const binds = owed || leg === "fee";
  const identifier = binds ? presented.identifier : undefined;
  const ticket = binds ? presented.ticket : undefined;
  const ending = await settle(ports, state, { ...judged, leg, payment, identifier, ticket, answer });
  switch (ending.kind) {
    case "again":
      return "again";
    case "permit_bound":
      return offer(ports, due, nonceBound(methodOf(presented.authorization)));
    case "failed":
      return offer(ports, due, ending.reason, { payer: first.key.wallet, txHash: ending.txHash });
    case "pending":
      throw pending(ending.txHash);
    case "settled": {
      const { settlement, answered } = ending;
      if (leg === "fee") return receiptOf(ports, settlement, false);
      if (answer === undefined) throw alreadyUnlocked(ports.settings, settlement.slug);
      const given = answered ? answer : await answerNow(ports, settlement, answer);
      return giveText(ports, settlement, given, body);
    }
  }
}

/** Records an answer whose leg others have finished. Another request of this payer may have been answered meanwhile. */
async function answerNow(ports: PaymentPorts, settlement: Settled, answer: Answering): Promise<Answering> {
  const recorded = await recordAnswer(ports, settlement, answer);
  if (recorded === "busy") throw textUnavailable();
  return recorded === "first" ? answer : openSession(ports, settlement, answer);
}

/** Whether the leg's record is no longer as it was seen. */
async function hasChanged(ports: PaymentPorts, { key, legs }: State, leg: Leg): Promise<boolean> {
  const [now] = await readLegs(ports, [{ wallet: key.wallet, pressId: key.pressId, leg }]);
  return now?.claim !== legs[leg]?.claim || now?.state !== legs[leg]?.state;
}

/**
 * A permit that was broadcast, reverted, and can still be settled by anybody who saw it. It is tried again in place of a
 * newly signed one: two living permits for one leg could both be charged (invariant 1).
 */
function stillAlive(
  { settings }: PaymentPorts,
  { legs }: State,
  leg: Leg,
  live: readonly SignedItem[],
): Payment | undefined {
  const last = legs[leg];
  if (last === undefined || !failedOnChain(last)) return undefined;
  if (!live.some((signed) => isSameNonce(signed, last.signed))) return undefined;
  return {
    authorization: authorizationOf(last),
    signature: signatureIn(last.signed),
    identifier: undefined,
    ticket: undefined,
    accepted: {
      scheme: "exact",
      network: network(settings),
      amount: last.signed.amount,
      asset: last.signed.token,
      payTo: last.signed.payTo,
    },
  };
}

/** What the payer signed for the leg with this nonce before; `otherwise` where it said something else than now. */
function signedBefore(
  { settings }: PaymentPorts,
  { legs }: State,
  leg: Leg,
  { authorization }: Payment,
): SignedItem | "otherwise" | undefined {
  const last = legs[leg];
  if (last === undefined) return undefined;
  const before = allSigned(last).find((signed) => isSameNonce(signed, authorization));
  if (before === undefined) return undefined;
  const { digest } = methodOf(authorization);
  const known = authorizationOf({ wallet: last.wallet, signed: before });
  return digest(settings, known) === digest(settings, authorization) ? before : "otherwise";
}

/** Times that the transfer of a spent permit is looked for, and milliseconds between them: nodes show logs late. */
const mostSearches = 4;

const searchInterval = 300;

/**
 * The transfers by which somebody else has settled a permit whose nonce is spent, none where it was spent otherwise.
 * Throws `upstream` `settlement_pending` when the chain cannot tell.
 */
async function settlementsOf(
  ports: PaymentPorts,
  { authorization }: Payment,
  since: number | undefined,
): Promise<readonly Proof[]> {
  for (let left = mostSearches; left > 0; left -= 1) {
    const from = since === undefined ? undefined : BigInt(since);
    const found = await searchSettlement(ports, authorization, from);
    if (found.kind === "paid") return found.proofs;
    if (found.kind === "unpaid") {
      await rememberUnpaid(ports, authorization);
      return [];
    }
    if (left > 1) await ports.clock.sleep(searchInterval);
  }
  throw pending(undefined);
}

/** Whether both have one nonce, so that at most one of them can be charged. */
function isOne({ authorization: one }: Payment, { authorization: other }: Payment): boolean {
  return one.method === other.method && one.nonce === other.nonce;
}

function isLate({ clock }: PaymentPorts, payment: Payment): boolean {
  return checkTimes(payment.authorization, clock.now()) !== undefined;
}

/** What is due, and to the owner that the chain has named. */
function dueTo(ports: PaymentPorts, leg: Leg, { agent, legs }: Offered, { owner }: Inspection): Due {
  return dueFor(ports.settings, leg, { priceUnits: agent.priceUnits, fee: legs.fee, owner });
}

/** The terms of this moment; for the publisher's leg the chain says who owns the press. */
async function dueNow(ports: PaymentPorts, leg: Leg, { agent, legs }: Offered): Promise<Due> {
  const known = { priceUnits: agent.priceUnits, fee: legs.fee };
  if (leg === "fee") return dueFor(ports.settings, leg, { ...known, owner: ports.settings.treasury });
  const call = ownerCall(ports.settings.contracts.identityRegistry, agent.pressId);
  const [owner] = await ports.chain.batch([call]);
  return dueFor(ports.settings, leg, { ...known, owner: ownerIn(owner) });
}

function offer(
  { settings, ids }: PaymentPorts,
  due: Due,
  reason: Reason,
  failed?: { readonly payer: string; readonly txHash: string },
): PayOutcome {
  const receipt =
    failed === undefined
      ? undefined
      : {
          success: false,
          transaction: failed.txHash,
          network: network(settings),
          payer: failed.payer,
          errorReason: reason.code,
        };
  return { kind: "terms", terms: paymentRequired(settings, due, reason, ids.secret()), receipt };
}

/**
 * Whether the chain has shown the presented permit to everybody, and the payment shows nothing else (invariant 5): we
 * have broadcast it in vain, or somebody has settled it before it came here. `proofs` are of the permit `settled`.
 */
function isCopy(
  state: State,
  leg: Leg,
  presented: Payment,
  { settled, proofs }: { readonly settled: Payment; readonly proofs: readonly Proof[] },
): boolean {
  // In the place of one that was broadcast in vain: a fresh one, which was looked at by itself.
  if (!isOne(settled, presented)) return false;
  const last = state.legs[leg];
  const claimed = last !== undefined && isSameNonce(last.signed, settled.authorization) ? last : undefined;
  if (claimed !== undefined && isRepeat(claimed, state, presented)) return false;
  return proofs.length > 0 || (claimed !== undefined && failedOnChain(claimed));
}

/**
 * Gives what another request's settlement paid for. Whoever reads the chain knows the permits that were settled on it,
 * so the text goes to a repeat that shows what never went there, or to a permit that could pay now, until it has been
 * answered once; then only to the attempt of that name (invariants 5 and 6).
 */
async function handOver(
  ports: PaymentPorts,
  presented: Payment,
  { settlement, before, state }: Extract<LegStatus, { kind: "paid" }>,
): Promise<PayOutcome> {
  if (settlement.leg === "fee") return receiptOf(ports, settlement, before);
  const named = isNamed(settlement, state, presented);
  const refused = () => alreadyUnlocked(ports.settings, settlement.slug);
  if (!named) {
    if (settlement.answeredAt !== undefined) throw refused();
    if (!isRepeat(settlement, state, presented) && !(await isFresh(ports, state, settlement, presented))) {
      throw refused();
    }
  }
  const answer = answering(ports, state);
  const body = await textOf(ports, settlement);
  const recorded = await recordAnswer(ports, settlement, answer);
  if (recorded === "busy") throw textUnavailable();
  if (recorded === "first") return giveText(ports, settlement, answer, body);
  if (!named) throw refused();
  return giveText(ports, settlement, await openSession(ports, settlement, answer), body);
}

/** Whether a permit was never broadcast and could pay the leg now, were it not paid: only its payer can know it. */
async function isFresh(
  ports: PaymentPorts,
  state: State,
  { leg, signed }: Settled,
  presented: Payment,
): Promise<boolean> {
  if (isSameNonce(signed, presented.authorization)) return false;
  return (await unfitNow(ports, state, leg, presented)) === undefined;
}

/** Why a permit could not pay this leg now, were it not paid; `undefined` for one that only its payer can know. */
async function unfitNow(
  ports: PaymentPorts,
  state: State,
  leg: Leg,
  payment: Payment,
): Promise<Reason | undefined> {
  const method = methodOf(payment.authorization);
  const bound = await bindingOf(ports, payment);
  if (isElsewhere(state, leg, bound)) return nonceBound(method);
  if (bound?.broadcast === true) return alreadyPublic(method);
  const found = await inspect(ports, state, payment);
  return (
    checkDue(dueTo(ports, leg, state, found), payment) ??
    checkTimes(payment.authorization, ports.clock.now()) ??
    (found.nonceSpent ? reasonFor(method, method.spentRevert) : undefined)
  );
}

/** What the permit was first presented for, if it ever was. */
async function bindingOf(
  { table }: PaymentPorts,
  { authorization: { from, method, nonce } }: Payment,
): Promise<AuthorizationItem | undefined> {
  const { data } = await table.entities.authorization
    .get({ wallet: from, method, nonce: String(nonce) })
    .go({ consistent: true });
  return data ?? undefined;
}

/** Whether the permit was first presented for another press or leg. */
async function isBoundElsewhere(
  ports: PaymentPorts,
  state: State,
  leg: Leg,
  payment: Payment,
): Promise<boolean> {
  return isElsewhere(state, leg, await bindingOf(ports, payment));
}

function isElsewhere({ agent }: State, leg: Leg, bound: AuthorizationItem | undefined): boolean {
  return bound !== undefined && (bound.pressId !== agent.pressId || bound.leg !== leg);
}

type Paid = Extract<PayOutcome, { kind: "paid" }>;

function receiptOf({ settings }: PaymentPorts, settlement: Settled, already: boolean): Paid {
  const { wallet, txHash, settledAt } = settlement;
  const receipt = { success: true, transaction: txHash, network: network(settings), payer: wallet };
  return { kind: "paid", receipt, settledAt, already, unlocked: undefined };
}

function giveText(ports: PaymentPorts, settlement: Settled, { opens }: Answering, body: string): Paid {
  return { ...receiptOf(ports, settlement, false), unlocked: { body, token: opens?.token } };
}

/** The text that a publisher's leg pays for. `id`: the press. */
async function textOf({ table }: PaymentPorts, { id }: { readonly id: number }): Promise<string> {
  const { data } = await table.entities.body.get({ id }).go({ consistent: true });
  if (data === null) throw textUnavailable();
  return data.body;
}

/** The answer that a request for the text would be given. */
function answering(
  ports: Pick<PaymentPorts, "clock" | "ids">,
  { key, session }: Pick<State, "key" | "session">,
): Answering {
  return { opens: openingBy(ports, key.wallet, session) };
}
