import {
  type Callback,
  type Index,
  type Item,
  type Store,
  type SubDb,
  type Table,
  validationError,
  type Write,
} from "dynalite/db/index.js";
import { below, findTable, indexPrefix, isItem, itemPrefix } from "./store.ts";

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
export function openStage(committed: Store): Stage {
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
export async function refuseEmptyIndexKeys(store: Store, items: readonly StagedItem[]): Promise<void> {
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
