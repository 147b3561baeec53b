import * as Gas from "../gas/index.ts";

import { feePercent, limits, type PriceNow, toUsdg } from "./schema.ts";

type Ports = Parameters<typeof Gas.costOfReadNow>[0];

/** USDG base units of a cent. Suggested prices are whole cents. */
const cent = 10_000n;

/**
 * The lowest price whose fee pays for a read's gas now, in base units, rounded up to a cent. The rest of a lower price's gas is charged to
 * its publisher's gas account. Throws `upstream` when the chain cannot tell the gas price.
 */
export async function carryingPrice(ports: Ports): Promise<bigint> {
  const fee = BigInt(await Gas.costOfReadNow(ports));
  const share = BigInt(feePercent);
  const price = (fee * 100n + share - 1n) / share;
  return ((price + cent - 1n) / cent) * cent;
}

/** The lowest price that this stage accepts, and the lowest that pays for its gas now. Throws as `carryingPrice` does. */
export async function priceNow(ports: Ports & { readonly settings: PriceSettings }): Promise<PriceNow> {
  const least = ports.settings.minPriceUnits ?? limits.priceUnits.min;
  return { leastUsdg: toUsdg(least), carryingUsdg: toUsdg(await carryingPrice(ports)) };
}

type PriceSettings = { readonly minPriceUnits?: bigint | undefined };
