import { Readable } from "node:stream";
import type { Data, Item, Range, Store, SubDb, Write } from "dynalite/db/index.js";
import type { Dice } from "../stand-in.ts";
import { isItem, makeIndexPrefix, makeItemPrefix } from "./store.ts";

/**
 * How far DynamoDB's answers are behind its writes. A global secondary index shows a write later than the table does. A read that does not
 * ask for consistency may get an older state from a replica (Developer Guide, "Read consistency").
 */
export interface Lag {
  /** Milliseconds after which an index shows a write. */
  readonly index: () => number;
  /** The age, in milliseconds, of the state that an eventually consistent read shows; 0 for the current state. */
  readonly read: () => number;
  /** Milliseconds of a monotonic clock. The default is the machine's own monotonic clock. */
  readonly now?: () => number;
}

const longestLag = 1_000;

/**
 * A random lag: an index is usually a few milliseconds behind and sometimes up to a second. One in ten eventually consistent reads returns
 * an old state.
 */
export function makeRandomLag(dice: Dice): Lag {
  return {
    index: () => (dice.chance(0.2) ? dice.pickBetween(0, longestLag) : dice.pickBetween(0, 30)),
    read: () => (dice.chance(0.1) ? dice.pickBetween(0, longestLag) : 0),
  };
}

/** The value of a key before a write, and the time from which a lagging read shows the write. */
interface PastValue {
  readonly before: Item | undefined;
  readonly at: number;
  readonly shownAt: number;
}

/** Remembers, in memory only, the values that a database had before its recent writes. After a restart, reads show the newest values. */
export interface WriteHistory {
  /** The writer must call this function right before it commits. */
  recordWrites(writes: readonly Write[]): Promise<void>;
  /** Returns the store in the state that a read with the given parameters sees. */
  findVisibleStore(data: Data): Store;
}

export function openHistory(store: Store, lag: Lag): WriteHistory {
  const past = new Map<string, PastValue[]>();
  const clock = lag.now ?? (() => performance.now());

  function forgetOldWrites(now: number): void {
    for (const [key, entries] of past) {
      const kept = entries.filter(({ at, shownAt }) => Math.max(at + longestLag, shownAt) > now);
      if (kept.length === 0) past.delete(key);
      else if (kept.length < entries.length) past.set(key, kept);
    }
  }

  /** The value that a lagging read finds under each recently changed key. */
  function findPastValues(
    prefix: string,
    isHidden: (entry: PastValue) => boolean,
  ): Map<string, Item | undefined> {
    const found = new Map<string, Item | undefined>();
    for (const [key, entries] of past) {
      if (!key.startsWith(prefix)) continue;
      const hidden = entries.find(isHidden);
      if (hidden !== undefined) found.set(key, hidden.before);
    }
    return found;
  }

  const makeLaggingDb = (prefix: string, source: SubDb, isHidden: (entry: PastValue) => boolean): SubDb => ({
    ...source,
    get(key, callback) {
      const hidden = past.get(prefix + key)?.find(isHidden);
      if (hidden === undefined) source.get(key, callback);
      else callback(null, structuredClone(hidden.before));
    },
    createValueStream(range) {
      const changed = findPastValues(prefix, isHidden);
      if (changed.size === 0) return source.createValueStream(range);
      const all = store.db.iterator(addPrefix(prefix, range)).all();
      return Readable.from(listValues(all, changed, addPrefix(prefix, range)));
    },
  });

  return {
    async recordWrites(writes) {
      const now = clock();
      forgetOldWrites(now);
      const delays = new Map<string, number>();
      const chooseDelay = (index: string) => {
        const delay = delays.get(index) ?? lag.index();
        delays.set(index, delay);
        return delay;
      };
      for (const key of new Set(writes.map((each) => each.key))) {
        const index = /^index-global~[^~]+~[^~]+~/.exec(key)?.[0];
        if (index === undefined && !key.startsWith("item-")) continue;
        const found = await store.db.get(key);
        const entries = past.get(key) ?? [];
        // An index shows the writes to one item in the order of these writes.
        const shownAt = Math.max(
          entries.at(-1)?.shownAt ?? 0,
          index === undefined ? now : now + chooseDelay(index),
        );
        past.set(key, [...entries, { before: isItem(found) ? found : undefined, at: now, shownAt }]);
      }
    },
    findVisibleStore(data) {
      const now = clock();
      if (typeof data.IndexName === "string") {
        return {
          ...store,
          getIndexDb: (kind, table, index) =>
            makeLaggingDb(
              makeIndexPrefix(kind, table, index),
              store.getIndexDb(kind, table, index),
              ({ shownAt }) => shownAt > now,
            ),
        };
      }
      const behind = isConsistent(data) ? 0 : lag.read();
      if (behind === 0) return store;
      return {
        ...store,
        getItemDb: (table) =>
          makeLaggingDb(makeItemPrefix(table), store.getItemDb(table), ({ at }) => at > now - behind),
      };
    },
  };
}

/** Whether a read asks for consistency. A read of several tables asks for consistency if its part for each table asks for consistency. */
function isConsistent({ ConsistentRead, RequestItems }: Data): boolean {
  if (typeof RequestItems !== "object" || RequestItems === null) return ConsistentRead === true;
  return Object.values(RequestItems).every(
    (request: { readonly ConsistentRead?: unknown }) => request.ConsistentRead === true,
  );
}

/**
 * Adds the prefix to the bounds of a range, so that keys of one table or index become keys of the whole store. The
 * result has no `limit`, because the caller limits the number of items.
 */
function addPrefix(prefix: string, { gte, gt, lte, lt, reverse = false }: Range): Range {
  return {
    reverse,
    ...(gt === undefined ? { gte: prefix + (gte ?? "") } : { gt: prefix + gt }),
    ...(lte === undefined ? { lt: prefix + (lt ?? "\xff") } : { lte: prefix + lte }),
  };
}

async function* listValues(
  all: Promise<[string, unknown][]>,
  changed: ReadonlyMap<string, Item | undefined>,
  { gte, gt, lte, lt, reverse }: Range,
): AsyncGenerator<unknown> {
  const isInside = (key: string) =>
    (gte === undefined || key >= gte) &&
    (gt === undefined || key > gt) &&
    (lte === undefined || key <= lte) &&
    (lt === undefined || key < lt);
  const items = new Map(await all);
  for (const [key, before] of changed) {
    if (!isInside(key)) continue;
    if (before === undefined) items.delete(key);
    else items.set(key, structuredClone(before));
  }
  // Keys are hexadecimal with separators, so they sort like their bytes.
  const keys = [...items.keys()].sort();
  for (const key of reverse === true ? keys.reverse() : keys) yield items.get(key);
}
