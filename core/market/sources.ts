import { decodeFunctionResult, encodeFunctionData, formatUnits } from "viem/utils";
import { stockTokenAbi as abi, priceFeedAbi } from "../chain/abi.ts";
import { Bytes, Quantity, requireAnswer, result } from "../chain/call.ts";
import type { StockContracts } from "../chain/deployment.ts";
import type { Address, Hex } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/cloud.ts";
import { type MarketData, unavailable } from "../port/market.ts";
import { type Listing, type Quote, toPrice } from "./schema.ts";

type Ports = {
  readonly api: MarketData;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * The stock API verified against the chain. Tokens that the chain does not prove genuine are left out, and a missing price comes from the
 * token's feed. On a test chain, which the API does not know, the list is that of `stocks.tokens`. Every refusal is logged here, because
 * callers hide it behind the last answer.
 */
export function marketSources(ports: Ports, stocks: StockContracts): MarketData {
  const authentic = authenticator(ports, stocks.beacon);
  return {
    async stocks() {
      try {
        const listings =
          stocks.tokens === undefined ? ports.api.stocks() : tokenListings(ports, stocks.tokens);
        return await authentic(await listings);
      } catch (error) {
        return rethrow(ports.log, "stock_list_failed", {}, error);
      }
    },
    async quote(listing, last) {
      try {
        return await ports.api.quote(listing);
      } catch (error) {
        const feed = stocks.feeds.find(({ token }) => token === listing.address);
        if (!(error instanceof AppError) || feed === undefined) {
          return rethrow(ports.log, "quote_failed", { symbol: listing.symbol }, error);
        }
        ports.log.warn("quote_from_feed", { symbol: listing.symbol, error });
        return readFeedQuote(ports, listing, feed, last);
      }
    },
  };
}

async function readFeedQuote(
  ports: Ports,
  { symbol }: Listing,
  { feed: address }: StockContracts["feeds"][number],
  last: Quote | undefined,
): Promise<Quote> {
  try {
    return await feedQuote(ports, { symbol, address }, last);
  } catch (error) {
    return rethrow(ports.log, "quote_failed", { symbol }, error);
  }
}

function rethrow(log: Log, event: string, about: { readonly symbol?: string }, error: unknown): never {
  if (error instanceof AppError) log.warn(event, { ...about, error });
  throw error;
}

const questions = ["symbol", "name", "uiMultiplier"] as const;

/**
 * Stock tokens' descriptions of themselves at the latest block, read in one round trip. Only for addresses from the stage's own settings,
 * because any token may call itself AAPL. Throws `upstream` when one does not answer as a stock token.
 */
async function tokenListings(
  ports: { readonly chain: Chain; readonly clock: Clock },
  tokens: readonly Address[],
): Promise<readonly Listing[]> {
  const calls = tokens.flatMap((to) =>
    questions.map((functionName) => ({
      method: "eth_call",
      params: [{ to, data: encodeFunctionData({ abi, functionName }) }, "latest"],
    })),
  );
  const outcomes = await limitTime(ports.clock, ports.chain.batch(calls));
  return tokens.map((address, index) => {
    const at = index * questions.length;
    const [symbol, name, multiplier] = outcomes
      .slice(at, at + questions.length)
      .map((outcome) => result(outcome, Bytes));
    return decodeListing(address, {
      symbol: symbol ?? "0x",
      name: name ?? "0x",
      multiplier: multiplier ?? "0x",
    });
  });
}

function decodeListing(
  address: Address,
  data: Readonly<Record<"symbol" | "name" | "multiplier", Hex>>,
): Listing {
  try {
    const multiplier = decodeFunctionResult({ abi, functionName: "uiMultiplier", data: data.multiplier });
    return {
      symbol: decodeFunctionResult({ abi, functionName: "symbol", data: data.symbol }),
      name: decodeFunctionResult({ abi, functionName: "name", data: data.name }),
      address,
      multiplier: Number(formatUnits(multiplier, 18)),
    };
  } catch (cause) {
    throw unavailable(new Error(`There is no stock token at ${address}`, { cause }));
  }
}

/** keccak256("eip1967.proxy.beacon") - 1: the slot in which a proxy keeps its beacon (EIP-1967). */
export const beaconSlot = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";

type ChainPorts = Omit<Ports, "api">;

/** Selects the genuine listings. */
type Authenticate = (listings: readonly Listing[]) => Promise<readonly Listing[]>;

/**
 * Keeps the listings whose token is a proxy of the stocks' beacon at the latest block; of two with one symbol the first. Anybody can make
 * such a proxy, so a token must also be on the official list. Genuine tokens are cached for the life of the process, so a partly verified
 * list needs only the rest. Throws `upstream` when the chain does not answer for every token, and when no token is genuine, because then
 * the beacon or the chain must be wrong.
 */
function authenticator({ chain, clock, log }: ChainPorts, beacon: Address): Authenticate {
  const genuine = new Set<string>();

  async function look(addresses: readonly string[]): Promise<void> {
    const outcomes = await chain.batch(
      addresses.map((address) => ({
        method: "eth_getStorageAt",
        params: [address, beaconSlot, "latest"],
      })),
    );
    const answers = addresses.map((address, index) => ({ address, outcome: outcomes[index] }));
    const told = answers.filter(({ outcome }) => outcome?.status === "ok");
    for (const { address, outcome } of told) {
      if (result(outcome, Quantity) === BigInt(beacon)) genuine.add(address);
    }
    // Throwing comes after caching, so that verified tokens are kept.
    for (const { outcome } of answers) requireAnswer(outcome);
  }

  return async (listings) => {
    const unknown = listings.map(({ address }) => address).filter((address) => !genuine.has(address));
    if (unknown.length > 0) await limitTime(clock, look(unknown));
    const symbols = new Set<string>();
    const kept = listings.filter(({ symbol, address }) => {
      const counts = genuine.has(address) && !symbols.has(symbol);
      if (counts) symbols.add(symbol);
      return counts;
    });
    const dropped = listings.filter((listing) => !kept.includes(listing));
    if (dropped.length > 0) {
      const tokens = dropped.map(({ symbol, address }) => `${symbol} ${address}`);
      log.warn("stock_not_authentic", { tokens });
    }
    if (kept.length === 0 && dropped.length > 0) {
      throw unavailable(new Error(`No listed token is a proxy of the beacon ${beacon}`));
    }
    return kept;
  };
}

/** Milliseconds. A feed updates at least once a day, even without a price change. A feed that was silent for longer has stopped. */
const longestSilence = 25 * 60 * 60 * 1000;

type PriceFeed = { readonly symbol: string; readonly address: Address };

/**
 * A quote from a Chainlink feed, whose answer is the price per token, with the multiplier included. A feed has only a price. So range,
 * volume and halt come from `last` if it is of the same UTC day, with the range widened to the price. Otherwise the range is the price, the
 * volume 0, and `halted` false. Throws `upstream` when the feed does not answer, has stopped, or has nothing newer than `last`.
 */
async function feedQuote(
  ports: { readonly chain: Chain; readonly clock: Clock },
  { symbol, address }: PriceFeed,
  last: Quote | undefined,
): Promise<Quote> {
  const { price, updatedAt } = await readLatest(ports, address);
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

async function readLatest(ports: { readonly chain: Chain; readonly clock: Clock }, feed: Address) {
  const call = (functionName: "decimals" | "latestRoundData") => ({
    method: "eth_call",
    params: [{ to: feed, data: encodeFunctionData({ abi: priceFeedAbi, functionName }) }, "latest"],
  });
  const outcomes = await limitTime(
    ports.clock,
    ports.chain.batch([call("decimals"), call("latestRoundData")]),
  );
  const [scale, round] = outcomes.map((outcome) => result(outcome, Bytes));
  const { decimals, answer, updatedAt } = decode(scale ?? "0x", round ?? "0x");
  const price = toPrice(Number(formatUnits(answer, decimals)));
  if (price <= 0) throw unavailable(new Error(`The feed ${feed} answers ${answer}`));
  return { price, updatedAt: Number(updatedAt) * 1000 };
}

function decode(scale: Hex, round: Hex) {
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

/** Milliseconds for one chain read. The reader may have waited for the API before. */
const chainTime = 2_000;

/** Reads the chain within the time limit. Throws `upstream` `market_unavailable` when it is exceeded. */
function limitTime<Value>(clock: Clock, answer: Promise<Value>): Promise<Value> {
  const late = clock.sleep(chainTime).then(() => {
    throw unavailable(new Error(`The chain took more than ${chainTime} ms`));
  });
  return Promise.race([answer, late]);
}
