import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { makeRobinhoodMarket } from "../../../core/adapter/market.ts";
import type { Listing } from "../../../core/market/schema.ts";
import { type MarketStandInOptions, startMarket } from "../../../local/market/index.ts";
import { listen } from "../../../local/stand-in.ts";

const noon = Date.parse("2026-11-20T12:00:00Z");

/** The market adapter, connected to the local stand-in for the stock API. */
async function openAdapter(options: MarketStandInOptions = {}) {
  const api = await startMarket({ clock: () => noon, ...options });
  onTestFinished(api.stop);
  return makeRobinhoodMarket({ url: api.endpoint, chainId: 4663 });
}

/** The market adapter, connected to a server that answers every request with one body. */
async function openMarketApi(body: unknown, { status = 200, type = "application/json" } = {}) {
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const { endpoint, stop } = await listen(server);
  onTestFinished(stop);
  return makeRobinhoodMarket({ url: endpoint, chainId: 4663 });
}

const apple: Listing = {
  symbol: "AAPL",
  name: "Apple • Robinhood Token",
  address: "0xaf3d76f1834a1d425780943c99ea8a608f8a93f9",
  multiplier: 1.000512,
};

const raw = {
  tokenSymbol: "AAPL",
  bid: "326.95",
  ask: "327.45",
  currency: "USD",
  dailyTradingVolume: "37225806",
  isTradingHalt: false,
  generatedAt: "2026-09-04T08:02:50.667Z",
  dailyHigh: "328.5",
  dailyLow: "326.82",
};

const asset = {
  id: "0x01",
  tokenSymbol: "AAPL",
  tokenName: "Apple • Robinhood Token",
  deployments: [
    { contractAddress: "not-an-evm-address", chainId: 101 },
    { contractAddress: "0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9", chainId: 4663 },
  ],
  currentMultiplier: "1.000512",
  pendingMultiplier: "",
  status: "ASSET_STATUS_ACTIVE",
  tokenDecimals: 18,
};

test("a token with several deployments is listed with the address on our chain", async () => {
  const market = await openMarketApi({ assets: [asset] });
  expect(await market.listTokens()).toEqual([apple]);
});

test.each([
  ["another status", { status: "ASSET_STATUS_INACTIVE" }],
  ["no deployment here", { deployments: [{ contractAddress: apple.address, chainId: 1 }] }],
  ["no multiplier", { currentMultiplier: "" }],
])("an asset with %s is left out of the stock list", async (_, change) => {
  const market = await openMarketApi({ assets: [{ ...asset, ...change }] });
  expect(await market.listTokens()).toEqual([]);
});

test("a token's price is the share's price times the multiplier, to four decimals", async () => {
  const market = await openMarketApi({ quotes: [raw] });
  expect(await market.fetchQuote({ ...apple, multiplier: 2 })).toEqual({
    symbol: "AAPL",
    mid: 654.4,
    dayHigh: 657,
    dayLow: 653.64,
    volume: 37225806,
    halted: false,
    asOf: "2026-09-04T08:02:50.667Z",
  });
  expect(await market.fetchQuote(apple)).toMatchObject({
    mid: 327.3675,
    dayHigh: 328.6682,
    dayLow: 326.9873,
  });
});

test("prices with two decimals show no rounding errors of binary fractions", async () => {
  const market = await openMarketApi({ quotes: [{ ...raw, bid: "0.10", ask: "0.20" }] });
  expect(await market.fetchQuote({ ...apple, multiplier: 3 })).toMatchObject({ mid: 0.45 });
});

test.each([
  ["missing", { dailyHigh: undefined, dailyLow: undefined }],
  ["empty", { dailyHigh: "", dailyLow: "" }],
  ["zero", { dailyHigh: "0", dailyLow: "0" }],
])(
  "if the stock API's daily range is %s, the quote has the mid price as the day's high and low",
  async (_, change) => {
    const market = await openMarketApi({ quotes: [{ ...raw, ...change }] });
    expect(await market.fetchQuote({ ...apple, multiplier: 1 })).toMatchObject({
      mid: 327.2,
      dayHigh: 327.2,
      dayLow: 327.2,
    });
  },
);

test.each([
  ["above", { bid: "328.90", ask: "329.10" }, { mid: 329, dayHigh: 329, dayLow: 326.82 }],
  ["below", { bid: "326.40", ask: "326.60" }, { mid: 326.5, dayHigh: 328.5, dayLow: 326.5 }],
])(
  "if the mid price is %s the stock API's daily range, the quote's range contains it",
  async (_, change, quote) => {
    const market = await openMarketApi({ quotes: [{ ...raw, ...change }] });
    expect(await market.fetchQuote({ ...apple, multiplier: 1 })).toMatchObject(quote);
  },
);

test("a trading halt is reported in the quote", async () => {
  const market = await openMarketApi({ quotes: [{ ...raw, isTradingHalt: true }] });
  expect(await market.fetchQuote(apple)).toMatchObject({ halted: true });
});

const refused = { kind: "upstream", code: "market_unavailable" };

test.each([200, 429] as const)(
  "if the stock API's rate limiter answers in plain text with the status %i, the answer counts as a refusal",
  async (status) => {
    const market = await openAdapter({ fault: () => ({ kind: "rateLimited", status }) });
    await expect(market.listTokens()).rejects.toMatchObject(refused);
    await expect(market.fetchQuote(apple)).rejects.toMatchObject(refused);
  },
);

test.each([
  ["an error of the server", { quotes: [raw] }, { status: 500 }],
  ["JSON of another form", { quotes: [{ tokenSymbol: "AAPL" }] }, {}],
  ["no price", { quotes: [] }, {}],
  ["another stock's price", { quotes: [{ ...raw, tokenSymbol: "TSLA" }] }, {}],
  ["an empty book", { quotes: [{ ...raw, bid: "0", ask: "0" }] }, {}],
  ["an answer whose price is no number", { quotes: [{ ...raw, bid: "NaN" }] }, {}],
])(
  "if the stock API answers with %s, the market adapter treats the answer as a refusal",
  async (_, body, options) => {
    const market = await openMarketApi(body, options);
    await expect(market.fetchQuote(apple)).rejects.toMatchObject(refused);
  },
);

test("if the stock API cannot be reached, the market adapter reports an outage, and the error keeps its cause", async () => {
  const market = makeRobinhoodMarket({ url: "http://127.0.0.1:1", chainId: 4663 });
  await expect(market.listTokens()).rejects.toMatchObject({
    ...refused,
    cause: { cause: expect.anything() },
  });
});

test("a request to a silent stock API fails after four seconds", async () => {
  const market = await openAdapter({ fault: () => ({ kind: "delay", milliseconds: 60_000 }) });
  const begun = performance.now();
  await expect(market.listTokens()).rejects.toMatchObject(refused);
  expect(performance.now() - begun).toBeGreaterThan(3_900);
  expect(performance.now() - begun).toBeLessThan(8_000);
});
