import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Market from "../market/index.ts";
import type { Quote, Stock } from "../market/schema.ts";
import type { Clock } from "../port/clock.ts";
import type { MarketData } from "../port/market.ts";
import type { News } from "../port/news.ts";
import type { Table } from "../table.ts";
import { remaining } from "./allowance.ts";
import { unknownStock } from "./error.ts";
import { recentNews } from "./news.ts";
import { show } from "./offer.ts";
import type { Angles, AnglesInput, Headline, StandingAngle } from "./schema.ts";
import { companyOf, isOnBusiness, quoted } from "./sources.ts";

type MarketPorts = { readonly table: Table; readonly clock: Clock; readonly market: MarketData };

/**
 * What may be written about a stock now (specification §4.8): its latest headlines, its price, and what was reported of the business behind it.
 * Without news the others stand, and `outage` says why. Throws `input` `unknown_stock`, `upstream` `market_unavailable`
 * or `draft_busy`.
 */
export async function angles(
  ports: MarketPorts & { readonly news: News },
  wallet: Address,
  { stock: symbol }: AnglesInput,
): Promise<Angles & { readonly outage: AppError | undefined }> {
  const stock = await listed(ports, symbol);
  const [quote, { reports, freshNews, outage }, left] = await Promise.all([
    lastQuote(ports, symbol),
    recentNews(ports, symbol),
    remaining(ports, wallet),
  ]);
  const shown = await show(ports, wallet, stock, {
    reports,
    standing: standingAngles(stock, { quote, reports }),
  });
  return { angles: shown, freshNews, remaining: left, outage };
}

/** The stock of a ticker. Throws `input` `unknown_stock`. */
export async function listed(ports: MarketPorts, symbol: string): Promise<Stock> {
  const stock = (await Market.stocks(ports)).find((candidate) => candidate.symbol === symbol);
  if (stock === undefined) throw unknownStock(symbol);
  return stock;
}

/** The quote, or `undefined` as long as none was ever heard: there is more to write about than the price. */
export async function lastQuote(ports: MarketPorts, symbol: string): Promise<Quote | undefined> {
  try {
    return await Market.quote(ports, symbol);
  } catch (error) {
    if (error instanceof AppError && error.kind === "upstream") return undefined;
    throw error;
  }
}

/**
 * The angles beside the headlines: the price if there is one, and the fundamentals if anything was reported of the
 * business. A pointer to filings alone would be a subject without a figure.
 */
export function standingAngles(
  stock: Stock,
  { quote, reports }: { readonly quote: Quote | undefined; readonly reports: readonly Headline[] },
): readonly StandingAngle[] {
  const company = companyOf(stock);
  const fundamentals = {
    id: "fundamentals",
    kind: "fundamentals",
    title: `${company} beyond the day's price`,
    detail: `What was reported of ${company}'s business lately, which of its filings would bear it out, and what is still open.`,
  } as const;
  const business = reports.some(isOnBusiness) ? [fundamentals] : [];
  if (quote === undefined) return business;
  const price = {
    id: "price",
    kind: "price",
    title: `Where ${stock.symbol} stands in its day's range`,
    detail: `${stock.symbol} is at ${quoted(quote)}. What that says, and what it does not.`,
  } as const;
  return [price, ...business];
}
