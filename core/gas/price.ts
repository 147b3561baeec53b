import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { priceFeedAbi } from "../chain/abi.ts";
import { Bytes, Quantity, result } from "../chain/call.ts";
import { l1GasIn, usualL1GasCall } from "../chain/nitro.ts";
import type { Chain, RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { GasLimits, Settings } from "../port/settings.ts";

/** Limits for a chain whose gas costs a small part of a gwei: the most that is burned in a day stays within a few dollars. */
const usual: GasLimits = {
  maxPrice: 10_000_000_000n,
  allowance: 1_000_000,
  failuresPerDay: 12_000_000,
  ethPrice: 3_000_000_000,
  ethFeed: undefined,
};

/** The gas limits of a stage. */
export function gasLimitsOf({ gas = {} }: Pick<Settings, "gas">): GasLimits {
  return {
    maxPrice: gas.maxPrice ?? usual.maxPrice,
    allowance: gas.allowance ?? usual.allowance,
    failuresPerDay: gas.failuresPerDay ?? usual.failuresPerDay,
    ethPrice: gas.ethPrice ?? usual.ethPrice,
    ethFeed: gas.ethFeed,
  };
}

/** The estimated gas units of a transaction, and the gas price then. `maxPrice` is the ceiling. Wei a gas unit. */
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

/** The most that a transaction may use and pay: gas units and wei. */
export function feeLimits({ gas, gasPrice, maxPrice }: GasNeed) {
  const doubled = gasPrice * 2n;
  return {
    gas: gasLimit(gas),
    // The base fee may double before inclusion. A tip buys nothing on Nitro, which takes transactions in the order of arrival.
    maxFeePerGas: doubled < maxPrice ? doubled : maxPrice,
    maxPriorityFeePerGas: 0n,
  };
}

/**
 * Gas units of what our keys send, a plain account's leg and a verdict, and of a wallet's vote. Rounded up from what the deployed contracts take
 * (`tests/local/contracts-gas.test.ts`), before the L1's part.
 */
export const usualGas = { leg: 125_000n, verdict: 225_000n, vote: 210_000n } as const;

/** The cost of gas: wei a gas unit, USDG base units an ETH, and the gas units that the price of L1 adds to a leg. */
export type GasRate = { readonly gasPrice: bigint; readonly ethPrice: number; readonly l1Gas: bigint };

const weiOfEth = 10n ** 18n;

/** The cost of this much gas, rounded up. */
export function costOf(gas: bigint, { gasPrice, ethPrice }: Omit<GasRate, "l1Gas">): number {
  return valueOfWei(gas * gasPrice, ethPrice);
}

/** Wei in USDG base units, rounded up. */
export function valueOfWei(wei: bigint, ethPrice: number): number {
  return Number((wei * BigInt(ethPrice) + weiOfEth - 1n) / weiOfEth);
}

export type RateSettings = Pick<Settings, "gas">;

/** The call that asks what an ETH costs, where the stage has a feed for that. */
export function ethPriceCalls(settings: RateSettings): readonly RpcCall[] {
  const { ethFeed } = gasLimitsOf(settings);
  if (ethFeed === undefined) return [];
  const data = encodeFunctionData({ abi: priceFeedAbi, functionName: "latestRoundData" });
  return [{ method: "eth_call", params: [{ to: ethFeed, data }, "latest"] }];
}

/** Milliseconds for which a feed's answer is believed: Chainlink repeats an unchanged answer once a day. */
const freshFor = 26 * 60 * 60_000;

/** Chainlink's feeds in US dollars have 8 decimals, USDG has 6. */
const feedScale = 100n;

/** The price of an ETH by the answers to `ethPriceCalls`; by the stage's setting where an answer is missing or stale. */
export function ethPriceIn(
  settings: RateSettings,
  [outcome]: readonly (RpcOutcome | undefined)[],
  now: number,
): number {
  const { ethPrice } = gasLimitsOf(settings);
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
    // The contract at the address is no feed: the setting is used.
    return ethPrice;
  }
}

export type RatePorts = {
  readonly chain: Chain;
  readonly clock: Pick<Clock, "now">;
  readonly settings: RateSettings;
};

/** Milliseconds for which terms use the last known gas price. */
const rateLife = 10_000;

/** The last known gas price of each chain client. */
const seen = new WeakMap<Chain, { readonly rate: GasRate; readonly at: number }>();

/** Remembers a gas price that another request has read. */
export function noteRate({ chain, clock }: Pick<RatePorts, "chain" | "clock">, rate: GasRate): void {
  seen.set(chain, { rate, at: clock.now() });
}

/** Reads the gas price, or answers with the last known one. At most one round trip; throws `upstream` when the chain cannot say. */
export async function recentRate(
  ports: RatePorts,
): Promise<{ readonly rate: GasRate; readonly isNew: boolean }> {
  const { chain, clock } = ports;
  const last = seen.get(chain);
  const age = last === undefined ? rateLife : clock.now() - last.at;
  if (last !== undefined && age >= 0 && age < rateLife) return { rate: last.rate, isNew: false };
  return { rate: await rateNow(ports), isNew: true };
}

export async function rateNow(ports: RatePorts): Promise<GasRate> {
  const { chain, clock, settings } = ports;
  const [price, l1, ...feed] = await chain.batch([
    { method: "eth_gasPrice", params: [] },
    usualL1GasCall,
    ...ethPriceCalls(settings),
  ]);
  const ethPrice = ethPriceIn(settings, feed, clock.now());
  const rate = { gasPrice: result(price, Quantity), ethPrice, l1Gas: l1GasIn(l1) };
  noteRate(ports, rate);
  return rate;
}

/** The usual gas of a plain account's leg, with L1's part. */
export function plainLeg({ l1Gas }: GasRate): bigint {
  return usualGas.leg + l1Gas;
}

/** The usual cost of a plain account's read: both legs. */
export function costOfRead(rate: GasRate): number {
  return 2 * costOf(plainLeg(rate), rate);
}

/** The cost of a plain account's read at the current gas price, in USDG base units. Throws `upstream` when the chain cannot say. */
export async function costOfReadNow(ports: RatePorts): Promise<number> {
  return costOfRead((await recentRate(ports)).rate);
}
