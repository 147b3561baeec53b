import { expect, test } from "vitest";
import { startMarket } from "../../local/market/index.ts";
import { startPart } from "../support/provide.ts";

const market = startPart(() => startMarket());

test.each([{}, { "user-agent": "" }, { "user-agent": "curl/8.5.0" }, { "user-agent": "press-market/1.0" }])(
  "GET /news/{symbol} does not answer a user agent that is neither a browser nor a crawler: %o",
  async (headers) => {
    const { endpoint } = market;
    const ask = (path: string) => fetch(`${endpoint}${path}`, { headers, signal: AbortSignal.timeout(300) });
    await expect(ask("/news/AAPL")).rejects.toMatchObject({ name: "TimeoutError" });
    expect((await fetch(`${endpoint}/rhj/prices/AAPL`, { headers })).status).toBe(200);
  },
);
