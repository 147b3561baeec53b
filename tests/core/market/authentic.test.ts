import { numberToHex, padHex } from "viem/utils";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mainnet } from "../../../core/chain/deployment.ts";
import { toAddress } from "../../../core/chain/hex.ts";
import * as Market from "../../../core/market/index.ts";
import type { Listing } from "../../../core/market/schema.ts";
import { beaconSlot, makeMarketSources } from "../../../core/market/sources.ts";
import type { Chain, RpcCall } from "../../../core/port/chain.ts";
import type { Clock } from "../../../core/port/clock.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { apple, endless, genuine, type MarketState, nvidia, silent, startMarketDevnet } from "./chainside.ts";
import { makeSteadyClock } from "./source.ts";

let state: MarketState;
const side = startPart(startMarketDevnet);
beforeEach(() => {
  state = side.begin();
});

const refused = { kind: "upstream" };

const rejectQuote = () => Promise.reject(new Error("Nobody asks for a quote here."));

/** The stock list that the service makes from the stock API's listings. */
function makeStockList(listings: readonly Listing[]) {
  return listings
    .map(({ symbol, name, address }) => ({ symbol, name, address }))
    .toSorted((one, other) => (one.symbol < other.symbol ? -1 : 1));
}

/**
 * A node that finds every token genuine and answers a limited number of calls per second. Beyond the limit, the node refuses each batch of
 * 20 calls as a whole.
 */
function makeLimitedNode(clock: Pick<Clock, "now">, callsPerSecond: number): Chain {
  const slot = { status: "ok", result: padHex(mainnet.stocks.beacon, { size: 32 }) } as const;
  const refusal = { status: "failed", code: -32005, message: "limit exceeded" } as const;
  let [second, taken] = [0, 0];
  return {
    async batch(calls) {
      const parts = Array.from({ length: Math.ceil(calls.length / 20) }, (_, part) =>
        calls.slice(20 * part, 20 * part + 20),
      );
      return parts.flatMap((part) => {
        const now = Math.floor(clock.now() / 1000);
        if (now !== second) [second, taken] = [now, 0];
        const isTaken = taken + part.length <= callsPerSecond;
        if (isTaken) taken += part.length;
        return part.map(() => (isTaken ? slot : refusal));
      });
    },
  };
}

describe("the stock list contains only genuine tokens", () => {
  test("the stock list comes from the API, with all tokens verified on the chain in one round trip", async () => {
    expect(await side.makeSources(state).listTokens()).toEqual(genuine);
    expect(state.trips).toHaveLength(1);
    expect(state.lines).toEqual([]);
  });

  test.each([
    ["a wallet", getTestAccount(5).address],
    ["a contract that is no proxy", mainnet.contracts.usdg],
    ["the beacon itself", mainnet.stocks.beacon],
  ])("the stock list leaves out a token that is %s, and the log reports the token", async (_, address) => {
    const fake = { ...nvidia, symbol: "FAKE", address: toAddress(address) };
    state.listings = [fake, apple];
    expect(await side.makeSources(state).listTokens()).toEqual([apple]);
    expect(state.lines).toEqual([["stock_not_authentic", { tokens: [`FAKE ${toAddress(address)}`] }]]);
  });

  test("if two tokens have the same symbol, the stock list keeps the genuine token, or the first token if both are genuine", async () => {
    const fake = { ...apple, address: mainnet.contracts.usdg };
    state.listings = [fake, apple];
    expect(await side.makeSources(state).listTokens()).toEqual([apple]);
    state.listings = [apple, { ...nvidia, symbol: "AAPL" }];
    expect(await side.makeSources(state).listTokens()).toEqual([apple]);
  });

  test.each([
    ["no answer", silent],
    ["no answer in time", endless],
    [
      "no answer for one of them",
      {
        batch: async (calls: readonly RpcCall[]) => (await side.chain.batch(calls)).slice(1),
      },
    ],
  ])(
    "the service gives no stock list when the chain gives %s, because unverified tokens must not be shown",
    async (_, node) => {
      await expect(side.makeSources(state, { node }).listTokens()).rejects.toMatchObject(refused);
      expect(state.lines).toEqual([["stock_list_failed", { error: expect.any(Error) }]]);
    },
  );

  test("the service gives no stock list when no token is genuine, because the beacon or the chain must be wrong", async () => {
    await expect(
      side.makeSources(state, { beacon: mainnet.contracts.usdg }).listTokens(),
    ).rejects.toMatchObject(refused);
    expect(state.lines.map(([event]) => event)).toEqual(["stock_not_authentic", "stock_list_failed"]);
  });

  test("when the stock API refuses to give its list, the service gives no stock list and does not ask the chain", async () => {
    state.listings = undefined;
    await expect(side.makeSources(state).listTokens()).rejects.toMatchObject({ code: "market_unavailable" });
    expect(state.trips).toEqual([]);
    expect(state.lines).toEqual([["stock_list_failed", { error: expect.any(Error) }]]);
  });

  describe("a stock list of 200 tokens is verified despite a node's limits", () => {
    const many: readonly Listing[] = Array.from({ length: 200 }, (_, index) => ({
      ...apple,
      symbol: `S${index}`,
      address: toAddress(numberToHex(0xabc000 + index, { size: 20 })),
    }));
    beforeAll(async () => {
      const beacon = padHex(mainnet.stocks.beacon, { size: 32 });
      await side.chain.batch(
        many.map(({ address }) => ({ method: "anvil_setStorageAt", params: [address, beaconSlot, beacon] })),
      );
    });

    test("a stock list of 200 tokens is verified through a provider that accepts 20 calls per batch", async () => {
      state.listings = many;
      expect(await side.makeSources(state).listTokens()).toEqual(many);
    });

    test("a stock list of 200 tokens is verified within a minute through a node that accepts 20 calls per second", async () => {
      await using store = await startTestTable();
      const clock = makeSteadyClock();
      const listings = makeStockList(many);
      const node = makeLimitedNode(clock, 20);
      const market = makeMarketSources(
        {
          api: { listTokens: async () => many, fetchQuote: rejectQuote },
          chain: node,
          clock,
          log: { warn: () => undefined },
        },
        mainnet.stocks,
      );
      const begun = clock.now();
      let shown: readonly unknown[] = [];
      while (shown.length === 0 && clock.now() < begun + 120_000) {
        shown = await Market.listStocks({ table: store.table, clock, market }).catch(() => []);
        clock.pass(1_000);
      }
      expect(shown).toEqual(listings);
      expect(clock.now() - begun).toBeLessThanOrEqual(60_000);
    });

    test("if the chain's answers for some of 200 listed tokens are missing, the service asks again only about these tokens", async () => {
      state.listings = many;
      let limit = 60;
      const node: Chain = {
        async batch(calls) {
          const outcomes = await side.chain.batch(calls);
          return outcomes.map((outcome, index) =>
            index < limit ? outcome : { status: "failed", code: -32005, message: "slow down" },
          );
        },
      };
      const sources = side.makeSources(state, { node });
      await expect(sources.listTokens()).rejects.toMatchObject(refused);
      await expect(sources.listTokens()).rejects.toMatchObject(refused);
      limit = 200;
      expect(await sources.listTokens()).toEqual(many);
      expect(state.trips.map(({ length }) => length)).toEqual([200, 140, 80]);
      expect(await sources.listTokens()).toEqual(many);
      expect(state.trips).toHaveLength(3);
    });
  });

  test("an empty stock list from the API is accepted", async () => {
    state.listings = [];
    expect(await side.makeSources(state).listTokens()).toEqual([]);
  });
});
