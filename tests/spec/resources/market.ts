import { expect } from "vitest";
import * as z from "zod";
import { AddressInput } from "../../../core/chain/hex.ts";
import { ASSETS } from "../../../local/market/assets.ts";
import { prove, proveEach } from "../holds.ts";
import { read, wire } from "../world/ask.ts";
import { makeOnce } from "../world/scene.ts";
import { askedOfMarket, runWithClockAhead } from "../world/service.ts";
import { readToken } from "../world/token.ts";

const Stocks = z.strictObject({
  stocks: z.array(z.strictObject({ symbol: z.string(), name: z.string(), address: AddressInput })),
});
const Quote = z.strictObject({
  symbol: z.string(),
  mid: z.number(),
  dayHigh: z.number(),
  dayLow: z.number(),
  volume: z.number(),
  halted: z.boolean(),
  asOf: z.string(),
});

const stocks = makeOnce(async () => (await read(Stocks, "/api/stocks")).stocks);
const quote = makeOnce(() => read(Quote, "/api/quotes/NVDA"));

/** Reads the stocks that the stock API lists as active on this chain. */
const active = ASSETS.filter(({ status, chainId }) => status === "ASSET_STATUS_ACTIVE" && chainId === 4663);
/** The base price around which the stock API's price of NVDA moves. */
const usual = active.find(({ symbol }) => symbol === "NVDA")?.basePrice ?? Number.NaN;

prove("2.4 symbol", async () => {
  for (const { symbol } of await stocks()) expect(symbol).toMatch(/^[A-Z]+$/);
  expect((await stocks()).map(({ symbol }) => symbol)).toContain("AAPL");
});

prove("2.4 name", async () => {
  expect((await stocks()).find(({ symbol }) => symbol === "AAPL")?.name).toMatch(/^Apple/);
});

prove("2.4 address", async () => {
  for (const { symbol, address } of await stocks()) expect((await readToken(address)).symbol).toBe(symbol);
});

proveEach<(quote: z.infer<typeof Quote>) => unknown>(
  {
    "2.5 symbol": ({ symbol }) => expect(symbol).toBe("NVDA"),
    "2.5 mid": ({ mid }) => expect(Math.abs(mid / usual - 1)).toBeLessThan(0.05),
    "2.5 dayHigh": ({ dayHigh, mid }) => expect(dayHigh).toBeGreaterThanOrEqual(mid),
    "2.5 dayLow": ({ dayLow, mid }) => expect(dayLow > 0 && dayLow <= mid).toBe(true),
    "2.5 volume": ({ volume }) => expect(volume).toBeGreaterThan(0),
    "2.5 halted": ({ halted }) => expect(halted).toBe(false),
    "2.5 asOf": ({ asOf }) => {
      expect(asOf).toMatch(wire.time);
      expect(Math.abs(Date.parse(asOf) - Date.now())).toBeLessThan(300_000);
    },
  },
  async (check) => {
    check(await quote());
  },
);

prove("4.3 stocks", async () => {
  const symbols = (await stocks()).map(({ symbol }) => symbol);
  expect(new Set(symbols)).toEqual(new Set(active.map(({ symbol }) => symbol)));
  expect(active.length).toBeLessThan(ASSETS.length);
});

prove("4.3 stocks: sorted", async () => {
  const symbols = (await stocks()).map(({ symbol }) => symbol);
  expect(symbols).toEqual(symbols.toSorted());
  expect(symbols).not.toEqual(active.map(({ symbol }) => symbol));
});

prove("4.3 quote", async () => {
  for (const symbol of ["AAPL", "NVDA"]) {
    expect(await read(Quote, `/api/quotes/${symbol}`)).toMatchObject({ symbol });
  }
});

prove("4.3 quote: cached", expectQuoteCachedForAMinute);
prove("8 quote cache", expectQuoteCachedForAMinute);

async function expectQuoteCachedForAMinute(): Promise<void> {
  const path = "/api/quotes/MSFT";
  const countRequests = () => askedOfMarket.filter((asked) => asked === "/rhj/prices/MSFT").length;
  const first = await read(Quote, path);
  expect(countRequests()).toBe(1);
  expect(await runWithClockAhead(50_000, () => read(Quote, path))).toEqual(first);
  expect(countRequests()).toBe(1);
  await runWithClockAhead(70_000, () => read(Quote, path));
  expect(countRequests()).toBe(2);
}
