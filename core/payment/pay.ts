import { type Address, toAddress } from "../chain/hex.ts";
import { canonicalSignature, signedByKey } from "../chain/signature.ts";
import { AppError } from "../error.ts";
import { free, gasLimitsOf } from "../relayer/index.ts";
import { type Answering, answering, isNamed, isRepeat, openSession, recordAnswer } from "./answer.ts";
import type { Method, Proof } from "./authorization.ts";
import type { AuthorizationItem, SettlementItem } from "./entity.ts";
import { admit } from "./gas-budget.ts";
import { decodePayment, longestHeader, type Payment } from "./header.ts";
import { type Inspection, inspect, ownerCall, ownerIn } from "./inspect.ts";
import { alreadyUnlocked, type Known, known, pending, unlockedForPayer } from "./known.ts";
import { methodOf } from "./method.ts";
import { type Due, legAmount, network, paymentRequired, type Reason } from "./offer.ts";
import type { PaymentPorts } from "./ports.ts";
import type { Leg, PaymentReceipt, PaymentRequired } from "./schema.ts";
import { pick, settle } from "./settle.ts";
import { allSigned, authorizationOf, isSameNonce, type SignedItem, signatureIn } from "./standing.ts";
import { busy, findAgent, readLegs, readState, type State, sentInVain } from "./state.ts";
import {
  alreadyPublic,
  checkChain,
  checkDue,
  checkForm,
  checkTimes,
  invalidSignature,
  lackOf,
  nonceBound,
  reasonFor,
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
  /** The token of the caller's session, if any, unverified. */
  readonly token?: string | undefined;
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
  error: `Malformed payment header: it has ${bytes} bytes, and at most ${longestHeader} can be sent. Nothing was charged. A shorter signature is needed.`,
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
 * (with the transaction), `payments_unavailable` and `chain_unavailable`; `limit` `wallet_gas_limit`.
 */
export async function pay(
  ports: PaymentPorts,
  { leg, pressId, header, token }: PayRequest,
): Promise<PayOutcome> {
  const sent = readHeader(header, ports.settings);
  if ("code" in sent) {
    const { priceUnits } = await findAgent(ports, pressId);
    return offer(ports, await dueNow(ports, leg, pressId, priceUnits), sent);
  }
  const { identifier, ticket } = sent;
  const wallet = sent.authorization.from;
  const method = methodOf(sent.authorization);
  const first = await readState(ports, { pressId, wallet, identifier: identifier?.id, token });
  const { priceUnits } = first.agent;
  const wrongForm = checkForm(ports.settings, sent);
  if (wrongForm !== undefined) return offer(ports, await dueNow(ports, leg, pressId, priceUnits), wrongForm);

  const byKey = await keySigned(ports, sent);
  const presented = byKey ? canonical(sent) : sent;
  // A wallet that has paid hears so even when its header is old; a contract's signature needs the chain's word first.
  const asked = { leg, identifier, ticket, first };
  const ownerPart =
    leg === "publisher"
      ? undefined
      : { amount: legAmount("publisher", BigInt(priceUnits)), expected: toAddress(first.agent.publisher) };
  const look = (state: State, payment: Payment, of: PaymentPorts = ports) =>
    candidate(ports, state).then((relayer) => inspect(of, pressId, payment, relayer, ownerPart));
  const early = byKey ? undefined : await look(first, presented);
  if (early?.signedByContract === false)
    return offer(ports, dueFor(ports, leg, priceUnits, early.owner), invalidSignature(method));
  let newest = first;
  for (let round = 0; round < rounds; round += 1) {
    const outcome = await judge(newest);
    if (outcome !== "again") return outcome;
    newest = await readState(ports, first.key);
  }
  throw busy(new Error("What this payment was judged by keeps changing"));

  async function judge(since: State): Promise<PayOutcome | "again"> {
    const standing = await known(ports, since, asked);
    if (standing.kind === "paid") return handOver(ports, presented, standing);

    const { state, live } = standing;
    const alive = stillAlive(ports, state, leg, live);
    const payment = alive ?? presented;
    // What was read of the chain before something ended is no longer true.
    const stands = early !== undefined && state === first && alive === undefined;
    const needed = leg === "fee" ? BigInt(priceUnits) : payment.authorization.amount;
    const seen = stands ? early : await look(state, payment);
    const shortOf = { method: methodOf(payment.authorization), needed };
    const found = await lookAgain(ports, shortOf, seen, (of) => look(state, payment, of));
    // Another request of this payer came first while the chain was asked: the table knows what has become of it.
    if (found.nonceSpent && (await hasChanged(ports, state, leg))) return "again";
    const due = dueFor(ports, leg, priceUnits, found.owner);
    const again = signedBefore(ports, state, leg, presented);
    if (again === "otherwise") return offer(ports, due, nonceBound(method));
    if (alive !== undefined && !isOne(alive, presented)) {
      const stale = await unfitNow(ports, first, leg, presented);
      if (stale !== undefined) return offer(ports, due, stale);
      if (!found.nonceSpent && isLate(ports, payment)) {
        throw busy(new Error("A permit that was broadcast for this leg lives for some seconds yet"), 6);
      }
    }
    // A permit that was once accepted keeps its terms: its payee may have sold the press since.
    const unfit = alive === undefined ? checkDue(due, payment) : undefined;
    if (unfit !== undefined) return offer(ports, due, unfit);
    const from = alive === undefined ? again?.block : state.legs[leg]?.signed.block;
    if (found.nonceSpent && (await isBoundElsewhere(ports, state, leg, payment)))
      return offer(ports, due, nonceBound(method));
    const proofs = found.nonceSpent ? await settledBy(ports, payment, from) : [];
    const owed = leg === "publisher" && !isCopy(state, leg, presented, { settled: payment, proofs });
    const copied = leg === "publisher" && !owed ? alreadyPublic(method) : undefined;
    const refusal = proofs.length > 0 ? undefined : (check(ports, payment, found, needed) ?? copied);
    if (refusal !== undefined) return offer(ports, due, refusal);

    if (proofs.length === 0) refuseDearGas(ports, found);
    const hasCode = proofs.length === 0 && found.code !== "0x";
    const admission = hasCode ? await admit(ports, leg, payment, found) : undefined;
    if (admission?.kind === "refused") return offer(ports, due, admission.reason);

    // A copy may bring to light that its permit has paid, and binds nothing of its own to it.
    const own = owed || leg === "fee" ? asked : { ...asked, identifier: undefined, ticket: undefined };
    const answer = owed ? answering(ports, first) : undefined;
    const order = { asked: own, payment, found, proofs, live, answer, gas: admission?.hold };
    const ending = await settle(ports, state, order);
    switch (ending.kind) {
      case "again":
        return "again";
      case "paid":
        return handOver(ports, presented, ending);
      case "permit_bound":
        return offer(ports, due, nonceBound(method));
      case "failed":
        return offer(ports, due, ending.reason, { payer: wallet, txHash: ending.txHash });
      case "pending":
        throw pending(ending.txHash);
      case "settled":
        if (leg === "fee") return receiptOf(ports, ending.settlement, false);
        if (answer === undefined) throw unlockedForPayer();
        if (!ending.answered && !(await recordAnswer(ports, ending.settlement, answer))) {
          await openSession(ports, ending.settlement, answer);
        }
        return giveText(ports, ending.settlement, answer, await textOf(ports, ending.settlement));
    }
  }
}

/** Times that a payment is judged anew because it changed while it waited: a payer that moves its USDG to and fro. */
const rounds = 3;

/** Whether the leg's record is no longer as it was seen. */
async function hasChanged(ports: PaymentPorts, { key, legs }: State, leg: Leg): Promise<boolean> {
  const [now] = await readLegs(ports, [{ wallet: key.wallet, pressId: key.pressId, leg }]);
  return now?.claim !== legs[leg]?.claim || now?.state !== legs[leg]?.state;
}

/** Milliseconds between looks at a wallet that seems to lack something. */
const lookPause = 1_500;

/**
 * Makes sure that a wallet lacks what it seems to lack: asks another node at once, and then again until the time has
 * passed for which nodes may be late.
 */
async function lookAgain(
  ports: PaymentPorts,
  needed: Need,
  seen: Inspection,
  look: (of: PaymentPorts) => Promise<Inspection>,
): Promise<Inspection> {
  if (!isShort(needed, seen)) return seen;
  const { clock, settings } = ports;
  const until = clock.now() + (settings.stateLag ?? 0);
  let found = newer(seen, await look(askingElsewhere(ports)));
  for (let looks = 0; isShort(needed, found) && clock.now() < until; looks += 1) {
    await clock.sleep(Math.min(lookPause, until - clock.now()));
    found = newer(found, await look(looks % 2 === 0 ? ports : askingElsewhere(ports)));
  }
  return found;
}

/** Base units that a wallet needs to pay, by which method. */
type Need = { readonly method: Method; readonly needed: bigint };

/** Whether the wallet seems to lack what it needs. A node may show this for seconds after an approval's receipt. */
function isShort({ method, needed }: Need, { nonceSpent, funds }: Inspection): boolean {
  return !nonceSpent && lackOf(method, needed, funds) !== undefined;
}

/** The one of two looks that is of the newer block, of two of the same the second: balances of the past pay nothing. */
function newer(first: Inspection, second: Inspection): Inspection {
  return second.block >= first.block ? second : first;
}

function askingElsewhere(ports: PaymentPorts): PaymentPorts {
  const { batch } = ports.chain;
  return { ...ports, chain: { batch: (calls, limits) => batch(calls, { ...limits, elsewhere: true }) } };
}

function keySigned({ settings }: PaymentPorts, { authorization, signature }: Payment): Promise<boolean> {
  const digest = methodOf(authorization).digest(settings, authorization);
  return signedByKey(authorization.from, digest, signature);
}

function canonical(payment: Payment): Payment {
  return { ...payment, signature: canonicalSignature(payment.signature) };
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
  if (last === undefined || !sentInVain(last)) return undefined;
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
const looks = 4;
const pause = 300;

/**
 * The transfers by which somebody else has settled a permit whose nonce is spent, none where it was spent otherwise.
 * Throws `upstream` `settlement_pending` when the chain cannot tell.
 */
async function settledBy(
  ports: PaymentPorts,
  { authorization }: Payment,
  since: number | undefined,
): Promise<readonly Proof[]> {
  for (let left = looks; left > 0; left -= 1) {
    const from = since === undefined ? undefined : BigInt(since);
    const found = await methodOf(authorization).search(ports, authorization, from);
    if (found.kind === "paid") return found.proofs;
    if (found.kind === "unpaid") return [];
    if (left > 1) await ports.clock.sleep(pause);
  }
  throw pending(undefined);
}

/** Gas has a ceiling: what is above it is not sent, whoever pays (invariant 8). */
function refuseDearGas({ settings }: PaymentPorts, { gasPrice }: Inspection): void {
  const { maxPrice } = gasLimitsOf(settings);
  if (gasPrice > maxPrice) throw busy(new Error(`Gas costs ${gasPrice} wei, more than ${maxPrice}`), 30);
}

/** The relayer whose nonce is asked for along with everything else. */
async function candidate(ports: PaymentPorts, state: State): Promise<Address> {
  const addresses = await ports.relayers.addresses();
  const [any] = addresses;
  const choice = pick(ports, free(addresses, state.relayers, ports.clock.now()))?.address ?? any;
  if (choice === undefined) throw busy(new Error("There are no relayers"));
  return choice;
}

/** Whether both have one nonce, so that at most one of them can be charged. */
function isOne({ authorization: one }: Payment, { authorization: other }: Payment): boolean {
  return one.method === other.method && one.nonce === other.nonce;
}

function isLate({ clock }: PaymentPorts, payment: Payment): boolean {
  return checkTimes(payment.authorization, clock.now()) !== undefined;
}

function check(
  { clock }: PaymentPorts,
  payment: Payment,
  found: Inspection,
  needed: bigint,
): Reason | undefined {
  return checkTimes(payment.authorization, clock.now()) ?? checkChain(payment.authorization, needed, found);
}

function dueFor({ settings }: PaymentPorts, leg: Leg, priceUnits: string, owner: Address): Due {
  const amount = legAmount(leg, BigInt(priceUnits));
  return { leg, amount, payTo: leg === "fee" ? settings.treasury : owner };
}

/** The terms of this moment; for the publisher's leg the chain says who owns the press. */
async function dueNow(ports: PaymentPorts, leg: Leg, pressId: number, priceUnits: string): Promise<Due> {
  if (leg === "fee") return dueFor(ports, leg, priceUnits, ports.settings.treasury);
  const [owner] = await ports.chain.batch([ownerCall(ports.settings.contracts.identityRegistry, pressId)]);
  return dueFor(ports, leg, priceUnits, ownerIn(owner));
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
  return proofs.length > 0 || (claimed !== undefined && sentInVain(claimed));
}

/**
 * Gives what another request's settlement paid for. Whoever reads the chain knows the permits that were settled on it,
 * so the text goes to a repeat that shows what never went there, or to a permit that could pay now, until it has been
 * answered once; then only to the attempt of that name (invariants 5 and 6).
 */
async function handOver(
  ports: PaymentPorts,
  presented: Payment,
  { settlement, before, state }: Extract<Known, { kind: "paid" }>,
): Promise<PayOutcome> {
  if (settlement.leg === "fee") return receiptOf(ports, settlement, before);
  const named = isNamed(settlement, state, presented);
  if (!named) {
    if (settlement.answeredAt !== undefined) throw alreadyUnlocked();
    if (!isRepeat(settlement, state, presented) && !(await isFresh(ports, state, settlement, presented))) {
      throw unlockedForPayer();
    }
  }
  const answer = answering(ports, state);
  const body = await textOf(ports, settlement);
  if (!(await recordAnswer(ports, settlement, answer))) {
    if (!named) throw alreadyUnlocked();
    await openSession(ports, settlement, answer);
  }
  return giveText(ports, settlement, answer, body);
}

/** Whether a permit was never broadcast and could pay the leg now, were it not paid: only its payer can know it. */
async function isFresh(
  ports: PaymentPorts,
  state: State,
  { leg, signed }: SettlementItem,
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
  const { agent } = state;
  const method = methodOf(payment.authorization);
  const bound = await bindingOf(ports, payment);
  if (isElsewhere(state, leg, bound)) return nonceBound(method);
  if (bound?.broadcast === true) return alreadyPublic(method);
  const found = await inspect(ports, agent.pressId, payment, await candidate(ports, state));
  return (
    checkDue(dueFor(ports, leg, agent.priceUnits, found.owner), payment) ??
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

function receiptOf({ settings }: PaymentPorts, settlement: SettlementItem, already: boolean): Paid {
  const { wallet, txHash = "" } = settlement;
  const receipt = { success: true, transaction: txHash, network: network(settings), payer: wallet };
  return { kind: "paid", receipt, already, unlocked: undefined };
}

function giveText(ports: PaymentPorts, settlement: SettlementItem, { opens }: Answering, body: string): Paid {
  return { ...receiptOf(ports, settlement, false), unlocked: { body, token: opens?.token } };
}

/** The text that a settled publisher's leg pays for. */
async function textOf({ table }: PaymentPorts, { id }: SettlementItem): Promise<string> {
  const { data } = await table.entities.body.get({ id }).go({ consistent: true });
  if (data !== null) return data.body;
  throw new AppError(
    "upstream",
    "text_unavailable",
    "The text cannot be read right now. It is paid for: sign in with the wallet that paid to read it later.",
  );
}
