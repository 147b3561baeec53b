import type { Address } from "../chain/hex.ts";
import type { Call } from "../chain/order.ts";
import type { Receipt } from "../chain/receipt.ts";
import type { Chain, Signer } from "../port/chain.ts";
import type { Clock, Ids } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { TransactionItem } from "../record/relayer.ts";
import type { Table } from "../table.ts";
import type { Action, WriteEntities } from "../transact.ts";
import type { Lease, Relayer } from "./key.ts";

/** What the outbox needs of the outside. `relayers`: the pool of keys. */
export type OutboxPorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly chain: Chain;
  readonly relayers: Signer;
};

export type CarryPorts = OutboxPorts & { readonly ids: Ids };

/** A call that somebody wants on the chain. The outbox knows nothing else of it. */
export type Intent = {
  readonly call: Call;
  /** Gas units that it is estimated to take by itself. */
  readonly gas: bigint;
  /** Wei a gas unit. */
  readonly gasPrice: bigint;
  /** Wei a gas unit: the most that is ever offered for it, where that is less than the stage's. It goes alone then. */
  readonly maxPrice?: bigint | undefined;
  /** A key that the chain was asked about, which may be the one that sends it. */
  readonly asked: Relayer;
};

/** What could go into one transaction with others. */
export type Load = Pick<Intent, "call" | "gas"> & {
  /** Who must be a plain account: its code would decide on the gas of all. `undefined` where no code of a payer runs. */
  readonly payer: string | undefined;
};

/** What became of an intent that was stored. */
export type Landing = { readonly transaction: TransactionItem } & (
  | { readonly kind: "landed"; readonly receipt: Receipt }
  /** The sequencer has refused the transaction for good. */
  | { readonly kind: "rejected" }
  /** The outcome is not known yet, whatever the reason. */
  | { readonly kind: "pending" }
);

/** Why nothing was sent; nothing is claimed any more either. */
export type Unsent =
  /** All keys are held, or those that are free have no gas. */
  | "held"
  | "no_gas"
  /** It could not be signed, or the chain would not let it through any more. */
  | "unsigned"
  | "unfit"
  /** The claim lapsed before it was stored, or others keep changing what was to be sent with it. */
  | "lapsed";

/** The name of an attempt, which is the lease of its key, and the milliseconds at which it lapses with nothing stored. */
export type Claim = { readonly claim: string; readonly claimUntil: number };

/** How an intent was claimed. `ended`: there is nothing to send. */
export type Claimed<Item, Ending> =
  | { readonly kind: "claimed"; readonly item: Item }
  | { readonly kind: "key_taken" }
  | { readonly kind: "ended"; readonly ending: Ending };

/** How sending has ended; `undefined` where the key had no gas, so that nothing was sent. */
export type Ended<Ending> = { readonly ending: Ending } | undefined;

/** One that waits, as an index shows it. Of an `account` one goes into a transaction at most, so that each finds its own logs. */
export type Waiting = Pick<Claim, "claim"> & { readonly account: string };

/**
 * The records of what is sent. Their owner keeps them; they change in the same transactions of the table as the outbox's
 * own. An `Item` is claimed, and `Sent` is in a stored transaction.
 */
export type Records<Item extends Claim, Sent, Ending, Listed extends Waiting = Waiting> = {
  /** Claims it with a key, or without one where it waits. `hasWaited`: what it was judged by may have changed since. */
  claim(lease: Lease | undefined, hasWaited: boolean): Promise<Claimed<Item, Ending>>;
  /** What is to be signed, as of now. `sender`: the key. */
  intentOf(item: Item, sender: Address): Promise<Intent | { readonly ending: Ending }>;
  /** What the stored transaction calls it. */
  nameOf(item: Item): string;
  /** How it is written that it is in a stored transaction. The first write is refused where the record has changed. */
  stored(
    entities: WriteEntities,
    item: Item,
    sentIn: { readonly transaction: string; readonly txHash: string },
  ): { readonly sent: Sent; readonly writes: readonly Action[] };
  /** Gives the claim and its key back; `false` where others have the record by now. */
  release(item: Item): Promise<boolean>;
  /** Ends it by what became of it. */
  land(sent: Sent, landing: Landing): Promise<Ending>;
  unsent(why: Unsent, cause?: unknown): Promise<Ending>;
  /** Whether anything that a transaction carries still waits for it. What can be ended is ended first. */
  waitsFor(transaction: TransactionItem): Promise<boolean>;
  /** Absent for what goes alone. */
  readonly crowd?: Crowd<Item, Ending, Listed> | undefined;
};

/** An item of the table as it was read. */
export type Read = Awaited<ReturnType<Table["together"]>>[number];

/** How intents wait together and share transactions, whichever process they came to. */
export type Crowd<Item, Ending, Listed extends Waiting> = {
  /** So many at most of those that may share a transaction with it, the oldest first, by an index that may lag. */
  waiting(beside: Item, most: number): Promise<readonly Listed[]>;
  /** Those of them that still wait, by the table itself. */
  stillWaiting(listed: readonly Listed[]): Promise<readonly Item[]>;
  loadOf(item: Item): Load;
  /** The read of its record, and by what that says whether it waits, or in which transaction it is. */
  get(item: Item): unknown;
  waitStateOf(item: Item, read: Read): "waits" | "gone" | { readonly transaction: string };
  /** How it is written that it holds a key, so that nobody takes it into another transaction. */
  leased(entities: WriteEntities, item: Item, lease: Lease): { readonly item: Item; readonly write: Action };
  /** Ends what others have sent, or ended. `landing`: where this process has seen it land. */
  follow(item: Item, landing: Landing | undefined): Promise<Ending>;
};
