import deleteItem from "dynalite/actions/deleteItem.js";
import type { Item, Table } from "dynalite/db/index.js";
import { type Database, write } from "./database.ts";
import { dueBy, Expiring, hasExpired } from "./expiry.ts";
import { tokenExpired, tokenKey } from "./idempotency.ts";
import type { Stage } from "./stage.ts";
import { findTable, isItem, itemPrefix, run } from "./store.ts";

const batchSize = 100;

/** Deletes what has expired: items past their time to live and idempotency tokens.
 * @param now Unix time in seconds
 * @returns how many entries of the expiry index were due */
async function sweep(database: Database, now: number): Promise<number> {
  let total = 0;
  for (;;) {
    const due = await write(database, (stage) => sweepSome(database, stage, now));
    total += due;
    if (due < batchSize) return total;
  }
}

async function sweepSome(database: Database, stage: Stage, now: number): Promise<number> {
  const due = await database.store.db.iterator({ ...dueBy(now), limit: batchSize }).all();
  for (const [key, value] of due) {
    stage.writes.push({ type: "del", key });
    const about = Expiring.parse(value);
    if (about.kind === "token") {
      if (await tokenExpired(database.store, about.token, now)) {
        stage.writes.push({ type: "del", key: tokenKey(about.token) });
      }
      continue;
    }
    const item = await database.store.db.get(itemPrefix(about.table) + about.key);
    if (!isItem(item) || !hasExpired(item, database.timeToLive.get(about.table), now)) continue;
    const table = await findTable(database.store, about.table);
    await run(deleteItem, stage.store, { TableName: about.table, Key: keyOf(item, table) });
  }
  return due.length;
}

function keyOf(item: Item, table: Table): Item {
  return Object.fromEntries(
    table.KeySchema.flatMap(({ AttributeName }) => {
      const value = item[AttributeName];
      return value === undefined ? [] : [[AttributeName, value]];
    }),
  );
}

/** Sweeps every `interval` milliseconds until stopped. */
export function startSweeping(database: Database, interval: number): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let timer = schedule();

  function schedule(): NodeJS.Timeout {
    return setTimeout(() => {
      running = tick();
    }, interval).unref();
  }
  async function tick(): Promise<void> {
    try {
      await sweep(database, Math.floor(Date.now() / 1000));
    } catch (error) {
      console.error("The database could not delete what has expired.", error);
    }
    timer = schedule();
  }
  return {
    async stop() {
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}
