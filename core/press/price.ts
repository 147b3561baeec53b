import * as Gas from "../gas/index.ts";

import { feePercent, limits, type PriceNow, toUsdg } from "./schema.ts";

type Ports = Parameters<typeof Gas.readReadCost>[0];

/** The USDG base units of one cent. Suggested prices are whole cents. */
const cent = 10_000n;

/**
 * The lowest price whose fee pays for the gas of a purchase at the current gas price, in base units, rounded up to a cent. If the fee of a
 * press does not cover the gas of a purchase, the publisher's gas account is charged for the rest. Throws `upstream` if the chain does not
 * give the gas price.
 */
export async function findCarryPrice(ports: Ports): Promise<bigint> {
  const fee = BigInt(await Gas.readReadCost(ports));
  const share = BigInt(feePercent);
  const price = (fee * 100n + share - 1n) / share;
  return ((price + cent - 1n) / cent) * cent;
}

/**
 * The lowest price that this stage accepts for a press, and the lowest price whose fee pays for the gas of a purchase at the current gas
 * price. Throws the same errors as `findCarryPrice`.
 */
export async function readPriceNow(ports: Ports & { readonly settings: PriceSettings }): Promise<PriceNow> {
  const least = ports.settings.minPriceUnits ?? limits.priceUnits.min;
  return { leastUsdg: toUsdg(least), carryingUsdg: toUsdg(await findCarryPrice(ports)) };
}

type PriceSettings = { readonly minPriceUnits?: bigint | undefined };
