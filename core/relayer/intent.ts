import type { Address } from "../chain/hex.ts";
import type { Call } from "../chain/order.ts";
import type { Receipt } from "../chain/receipt.ts";
import type { AllPorts } from "../ports.ts";
import type { TransactionItem } from "../record/relayer.ts";
import type { Write } from "../record/write.ts";
import type { Table } from "../table.ts";
import type { Action, WriteEntities } from "../transact.ts";
import type { KeyLease, Relayer } from "./key.ts";

/** The ports of the outbox. `relayers`: the pool of keys. */
export type OutboxPorts = Pick<AllPorts, "table" | "clock" | "settings" | "chain" | "relayers">;

export type CarryPorts = OutboxPorts & Pick<AllPorts, "ids">;

/** A call that must be sent to the chain. The outbox knows nothing about an intent except the fields of this type. */
export type Intent = {
  readonly call: Call;
  /** The estimated gas units of the call alone. */
  readonly gas: bigint;
  /** The gas price in wei per gas unit. */
  readonly gasPrice: bigint;
  /**
   * The maximum gas price for this intent in wei per gas unit, if it is lower than the stage's maximum. An intent with its own maximum gas
   * price gets a separate transaction.
   */
  readonly maxPrice?: bigint | undefined;
  /**
   * The wei that the call transfers. An intent that sends wei gets a separate transaction. The nonce of a transaction that sends wei never
   * changes, because only the nonce prevents a second transfer.
   */
  readonly value?: bigint | undefined;
  /** The amount in wei that must remain on the key for other intents. */
  readonly spare?: bigint | undefined;
  /** A key whose state was read from the chain, and which may send the intent. */
  readonly asked: Relayer;
};

/** An intent that may share a transaction with other intents. */
export type SharedIntent = Pick<Intent, "call" | "gas"> & {
  /**
   * The payer. The payer's account must have no code, because code could burn the gas of all intents in the transaction. The field is
   * `undefined` if the call runs no code from a payer's account.
   */
  readonly payer: string | undefined;
};

/** The outcome of a stored intent. */
export type IntentOutcome = { readonly transaction: TransactionItem } & (
  | { readonly kind: "landed"; readonly receipt: Receipt }
  /** The sequencer has refused the transaction and will never include it. */
  | { readonly kind: "rejected" }
  /** The outcome of the transaction is not known yet, for whatever reason. */
  | { readonly kind: "pending" }
);

/** The reasons why no transaction was sent and the claim is released. */
export type UnsentReason =
  /** All keys are leased, or the free keys have no gas. */
  | "held"
  | "no_gas"
  /** The transaction could not be signed, or the chain would now refuse it. */
  | "unsigned"
  | "unfit"
  /** The claim expired before its transaction was stored, or the other intents of the transaction kept changing. */
  | "lapsed";

/**
 * The name of an attempt, and the time in milliseconds at which the attempt expires if no transaction is stored. The name is also stored as
 * the lease of the key that the attempt uses.
 */
export type Claim = { readonly claim: string; readonly claimUntil: number };

/** The result of a claim. `ended`: the intent has ended, and nothing has to be sent. */
export type ClaimResult<Item, Ending> =
  | { readonly kind: "claimed"; readonly item: Item }
  | { readonly kind: "key_taken" }
  | { readonly kind: "ended"; readonly ending: Ending };

/** The result of sending an intent; `undefined` if the key had no gas and nothing was sent. */
export type SendEnd<Ending> = { readonly ending: Ending } | undefined;

/**
 * The entry of a waiting intent in the table's index. A transaction carries at most one intent per `account`, so that each intent finds its
 * own logs.
 */
export type WaitingIntent = Pick<Claim, "claim"> & { readonly account: string };

/**
 * The functions for the records of intents. The records belong to the code that has made the intents, and are changed in the same table
 * transactions as the outbox's own records. An `Item` is a claimed intent; a `Sent` is an intent in a stored transaction.
 */
export type Records<Item extends Claim, Sent, Ending, Listed extends WaitingIntent = WaitingIntent> = {
  /**
   * Claims the intent with or without a key. An intent that is claimed without a key waits. `hasWaited`: whether the intent has waited. If
   * an intent has waited, its earlier checks may be out of date.
   */
  claim(lease: KeyLease | undefined, hasWaited: boolean): Promise<ClaimResult<Item, Ending>>;
  /** Returns the intent that must be signed now. `sender`: the key that sends the intent. */
  makeIntent(item: Item, sender: Address): Promise<Intent | { readonly ending: Ending }>;
  /** The intent's name in the stored transaction. */
  nameOf(item: Item): string;
  /** The writes that put the intent into a stored transaction. The first write is refused if the intent's record has changed. */
  stored(
    entities: WriteEntities,
    item: Item,
    sentIn: { readonly transaction: string; readonly txHash: string },
  ): { readonly sent: Sent; readonly writes: readonly (Action | Write)[] };
  /** Releases the claim and its key; `false` if the record has changed meanwhile. */
  release(item: Item): Promise<boolean>;
  /** Ends the intent according to the outcome of its transaction. */
  land(sent: Sent, landing: IntentOutcome): Promise<Ending>;
  handleUnsent(why: UnsentReason, cause?: unknown): Promise<Ending>;
  /**
   * Finds the outcome of an intent that another request has sent or ended, or that was stored although the answer to its write was lost.
   * `landing`: the outcome of the transaction, if this process already knows the outcome.
   */
  follow(item: Item, landing: IntentOutcome | undefined): Promise<Ending>;
  /**
   * Whether any intent of a transaction still waits for the outcome of the transaction. Before the function answers, it ends the intents
   * that can be ended.
   */
  isTransactionAwaited(transaction: TransactionItem): Promise<boolean>;
  /** The functions for sharing transactions. If intents of this kind never share a transaction, the field is missing. */
  readonly crowd?: Crowd<Item, Listed> | undefined;
};

/** An item of the table, exactly as it was read. */
export type StoredItem = Awaited<ReturnType<Table["together"]>>[number];

/** The functions through which intents of all processes wait together and share transactions. */
export type Crowd<Item, Listed extends WaitingIntent> = {
  /** Lists at most `most` intents that may share a transaction with the given intent, the oldest first, from an index that may lag. */
  waiting(beside: Item, most: number): Promise<readonly Listed[]>;
  /** Reads the listed intents from the table instead of the index, and returns only the intents that still wait. */
  listStillWaiting(listed: readonly Listed[]): Promise<readonly Item[]>;
  loadOf(item: Item): SharedIntent;
  /**
   * The table request that reads an intent's record. `readWaitState` finds in the intent's record whether the intent waits, or which
   * transaction contains it.
   */
  get(item: Item): unknown;
  readWaitState(item: Item, read: StoredItem): "waits" | "gone" | { readonly transaction: string };
  /** The write that gives the intent a key, so that no other sender takes the intent into its transaction. */
  leased(
    entities: WriteEntities,
    item: Item,
    lease: KeyLease,
  ): { readonly item: Item; readonly write: Action | Write };
};
