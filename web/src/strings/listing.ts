/** Texts of the page of an author. */
export const author = {
  loading: "Loading the author…",
  failed: "This author could not be loaded",
  lead: (since: string) => `Publishing here since ${since}.`,
  record: "Record",
  presses: "Articles",
  reads: "Paid reads",
  votes: "Reader votes",
  audits: "Audit scores",
  auditsOf: (lowest: number, average: number, highest: number) =>
    lowest === highest ? `${average}` : `${lowest} to ${highest}, ${average} on average`,
  wallet: "Wallet",
  names: "Bylines",
  about: "About the author",
  ambiguous:
    "Because of the name, readers could mistake another wallet for this author. Compare the addresses.",
  linkNote: "The author’s own link, which nobody has checked.",
  edit: "What your page says about you",
  text: "About you",
  textHint:
    "Plain text of up to 500 characters, which everybody can read. The audit’s rules for wording apply.",
  link: "A link",
  linkHint: "One https address, such as your own page. Leave the field empty for no link.",
  save: "Save",
  saved: "Saved. Readers see the change within a minute.",
  since: (day: string) => `since ${day}`,
  incomplete: "These numbers are only about the author’s newest articles.",
  published: "Published",
  moves: "Prices after publication",
  movesLead:
    "How each stock’s price has moved since the article went live. This is no rating: prices move for many reasons.",
  press: "Article",
  before: "At publication",
  today: "Last price",
  change: "Change",
  unknown: "not known",
} as const;

/** Texts of a stock's page. */
export const stock = {
  loading: "Loading the stock…",
  failed: "This stock could not be loaded",
  title: (symbol: string, name: string) => `${symbol}: ${name}`,
  lead: (symbol: string) => `The price of the stock token ${symbol}, and the articles about it.`,
  quote: "Quote",
  volume: "Shares traded today",
  asOf: "As of",
  token: "Token",
  range: "Time shown",
  ranges: { day: "Day", week: "Week", year: "Year" },
  chart: (symbol: string, range: string, from: string, to: string) =>
    `Price of ${symbol}, ${range.toLowerCase()}: from ${from} to ${to}`,
  presses: (symbol: string) => `Articles about ${symbol}`,
  none: "There are no articles about this stock yet.",
  pressesFailed: "The articles could not be loaded",
} as const;
