import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Store, Write } from "dynalite/db/index.js";
import { create } from "dynalite/db/index.js";
import * as z from "zod";
import type { Dice } from "../rough.ts";
import { type Conflicts, openConflicts, withoutConflicts } from "./conflicts.ts";
import { expiryWrites, loadTimeToLive } from "./expiry.ts";
import { refuseEmptyIndexKeys } from "./index-keys.ts";
import { openStage, type Stage } from "./stage.ts";
import { rememberTables } from "./table-cache.ts";

/** An open embedded database. */
export interface Database {
  readonly store: Store;
  /** The attribute that holds the expiry, for each table with time to live. */
  readonly timeToLive: Map<string, string>;
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
    timeToLive: await loadTimeToLive(store),
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
    stage.writes.push(...expiryWrites(database.timeToLive, stage.items));
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
