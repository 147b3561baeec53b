import { decodeFunctionResult, encodeFunctionData, formatUnits } from "viem/utils";
import { priceFeedAbi } from "../chain/abi.ts";
import { Bytes, result } from "../chain/call.ts";
import type { Address, Hex } from "../chain/hex.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import { unavailable } from "./error.ts";
import type { Quote } from "./schema.ts";
import { toPrice } from "./schema.ts";

/** Milliseconds. Feeds speak at least once a day, when nothing moves too; one that has not for longer has stopped. */
const longestSilence = 25 * 60 * 60 * 1000;

type Feed = { readonly symbol: string; readonly address: Address };

/**
 * A quote from a Chainlink feed, whose answer is the price of a token: the multiplier is in it. A feed knows nothing but
 * the price, so range, volume and halt are those of `last` while it is of the same UTC day, with the range widened to the
 * price; otherwise the range is the price, the volume 0, and `halted` false. Throws `upstream` when the feed does not
 * answer, has stopped, or knows nothing newer than `last`.
 */
export async function feedQuote(
  ports: { readonly chain: Chain; readonly clock: Clock },
  { symbol, address }: Feed,
  last: Quote | undefined,
): Promise<Quote> {
  const { price, updatedAt } = await latest(ports, address);
  const asOf = new Date(updatedAt).toISOString();
  if (ports.clock.now() - updatedAt > longestSilence) {
    throw unavailable(new Error(`The feed of ${symbol} has said nothing since ${asOf}`));
  }
  if (last !== undefined && Date.parse(last.asOf) >= updatedAt) {
    throw unavailable(new Error(`The feed of ${symbol} knows nothing newer than ${last.asOf}`));
  }
  const today = last !== undefined && dayOf(last.asOf) === dayOf(asOf) ? last : undefined;
  return {
    symbol,
    mid: price,
    dayHigh: Math.max(price, today?.dayHigh ?? price),
    dayLow: Math.min(price, today?.dayLow ?? price),
    volume: today?.volume ?? 0,
    halted: today?.halted ?? false,
    asOf,
  };
}

async function latest(ports: { readonly chain: Chain; readonly clock: Clock }, feed: Address) {
  const call = (functionName: "decimals" | "latestRoundData") => ({
    method: "eth_call",
    params: [{ to: feed, data: encodeFunctionData({ abi: priceFeedAbi, functionName }) }, "latest"],
  });
  const outcomes = await inTime(ports.clock, ports.chain.batch([call("decimals"), call("latestRoundData")]));
  const [scale, round] = outcomes.map((outcome) => result(outcome, Bytes));
  const { decimals, answer, updatedAt } = decoded(scale ?? "0x", round ?? "0x");
  const price = toPrice(Number(formatUnits(answer, decimals)));
  if (price <= 0) throw unavailable(new Error(`The feed ${feed} answers ${answer}`));
  return { price, updatedAt: Number(updatedAt) * 1000 };
}

function decoded(scale: Hex, round: Hex) {
  const abi = priceFeedAbi;
  try {
    const decimals = decodeFunctionResult({ abi, functionName: "decimals", data: scale });
    const [, answer, , updatedAt] = decodeFunctionResult({
      abi,
      functionName: "latestRoundData",
      data: round,
    });
    return { decimals, answer, updatedAt };
  } catch (cause) {
    throw unavailable(new Error("There is no feed at this address", { cause }));
  }
}

function dayOf(timestamp: string): string {
  return timestamp.slice(0, 10);
}

/** Milliseconds for one look at the chain: a reader waits for it, who may have waited for the API before. */
const chainTime = 2_000;

/** What the chain says, if it does so in time. Throws `upstream` `market_unavailable` when it does not. */
export function inTime<Value>(clock: Clock, answer: Promise<Value>): Promise<Value> {
  const late = clock.sleep(chainTime).then(() => {
    throw unavailable(new Error(`The chain took more than ${chainTime} ms`));
  });
  return Promise.race([answer, late]);
}
