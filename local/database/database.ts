import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Callback, create, type Store, type Table, type Write } from "dynalite/db/index.js";
import * as z from "zod";
import type { Dice } from "../stand-in.ts";
import { type Conflicts, openConflicts, withoutConflicts } from "./conflicts.ts";
import { openStage, refuseEmptyIndexKeys, type Stage } from "./stage.ts";

/** An open embedded database. */
export interface Database {
  readonly store: Store;
  /** Must be called where a table has changed. */
  forgetTable(table: string): void;
  readonly conflicts: Conflicts;
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
  return {
    store: tables.store,
    forgetTable: tables.forget,
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
    // Whoever awaits `next` hears of its failure; the job after it must run all the same.
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
