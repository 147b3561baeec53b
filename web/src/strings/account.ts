import { sessionDays } from "../../../core/session/schema.ts";

/** Texts of the reader's history. */
export const history = {
  title: "Your history",
  lead: "Your purchases and your votes.",
  signInLead: "See your purchases and votes, which are public on the chain.",
  failed: "Your history could not be loaded",
  loading: "Loading your history…",
  halves: "Half paid",
  halfNote: (fee: string, left: string) =>
    `The platform fee of ${fee} is paid. The fee is kept for this article and is not charged again. ${left} for the author remains.`,
  payRest: (left: string) => `Pay ${left}`,
  unlocks: "Unlocked articles",
  noUnlocksTitle: "Nothing unlocked yet",
  noUnlocks: "Articles that you unlock appear here, with their receipts.",
  find: "Find an article",
  votes: "Votes",
  noVotes: "You have not voted yet. Vote below the text of an article that you have unlocked.",
  receipt: "Receipt",
} as const;

/** Texts of a receipt's page. */
export const receipt = {
  title: "Receipt",
  signInLead: "See the receipts of your payments, which are public on the chain.",
  loading: "Loading the receipt…",
  failed: "The receipt could not be loaded",
  noneTitle: "No purchase of this article",
  none: "The wallet that is signed in has not paid for this article. Your history lists this wallet’s purchases.",
  about: (stock: string) => `An article about ${stock}`,
  half: "Only the platform fee is paid. The fee is kept for this article and is not charged again.",
  payer: "Paid by",
  network: "Network",
  token: "Token",
  legs: { fee: "Platform fee", publisher: "To the author" },
  paidTo: "Paid to",
  when: "When",
  transaction: "Transaction",
  signed: "Signed by us",
  verifying: "Verifying…",
  verified: "Signed receipt, verified.",
  signedJson: "Show the signed receipt as JSON",
  notVerified:
    "The signed receipt could not be verified now. The payment is still valid. Reload to try again.",
  missing:
    "There is no signed receipt for this payment. The payment is still valid: its transaction is on the chain. Reload the page in a minute. If the receipt is still missing, tell us.",
  forged:
    "The receipt’s signature is not ours. The payment is still valid, but do not rely on this receipt, and tell us.",
  total: "Total",
  soFar: (price: string) => `Paid so far (the price is ${price})`,
  inUsdg: (usdg: string) => `${usdg} USDG. One USDG is one dollar.`,
  print: "Print",
  download: "Download as JSON",
  toPress: "To the article",
} as const;

/** Texts of the page of the reader's sessions. */
export const sessions = {
  title: "Your sessions",
  lead: `The browsers that can read with this wallet. Each session ends after ${sessionDays} days.`,
  signInLead: "Only you can see your sessions.",
  failed: "Your sessions could not be loaded",
  loading: "Loading your sessions…",
  list: "Sessions",
  origins: {
    "sign-in": "By sign-in",
    payment: "By a payment",
  },
  explains: {
    "sign-in": "The browser can read what the wallet has unlocked, and can publish.",
    payment: "The browser can only read what the wallet has unlocked.",
  },
  current: "This browser",
  since: (when: string) => `Since ${when}`,
  until: (when: string) => `ends ${when}`,
  end: "End",
  signOut: "Sign out",
  about: (origin: string, when: string) => `: ${origin}, ${when}`,
  endOthers: "End all others",
  none: "There are no other sessions.",
  paid: "This session began with a payment. Sign in with the wallet to see its other sessions, or to end them.",
} as const;

/** Texts of the page with a reader's follows and saved articles. */
export const forYou = {
  title: "For you",
  lead: "The newest articles of the authors and stocks that you follow, and the articles that you saved.",
  fresh: "Newest",
  loading: "Loading the articles…",
  failed: "The articles could not be loaded",
  nothing: "You follow nobody yet. Open an author’s or a stock’s page and choose Follow.",
  none: "These authors and stocks have no articles yet.",
  most: (authorsAndStocks: number) =>
    `This list shows the newest articles. It is made from all articles of the first ${authorsAndStocks} authors and stocks that you follow, and, for the others, from the market’s newest articles.`,
  saved: "Saved articles",
  nothingSaved: "Nothing is saved. To save an article, choose Save above its headline.",
  follows: "You follow",
  remove: "Remove",
  signIn: "Sign in to have these lists on all of your devices. Nobody else sees the lists.",
  feed: "Private feed",
  feedLead:
    "An address for your feed reader, with the articles of the authors and stocks that you follow. Everybody who has the address can read the feed, so keep the address secret.",
  feedMake: "Make an address",
  feedRenew: "Make a new address",
  feedEnd: "End the address",
  feedKnown:
    "You have a feed address. We showed the address only once. A new address replaces the old address.",
  feedOnce: "Copy the address now: it is shown only once.",
  feedAddress: "The feed’s address",
  push: "Notifications",
  pushMissing: "This copy of the service has no key for notifications, so it cannot send any.",
  pushes: {
    unsupported:
      "This browser cannot show notifications. On an iPhone, add the site to the home screen first.",
    denied:
      "Notifications of this site are blocked. Allow notifications in the browser’s settings for this site.",
    off: "Get a notification in this browser when an author or a stock that you follow has a new article.",
    on: "This browser shows a notification when an author or a stock that you follow has a new article.",
  },
  pushOn: "Turn notifications on",
  pushOff: "Turn notifications off",
  pushFailed: "The change could not be completed. The text above shows the current state. Try again later.",
} as const;
