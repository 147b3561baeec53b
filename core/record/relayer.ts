import { type ItemOf, makeRecord, toKey } from "./keys.ts";

/**
 * The milliseconds for which a claim without a stored transaction stays valid. During this time, no other claim can lease the claim's key.
 * A claim stays valid for longer than the maximum running time of any function.
 */
export const claimTime = 30_000;

/**
 * A key that pays gas, with the claim that has leased it, the end of the lease, and the transaction in flight. A key has at most one
 * transaction in flight.
 */
export const relayerRecord = makeRecord("relayer", toKey("byAddress", ["address"]), {
  address: { type: "string", required: true },
  /** The claim that has leased the key. The field is missing if the key is free. */
  lease: { type: "string" },
  /**
   * The end of the lease in milliseconds. If a lease expires while a transaction is in flight, the first request that finds the lease
   * resolves the transaction.
   */
  leaseUntil: { type: "number" },
  /** The nonce of the key's next transaction, unless the chain shows a higher nonce. */
  nextNonce: { type: "number", required: true },
  /** The stored transaction of the key that is in flight, or that may be in flight. */
  inFlight: { type: "string" },
  /**
   * The time in milliseconds until which more payments are expected to wait for a transaction. A request that finds the key free before
   * this time adds the waiting payments to its own transaction.
   */
  crowdUntil: { type: "number" },
});

export type RelayerItem = ItemOf<typeof relayerRecord>;

/** A transaction of the service, which is stored before its broadcast, together with the names of its intents (design §4). */
export const transactionRecord = makeRecord("transaction", toKey("byId", ["id"]), {
  /**
   * The id under which the key was leased when it signed the transaction. Transactions are not stored in a press's partition, because code
   * with the right to write presses must not write transactions.
   */
  id: { type: "string", required: true, label: "transaction" },
  relayer: { type: "string", required: true },
  /**
   * The state of the transaction. `landed`: the transaction is on the chain, whether or not its intents have succeeded; `over`: no intent
   * waits for the transaction any more.
   */
  state: { type: ["stored", "landed", "over"] as const, required: true },
  nonce: { type: "number", required: true },
  rawTx: { type: "string", required: true },
  /**
   * The hash of the current transaction, followed by the hashes of the transactions that it has replaced. The chain may still include any
   * of these transactions.
   */
  hashes: { type: "list", items: { type: "string" }, required: true },
  /** The names of the transaction's intents, in the order of the transaction's calls. */
  intents: { type: "list", items: { type: "string" }, required: true },
  /**
   * The maximum gas price that may be offered for the transaction, in wei per gas unit, as decimal text. The field is missing if the
   * stage's limit applies.
   */
  maxPrice: { type: "string" },
  /** Seconds since the epoch. */
  expiresAt: { type: "number", required: true },
});

export type TransactionItem = ItemOf<typeof transactionRecord>;

/** The addresses of the relayers' keys, so that a new process need not ask KMS for each address. */
export const keyringRecord = makeRecord("keyring", toKey("byName", ["name"]), {
  name: { type: ["relayers"] as const, required: true },
  /** Maps the id of each key to the key's address. The code that reads the addresses parses them. */
  addresses: { type: "any", required: true },
  /** The time when KMS gave the addresses, in milliseconds. */
  writtenAt: { type: "number", required: true },
});

/**
 * A subject's gas account for one UTC day: the service's gas cost for the subject, minus the part that the subject's fees cover. Amounts
 * are USDG base units.
 */
export const gasRecord = makeRecord("gas", toKey("byDay", ["subject"], ["day"]), {
  /** The subject of the gas account: a payee, a wallet, a wallet's code, the implementation behind a proxy, or the service (core/gas). */
  subject: { type: "string", required: true },
  /** The UTC day, as `YYYY-MM-DD`. */
  day: { type: "string", required: true },
  /** The gas cost that was spent, including the reserves for pending payments. */
  spent: { type: "number", required: true },
  /** The part of `spent` that is reserved but not used up yet. The field is set only on a wallet's gas account. */
  kept: { type: "number" },
  /** The time in milliseconds until which the wallet's next payment has to wait. */
  cooldownUntil: { type: "number" },
  /** Seconds since the epoch. */
  expiresAt: { type: "number", required: true },
});

export type GasItem = ItemOf<typeof gasRecord>;
