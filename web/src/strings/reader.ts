import { feePercent } from "../../../core/press/schema.ts";
import { formatCount } from "../format.ts";

/** Texts of the list of presses. */
export const list = {
  title: "Short, audited news on tokenized stocks",
  lead: `Every article is audited before it goes on sale. Previews and audits are free. Unlock a text with one small payment: ${100 - feePercent}% of it goes to the author.`,
  search: "Search articles",
  searchHint: "Search headlines, companies, authors",
  stock: "Stock",
  newAuthor: "New author",
  allStocks: "All stocks",
  stockOption: (symbol: string, presses: number) => `${symbol} (${presses})`,
  sort: "Sort by",
  orders: {
    newest: "Newest first",
    fit: "Best match",
    score: "Highest audit score",
    cheapest: "Lowest price",
  },
  presses: "Articles",
  loading: "Loading articles…",
  failed: "The articles could not be loaded",
  above: (articles: number) => `, ${articles} of them above`,
  emptyTitle: "No articles yet",
  empty: "The first article appears here as soon as its author has minted it.",
  nothingTitle: "Nothing matches",
  nothing: "No article is about this stock.",
  nothingFound:
    "No article has all of these words. Try fewer words, a company's name, a ticker such as AAPL, or an author.",
  corrected: (asked: string, found: string) =>
    `No article contains “${asked}”. These articles contain “${found}”.`,
  named: "Stocks and authors with this name",
  stockPage: (symbol: string, name: string) => `${name} (${symbol})`,
  authorPage: (name: string, address: string) => `${name}, ${address}`,
  searchFailed: "The search did not work",
  showAll: "Show all articles",
  minutes: (minutes: number) => `${minutes} min read`,
  price: "Price",
  audit: "Audit",
  findings: ({ low, medium }: { readonly low: number; readonly medium: number }) => {
    const found = [...(medium > 0 ? [`${medium} medium`] : []), ...(low > 0 ? [`${low} minor`] : [])];
    return found.length === 0 ? "No issues found" : `Audit found ${found.join(", ")}`;
  },
  costs: (usdg: string) => `${usdg} USDG`,
  reads: (reads: number) => formatCount(reads, "read", "reads"),
  ai: "AI-assisted",
  holds: (stock: string) => `Author held ${stock}`,
} as const;

/** Texts of a press's page. */
export const press = {
  all: "All articles",
  loadingTitle: "Loading",
  loading: "Loading the article…",
  failedTitle: "The article could not be loaded",
  failed: "This article could not be loaded",
  about: "About this article",
  ai: "This article started as an AI draft.",
  text: "Full text",
  byline: (name: string) => `By ${name}`,
  audit: "Audit",
  verdicts: { approve: "Approved", revise: "Needs revision", reject: "Rejected" },
  auditedBy: (engine: string) => `By ${engine}`,
  issues: "Audit findings",
  noIssues: "No issues found.",
  issuesFailed: "The findings could not be loaded.",
  checks: (checks: number) => `What was checked: ${formatCount(checks, "check", "checks")}`,
  ranBy: { rules: "rules", model: "model", "rules and model": "rules and model" },
  found: (found: number) => (found === 0 ? "no issues" : formatCount(found, "finding", "findings")),
  cannotJudge: (what: string) => `Cannot judge ${what}.`,
  reading: (claims: number, unsupported: number, dropped: number) => {
    const listed =
      claims === 0
        ? "The model listed no claims of fact."
        : `The model listed ${formatCount(claims, "claim", "claims")} of fact, ${unsupported === 0 ? "each" : `all but ${unsupported}`} with support for it.`;
    return dropped === 0
      ? listed
      : `${listed} ${formatCount(dropped, "entry", "entries")} misquoted the text and ${dropped === 1 ? "was" : "were"} left out.`;
  },
  wholeReport: "Read the whole report",
  how: "How the audit works",
  disputed: "Disputed:",
  severities: { low: "Low", medium: "Medium", high: "High", critical: "Critical" },
  since: (stock: string) => `${stock} since publication`,
  atPublish: "At publication",
  now: "Now",
  dayRange: "Day’s range",
  chart: (stock: string, before: string, after: string, range: string) =>
    `${stock} was ${before} at publication and is ${after} now; the day’s range is ${range}.`,
  halted: "Trading is halted",
  holds: (stock: string) => `Disclosure: the author held ${stock} when this article was audited.`,
  holdsNot: (stock: string) => `The author held no ${stock} when this article was audited.`,
  readers: "Readers",
  unlocked: "Unlocked",
  votes: "Votes",
  readerVotes: "Wallets that unlocked it",
  otherVotes: "Other wallets",
  corrections: "Corrections",
  correction: (day: string) => `Correction, ${day}:`,
  unlisted: (day: string) =>
    `The author took this article off sale on ${day}. Readers who have unlocked the article keep it, and readers who have begun a purchase can complete it.`,
  votesNote: "Anyone can vote onchain. The author’s own vote never counts.",
  tags: "Tags from voters",
  onchain: "Onchain",
  pressIs: "The chain, and programs that use the API, call an article a press.",
  identity: "Identity",
  number: (id: number) => `No. ${id}`,
  publisher: "Author",
  minted: "Minted",
  verdictPosted: "Verdict onchain",
} as const;

const tags: Readonly<Record<string, string>> = {
  accurate: "Accurate",
  "well-sourced": "Well sourced",
  insightful: "Insightful",
  misleading: "Misleading",
  outdated: "Outdated",
  biased: "Biased",
};

/** Texts of the vote. */
export const vote = {
  title: "Was it worth reading?",
  lead: "A vote is a public transaction from your wallet. It costs a little ETH for gas. Your latest vote counts.",
  value: "Your vote",
  up: "Worth it",
  down: "Not worth it",
  tag: "Tag",
  noTag: "No tag",
  tagName: (tag: string) => tags[tag] ?? tag,
  cast: "Vote onchain",
  steps: {
    asking: "Confirm in your wallet…",
    mining: "Waiting for the chain…",
    recording: "Counting your vote…",
  },
  goOn: "Count my vote",
  unfinished: "Your vote was sent and is not counted yet.",
  yours: "You voted:",
  choose: "Choose “Worth it” or “Not worth it” first.",
  again: "Change your vote",
  own: "Authors cannot vote on their own article.",
  reverted: "The chain refused the vote. An author cannot vote on their own article.",
  slow: "The chain has not confirmed your vote yet. Try again in a moment. If your wallet has replaced the transaction, send another vote.",
  anew: "Send another vote",
  gasLead: "Or we send you this ETH, once, if the fee that you paid for this article covers it.",
  gasGet: "Get the gas for this vote",
} as const;

/** Texts that the site itself adds when it shows the text of a press. */
export const prose = {
  asWritten: "This text is shown as it was written, because its formatting cannot be shown.",
  table: "Table",
  notes: "Notes",
  backTo: (note: number) => `Back to note ${note} in the text`,
} as const;

/** Texts of charts. */
export const chart = {
  tooFew: "No chart yet. Prices are recorded every five minutes.",
  read: "Point at the line, touch it, or use the arrow keys to see a price.",
  table: "Prices as a table",
  time: "Time",
  price: "Price",
  published: "Published",
  more: (symbol: string) => `All about ${symbol}`,
} as const;

/** Texts about followed authors and stocks, and about saved articles. */
export const follow = {
  follow: "Follow",
  following: "Following",
  save: "Save",
  saved: "Saved",
  feed: "RSS feed",
  notKept: "This browser keeps no data for this site, so it cannot remember whom you follow.",
  isNew: "New",
} as const;

/** The texts for sharing an article. */
export const share = {
  title: "Share",
  native: "Share…",
  link: "Link",
  to: (place: string) => `Share on ${place}`,
  preview: "How the link looks",
  card: (headline: string) => `Preview card: ${headline}`,
} as const;

/** Texts of the suggestions of other articles, which are shown below a press. */
export const after = {
  byAuthor: (name: string) => `Next by ${name}`,
  related: (symbol: string) => `More about ${symbol}`,
  others: "Newest",
} as const;

/** Texts of the sections of the first page. */
export const front = {
  lead: "Lead story",
  followed: "From authors and stocks you follow",
  fresh: (presses: number) => `${formatCount(presses, "new article", "new articles")} since your last visit`,
  nothingNew: "Nothing new since your last visit",
  held: "About your holdings",
  heldLead: (symbols: string) => `Your wallet holds ${symbols}.`,
  read: "Most read this week",
  rated: "Best rated this week",
  unlocked: "Unlocked",
  own: "Yours",
} as const;

/** Texts of the box in which a reader buys the text of a press. */
export const unlock = {
  unlockTitle: "Unlock the full text",
  unlockLead: "Pay once in USDG. Read it whenever you sign in with the same wallet.",
  priceLabel: "Price",
  priceSince: "Price since",
  offSaleTitle: "Off sale",
  offSale: "This article cannot be unlocked now. If you have paid for it, sign in with the same wallet.",
  split: (fee: string, publisher: string) => `${publisher} to the author, ${fee} platform fee`,
  unlock: (price: string) => `Unlock for ${price}`,
  resume: (left: string) => `Pay the remaining ${left}`,
  half: ({ fee, publisher }: { readonly fee: string; readonly publisher: string }) =>
    `You paid the platform fee of ${fee}. The fee is kept for this article and is not charged again. Pay the remaining ${publisher} to the author with one signature.`,
  halfTitle: "Half paid",
  under: "Your payment is in progress…",
  readOnlyNote: "Your wallet signs twice. The wallet needs USDG on Robinhood Chain, but no ETH.",
  alreadyBought: "Already bought it? Sign in",
  leftToPay: "Left to pay",
} as const;
