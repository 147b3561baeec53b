import { parseAbi } from "viem";
import { expect, test } from "vitest";
import { quote, stocks } from "../../functions/http/market.ts";
import { devnetStocks, getTestAccount } from "../../local/devnet/accounts.ts";
import { type MarketFault, startMarket } from "../../local/market/index.ts";
import { startTestDevnet } from "../support/devnet.ts";
import { makeRefusal } from "../support/http-payer.ts";
import { startPart } from "../support/provide.ts";
import { invoke } from "./lib/call.ts";
import { captureLog, startStage } from "./lib/stage.ts";

let fault: MarketFault | undefined;
const asked: string[] = [];

const api = startPart(() =>
  startMarket({
    fault: (path) => {
      asked.push(path);
      return fault;
    },
  }),
);
const devnet = startPart(startTestDevnet);
const stored = startPart(() => startStage({ STOCK_API_URL: api.endpoint, CHAIN_RPC_URL: devnet.rpcUrl }));

test("a market request is answered with 503 and Retry-After if the stock API refuses before any value is known", async () => {
  fault = { kind: "rateLimited", status: 200 };
  const answer = await invoke(quote, "quote", { path: { symbol: "AAPL" } });
  expect(answer).toMatchObject({
    status: 503,
    headers: { "retry-after": "5", "cache-control": "no-store" },
    body: { code: "market_unavailable", retryAfter: 5 },
  });
  fault = undefined;
  await stored.table.entities.market.delete({ name: "stocks" }).go();
});

test("while the stock API does not answer, a quote is served with its last values, and the reason is logged", async () => {
  const first = await invoke(quote, "quote", { path: { symbol: "MSFT" } });
  await stored.table.entities.market.patch({ name: "quote:MSFT" }).set({ freshUntil: 0 }).go();
  await stored.table.entities.market.patch({ name: "stocks" }).set({ freshUntil: 0 }).go();
  fault = { kind: "rateLimited", status: 429 };
  const { value, lines } = await captureLog(() => invoke(quote, "quote", { path: { symbol: "MSFT" } }));
  fault = undefined;
  expect(value).toEqual(first);
  for (const event of ["stock_list_failed", "quote_from_feed", "quote_failed"])
    expect(lines).toContain(event);
  expect(lines).toContain("market_unavailable");
});

test("a price that the stock API lacks comes from the chain's price feed, with the feed's time", async () => {
  const client = devnet.client;
  const { blockNumber } = await client.writeContractSync({
    account: getTestAccount(0),
    address: devnetStocks.find(({ symbol }) => symbol === "TSLA")?.feed ?? "0x",
    abi: parseAbi(["function setAnswer(int256 answer)"]),
    functionName: "setAnswer",
    args: [433_21000000n],
  });
  const { timestamp } = await client.getBlock({ blockNumber });
  fault = { kind: "rateLimited", status: 200 };
  const answer = await invoke(quote, "quote", { path: { symbol: "TSLA" } });
  fault = undefined;
  expect(answer).toMatchObject({
    status: 200,
    body: {
      symbol: "TSLA",
      mid: 433.21,
      dayHigh: 433.21,
      dayLow: 433.21,
      volume: 0,
      halted: false,
      asOf: new Date(Number(timestamp) * 1000).toISOString(),
    },
  });
});

test("stocks and quotes may be cached for a short time, and are not sent again to clients that already have the current answer", async () => {
  const request = { path: { symbol: "AAPL" } };
  const first = await invoke(quote, "quote", request);
  expect(first.headers).toMatchObject({
    "cache-control": "public, max-age=0, s-maxage=10, stale-while-revalidate=30",
    etag: expect.stringMatching(/^"[\w-]{43}"$/),
  });
  const headers = { "if-none-match": first.headers.etag ?? "" };
  expect(await invoke(quote, "quote", { ...request, headers })).toMatchObject({
    status: 304,
    body: undefined,
  });
  const list = await invoke(stocks, "stocks");
  expect(list.headers["cache-control"]).toContain("s-maxage=60");
  expect(await invoke(stocks, "stocks", { headers })).toMatchObject({ status: 200, body: list.body });
});

test.each(["NOPE", "TWTR", "AMZN", "", "../etc", "1234567890123"])(
  "a quote of %j is answered with 404, because no stock of this chain has that symbol",
  async (symbol) => {
    expect(await invoke(quote, "quote", { path: { symbol } })).toMatchObject(
      makeRefusal(404, "unknown_stock"),
    );
  },
);
