import type { Address } from "../chain/hex.ts";
import { tableBusy } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import { dayOf } from "../quota/index.ts";
import type { Table } from "../table.ts";
import { nextId, refused, transact } from "../transact.ts";
import { limitReached } from "./error.ts";
import { type Angle, generationsPerDay, type Source } from "./schema.ts";

type Ports = { readonly table: Table; readonly clock: Clock };

/** A place in a day's count, held by a generation that is being written. */
export type Place = { readonly wallet: Address; readonly id: number; readonly day: string };

/** What is written, as it is kept from the beginning. */
type Plan = {
  readonly stock: string;
  readonly angle: Angle;
  readonly sources: readonly Source[];
  readonly engine: string;
};

/** Milliseconds after which a generation that is still being written counts as dead: no function runs as long. */
const writeTimeoutMs = 60_000;

/** Generations that a wallet has left today. Those that died without a word are refunded first. */
export async function remaining(ports: Ports, wallet: Address): Promise<number> {
  const left = await unused(ports, wallet);
  return left > 0 || !(await reclaim(ports, wallet)) ? left : unused(ports, wallet);
}

/**
 * Takes a place in today's count before the model is asked, so that no race can take a sixth. Throws `limit`
 * `generation_limit`, or `upstream` `table_busy`.
 */
export async function reserve(ports: Ports, wallet: Address, plan: Plan): Promise<Place> {
  const place = (await take(ports, wallet, plan)) ?? (await afterReclaim(ports, wallet, plan));
  if (place === undefined) throw limitReached(dayOf(ports.clock.now()).left);
  return place;
}

/** Frees a place whose generation came to nothing. `false` when it was written, or freed, before. */
export async function refundQuota({ table, clock }: Ports, { wallet, id, day }: Place): Promise<boolean> {
  const outcome = await transact(clock, () =>
    table.transaction
      .write(({ generation, quota }) => [
        generation
          .delete({ wallet, id })
          .where(({ state }, { eq }) => eq(state, "writing"))
          .commit(),
        quota.patch({ wallet, kind: "generation", day }).add({ used: -1 }).commit(),
      ])
      .go(),
  );
  if (refused(outcome, 0)) return false;
  if (outcome.canceled) throw tableBusy(outcome);
  return true;
}

async function take({ table, clock }: Ports, wallet: Address, plan: Plan): Promise<Place | undefined> {
  const now = clock.now();
  const today = dayOf(now);
  const id = await nextId(table, "generation");
  const outcome = await transact(clock, () =>
    table.transaction
      .write(({ quota, generation }) => [
        quota
          .update({ wallet, kind: "generation", day: today.name })
          .add({ used: 1 })
          .set({ expiresAt: today.expiresAt })
          .where(({ used }, { lt, notExists }) => `${notExists(used)} OR ${lt(used, generationsPerDay)}`)
          .commit(),
        generation
          .create({
            wallet,
            id,
            state: "writing",
            ...plan,
            createdAt: new Date(now).toISOString(),
            day: today.name,
            dueAt: now + writeTimeoutMs,
            expiresAt: today.expiresAt,
          })
          .commit(),
      ])
      .go(),
  );
  if (refused(outcome, 0)) return undefined;
  if (outcome.canceled) throw tableBusy(outcome);
  return { wallet, id, day: today.name };
}

async function afterReclaim(ports: Ports, wallet: Address, plan: Plan): Promise<Place | undefined> {
  return (await reclaim(ports, wallet)) ? take(ports, wallet, plan) : undefined;
}

/** Frees today's places of the dead: at most `generationsPerDay` generations hold one, and they are the latest. */
async function reclaim(ports: Ports, wallet: Address): Promise<boolean> {
  const now = ports.clock.now();
  const today = dayOf(now).name;
  const { data } = await ports.table.entities.generation.query
    .byWallet({ wallet })
    .go({ order: "desc", limit: generationsPerDay, consistent: true });
  const dead = data.filter(({ state, day, dueAt }) => state === "writing" && day === today && dueAt <= now);
  const freed = await Promise.all(dead.map(({ id, day }) => refundQuota(ports, { wallet, id, day })));
  return freed.includes(true);
}

async function unused({ table, clock }: Ports, wallet: Address): Promise<number> {
  const day = dayOf(clock.now()).name;
  const { data } = await table.entities.quota
    .get({ wallet, kind: "generation", day })
    .go({ consistent: true });
  return Math.max(0, generationsPerDay - (data?.used ?? 0));
}
