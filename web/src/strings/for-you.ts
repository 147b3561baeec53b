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
} as const;
