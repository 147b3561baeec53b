import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { escapeUTF8 as escaped } from "entities/escape";
import { listen } from "../stand-in.ts";
import { ASSETS, type Asset, makeAssetReply, makeQuote } from "./assets.ts";

/** A fault: the rate limiter's refusal as plain text, a server error, or a delay before the answer. */
export type MarketFault =
  | { readonly kind: "rateLimited"; readonly status: 200 | 429 }
  | { readonly kind: "failure" }
  | { readonly kind: "delay"; readonly milliseconds: number };

export type MarketStandInOptions = {
  /** The time in milliseconds since the epoch. The default is `Date.now`. */
  readonly clock?: (() => number) | undefined;
  /** Assets that are listed in addition to the devnet's stocks. */
  readonly further?: readonly Asset[] | undefined;
  /** This function is called once for each request, with the path of the request, such as `/rhj/prices/AAPL`. */
  readonly fault?: ((path: string) => MarketFault | undefined) | undefined;
};

type StandInReply = { readonly status: number; readonly type: string; readonly body: string };

/**
 * Starts a stand-in of the Robinhood stock API (`/rhj/assets`, `/rhj/prices/{symbol}`) and of a news feed (`/news/{symbol}`), with prices
 * that change slowly over time. Two requests for the same moment always get the same answer. Like Nasdaq's feed, this feed answers only
 * requests with the `User-Agent` of a browser or a crawler.
 */
export async function startMarket({ clock = Date.now, further = [], fault }: MarketStandInOptions = {}) {
  const assets = [...ASSETS, ...further];
  const server = createServer((request, response) => {
    handle(request, response, { assets, now: clock() }, fault).catch((error: unknown) => {
      if (response.destroyed) return;
      console.error("The market stand-in failed", error);
      send(response, FAILURE);
    });
  });
  return listen(server);
}

/** Matches the beginning of a browser's `User-Agent`, and of the `User-Agent` of a crawler that identifies itself. */
const knownAgent = /^Mozilla\/5\.0 \(.+\)/;

const FAILURE: StandInReply = { status: 500, type: "text/plain", body: "internal error" };

async function handle(
  { method, url = "/", headers }: IncomingMessage,
  response: ServerResponse,
  day: MarketState,
  faultOf: MarketStandInOptions["fault"],
): Promise<void> {
  const path = decodeURIComponent(new URL(url, "http://local").pathname);
  const fault = faultOf?.(path);
  switch (fault?.kind) {
    case "rateLimited":
      return send(response, { status: fault.status, type: "text/plain", body: "local_rate_limited" });
    case "failure":
      return send(response, FAILURE);
    case "delay":
      await delay(fault.milliseconds, response);
  }
  if (path.startsWith("/news/") && !knownAgent.test(headers["user-agent"] ?? "")) return;
  send(response, method === "GET" ? makeReply(path, day) : { status: 405, type: "text/plain", body: "" });
}

/** Waits for the given time, and rejects early if the client disconnects. */
async function delay(milliseconds: number, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  await sleep(milliseconds, undefined, { signal: gone.signal });
}

type MarketState = { readonly assets: readonly Asset[]; readonly now: number };

function makeReply(path: string, { assets, now }: MarketState): StandInReply {
  const [, area, resource, symbol] = /^\/(rhj|news)\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (area === "rhj" && resource === "assets" && symbol === undefined)
    return makeJsonReply({ assets: assets.map(makeAssetReply) });
  if (area === "rhj" && resource === "prices" && symbol !== undefined) {
    const asset = assets.find((one) => one.symbol === symbol);
    const quote = asset && makeQuote(asset, now);
    return makeJsonReply({ quotes: quote === undefined ? [] : [quote] });
  }
  if (area === "news" && resource !== undefined && symbol === undefined) {
    const type = "application/rss+xml; charset=utf-8";
    const asset = assets.find(({ symbol: listed }) => listed === resource);
    return { status: 200, type, body: makeNewsFeed(resource, asset, now) };
  }
  return { status: 404, type: "text/plain", body: "not found" };
}

function makeJsonReply(body: unknown): StandInReply {
  return { status: 200, type: "application/json", body: JSON.stringify(body) };
}

function send(response: ServerResponse, { status, type, body }: StandInReply): void {
  response.writeHead(status, { "content-type": type });
  response.end(body);
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type FeedItem = {
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

/** The UTC hours at which a headline appears. */
const HOURS = [1, 7, 13, 19] as const;

/**
 * An RSS 2.0 feed of fictional headlines about an asset, newest first. The feed covers the current UTC day up to `now` (milliseconds since
 * the epoch) and the two days before. So the feed is not empty after midnight. A day's headlines never change. If no asset is given,
 * the feed is empty.
 */
function makeNewsFeed(symbol: string, asset: Asset | undefined, now: number): string {
  const day = Math.floor(now / DAY);
  const items =
    asset === undefined ? [] : [day, day - 1, day - 2].flatMap((one) => listFeedItems(asset, one));
  const published = items.filter(({ publishedAt }) => publishedAt <= now);
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>${escaped(symbol)} headlines (fictional)</title>
<link>https://news.example.com/${encodeURIComponent(symbol)}</link>
<description>Fictional headlines for local use; no company said or did any of this.</description>
<lastBuildDate>${new Date(now).toUTCString()}</lastBuildDate>
${published.map(formatItem).join("\n")}
</channel></rss>
`;
}

function listFeedItems({ symbol, name }: Asset, day: number): readonly FeedItem[] {
  const first = day * HOURS.length + symbol.charCodeAt(0) + symbol.charCodeAt(1);
  return HOURS.map((hour, index) => {
    const source = SOURCES[(first + index) % SOURCES.length] ?? SOURCES[0];
    // Every day starts with a headline about the asset's business, so that a draft always has a subject.
    const headline = index === 0 ? RESULTS : (HEADLINES[(first + index) % HEADLINES.length] ?? HEADLINES[0]);
    const publishedAt = day * DAY + hour * HOUR;
    const date = new Date(publishedAt).toISOString().slice(0, 10);
    const link = `${source.url}/${symbol.toLowerCase()}/${date}/${hour}?ref=rss&lang=en`;
    return { title: `${name} ${headline}`, link, source, publishedAt };
  }).toReversed();
}

function formatItem({ title, link, source, publishedAt }: FeedItem): string {
  return `<item><title>${escaped(title)}</title><link>${escaped(link)}</link><guid isPermaLink="true">${escaped(link)}</guid><pubDate>${new Date(publishedAt).toUTCString()}</pubDate><source url="${escaped(source.url)}">${escaped(source.name)}</source><description><![CDATA[Fictional: <b>${title}</b>.]]></description></item>`;
}
