import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { startMarket } from "../../local/market/index.ts";
import type { Listening } from "../../local/stand-in.ts";

const decimal = z.string().regex(/^\d+(\.\d+)?$/);

let market: Listening;
beforeAll(async () => {
  market = await startMarket({ port: 0 });
});
afterAll(() => market.stop());

test("GET /rhj/assets lists the five tokens of the chain, an inactive token and a token of another chain", async () => {
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
    .parse(await (await fetch(`${market.endpoint}/rhj/assets`)).json());
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

test.each([{}, { "user-agent": "" }, { "user-agent": "curl/8.5.0" }, { "user-agent": "press-market/1.0" }])(
  "GET /news/{symbol} does not answer a user agent that is neither a browser nor a crawler: %o",
  async (headers) => {
    const { endpoint } = market;
    const asked = (path: string) =>
      fetch(`${endpoint}${path}`, { headers, signal: AbortSignal.timeout(300) });
    await expect(asked("/news/AAPL")).rejects.toMatchObject({ name: "TimeoutError" });
    expect((await fetch(`${endpoint}/rhj/prices/AAPL`, { headers })).status).toBe(200);
  },
);
