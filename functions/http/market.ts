import * as z from "zod";
import * as Market from "../../core/market/index.ts";
import { StockSymbol } from "../../core/market/schema.ts";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const overview = endpoint("market", z.undefined(), async () =>
  json(await Market.readOverview(runtime.tablePorts())),
);

export const stocks = endpoint("stocks", z.undefined(), async () =>
  json({ stocks: await Market.listStocks(makeQuotePorts()) }),
);

export const stock = endpoint("stock", z.undefined(), async ({ path }) =>
  json(await Market.readPrices(makeQuotePorts(), parseSymbol(path))),
);

export const quote = endpoint("quote", z.undefined(), async ({ path }) =>
  json(await Market.quote(makeQuotePorts(), parseSymbol(path))),
);

function makeQuotePorts() {
  return { ...runtime.tablePorts(), market: runtime.market() };
}

/** An invalid symbol in a path gets the same answer as an unknown symbol. */
function parseSymbol({ symbol }: Readonly<Record<string, string | undefined>>): string {
  const parsed = StockSymbol.safeParse(symbol);
  if (!parsed.success) throw Market.makeStockError();
  return parsed.data;
}
