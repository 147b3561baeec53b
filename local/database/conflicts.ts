import type { Store } from "dynalite/db/index.js";
import { createKey, validateItem, validateKey } from "dynalite/db/index.js";
import { ApiError, findTable, keyed, type Target } from "./store.ts";

/** What AWS says of an item in all three exceptions. */
export const conflictMessage = "Transaction is ongoing for the item";

/** A transaction's item, told apart from all others; `undefined` for a key that is not valid, which fails by itself. */
export type ItemId = string | undefined;

/**
 * Who is at work on which item, so that requests that overlap conflict as AWS's do (Developer Guide, "Transaction
 * conflict handling"): of two transactions of writes on an item the later one is cancelled, a plain write is refused
 * while a transaction has its item, and a transaction of reads is cancelled by any write that overlaps it.
 */
export interface Conflicts {
  /** Runs a transaction of writes, which has its items until it ends. `taken` are the places of those that another one has; then it takes none. */
  writing<T>(items: readonly ItemId[], run: (taken: ReadonlySet<number>) => Promise<T>): Promise<T>;
  /** Runs a plain write.
   * @throws TransactionConflictException */
  writingPlainly<T>(item: ItemId, run: () => Promise<T>): Promise<T>;
  /** Runs a transaction of reads. `overtaken` tells, whenever it is asked, the places of items that were written meanwhile. */
  reading<T>(items: readonly ItemId[], run: (overtaken: () => ReadonlySet<number>) => Promise<T>): Promise<T>;
  /** Runs a transaction under its client token.
   * @throws TransactionInProgressException where one with the same token is at work */
  underToken<T>(token: string | undefined, run: () => Promise<T>): Promise<T>;
}

export function openConflicts(): Conflicts {
  const transactions = new Set<string>();
  const writes = new Map<string, number>();
  const readers = new Set<{ readonly items: readonly ItemId[]; readonly overtaken: Set<number> }>();

  function begin(item: string): void {
    writes.set(item, (writes.get(item) ?? 0) + 1);
    for (const { items, overtaken } of readers) {
      const place = items.indexOf(item);
      if (place >= 0) overtaken.add(place);
    }
  }

  function end(item: string): void {
    const left = (writes.get(item) ?? 1) - 1;
    if (left === 0) writes.delete(item);
    else writes.set(item, left);
  }

  const placesIn = (items: readonly ItemId[], busy: { has(item: string): boolean }) =>
    new Set(items.flatMap((item, place) => (item !== undefined && busy.has(item) ? [place] : [])));

  return {
    async writing(items, run) {
      const taken = placesIn(items, transactions);
      if (taken.size > 0) return run(taken);
      const own = items.filter((item) => item !== undefined);
      for (const item of own) {
        transactions.add(item);
        begin(item);
      }
      try {
        return await run(taken);
      } finally {
        for (const item of own) {
          transactions.delete(item);
          end(item);
        }
      }
    },
    async writingPlainly(item, run) {
      if (item === undefined) return run();
      if (transactions.has(item)) {
        throw new ApiError("TransactionConflictException", { message: conflictMessage });
      }
      begin(item);
      try {
        return await run();
      } finally {
        end(item);
      }
    },
    async reading(items, run) {
      const reader = { items, overtaken: placesIn(items, writes) };
      readers.add(reader);
      try {
        return await run(() => reader.overtaken);
      } finally {
        readers.delete(reader);
      }
    },
    underToken: tokens(),
  };
}

/** Nobody is in anybody's way: requests are at work for an instant each, one after the other, so that none overlaps. */
export function withoutConflicts(): Conflicts {
  return {
    writing: (_items, run) => run(new Set()),
    writingPlainly: (_item, run) => run(),
    reading: (_items, run) => run(() => new Set()),
    underToken: tokens(),
  };
}

function tokens(): Conflicts["underToken"] {
  const atWork = new Set<string>();
  return async (token, run) => {
    if (token === undefined) return run();
    if (atWork.has(token)) {
      const message = "The transaction with the given request token is already in progress.";
      throw new ApiError("TransactionInProgressException", { Message: message });
    }
    atWork.add(token);
    try {
      return await run();
    } finally {
      atWork.delete(token);
    }
  };
}

/** The item that an action is about.
 * @throws ResourceNotFoundException */
export async function itemIdOf(store: Store, target: Target): Promise<ItemId> {
  const table = await findTable(store, target.TableName);
  const key = keyed(target);
  const invalid = target.Key === undefined ? validateItem(key, table) : validateKey(key, table);
  return invalid ? undefined : `${target.TableName}/${createKey(key, table)}`;
}
