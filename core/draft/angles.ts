import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Market from "../market/index.ts";
import { companyOf, type Quote, type Stock } from "../market/schema.ts";
import type { Clock } from "../port/clock.ts";
import type { MarketData, News } from "../port/market.ts";
import type { Table } from "../table.ts";
import { remaining } from "./allowance.ts";
import { unknownStock } from "./error.ts";
import { isOnBusiness, quoted, show } from "./offer.ts";
import type { Angles, AnglesInput, Headline, StandingAngle } from "./schema.ts";

type MarketPorts = { readonly table: Table; readonly clock: Clock; readonly market: MarketData };

/**
 * What may be written about a stock now (specification §4.8): its latest headlines, its price, and what was reported of the business behind it.
 * Without news the others stand, and `outage` says why. Throws `input` `unknown_stock`, `upstream` `market_unavailable`
 * or `table_busy`.
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

const hour = 60 * 60 * 1000;
/** Milliseconds: younger news is fresh, older news than `stale` is no angle, and later news has a wrong date. */
const fresh = 48 * hour;
const stale = 7 * 24 * hour;
const ahead = 24 * hour;
const atMost = 5;

type Ports = { readonly news: News; readonly clock: Clock };

type Recent = {
  /** Newest first. */
  readonly reports: readonly Headline[];
  readonly freshNews: boolean;
  /** Why nothing could be asked. */
  readonly outage: AppError | undefined;
};

/** The latest reports about a ticker. A source that fails is no news, and says so in `outage`. */
async function recentNews({ news, clock }: Ports, symbol: string): Promise<Recent> {
  try {
    const now = clock.now();
    const reports = latest(await news.headlines(symbol), now);
    const freshNews = reports.some(({ publishedAt }) => now - Date.parse(publishedAt) < fresh);
    return { reports, freshNews, outage: undefined };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { reports: [], freshNews: false, outage: error };
  }
}

/** One of each link and title. Whose clock is ahead has published by now at the latest. */
function latest(headlines: readonly Headline[], now: number): readonly Headline[] {
  const seen = new Set<string>();
  return headlines
    .map((headline) => ({ headline, time: Date.parse(headline.publishedAt) }))
    .filter(({ time }) => time > now - stale && time < now + ahead)
    .toSorted((one, other) => other.time - one.time)
    .filter(({ headline: { link, title } }) => {
      const isNew = !seen.has(link) && !seen.has(title.toLowerCase());
      seen.add(link).add(title.toLowerCase());
      return isNew;
    })
    .slice(0, atMost)
    .map(({ headline, time }) => ({
      ...headline,
      publishedAt: new Date(Math.min(time, now)).toISOString(),
    }));
}
