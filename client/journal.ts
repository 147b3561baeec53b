import type { Address, Hex } from "viem";
import type { AcceptsEntry, Leg, Message, Method } from "./terms.ts";

/** One signature of one leg of a purchase: kept before it is made, so that a crash never leads to a second one. */
export type LegRecord = {
  /** Names the leg: chain, token, wallet, press and leg. */
  readonly leg: string;
  /** Counted from 1. Another attempt begins only when nobody can charge the one before. */
  readonly attempt: number;
  readonly origin: string;
  readonly name: Leg;
  readonly wallet: Address;
  readonly pressId: number;
  readonly slug: string;
  readonly headline: string;
  /** The price of the press in base units, decimal: both legs have to be of one price. */
  readonly priceUnits: string;
  readonly method: Method;
  /** The entry of the terms, as it is sent back. */
  readonly accepted: AcceptsEntry;
  /** x402's payment-identifier: the service answers a repeat of it again. */
  readonly identifier: string;
  readonly message: Message;
  readonly signature?: Hex;
  readonly settled?: Settled;
};

/** How a leg was paid. */
export type Settled = {
  readonly transaction: string;
  /** ISO 8601 UTC, by this machine's clock. */
  readonly at: string;
  /** The service says that it had been paid before: this signature was not needed. */
  readonly already: boolean;
};

/**
 * Where signatures and receipts are kept. What `add` and `update` have answered must outlive the process, or a crash
 * can end in a second signature.
 */
export type Journal = {
  /** Every attempt of a leg, oldest first. */
  readonly attempts: (leg: string) => Promise<readonly LegRecord[]>;
  /** Keeps the record unless its leg has this attempt already; answers the one that then stands. */
  readonly add: (record: LegRecord) => Promise<LegRecord>;
  /** Replaces the attempt's record by one that says more. */
  readonly update: (record: LegRecord) => Promise<void>;
  /** Every record, oldest first. */
  readonly all: () => Promise<readonly LegRecord[]>;
};

/** Forgets with the process. For tests, and for wallets that hold no more than one purchase. */
export function memoryJournal(): Journal {
  const kept = new Map<string, LegRecord>();
  const key = ({ leg, attempt }: LegRecord) => `${leg}#${attempt}`;
  return {
    attempts: async (leg) => [...kept.values()].filter((record) => record.leg === leg),
    async add(record) {
      const standing = kept.get(key(record)) ?? record;
      kept.set(key(record), standing);
      return standing;
    },
    async update(record) {
      kept.set(key(record), record);
    },
    all: async () => [...kept.values()],
  };
}
