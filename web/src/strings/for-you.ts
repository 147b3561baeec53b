/** Texts of the page for a reader. */
export const forYou = {
  title: "For you",
  lead: "The newest articles of the authors and stocks that you follow, and what you saved.",
  fresh: "Newest",
  loading: "Loading the articles…",
  failed: "The articles could not be loaded",
  nothing: "You follow nobody yet. Open an author’s or a stock’s page and choose Follow.",
  none: "There are no articles of them yet.",
  most: (authorsAndStocks: number) =>
    `Looked through: the market’s newest articles, and all of the first ${authorsAndStocks} that you follow.`,
  saved: "Saved articles",
  nothingSaved: "Nothing is saved. An article’s page has Save above its headline.",
  follows: "You follow",
  remove: "Remove",
  signIn: "Sign in to have these on all of your devices. Nobody else sees them.",
  feed: "Private feed",
  feedLead:
    "An address for your feed reader with the articles of whom you follow. Who has the address can read it, so keep it to yourself.",
  feedMake: "Make an address",
  feedRenew: "Make a new address",
  feedEnd: "End the address",
  feedKnown: "You have an address. It was shown once; a new one replaces it.",
  feedOnce: "Copy it now: it is shown only once.",
  feedAddress: "The feed’s address",
  push: "Notifications",
  pushMissing: "This copy of the service has no key for notifications, so it cannot send any.",
  pushes: {
    unsupported:
      "This browser cannot show notifications. On an iPhone, add the site to the home screen first.",
    denied: "Notifications of this site are blocked. Allow them in the browser’s settings for this site.",
    off: "Get a notification in this browser when an author or a stock that you follow has a new article.",
    on: "This browser shows a notification when an author or a stock that you follow has a new article.",
  },
  pushOn: "Turn notifications on",
  pushOff: "Turn notifications off",
  pushFailed: "That did not work, and nothing was changed. Try again later.",
} as const;
