import { escapeText } from "entities/escape";
import { generateRssFeed } from "feedsmith";
import * as z from "zod";
import { AddressInput, lower } from "../chain/hex.ts";
import { StockSymbol } from "../market/schema.ts";
import type { Settings } from "../port/settings.ts";
import * as Press from "../press/index.ts";
import type { Press as LivePress } from "../press/schema.ts";
import type { Table } from "../table.ts";
import { links, serviceName } from "./document.ts";

export {
  document,
  endpointLines,
  flow,
  linkHeader,
  links,
  serviceDescription,
  serviceName,
} from "./document.ts";
export { compPackage, dollars, licence, pressLicence } from "./licence.ts";
export { llms, robots } from "./llms.ts";

type Ports = { readonly table: Table; readonly settings: Pick<Settings, "origin"> };

export const FeedQuery = z
  .object({
    stock: StockSymbol.optional().describe("A ticker in any case: only presses about its stock."),
    author: AddressInput.transform(lower)
      .optional()
      .describe("A wallet's address in any case: only presses that it published."),
  })
  .refine(({ stock, author }) => stock === undefined || author === undefined, {
    message: "is of a stock or of an author, not of both",
    path: ["author"],
  });
export type FeedQuery = z.infer<typeof FeedQuery>;

const feedSize = 50;

/**
 * The newest live presses as RSS 2.0, of all stocks, of one, or of one author: what is free of them, never a text. One
 * request to the table. Throws `missing` `unknown_author`.
 */
export async function feed({ table, settings }: Ports, query: FeedQuery): Promise<string> {
  const { stock, author } = query;
  const presses = await pressesFor({ table }, query);
  const [newest] = presses;
  const { site, feed: url } = links(settings);
  const about = stock === undefined ? "tokenized stocks" : `the stock token ${stock}`;
  const of = stock ?? (author === undefined ? undefined : printable(newest?.publisherName ?? author));
  const page = author === undefined ? site : `${settings.origin}/by/${author}`;
  const search = new URLSearchParams({ ...(stock && { stock }), ...(author && { author }) });
  return generateRssFeed({
    title: of === undefined ? serviceName : `${serviceName}: ${of}`,
    link: stock === undefined ? page : `${settings.origin}/stock/${stock}`,
    description: `Free previews of short news articles about ${about}. Nothing published here is investment advice.`,
    language: "en",
    ...(newest !== undefined && { lastBuildDate: new Date(newest.publishedAt) }),
    atom: {
      links: [
        {
          rel: "self",
          type: "application/rss+xml",
          href: search.size === 0 ? url : `${url}?${search}`,
        },
      ],
    },
    items: presses.map((press) => item(settings.origin, press)),
  });
}

async function pressesFor(
  ports: { readonly table: Table },
  { stock, author }: FeedQuery,
): Promise<readonly LivePress[]> {
  if (author === undefined) return (await Press.list(ports, { stock, limit: feedSize })).presses;
  return (await Press.author(ports, author)).presses.slice(0, feedSize);
}

function item(origin: string, press: LivePress) {
  const url = Press.pageUrl(origin, press.slug);
  return {
    title: printable(press.headline),
    link: url,
    // Readers take a description for HTML; a preview is text.
    description: escapeText(printable(press.preview)),
    guid: { value: url, isPermaLink: true },
    pubDate: new Date(press.publishedAt),
    categories: [{ name: press.stock }],
    dc: { creators: [printable(press.publisherName)] },
  };
}

/** Without the characters that XML 1.0 §2.2 has no place for, escaped or not. */
function printable(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
}
