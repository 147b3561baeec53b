import { afterEach, describe, expect, test } from "vitest";
import { type ChainSettings, mainnet, makeTestnetSettings } from "../../infra/chains.ts";
import { checkStocks } from "../../infra/check/market.ts";
import { devnetContracts as at, devnetStocks, getTestAccount } from "../../local/devnet/accounts.ts";
import { type MarketFault, startMarket } from "../../local/market/index.ts";
import { openDevnetClient, startTestDevnet } from "../support/devnet.ts";
import { startPart } from "../support/provide.ts";

/**
 * These tests check the faults that `stage:check` finds in stocks: on a test chain in the stocks themselves, on mainnet in the stock API's
 * list.
 */
let fault: MarketFault | undefined;
const devnet = startPart(startTestDevnet);
const api = startPart(() => startMarket({ fault: () => fault }));
afterEach(() => {
  fault = undefined;
});

const listFaults = async (chain: ChainSettings) =>
  (await checkStocks({ chain, stockApiUrl: api.endpoint }, [devnet.rpcUrl])).flatMap(({ what, fault }) =>
    fault === undefined ? [] : [`${what}: ${fault}`],
  );

describe("the stocks of a stage on a test chain are checked", () => {
  const [apple, nvidia] = devnetStocks;
  if (apple === undefined || nvidia === undefined) throw new Error("The devnet has no stocks.");
  type StockAddresses = { readonly token: `0x${string}`; readonly feed: `0x${string}` };
  const makeChainSettings = (...stocks: readonly StockAddresses[]) =>
    makeTestnetSettings({
      issuer: getTestAccount(0).address,
      usdg: at.usdg,
      usdgFacet: at.usdgFacet,
      usdgImplementation: at.usdgImplementation,
      stockImplementation: at.stockImplementation,
      stockBeacon: at.stockBeacon,
      stocks: stocks.map(({ token, feed }) => ({ symbol: "", token, feed })),
    });

  test("a stage whose stocks are in order has no fault, and the check looks at each stock", async () => {
    const found = await checkStocks(
      { chain: makeChainSettings(...devnetStocks), stockApiUrl: api.endpoint },
      [devnet.rpcUrl],
    );
    expect(found.filter(({ fault }) => fault !== undefined)).toEqual([]);
    expect(found).toHaveLength(17);
  });

  test("a stage without stocks has a fault, before and after a deployment", async () => {
    const none = "the stage has stocks on chain 46630: there are none: run npm run testnet for the stage";
    expect(await listFaults(makeChainSettings())).toEqual([none]);
    expect(await listFaults(makeTestnetSettings(undefined))).toEqual([none]);
  });

  test("the check names a stock of a test chain that is not a token of the stocks' beacon", async () => {
    const chain = makeChainSettings(apple, { token: at.usdg, feed: apple.feed });
    expect(await listFaults(chain)).toEqual([
      `the stock ${at.usdg} is a proxy of the beacon: is 0x${"0".repeat(40)}, not ${at.stockBeacon}`,
      expect.stringContaining(`the stock ${at.usdg} counts its shares, with 18 decimals: `),
    ]);
  });

  test("the check names two stocks with the same symbol on a test chain, and a stock's address that has no contract", async () => {
    const twice = makeChainSettings(apple, apple);
    expect(await listFaults(twice)).toEqual(["every stock has a symbol of its own: AAPL is there twice"]);
    const nobody = getTestAccount(9).address;
    expect(
      (await listFaults(makeChainSettings({ token: nobody, feed: apple.feed }))).map(
        (said) => said.split(":")[0],
      ),
    ).toEqual([
      `the stock ${nobody} is a proxy of the beacon`,
      `the stock ${nobody} counts its shares, with 18 decimals`,
      "every stock has a symbol of its own",
    ]);
  });

  test("the check names a stock of a test chain if its price feed is missing, has stopped, or is not a price feed at all", async () => {
    const { stocks } = makeChainSettings(apple, nvidia);
    const unpriced = {
      ...makeChainSettings(apple, nvidia),
      stocks: { ...stocks, feeds: stocks.feeds.slice(1) },
    };
    expect(await listFaults(unpriced)).toEqual([`the stock ${apple.token} has a price: it has no feed`]);
    expect(await listFaults(makeChainSettings(apple, { token: nvidia.token, feed: at.usdg }))).toEqual([
      expect.stringContaining(`the stock ${nvidia.token} has a price: `),
    ]);
    const client = openDevnetClient(devnet.rpcUrl);
    const code = (await client.getCode({ address: nvidia.feed })) ?? "0x";
    await client.setCode({ address: nvidia.feed, bytecode: makeFeedCode(0n, 4_000_000_000n) });
    expect(await listFaults(makeChainSettings(nvidia))).toEqual([
      `the stock ${nvidia.token} has a price: its feed ${nvidia.feed} answers 0`,
    ]);
    await client.setCode({ address: nvidia.feed, bytecode: makeFeedCode(1n, 1_700_000_000n) });
    expect(await listFaults(makeChainSettings(nvidia))).toEqual([
      `the stock ${nvidia.token} has a price: its feed ${nvidia.feed} has stopped`,
    ]);
    await client.setCode({ address: nvidia.feed, bytecode: code });
  });
});

describe("the stocks of a stage on mainnet are checked", () => {
  const what = "the stock API lists genuine tokens of chain 4663";

  test("a stage on mainnet is in order when the stock API lists tokens of the stocks' beacon", async () => {
    expect(await listFaults(mainnet)).toEqual([]);
  });

  test("a stage on mainnet has no stock if the stock API lists no genuine stock on the stage's chain", async () => {
    expect(await listFaults({ ...mainnet, id: 46_630 })).toEqual([
      `${what.replace("4663", "46630")}: it lists none`,
    ]);
    const beacon = "0x00000000000000000000000000000000000000bb";
    expect(await listFaults({ ...mainnet, stocks: { ...mainnet.stocks, beacon } })).toEqual([
      `${what}: none of the 5 is a proxy of the beacon ${beacon}`,
    ]);
  });

  test("if the stock API's answer is not a list, a stage on mainnet has a fault", async () => {
    fault = { kind: "rateLimited", status: 200 };
    expect(await listFaults(mainnet)).toEqual([`${what}: it gives no list, but 200 local_rate_limited`]);
    fault = { kind: "failure" };
    expect(await listFaults(mainnet)).toEqual([`${what}: it gives no list, but 500 internal error`]);
  });
});

/** The code of a price feed that answers every call with the given price and the given time in seconds. */
function makeFeedCode(price: bigint, time: bigint): `0x${string}` {
  const words = [1n, price, time, time, 1n];
  const stores = words.map((word, index) => {
    const value = word.toString(16).padStart(64, "0");
    return `7f${value}60${(index * 32).toString(16).padStart(2, "0")}52`;
  });
  return `0x${stores.join("")}60a06000f3`;
}
