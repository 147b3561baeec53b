import type { Address } from "../chain/hex.ts";
import type { Call } from "../chain/order.ts";
import type { Receipt } from "../chain/receipt.ts";
import type { Chain, Signer } from "../port/chain.ts";
import type { Clock, Ids } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { TransactionItem } from "../record/relayer.ts";
import type { Write } from "../record/write.ts";
import type { Table } from "../table.ts";
import type { Action, WriteEntities } from "../transact.ts";
import type { Lease, Relayer } from "./key.ts";

/** The ports of the outbox. `relayers`: the pool of keys. */
export type OutboxPorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly chain: Chain;
  readonly relayers: Signer;
};

export type CarryPorts = OutboxPorts & { readonly ids: Ids };

/** A call to bring to the chain. The outbox knows nothing else of it. */
export type Intent = {
  readonly call: Call;
  /** The estimated gas units of the call by itself. */
  readonly gas: bigint;
  /** Wei a gas unit. */
  readonly gasPrice: bigint;
  /** Wei a gas unit: the highest price ever offered for it, if lower than the stage's. Such an intent goes alone. */
  readonly maxPrice?: bigint | undefined;
  /**
   * Wei that the call gives away. Such an intent goes alone, and its transaction keeps its nonce: nothing else stops it from landing twice.
   */
  readonly value?: bigint | undefined;
  /** Wei that the key has to keep for other intents. */
  readonly spare?: bigint | undefined;
  /** A key that the chain was asked about, which may be the one that sends it. */
  readonly asked: Relayer;
};

/** An intent that may share a transaction. */
export type Load = Pick<Intent, "call" | "gas"> & {
  /** The payer, which must be a plain account: its code would decide on the gas of all. `undefined` where no code of a payer runs. */
  readonly payer: string | undefined;
};

/** The outcome of a stored intent. */
export type Landing = { readonly transaction: TransactionItem } & (
  | { readonly kind: "landed"; readonly receipt: Receipt }
  /** The sequencer has refused the transaction for good. */
  | { readonly kind: "rejected" }
  /** The outcome is not known yet, for any reason. */
  | { readonly kind: "pending" }
);

/** Why nothing was sent. The claim is released too. */
export type Unsent =
  /** All keys are held, or those that are free have no gas. */
  | "held"
  | "no_gas"
  /** The transaction could not be signed, or the chain would refuse it by now. */
  | "unsigned"
  | "unfit"
  /** The claim lapsed before it was stored, or the intents to be sent with it kept changing. */
  | "lapsed";

/** An attempt's name, which is also its key's lease, and the time in milliseconds at which it lapses if nothing is stored. */
export type Claim = { readonly claim: string; readonly claimUntil: number };

/** The result of a claim. `ended`: there is nothing to send. */
export type ClaimResult<Item, Ending> =
  | { readonly kind: "claimed"; readonly item: Item }
  | { readonly kind: "key_taken" }
  | { readonly kind: "ended"; readonly ending: Ending };

/** The result of sending; `undefined` where the key had no gas, so that nothing was sent. */
export type Ended<Ending> = { readonly ending: Ending } | undefined;

/** A waiting intent, as an index shows it. A transaction carries at most one of an `account`, so that each finds its own logs. */
export type Waiting = Pick<Claim, "claim"> & { readonly account: string };

/**
 * The intents' records. Their owner keeps them, and they change in the same table transactions as the outbox's own. An `Item` is
 * claimed; a `Sent` is in a stored transaction.
 */
export type Records<Item extends Claim, Sent, Ending, Listed extends Waiting = Waiting> = {
  /** Claims the intent with a key, or without a key so that it waits. `hasWaited`: its judgement may be out of date. */
  claim(lease: Lease | undefined, hasWaited: boolean): Promise<ClaimResult<Item, Ending>>;
  /** The intent to sign now. `sender`: the key. */
  intentOf(item: Item, sender: Address): Promise<Intent | { readonly ending: Ending }>;
  /** The intent's name in the stored transaction. */
  nameOf(item: Item): string;
  /** The writes that put the intent into a stored transaction. The first one is refused where the record has changed. */
  stored(
    entities: WriteEntities,
    item: Item,
    sentIn: { readonly transaction: string; readonly txHash: string },
  ): { readonly sent: Sent; readonly writes: readonly (Action | Write)[] };
  /** Releases the claim and its key; `false` where another request has the record by now. */
  release(item: Item): Promise<boolean>;
  /** Ends the intent by the outcome. */
  land(sent: Sent, landing: Landing): Promise<Ending>;
  unsent(why: Unsent, cause?: unknown): Promise<Ending>;
  /** Whether any intent of a transaction still waits for it. First ends the intents that can be ended. */
  waitsFor(transaction: TransactionItem): Promise<boolean>;
  /** Absent for intents that go alone. */
  readonly crowd?: Crowd<Item, Ending, Listed> | undefined;
};

/** An item of the table as it was read. */
export type Read = Awaited<ReturnType<Table["together"]>>[number];

/** How intents of all processes wait together and share transactions. */
export type Crowd<Item, Ending, Listed extends Waiting> = {
  /** At most `most` intents that may share a transaction with it, the oldest first, by an index that may lag. */
  waiting(beside: Item, most: number): Promise<readonly Listed[]>;
  /** The listed intents that still wait, read from the table itself. */
  stillWaiting(listed: readonly Listed[]): Promise<readonly Item[]>;
  loadOf(item: Item): Load;
  /** The read of an intent's record; `waitStateOf` tells from the record whether the intent waits, or which transaction has it. */
  get(item: Item): unknown;
  waitStateOf(item: Item, read: Read): "waits" | "gone" | { readonly transaction: string };
  /** The write that gives the intent a key, so that no other sender takes it along. */
  leased(
    entities: WriteEntities,
    item: Item,
    lease: Lease,
  ): { readonly item: Item; readonly write: Action | Write };
  /** Ends an intent that another request has sent or ended. `landing`: the outcome, if this process has seen it. */
  follow(item: Item, landing: Landing | undefined): Promise<Ending>;
};
