import type { GasLimits, Settings } from "../port/settings.ts";

/** For a chain whose gas costs a small part of a gwei: what is burned in a day stays within a few dollars. */
const usual: GasLimits = {
  maxPrice: 10_000_000_000n,
  allowance: 1_000_000,
  failuresPerDay: 12_000_000,
  ethPrice: 3_000_000_000,
  ethFeed: undefined,
};

/** What gas may cost in a stage. */
export function gasLimitsOf({ gas = {} }: Pick<Settings, "gas">): GasLimits {
  return {
    maxPrice: gas.maxPrice ?? usual.maxPrice,
    allowance: gas.allowance ?? usual.allowance,
    failuresPerDay: gas.failuresPerDay ?? usual.failuresPerDay,
    ethPrice: gas.ethPrice ?? usual.ethPrice,
    ethFeed: gas.ethFeed,
  };
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

/**
 * Gas units of what our keys send: a plain account's leg, and a verdict. Rounded up from what the deployed contracts take
 * (`tests/local/contracts-gas.test.ts`), before the L1's part.
 */
export const usualGas = { leg: 125_000n, verdict: 225_000n } as const;
