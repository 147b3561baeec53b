import * as z from "zod";
import * as Market from "../../core/market/index.ts";
import { StockSymbol } from "../../core/market/schema.ts";
import { serveRoute } from "../lib/endpoint.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const overview = serveRoute("market", z.undefined(), async () =>
  makeJson(await Market.readOverview(runtime.tablePorts())),
);

export const stocks = serveRoute("stocks", z.undefined(), async () =>
  makeJson({ stocks: await Market.listStocks(makeQuotePorts()) }),
);

export const stock = serveRoute("stock", z.undefined(), async ({ path }) =>
  makeJson(await Market.readPrices(makeQuotePorts(), parseSymbol(path))),
);

export const quote = serveRoute("quote", z.undefined(), async ({ path }) =>
  makeJson(await Market.loadQuote(makeQuotePorts(), parseSymbol(path))),
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
