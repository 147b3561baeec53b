import * as z from "zod";
import * as Market from "../../core/market/index.ts";
import { StockSymbol } from "../../core/market/schema.ts";
import { makeHandler } from "../lib/endpoint.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const overview = makeHandler("market", z.undefined(), async () =>
  makeJson(await Market.readOverview(runtime.makeTablePorts())),
);

export const stocks = makeHandler("stocks", z.undefined(), async () =>
  makeJson({ stocks: await Market.listStocks(makeQuotePorts()) }),
);

export const stock = makeHandler("stock", z.undefined(), async ({ path }) =>
  makeJson(await Market.readPrices(makeQuotePorts(), parseSymbol(path))),
);

export const quote = makeHandler("quote", z.undefined(), async ({ path }) =>
  makeJson(await Market.loadQuote(makeQuotePorts(), parseSymbol(path))),
);

function makeQuotePorts() {
  return { ...runtime.makeTablePorts(), market: runtime.market() };
}

/** An invalid symbol in a path gets the same answer as an unknown symbol. */
function parseSymbol({ symbol }: Readonly<Record<string, string | undefined>>): string {
  const parsed = StockSymbol.safeParse(symbol);
  if (!parsed.success) throw Market.makeStockError();
  return parsed.data;
}
