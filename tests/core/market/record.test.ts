import { beforeEach, describe, expect, test } from "vitest";
import * as Market from "../../../core/market/index.ts";
import { type MarketData, makeMarketError } from "../../../core/market/port.ts";
import type { Quote } from "../../../core/market/schema.ts";
import { addPrice, drawOutline, listWeekPrices, listWeeks } from "../../../core/market/series.ts";
import { countTableRequests } from "../../support/counting.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeListing, makeManualClock } from "../press/newsroom.ts";

const minutes = 60_000;
const hours = 60 * minutes;
const days = 24 * hours;

describe("the service records the prices of the market source in series", () => {
  const stored = startPart(startTestTable, { each: true });
  let clock: ReturnType<typeof makeManualClock>;
  let asked: string[];
  /** The market source's price of each stock; `undefined` means a refusal. */
  let told: Record<string, { readonly mid: number; readonly asOf?: number } | undefined>;
  let ports: Parameters<typeof Market.savePrices>[0];

  beforeEach(() => {
    const symbols = ["AAPL", "MSFT", "NVDA", "TSLA", "GOOGL"];
    clock = makeManualClock("2026-11-20T23:50:00Z");
    asked = [];
    told = Object.fromEntries(symbols.map((symbol) => [symbol, { mid: 100 }]));
    const source: MarketData = {
      listTokens: async () => symbols.map(makeListing),
      async fetchQuote({ symbol }): Promise<Quote> {
        asked.push(symbol);
        const said = told[symbol];
        if (said === undefined) throw makeMarketError(new Error("refused"));
        const { mid, asOf = clock.now() } = said;
        const of = new Date(asOf).toISOString();
        return { symbol, mid, dayHigh: mid, dayLow: mid, volume: 1, halted: false, asOf: of };
      },
    };
    ports = { table: stored.table, clock, market: source };
  });

  /** Requests the quote of each stock once, as a reader of a press about the stock does. */
  async function requestQuotes(...symbols: readonly string[]) {
    for (const symbol of symbols) await Market.loadQuote(ports, symbol);
    asked = [];
  }

  test("the job that records prices asks for no prices before any stock has been requested", async () => {
    expect(await Market.savePrices(ports)).toEqual({ stocks: 0, asked: 0, refused: 0, kept: 0 });
    expect(asked).toEqual([]);
  });

  test("the series gets a new price every five minutes, and one table request reads the series, the quote and the stock's name", async () => {
    await requestQuotes("AAPL");
    for (const mid of [101, 102, 103]) {
      clock.pass(5 * minutes);
      told.AAPL = { mid };
      expect(await Market.savePrices(ports)).toMatchObject({ stocks: 1, asked: 1, kept: 1 });
    }
    const { requests } = await countTableRequests(stored, () => Market.readPrices(ports, "AAPL"));
    expect(requests).toBe(1);
    const { stock, quote, week, year } = await Market.readPrices(ports, "AAPL");
    expect(stock).toEqual({ symbol: "AAPL", name: "AAPL token", address: makeListing("AAPL").address });
    expect(quote.mid).toBe(103);
    expect(week.map(({ mid }) => mid)).toEqual([101, 102, 103]);
    expect(week[0]?.at).toBe("2026-11-20T23:55:00.000Z");
    expect(week[1]?.at.slice(0, 10)).toBe("2026-11-21");
    expect(year).toEqual([
      { day: "2026-11-20", mid: 101 },
      { day: "2026-11-21", mid: 103 },
    ]);
  });

  test("the series uses a price that a reader has just fetched, without another request to the market source", async () => {
    await requestQuotes("AAPL");
    expect(await Market.savePrices(ports)).toMatchObject({ asked: 0, kept: 1 });
    expect((await Market.readPrices(ports, "AAPL")).week).toHaveLength(1);
  });

  test("the price series does not store an unchanged price again, so a closed market adds no points", async () => {
    told.AAPL = { mid: 100, asOf: clock.now() };
    await requestQuotes("AAPL");
    await Market.savePrices(ports);
    for (let run = 0; run < 3; run += 1) {
      clock.pass(5 * minutes);
      expect(await Market.savePrices(ports)).toMatchObject({ asked: 1, kept: 0 });
    }
    expect((await Market.readPrices(ports, "AAPL")).week).toHaveLength(1);
  });

  test("two concurrent runs of the price job store a price once", async () => {
    await requestQuotes("AAPL");
    await Market.savePrices(ports);
    clock.pass(5 * minutes);
    await Promise.all([Market.savePrices(ports), Market.savePrices(ports)]);
    expect((await Market.readPrices(ports, "AAPL")).week).toHaveLength(2);
  });

  test("three consecutive refusals end a run of the price job, and the prices that were already fetched stay stored", async () => {
    await requestQuotes("AAPL", "GOOGL", "MSFT", "NVDA", "TSLA");
    clock.pass(5 * minutes);
    await Market.savePrices(ports);
    told = {};
    clock.pass(5 * minutes);
    asked = [];
    expect(await Market.savePrices(ports)).toMatchObject({ asked: 3, refused: 3, kept: 0 });
    expect(asked).toHaveLength(3);
    expect((await Market.readOverview(ports)).stocks).toHaveLength(5);
  });

  test("each run of the price job begins with a different stock", async () => {
    await requestQuotes("AAPL", "MSFT", "NVDA");
    const firsts: (string | undefined)[] = [];
    for (let run = 0; run < 3; run += 1) {
      clock.pass(5 * minutes);
      asked = [];
      await Market.savePrices(ports);
      firsts.push(asked[0]);
    }
    expect(firsts.toSorted()).toEqual(["AAPL", "MSFT", "NVDA"]);
  });

  test("requests to the market source are spaced out, because the source refuses rapid requests", async () => {
    await requestQuotes("AAPL", "MSFT", "NVDA");
    clock.pass(5 * minutes);
    const began = clock.now();
    await Market.savePrices(ports);
    expect(clock.now() - began).toBeGreaterThanOrEqual(3 * 400);
  });

  test("the yearly series keeps a day's last price after the weekly series no longer contains this day", async () => {
    await requestQuotes("AAPL");
    const first = "2026-11-20";
    for (let day = 0; day < 12; day += 1) {
      told.AAPL = { mid: 200 + day };
      clock.pass(5 * minutes);
      await Market.savePrices(ports);
      clock.pass(days - 5 * minutes);
    }
    const { series } = stored.table.entities;
    const { data: ofFirst } = await series.get({ symbol: "AAPL", part: first }).go();
    // DynamoDB deletes an item with prices only some time after the item has expired.
    expect(ofFirst?.expiresAt).toBe(Date.parse("2026-11-29T00:00:00Z") / 1000);
    await series.delete({ symbol: "AAPL", part: first }).go();
    const { week, year } = await Market.readPrices(ports, "AAPL");
    expect(year.map(({ mid }) => mid)).toEqual(Array.from({ length: 12 }, (_, day) => 200 + day));
    expect(year[0]?.day).toBe(first);
    // The small price chart of a stock is drawn anew when the first price of a day arrives. The list of stocks shows the same chart.
    const { outline } = await Market.readPrices(ports, "AAPL");
    expect(outline).toEqual(year.map(({ mid }) => mid));
    expect((await Market.readOverview(ports)).stocks[0]?.outline).toEqual(outline);
    expect(Date.parse(week[0]?.at ?? "")).toBeGreaterThan(clock.now() - 7 * days);
  });

  test("the market overview returns each stock's week of prices in one table request", async () => {
    await requestQuotes("AAPL", "TSLA");
    for (let run = 0; run < 4; run += 1) {
      clock.pass(4 * hours);
      told.AAPL = { mid: 100 + run };
      await Market.savePrices(ports);
    }
    const { requests } = await countTableRequests(stored, () => Market.readOverview(ports));
    expect(requests).toBe(1);
    const { stocks } = await Market.readOverview(ports);
    expect(stocks.map(({ symbol, name, week }) => [symbol, name, week])).toEqual([
      ["AAPL", "AAPL token", [100, 101, 102, 103]],
      ["TSLA", "TSLA token", [100, 100, 100, 100]],
    ]);
  });

  test("a week's price change is the same in the overview and on the stock's page, even after a weekend without trading", async () => {
    await requestQuotes("AAPL");
    for (let day = 0; day < 16; day += 1) {
      told.AAPL = { mid: 200 + day * (day % 2 === 0 ? 1 : -1), asOf: clock.now() };
      await Market.savePrices(ports);
      clock.pass(days - 5 * minutes);
    }
    // The market is closed for two and a half days, so the market source repeats its last price.
    clock.pass(60 * hours);
    const [inList] = (await Market.readOverview(ports)).stocks;
    const ofStock = await Market.readPrices(ports, "AAPL");
    expect(inList?.mid).toBe(ofStock.quote.mid);
    expect(inList?.change).toEqual(ofStock.changes.week);
    // The price change is measured from a time that is at least seven days ago, and less than seven days and four hours ago.
    const before = Date.parse(inList?.change?.since ?? "");
    expect(clock.now() - before).toBeGreaterThanOrEqual(7 * days);
    expect(clock.now() - before).toBeLessThan(7 * days + 4 * hours);
    expect(inList?.change).toMatchObject({ from: 189, percent: -2.1 });
    expect([inList?.week[0], inList?.week.at(-1)]).toEqual([189, 185]);
    expect(ofStock.changes.day).toMatchObject({ from: 185, percent: 0 });
  });

  test("a price that a reader has just fetched appears in the overview before the price is recorded", async () => {
    await requestQuotes("AAPL");
    await Market.savePrices(ports);
    clock.pass(4 * hours);
    told.AAPL = { mid: 110 };
    const { quote, changes } = await Market.readPrices(ports, "AAPL");
    const [stock] = (await Market.readOverview(ports)).stocks;
    expect(stock).toMatchObject({ mid: quote.mid, change: { from: 100, percent: 10 } });
    expect(stock?.change).toEqual(changes.week);
    expect(changes.week?.since).toBe("2026-11-21T00:00:00.000Z");
  });

  test("a stock with only one recorded price shows no price change", async () => {
    await requestQuotes("AAPL");
    await Market.savePrices(ports);
    const [stock] = (await Market.readOverview(ports)).stocks;
    expect(stock).toMatchObject({ mid: 100, week: [100], change: undefined });
    expect((await Market.readPrices(ports, "AAPL")).changes).toEqual({});
  });

  test("a request for an unlisted stock is answered as not found, and a request for a stock without a price is answered with 503", async () => {
    await expect(Market.readPrices(ports, "MOON")).rejects.toMatchObject({ code: "unknown_stock" });
    told = {};
    await expect(Market.readPrices(ports, "AAPL")).rejects.toMatchObject({ code: "market_unavailable" });
  });
});

test("a weekly series has all prices of the last two hours, four prices per hour of the last day, and one price per hour of the earlier days", () => {
  const now = Date.parse("2026-11-20T12:00:00Z");
  const parts = new Map<string, number[]>();
  for (let at = now - 8 * days; at < now; at += 5 * minutes) {
    const part = new Date(at).toISOString().slice(0, 10);
    parts.set(part, [...(parts.get(part) ?? []), (at - Date.parse(part)) / minutes, 100]);
  }
  const week = listWeekPrices(
    [...parts].map(([part, points]) => ({ part, points })),
    now,
  );
  const countSince = (age: number) => week.filter(({ at }) => Date.parse(at) > now - age).length;
  expect([countSince(2 * hours), countSince(days), countSince(7 * days)]).toEqual([
    23,
    23 + 88,
    23 + 88 + 144,
  ]);
  expect(week).toHaveLength(countSince(7 * days));
});

test("a price outline has 24 prices at most, begins with the first price of the year and ends with the last price of the year", () => {
  const closes = Array.from({ length: 366 }, (_, at) => ({ day: `day ${at}`, mid: 100 + at + 0.123456 }));
  const outline = drawOutline(closes);
  expect(outline).toHaveLength(24);
  expect([outline[0], outline.at(-1)]).toEqual([100.1, 465.1]);
  expect(drawOutline(closes.slice(0, 3))).toHaveLength(3);
  expect(drawOutline([])).toEqual([]);
});

test("a weekly series for a chart has 44 steps at most, and a step without a price repeats the previous step's price", () => {
  const one = makeListing("AAPL");
  const start = Date.parse("2026-11-20T00:00:00Z");
  const begun = addPrice(undefined, one, { at: start, price: 1 });
  const later = addPrice(begun, one, { at: start + 12 * hours, price: 2 });
  expect(later.week).toEqual([1, 1, 1, 2]);
  expect(addPrice(later, one, { at: start + 13 * hours, price: 3 }).week).toEqual([1, 1, 1, 3]);
  const year = addPrice(later, one, { at: start + 365 * days, price: 4 });
  expect(year.week).toEqual([...Array(43).fill(2), 4]);
  const now = start + 365 * days;
  expect(listWeeks({ AAPL: year }, now, () => undefined)[0]).toMatchObject({
    symbol: "AAPL",
    mid: 4,
    week: year.week,
    change: { from: 2, percent: 100, since: new Date(now - 7 * days).toISOString() },
  });
});
