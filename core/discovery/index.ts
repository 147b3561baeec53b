import { escapeText } from "entities/escape";
import { generateRssFeed } from "feedsmith";
import * as z from "zod";
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
export { llms, robots } from "./llms.ts";

type Ports = { readonly table: Table; readonly settings: Pick<Settings, "origin"> };

export const FeedQuery = z.object({
  stock: StockSymbol.optional().describe("A ticker in any case: only presses about its stock."),
});
export type FeedQuery = z.infer<typeof FeedQuery>;

const feedSize = 50;

/**
 * The newest live presses as RSS 2.0, of all stocks or of one: what is free of them, never a text. One request to the
 * table.
 */
export async function feed({ table, settings }: Ports, { stock }: FeedQuery): Promise<string> {
  const { presses } = await Press.list({ table }, { stock, limit: feedSize });
  const [newest] = presses;
  const { site, feed: url } = links(settings);
  const about = stock === undefined ? "tokenized stocks" : `the stock token ${stock}`;
  return generateRssFeed({
    title: stock === undefined ? serviceName : `${serviceName}: ${stock}`,
    link: site,
    description: `Free previews of short news articles about ${about}. Nothing published here is investment advice.`,
    language: "en",
    ...(newest !== undefined && { lastBuildDate: new Date(newest.publishedAt) }),
    atom: {
      links: [
        {
          rel: "self",
          type: "application/rss+xml",
          href: stock === undefined ? url : `${url}?stock=${stock}`,
        },
      ],
    },
    items: presses.map((press) => item(settings.origin, press)),
  });
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
