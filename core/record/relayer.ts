import { type ItemOf, model, primary } from "./keys.ts";

/** For how many milliseconds a claim without a stored transaction lives and holds its key: longer than any function may run. */
export const claimTime = 30_000;

/** A key that pays gas: which claim holds it, until when, and which transaction it has in flight. One transaction at a time. */
export const relayerRecord = {
  model: model("relayer"),
  attributes: {
    address: { type: "string", required: true },
    /** The claim that holds the key, absent when it is free. */
    lease: { type: "string" },
    /** Milliseconds; a lease that lapsed with a transaction in flight is resolved by the first request that finds it. */
    leaseUntil: { type: "number" },
    /** The nonce that the next transaction takes unless the chain says more. */
    nextNonce: { type: "number", required: true },
    /** The stored transaction that is in flight, or may be. */
    inFlight: { type: "string" },
    /** Milliseconds until which payments probably wait for a transaction: a request that finds the key free takes them along. */
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
    /** The lease under which it was signed. Not in a press's partition, because code that may write presses must not write transactions. */
    id: { type: "string", required: true, label: "transaction" },
    relayer: { type: "string", required: true },
    /** `landed`: the chain has it, whether or not its intents succeeded; `over`: no intent waits for it any more. */
    state: { type: ["stored", "landed", "over"] as const, required: true },
    nonce: { type: "number", required: true },
    rawTx: { type: "string", required: true },
    /** The current hash first, then those that it replaced: any of these transactions may still land. */
    hashes: { type: "list", items: { type: "string" }, required: true },
    /** The names of its intents, in the order of its calls. */
    intents: { type: "list", items: { type: "string" }, required: true },
    /** The highest price ever offered for it, in wei a gas unit, as decimal text; absent where the stage's own limit holds. */
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
    /** When KMS gave the addresses, in milliseconds. */
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
    /** The subject: a payee, a wallet, a code, the implementation behind a proxy, or the service (core/gas). */
    subject: { type: "string", required: true },
    /** `YYYY-MM-DD`. */
    day: { type: "string", required: true },
    /** The spent amount, including reserves for payments under way. */
    spent: { type: "number", required: true },
    /** The reserved part of it; only on a wallet's account. */
    kept: { type: "number" },
    /** Milliseconds until which the wallet's next payment has to wait. */
    cooldownUntil: { type: "number" },
    /** Seconds since the epoch. */
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byDay: primary(["subject"], ["day"]),
  },
} as const;

export type GasItem = ItemOf<typeof gasRecord>;
