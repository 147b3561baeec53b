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
import type { Dice } from "../stand-in.ts";
import { type History, type Lag, openHistory, roughLag } from "./lag.ts";
import { ApiError, below, findTable, indexPrefix, isItem, itemPrefix, keyed, type Target } from "./store.ts";

/** An open embedded database. */
export interface Database {
  readonly store: Store;
  /** Must be called where a table has changed. */
  forgetTable(table: string): void;
  readonly conflicts: Conflicts;
  /** What indexes and plain reads do not show yet; they show everything unless the database is rough or made to lag. */
  readonly history: History | undefined;
  /** Resolves after the milliseconds that a request spends on its items: none, unless the database is rough. */
  pause(): Promise<void>;
  /** Runs one job after another, so that no write happens between what a job reads and what it writes. */
  exclusive<T>(job: () => Promise<T>): Promise<T>;
}

const lockedShape = z.object({ cause: z.object({ code: z.literal("LEVEL_LOCKED") }) });

/** Opens the database in `<directory>/dynamodb`, or in memory where no directory is given.
 * @throws where another process has it open */
export async function openDatabase(options: {
  readonly directory?: string | undefined;
  readonly fresh?: boolean | undefined;
  readonly rough?: Dice | undefined;
  readonly lag?: Lag | undefined;
}): Promise<Database> {
  const path = options.directory === undefined ? undefined : join(options.directory, "dynamodb");
  if (path !== undefined) await mkdir(path, { recursive: true });
  const instantly = { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 };
  const store = create(path === undefined ? instantly : { ...instantly, path });
  try {
    await store.db.open();
  } catch (error) {
    if (!lockedShape.safeParse(error).success)
      throw new Error(`Cannot open the database in ${path}.`, { cause: error });
    throw new Error(`Another local service is using ${path}. Stop it first, or choose another directory.`, {
      cause: error,
    });
  }
  if (options.fresh === true) await clear(store);
  const tables = rememberTables(store);
  const lag = options.lag ?? (options.rough && roughLag(options.rough));
  return {
    store: tables.store,
    forgetTable: tables.forget,
    history: lag && openHistory(tables.store, lag),
    // A request waits for its turn here, which must not count as time at work: it would overlap with all that wait, too.
    conflicts: options.rough === undefined ? withoutConflicts() : openConflicts(),
    pause: pauses(options.rough),
    exclusive: serial(),
  };
}

/** Runs a job that writes, alone, and commits what it staged all at once; where the job throws, nothing is written. */
export function write<T>(database: Database, job: (stage: Stage) => Promise<T>): Promise<T> {
  return database.exclusive(async () => {
    const stage = openStage(database.store);
    const answer = await Promise.race([job(stage), stage.broken]);
    await refuseEmptyIndexKeys(database.store, stage.items);
    await database.history?.remember(stage.writes);
    if (stage.writes.length > 0) await database.store.db.batch(stage.writes);
    for (const action of stage.afterCommit) action();
    return answer;
  });
}

// Deleting the files instead would leave a broken store behind when the process is killed halfway.
async function clear(store: Store): Promise<void> {
  const keys = await store.db.keys({ gte: "", lt: "\u{10ffff}" }).all();
  await store.db.batch(keys.map((key): Write => ({ type: "del", key })));
}

/** As long as AWS takes for a request, or a little longer, so that requests overlap. */
function pauses(dice: Dice | undefined): () => Promise<void> {
  return dice === undefined ? async () => {} : () => delay(dice.between(2, 20));
}

function serial(): Database["exclusive"] {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const next = last.then(job);
    // The caller that awaits `next` hears of its failure; the job after it must run all the same.
    last = next.catch(() => undefined);
    return next;
  };
}

/** A store that keeps the descriptions of tables, which dynalite reads and parses for every action.
 *
 * Actions that change a table ask without regard to its status and change what they get, so they get a fresh copy. */
function rememberTables(source: Store): { readonly store: Store; forget(table: string): void } {
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
      // A change committed meanwhile makes this answer, right when it was read, wrong for later.
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
    forget(table) {
      generation += 1;
      known.delete(table);
    },
  };
}

/** An item as it will stand after the commit. */
interface StagedItem {
  readonly table: string;
  readonly key: string;
  readonly item: Item;
}

export interface Stage {
  /** Reads what is committed and only collects what is written. */
  readonly store: Store;
  readonly writes: Write[];
  readonly items: readonly StagedItem[];
  /** What to do once all is written, before the next writer's turn. */
  readonly afterCommit: (() => void)[];
  /** Rejects with what an action threw where nobody could catch it. */
  readonly broken: Promise<never>;
  /** Settles when a table's description has been written for the second time. */
  readonly tableSettled: Promise<void>;
}

/** Stands between dynalite's actions and its store; the one place that leans on dynalite's inside.
 *
 * The actions write an item and each of its index entries on their own, so that a process killed in between leaves
 * indexes that disagree with their table. Here all writes of a request, or of a transaction, become one batch, which
 * LevelDB logs as one record and recovers whole or not at all: its log is the journal.
 *
 * Nothing reads what is staged: an item occurs once in a request, so no action needs to see another's write. */
function openStage(committed: Store): Stage {
  const writes: Write[] = [];
  const items: StagedItem[] = [];
  const settled = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<never>();
  // Nobody may be waiting any more for what this tells.
  broken.promise.catch(() => undefined);
  let tableWrites = 0;

  function staged(prefix: string, source: SubDb, written?: (key: string, value?: unknown) => void): SubDb {
    return {
      ...source,
      // The one writer holds the database's lock, which leaves dynalite's lock of each key nothing to do.
      lock: (_key, critical) => critical((callback) => callback),
      // What an action throws in its callback would otherwise end the process.
      get(key, callback) {
        committed.db
          .get(prefix + key)
          .then((value) => callback(null, value), callback)
          .catch(broken.reject);
      },
      put(key, value, callback) {
        writes.push({ type: "put", key: prefix + key, value });
        written?.(key, value);
        callback(null);
      },
      del(key, callback) {
        writes.push({ type: "del", key: prefix + key });
        written?.(key);
        callback(null);
      },
      batch(operations, callback) {
        for (const operation of operations) writes.push({ ...operation, key: prefix + operation.key });
        callback(null);
      },
    };
  }

  function clear(prefix: string, callback: Callback): void {
    committed.db
      .keys(below(prefix))
      .all()
      .then((keys) => {
        for (const key of keys) writes.push({ type: "del", key });
        callback(null);
      }, callback);
  }

  // dynalite leaves CREATING, UPDATING and DELETING by a timer's second write. Waiting for it commits both at once,
  // and a killed process leaves no table in between.
  function tableWritten(): void {
    tableWrites += 1;
    if (tableWrites === 2) settled.resolve();
  }

  const store: Store = {
    ...committed,
    tableDb: { ...committed.tableDb, ...staged("table~", committed.tableDb, tableWritten) },
    getItemDb: (table) =>
      staged(itemPrefix(table), committed.getItemDb(table), (key, item) => {
        if (isItem(item)) items.push({ table, key, item });
      }),
    getIndexDb: (kind, table, index) =>
      staged(indexPrefix(kind, table, index), committed.getIndexDb(kind, table, index)),
    getTagDb: (table) => staged(`tag-${table}~`, committed.getTagDb(table)),
    deleteItemDb: (table, callback) => clear(itemPrefix(table), callback),
    deleteIndexDb: (kind, table, index, callback) => clear(indexPrefix(kind, table, index), callback),
    deleteTagDb: (table, callback) => clear(`tag-${table}~`, callback),
  };
  return { store, writes, items, afterCommit: [], broken: broken.promise, tableSettled: settled.promise };
}

/** DynamoDB refuses an empty string or binary as the key of a secondary index; dynalite would index it.
 * @throws ValidationException */
async function refuseEmptyIndexKeys(store: Store, items: readonly StagedItem[]): Promise<void> {
  const tables = new Map<string, Table>();
  for (const { table: name, item } of items) {
    const table = tables.get(name) ?? (await findTable(store, name));
    tables.set(name, table);
    for (const { index, attribute } of indexKeys(table)) {
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

function indexKeys(table: Table): { readonly index: Index; readonly attribute: string }[] {
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  return indexes.flatMap((index) =>
    index.KeySchema.map(({ AttributeName }) => ({ index, attribute: AttributeName })),
  );
}

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
function withoutConflicts(): Conflicts {
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
