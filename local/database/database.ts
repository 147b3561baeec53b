import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Callback,
  create,
  createKey,
  type Index,
  type Item,
  type Store,
  type SubDb,
  type Table,
  validateItem,
  validateKey,
  validationError,
  type Write,
} from "dynalite/db/index.js";
import * as z from "zod";
import { makeExclusiveRunner } from "../stand-in.ts";
import type { DatabaseOptions } from "./index.ts";
import { makeRandomLag, openHistory, type WriteHistory } from "./lag.ts";
import {
  ApiError,
  findTable,
  type ItemTarget,
  isItem,
  makeIndexPrefix,
  makeItemPrefix,
  makePrefixRange,
  readKey,
} from "./store.ts";

export interface Database {
  readonly store: Store;
  /** The caller must call this function after each change of a table. */
  forgetTable(table: string): void;
  readonly conflicts: Conflicts;
  /**
   * The recent writes that indexes and eventually consistent reads do not show yet. `undefined` if indexes and eventually consistent reads
   * show every write immediately.
   */
  readonly history: WriteHistory | undefined;
  /**
   * Resolves after the time that a request spends on its items. Resolves at once if the database does not imitate AWS's delays (`rough`).
   */
  pause(): Promise<void>;
  /** Runs jobs one after another, so that no other job writes between a job's reads and its writes. */
  exclusive<T>(job: () => Promise<T>): Promise<T>;
}

const lockedShape = z.object({ cause: z.object({ code: z.literal("LEVEL_LOCKED") }) });

/**
 * Opens the database in `<directory>/dynamodb`, or in memory if no directory is given.
 * @throws Error if another process has the database open
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const path = options.directory === undefined ? undefined : join(options.directory, "dynamodb");
  if (path !== undefined) await mkdir(path, { recursive: true });
  const instantly = { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 };
  const store = create(path === undefined ? instantly : { ...instantly, path });
  try {
    await store.db.open();
  } catch (error) {
    const reason = lockedShape.safeParse(error).success
      ? `Another local service is using ${path}. Stop that service first, or choose another directory.`
      : `Cannot open the database in ${path}.`;
    throw new Error(reason, { cause: error });
  }
  if (options.fresh === true) await deleteAllKeys(store);
  const tables = cacheTables(store);
  const { rough } = options;
  const lag = options.lag ?? (rough && makeRandomLag(rough));
  return {
    store: tables.store,
    forgetTable: tables.forgetCached,
    history: lag && openHistory(tables.store, lag),
    // Without `rough`, the database runs requests one after the other. A request that waits for its turn must not count as running, because
    // all waiting requests would then overlap and conflict.
    conflicts: rough === undefined ? makeNoConflictWatch() : makeConflictWatch(),
    // Waits for the time that AWS takes for a request, or a little longer, so that requests overlap.
    pause: rough === undefined ? async () => {} : () => delay(rough.pickBetween(2, 20)),
    exclusive: makeExclusiveRunner(),
  };
}

/**
 * Runs a writing job while no other job runs, and commits its staged writes together. If the job throws, none of its writes is committed.
 */
export function runWrite<T>(database: Database, job: (stage: StagedWrites) => Promise<T>): Promise<T> {
  return database.exclusive(async () => {
    const stage = openStagedWrites(database.store);
    const answer = await Promise.race([job(stage), stage.broken]);
    await refuseEmptyIndexKeys(database.store, stage.items);
    await database.history?.recordWrites(stage.writes);
    if (stage.writes.length > 0) await database.store.db.batch(stage.writes);
    for (const action of stage.afterCommit) action();
    return answer;
  });
}

// The keys are deleted one by one. If this function deleted the store's files, a process that is killed meanwhile could leave a broken
// store.
async function deleteAllKeys(store: Store): Promise<void> {
  const keys = await store.db.keys({ gte: "", lt: "\u{10ffff}" }).all();
  await store.db.batch(keys.map((key): Write => ({ type: "del", key })));
}

/**
 * A store that caches the tables' descriptions, which dynalite reads and parses for every action. An action that changes a table also
 * modifies the description object that it gets. Therefore, each action that changes a table gets its own copy of the table's description.
 */
function cacheTables(source: Store): { readonly store: Store; forgetCached(table: string): void } {
  const known = new Map<string, Table>();
  let generation = 0;

  function read(name: string, callback: Callback<Table>): void {
    const table = known.get(name);
    if (table !== undefined) {
      callback(null, table);
      return;
    }
    const begun = generation;
    source.getTable(name, true, (error, found) => {
      // If a change was committed while the description was being read, the description may be out of date and is not cached.
      if (found !== undefined && begun === generation) known.set(name, found);
      callback(error, found);
    });
  }

  const store: Store = {
    ...source,
    getTable(name, ...rest) {
      const [first, second] = rest;
      if (typeof first === "function") read(name, first);
      else if (first && second !== undefined) read(name, second);
      else source.getTable(name, ...rest);
    },
  };
  return {
    store,
    forgetCached(table) {
      generation += 1;
      known.delete(table);
    },
  };
}

interface StagedItem {
  readonly table: string;
  readonly key: string;
  readonly item: Item;
}

export interface StagedWrites {
  /** A store that reads committed data, and only collects the writes instead of executing them. */
  readonly store: Store;
  readonly writes: Write[];
  readonly items: readonly StagedItem[];
  /** The database calls this function after the writes and before the next writer begins. */
  readonly afterCommit: (() => void)[];
  /** A promise that rejects if an action throws an error in a callback, where no caller could catch the error. */
  readonly broken: Promise<never>;
  /** A promise that settles after the second write of a table's description. */
  readonly tableSettled: Promise<void>;
}

/**
 * A layer between dynalite's actions and dynalite's store; only this file depends on dynalite's internals. dynalite writes an item and each
 * index entry separately, so a process that is killed in between would leave indexes that disagree with their table.
 *
 * This store combines all writes of a request or transaction into one batch. LevelDB logs a batch as one record and recovers it completely
 * or not at all. No action has to see the uncommitted writes of its own request, because each item occurs only once in a request.
 */
function openStagedWrites(committed: Store): StagedWrites {
  const writes: Write[] = [];
  const items: StagedItem[] = [];
  const settled = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<never>();
  // If no caller waits for this promise, its rejection must not end the process.
  broken.promise.catch(() => undefined);
  let tableWrites = 0;

  function makeStagedDb(
    prefix: string,
    source: SubDb,
    onWrite?: (key: string, value?: unknown) => void,
  ): SubDb {
    return {
      ...source,
      // Only one writer at a time holds the database's lock, so dynalite's lock for each key is not needed.
      lock: (_key, critical) => critical((callback) => callback),
      // An error thrown in the action's callback would end the process.
      get(key, callback) {
        committed.db
          .get(prefix + key)
          .then((value) => callback(null, value), callback)
          .catch(broken.reject);
      },
      put(key, value, callback) {
        writes.push({ type: "put", key: prefix + key, value });
        onWrite?.(key, value);
        callback(null);
      },
      del(key, callback) {
        writes.push({ type: "del", key: prefix + key });
        onWrite?.(key);
        callback(null);
      },
      batch(operations, callback) {
        for (const operation of operations) writes.push({ ...operation, key: prefix + operation.key });
        callback(null);
      },
    };
  }

  function clearKeys(prefix: string, callback: Callback): void {
    committed.db
      .keys(makePrefixRange(prefix))
      .all()
      .then((keys) => {
        for (const key of keys) writes.push({ type: "del", key });
        callback(null);
      }, callback);
  }

  // In dynalite, a table leaves the status CREATING, UPDATING or DELETING only by a second write, which a timer starts. The database waits
  // for the second write and commits both writes together, so a killed process leaves no table in an intermediate state.
  function countTableWrite(): void {
    tableWrites += 1;
    if (tableWrites === 2) settled.resolve();
  }

  const store: Store = {
    ...committed,
    tableDb: { ...committed.tableDb, ...makeStagedDb("table~", committed.tableDb, countTableWrite) },
    getItemDb: (table) =>
      makeStagedDb(makeItemPrefix(table), committed.getItemDb(table), (key, item) => {
        if (isItem(item)) items.push({ table, key, item });
      }),
    getIndexDb: (kind, table, index) =>
      makeStagedDb(makeIndexPrefix(kind, table, index), committed.getIndexDb(kind, table, index)),
    getTagDb: (table) => makeStagedDb(`tag-${table}~`, committed.getTagDb(table)),
    deleteItemDb: (table, callback) => clearKeys(makeItemPrefix(table), callback),
    deleteIndexDb: (kind, table, index, callback) => clearKeys(makeIndexPrefix(kind, table, index), callback),
    deleteTagDb: (table, callback) => clearKeys(`tag-${table}~`, callback),
  };
  return { store, writes, items, afterCommit: [], broken: broken.promise, tableSettled: settled.promise };
}

/**
 * DynamoDB refuses an empty string or binary as a key of a secondary index, but dynalite would index it.
 * @throws ValidationException
 */
async function refuseEmptyIndexKeys(store: Store, items: readonly StagedItem[]): Promise<void> {
  const tables = new Map<string, Table>();
  for (const { table: name, item } of items) {
    const table = tables.get(name) ?? (await findTable(store, name));
    tables.set(name, table);
    for (const { index, attribute } of listIndexKeys(table)) {
      const value = item[attribute];
      if (value?.S !== "" && value?.B !== "") continue;
      throw validationError(
        "One or more parameter values are not valid. A value specified for a secondary index key is not supported. " +
          `The AttributeValue for a key attribute cannot contain an empty ${value.S === "" ? "string" : "binary"} value. ` +
          `IndexName: ${index.IndexName}, IndexKey: ${attribute}`,
      );
    }
  }
}

function listIndexKeys(table: Table): { readonly index: Index; readonly attribute: string }[] {
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  return indexes.flatMap((index) =>
    index.KeySchema.map(({ AttributeName }) => ({ index, attribute: AttributeName })),
  );
}

/** AWS uses this message in all three exceptions about conflicts. */
export const conflictMessage = "Transaction is ongoing for the item";

/**
 * A text that identifies an item; `undefined` for an invalid key. An invalid key needs no identifying text, because a request with an
 * invalid key fails later anyway.
 */
export type ItemId = string | undefined;

/**
 * Tracks which request works on which item, so that overlapping requests conflict as on AWS (Developer Guide, "Transaction conflict
 * handling"). Of two write transactions on an item, the later transaction is cancelled. A plain write is refused while a transaction works
 * on the item. A read transaction is cancelled by any overlapping write.
 */
export interface Conflicts {
  /**
   * Runs a write transaction, which holds its items until the transaction ends. `taken` contains the positions of items that another
   * transaction holds; if `taken` is not empty, this transaction holds no item.
   */
  runWriteTransaction<T>(
    items: readonly ItemId[],
    run: (taken: ReadonlySet<number>) => Promise<T>,
  ): Promise<T>;
  /** @throws TransactionConflictException */
  runPlainWrite<T>(item: ItemId, run: () => Promise<T>): Promise<T>;
  /** Runs a read transaction. `overtaken` returns the positions of items that were written during the read transaction. */
  runReadTransaction<T>(
    items: readonly ItemId[],
    run: (overtaken: () => ReadonlySet<number>) => Promise<T>,
  ): Promise<T>;
  /**
   * Runs a transaction under its client token.
   * @throws TransactionInProgressException if another transaction with this token is running
   */
  underToken<T>(token: string | undefined, run: () => Promise<T>): Promise<T>;
}

export function makeConflictWatch(): Conflicts {
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

  const listBusyPlaces = (items: readonly ItemId[], busy: { has(item: string): boolean }) =>
    new Set(items.flatMap((item, place) => (item !== undefined && busy.has(item) ? [place] : [])));

  return {
    async runWriteTransaction(items, run) {
      const taken = listBusyPlaces(items, transactions);
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
    async runPlainWrite(item, run) {
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
    async runReadTransaction(items, run) {
      const reader = { items, overtaken: listBusyPlaces(items, writes) };
      readers.add(reader);
      try {
        return await run(() => reader.overtaken);
      } finally {
        readers.delete(reader);
      }
    },
    underToken: makeTokenLock(),
  };
}

/** Without the option `rough`, requests run one after the other and never overlap. */
function makeNoConflictWatch(): Conflicts {
  return {
    runWriteTransaction: (_items, run) => run(new Set()),
    runPlainWrite: (_item, run) => run(),
    runReadTransaction: (_items, run) => run(() => new Set()),
    underToken: makeTokenLock(),
  };
}

function makeTokenLock(): Conflicts["underToken"] {
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

/** @throws ResourceNotFoundException */
export async function findItemId(store: Store, target: ItemTarget): Promise<ItemId> {
  const table = await findTable(store, target.TableName);
  const key = readKey(target);
  const invalid = target.Key === undefined ? validateItem(key, table) : validateKey(key, table);
  return invalid ? undefined : `${target.TableName}/${createKey(key, table)}`;
}
