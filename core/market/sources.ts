import { decodeFunctionResult, encodeFunctionData, formatUnits } from "viem/utils";
import { stockTokenAbi as abi, priceFeedAbi } from "../chain/abi.ts";
import { Bytes, getResult, makeContractCall, Quantity, requireAnswer } from "../chain/call.ts";
import type { StockContracts } from "../chain/deployment.ts";
import type { Address, Hex } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/cloud.ts";
import type { AllPorts } from "../ports.ts";
import { type MarketData, makeMarketError } from "./port.ts";
import { type Listing, type Quote, toPrice } from "./schema.ts";

type Ports = Pick<AllPorts, "chain" | "clock" | "log"> & { readonly api: MarketData };

/**
 * Combines the stock API with checks on the chain into one source of market data. A token is left out if the chain does not prove that it
 * is genuine. A price that the API lacks is read from the token's feed. On a test chain, which the API does not know, the list of stocks is
 * taken from the setting `stocks.tokens`. The adapter logs every refusal by a source of market data, because callers do not see the refusal
 * and return the last answer instead.
 */
export function makeMarketSources(ports: Ports, stocks: StockContracts): MarketData {
  const authentic = makeListingFilter(ports, stocks.beacon);
  return {
    async listTokens() {
      try {
        const listings =
          stocks.tokens === undefined ? ports.api.listTokens() : readListings(ports, stocks.tokens);
        return await authentic(await listings);
      } catch (error) {
        return logAndThrow(ports.log, "stock_list_failed", {}, error);
      }
    },
    async fetchQuote(listing, last) {
      const { symbol, address } = listing;
      try {
        return await ports.api.fetchQuote(listing).catch((error: unknown) => {
          const feed = stocks.feeds.find(({ token }) => token === address);
          if (!(error instanceof AppError) || feed === undefined) throw error;
          ports.log.warn("quote_from_feed", { symbol, error });
          return loadFeedQuote(ports, { symbol, address: feed.feed }, last);
        });
      } catch (error) {
        return logAndThrow(ports.log, "quote_failed", { symbol }, error);
      }
    },
  };
}

function logAndThrow(log: Log, event: string, details: { readonly symbol?: string }, error: unknown): never {
  if (error instanceof AppError) log.warn(event, { ...details, error });
  throw error;
}

const questions = ["symbol", "name", "uiMultiplier"] as const;

/**
 * Asks stock tokens for their names and symbols at the latest block, in one round trip. Use this function only for addresses from the
 * stage's own settings, because any token may call itself AAPL. Throws `upstream` if there is no stock token at one of the addresses.
 */
async function readListings(
  ports: Pick<AllPorts, "chain" | "clock">,
  tokens: readonly Address[],
): Promise<readonly Listing[]> {
  const calls = tokens.flatMap((to) =>
    questions.map((functionName) => makeContractCall(to, encodeFunctionData({ abi, functionName }))),
  );
  const outcomes = await limitTime(ports.clock, ports.chain.batch(calls));
  return tokens.map((address, index) => {
    const at = index * questions.length;
    const [symbol, name, multiplier] = outcomes
      .slice(at, at + questions.length)
      .map((outcome) => getResult(outcome, Bytes));
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
    throw makeMarketError(new Error(`There is no stock token at ${address}`, { cause }));
  }
}

/** keccak256("eip1967.proxy.beacon") - 1: the slot in which a proxy keeps its beacon (EIP-1967). */
export const beaconSlot = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";

/** Selects the listings whose tokens are genuine. */
type ListingFilter = (listings: readonly Listing[]) => Promise<readonly Listing[]>;

/**
 * Selects the listings whose token is a proxy of the stocks' beacon at the latest block. If two listings have the same symbol, only the
 * first is selected. Anybody can make a proxy of the stocks' beacon, so a token must also be on the official list. Genuine tokens are
 * cached for the life of the process, so each token is verified only once. Throws `upstream` if the chain gives no answer for one of the
 * tokens. Also throws `upstream` if no token is genuine, because then the setting of the beacon or of the chain must be wrong.
 */
function makeListingFilter({ chain, clock, log }: Omit<Ports, "api">, beacon: Address): ListingFilter {
  const genuine = new Set<string>();

  async function checkTokens(addresses: readonly string[]): Promise<void> {
    const outcomes = await chain.batch(
      addresses.map((address) => ({
        method: "eth_getStorageAt",
        params: [address, beaconSlot, "latest"],
      })),
    );
    const answers = addresses.map((address, index) => ({ address, outcome: outcomes[index] }));
    const told = answers.filter(({ outcome }) => outcome?.status === "ok");
    for (const { address, outcome } of told) {
      if (getResult(outcome, Quantity) === BigInt(beacon)) genuine.add(address);
    }
    // The verified tokens are cached before an error is thrown, so that these tokens need not be verified again.
    for (const { outcome } of answers) requireAnswer(outcome);
  }

  return async (listings) => {
    const unknown = listings.map(({ address }) => address).filter((address) => !genuine.has(address));
    if (unknown.length > 0) await limitTime(clock, checkTokens(unknown));
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
      throw makeMarketError(new Error(`No listed token is a proxy of the beacon ${beacon}`));
    }
    return kept;
  };
}

/**
 * Milliseconds without an update after which a feed counts as stopped. A feed updates at least once a day, even if the price does not
 * change.
 */
const longestSilence = 25 * 60 * 60 * 1000;

/**
 * A quote from a Chainlink feed. The feed's answer is the price per token and already includes the multiplier. A Chainlink feed gives only
 * a price. If `last` was made on the same UTC day, the range, the volume and `halted` are taken from `last`. The range is then widened so
 * that it includes the price. If `last` is missing or was made on an earlier UTC day, the range contains only the price, the volume is 0,
 * and `halted` is false. Throws `upstream` if the feed does not answer, has stopped, or has no newer price than `last`.
 */
async function loadFeedQuote(
  ports: Pick<AllPorts, "chain" | "clock">,
  { symbol, address }: { readonly symbol: string; readonly address: Address },
  last: Quote | undefined,
): Promise<Quote> {
  const { price, updatedAt } = await readLatestRound(ports, address);
  const asOf = new Date(updatedAt).toISOString();
  if (ports.clock.now() - updatedAt > longestSilence) {
    throw makeMarketError(new Error(`The feed of ${symbol} has given no price since ${asOf}`));
  }
  if (last !== undefined && Date.parse(last.asOf) >= updatedAt) {
    throw makeMarketError(new Error(`The feed of ${symbol} has no price newer than ${last.asOf}`));
  }
  const today = last !== undefined && last.asOf.slice(0, 10) === asOf.slice(0, 10) ? last : undefined;
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

async function readLatestRound(ports: Pick<AllPorts, "chain" | "clock">, feed: Address) {
  const makeCall = (functionName: "decimals" | "latestRoundData") =>
    makeContractCall(feed, encodeFunctionData({ abi: priceFeedAbi, functionName }));
  const outcomes = await limitTime(
    ports.clock,
    ports.chain.batch([makeCall("decimals"), makeCall("latestRoundData")]),
  );
  const [scale, round] = outcomes.map((outcome) => getResult(outcome, Bytes));
  const { decimals, answer, updatedAt } = decodeRound(scale ?? "0x", round ?? "0x");
  const price = toPrice(Number(formatUnits(answer, decimals)));
  if (price <= 0) throw makeMarketError(new Error(`The feed ${feed} answers ${answer}`));
  return { price, updatedAt: Number(updatedAt) * 1000 };
}

function decodeRound(scale: Hex, round: Hex) {
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
    throw makeMarketError(new Error("There is no feed at this address", { cause }));
  }
}

/**
 * The time limit, in milliseconds, for one read of the chain. The limit is short because the reader may already have waited for the API.
 */
const chainTime = 2_000;

/** Reads the chain within the time limit. Throws `market_unavailable` (`upstream`) if the time limit is exceeded. */
function limitTime<Value>(clock: Clock, answer: Promise<Value>): Promise<Value> {
  const late = clock.sleep(chainTime).then(() => {
    throw makeMarketError(new Error(`The chain took more than ${chainTime} ms`));
  });
  return Promise.race([answer, late]);
}
