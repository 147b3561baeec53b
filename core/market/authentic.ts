import { Quantity, result } from "../chain/call.ts";
import type { Address } from "../chain/hex.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/log.ts";
import { inTime } from "./deadline.ts";
import { unavailable } from "./error.ts";
import type { Listing } from "./schema.ts";

/** keccak256("eip1967.proxy.beacon") - 1: where a proxy keeps its beacon (EIP-1967). */
const beaconSlot = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";

/**
 * The listings whose token is a proxy of the stocks' beacon at the latest block, read in one round trip; of two with
 * one symbol the first. Anybody can make such a proxy, so this counts only for addresses that the official list names:
 * it takes both. Throws `upstream` when the chain does not answer for every token, and when no token at all is genuine,
 * for then the beacon or the chain is the wrong one.
 */
export async function authentic(
  ports: { readonly chain: Chain; readonly clock: Clock; readonly log: Log },
  beacon: Address,
  listings: readonly Listing[],
): Promise<readonly Listing[]> {
  const outcomes = await inTime(
    ports.clock,
    ports.chain.batch(
      listings.map(({ address }) => ({
        method: "eth_getStorageAt",
        params: [address, beaconSlot, "latest"],
      })),
    ),
  );
  const symbols = new Set<string>();
  const kept = listings.filter(({ symbol }, index) => {
    const genuine = result(outcomes[index], Quantity) === BigInt(beacon) && !symbols.has(symbol);
    if (genuine) symbols.add(symbol);
    return genuine;
  });
  const dropped = listings.filter((listing) => !kept.includes(listing));
  if (dropped.length > 0) {
    const tokens = dropped.map(({ symbol, address }) => `${symbol} ${address}`);
    ports.log.warn("stock_not_authentic", { tokens });
  }
  if (kept.length === 0 && dropped.length > 0) {
    throw unavailable(new Error(`No listed token is a proxy of the beacon ${beacon}`));
  }
  return kept;
}
