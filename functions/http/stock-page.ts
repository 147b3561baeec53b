import * as z from "zod";
import { StockSymbol } from "../../core/market/schema.ts";
import * as Page from "../../core/page/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { sitePage } from "../lib/site-page.ts";

/** The page of a stock; for any other name the site's own document, as a true 404. */
export const handler = endpoint("stock-page", z.undefined(), ({ path }) => {
  const symbol = StockSymbol.safeParse(path.symbol);
  return sitePage(symbol.success ? (ports) => Page.showStock(ports, symbol.data) : Page.showNothing);
});
