import { count } from "../format.ts";

/** A token's name without what it says of its issuer. */
export function companyOf(name: string): string {
  return name.split(" • ")[0] ?? name;
}

/** Words of charts. */
export const chart = {
  tooFew: "No chart yet. Prices are recorded every five minutes.",
  read: "Point at the line or use the arrow keys to see a price.",
  table: "Prices as a table",
  time: "Time",
  price: "Price",
  week: (change: string) => (change === "" ? "" : `${change} in 7 days`),
  published: "Published",
  more: (symbol: string) => `All about ${symbol}`,
} as const;

/** Words of following. */
export const follow = {
  follow: "Follow",
  following: "Following",
  feed: "RSS feed",
  notKept: "This browser keeps no data for this site, so it cannot remember whom you follow.",
  isNew: "New",
} as const;

/** Words of a stock's page. */
export const stock = {
  loading: "Loading the stock…",
  failed: "This stock could not be loaded",
  title: (symbol: string, name: string) => `${symbol}: ${name}`,
  lead: (symbol: string) => `The price of the stock token ${symbol}, and the presses about it.`,
  quote: "Quote",
  now: "Now",
  dayRange: "Day’s range",
  volume: "Shares traded today",
  asOf: "As of",
  token: "Token",
  halted: "Trading is halted",
  range: "Time shown",
  ranges: { day: "Day", week: "Week", year: "Year" },
  chart: (symbol: string, range: string, from: string, to: string) =>
    `Price of ${symbol}, ${range.toLowerCase()}: from ${from} to ${to}`,
  presses: (symbol: string) => `Presses about ${symbol}`,
  none: "There are no presses about this stock yet.",
  pressesFailed: "The presses could not be loaded",
} as const;

/** Words of an author's page. */
export const author = {
  loading: "Loading the author…",
  failed: "This author could not be loaded",
  lead: (since: string) => `Publishing here since ${since}.`,
  record: "Record",
  presses: "Presses",
  reads: "Paid reads",
  votes: "Reader votes",
  votesOf: (up: number, down: number) => `${up} up, ${down} down`,
  audits: "Audit scores",
  auditsOf: (lowest: number, average: number, highest: number) =>
    lowest === highest ? `${average}` : `${lowest} to ${highest}, ${average} on average`,
  wallet: "Wallet",
  names: "Bylines",
  since: (day: string) => `since ${day}`,
  incomplete: "These figures cover the author’s newest presses only.",
  published: "Published",
  moves: "Prices after publication",
  movesLead:
    "How each stock’s price has moved since the press went live. This is no rating: prices move for many reasons.",
  press: "Press",
  before: "At publication",
  today: "Last price",
  change: "Change",
  unknown: "not known",
} as const;

/** Words of sharing. */
export const share = {
  title: "Share",
  link: "Link",
  to: (place: string) => `Share on ${place}`,
  preview: "How the link looks",
  card: (headline: string) => `Preview card: ${headline}`,
} as const;

/** Words of what comes after a press. */
export const after = {
  byAuthor: (name: string) => `Next by ${name}`,
  related: (symbol: string) => `More about ${symbol}`,
  others: "Newest",
} as const;

/** Words of the first page's parts. */
export const front = {
  lead: "Lead story",
  followed: "From authors and stocks you follow",
  fresh: (presses: number) => `${count(presses, "new press", "new presses")} since your last visit`,
  nothingNew: "Nothing new since your last visit",
  held: "About your holdings",
  heldLead: (symbols: string) => `Your wallet holds ${symbols}.`,
  read: "Most read this week",
  rated: "Best rated this week",
  newest: "All presses",
  unlocked: "Unlocked",
  own: "Yours",
} as const;
