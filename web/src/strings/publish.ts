import { type DashboardPress, feePercent, priceRange, type Wait } from "../../../core/press/schema.ts";
import { formatCount } from "../format.ts";

type PressStatus = DashboardPress["status"];

/** Texts that the publisher's pages share, and the texts of the dashboard. */
export const publish = {
  title: "Your articles",
  lead: "Your articles and their earnings.",
  earnTitle: "What you earn",
  earn: [
    `You set a price from ${priceRange} USDG, and get ${100 - feePercent}% of it from each reader.`,
    "Each payment goes straight to your wallet. We keep no balance for you, and you need not wait for a payout.",
    "Writing, AI drafts and audits are free. You pay gas once, for the transaction that makes an article live.",
  ],
  signInLead: "Your drafts are shown to nobody else. Sales are public on the chain.",
  sessionEnded: "Your session has ended. Sign in with your wallet to publish.",
  signInAgain: "This session began with a payment and can only read. Sign in with your wallet to publish.",
  loading: "Loading your articles…",
  failed: "Your articles could not be loaded",
  pressLoading: "Loading the article…",
  pressFailed: "The article could not be loaded",
  write: "Write an article",
  earned: "Earned",
  live: "Live articles",
  reads: "Paid reads",
  emptyTitle: "Write your first article",
  empty: `An article is short and about one tokenized stock. You write an article, an audit checks it, you mint it, and readers pay for it. ${100 - feePercent}% of each price goes straight to your wallet.`,
  emptySteps: [
    "Write it yourself, or start from an AI draft.",
    "Run the audit. The audit tells you what to change.",
    "Mint the article’s identity from your wallet, and the article is live.",
  ],
  belowGas: (carrying: string) =>
    `At today’s gas price, a price below ${carrying} USDG does not pay for the gas of a read. The sale of an article with such a price may stop for the rest of the day (UTC).`,
  priceToday: (carrying: string, least: string) =>
    `Today a price of ${carrying} USDG pays for the gas of a read. The lowest price that is accepted is ${least} USDG.`,
  waits: {
    audit: "Waits for an audit. Saved",
    "audit-running": "Is being audited. Begun",
    revision: "Waits for your revision. Audited",
    mint: "Waits to be minted. Audited",
    confirmation: "Minted, and not confirmed yet. Reported",
  } satisfies Readonly<Record<Wait["for"], string>>,
  presses: "Articles",
  payments: "Payments",
  inWallet:
    "Readers pay your wallet directly, as long as it holds the article’s identity. There is nothing to withdraw.",
  noPayments: "No payment yet. Each unlock of an article is listed here with its transaction.",
  chart: (unlocks: number, earned: string, days: number) =>
    `${formatCount(unlocks, "unlock", "unlocks")} in the last ${days} days, ${earned} USDG`,
  chartTitle: (days: number) => `Earned in the last ${days} days`,
  chartUnlocks: (unlocks: number) => formatCount(unlocks, "unlock", "unlocks"),
  paidBy: "Paid by",
  paidTo: "Paid to",
  transaction: "Transaction",
  unsavedTitle: "Unfinished",
  unsaved:
    "These texts do not meet the limits for articles yet. We store them for your wallet, so you see them on all of your devices.",
  onlyHere: "In this browser only",
  unfinishedChanges: "Has unfinished changes",
  untitled: "No headline yet",
  changed: (when: string) => `Changed ${when}`,
  continueWriting: "Continue writing",
  discard: "Discard",
  discardTitle: "Discard this text?",
  discardLead: "The text is deleted from all of your devices. You cannot undo this.",
  about: (headline: string) => `: ${headline}`,
  status: {
    draft: "Draft",
    revise: "Needs revision",
    rejected: "Rejected",
    approved: "Approved",
    live: "Live",
  } satisfies Readonly<Record<PressStatus, string>>,
  next: {
    draft: "Continue to the audit",
    revise: "Revise it",
    rejected: "Rewrite it",
    approved: "Mint it",
    live: "View and share",
  } satisfies Readonly<Record<PressStatus, string>>,
  edit: "Edit",
  price: "Price",
  score: "Audit",
  noScore: "Not audited",
  saved: (when: string) => `Saved ${when}`,
  published: (when: string) => `Live since ${when}`,
  missingTitle: "You have no such article",
  missing: "The article may belong to a wallet other than the one you are signed in with.",
  toDashboard: "Your articles",
} as const;

/** Texts of a publisher's own live press. */
export const live = {
  fresh: "It is live",
  freshLead: "Readers can find and unlock it now. Share it:",
  open: "See the article as readers do",
  earnings: "Earnings",
  perRead: "Your share per read",
  text: "Text",
  final:
    "You can no longer edit the text of a live article. You can add corrections, change the price, and take the article off sale.",
  changes: "After publication",
  note: "Correction",
  noteHint:
    "Readers see the correction with its date, both above the text and in feeds. You cannot change it later.",
  addNote: "Add the correction",
  newPrice: "New price in USDG",
  priceHint: "Readers who have paid the fee pay the rest of the old price.",
  samePrice: "This is already the price.",
  priceSince: "Price since",
  setPrice: "Change the price",
  unlist: "Take it off sale",
  unlistHint:
    "The article leaves all lists, and nobody can start to buy it. Readers who have unlocked the article keep it.",
  list: "Put it on sale again",
  listHint: "The article comes back to all lists, and readers can unlock it again.",
  /** The service's reason for a refusal. A reason that concerns a field begins with the field's name. */
  refusal: (message: string) =>
    message
      .replace(/^(?:text|priceUsdg|link): (?=[a-z])/, "It ")
      .replace(/^(?:text|link): /, "")
      .replace(/\w$/, "$&."),
  offSale: "Off sale",
  changed: "Changed. Readers see the change within a minute.",
  verdictWaiting: "Posted within about a minute…",
  report: "Audit report",
} as const;

/** Texts about readers and payments. */
export const numbers = {
  readers: "Readers",
  readersLead:
    "How often your articles were opened, and where readers came from. Days are UTC. New views appear here within about an hour.",
  readersLoading: "Loading the views…",
  readersFailed: "The views could not be loaded",
  followers: (followers: number) =>
    `${formatCount(followers, "wallet follows", "wallets follow")} you. Who follows in a browser without a wallet, or by a feed, is not counted.`,
  article: "Article",
  all: "All articles",
  chartTitle: (days: number) => `Views in the last ${days} days`,
  chart: (views: number, days: number) => `${formatCount(views, "view", "views")} in the last ${days} days`,
  views: (views: number) => formatCount(views, "view", "views"),
  ofViews: (unlocks: number | undefined, views: number) =>
    unlocks === undefined
      ? ""
      : `${formatCount(unlocks, "unlock", "unlocks")}${views === 0 ? "" : `, ${formatShare(unlocks, views)} of views`}`,
  share: formatShare,
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
    "Views are counted from the log of our content network, which holds no network address and no cookie. Two visits of one reader are therefore two views, and nobody knows which view led to which unlock.",
    "A source is the site that the reader’s browser names. We count only the host of that site, never its page. Many apps and some sites name no source, so not every reader under “Direct, or unknown” has typed the address.",
    "A view from this site may also mean that a pointer rested on a link to your article, because the site then loads the article.",
    "Search engines, link previews and other known bots are left out. A bot that calls itself a browser is counted as a reader.",
    "Reads by agents through MCP cannot be assigned to an article, so these numbers contain only the agents’ payments.",
    "The network’s log arrives a few minutes to a day late, and may be incomplete. Views are kept for ninety days, and no ranking uses them.",
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
    "These are the payments to your own wallet, in USDG, as the chain settled them. Readers pay the platform’s fee themselves, so you need not subtract it.",
    "Each payment has its UTC time and day. USDG is a token that stands for one US dollar. This site records no rates of other currencies: for another currency, use its dollar rate on the payment’s day.",
  ],
} as const;

function formatShare(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)}%`;
}
