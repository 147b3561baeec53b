import { Account } from "../relayer/index.ts";
import { feePercent, limits, type PriceNow, toUsdg } from "./schema.ts";

type Ports = Parameters<typeof Account.costOfReadNow>[0];

/** USDG base units of a cent: nobody sets a price by smaller steps than this one is named by. */
const cent = 10_000n;

/**
 * The lowest price whose fee pays for the gas of a read now, in base units, rounded up to a cent. What a press brings below it is on
 * its publisher's gas account. Throws `upstream` when the chain cannot say what gas costs.
 */
export async function carryingPrice(ports: Ports): Promise<bigint> {
  const fee = BigInt(await Account.costOfReadNow(ports));
  const share = BigInt(feePercent);
  const price = (fee * 100n + share - 1n) / share;
  return ((price + cent - 1n) / cent) * cent;
}

/** What a press has to cost: to be saved in this stage, and to pay for its gas now. Throws as `carryingPrice` does. */
export async function priceNow(ports: Ports & { readonly settings: StageSettings }): Promise<PriceNow> {
  const least = ports.settings.minPriceUnits ?? limits.priceUnits.min;
  return { leastUsdg: toUsdg(least), carryingUsdg: toUsdg(await carryingPrice(ports)) };
}

type StageSettings = { readonly minPriceUnits?: bigint | undefined };
