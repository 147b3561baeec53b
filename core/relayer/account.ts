import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { priceFeedAbi } from "../chain/abi.ts";
import { Bytes, Quantity, result } from "../chain/call.ts";
import { l1GasIn, usualL1GasCall } from "../chain/nitro.ts";
import { AppError } from "../error.ts";
import type { Chain, RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import { dayOf } from "../quota/index.ts";
import type { Table } from "../table.ts";
import type { Action, WriteEntities } from "../transact.ts";
import { gasLimitsOf, usualGas } from "./gas.ts";

/**
 * The platform spends on gas for a payee at most what its fees bring and a small allowance of the day (invariant 8). A read
 * that carries its gas is on nobody's account. What another one costs beyond its fee, and a press's verdict, are on the account
 * of the press's publisher. All amounts are USDG base units.
 */

/** What gas costs: wei a gas unit, USDG base units an ETH, and the gas units that the price of L1 adds to a leg. */
export type GasRate = { readonly gasPrice: bigint; readonly ethPrice: number; readonly l1Gas: bigint };

const weiOfEth = 10n ** 18n;

/** What so much gas costs, rounded up. */
export function costOf(gas: bigint, { gasPrice, ethPrice }: Omit<GasRate, "l1Gas">): number {
  return valueOfWei(gas * gasPrice, ethPrice);
}

/** Wei in USDG base units, rounded up. */
export function valueOfWei(wei: bigint, ethPrice: number): number {
  return Number((wei * BigInt(ethPrice) + weiOfEth - 1n) / weiOfEth);
}

type RateSettings = Pick<Settings, "gas">;

/** The call that asks what an ETH costs, where the stage has a feed for that. */
export function ethPriceCalls(settings: RateSettings): readonly RpcCall[] {
  const { ethFeed } = gasLimitsOf(settings);
  if (ethFeed === undefined) return [];
  const data = encodeFunctionData({ abi: priceFeedAbi, functionName: "latestRoundData" });
  return [{ method: "eth_call", params: [{ to: ethFeed, data }, "latest"] }];
}

/** Milliseconds for which a feed's answer is believed: Chainlink repeats one that has not changed once a day. */
const freshFor = 26 * 60 * 60_000;

/** Chainlink's feeds in US dollars have 8 decimals, USDG has 6. */
const feedScale = 100n;

/** What an ETH costs by the answers to `ethPriceCalls`; by the stage's setting where there is none, or a stale one. */
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
    // What stands at the address is no feed: the setting is as good a guess as any.
    return ethPrice;
  }
}

type RatePorts = {
  readonly chain: Chain;
  readonly clock: Pick<Clock, "now">;
  readonly settings: RateSettings;
};

/** Milliseconds for which terms are given by what gas cost when it was asked for last. */
const rateLife = 10_000;

/** What gas cost when the chain was asked last, of each way to the chain. */
const seen = new WeakMap<Chain, { readonly rate: GasRate; readonly at: number }>();

/** Keeps what somebody has asked the chain for anyway. */
export function noteRate({ chain, clock }: Pick<RatePorts, "chain" | "clock">, rate: GasRate): void {
  seen.set(chain, { rate, at: clock.now() });
}

/** What gas costs now, or did a moment ago. One round trip at most; throws `upstream` when the chain cannot say. */
async function recentRate(ports: RatePorts): Promise<{ readonly rate: GasRate; readonly isNew: boolean }> {
  const { chain, clock } = ports;
  const last = seen.get(chain);
  const age = last === undefined ? rateLife : clock.now() - last.at;
  if (last !== undefined && age >= 0 && age < rateLife) return { rate: last.rate, isNew: false };
  return { rate: await rateNow(ports), isNew: true };
}

async function rateNow(ports: RatePorts): Promise<GasRate> {
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

/** What a plain account's leg takes as a rule, L1's part with it. */
export function plainLeg({ l1Gas }: GasRate): bigint {
  return usualGas.leg + l1Gas;
}

/** What a plain account's read costs as a rule: both of its legs. */
function costOfRead(rate: GasRate): number {
  return 2 * costOf(plainLeg(rate), rate);
}

/** The same at the gas price of now, in USDG base units. Throws `upstream` when the chain cannot say. */
export async function costOfReadNow(ports: RatePorts): Promise<number> {
  return costOfRead((await recentRate(ports)).rate);
}

/** Whose account, and of which UTC day. */
export type Account = { readonly payee: string; readonly day: string };

export function accountOf(payee: string, now: number): Account {
  return { payee, day: dayOf(now).name };
}

function keyOf({ payee, day }: Account) {
  return { subject: `payee:${payee}`, day };
}

/** Books an amount, which may be negative, as a part of a transaction. */
export function bookWrite(
  { gas }: Pick<WriteEntities, "gas">,
  account: Account,
  amount: number,
  now: number,
) {
  return gas
    .update(keyOf(account))
    .add({ spent: amount })
    .set({ expiresAt: dayOf(now).expiresAt })
    .commit();
}

/** The same by itself. */
export async function book(
  { table, clock }: { readonly table: Table; readonly clock: Pick<Clock, "now"> },
  account: Account,
  amount: number,
): Promise<void> {
  if (amount === 0) return;
  await table.entities.gas
    .update(keyOf(account))
    .add({ spent: amount })
    .set({ expiresAt: dayOf(clock.now()).expiresAt })
    .go();
}

/** Reserves what a read costs beyond its fee, as a part of its claim. Refused where the account has no room for it. */
export function reserveWrite(
  { gas }: Pick<WriteEntities, "gas">,
  settings: RateSettings,
  account: Account,
  beyondFee: number,
  now: number,
): Action {
  const { allowance } = gasLimitsOf(settings);
  return gas
    .update(keyOf(account))
    .add({ spent: beyondFee })
    .set({ expiresAt: dayOf(now).expiresAt })
    .where(({ spent }, { notExists, lte }) => {
      const hasRoom = lte(spent, allowance - beyondFee);
      return beyondFee <= allowance ? `${notExists(spent)} OR ${hasRoom}` : hasRoom;
    })
    .commit();
}

/**
 * Whether a new read of a payee's press has its gas paid for, before anybody signs for it: by its fee, or by what is left on the
 * payee's account. Throws `upstream` `price_below_gas`.
 */
export async function requireCarried(
  ports: RatePorts & { readonly table: Table },
  payee: string,
  fee: bigint,
): Promise<void> {
  const { rate, isNew } = await recentRate(ports);
  if (costOfRead(rate) <= Number(fee)) return;
  const account = accountOf(payee, ports.clock.now());
  const { data } = await ports.table.entities.gas.get(keyOf(account)).go({ consistent: true });
  const room = gasLimitsOf(ports.settings).allowance - (data?.spent ?? 0);
  const isCarried = (now: GasRate) => costOfRead(now) - Number(fee) <= Math.max(0, room);
  if (isCarried(rate)) return;
  // Nobody is refused by what gas cost a moment ago.
  if (isNew || !isCarried(await rateNow(ports))) throw priceBelowGas(ports.clock.now());
}

/** Nothing was charged. */
export function priceBelowGas(now: number): AppError {
  return new AppError(
    "upstream",
    "price_below_gas",
    "The fee of this press does not pay for the gas of a payment now, and what its publisher has besides is used up for today (UTC). Nothing was charged: come back tomorrow, or when gas is cheaper. Who has paid the fee already goes on to the second payment; its wallet's terms come with ?payer=<wallet>.",
    { retryAfter: dayOf(now).left },
  );
}
