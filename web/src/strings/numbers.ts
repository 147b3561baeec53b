import { count } from "../format.ts";

/** Texts about readers and payments. */
export const numbers = {
  readers: "Readers",
  readersLead:
    "How often your articles were opened, and where readers came from. Days are UTC. New views are here within about an hour.",
  readersLoading: "Loading the views…",
  readersFailed: "The views could not be loaded",
  followers: (followers: number) =>
    `${count(followers, "wallet follows", "wallets follow")} you. Who follows in a browser without a wallet, or by a feed, is not counted.`,
  article: "Article",
  all: "All articles",
  chartTitle: (days: number) => `Views in the last ${days} days`,
  chart: (views: number, days: number) => `${count(views, "view", "views")} in the last ${days} days`,
  views: (views: number) => count(views, "view", "views"),
  ofViews: (unlocks: number | undefined, views: number) =>
    unlocks === undefined
      ? ""
      : `${count(unlocks, "unlock", "unlocks")}${views === 0 ? "" : `, ${share(unlocks, views)} of views`}`,
  share,
  sources: "Views by source",
  sourceColumns: ["Source", "Views", "Share"],
  kinds: {
    direct: "Direct, or unknown",
    site: "This site",
    feed: "Feeds",
    agent: "Agents and programs",
    otherHosts: "Other sites",
  },
  byDay: "Views by day",
  dayColumns: ["Day", "Views", "Unlocks", "Unlocks of views"],
  unknownTitle: "What these numbers do not say",
  unknown: [
    "Views are counted from the log of our content network, which holds no network address and no cookie. So one reader who comes twice is two views, and nobody knows which view became which unlock.",
    "A source is what the reader’s browser names: the other site’s host, never its page. Many apps and some sites name nothing, so “Direct, or unknown” is more than typed addresses.",
    "A view from this site may be a pointer that rested on a link to your article: the site loads it then.",
    "Search engines, link previews and other known bots are left out. A bot that calls itself a browser is counted as a reader.",
    "Agents that read through MCP cannot be told by article, so they are not in these numbers. Their payments are.",
    "The network delivers its log with delays of minutes up to a day, and promises no complete one. Views are kept for ninety days, and no ranking uses them.",
  ],
  months: "Payments by month",
  monthsLoading: "Loading all payments…",
  monthsFailed: "The payments could not be loaded",
  monthColumns: ["Month (UTC)", "Payments", "USDG", "Table"],
  month: (name: string) =>
    new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" }).format(
      new Date(`${name}-01T00:00:00Z`),
    ),
  csv: "CSV",
  tax: [
    "These are the payments to your own wallet, in USDG, as the chain settled them. Readers pay the platform’s fee themselves, so nothing is to be subtracted.",
    "Each payment has its UTC time and day. USDG is a token that stands for one US dollar. This site records no other rate: for another currency, use the rate of the dollar on the payment’s day.",
  ],
} as const;

function share(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)}%`;
}
