/** Wei that a transaction may cost at most, given the estimate and the price that it was made at. */
export function feeCap(gas: bigint, gasPrice: bigint): bigint {
  return feeLimits(gas, gasPrice).gas * feeLimits(gas, gasPrice).maxFeePerGas;
}

/** What a transaction may use and pay, given the estimate and the price that it was made at: gas units and wei. */
export function feeLimits(gas: bigint, gasPrice: bigint) {
  return {
    gas: (gas * 5n) / 4n,
    // The base fee may double on its way; a tip buys nothing where the first come is the first served (Nitro).
    maxFeePerGas: gasPrice * 2n,
    maxPriorityFeePerGas: 0n,
  };
}
