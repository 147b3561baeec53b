import type { Address } from "../chain/hex.ts";
import { toAddress } from "../chain/hex.ts";
import { permitDigest } from "../chain/permit2.ts";
import { canonicalSignature, signedByKey } from "../chain/signature.ts";
import { AppError } from "../error.ts";
import { free } from "../relayer/index.ts";
import { newSession } from "../session/index.ts";
import type { Proof } from "./end.ts";
import type { SettlementItem } from "./entity.ts";
import { decodePayment, type Payment } from "./header.ts";
import { type Inspection, inspect, ownerCall, ownerIn } from "./inspect.ts";
import { alreadyUnlocked, type Known, known, pending } from "./known.ts";
import { pick } from "./lease.ts";
import type { PaymentPorts } from "./ports.ts";
import type { Leg, PaymentReceipt, PaymentRequired } from "./schema.ts";
import { searchSettlement } from "./search.ts";
import { settle } from "./settle.ts";
import { allSigned, permitOf, type SignedItem } from "./standing.ts";
import { busy, findAgent, readState, type State, sentInVain } from "./state.ts";
import { type Due, legAmount, network, paymentRequired, type Reason } from "./terms.ts";
import {
  checkChain,
  checkDue,
  checkForm,
  checkTimes,
  invalidSignature,
  nonceBound,
  reasonFor,
} from "./verify.ts";

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
      /** The text, and the token of a session that reads it again: for the publisher's leg. */
      readonly unlocked: { readonly body: string; readonly token: string } | undefined;
    };

export type PayRequest = {
  readonly leg: Leg;
  /** The agent id. */
  readonly pressId: number;
  /** The payment header as it came, if any. */
  readonly header: string | undefined;
};

const noPayment: Reason = {
  code: "payment_required",
  error: "Payment required: sign the terms and repeat the request with the payment-signature header.",
};
const malformed: Reason = {
  code: "malformed_payment_header",
  error: "Malformed payment header: it must be base64 of the JSON of an x402 version 2 payment by Permit2.",
};

/**
 * One leg of a purchase (specification §4.4, design §4): offers terms, or settles the signed payment at most once and
 * delivers what it pays for.
 *
 * Throws `missing` `unknown_press`; `conflict` `fee_first` and `already_unlocked`; `upstream` `settlement_pending`
 * (with the transaction), `payments_unavailable` and `chain_unavailable`.
 */
export async function pay(ports: PaymentPorts, { leg, pressId, header }: PayRequest): Promise<PayOutcome> {
  const sent = header === undefined ? undefined : decodePayment(header);
  if (sent === undefined) {
    const { priceUnits } = await findAgent(ports, pressId);
    return offer(
      ports,
      await dueNow(ports, leg, pressId, priceUnits),
      header === undefined ? noPayment : malformed,
    );
  }
  const { identifier } = sent;
  const first = await readState(ports, { pressId, wallet: sent.permit.from, identifier: identifier?.id });
  const { priceUnits } = first.agent;
  const wrongForm = checkForm(ports.settings, sent);
  if (wrongForm !== undefined) return offer(ports, await dueNow(ports, leg, pressId, priceUnits), wrongForm);

  const token = leg === "publisher" ? ports.ids.secret() : undefined;
  const byKey = await keySigned(ports, sent);
  const presented = byKey ? canonical(sent) : sent;
  // A wallet that has paid hears so even when its header is old; a contract's signature needs the chain's word first.
  const asked = { leg, identifier, token, first };
  const ownerPart =
    leg === "publisher"
      ? undefined
      : { amount: legAmount("publisher", BigInt(priceUnits)), expected: toAddress(first.agent.publisher) };
  const look = (state: State, payment: Payment) =>
    candidate(ports, state).then((relayer) => inspect(ports, pressId, payment, relayer, ownerPart));
  const early = byKey ? undefined : await look(first, presented);
  if (early?.signedByContract === false)
    return offer(ports, dueFor(ports, leg, priceUnits, early.owner), invalidSignature);
  const standing = await known(ports, first, asked);
  if (standing.kind === "settled") return handOver(ports, first, presented, standing, token);

  const { state, live } = standing;
  const alive = stillAlive(ports, state, leg, live);
  const payment = alive ?? presented;
  // What was read of the chain before something ended is no longer true.
  const stands = early !== undefined && state === first && alive === undefined;
  const found = stands ? early : await look(state, payment);
  const due = dueFor(ports, leg, priceUnits, found.owner);
  const again = signedBefore(ports, state, leg, presented);
  if (again === "otherwise") return offer(ports, due, nonceBound);
  if (alive !== undefined && alive.permit.nonce !== presented.permit.nonce) {
    const stale = await unfitNow(ports, first, leg, presented);
    if (stale !== undefined) return offer(ports, due, stale);
    if (!found.nonceSpent && isLate(ports, payment)) {
      throw busy(new Error("A permit that was broadcast for this leg lives for some seconds yet"), 6);
    }
  }
  // A permit that was once accepted keeps its terms: its payee may have sold the press since.
  const unfit = alive === undefined ? checkDue(due, payment) : undefined;
  if (unfit !== undefined) return offer(ports, due, unfit);
  const since = alive === undefined ? again?.block : state.legs[leg]?.block;
  if (found.nonceSpent && (await isBoundElsewhere(ports, state, leg, payment)))
    return offer(ports, due, nonceBound);
  const proofs = found.nonceSpent ? await settledBy(ports, payment, since) : [];
  const needed = leg === "fee" ? BigInt(priceUnits) : payment.permit.amount;
  const refusal = proofs.length > 0 ? undefined : check(ports, payment, found, needed);
  if (refusal !== undefined) return offer(ports, due, refusal);

  const ending = await settle(ports, state, { asked, payment, found, proofs, live });
  switch (ending.kind) {
    case "permit_bound":
      return offer(ports, due, nonceBound);
    case "failed":
      return offer(ports, due, ending.reason, { payer: payment.permit.from, txHash: ending.txHash });
    case "pending":
      throw pending(ending.txHash);
    case "settled":
      return deliver(ports, ending.settlement, { before: false, ...ending }, token);
  }
}

function keySigned({ settings }: PaymentPorts, { permit, signature }: Payment): Promise<boolean> {
  const domain = { chainId: settings.chainId, permit2: settings.contracts.permit2 };
  return signedByKey(permit.from, permitDigest(domain, permit), signature);
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
  if (!live.some(({ permitNonce }) => permitNonce === last.permitNonce)) return undefined;
  return {
    permit: permitOf(settings, last),
    signature: `0x${last.signature.slice(2)}`,
    identifier: undefined,
    accepted: {
      scheme: "exact",
      network: network(settings),
      amount: last.amount,
      asset: settings.contracts.usdg,
      payTo: last.payTo,
    },
  };
}

/** What the payer signed for the leg with this nonce before; `otherwise` where it said something else than now. */
function signedBefore(
  { settings }: PaymentPorts,
  { legs }: State,
  leg: Leg,
  { permit }: Payment,
): SignedItem | "otherwise" | undefined {
  const last = legs[leg];
  if (last === undefined) return undefined;
  const before = allSigned(last).find(({ permitNonce }) => permitNonce === String(permit.nonce));
  if (before === undefined) return undefined;
  const domain = { chainId: settings.chainId, permit2: settings.contracts.permit2 };
  const same =
    permitDigest(domain, permitOf(settings, { ...before, wallet: last.wallet })) ===
    permitDigest(domain, permit);
  return same ? before : "otherwise";
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
  { permit }: Payment,
  since: number | undefined,
): Promise<readonly Proof[]> {
  for (let left = looks; left > 0; left -= 1) {
    const found = await searchSettlement(ports, permit, since === undefined ? undefined : BigInt(since));
    if (found.kind === "paid") return found.proofs;
    if (found.kind === "unpaid") return [];
    if (left > 1) await ports.clock.sleep(pause);
  }
  throw pending(undefined);
}

/** The relayer whose nonce is asked for along with everything else. */
async function candidate(ports: PaymentPorts, state: State): Promise<Address> {
  const addresses = await ports.relayers.addresses();
  const [any] = addresses;
  const choice = pick(ports, free(addresses, state.relayers, ports.clock.now()))?.address ?? any;
  if (choice === undefined) throw busy(new Error("There are no relayers"));
  return choice;
}

function isLate({ clock }: PaymentPorts, payment: Payment): boolean {
  return checkTimes(payment, clock.now()) !== undefined;
}

function check(
  { clock }: PaymentPorts,
  payment: Payment,
  found: Inspection,
  needed: bigint,
): Reason | undefined {
  return checkTimes(payment, clock.now()) ?? checkChain(needed, found);
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
  { settings }: PaymentPorts,
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
  return { kind: "terms", terms: paymentRequired(settings, due, reason), receipt };
}

/**
 * Gives what a settlement paid for to a request that found it unfinished. Whoever reads the chain knows the permits
 * that were settled on it, so the text goes only to the permit that paid, or to one that could pay now.
 */
async function handOver(
  ports: PaymentPorts,
  state: State,
  presented: Payment,
  ended: Extract<Known, { kind: "settled" }>,
  token: string | undefined,
): Promise<PayOutcome> {
  const { settlement } = ended;
  if (token !== undefined && String(presented.permit.nonce) !== settlement.permitNonce) {
    const stale = await unfitNow(ports, state, settlement.leg, presented);
    if (stale !== undefined) throw alreadyUnlocked();
  }
  return deliver(ports, settlement, ended, token);
}

/** Why a permit could not pay this leg now, were it not paid; `undefined` for one that only its payer can know. */
async function unfitNow(
  ports: PaymentPorts,
  state: State,
  leg: Leg,
  payment: Payment,
): Promise<Reason | undefined> {
  const { agent } = state;
  // One that was presented for this very leg and broadcast is spent or past its deadline, which is seen below.
  if (await isBoundElsewhere(ports, state, leg, payment)) return nonceBound;
  const found = await inspect(ports, agent.pressId, payment, await candidate(ports, state));
  return (
    checkDue(dueFor(ports, leg, agent.priceUnits, found.owner), payment) ??
    checkTimes(payment, ports.clock.now()) ??
    (found.nonceSpent ? reasonFor("InvalidNonce") : undefined)
  );
}

/** Whether the permit was first presented for another press or leg. */
async function isBoundElsewhere(
  { table }: PaymentPorts,
  { agent }: State,
  leg: Leg,
  { permit: { from, nonce } }: Payment,
): Promise<boolean> {
  const key = { wallet: from, nonce: String(nonce) };
  const { data } = await table.entities.permit.get(key).go({ consistent: true });
  return data !== null && (data.pressId !== agent.pressId || data.leg !== leg);
}

/** What a settled leg gives: its receipt, and for the publisher's leg the text and a session. */
async function deliver(
  ports: PaymentPorts,
  settlement: SettlementItem,
  { before, sessionStored }: { readonly before: boolean; readonly sessionStored: boolean },
  token: string | undefined,
): Promise<PayOutcome> {
  const { wallet, txHash = "" } = settlement;
  const receipt = { success: true, transaction: txHash, network: network(ports.settings), payer: wallet };
  if (token === undefined) return { kind: "paid", receipt, already: before, unlocked: undefined };
  const { body, session } = ports.table.entities;
  if (!sessionStored) await session.put(newSession(ports.clock, token, toAddress(wallet), "payment")).go();
  const { data } = await body.get({ id: settlement.id }).go({ consistent: true });
  if (data === null) throw new AppError("upstream", "text_unavailable", "The text cannot be read right now.");
  return { kind: "paid", receipt, already: before, unlocked: { body: data.body, token } };
}
