import { numberToHex, padHex } from "viem/utils";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mainnet } from "../../../core/chain/deployment.ts";
import { toAddress } from "../../../core/chain/hex.ts";
import { beaconSlot } from "../../../core/market/authentic.ts";
import type { Listing } from "../../../core/market/schema.ts";
import type { Chain, RpcCall } from "../../../core/port/chain.ts";
import { testAccount } from "../../../local/devnet/accounts.ts";
import {
  apple,
  type Chainside,
  endless,
  genuine,
  nvidia,
  type State,
  silent,
  startChainside,
} from "./chainside.ts";

let side: Chainside;
let state: State;
beforeAll(async () => {
  side = await startChainside();
});
afterAll(() => side.stop());
beforeEach(() => {
  state = side.begin();
});

const refused = { kind: "upstream" };

describe("the stock list", () => {
  test("is the API's where the chain vouches for every token, in one round trip", async () => {
    expect(await side.sources(state).stocks()).toEqual(genuine);
    expect(state.trips).toHaveLength(1);
    expect(state.lines).toEqual([]);
  });

  test.each([
    ["a wallet", testAccount(5).address],
    ["a contract that is no proxy", mainnet.contracts.usdg],
    ["the beacon itself", mainnet.stocks.beacon],
  ])("leaves out a token that is %s, and says so", async (_, address) => {
    const fake = { ...nvidia, symbol: "FAKE", address: toAddress(address) };
    state.listings = [fake, apple];
    expect(await side.sources(state).stocks()).toEqual([apple]);
    expect(state.lines).toEqual([["stock_not_authentic", { tokens: [`FAKE ${toAddress(address)}`] }]]);
  });

  test("takes the genuine one of two tokens with one symbol, and the first of two genuine ones", async () => {
    const fake = { ...apple, address: mainnet.contracts.usdg };
    state.listings = [fake, apple];
    expect(await side.sources(state).stocks()).toEqual([apple]);
    state.listings = [apple, { ...nvidia, symbol: "AAPL" }];
    expect(await side.sources(state).stocks()).toEqual([apple]);
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
  ])("is refused when the chain gives %s: nothing unverified is shown", async (_, node) => {
    await expect(side.sources(state, { node }).stocks()).rejects.toMatchObject(refused);
    expect(state.lines).toEqual([["stock_list_failed", { error: expect.any(Error) }]]);
  });

  test("is refused when no token at all is genuine: the beacon or the chain is the wrong one", async () => {
    await expect(side.sources(state, { beacon: mainnet.contracts.usdg }).stocks()).rejects.toMatchObject(
      refused,
    );
    expect(state.lines.map(([event]) => event)).toEqual(["stock_not_authentic", "stock_list_failed"]);
  });

  test("is refused, and the chain not asked, when the API refuses", async () => {
    state.listings = undefined;
    await expect(side.sources(state).stocks()).rejects.toMatchObject({ code: "market_unavailable" });
    expect(state.trips).toEqual([]);
    expect(state.lines).toEqual([["stock_list_failed", { error: expect.any(Error) }]]);
  });

  describe("of 200 tokens", () => {
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

    test("comes together through a provider that takes 20 calls a batch", async () => {
      state.listings = many;
      expect(await side.sources(state).stocks()).toEqual(many);
    });

    test("asks anew only for the tokens that the chain did not tell of", async () => {
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
      const sources = side.sources(state, { node });
      await expect(sources.stocks()).rejects.toMatchObject(refused);
      await expect(sources.stocks()).rejects.toMatchObject(refused);
      limit = 200;
      expect(await sources.stocks()).toEqual(many);
      expect(state.trips.map(({ length }) => length)).toEqual([200, 140, 80]);
      expect(await sources.stocks()).toEqual(many);
      expect(state.trips).toHaveLength(3);
    });
  });

  test("may be empty", async () => {
    state.listings = [];
    expect(await side.sources(state).stocks()).toEqual([]);
  });
});
