import type { Action, Data, Item, Store, Table } from "dynalite/db/index.js";
import { createKey } from "dynalite/db/index.js";

/** Runs one of dynalite's actions.
 * @throws its error, see failure.ts */
export async function run(action: Action, store: Store, data: Data): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  action(store, data, (error, answer) => (error ? reject(error) : resolve(answer)));
  return promise;
}

/** A table's description.
 * @throws ResourceNotFoundException */
export async function findTable(store: Store, name: string): Promise<Table> {
  const { promise, resolve, reject } = Promise.withResolvers<Table>();
  store.getTable(name, true, (error, table) => {
    if (table !== undefined) resolve(table);
    else reject(error);
  });
  return promise;
}

/** The item with the key that `keyed` (a key or a whole item) holds. */
export async function findItem(store: Store, table: Table, keyed: Item): Promise<Item | undefined> {
  const found = await store.db.get(itemPrefix(table.TableName) + createKey(keyed, table));
  return isItem(found) ? found : undefined;
}

export function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null;
}

/** Where dynalite 4.0.0 keeps a table's items in the level store. */
export function itemPrefix(table: string): string {
  return `item-${table}~`;
}

/** Where it keeps the entries of an index of `kind` Local or Global. */
export function indexPrefix(kind: string, table: string, index: string): string {
  return `index-${kind.toLowerCase()}~${table}~${index}~`;
}

/** The bounds of all keys that begin with `prefix`. */
export function below(prefix: string): { readonly gte: string; readonly lt: string } {
  return { gte: prefix, lt: `${prefix}\u{10ffff}` };
}
