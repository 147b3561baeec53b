import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { News } from "../port/news.ts";
import type { Headline } from "./schema.ts";

const hour = 60 * 60 * 1000;
/** Milliseconds: younger news is fresh, older news than `stale` is no angle, and later news has a wrong date. */
const fresh = 48 * hour;
const stale = 7 * 24 * hour;
const ahead = 24 * hour;
const atMost = 5;

type Ports = { readonly news: News; readonly clock: Clock };

export type Recent = {
  /** Newest first. */
  readonly reports: readonly Headline[];
  readonly freshNews: boolean;
  /** Why nothing could be asked. */
  readonly outage: AppError | undefined;
};

/** The latest reports about a ticker. A source that fails is no news, and says so in `outage`. */
export async function recentNews({ news, clock }: Ports, symbol: string): Promise<Recent> {
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
