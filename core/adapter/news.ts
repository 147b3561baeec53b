import { newsUnavailable } from "../draft/error.ts";
import type { Headline } from "../draft/schema.ts";
import type { News } from "../port/news.ts";
import { headlinesIn } from "./feed.ts";

/** A feed of one ticker, or of each: then `{symbol}` in its address is the ticker, or else the ticker is appended to its path. */
export type Feed = { readonly symbol: string | undefined; readonly url: string };

/** Milliseconds for one feed. */
const timeout = 4_000;
const maxBytes = 1024 * 1024;
/** Milliseconds for which a container does not ask again about a ticker. */
const restTime = 2 * 60 * 1000;

/**
 * News from RSS and Atom feeds, all that there are for a ticker. One that fails is left out; `news_unavailable` is
 * thrown when every one does.
 */
export function feedNews(feeds: readonly Feed[], freshFor = restTime): News {
  const recent = new Map<string, { readonly until: number; readonly headlines: readonly Headline[] }>();
  return {
    async headlines(symbol) {
      const known = recent.get(symbol);
      if (known !== undefined && known.until > Date.now()) return known.headlines;
      const urls = feeds
        .filter((feed) => feed.symbol === undefined || feed.symbol === symbol)
        .map((feed) => address(feed, symbol));
      const answers = await Promise.allSettled(urls.map(read));
      const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
      if (failures.length > 0 && failures.length === answers.length) {
        throw newsUnavailable(new AggregateError(failures, `No feed of ${symbol} can be read`));
      }
      const headlines = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      recent.set(symbol, { until: Date.now() + freshFor, headlines });
      return headlines;
    },
  };
}

function address({ symbol: own, url }: Feed, symbol: string): URL {
  const ticker = encodeURIComponent(symbol);
  if (url.includes("{symbol}")) return new URL(url.replaceAll("{symbol}", ticker));
  const target = new URL(url);
  if (own === undefined) target.pathname = `${target.pathname.replace(/\/$/, "")}/${ticker}`;
  return target;
}

async function read(url: URL): Promise<readonly Headline[]> {
  try {
    const response = await fetch(url, {
      headers: { accept: "application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.1" },
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw new Error(`Status ${response.status}`);
    return headlinesIn(decoded(await bytesOf(response), response.headers.get("content-type") ?? ""), url);
  } catch (cause) {
    throw new Error(`The feed ${url.host}${url.pathname} gave no usable answer`, { cause });
  }
}

async function bytesOf({ body }: Response): Promise<Uint8Array> {
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

/** By the header's character set, else by the XML declaration's (RFC 7303), else as UTF-8. */
function decoded(bytes: Uint8Array, contentType: string): string {
  const declaration = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const charset =
    /charset="?([\w-]+)/i.exec(contentType)?.[1] ??
    /^[^<]*<\?xml[^>]*\bencoding=["']([\w-]+)/i.exec(declaration)?.[1] ??
    "utf-8";
  return new TextDecoder(charset).decode(bytes);
}
