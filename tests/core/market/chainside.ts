import { parseAbi } from "viem";
import { openChain } from "../../../core/adapter/chain/index.ts";
import { makeChainError as chainless } from "../../../core/chain/call.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { makeMarketError } from "../../../core/market/port.ts";
import type { Listing, Quote } from "../../../core/market/schema.ts";
import { makeMarketSources } from "../../../core/market/sources.ts";
import type { Chain, RpcCall } from "../../../core/port/chain.ts";
import { type DevnetStock, devnetStocks, getTestAccount } from "../../../local/devnet/accounts.ts";
import { startTestDevnet } from "../../support/devnet.ts";
import { report } from "../press/newsroom.ts";

const feedAbi = parseAbi(["function setAnswer(int256 answer)"]);
const tokenAbi = parseAbi(["function setUiMultiplier(uint256 newMultiplier)"]);

const makeListing = ({ symbol, name, token }: DevnetStock): Listing => ({
  symbol,
  name,
  address: token,
  multiplier: 1,
});

/** The stock API's list of the devnet's stock tokens. */
export const genuine: readonly Listing[] = devnetStocks.map(makeListing);

function findDevnetStock(symbol: string) {
  const found = devnetStocks.find((one) => one.symbol === symbol);
  if (found === undefined) throw new Error(`The devnet has no ${symbol}.`);
  return found;
}

const appleStock = findDevnetStock("AAPL");
export const apple = makeListing(appleStock);
export const nvidia = makeListing(findDevnetStock("NVDA"));

/** The stock API's quote of AAPL. */
export const heard: Quote = { ...report.facts.quote, halted: true, asOf: "2026-11-20T11:59:58.000Z" };

export const silent: Chain = { batch: () => Promise.reject(chainless("silent")) };
export const endless: Chain = { batch: () => new Promise(() => undefined) };

type LogLine = readonly [event: string, fields: Readonly<Record<string, unknown>>];

/** The state that a test sets, and the log lines and node calls that the market makes during the test. */
export type MarketState = {
  /** The stock API's list; `undefined` means that the API refuses the request. */
  listings: readonly Listing[] | undefined;
  quote: Quote | undefined;
  /** The number of milliseconds by which the test's clock is ahead of the real time. */
  ahead: number;
  readonly lines: LogLine[];
  readonly trips: (readonly RpcCall[])[];
};

/** The market's sources: a devnet with the real contracts, and an API whose answers a test sets. */
export async function startMarketDevnet() {
  const devnet = await startTestDevnet();
  const chain = openChain([devnet.rpcUrl]);
  return {
    chain,
    stop: devnet.stop,
    begin: (): MarketState => ({ listings: genuine, quote: heard, ahead: 0, lines: [], trips: [] }),
    /** A request to a node that never answers fails at once, because these tests are not about waiting. */
    makeSources(
      state: MarketState,
      { node = chain, beacon = mainnet.stocks.beacon, tokens = mainnet.stocks.tokens } = {},
    ) {
      return makeMarketSources(
        {
          api: {
            listTokens: () => answerOrFail(state.listings),
            fetchQuote: () => answerOrFail(state.quote),
          },
          chain: {
            batch(calls) {
              state.trips.push(calls);
              return node.batch(calls);
            },
          },
          clock: {
            now: () => Date.now() + state.ahead,
            sleep: (milliseconds) =>
              new Promise((resolve) => setTimeout(resolve, node === endless ? 0 : milliseconds).unref()),
          },
          log: { warn: (event, fields) => void state.lines.push([event, fields]) },
        },
        { ...mainnet.stocks, beacon, tokens },
      );
    },
    /** Sets the answer of AAPL's price feed in USD with 8 decimals, and returns the time of the answer in milliseconds. */
    async setFeed(usd: bigint): Promise<number> {
      const { client } = devnet;
      const { blockNumber } = await client.writeContractSync({
        account: getTestAccount(0),
        address: appleStock.feed,
        abi: feedAbi,
        functionName: "setAnswer",
        args: [usd],
      });
      return Number((await client.getBlock({ blockNumber })).timestamp) * 1000;
    },
    /** Sets the number of shares that one AAPL token represents, with 18 decimals. */
    async setMultiplier(multiplier: bigint): Promise<void> {
      await devnet.client.writeContractSync({
        account: getTestAccount(0),
        address: appleStock.token,
        abi: tokenAbi,
        functionName: "setUiMultiplier",
        args: [multiplier],
      });
    },
  };
}

async function answerOrFail<Value>(value: Value | undefined): Promise<Value> {
  if (value === undefined) throw makeMarketError(new Error("refused"));
  return value;
}
