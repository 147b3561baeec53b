import type { Address, Hex } from "viem";
import type { AcceptsEntry, Leg, Message, Method } from "./terms.ts";

/** One signature of one leg of a purchase. Its record is stored before signing, so that a crash never leads to a second signature. */
export type LegRecord = {
  /** Names the leg: chain, token, wallet, press and leg. */
  readonly leg: string;
  /** Counted from 1. A further attempt begins only when the previous one can no longer be charged. */
  readonly attempt: number;
  readonly origin: string;
  readonly name: Leg;
  readonly wallet: Address;
  readonly pressId: number;
  readonly slug: string;
  readonly headline: string;
  /** The price of the press in base units, decimal. Both legs must belong to the same price. */
  readonly priceUnits: string;
  readonly method: Method;
  /** The entry of the terms, as it is sent back. */
  readonly accepted: AcceptsEntry;
  /** x402's payment-identifier: a repeated request with it gets the same answer. */
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
  /** Whether the service says that the leg was already paid, so that this signature was not needed. */
  readonly already: boolean;
};

/**
 * Where signatures and receipts are kept. A record that `add` or `update` returned must outlive the process, or a crash can lead to a
 * second signature.
 */
export type Journal = {
  /** Every attempt of a leg, oldest first. */
  readonly attempts: (leg: string) => Promise<readonly LegRecord[]>;
  /** Stores the record unless its leg already has this attempt, and returns the stored one. */
  readonly add: (record: LegRecord) => Promise<LegRecord>;
  /** Replaces the attempt's record by a more complete one. */
  readonly update: (record: LegRecord) => Promise<void>;
  /** Every record, oldest first. */
  readonly all: () => Promise<readonly LegRecord[]>;
};

/** A journal in memory, lost with the process: for tests, and for wallets with money for only one purchase. */
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
