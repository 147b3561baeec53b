import { type Hex, toAddress } from "../chain/hex.ts";
import type { Permit } from "../chain/permit2.ts";
import { gsi1, gsi2, gsi3, type ItemOf, makeEntityModel, makePrimaryKey, makeRecord, toKey } from "./keys.ts";

/** The two payments of a purchase. */
const legNames = ["fee", "publisher"] as const;

/** The methods by which a payer can sign a payment. */
const methodNames = ["permit2", "eip3009"] as const;

/**
 * All fields of a payer's authorization. All fields are stored, so that every payment can be finished even after the stage's settings have
 * changed. Numbers are stored as decimal texts.
 */
const signed = {
  type: "map",
  properties: {
    method: { type: methodNames, required: true },
    chainId: { type: "number", required: true },
    token: { type: "string", required: true },
    spender: { type: "string", required: true },
    /** The amount in base units. */
    amount: { type: "string", required: true },
    payTo: { type: "string", required: true },
    nonce: { type: "string", required: true },
    /** Both times are in seconds since the epoch. */
    validAfter: { type: "string", required: true },
    deadline: { type: "string", required: true },
    signature: { type: "string", required: true },
    /** The number of a block before the first request with the payment. The payment cannot have been settled before this block. */
    block: { type: "number", required: true },
  },
} as const;

/**
 * The settlement record of a payment. There is only one settlement record for each wallet, press and leg of a purchase (design §4). The
 * settled record of the payment to the publisher also proves that the wallet has unlocked the press. So no second record can contradict
 * this proof.
 */
export const settlementRecord = {
  model: makeEntityModel("settlement"),
  attributes: {
    wallet: { type: "string", required: true },
    pressId: { type: "number", required: true },
    leg: { type: legNames, required: true },
    state: { type: ["queued", "submitted", "settled", "failed"] as const, required: true },
    /** The name of the only attempt that may change the record while the settlement is queued or submitted. */
    claim: { type: "string", required: true },
    /** The time in milliseconds at which a claim expires if nothing was broadcast. */
    claimUntil: { type: "number", required: true },
    signed: { ...signed, required: true },
    /**
     * An earlier authorization of the payer for the same leg of the purchase. The service has never broadcast the earlier authorization,
     * but others may still charge it.
     */
    earlier: { type: "list", items: signed },
    /** The relayer key that will send the settlement. The field is missing until the settlement is queued and a key is free. */
    relayer: { type: "string" },
    /** The estimated gas units of the settlement. The field is set while the payment waits for a shared transaction. */
    gasEstimate: { type: "number" },
    /** The stored transaction that contains the payment while the settlement is submitted (core/relayer). */
    transaction: { type: "string" },
    /**
     * The hash of the transaction that has paid this leg of the purchase. If the leg is unpaid, the field holds the hash of the last
     * broadcast transaction, because anybody who has seen the broadcast may still settle the payment.
     */
    txHash: { type: "string" },
    /** The payer's identifier for the attempt that this settlement belongs to (x402 extension payment-identifier). */
    identifier: { type: "string" },
    /** The hash of the ticket that the payer received with the terms and has sent back. The ticket is never written to the chain. */
    ticket: { type: "string" },
    /**
     * The time of the first answer with the text, in ISO 8601. After the first answer, the service no longer gives the text for a ticket or
     * a new signature.
     */
    answeredAt: { type: "string" },
    /** Facts about the press that never change. The facts about the press are stored in the payment's record for the wallet's history. */
    id: { type: "number", required: true },
    slug: { type: "string", required: true },
    headline: { type: "string", required: true },
    stock: { type: "string", required: true },
    priceUnits: { type: "string", required: true },
    /** The publisher of the press. The field is missing on records that were made before the field was introduced. */
    publisher: { type: "string" },
    /** The reason why the settlement failed, as a code of x402. */
    failure: { type: "string" },
    /** The time of the last change, in milliseconds since the epoch. */
    changedAt: { type: "number", required: true },
    settledAt: { type: "string" },
    /**
     * The service's gas cost for the purchase, and the party that pays for this gas (core/gas). The field is missing if the service sends
     * no transaction for the purchase.
     */
    carry: {
      type: "map",
      properties: {
        day: { type: "string", required: true },
        payee: { type: "string", required: true },
        ethPrice: { type: "number", required: true },
        fee: { type: "number", required: true },
        rest: { type: "number", required: true },
        booked: { type: "number", required: true },
        share: { type: "number" },
        gas: { type: "number" },
        kept: { type: "number" },
        burned: { type: "boolean" },
      },
    },
    /** The gas cost, in USDG base units, that is reserved until the payment ends, if the payer is a wallet with code (core/gas). */
    gas: {
      type: "map",
      properties: {
        day: { type: "string", required: true },
        limit: { type: "number", required: true },
        ahead: { type: "number" },
        reserved: { type: "boolean" },
        subjects: { type: "list", items: { type: "string" }, required: true },
      },
    },
    /**
     * The payment's state, as the reconciler sees it. `waiting`: the payment is not part of a transaction yet, and any sender may add it to
     * a shared transaction. `pending`: the payment has not ended, but does not wait for a shared transaction. `watched`: the payment has
     * failed, but others may still settle its signed authorizations. `uncounted`: the payment is settled, but not yet added to the counts
     * of its press.
     */
    pending: { type: ["waiting", "pending", "watched", "uncounted"] as const },
    /**
     * Fields that are set when the payment to the publisher is settled. With these fields, an index lists the presses that a wallet has
     * unlocked, the newest first.
     */
    unlockedBy: { type: "string" },
    unlockedAt: { type: "string" },
    unlockedPress: { type: "number" },
    /**
     * Four fields that only a settled payment has. With these fields, an index lists the fees of a wallet and the sales of a publisher, the
     * newest first.
     */
    listedAs: { type: ["fee", "sale"] as const },
    listedFor: { type: "string" },
    listedAt: { type: "string" },
    listedPress: { type: "number" },
  },
  indexes: {
    byPayer: makePrimaryKey(["wallet", "pressId"], ["leg"]),
    inFlight: gsi1(["pending"], ["changedAt", "claim"]),
    unlocks: gsi2(["unlockedBy"], ["unlockedAt", "unlockedPress"]),
    listed: gsi3(["listedAs", "listedFor"], ["listedAt", "listedPress"]),
  },
} as const;

export type SettlementItem = ItemOf<typeof settlementRecord>;

type RequiredFields<Name extends keyof SettlementItem> = Required<Pick<SettlementItem, Name>>;
type OptionalFields<Name extends keyof SettlementItem> = Partial<Pick<SettlementItem, Name>>;
type AbsentFields<Name extends keyof SettlementItem> = Readonly<Partial<Record<Name, never>>>;

/** The common fields of all records of a leg of a purchase. */
type LegMembers = Omit<
  SettlementItem,
  "state" | "pending" | "relayer" | "gasEstimate" | "transaction" | "failure" | "settledAt" | "answeredAt"
>;

/** The payment is claimed but not yet part of a transaction. The payment waits until any sender adds it to a shared transaction. */
export type WaitingLeg = LegMembers &
  RequiredFields<"gasEstimate"> &
  AbsentFields<"relayer"> & { state: "queued"; pending: "waiting" };

/**
 * The payment is claimed but is not part of a transaction. The claim has a relayer key, unless the claim only records a transfer that
 * somebody else has sent.
 */
export type ClaimedLeg = LegMembers &
  OptionalFields<"relayer" | "gasEstimate"> & { state: "queued"; pending: "pending" };

export type QueuedLeg = WaitingLeg | ClaimedLeg;

/** The payment is part of a stored transaction. `txHash`: the hash of the broadcast transaction. */
export type SubmittedLeg = LegMembers &
  RequiredFields<"transaction" | "txHash"> & { state: "submitted"; pending: "pending" };

/** The payment was settled by the transaction `txHash`. `uncounted`: the payment is not yet added to the counts of its press. */
export type SettledLeg = LegMembers &
  RequiredFields<"txHash" | "settledAt"> &
  OptionalFields<"answeredAt"> & { state: "settled"; pending?: "uncounted" };

/**
 * The service has charged nothing for this leg of the purchase. `watched`: others may still charge the signed authorization. `txHash`: the
 * hash of the broadcast transaction that has failed.
 */
export type FailedLeg = LegMembers & RequiredFields<"failure"> & { state: "failed"; pending?: "watched" };

/** The form of a payment's record in each state that a payment can have (design §4). */
export type Settlement = QueuedLeg | SubmittedLeg | SettledLeg | FailedLeg;

/**
 * Parses a payment's record according to its state. If the record lacks a field of its state, the record is damaged, and the function
 * throws.
 */
export function parseSettlement(item: SettlementItem): Settlement {
  const {
    state,
    pending,
    relayer,
    gasEstimate,
    transaction,
    txHash,
    failure,
    settledAt,
    answeredAt,
    ...leg
  } = item;
  const hash = txHash === undefined ? {} : { txHash };
  switch (state) {
    case "queued": {
      const estimate = gasEstimate === undefined ? {} : { gasEstimate };
      if (pending === "pending") {
        return { ...leg, ...hash, state, pending, ...estimate, ...(relayer !== undefined && { relayer }) };
      }
      if (pending !== "waiting" || gasEstimate === undefined) break;
      return { ...leg, ...hash, state, pending, gasEstimate };
    }
    case "submitted":
      if (pending !== "pending" || transaction === undefined || txHash === undefined) break;
      return { ...leg, state, pending, transaction, txHash };
    case "settled": {
      if (txHash === undefined || settledAt === undefined) break;
      const answered = answeredAt === undefined ? {} : { answeredAt };
      const settled = { ...leg, ...answered, state, txHash, settledAt };
      return pending === "uncounted" ? { ...settled, pending } : settled;
    }
    case "failed": {
      if (failure === undefined) break;
      const failed = { ...leg, ...hash, state, failure };
      return pending === "watched" ? { ...failed, pending } : failed;
    }
  }
  throw new Error(
    `The ${item.leg} leg of ${item.wallet} for ${item.pressId} is ${state} but lacks a field of this state`,
  );
}

/**
 * The fee that belongs to a settled payment to the publisher, in base units: the price minus the amount of the payment to the publisher.
 */
export function computeFee({ priceUnits, signed }: Pick<SettlementItem, "priceUnits" | "signed">): number {
  return Number(BigInt(priceUnits) - BigInt(signed.amount));
}

/**
 * The nonce and the method of an authorization that a wallet has signed. The nonce is permanently bound to the press and the leg of the
 * purchase for which it was first presented.
 */
export const authorizationRecord = makeRecord(
  "authorization",
  toKey("byNonce", ["wallet", "method", "nonce"]),
  {
    wallet: { type: "string", required: true },
    method: { type: methodNames, required: true },
    nonce: { type: "string", required: true },
    pressId: { type: "number", required: true },
    leg: { type: legNames, required: true },
    /** Whether the service has ever broadcast the authorization. A broadcast authorization is public, even if its payment has failed. */
    broadcast: { type: "boolean" },
  },
);

export type AuthorizationItem = ItemOf<typeof authorizationRecord>;

/**
 * The record of a nonce. A complete search has shown that the nonce was not spent to pay this amount to this payee. The result of a
 * complete search can no longer change. The record is valid only for this amount and this payee.
 */
export const unpaidRecord = makeRecord(
  "unpaid",
  toKey("byNonce", ["wallet", "method", "nonce"], ["payTo", "amount"]),
  {
    wallet: { type: "string", required: true },
    method: { type: methodNames, required: true },
    nonce: { type: "string", required: true },
    payTo: { type: "string", required: true },
    /** The amount in base units. */
    amount: { type: "string", required: true },
    /** The time of expiry, in seconds since the epoch. */
    expiresAt: { type: "number", required: true },
  },
);

/**
 * A payer's identifier for one attempt to pay. A request is refused if it repeats the identifier of an earlier request but has another
 * payload. The record of a payment-identifier is stored for a week.
 */
export const identifierRecord = makeRecord("identifier", toKey("byName", ["wallet", "identifier"]), {
  wallet: { type: "string", required: true },
  identifier: { type: "string", required: true },
  /** The keccak256 hash of the payload to which the identifier belongs. */
  digest: { type: "string", required: true },
  pressId: { type: "number", required: true },
  leg: { type: legNames, required: true },
  /** The time of expiry, in seconds since the epoch. */
  expiresAt: { type: "number", required: true },
});

export type IdentifierItem = ItemOf<typeof identifierRecord>;

/** A transfer on the chain that has paid for a leg of a purchase. The record prevents the same transfer from paying for another leg. */
export const transferRecord = makeRecord("transfer", toKey("byLog", ["txHash"], ["logIndex"]), {
  txHash: { type: "string", required: true },
  logIndex: { type: "number", required: true },
  wallet: { type: "string", required: true },
  pressId: { type: "number", required: true },
  leg: { type: legNames, required: true },
});

/** The table key of a payment's record. */
export type LegKey = Pick<SettlementItem, "wallet" | "pressId" | "leg">;

export function makePaymentKey({ wallet, pressId, leg }: LegKey): LegKey {
  return { wallet, pressId, leg };
}

/** The name by which the outbox identifies a payment. */
export function makePaymentName({ wallet, pressId, leg }: LegKey): string {
  return `${leg} ${pressId} ${wallet}`;
}

/** Finds the payment that has the given name in the outbox. Throws an Error if no payment can have this name. */
export function parseLegName(name: string): LegKey {
  const [leg, pressId, wallet] = name.split(" ");
  if ((leg !== "fee" && leg !== "publisher") || wallet === undefined) throw new Error(`No leg: ${name}`);
  return { wallet, pressId: Number(pressId), leg };
}

/**
 * A payer's authorization, in the form that all payment methods share. The field `spender` is the contract that may move the token for the
 * payer: x402's proxy for Permit2, or the token itself. The fields `validAfter` and `deadline` are the first second and the last second in
 * which the payment can be charged. The field `nonce` is any 256-bit number that the payer has not used with this method before. The nonces
 * of a payer need not be in order.
 */
export type Authorization = Permit & {
  readonly method: SignedItem["method"];
  readonly chainId: number;
};

/** The transfer that has paid a leg of a purchase. */
export type LegTransfer = { readonly txHash: string; readonly logIndex: number };

/** A signed authorization, in the form in which the payment's record stores it. */
export type SignedItem = SettlementItem["signed"];

/** Lists the signed authorizations in a payment's record, the newest first. Others may still settle these authorizations. */
export function listChargeableItems(item: Pick<SettlementItem, "signed" | "earlier">): readonly SignedItem[] {
  return [item.signed, ...(item.earlier ?? [])];
}

/** Reads the payer's authorization from a record. */
export function readAuthorization({
  wallet,
  signed,
}: Pick<SettlementItem, "wallet" | "signed">): Authorization {
  return {
    method: signed.method,
    chainId: signed.chainId,
    from: toAddress(wallet),
    token: toAddress(signed.token),
    amount: BigInt(signed.amount),
    spender: toAddress(signed.spender),
    nonce: BigInt(signed.nonce),
    deadline: BigInt(signed.deadline),
    validAfter: BigInt(signed.validAfter),
    to: toAddress(signed.payTo),
  };
}

/**
 * An authorization in the form in which records store it. `block`: the number of a block before the first request with the authorization.
 */
export function makeSignedItem(authorization: Authorization, signature: Hex, block: number): SignedItem {
  const { method, chainId, token, spender, amount, to, nonce, validAfter, deadline } = authorization;
  return {
    method,
    chainId,
    token,
    spender,
    amount: String(amount),
    payTo: to,
    nonce: String(nonce),
    validAfter: String(validAfter),
    deadline: String(deadline),
    signature,
    block,
  };
}

/**
 * Whether a recorded authorization and a presented authorization have the same nonce. If two authorizations have the same nonce, only one
 * of them can be charged.
 */
export function isSameNonce(
  signed: Pick<SignedItem, "method" | "nonce">,
  other: { readonly method: string; readonly nonce: string | bigint },
): boolean {
  return signed.method === other.method && signed.nonce === String(other.nonce);
}

/** Reads the signature from an item with a signed authorization. */
export function readSignature({ signature }: SignedItem): Hex {
  return `0x${signature.slice(2)}`;
}

/**
 * Whether the permit in the record was broadcast and has moved no money. Anybody who saw the broadcast may have settled the permit already,
 * or may still settle it.
 */
export function hasFailedOnChain({ state, txHash }: Settlement): boolean {
  return txHash !== undefined && (state === "failed" || state === "queued");
}

/**
 * A signed receipt of a payment, stored under the position of the transfer's log on the chain. Signed receipts are stored in a separate
 * partition, so that the public endpoint that writes receipts needs no right to write payments.
 */
export const receiptRecord = makeRecord("receipt", toKey("byLog", ["receiptOf"], ["logIndex"]), {
  receiptOf: { type: "string", required: true },
  logIndex: { type: "number", required: true },
  payload: {
    type: "map",
    properties: {
      version: { type: "number", required: true },
      network: { type: "string", required: true },
      resourceUrl: { type: "string", required: true },
      payer: { type: "string", required: true },
      issuedAt: { type: "number", required: true },
      transaction: { type: "string", required: true },
    },
    required: true,
  },
  signature: { type: "string", required: true },
});

export type ReceiptItem = ItemOf<typeof receiptRecord>;
