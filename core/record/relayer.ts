import { type ItemOf, model, primary } from "./keys.ts";

/** Milliseconds that a claim lives with nothing stored, and holds its key: longer than any function may run. */
export const claimTime = 30_000;

/** A key that pays gas: who holds it, until when, and what it has in flight. One transaction at a time. */
export const relayerRecord = {
  model: model("relayer"),
  attributes: {
    address: { type: "string", required: true },
    /** The claim that holds the key, absent when it is free. */
    lease: { type: "string" },
    /** Milliseconds; a lease that lapsed with a transaction in flight is resolved by whoever finds it. */
    leaseUntil: { type: "number" },
    /** The nonce that the next transaction takes unless the chain says more. */
    nextNonce: { type: "number", required: true },
    /** The stored transaction that is in flight, or may be. */
    inFlight: { type: "string" },
    /** Milliseconds until which payments are likely to wait for a transaction: whoever finds the key free takes them along. */
    crowdUntil: { type: "number" },
  },
  indexes: {
    byAddress: primary(["address"]),
  },
} as const;

export type RelayerItem = ItemOf<typeof relayerRecord>;

/** A transaction of ours, stored before it is broadcast, with what it is to bring about (design §4). */
export const transactionRecord = {
  model: model("transaction"),
  attributes: {
    /** The lease under which it was signed. Not in a press's partition: who may write presses may not write these. */
    id: { type: "string", required: true, label: "transaction" },
    relayer: { type: "string", required: true },
    /** `landed`: the chain has it, whatever came of its intents; `over`: none of its intents waits for it any more. */
    state: { type: ["stored", "landed", "over"] as const, required: true },
    nonce: { type: "number", required: true },
    rawTx: { type: "string", required: true },
    /** The current hash first, then those that it replaced: any of them may still be the one that lands. */
    hashes: { type: "list", items: { type: "string" }, required: true },
    /** The names of its intents, in the order of its calls. */
    intents: { type: "list", items: { type: "string" }, required: true },
    /** The most wei that is ever offered for a gas unit of it, as decimal text; absent where the stage's own limit holds. */
    maxPrice: { type: "string" },
    /** Seconds since the epoch. */
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byId: primary(["id"]),
  },
} as const;

export type TransactionItem = ItemOf<typeof transactionRecord>;

/** The addresses of the relayers' keys, so that a new process need not ask KMS for each. */
export const keyringRecord = {
  model: model("keyring"),
  attributes: {
    name: { type: ["relayers"] as const, required: true },
    /** By key id; parsed where it is read. */
    addresses: { type: "any", required: true },
    /** Milliseconds when KMS said so. */
    writtenAt: { type: "number", required: true },
  },
  indexes: {
    byName: primary(["name"]),
  },
} as const;

/** Our spending on gas for a subject on a UTC day, beyond what its fees carry. Amounts are USDG base units. */
export const gasRecord = {
  model: model("gas"),
  attributes: {
    /** A payee, a wallet, code, what a proxy leads to, or the service (core/gas). */
    subject: { type: "string", required: true },
    /** `YYYY-MM-DD`. */
    day: { type: "string", required: true },
    /** Includes what is reserved for what is under way, */
    spent: { type: "number", required: true },
    /** which of a wallet's is so much. */
    kept: { type: "number" },
    /** Milliseconds until which its next payment waits. */
    cooldownUntil: { type: "number" },
    /** Seconds since the epoch. */
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byDay: primary(["subject"], ["day"]),
  },
} as const;

export type GasItem = ItemOf<typeof gasRecord>;
