import { decodeHTML } from "entities";
import { type AtomFeed, parseFeed, type RdfFeed, type RssFeed } from "feedsmith";
import * as z from "zod";
import type { Headline } from "../draft/schema.ts";

/** Items that are looked at; feeds are newest first. */
const maxItems = 50;
/** Characters. A summary is what a feed says about an article, never the article. */
const limits = { title: 200, summary: 600, source: 60, html: 20_000 };

type Raw = Readonly<Partial<Record<"title" | "summary" | "source" | "link" | "date", string | undefined>>>;

/** Longer ones are trackers rather than addresses. */
const Link = z.url({ protocol: /^https?$/ }).max(500);

/**
 * The items of an RSS, RDF or Atom feed that can be cited: with a title, a web address and a date. Entities that it
 * declares are left as they stand. Throws an Error for anything else.
 *
 * @param base the feed's own address, against which links are resolved
 */
export function headlinesIn(text: string, base: URL): readonly Headline[] {
  const parsed = parseFeed(text, { maxItems });
  switch (parsed.format) {
    case "rss":
      return rssItems(parsed.feed).flatMap((raw) => headline(raw, base, parsed.feed.title));
    case "rdf":
      return rdfItems(parsed.feed).flatMap((raw) => headline(raw, base, parsed.feed.title));
    case "atom":
      return atomItems(parsed.feed).flatMap((raw) => headline(raw, base, parsed.feed.title?.value));
    default:
      throw new Error(`A feed of the format ${parsed.format} is not read`);
  }
}

function rssItems({ items = [] }: RssFeed.Feed<string>): readonly Raw[] {
  return items.map(({ title, link, guid, description, pubDate, dc, source }) => ({
    title,
    link: link ?? (guid?.isPermaLink === false ? undefined : guid?.value),
    summary: description,
    date: pubDate ?? dc?.dates?.[0],
    source: source?.title,
  }));
}

function rdfItems({ items = [] }: RdfFeed.Feed<string>): readonly Raw[] {
  return items.map(({ title, link, description, dc }) => ({
    title,
    link,
    summary: description,
    date: dc?.dates?.[0],
    source: dc?.publishers?.[0],
  }));
}

function atomItems({ entries = [] }: AtomFeed.Feed<string>): readonly Raw[] {
  return entries.map(({ title, links = [], summary, published, updated, source }) => ({
    title: title?.value,
    link: links.find(({ rel }) => rel === undefined || rel === "alternate")?.href,
    summary: summary?.value,
    date: published ?? updated,
    source: source?.title?.value,
  }));
}

function headline(raw: Raw, base: URL, feedTitle: string | undefined): readonly Headline[] {
  const title = plain(raw.title, limits.title);
  const time = Date.parse(raw.date ?? "");
  const link = Link.safeParse(URL.parse(raw.link?.trim() ?? "", base)?.href);
  if (title === "" || raw.link === undefined || !link.success || Number.isNaN(time)) return [];
  const source = plain(raw.source, limits.source) || plain(feedTitle, limits.source);
  return [
    {
      title,
      summary: plain(raw.summary, limits.summary),
      source: source || new URL(link.data).hostname,
      link: link.data,
      publishedAt: new Date(time).toISOString(),
    },
  ];
}

/** What a reader would see of a piece of HTML, in one line of at most so many characters. */
function plain(html: string | undefined, length: number): string {
  const text = withoutTags(decodeHTML(withoutTags((html ?? "").slice(0, limits.html))))
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\p{Cf}/gu, "")
    .trim();
  return text.length <= length
    ? text.toWellFormed()
    : `${text.slice(0, length - 1).replace(/\s\S*$/, "")}…`.toWellFormed();
}

function withoutTags(html: string): string {
  return html.replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, " ").replace(/<[/!a-z][^<>]*(?:>|$)/gi, " ");
}
