import type { Callback, Store, Table } from "dynalite/db/index.js";

/** A store that keeps the descriptions of tables, which dynalite reads and parses for every action.
 *
 * Actions that change a table ask without regard to its status and change what they get, so they get a fresh copy. */
export function rememberTables(source: Store): { readonly store: Store; forget(table: string): void } {
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
