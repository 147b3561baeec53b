import { answered, Quantity, result } from "../chain/call.ts";
import type { Address } from "../chain/hex.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/log.ts";
import { inTime } from "./deadline.ts";
import { unavailable } from "./error.ts";
import type { Listing } from "./schema.ts";

/** keccak256("eip1967.proxy.beacon") - 1: where a proxy keeps its beacon (EIP-1967). */
export const beaconSlot = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";

type Ports = { readonly chain: Chain; readonly clock: Clock; readonly log: Log };

/** Gives those of some listings that are genuine. */
type Authenticate = (listings: readonly Listing[]) => Promise<readonly Listing[]>;

/**
 * Keeps the listings whose token is a proxy of the stocks' beacon at the latest block; of two with one symbol the
 * first. Anybody can make such a proxy, so this counts only for addresses that the official list names: it takes both.
 * A genuine token is remembered as long as the process lives, so that a list of which the chain has told a part needs
 * only the rest. Throws `upstream` when the chain does not answer for every token, and when no token at all is genuine,
 * for then the beacon or the chain is the wrong one.
 */
export function authenticator({ chain, clock, log }: Ports, beacon: Address): Authenticate {
  const genuine = new Set<string>();

  async function look(addresses: readonly string[]): Promise<void> {
    const outcomes = await chain.batch(
      addresses.map((address) => ({
        method: "eth_getStorageAt",
        params: [address, beaconSlot, "latest"],
      })),
    );
    const answers = addresses.map((address, index) => ({ address, outcome: outcomes[index] }));
    const told = answers.filter(({ outcome }) => outcome?.status === "ok");
    for (const { address, outcome } of told) {
      if (result(outcome, Quantity) === BigInt(beacon)) genuine.add(address);
    }
    // Only now, so that what is certain has been kept.
    for (const { outcome } of answers) answered(outcome);
  }

  return async (listings) => {
    const unknown = listings.map(({ address }) => address).filter((address) => !genuine.has(address));
    if (unknown.length > 0) await inTime(clock, look(unknown));
    const symbols = new Set<string>();
    const kept = listings.filter(({ symbol, address }) => {
      const counts = genuine.has(address) && !symbols.has(symbol);
      if (counts) symbols.add(symbol);
      return counts;
    });
    const dropped = listings.filter((listing) => !kept.includes(listing));
    if (dropped.length > 0) {
      const tokens = dropped.map(({ symbol, address }) => `${symbol} ${address}`);
      log.warn("stock_not_authentic", { tokens });
    }
    if (kept.length === 0 && dropped.length > 0) {
      throw unavailable(new Error(`No listed token is a proxy of the beacon ${beacon}`));
    }
    return kept;
  };
}
