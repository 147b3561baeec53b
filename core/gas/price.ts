import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { priceFeedAbi } from "../chain/abi.ts";
import { Bytes, getResult, makeContractCall, Quantity } from "../chain/call.ts";
import { parseL1Gas, usualL1GasCall } from "../chain/nitro.ts";
import type { Chain, RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { GasLimits, Settings } from "../port/settings.ts";

/**
 * The gas limits of a stage. The default limits are made for a chain with a gas price far below one gwei. With the default limits, the gas
 * that is burned in a day costs at most a few dollars.
 */
export function readGasLimits({ gas = {} }: Pick<Settings, "gas">): GasLimits {
  const {
    maxPrice = 10_000_000_000n,
    allowance = 1_000_000,
    failuresPerDay = 12_000_000,
    ethPrice = 3_000_000_000,
    ethFeed,
  } = gas;
  return { maxPrice, allowance, failuresPerDay, ethPrice, ethFeed };
}

/**
 * The estimated gas units of a transaction, and the gas price at the time of the estimate. `maxPrice` is the highest allowed gas price.
 * Prices are in wei per gas unit.
 */
type GasNeed = { readonly gas: bigint; readonly gasPrice: bigint; readonly maxPrice: bigint };

/**
 * Whether a stored transaction can be sent again at a higher gas price. For a replacement, nodes demand a price that is 10 % higher, and
 * the new price must not exceed the highest allowed price.
 */
export function mayRaisePrice(maxFeePerGas: bigint, maxPrice: bigint): boolean {
  return (maxFeePerGas * 11n) / 10n <= maxPrice;
}

/** The maximum cost of a transaction in wei. */
export function findFeeCap(need: GasNeed): bigint {
  const { gas, maxFeePerGas } = findFeeLimits(need);
  return gas * maxFeePerGas;
}

/** The maximum gas units of a transaction: 125 % of the estimate. */
export function findGasLimit(estimate: bigint): bigint {
  return (estimate * 5n) / 4n;
}

/** The maximum gas units and the maximum price in wei of a transaction. */
export function findFeeLimits({ gas, gasPrice, maxPrice }: GasNeed) {
  const doubled = gasPrice * 2n;
  return {
    gas: findGasLimit(gas),
    // The base fee may double before the transaction is included. A tip gives no advantage on Nitro, which includes transactions in the
    // order of arrival.
    maxFeePerGas: doubled < maxPrice ? doubled : maxPrice,
    maxPriorityFeePerGas: 0n,
  };
}

/**
 * The gas units of three transactions: a plain account's payment, a verdict, and a vote. Our keys send payments and verdicts; a wallet
 * sends its vote. The numbers are measured with the deployed contracts (`tests/local/contracts-gas.test.ts`) and rounded up; they do not
 * include the gas units for L1.
 */
export const usualGas = { leg: 125_000n, verdict: 225_000n, vote: 210_000n } as const;

/**
 * The numbers for calculating the cost of gas: wei per gas unit, USDG base units per ETH, and the gas units that are added to a payment for
 * the cost of L1.
 */
export type GasRate = { readonly gasPrice: bigint; readonly ethPrice: number; readonly l1Gas: bigint };

const weiOfEth = 10n ** 18n;

/** The cost of some gas units in USDG base units, rounded up. */
export function computeCost(gas: bigint, { gasPrice, ethPrice }: Omit<GasRate, "l1Gas">): number {
  return convertWei(gas * gasPrice, ethPrice);
}

/** Converts wei to USDG base units, rounded up. */
export function convertWei(wei: bigint, ethPrice: number): number {
  return Number((wei * BigInt(ethPrice) + weiOfEth - 1n) / weiOfEth);
}

export type RateSettings = Pick<Settings, "gas">;

/** The call that asks the stage's price feed for the price of one ETH, if the stage has a price feed. */
export function listEthPriceCalls(settings: RateSettings): readonly RpcCall[] {
  const { ethFeed } = readGasLimits(settings);
  if (ethFeed === undefined) return [];
  const data = encodeFunctionData({ abi: priceFeedAbi, functionName: "latestRoundData" });
  return [makeContractCall(ethFeed, data)];
}

/**
 * Milliseconds for which a price feed's answer counts as current. Chainlink renews an answer at least once a day, even if the price has not
 * changed.
 */
const freshFor = 26 * 60 * 60_000;

/** Chainlink's feeds in US dollars have 8 decimals, and USDG has 6 decimals. */
const feedScale = 100n;

/** The price of one ETH from the answers to `listEthPriceCalls`, or from the stage's settings if an answer is missing or stale. */
export function parseEthPrice(
  settings: RateSettings,
  [outcome]: readonly (RpcOutcome | undefined)[],
  now: number,
): number {
  const { ethPrice } = readGasLimits(settings);
  const { success, data } = Bytes.safeParse(outcome?.status === "ok" ? outcome.result : undefined);
  if (!success) return ethPrice;
  try {
    const [, answer, , updatedAt] = decodeFunctionResult({
      abi: priceFeedAbi,
      functionName: "latestRoundData",
      data,
    });
    const isFresh = now - Number(updatedAt) * 1000 <= freshFor;
    return isFresh && answer >= feedScale ? Number(answer / feedScale) : ethPrice;
  } catch {
    // The contract at the feed's address is not a price feed, so the price of ETH in the stage's settings is used.
    return ethPrice;
  }
}

export type RatePorts = {
  readonly chain: Chain;
  readonly clock: Pick<Clock, "now">;
  readonly settings: RateSettings;
};

/** Milliseconds for which the terms of payments use the last known gas price. */
const rateLife = 10_000;

/** The last known gas price of each chain client. */
const seen = new WeakMap<Chain, { readonly rate: GasRate; readonly at: number }>();

/** Remembers a gas price that the caller has read from the chain together with other data. */
export function storeRate({ chain, clock }: Pick<RatePorts, "chain" | "clock">, rate: GasRate): void {
  seen.set(chain, { rate, at: clock.now() });
}

/**
 * Returns the last known gas price if it is recent; otherwise reads the gas price from the chain in one round trip. Throws `upstream` if
 * the chain does not answer.
 */
export async function readRecentRate(
  ports: RatePorts,
): Promise<{ readonly rate: GasRate; readonly isNew: boolean }> {
  const { chain, clock } = ports;
  const last = seen.get(chain);
  const age = last === undefined ? rateLife : clock.now() - last.at;
  if (last !== undefined && age >= 0 && age < rateLife) return { rate: last.rate, isNew: false };
  return { rate: await readRateNow(ports), isNew: true };
}

export async function readRateNow(ports: RatePorts): Promise<GasRate> {
  const { chain, clock, settings } = ports;
  const [price, l1, ...feed] = await chain.batch([
    { method: "eth_gasPrice", params: [] },
    usualL1GasCall,
    ...listEthPriceCalls(settings),
  ]);
  const ethPrice = parseEthPrice(settings, feed, clock.now());
  const rate = { gasPrice: getResult(price, Quantity), ethPrice, l1Gas: parseL1Gas(l1) };
  storeRate(ports, rate);
  return rate;
}

/** The usual gas units of a plain account's payment, including the gas units for L1. */
export function computePlainGas({ l1Gas }: Pick<GasRate, "l1Gas">): bigint {
  return usualGas.leg + l1Gas;
}

/** The usual gas cost of a plain account's read, which is the gas cost of both payments of the read. */
export function findReadCost(rate: GasRate): number {
  return 2 * computeCost(computePlainGas(rate), rate);
}

/** The gas cost of a plain account's read at the current gas price, in USDG base units. Throws `upstream` if the chain does not answer. */
export async function readReadCost(ports: RatePorts): Promise<number> {
  return findReadCost((await readRecentRate(ports)).rate);
}
