import * as z from "zod";

/** The number of days for which views are stored. */
export const viewDays = 90;

/** The maximum number of referring hosts whose names are stored for one article on one day. */
export const mostHosts = 20;

/** The query string in the links of the site's feeds. A view with this query string counts as a view from a feed. */
export const feedMark = "from=feed";

const Count = z.int().nonnegative();

/** Views of an article on a UTC day. The numbers of views have no influence on any ranking. */
export const DayOfViews = z.object({
  day: z.iso.date(),
  slug: z.string(),
  direct: Count.describe(
    "Views without a referrer: the reader typed the address, or came from an app or from a site that sends no referrer.",
  ),
  site: Count.describe("Views from another page of this site."),
  feed: Count.describe("Views from a feed."),
  agent: Count.describe("Views by agents and programs that opened the page or read the article by the API."),
  hosts: z
    .array(z.tuple([z.string(), z.int().positive()]))
    .readonly()
    .describe(`Referring hosts, the most frequent first, ${mostHosts} at most.`),
  otherHosts: Count,
});
export type DayOfViews = Readonly<z.infer<typeof DayOfViews>>;

export const ViewPage = z.object({
  views: z.array(DayOfViews).readonly(),
  cursor: z.string().exactOptional(),
});
export type ViewPage = Readonly<z.infer<typeof ViewPage>>;

/** One page of the list of an author's views, with the number of wallets that follow the author. */
export const Views = ViewPage.extend({ followers: Count });
