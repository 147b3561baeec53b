import * as z from "zod";
import { parseJson, tryCall } from "../error.ts";
import { findId } from "../press/index.ts";
import { feedMark } from "./schema.ts";

/** The fields of one line in the log of the content network (the edge). `-` stands for a missing value. */
const Line = z.object({
  date: z.iso.date(),
  "cs-method": z.string(),
  "cs-uri-stem": z.string().max(200),
  "cs-uri-query": z.string().default("-"),
  "sc-status": z.union([z.string(), z.number()]).transform(String),
  "cs(Referer)": z.string().default("-"),
  "cs(User-Agent)": z.string().default("-"),
});

/** The names of the log fields from which views are counted. */
export const lineFields: readonly string[] = Object.keys(Line.shape);

export type ViewSource = "direct" | "site" | "feed" | "agent" | { readonly host: string };

export type View = {
  readonly day: string;
  readonly id: number;
  readonly slug: string;
  readonly source: ViewSource;
};

/** The names of programs that read an article because a person has just asked for it. */
const agents =
  /\b(ChatGPT-User|Claude-User|Claude-Code|Perplexity-User|MistralAI-User|DuckAssistBot|Gemini-Deep-Research|Devin|Manus-User|NovaAct|GoogleAgent|press-market)\b/i;
/** The names of crawlers, link previews and monitors, whose requests do not count as views. */
const bots =
  /bot\b|bot[/_-]|crawl|spider|slurp|preview|scan|monitor|uptime|headless|lighthouse|facebookexternalhit|whatsapp|embedly|bingpreview|archive|feedfetcher|google-/i;
const feedReaders =
  /^(?:[a-z0-9-]+\.)*(?:feedly\.com|inoreader\.com|newsblur\.com|theoldreader\.com|feedbin\.com|netvibes\.com|miniflux\.app|freshrss\.org|bazqux\.com|feeder\.co)$/;

/**
 * Returns the view that a line of the edge's log records. Returns `undefined` for a request that is not a view, for a request by a bot, and
 * for a line of an unexpected form. The log's lines contain text from strangers and must not be trusted. `site` is the
 * site's own host.
 */
export function parseView(text: string, site: string): View | undefined {
  const line = Line.safeParse(parseJson(text)).data;
  if (line === undefined || line["cs-method"] !== "GET" || !/^(200|304)$/.test(line["sc-status"]))
    return undefined;
  const [, kind, slug = ""] =
    /^\/(press|api\/presses)\/([0-9a-z-]{1,80})\/?$/.exec(line["cs-uri-stem"]) ?? [];
  const id = findId(slug);
  if (kind === undefined || id === undefined) return undefined;
  const agent = decodeUri(line["cs(User-Agent)"]);
  const referrer = URL.parse(decodeUri(line["cs(Referer)"]));
  const source =
    kind === "press"
      ? findPageSource(agent, referrer, line["cs-uri-query"], site)
      : findReadSource(agent, referrer, slug, site);
  return source && { day: line.date, id, slug, source };
}

/** The edge's log contains some characters in percent-encoding (CloudFront's "Standard logging reference"). */
const decodeUri = (value: string) => tryCall(() => decodeURIComponent(value)) ?? value;

function findPageSource(
  agent: string,
  referrer: URL | null,
  query: string,
  site: string,
): ViewSource | undefined {
  if (agents.test(agent)) return "agent";
  // Every browser calls itself Mozilla. A program that does not call itself Mozilla is no browser, and its requests for pages do not count
  // as views.
  if (!agent.startsWith("Mozilla/") || bots.test(agent)) return undefined;
  if (query.split("&").includes(feedMark)) return "feed";
  if (referrer === null) return "direct";
  if (referrer.host === site) return "site";
  const host = readHost(referrer);
  return feedReaders.test(host) ? "feed" : { host };
}

/**
 * A request to the API counts as a view by a program, or by a reader who comes from another page of the site. If an
 * article's page requests this article from the API, this request is not counted, because the page itself is already counted as a view.
 */
function findReadSource(
  agent: string,
  referrer: URL | null,
  slug: string,
  site: string,
): ViewSource | undefined {
  if (agents.test(agent)) return "agent";
  if (bots.test(agent)) return undefined;
  if (!agent.startsWith("Mozilla/")) return "agent";
  if (referrer?.host !== site || referrer.pathname.replace(/\/$/, "") === `/press/${slug}`) return undefined;
  return "site";
}

/** Returns the host of a referrer, or an empty text if the referrer is not a page of a public host. */
function readHost({ protocol, hostname }: URL): string {
  const host = hostname.replace(/^www\./, "").replace(/\.$/, "");
  if (host.length > 80) return "";
  const isNamed =
    /^https?:|^android-app:/.test(protocol) && /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(host);
  return isNamed ? host : "";
}
