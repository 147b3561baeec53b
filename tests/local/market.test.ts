import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { type MarketStandInOptions, startMarket } from "../../local/market/index.ts";
import type { Listening } from "../../local/stand-in.ts";

const NOON = Date.parse("2026-11-20T12:00:30.000Z");
const MINUTE = 60_000;
const decimal = z.string().regex(/^\d+(\.\d+)?$/);
const quotes = z.object({
  quotes: z.array(
    z.object({
      tokenSymbol: z.string(),
      bid: decimal,
      ask: decimal,
      currency: z.literal("USD"),
      dailyTradingVolume: z.string().regex(/^\d+$/),
      isTradingHalt: z.boolean(),
      generatedAt: z.iso.datetime(),
      dailyHigh: decimal.optional(),
      dailyLow: decimal.optional(),
    }),
  ),
});

let market: Listening | undefined;
let now = NOON;

afterEach(async () => {
  await market?.stop();
  now = NOON;
});

async function start(options: Partial<MarketStandInOptions> = {}): Promise<Listening> {
  market = await startMarket({ port: 0, clock: () => now, ...options });
  return market;
}

async function get(path: string): Promise<Response> {
  return fetch(`${market?.endpoint}${path}`, { headers: { "user-agent": "Mozilla/5.0 (test)" } });
}

async function quote(symbol: string) {
  const [one] = quotes.parse(await (await get(`/rhj/prices/${symbol}`)).json()).quotes;
  if (one === undefined) throw new Error(`There is no quote for ${symbol}.`);
  return one;
}

describe("GET /rhj/assets", () => {
  test("GET /rhj/assets lists the five tokens of the chain, an inactive one and one of another chain", async () => {
    await start();
    const { assets } = z
      .object({
        assets: z.array(
          z.object({
            id: z.string().regex(/^0x[0-9a-f]{64}$/),
            tokenSymbol: z.string(),
            tokenName: z.string().endsWith(" • Robinhood Token"),
            deployments: z.array(
              z.object({ contractAddress: z.string().regex(/^0x[0-9a-fA-F]{40}$/), chainId: z.int() }),
            ),
            currentMultiplier: decimal,
            pendingMultiplier: z.literal(""),
            status: z.string(),
            tokenDecimals: z.literal(18),
            logoUrl: z.url(),
          }),
        ),
      })
      .parse(await (await get("/rhj/assets")).json());
    const here = assets.filter(({ deployments }) => deployments.some(({ chainId }) => chainId === 4663));
    const active = here.filter(({ status }) => status === "ASSET_STATUS_ACTIVE");
    expect(active.map(({ tokenSymbol }) => tokenSymbol).sort()).toEqual([
      "AAPL",
      "GOOGL",
      "MSFT",
      "NVDA",
      "TSLA",
    ]);
    expect(here).toHaveLength(6);
    expect(assets).toHaveLength(7);
    expect(active[0]?.deployments[0]?.contractAddress).toBe("0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9");
  });
});

describe("GET /rhj/prices/{symbol}", () => {
  test("GET /rhj/prices/{symbol} quotes around a realistic price, inside the day's range", async () => {
    await start();
    const { bid, ask, dailyHigh, dailyLow, generatedAt } = await quote("AAPL");
    expect(Number(bid)).toBeLessThan(Number(ask));
    expect(Number(bid)).toBeGreaterThanOrEqual(Number(dailyLow));
    expect(Number(ask)).toBeLessThanOrEqual(Number(dailyHigh));
    expect(Math.abs(Number(bid) / 327.2 - 1)).toBeLessThan(0.03);
    expect(generatedAt).toBe(new Date(NOON).toISOString());
  });

  test("GET /rhj/prices/{symbol} changes slowly with the clock and is constant within a minute", async () => {
    await start();
    const bids: number[] = [];
    for (let minute = 0; minute < 30; minute += 1) {
      now = NOON + minute * MINUTE;
      bids.push(Number((await quote("TSLA")).bid));
    }
    const steps = bids.slice(1).map((bid, index) => Math.abs(bid / (bids[index] ?? Number.NaN) - 1));
    expect(Math.max(...steps)).toBeLessThan(0.001);
    expect(new Set(bids).size).toBeGreaterThan(20);
    now = NOON + 20_000;
    expect(Number((await quote("TSLA")).bid)).toBe(bids[0]);
  });

  test("GET /rhj/prices/{symbol} omits the range for one ticker, and counts the day's volume", async () => {
    await start();
    const google = await quote("GOOGL");
    expect(google.dailyHigh ?? google.dailyLow).toBeUndefined();
    const before = Number((await quote("MSFT")).dailyTradingVolume);
    now += 60 * MINUTE;
    expect(Number((await quote("MSFT")).dailyTradingVolume)).toBeGreaterThan(before);
  });

  test.each(["NOPE", "TWTR", "aapl"])(
    "GET /rhj/prices/{symbol} answers 200 without quotes for %s",
    async (symbol) => {
      await start();
      const response = await get(`/rhj/prices/${symbol}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ quotes: [] });
    },
  );
});

describe("GET /news/{symbol}", () => {
  test("GET /news/{symbol} is an RSS feed of fictional headlines up to now, newest first, on example.com", async () => {
    await start();
    const response = await get("/news/NVDA");
    expect(response.headers.get("content-type")).toMatch(/^application\/rss\+xml/);
    const feed = await response.text();
    const dates = [...feed.matchAll(/<pubDate>(.*?)<\/pubDate>/g)].map(([, date]) => Date.parse(date ?? ""));
    expect(dates).toHaveLength(10);
    expect(dates).toEqual(dates.toSorted((a, b) => b - a));
    expect(Math.max(...dates)).toBeLessThanOrEqual(NOON);
    const links = [...feed.matchAll(/<link>(.*?)<\/link>/g)].map(([, link]) => new URL(link ?? "").hostname);
    expect(links.every((host) => host.endsWith(".example.com"))).toBe(true);
    expect(feed.replace(/<!\[CDATA\[.*?\]\]>/g, "")).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
    expect(feed).toContain("fictional");
  });

  test("GET /news/{symbol} keeps a day's headlines and has others the next day", async () => {
    await start();
    const titles = async () =>
      [...(await (await get("/news/AAPL")).text()).matchAll(/<title>(.*?)<\/title>/g)].flat();
    const today = await titles();
    expect(await titles()).toEqual(today);
    now += 48 * 60 * MINUTE;
    expect(await titles()).not.toEqual(today);
  });

  test.each([{}, { "user-agent": "" }, { "user-agent": "curl/8.5.0" }, { "user-agent": "press-market/1.0" }])(
    "GET /news/{symbol} does not answer an agent that is no browser or crawler: %o",
    async (headers) => {
      const { endpoint } = await start();
      const asked = (path: string) =>
        fetch(`${endpoint}${path}`, { headers, signal: AbortSignal.timeout(300) });
      await expect(asked("/news/AAPL")).rejects.toMatchObject({ name: "TimeoutError" });
      expect((await fetch(`${endpoint}/rhj/prices/AAPL`, { headers })).status).toBe(200);
    },
  );

  test("GET /news/{symbol} is empty for an unknown symbol", async () => {
    await start();
    const response = await get("/news/NOPE");
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain("<item>");
  });
});

describe("faults", () => {
  test("the rate limiter answers plain text with 200 or 429, a failure 500, only on the chosen path", async () => {
    const faults = [
      { kind: "rateLimited", status: 200 } as const,
      { kind: "rateLimited", status: 429 } as const,
      { kind: "failure" } as const,
    ];
    await start({ fault: (path) => (path === "/rhj/prices/AAPL" ? faults.shift() : undefined) });
    for (const [status, body] of [
      [200, "local_rate_limited"],
      [429, "local_rate_limited"],
      [500, "internal error"],
    ] as const) {
      expect((await quote("MSFT")).tokenSymbol).toBe("MSFT");
      const response = await get("/rhj/prices/AAPL");
      expect(response.status).toBe(status);
      expect(await response.text()).toBe(body);
    }
    expect((await quote("AAPL")).tokenSymbol).toBe("AAPL");
  });

  test("a delay holds the answer back, and a stop cuts it off", async () => {
    const delays = [100, 600_000];
    const { stop } = await start({ fault: () => ({ kind: "delay", milliseconds: delays.shift() ?? 0 }) });
    const started = performance.now();
    await quote("AAPL");
    expect(performance.now() - started).toBeGreaterThanOrEqual(95);
    const cut = expect(get("/rhj/assets")).rejects.toThrow();
    await expect.poll(() => delays.length).toBe(0);
    await stop();
    await cut;
    market = undefined;
  });
});
