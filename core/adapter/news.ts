import { decodeHTML } from "entities";
import { type AtomFeed, parseFeed, type RdfFeed, type RssFeed } from "feedsmith";
import * as z from "zod";
import { makeNewsError } from "../draft/error.ts";
import type { Headline, News } from "../draft/schema.ts";
import type { Log } from "../port/cloud.ts";

/** A feed's address. If the address contains `{symbol}`, the ticker replaces it; otherwise the ticker is appended to the path. */
export type NewsFeed = { readonly symbol: string | undefined; readonly url: string };

/** The maximum number of milliseconds that reading one feed may take. Drafting waits until all feeds have answered or failed. */
const timeout = 2_000;
const maxBytes = 1024 * 1024;
/** Milliseconds for which a container caches the news about a ticker. */
const restTime = 2 * 60 * 1000;
/** After a time-out, the feed is not asked again for this number of milliseconds, whatever the ticker is. */
const silentTime = 60 * 1000;

type NewsOptions = {
  /** The `User-Agent` that is sent to feeds, made by `makeUserAgent`. */
  readonly agent: string;
  readonly log?: Log | undefined;
  readonly freshFor?: number | undefined;
  readonly timeLimit?: number | undefined;
};

/**
 * The `User-Agent` of the service: its name, its address and a contact, in the form that crawlers use. Some feeds, such as Nasdaq's, refuse
 * or delay requests that name no program, and the SEC requires an email address.
 */
export function makeUserAgent(origin: string | undefined, contact: string | undefined): string {
  const about = ["compatible", "press-market/1.0", origin && `+${origin}/`, contact];
  return `Mozilla/5.0 (${about.filter((part) => part !== undefined).join("; ")})`;
}

/** News about a ticker from all RSS and Atom feeds. A feed that fails is only logged. Throws `news_unavailable` if all feeds fail. */
export function openFeedNews(
  feeds: readonly NewsFeed[],
  { agent, log, freshFor = restTime, timeLimit = timeout }: NewsOptions,
): News {
  const silentUntil = new Map<string, number>();

  async function askFeed(feed: NewsFeed, symbol: string): Promise<readonly Headline[]> {
    const url = makeFeedUrl(feed, symbol);
    if ((silentUntil.get(feed.url) ?? 0) > Date.now())
      throw new Error(`The feed ${url.host} gave no answer a moment ago`);
    try {
      return await readFeed(url, { agent, timeLimit });
    } catch (cause) {
      if (cause instanceof Error && cause.name === "TimeoutError")
        silentUntil.set(feed.url, Date.now() + silentTime);
      const error = new Error(`The feed ${url.host}${url.pathname} gave no usable answer`, { cause });
      log?.warn("news_feed_failed", { host: url.host, symbol, error });
      throw error;
    }
  }

  const recent = new Map<string, { readonly until: number; readonly headlines: readonly Headline[] }>();
  return {
    async listHeadlines(symbol) {
      const known = recent.get(symbol);
      if (known !== undefined && known.until > Date.now()) return known.headlines;
      const own = feeds.filter((feed) => feed.symbol === undefined || feed.symbol === symbol);
      const answers = await Promise.allSettled(own.map((feed) => askFeed(feed, symbol)));
      const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
      if (failures.length > 0 && failures.length === answers.length) {
        throw makeNewsError(new AggregateError(failures, `No feed of ${symbol} can be read`));
      }
      const headlines = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      recent.set(symbol, { until: Date.now() + freshFor, headlines });
      return headlines;
    },
  };
}

/** The address of a feed for a ticker. */
export function makeFeedUrl({ symbol: own, url }: NewsFeed, symbol: string): URL {
  const ticker = encodeURIComponent(symbol);
  if (url.includes("{symbol}")) return new URL(url.replaceAll("{symbol}", ticker));
  const target = new URL(url);
  if (own === undefined) target.pathname = `${target.pathname.replace(/\/$/, "")}/${ticker}`;
  return target;
}

/** Reads one news feed. Throws a TimeoutError if the feed does not answer in time, and an Error if the feed's answer is unusable. */
export async function readFeed(
  url: URL,
  { agent, timeLimit = timeout }: { readonly agent: string; readonly timeLimit?: number | undefined },
): Promise<readonly Headline[]> {
  const response = await fetch(url, {
    headers: {
      accept: "application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.1",
      "user-agent": agent,
    },
    signal: AbortSignal.timeout(timeLimit),
  });
  if (!response.ok) throw new Error(`Status ${response.status}`);
  return parseHeadlines(
    decodeText(await readBytes(response), response.headers.get("content-type") ?? ""),
    url,
  );
}

async function readBytes({ body }: Response): Promise<Uint8Array> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const part = await reader?.read();
    if (part?.value === undefined) return Buffer.concat(chunks);
    size += part.value.length;
    if (size > maxBytes) {
      await reader?.cancel();
      throw new Error(`The feed is larger than ${maxBytes} bytes`);
    }
    chunks.push(part.value);
  }
}

/**
 * The character set is taken from the header, or else from the XML declaration (RFC 7303); if neither names a character set, UTF-8 is used.
 */
function decodeText(bytes: Uint8Array, contentType: string): string {
  const declaration = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const charset =
    /charset="?([\w-]+)/i.exec(contentType)?.[1] ??
    /^[^<]*<\?xml[^>]*\bencoding=["']([\w-]+)/i.exec(declaration)?.[1] ??
    "utf-8";
  return new TextDecoder(charset).decode(bytes);
}

/** The maximum number of items that are read from one feed. A feed lists its newest items first. */
const maxItems = 50;
/**
 * The maximum lengths, in characters, of the texts that are taken from a feed. A summary is the feed's own text about an item, never the
 * text of the article.
 */
const limits = { title: 200, summary: 600, source: 60, html: 20_000 };

type RawEntry = Readonly<
  Partial<Record<"title" | "summary" | "source" | "link" | "date", string | undefined>>
>;

/** A link's address. An address of more than 500 characters is refused as a tracking link. */
const Link = z.url({ protocol: /^https?$/ }).max(500);

/**
 * The items of an RSS, RDF or Atom feed that can be cited, because they have a title, a web address and a date. If the XML of a feed
 * declares entities, these entities are not expanded. Throws an Error for a document that is not RSS, RDF or Atom.
 * @param base the feed's own address, against which links are resolved
 */
function parseHeadlines(text: string, base: URL): readonly Headline[] {
  const parsed = parseFeed(text, { maxItems });
  switch (parsed.format) {
    case "rss":
      return readRssItems(parsed.feed).flatMap((raw) => makeHeadline(raw, base, parsed.feed.title));
    case "rdf":
      return readRdfItems(parsed.feed).flatMap((raw) => makeHeadline(raw, base, parsed.feed.title));
    case "atom":
      return readAtomItems(parsed.feed).flatMap((raw) => makeHeadline(raw, base, parsed.feed.title?.value));
    default:
      throw new Error(`A feed of the format ${parsed.format} is not read`);
  }
}

function readRssItems({ items = [] }: RssFeed.Feed<string>): readonly RawEntry[] {
  return items.map(({ title, link, guid, description, pubDate, dc, source }) => ({
    title,
    link: link ?? (guid?.isPermaLink === false ? undefined : guid?.value),
    summary: description,
    date: pubDate ?? dc?.dates?.[0],
    source: source?.title,
  }));
}

function readRdfItems({ items = [] }: RdfFeed.Feed<string>): readonly RawEntry[] {
  return items.map(({ title, link, description, dc }) => ({
    title,
    link,
    summary: description,
    date: dc?.dates?.[0],
    source: dc?.publishers?.[0],
  }));
}

function readAtomItems({ entries = [] }: AtomFeed.Feed<string>): readonly RawEntry[] {
  return entries.map(({ title, links = [], summary, published, updated, source }) => ({
    title: title?.value,
    link: links.find(({ rel }) => rel === undefined || rel === "alternate")?.href,
    summary: summary?.value,
    date: published ?? updated,
    source: source?.title?.value,
  }));
}

function makeHeadline(raw: RawEntry, base: URL, feedTitle: string | undefined): readonly Headline[] {
  const title = toPlainText(raw.title, limits.title);
  const time = Date.parse(raw.date ?? "");
  const link = Link.safeParse(URL.parse(raw.link?.trim() ?? "", base)?.href);
  if (title === "" || raw.link === undefined || !link.success || Number.isNaN(time)) return [];
  const source = toPlainText(raw.source, limits.source) || toPlainText(feedTitle, limits.source);
  return [
    {
      title,
      summary: toPlainText(raw.summary, limits.summary),
      source: source || new URL(link.data).hostname,
      link: link.data,
      publishedAt: new Date(time).toISOString(),
    },
  ];
}

/** The visible text of an HTML document, in one line that has at most the given number of characters. */
function toPlainText(html: string | undefined, length: number): string {
  const text = removeTags(decodeHTML(removeTags((html ?? "").slice(0, limits.html))))
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\p{Cf}/gu, "")
    .trim();
  return text.length <= length
    ? text.toWellFormed()
    : `${text.slice(0, length - 1).replace(/\s\S*$/, "")}…`.toWellFormed();
}

function removeTags(html: string): string {
  return html.replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, " ").replace(/<[/!a-z][^<>]*(?:>|$)/gi, " ");
}
