import type { Address } from "../chain/hex.ts";
import type { RelayerItem } from "./entity.ts";

export { broadcast } from "./broadcast.ts";
export { feeCap, feeLimits, gasLimit, gasLimitsOf, mayBeRaised } from "./fee.ts";
export { keyring } from "./keyring.ts";
export { inLine } from "./line.ts";

/** Milliseconds that a key is held for one settlement: longer than any function may run. */
export const leaseTime = 30_000;

/** A relayer that nobody holds, with the nonce that its next transaction takes unless the chain says more. */
export type FreeRelayer = { readonly address: Address; readonly nextNonce: number };

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
    if (item === undefined) return [{ address, nextNonce: 0 }];
    const held = item.lease !== undefined && (item.inFlight !== undefined || (item.leaseUntil ?? 0) >= now);
    return held ? [] : [{ address, nextNonce: item.nextNonce }];
  });
}

/** The settlements that lapsed leases still have in flight: whoever finds one resolves it first. */
export function lapsed(
  items: readonly RelayerItem[],
  now: number,
): readonly NonNullable<RelayerItem["inFlight"]>[] {
  return items.flatMap(({ inFlight, leaseUntil }) =>
    inFlight !== undefined && (leaseUntil ?? 0) < now ? [inFlight] : [],
  );
}
