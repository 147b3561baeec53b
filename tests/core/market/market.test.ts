import { beforeEach, expect, test } from "vitest";
import * as Market from "../../../core/market/index.ts";
import type { Listing } from "../../../core/market/schema.ts";
import { countTableRequests } from "../../support/counting.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeListing } from "../press/newsroom.ts";
import { makeSource, makeSteadyClock } from "./source.ts";

let clock: ReturnType<typeof makeSteadyClock>;
let outside: ReturnType<typeof makeSource>;
let ports: Parameters<typeof Market.loadQuote>[0];

const stored = startPart(startTestTable);
beforeEach(async () => {
  clock = makeSteadyClock();
  outside = makeSource();
  ports = { table: stored.table, clock, market: outside.market };
  for (const name of ["stocks", "quote:AAPL", "quote:TSLA", "quote:NOPE"]) {
    await stored.table.entities.market.delete({ name }).go();
  }
  await stored.table.entities.marks.delete(Market.marksKey).go();
});

async function readState(name: string) {
  return (await stored.table.entities.market.get({ name }).go({ consistent: true })).data;
}

async function readMark(symbol: string) {
  const { data } = await stored.table.entities.marks.get(Market.marksKey).go({ consistent: true });
  return Market.findLastPrice(data, symbol);
}

test("the stock list is refreshed after ten minutes", async () => {
  await Market.listStocks(ports);
  outside.state.listings = [makeListing("NVDA")];
  clock.pass(599_000);
  expect(await Market.listStocks(ports)).toHaveLength(2);
  clock.pass(2_000);
  expect(await Market.listStocks(ports)).toEqual([expect.objectContaining({ symbol: "NVDA" })]);
  expect(outside.calls.stocks).toBe(2);
});

test("twenty readers of an unknown price cause one request to the market source, and all readers get the price", async () => {
  const quotes = await Promise.all(Array.from({ length: 20 }, () => Market.loadQuote(ports, "AAPL")));
  expect(quotes.map(({ mid }) => mid)).toEqual(Array(20).fill(100));
  expect(outside.calls).toEqual({ stocks: 1, quote: 1 });
});

test("while one reader refreshes a quote, the other readers get the last quote", async () => {
  await Market.loadQuote(ports, "AAPL");
  outside.state.mid = 101;
  clock.pass(61_000);
  const quotes = await Promise.all(Array.from({ length: 20 }, () => Market.loadQuote(ports, "AAPL")));
  expect(outside.calls.quote).toBe(2);
  expect(quotes.filter(({ mid }) => mid === 101).length).toBeGreaterThan(0);
  expect(quotes.filter(({ mid }) => mid === 100).length).toBeGreaterThan(0);
});

test("if the process that refreshes a quote dies, another reader refreshes the quote after eight seconds", async () => {
  await Market.listStocks(ports);
  await stored.table.entities.market.put({ name: "quote:AAPL", askingUntil: clock.now() + 8_000 }).go();
  const impatient = { ...ports, clock: { ...clock, sleep: async () => undefined } };
  await expect(Market.loadQuote(impatient, "AAPL")).rejects.toMatchObject({ code: "market_unavailable" });
  expect(outside.calls.quote).toBe(0);
  clock.pass(8_000);
  expect(await Market.loadQuote(ports, "AAPL")).toMatchObject({ mid: 100 });
});

test("a quote that arrives after its reader's lease has expired does not replace a newer quote", async () => {
  await Market.listStocks(ports);
  const slow = Promise.withResolvers<void>();
  const late = {
    ...ports,
    market: {
      ...outside.market,
      fetchQuote: async (asked: Listing) => {
        await slow.promise;
        return outside.market.fetchQuote(asked);
      },
    },
  };
  outside.state.mid = 99;
  const first = Market.loadQuote(late, "AAPL");
  await expect.poll(() => readState("quote:AAPL")).toMatchObject({ askingUntil: expect.any(Number) });
  clock.pass(8_001);
  outside.state.mid = 101;
  expect(await Market.loadQuote(ports, "AAPL")).toMatchObject({ mid: 101 });
  outside.state.mid = 99;
  slow.resolve();
  expect(await first).toMatchObject({ mid: 99 });
  expect(await Market.loadQuote(ports, "AAPL")).toMatchObject({ mid: 101 });
});

test("a request to the market source includes the source's previous answer", async () => {
  const first = await Market.loadQuote(ports, "AAPL");
  clock.pass(61_000);
  await Market.loadQuote(ports, "AAPL");
  expect(outside.told).toEqual([undefined, first]);
});

test("a market source that refused is not asked again for five seconds", async () => {
  await Market.listStocks(ports);
  outside.state.down = true;
  for (let reader = 0; reader < 5; reader += 1) {
    await expect(Market.loadQuote(ports, "AAPL")).rejects.toMatchObject({ code: "market_unavailable" });
  }
  expect(outside.calls.quote).toBe(1);
  outside.state.down = false;
  clock.pass(6_001);
  expect(await Market.loadQuote(ports, "AAPL")).toMatchObject({ mid: 100 });
});

test("a stored quote in an invalid form is ignored", async () => {
  const askedLongAgo = { name: "quote:AAPL", value: { price: 5 }, freshUntil: clock.now() + 60_000 };
  await stored.table.entities.market.put(askedLongAgo).go();
  expect(await Market.loadQuote(ports, "AAPL")).toMatchObject({ mid: 100 });
});

test("the mark price is the cached mid price, or else the last known price, or undefined if no price is known", async () => {
  expect(await Market.readPriceNow(ports, "AAPL")).toBe(100);
  outside.state.down = true;
  clock.pass(3_600_000);
  expect(await Market.readPriceNow(ports, "AAPL")).toBe(100);
  expect(await Market.readPriceNow(ports, "TSLA")).toBeUndefined();
  expect(await Market.readPriceNow(ports, "NOPE")).toBeUndefined();
});

test("a fresh mark price causes no request to the market source, and an old mark price refreshes the quote", async () => {
  await Market.loadQuote(ports, "AAPL");
  const fresh = await readMark("AAPL");
  expect(fresh).toEqual({ mid: 100, freshUntil: clock.now() + 60_000 });
  const { requests } = await countTableRequests(stored, () => Market.readPrice(ports, "AAPL", fresh));
  expect(requests).toBe(0);

  outside.state.mid = 101;
  clock.pass(60_000);
  expect(await Market.readPrice(ports, "AAPL", fresh)).toBe(101);
  expect(await readMark("AAPL")).toMatchObject({ mid: 101 });
  expect(await Market.readPrice(ports, "TSLA", undefined)).toBe(101);
  expect(await readMark("AAPL")).toMatchObject({ mid: 101 });
  expect(await readMark("TSLA")).toMatchObject({ mid: 101 });
});

test("the last mark price is used when no current price is known", async () => {
  const old = { mid: 90, freshUntil: 0 };
  outside.state.down = true;
  expect(await Market.readPrice(ports, "AAPL", old)).toBe(90);
  expect(await Market.readPrice(ports, "AAPL", undefined)).toBeUndefined();
});

test("the mark prices of many stocks are written together, including symbols with a dot", async () => {
  outside.state.listings = ["AAPL", "BRK.B", "TSLA", "NVDA", "MSFT"].map(makeListing);
  const symbols = outside.state.listings.map(({ symbol }) => symbol);
  await Promise.all(symbols.map((symbol) => Market.loadQuote(ports, symbol)));
  for (const symbol of symbols) expect(await readMark(symbol), symbol).toMatchObject({ mid: 100 });
  for (const symbol of symbols) {
    await stored.table.entities.market.delete({ name: `quote:${symbol}` }).go();
  }
});

test("mark prices in an invalid form are ignored", () => {
  expect(Market.findLastPrice(null, "AAPL")).toBeUndefined();
  expect(Market.findLastPrice({ marks: { AAPL: 5 } }, "AAPL")).toBeUndefined();
});

test("a stock that is no longer listed has no quote but keeps its last mark price", async () => {
  await Market.loadQuote(ports, "AAPL");
  outside.state.listings = [makeListing("TSLA")];
  clock.pass(3_600_000);
  await expect(Market.loadQuote(ports, "AAPL")).rejects.toMatchObject({ code: "unknown_stock" });
  expect(await Market.readPriceNow(ports, "AAPL")).toBe(100);
});

test("a programming error in the adapter of the market source is reported as an unexpected error", async () => {
  const broken = {
    ...ports,
    market: { ...outside.market, fetchQuote: () => Promise.reject(new TypeError("defect")) },
  };
  await expect(Market.readPriceNow(broken, "AAPL")).rejects.toThrow("defect");
});
