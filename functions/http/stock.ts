import * as z from "zod";
import * as Market from "../../core/market/index.ts";
import { StockSymbol } from "../../core/market/schema.ts";
import { endpoint } from "../lib/endpoint.ts";
import { invalid, json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("stock", z.undefined(), async ({ path }) => {
  const symbol = StockSymbol.safeParse(path.symbol);
  if (!symbol.success) throw invalid(symbol.error);
  const ports = { table: runtime.table(), clock: runtime.clock, market: runtime.market() };
  return json(await Market.prices(ports, symbol.data));
});
