import { type Address, type Hex, toAddress } from "../chain/hex.ts";
import { gsi1, gsi2, gsi3, type ItemOf, model, primary } from "./keys.ts";

/** The ways to sign. */
const methodNames = ["permit2", "eip3009"] as const;

/** A payer's whole authorization, so that a change of settings leaves no payment stuck. Numbers are decimal texts. */
const signed = {
  type: "map",
  properties: {
    method: { type: methodNames, required: true },
    chainId: { type: "number", required: true },
    token: { type: "string", required: true },
    spender: { type: "string", required: true },
    /** Base units. */
    amount: { type: "string", required: true },
    payTo: { type: "string", required: true },
    nonce: { type: "string", required: true },
    /** Seconds since the epoch. */
    validAfter: { type: "string", required: true },
    deadline: { type: "string", required: true },
    signature: { type: "string", required: true },
    /** A block before the payment was first presented: it was not settled in any earlier block. */
    block: { type: "number", required: true },
  },
} as const;

/** The one settlement of a (wallet, press, leg): the machine of design §4. A settled publisher leg is the unlock;
 * there is no second record that could disagree with it. */
export const settlementRecord = {
  model: model("settlement"),
  attributes: {
    wallet: { type: "string", required: true },
    pressId: { type: "number", required: true },
    leg: { type: ["fee", "publisher"] as const, required: true },
    state: { type: ["queued", "submitted", "settled", "failed"] as const, required: true },
    /** The attempt that owns the record while it is queued or submitted. */
    claim: { type: "string", required: true },
    /** Milliseconds: a claim that has broadcast nothing by then is void. */
    claimUntil: { type: "number", required: true },
    signed: { ...signed, required: true },
    /** An earlier authorization of the payer for the leg, which was never broadcast and may still be charged by others. */
    earlier: { type: "list", items: signed },
    /** The key that the settlement holds, once it is queued and its turn has come. */
    relayer: { type: "string" },
    /** The estimated gas units of settling, while the leg waits for a shared transaction. */
    gasEstimate: { type: "number" },
    /** The stored transaction that carries the leg, while it is submitted (core/relayer). */
    transaction: { type: "string" },
    /** The transaction that paid it, or else the last one that was broadcast: anybody who saw that may settle it. */
    txHash: { type: "string" },
    /** The payer's name for the attempt that this settlement answers (x402 extension payment-identifier). */
    identifier: { type: "string" },
    /** Hash of the ticket that the payer echoed from the terms; it never goes on the chain. */
    ticket: { type: "string" },
    /** ISO 8601: when the text was first answered. From then on a ticket or a fresh signature no longer collects it. */
    answeredAt: { type: "string" },
    /** Frozen facts of the press, for the history. */
    id: { type: "number", required: true },
    slug: { type: "string", required: true },
    headline: { type: "string", required: true },
    stock: { type: "string", required: true },
    priceUnits: { type: "string", required: true },
    /** Who published the press; absent on records from before this field existed. */
    publisher: { type: "string" },
    /** Why the settlement failed: a protocol code. */
    failure: { type: "string" },
    /** Milliseconds since the epoch. */
    changedAt: { type: "number", required: true },
    settledAt: { type: "string" },
    /** The gas that a read costs us, and who pays for it (core/gas). Absent where nothing of ours is sent for it. */
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
        kept: { type: "number" },
        burned: { type: "boolean" },
      },
    },
    /** The gas that the payment of a wallet with code may burn, reserved until it ends (core/gas). USDG base units. */
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
     * For the reconciler: `waiting` while the leg is in no transaction and any sender may take it along, `pending` while it is under way
     * otherwise, `watched` on a failed leg as long as others may still charge its signatures, `uncounted` on a settled leg that its press
     * has not counted yet.
     */
    pending: { type: ["waiting", "pending", "watched", "uncounted"] as const },
    /** Fields that are set when a publisher leg is settled; by them the index lists the wallet's unlocks, newest first. */
    unlockedBy: { type: "string" },
    unlockedAt: { type: "string" },
    unlockedPress: { type: "number" },
    /**
     * Four fields of a settled leg, by which the index lists the fees that a wallet has paid and the sales of a publisher, newest first.
     */
    listedAs: { type: ["fee", "sale"] as const },
    listedFor: { type: "string" },
    listedAt: { type: "string" },
    listedPress: { type: "number" },
  },
  indexes: {
    byPayer: primary(["wallet", "pressId"], ["leg"]),
    inFlight: gsi1(["pending"], ["changedAt", "claim"]),
    unlocks: gsi2(["unlockedBy"], ["unlockedAt", "unlockedPress"]),
    listed: gsi3(["listedAs", "listedFor"], ["listedAt", "listedPress"]),
  },
} as const;

export type SettlementItem = ItemOf<typeof settlementRecord>;

type Has<Name extends keyof SettlementItem> = Required<Pick<SettlementItem, Name>>;
type Optional<Name extends keyof SettlementItem> = Partial<Pick<SettlementItem, Name>>;
type Absent<Name extends keyof SettlementItem> = Readonly<Partial<Record<Name, never>>>;

/** The common fields of every record of a leg. */
type LegMembers = Omit<
  SettlementItem,
  "state" | "pending" | "relayer" | "gasEstimate" | "transaction" | "failure" | "settledAt" | "answeredAt"
>;

/** Claimed, and in no transaction: the leg waits until any sender takes it along. */
export type Waiting = LegMembers &
  Has<"gasEstimate"> &
  Absent<"relayer"> & { state: "queued"; pending: "waiting" };

/** Claimed, and in no transaction: with a key of its own, or without a key to record a transfer by others. */
export type Claimed = LegMembers &
  Optional<"relayer" | "gasEstimate"> & { state: "queued"; pending: "pending" };

export type Queued = Waiting | Claimed;

/** In a stored transaction. `txHash`: what was broadcast. */
export type Submitted = LegMembers &
  Has<"transaction" | "txHash"> & { state: "submitted"; pending: "pending" };

/** Paid by `txHash`. `uncounted`: its press has not counted it yet. */
export type Settled = LegMembers &
  Has<"txHash" | "settledAt"> &
  Optional<"answeredAt"> & { state: "settled"; pending?: "uncounted" };

/** We have charged nothing. `watched`: others may still charge what was signed. `txHash`: what was broadcast in vain. */
export type Failed = LegMembers & Has<"failure"> & { state: "failed"; pending?: "watched" };

/** The machine of design §4: what a leg's record is in each of its states. */
export type Settlement = Queued | Submitted | Settled | Failed;

/** A record as the machine knows it. A record that lacks a field of its state was not written by the machine: reading it throws. */
export function settlementIn(item: SettlementItem): Settlement {
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
    `The ${item.leg} leg of ${item.wallet} for ${item.pressId} is ${state} without what belongs to that`,
  );
}

/** The fee that was paid beside a settled publisher's leg, in base units: the rest of the price. */
export function feeBeside({ priceUnits, signed }: Pick<SettlementItem, "priceUnits" | "signed">): number {
  return Number(BigInt(priceUnits) - BigInt(signed.amount));
}

/** A nonce that a wallet has signed by a method, bound for ever to the one (press, leg) that first presented it. */
export const authorizationRecord = {
  model: model("authorization"),
  attributes: {
    wallet: { type: "string", required: true },
    method: { type: methodNames, required: true },
    nonce: { type: "string", required: true },
    pressId: { type: "number", required: true },
    leg: { type: ["fee", "publisher"] as const, required: true },
    /** Whether we have ever broadcast the authorization: then it is public, whatever the outcome. */
    broadcast: { type: "boolean" },
  },
  indexes: {
    byNonce: primary(["wallet", "method", "nonce"]),
  },
} as const;

export type AuthorizationItem = ItemOf<typeof authorizationRecord>;

/**
 * Notes that a spent nonce has not paid this amount to this payee, as a complete search has shown: it was spent for something else, for
 * ever. For another amount or payee this says nothing.
 */
export const unpaidRecord = {
  model: model("unpaid"),
  attributes: {
    wallet: { type: "string", required: true },
    method: { type: methodNames, required: true },
    nonce: { type: "string", required: true },
    payTo: { type: "string", required: true },
    /** Base units. */
    amount: { type: "string", required: true },
    /** Seconds since the epoch. */
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byNonce: primary(["wallet", "method", "nonce"], ["payTo", "amount"]),
  },
} as const;

/** A payer's name for one attempt: the same name with another payload is refused. Kept for a week. */
export const identifierRecord = {
  model: model("identifier"),
  attributes: {
    wallet: { type: "string", required: true },
    identifier: { type: "string", required: true },
    /** keccak256 of the payload that the identifier names. */
    digest: { type: "string", required: true },
    pressId: { type: "number", required: true },
    leg: { type: ["fee", "publisher"] as const, required: true },
    /** Seconds since the epoch. */
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byName: primary(["wallet", "identifier"]),
  },
} as const;

export type IdentifierItem = ItemOf<typeof identifierRecord>;

/** A transfer on the chain that has paid for a leg: it can pay for no other leg. */
export const transferRecord = {
  model: model("transfer"),
  attributes: {
    txHash: { type: "string", required: true },
    logIndex: { type: "number", required: true },
    wallet: { type: "string", required: true },
    pressId: { type: "number", required: true },
    leg: { type: ["fee", "publisher"] as const, required: true },
  },
  indexes: {
    byLog: primary(["txHash"], ["logIndex"]),
  },
} as const;

/** The key of a leg. */
export type LegKey = Pick<SettlementItem, "wallet" | "pressId" | "leg">;

export function keyOf({ wallet, pressId, leg }: LegKey): LegKey {
  return { wallet, pressId, leg };
}

/** The outbox's name for a leg that it carries. */
export function nameOf({ wallet, pressId, leg }: LegKey): string {
  return `${leg} ${pressId} ${wallet}`;
}

/** The leg that the outbox's name stands for. Throws Error for any other name. */
export function legNamed(name: string): LegKey {
  const [leg, pressId, wallet] = name.split(" ");
  if ((leg !== "fee" && leg !== "publisher") || wallet === undefined) throw new Error(`No leg: ${name}`);
  return { wallet, pressId: Number(pressId), leg };
}

/** A payer's authorization, in the words that all methods share. */
export type Authorization = {
  readonly method: SignedItem["method"];
  readonly chainId: number;
  /** The payer. */
  readonly from: Address;
  readonly token: Address;
  /** The contract that may move the token for the payer: the exact proxy, or the token itself. */
  readonly spender: Address;
  /** Token base units. */
  readonly amount: bigint;
  /** Unordered: any 256-bit number that the payer has not used with this method. */
  readonly nonce: bigint;
  /** Seconds since the epoch: the last second in which the payment can be charged, and the first. */
  readonly deadline: bigint;
  readonly validAfter: bigint;
  /** The payee. */
  readonly to: Address;
};

/** The transfer that paid a leg. */
export type Proof = { readonly txHash: string; readonly logIndex: number };

/** An authorization that a leg's payer signed, as its record keeps it. */
export type SignedItem = SettlementItem["signed"];

/** Everything that was signed for a leg and may still be charged, as far as its record knows: the newest first. */
export function allSigned(item: Pick<SettlementItem, "signed" | "earlier">): readonly SignedItem[] {
  return [item.signed, ...(item.earlier ?? [])];
}

/** The authorization in a record. */
export function authorizationOf({
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

/** An authorization in the form in which a record keeps it. `block`: a block from before it was first presented. */
export function signedItem(authorization: Authorization, signature: Hex, block: number): SignedItem {
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

/** Whether a recorded and a presented authorization have the same nonce: then at most one of them can be charged. */
export function isSameNonce(
  signed: Pick<SignedItem, "method" | "nonce">,
  other: { readonly method: string; readonly nonce: string | bigint },
): boolean {
  return signed.method === other.method && signed.nonce === String(other.nonce);
}

/** The signature in a signed item. */
export function signatureIn({ signature }: SignedItem): Hex {
  return `0x${signature.slice(2)}`;
}

/**
 * Whether the record's permit was broadcast and moved nothing then: anybody who saw it may have settled it since, or may still settle it.
 */
export function failedOnChain({ state, txHash }: Settlement): boolean {
  return txHash !== undefined && (state === "failed" || state === "queued");
}

/**
 * A receipt that was signed, by the log of the transfer that it is for. It lies in a partition of its own, so that the open endpoint that
 * writes it has no right to write payments.
 */
export const receiptRecord = {
  model: model("receipt"),
  attributes: {
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
  },
  indexes: { byLog: primary(["receiptOf"], ["logIndex"]) },
} as const;

export type ReceiptItem = ItemOf<typeof receiptRecord>;
