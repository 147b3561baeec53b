import { beforeEach, describe, expect, test } from "vitest";
import { toAddress } from "../../../core/chain/hex.ts";
import { devnetContracts, devnetStocks, getTestAccount } from "../../../local/devnet/accounts.ts";
import { startPart } from "../../support/provide.ts";
import { apple, endless, genuine, type MarketState, silent, startMarketDevnet } from "./chainside.ts";

/** The stocks of a test chain: the settings contain the list of tokens, and the chain gives the tokens' names and symbols. */
let state: MarketState;
const side = startPart(startMarketDevnet);
beforeEach(() => {
  state = side.begin();
  state.listings = undefined;
});

const { usdg, stockImplementation } = devnetContracts;
const tokens = devnetStocks.map(({ token }) => token);
const refused = { kind: "upstream" };

describe("the stock list of a test chain is read from the chain's tokens", () => {
  test("the stock list of a test chain is read from the chain's tokens in two round trips, without the API", async () => {
    expect(await side.makeSources(state, { tokens }).listTokens()).toEqual(genuine);
    expect(state.trips).toHaveLength(2);
    expect(state.lines).toEqual([]);
  });

  test("the stock list of a test chain uses each token's own multiplier", async () => {
    await side.setMultiplier(45n * 10n ** 17n);
    const [first] = await side.makeSources(state, { tokens: tokens.slice(0, 1) }).listTokens();
    expect(first).toEqual({ ...apple, multiplier: 4.5 });
    await side.setMultiplier(10n ** 18n);
  });

  test("the stock list of a test chain leaves out tokens that are not proxies of the beacon, and the second of two tokens with the same symbol", async () => {
    const [token = usdg] = tokens;
    const sources = side.makeSources(state, { tokens: [token, stockImplementation, token] });
    expect(await sources.listTokens()).toEqual([apple]);
    const left = [` ${stockImplementation}`, `AAPL ${token}`];
    expect(state.lines).toEqual([["stock_not_authentic", { tokens: left }]]);
  });

  test.each([
    ["is a wallet", [toAddress(getTestAccount(5).address)], undefined],
    ["is no stock token", [usdg], undefined],
    ["does not answer", tokens, silent],
    ["does not answer in time", tokens, endless],
  ] as const)(
    "the stock list of a test chain is refused if a token %s, and the log reports the token",
    async (_, asked, node) => {
      const sources = side.makeSources(state, { tokens: asked, ...(node && { node }) });
      await expect(sources.listTokens()).rejects.toMatchObject(refused);
      expect(state.lines.map(([event]) => event)).toEqual(["stock_list_failed"]);
    },
  );
});
