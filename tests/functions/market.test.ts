import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { Quote, Stock } from "../../core/market/schema.ts";
import { handler as quote } from "../../functions/http/quote.ts";
import { handler as stocks } from "../../functions/http/stocks.ts";
import { type Market, type MarketFault, startMarket } from "../../local/market/index.ts";
import type { TestTable } from "../support/table.ts";
import { call } from "./lib/call.ts";
import { startStage } from "./lib/stage.ts";

let api: Market;
let stored: TestTable;
let fault: MarketFault | undefined;
let asked: string[] = [];

beforeAll(async () => {
  api = await startMarket({
    port: 0,
    fault: (path) => {
      asked.push(path);
      return fault;
    },
  });
  stored = await startStage({ STOCK_API_URL: api.endpoint });
});
afterAll(async () => {
  await stored.stop();
  await api.stop();
});

test("a source that refuses before anything is known is 503 with Retry-After", async () => {
  fault = { kind: "rateLimited", status: 200 };
  const answer = await call(quote, "quote", { path: { symbol: "AAPL" } });
  expect(answer).toMatchObject({
    status: 503,
    headers: { "retry-after": "5", "cache-control": "no-store" },
    body: { code: "market_unavailable", retryAfter: 5 },
  });
  fault = undefined;
  await stored.table.entities.market.delete({ name: "stocks" }).go();
});

test("the stocks are those of the chain, sorted, with the specified fields", async () => {
  const answer = await call(stocks, "stocks");
  expect(answer.status).toBe(200);
  const { stocks: listed } = z
    .strictObject({ stocks: z.array(z.strictObject(Stock.shape)) })
    .parse(answer.body);
  expect(listed.map(({ symbol }) => symbol)).toEqual(["AAPL", "GOOGL", "MSFT", "NVDA", "TSLA"]);
});

test("a quote has the specified fields and is asked for once", async () => {
  asked = [];
  const first = await call(quote, "quote", { path: { symbol: "AAPL" } });
  expect(first.status).toBe(200);
  const shown = z.strictObject(Quote.shape).parse(first.body);
  expect(shown.dayLow).toBeLessThanOrEqual(shown.mid);
  expect(shown.dayHigh).toBeGreaterThanOrEqual(shown.mid);
  expect(shown.asOf).toBe(new Date(shown.asOf).toISOString());
  expect(await call(quote, "quote", { path: { symbol: "aapl" } })).toEqual(first);
  expect(asked).toEqual(["/rhj/prices/AAPL"]);
});

test("a quote without a daily range still has one", async () => {
  const { body } = await call(quote, "quote", { path: { symbol: "GOOGL" } });
  const shown = Quote.parse(body);
  expect([shown.dayHigh, shown.dayLow]).toEqual([shown.mid, shown.mid]);
});

test.each(["NOPE", "TWTR", "AMZN"])("%s is no active stock of this chain: 404", async (symbol) => {
  expect(await call(quote, "quote", { path: { symbol } })).toMatchObject({
    status: 404,
    body: { code: "unknown_stock" },
  });
});

test.each(["", "A B", "../etc", "AAPL/..", "1234567890123"])("%j cannot be a symbol: 400", async (symbol) => {
  expect(await call(quote, "quote", { path: { symbol } })).toMatchObject({
    status: 400,
    body: { code: "invalid_input" },
  });
});
