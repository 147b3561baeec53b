import type { Address } from "../chain/hex.ts";
import type { Action, WriteEntities } from "../transact.ts";
import type { RelayerItem } from "./entity.ts";

/** Milliseconds that a key is held for one settlement: longer than any function may run. */
export const leaseTime = 30_000;

/** Milliseconds after a crowd's transaction in which whoever finds the key free looks for others that wait. */
const crowdTime = 2_000;

/** A relayer that nobody holds, with the nonce that its next transaction takes unless the chain says more. */
export type FreeRelayer = {
  readonly address: Address;
  readonly nextNonce: number;
  readonly crowdUntil: number;
};

/**
 * The relayers that may be leased now: never used, given back, or left behind by a claim that stored no transaction.
 * One with a transaction in flight is not free until that is resolved (design §4: no nonce pipelining).
 */
export function free(
  addresses: readonly Address[],
  items: readonly RelayerItem[],
  now: number,
): readonly FreeRelayer[] {
  return addresses.flatMap((address) => {
    const item = items.find((relayer) => relayer.address === address);
    if (item === undefined) return [{ address, nextNonce: 0, crowdUntil: 0 }];
    const held = item.lease !== undefined && (item.inFlight !== undefined || (item.leaseUntil ?? 0) >= now);
    return held ? [] : [{ address, nextNonce: item.nextNonce, crowdUntil: item.crowdUntil ?? 0 }];
  });
}

/** The transactions that lapsed leases still have in flight: whoever finds one resolves it first. */
export function lapsed(items: readonly RelayerItem[], now: number): readonly string[] {
  return items.flatMap(({ inFlight, leaseUntil }) =>
    inFlight !== undefined && (leaseUntil ?? 0) < now ? [inFlight] : [],
  );
}

/** Leases a free key, as a part of a transaction: refused where somebody else was first. Milliseconds. */
export function leaseKey(
  { relayer }: Pick<WriteEntities, "relayer">,
  { address, nextNonce, crowdUntil }: FreeRelayer,
  { lease, until, now }: { readonly lease: string; readonly until: number; readonly now: number },
): Action {
  return relayer
    .put({ address, nextNonce, lease, leaseUntil: until, ...(crowdUntil > now && { crowdUntil }) })
    .where(
      (item, { notExists, eq, lt }) =>
        `${notExists(item.address)} OR (${eq(item.nextNonce, nextNonce)} AND (${notExists(item.lease)} OR (${lt(item.leaseUntil, now)} AND ${notExists(item.inFlight)})))`,
    )
    .commit();
}

/** Gives a key back, as a part of a transaction: refused where it has passed to another lease. */
export function freeKey(
  { relayer }: Pick<WriteEntities, "relayer">,
  { address, lease, used }: { readonly address: string; readonly lease: string; readonly used: boolean },
): Action {
  return (
    relayer
      .patch({ address })
      .remove(["lease", "leaseUntil", "inFlight"])
      // Counting a nonce that the chain has not seen would leave a gap that every later one waits behind.
      .add({ nextNonce: used ? 1 : 0 })
      .where((item, { eq }) => eq(item.lease, lease))
      .commit()
  );
}

/** Notes what a leased key has in flight, as a part of a transaction: refused where it has passed to another lease. */
export function keyInFlight(
  { relayer }: Pick<WriteEntities, "relayer">,
  { address, lease, nonce }: { readonly address: string; readonly lease: string; readonly nonce: number },
  crowd: { readonly now: number } | undefined,
): Action {
  return relayer
    .patch({ address })
    .set({
      inFlight: lease,
      nextNonce: nonce,
      ...(crowd !== undefined && { crowdUntil: crowd.now + crowdTime }),
    })
    .where((item, { eq }) => eq(item.lease, lease))
    .commit();
}
