import type { Item, Store, Write } from "dynalite/db/index.js";
import * as z from "zod";
import type { StagedItem } from "./stage.ts";
import { below } from "./store.ts";

/** What an entry of the expiry index is about. */
export const Expiring = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("item"), table: z.string(), key: z.string() }),
  z.object({ kind: z.literal("token"), token: z.string() }),
]);
export type Expiring = z.infer<typeof Expiring>;

const Setting = z.object({ table: z.string(), attribute: z.string() });

/** DynamoDB does not delete what expired more than five years ago: such a value is taken for a mistake. */
const oldestExpiry = 5 * 365 * 86_400;

/** The settings of all tables with time to live: table → attribute. */
export async function loadTimeToLive(store: Store): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [, value] of await store.db.iterator(below("ttl~")).all()) {
    const { table, attribute } = Setting.parse(value);
    found.set(table, attribute);
  }
  return found;
}

/** Stores a table's setting; an undefined attribute removes it. */
export function settingWrite(table: string, attribute: string | undefined): Write {
  const key = `ttl~${table}`;
  return attribute === undefined ? { type: "del", key } : { type: "put", key, value: { table, attribute } };
}

/** The entries of the expiry index, ordered by time, for items about to be written: the sweep reads only what is due
 * instead of scanning tables. An entry whose item has since changed is ignored when its time comes. */
export function expiryWrites(timeToLive: ReadonlyMap<string, string>, items: readonly StagedItem[]): Write[] {
  return items.flatMap(({ table, key, item }) => {
    const seconds = expiryOf(item, timeToLive.get(table));
    return seconds === undefined ? [] : [expiryWrite(seconds, { kind: "item", table, key })];
  });
}

/** An entry of the expiry index. @param seconds Unix time */
export function expiryWrite(seconds: number, about: Expiring): Write {
  const id = about.kind === "item" ? `item~${about.table}~${about.key}` : `token~${about.token}`;
  return { type: "put", key: `${expiryKey(seconds)}~${id}`, value: about };
}

/** The bounds of the entries that are due. @param now Unix time in seconds */
export function dueBy(now: number): { readonly gte: string; readonly lt: string } {
  return { gte: "expiry~", lt: expiryKey(now + 1) };
}

/** Whether time to live wants the item gone. @param now Unix time in seconds */
export function hasExpired(item: Item, attribute: string | undefined, now: number): boolean {
  const seconds = expiryOf(item, attribute);
  return seconds !== undefined && seconds <= now && seconds > now - oldestExpiry;
}

function expiryOf(item: Item, attribute: string | undefined): number | undefined {
  if (attribute === undefined) return undefined;
  const seconds = Math.floor(Number(item[attribute]?.N));
  return seconds > 0 && seconds < 1e12 ? seconds : undefined;
}

function expiryKey(seconds: number): string {
  return `expiry~${String(seconds).padStart(12, "0")}`;
}
