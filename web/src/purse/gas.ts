import { formatEther } from "viem";

/** Of the estimate, in percent: gas for a state that changes meanwhile, and a price that rises. */
const spareGas = 125n;
const sparePrice = 150n;

/** What a transaction may use, and the most that it costs, in wei. */
export function withSpare(estimate: bigint, price: bigint) {
  const gas = (estimate * spareGas) / 100n;
  const maxFeePerGas = (price * sparePrice) / 100n;
  return { gas, maxFeePerGas, most: gas * maxFeePerGas };
}

/** An amount of wei in ETH, rounded up to two digits that count. */
export function ether(wei: bigint): string {
  const digits = String(wei).length;
  const step = 10n ** BigInt(Math.max(0, digits - 2));
  return formatEther(((wei + step - 1n) / step) * step);
}
