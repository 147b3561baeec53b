import type { Asset } from "./assets.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Item = {
  readonly title: string;
  readonly link: string;
  readonly source: { readonly name: string; readonly url: string };
  readonly publishedAt: number;
};

const SOURCES = [
  { name: "Example Wire", url: "https://wire.example.com" },
  { name: "Sample Market Daily", url: "https://daily.example.com" },
  { name: "The Fictional Ledger", url: "https://ledger.example.com" },
] as const;

const HEADLINES = [
  "opens a research & development office, suppliers say",
  "sets the date of its next results",
  "supplier reports shorter delivery times",
  "names a new head of operations",
  "extends a program for small businesses",
  "answers questions about its spending plans",
  "wins a public contract after a second round",
  "customers wait less for repairs, survey finds",
  "analysts disagree over the pace of orders",
  "board approves an unchanged dividend policy",
] as const;

const RESULTS = "says that quarterly revenue rose while margins stayed where they were";

/** Hours of the UTC day at which a headline appears. */
const HOURS = [1, 7, 13, 19] as const;

/**
 * An RSS 2.0 feed of fictional headlines about an asset, newest first: those of the UTC day up to `now` (milliseconds
 * since the epoch) and of the day before. A day's headlines never change. Without an asset the feed is empty.
 */
export function newsFeed(symbol: string, asset: Asset | undefined, now: number): string {
  const day = Math.floor(now / DAY);
  const items = asset === undefined ? [] : [day, day - 1].flatMap((one) => itemsOf(asset, one));
  const published = items.filter(({ publishedAt }) => publishedAt <= now);
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>${escapeXml(symbol)} headlines (fictional)</title>
<link>https://news.example.com/${encodeURIComponent(symbol)}</link>
<description>Fictional headlines for local use; no company said or did any of this.</description>
<lastBuildDate>${new Date(now).toUTCString()}</lastBuildDate>
${published.map(itemXml).join("\n")}
</channel></rss>
`;
}

function itemsOf({ symbol, name }: Asset, day: number): readonly Item[] {
  const first = day * HOURS.length + symbol.charCodeAt(0) + symbol.charCodeAt(1);
  return HOURS.map((hour, index) => {
    const source = SOURCES[(first + index) % SOURCES.length] ?? SOURCES[0];
    // Every day begins with a word on the business, so that there is always something to write about it.
    const headline = index === 0 ? RESULTS : (HEADLINES[(first + index) % HEADLINES.length] ?? HEADLINES[0]);
    const publishedAt = day * DAY + hour * HOUR;
    const date = new Date(publishedAt).toISOString().slice(0, 10);
    const link = `${source.url}/${symbol.toLowerCase()}/${date}/${hour}?ref=rss&lang=en`;
    return { title: `${name} ${headline}`, link, source, publishedAt };
  }).toReversed();
}

function itemXml({ title, link, source, publishedAt }: Item): string {
  return `<item><title>${escapeXml(title)}</title><link>${escapeXml(link)}</link><guid isPermaLink="true">${escapeXml(link)}</guid><pubDate>${new Date(publishedAt).toUTCString()}</pubDate><source url="${escapeXml(source.url)}">${escapeXml(source.name)}</source><description><![CDATA[Fictional: <b>${title}</b>.]]></description></item>`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
