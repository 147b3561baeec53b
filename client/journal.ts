import type { Address, Hex } from "viem";
import { MarketError } from "./error.ts";
import type { AcceptsEntry, Leg, Method, PayMessage } from "./terms.ts";

/**
 * The record of one signature for one of the two payments of a purchase. The journal stores the record of a signature before the wallet
 * signs, so that a crash never leads to a second signature.
 */
export type LegRecord = {
  /** The key of a payment: chain, token, wallet, press and the name of the payment (`fee` or `publisher`). */
  readonly leg: string;
  /** The attempt's number, counted from 1. The next attempt begins only when the previous attempt can no longer be charged. */
  readonly attempt: number;
  readonly origin: string;
  readonly name: Leg;
  readonly wallet: Address;
  readonly pressId: number;
  readonly slug: string;
  readonly headline: string;
  /** The price of the press in base units, as a decimal integer. Both payments of a purchase must be parts of the same price. */
  readonly priceUnits: string;
  readonly method: Method;
  /**
   * The entry of the service's terms that the wallet accepted. The client sends the accepted entry back to the service with the payment.
   */
  readonly accepted: AcceptsEntry;
  /** x402's payment-identifier: a repeated request with the same identifier gets the same answer. */
  readonly identifier: string;
  readonly message: PayMessage;
  readonly signature?: Hex;
  readonly settled?: Settled;
};

/** The result of a completed payment. */
export type Settled = {
  readonly transaction: string;
  /** The time of the payment by this machine's clock, as ISO 8601 in UTC. */
  readonly at: string;
  /**
   * Whether the service says that another attempt had already paid this part of the price. If another attempt had paid, the signature of
   * this attempt was not needed.
   */
  readonly already: boolean;
};

/**
 * The store of signatures and receipts. After `add` or `update` has returned, the record must survive the end of the process, because a
 * lost record can lead to a second signature.
 */
export type Journal = {
  /** Every attempt of one payment, oldest first. */
  readonly attempts: (leg: string) => Promise<readonly LegRecord[]>;
  /** Stores the record unless the journal already has a record of this attempt. Returns the record that the journal has after this call. */
  readonly add: (record: LegRecord) => Promise<LegRecord>;
  /** Replaces the record of an attempt by a more complete record. */
  readonly update: (record: LegRecord) => Promise<void>;
  /** Every record of the journal, oldest first. */
  readonly all: () => Promise<readonly LegRecord[]>;
};

/** The same journal, with failures that are MarketErrors. */
export function wrapJournalErrors(journal: Journal): Journal {
  return {
    attempts: (leg) => journal.attempts(leg).catch(throwJournalError),
    add: (record) => journal.add(record).catch(throwJournalError),
    update: (record) => journal.update(record).catch(throwJournalError),
    all: () => journal.all().catch(throwJournalError),
  };
}

function throwJournalError(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new MarketError("journal_failed", `The journal of payments cannot be used: ${reason}.`, { cause });
}

/** The key of a record: a payment and its attempt. */
const makeLegKey = ({ leg, attempt }: LegRecord) => `${leg}#${attempt}`;

/**
 * A journal in memory, which is lost when the process ends. A journal in memory is enough for tests, and for wallets that hold money for
 * only one purchase.
 */
export function makeMemoryJournal(): Journal {
  const kept = new Map<string, LegRecord>();
  return {
    attempts: async (leg) => [...kept.values()].filter((record) => record.leg === leg),
    async add(record) {
      const standing = kept.get(makeLegKey(record)) ?? record;
      kept.set(makeLegKey(record), standing);
      return standing;
    },
    async update(record) {
      kept.set(makeLegKey(record), record);
    },
    all: async () => [...kept.values()],
  };
}
