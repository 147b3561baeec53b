import type { Address, Hex } from "../chain/hex.ts";
import * as Gas from "../gas/index.ts";
import {
  type Authorization,
  type AuthorizationItem,
  hasFailedOnChain,
  type IdentifierItem,
  isSameNonce,
  type LegTransfer,
  listChargeableItems,
  readAuthorization,
  type Settlement,
  type SettlementItem,
  type SignedItem,
} from "../record/payment.ts";
import type { GasQuote } from "../relayer/index.ts";
import {
  type Funds,
  findLack,
  findMethod,
  findReason,
  makeBoundReason,
  makePublicReason,
  makeSignatureReason,
  type Payment,
  type SignedPayment,
  type TermsReason,
} from "./method.ts";
import { type AmountDue, checkAmountAndPayee, checkTimes } from "./terms.ts";

/** What the chain shows about a payment and about the key that would send the payment. One round trip usually reads everything. */
export type Inspection = GasQuote & {
  /** The owner of the press's NFT. */
  readonly owner: Address;
  /** The code of the payer's wallet if this code decides whether the signature is valid; `0x` if the payer's key decides. */
  readonly code: Hex;
  /** Whether the payer's own contract confirms the signature (EIP-1271); `false` for plain accounts. */
  readonly signedByContract: boolean;
  readonly funds: Funds;
  readonly nonceSpent: boolean;
  /**
   * The gas units that the settlement uses, or the name of the error if the settlement reverts. The name of an unknown error is
   * `undefined`.
   */
  readonly simulation:
    | { readonly kind: "ok"; readonly gas: bigint }
    | { readonly kind: "reverts"; readonly name: string | undefined };
  /**
   * The number of gas units that pay for L1. A Nitro node includes these units in estimates and receipts. On chains without Nitro, the
   * number of gas units for L1 is 0.
   */
  readonly l1Gas: bigint;
  /**
   * The gas units that a transaction of usual length needs for L1. For a payment to the publisher, this transaction is the fee's payment,
   * if gas was reserved with the fee; in all other cases, it is a typical transaction. The field is set only if the payer's key has not
   * signed the payment, because only a contract's signature can be long.
   */
  readonly usualL1Gas?: bigint | undefined;
  /** Whether the press's owner could receive the given part of the price; `true` if no part was given. */
  readonly ownerPayable: boolean;
  /** The newest block's number. */
  readonly block: bigint;
};

/**
 * All facts by which a payment is accepted or refused: the request, the records, the chain's state, and the time. A fact that needs a
 * separate read of the chain or the table is missing until the check of the payment asks for this fact.
 */
export type PayFacts = {
  /** The payment as it was received, with a checked signature. */
  readonly presented: Payment;
  /** The payment to settle: the presented payment, or an earlier payment that failed after its broadcast and can still be charged. */
  readonly payment: SignedPayment;
  readonly isRetry: boolean;
  /** The press and the leg, the amount due, and the base units that the wallet must hold. */
  readonly pressId: number;
  readonly due: AmountDue;
  readonly needed: bigint;
  /**
   * The record of the leg, and the first payload that was sent with this attempt's identifier. The payer chooses the identifier.
   */
  readonly last: Settlement | undefined;
  readonly named: IdentifierItem | undefined;
  readonly found: Inspection;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /**
   * The reason why the presented payment could not pay the leg if there were no earlier payment; `null` if there is no such reason.
   */
  readonly stale?: TermsReason | null;
  /** The press and the leg of the purchase for which the nonce was first presented. */
  readonly bound?: AuthorizationItem | null;
  /** The transfers that have spent the nonce. */
  readonly transfers?: readonly LegTransfer[];
};

export type Judgement =
  /** One more fact must be read before the payment can be accepted or refused. */
  | { readonly kind: "asks"; readonly about: "stale" | "bound" | "transfers" }
  | { readonly kind: "refused"; readonly reason: TermsReason }
  /**
   * The earlier payment, which was broadcast, cannot be charged in place of the presented payment. Until the earlier payment has expired, no
   * other payment may replace it.
   */
  | { readonly kind: "later" }
  /**
   * The payment can be settled, or somebody else has already settled it by the given `transfers`. `delivers`: whether the request gets the
   * text that the payment pays for.
   */
  | { readonly kind: "good"; readonly transfers: readonly LegTransfer[]; readonly delivers: boolean };

/** Decides whether a payment is accepted for a leg of the purchase that is neither paid nor pending. */
export function judge(facts: PayFacts): Judgement {
  const { presented, payment, isRetry, due, last, found, now, stale, bound } = facts;
  const method = findMethod(presented.authorization);
  if (findEarlierSignature(last, presented) === "otherwise") return refuse(makeBoundReason(method));
  if (isRetry && !sharesNonce(payment, presented)) {
    if (stale === undefined) return { kind: "asks", about: "stale" };
    if (stale !== null) return refuse(stale);
    if (payment.authorization.amount !== presented.authorization.amount) return { kind: "later" };
    if (!found.nonceSpent && checkTimes(payment.authorization, now) !== undefined) return { kind: "later" };
  }
  // The terms of a payment that was accepted earlier stay valid, although its payee may have sold the press in the meantime.
  const unfit = isRetry ? undefined : checkAmountAndPayee(due, presented);
  if (unfit !== undefined) return refuse(unfit);
  if (found.nonceSpent) {
    if (bound === undefined) return { kind: "asks", about: "bound" };
    if (isBoundElsewhere({ pressId: facts.pressId, leg: due.leg }, bound))
      return refuse(makeBoundReason(method));
    if (facts.transfers === undefined) return { kind: "asks", about: "transfers" };
  }
  const { transfers = [] } = facts;
  const delivers = due.leg === "publisher" && !isCopiedPayment(facts, transfers);
  if (transfers.length > 0) return { kind: "good", transfers, delivers };
  const wrong =
    checkTimes(payment.authorization, now) ?? checkChainState(payment.authorization, facts.needed, found);
  // Unless the wallet lacks money, a fault of an earlier payment is no fault of a payment by the other method.
  const { codes } = findMethod(payment.authorization);
  if (wrong !== undefined && codes !== method.codes && wrong.code !== codes.balance) return { kind: "later" };
  if (wrong !== undefined) return refuse(wrong);
  if (due.leg === "publisher" && !delivers) return refuse(makePublicReason(method));
  return { kind: "good", transfers, delivers };
}

function refuse(reason: TermsReason): Judgement {
  return { kind: "refused", reason };
}

/**
 * The reason why a payment that only the payer knows would be refused now, even if its leg of the purchase were still unpaid.
 */
export function checkAsIfUnpaid({
  presented,
  due,
  found,
  now,
}: Pick<PayFacts, "presented" | "due" | "found" | "now">): TermsReason | undefined {
  const method = findMethod(presented.authorization);
  return (
    checkAmountAndPayee(due, presented) ??
    checkTimes(presented.authorization, now) ??
    (found.nonceSpent ? findReason(method, method.spentRevert) : undefined)
  );
}

/**
 * Returns the reason for refusing a payment whose record shows that others know the payment, or names another press or leg.
 */
export function findStaleReason(
  leg: LegId,
  bound: AuthorizationItem | null,
  { authorization }: Payment,
): TermsReason | undefined {
  const method = findMethod(authorization);
  if (isBoundElsewhere(leg, bound)) return makeBoundReason(method);
  return bound?.broadcast === true ? makePublicReason(method) : undefined;
}

type LegId = Pick<AuthorizationItem, "pressId" | "leg">;

function isBoundElsewhere({ pressId, leg }: LegId, binding: AuthorizationItem | null): boolean {
  return binding !== null && (binding.pressId !== pressId || binding.leg !== leg);
}

/**
 * Finds the payer's earlier signature with the same nonce for the same leg of the purchase. Returns `otherwise` if the earlier signature
 * has other content.
 */
export function findEarlierSignature(
  last: Settlement | undefined,
  { authorization }: Payment,
): SignedItem | "otherwise" | undefined {
  const before = last && listChargeableItems(last).find((signed) => isSameNonce(signed, authorization));
  if (last === undefined || before === undefined) return undefined;
  const known = Object.entries(readAuthorization({ wallet: last.wallet, signed: before }));
  const now = new Map(Object.entries(authorization));
  return known.every(([name, value]) => now.get(name) === value) ? before : "otherwise";
}

/** Whether two payments have the same nonce, so that at most one of the two can be charged. */
function sharesNonce({ authorization: one }: SignedPayment, { authorization: other }: Payment): boolean {
  return one.method === other.method && one.nonce === other.nonce;
}

/**
 * Whether the presented payment may be a copy: anybody can read it on the chain, and the request contains no secret of the payer (invariant
 * 5). A payment is public if its broadcast failed, or if another party settled it before the service received it.
 */
function isCopiedPayment(
  { presented, payment, last, named }: PayFacts,
  transfers: readonly LegTransfer[],
): boolean {
  // The payer has signed a new payment after a failed payment, and the new payment was checked separately.
  if (!sharesNonce(payment, presented)) return false;
  const claimed = last !== undefined && isSameNonce(last.signed, payment.authorization) ? last : undefined;
  if (claimed !== undefined && showsSecret(claimed, named, presented)) return false;
  return transfers.length > 0 || (claimed !== undefined && hasFailedOnChain(claimed));
}

/**
 * Whether a payment contains a secret of the client whose payment is in `record`: the payment-identifier with its payload, or the ticket. A
 * permit and its signature are no secret, because both can be read on the chain (invariant 5).
 */
export function showsSecret(
  record: SettlementItem,
  identifierItem: IdentifierItem | undefined,
  payment: Payment,
): boolean {
  return (
    isSameAttempt(record, identifierItem, payment) ||
    (payment.ticket !== undefined && record.ticket === payment.ticket)
  );
}

/** Whether the record was made by an attempt with this identifier and this payload. */
export function isSameAttempt(
  record: SettlementItem,
  named: IdentifierItem | undefined,
  { identifier }: Pick<Payment, "identifier">,
): boolean {
  return (
    identifier !== undefined && record.identifier === identifier.id && named?.digest === identifier.digest
  );
}

/** Whether the code of the payer's wallet refuses the signature. */
export function isSignatureRefused({ code, signedByContract }: Inspection): boolean {
  return code !== "0x" && !signedByContract;
}

/**
 * Whether the payment would succeed if it were sent now. `needed`: the base units that the wallet must hold. For a payment of the fee,
 * `needed` is the whole price: a wallet that could not pay the rest of the price is charged no fee (invariant 7).
 */
function checkChainState(
  authorization: Authorization,
  needed: bigint,
  found: Inspection,
): TermsReason | undefined {
  const method = findMethod(authorization);
  const { codes } = method;
  const hasCode = found.code !== "0x";
  if (isSignatureRefused(found)) return makeSignatureReason(method);
  if (found.nonceSpent) return findReason(method, method.spentRevert);
  const lack = findLack(method, needed, found.funds);
  if (lack !== undefined) return lack;
  if (found.simulation.kind === "reverts") return findReason(method, found.simulation.name);
  // The gas units for the cost of L1 are subtracted from the estimate, because the wallet's code does not use these units.
  const { gas } = found.simulation;
  const computing = gas > found.l1Gas ? gas - found.l1Gas : 0n;
  if (Gas.findGasLimit(computing) > (hasCode ? contractGas : plainGas)) {
    return {
      code: codes.simulation,
      error: "Checking this wallet's signature takes more gas than a payment may cost. Nothing was charged.",
    };
  }
  if (found.ownerPayable) return undefined;
  return {
    code: codes.simulation,
    error:
      "The article's owner cannot be paid in USDG now, so the fee is not taken either. Nothing was charged: try again later.",
  };
}

/**
 * The maximum gas units that a payment by a wallet with code may use. This maximum does not include the gas units for the cost of L1. A
 * settlement takes about 100,000 gas units. The most expensive signature check of honest wallets, P-256 in plain Solidity, adds 350,000 gas
 * units.
 */
const contractGas = 600_000n;

/**
 * The maximum gas units of a plain account's payment. A plain account runs no code, so its payment is expensive only if the chain's own gas
 * costs rise.
 */
const plainGas = 1_875_000n;
