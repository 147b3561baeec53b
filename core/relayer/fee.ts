import { Quantity, result } from "../chain/call.ts";
import type { Address } from "../chain/hex.ts";
import type { Chain } from "../port/chain.ts";
import type { GasLimits, Settings } from "../port/settings.ts";

/** For a chain whose gas costs a small part of a gwei: what is burned in a day stays within a few dollars. */
const usual: GasLimits = { maxPrice: 10_000_000_000n, failuresPerDay: 40_000_000 };

/** What gas may cost in a stage. */
export function gasLimitsOf({ gas = {} }: Pick<Settings, "gas">): GasLimits {
  const { maxPrice = usual.maxPrice, failuresPerDay = usual.failuresPerDay } = gas;
  return { maxPrice, failuresPerDay };
}

/** What a transaction is estimated to take, in gas units, and the price then. `maxPrice` is the ceiling. Wei a gas unit. */
type GasNeed = { readonly gas: bigint; readonly gasPrice: bigint; readonly maxPrice: bigint };

/** Whether a stored transaction can be offered at a better price: nodes want a tenth more, and the ceiling stays. */
export function mayBeRaised(maxFeePerGas: bigint, maxPrice: bigint): boolean {
  return (maxFeePerGas * 11n) / 10n <= maxPrice;
}

/** Wei that a transaction may cost at most. */
export function feeCap(need: GasNeed): bigint {
  const { gas, maxFeePerGas } = feeLimits(need);
  return gas * maxFeePerGas;
}

/** Gas units that a transaction may use: the estimate and a quarter. */
export function gasLimit(estimate: bigint): bigint {
  return (estimate * 5n) / 4n;
}

/** What a transaction may use and pay: gas units and wei. */
export function feeLimits({ gas, gasPrice, maxPrice }: GasNeed) {
  const doubled = gasPrice * 2n;
  return {
    gas: gasLimit(gas),
    // The base fee may double on its way; a tip buys nothing where the first come is the first served (Nitro).
    maxFeePerGas: doubled < maxPrice ? doubled : maxPrice,
    maxPriorityFeePerGas: 0n,
  };
}

/** Gas units of a settlement that is signed by a plain account, rounded up from what the devnet takes. */
const usualGas = 120_000n;

/** How far a key's gas goes. */
export type Runway = { readonly address: Address; readonly settlements: number };

/**
 * How many settlements each key can pay for at the gas price of now, each at the most that it may cost: at 0 a
 * relayer is passed over. In the given order. Throws `upstream` when the chain cannot be asked.
 */
export async function runway({
  chain,
  addresses,
  settings,
}: {
  readonly chain: Chain;
  readonly settings: Pick<Settings, "gas">;
  readonly addresses: readonly Address[];
}): Promise<readonly Runway[]> {
  const [price, ...balances] = await chain.batch([
    { method: "eth_gasPrice", params: [] },
    ...addresses.map((address) => ({ method: "eth_getBalance", params: [address, "latest"] })),
  ]);
  const cost = feeCap({
    gas: usualGas,
    gasPrice: result(price, Quantity),
    maxPrice: gasLimitsOf(settings).maxPrice,
  });
  return addresses.map((address, index) => ({
    address,
    settlements: Number(result(balances[index], Quantity) / (cost === 0n ? 1n : cost)),
  }));
}
