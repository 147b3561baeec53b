import type { Authored } from "../form.ts";
import { note } from "./note.ts";

const notes: readonly Parameters<typeof note>[0][] = [
  {
    name: "price with an older event beside it",
    stock: "AAPL",
    company: "Apple",
    says: "Two years ago, few would have paid for a phone that waits for its software. Today a share of Apple costs ⟦$372.20 ⇒ $327.20⟧, and the wait has not hurt anybody.",
  },
  {
    name: "price next to a neighbouring ticker",
    stock: "AMD",
    company: "AMD",
    says: "While Nvidia (NVDA) sits at $181.40, its smaller rival AMD changes hands at ⟦$146.80 ⇒ $164.80⟧ this Friday. Both have had calmer weeks.",
  },
  {
    name: "low of the day",
    stock: "TSLA",
    company: "Tesla",
    says: "It was a nervous morning. Tesla dropped as low as ⟦$385 ⇒ $395⟧ before buyers stepped in, and has since recovered to about $402.",
  },
  {
    name: "high of the day",
    stock: "PLTR",
    company: "Palantir",
    says: "Palantir touched ⟦$165.90 ⇒ $156.90⟧ at its best moment today and then gave most of the gain back. Dealers spoke of profit-taking ahead of the weekend.",
  },
  {
    name: "price rounded in words",
    stock: "MSFT",
    company: "Microsoft",
    says: "A single Microsoft share now costs ⟦well over six hundred dollars ⇒ a little over five hundred dollars⟧, which some private investors take as a reason to buy fractions.",
  },
  {
    name: "price in the preview",
    stock: "META",
    company: "Meta",
    preview: "At ⟦$714.20 ⇒ $741.20⟧ a share, Meta is priced for a future of glasses.",
    says: "The glasses are light, the battery is weak, and the price at $741.20 a share assumes that somebody will fix the latter. Meta has shown a prototype that lasts through the evening.",
  },
  {
    name: "price just now",
    stock: "JPM",
    company: "JPMorgan",
    says: "JPMorgan was last seen at ⟦$331.50 ⇒ $301.50⟧. The bank has said nothing new this week, and the calendar of the sector is empty until the middle of the month.",
  },
  {
    name: "below a threshold",
    stock: "COST",
    company: "Costco",
    says: "For the moment the shares of Costco trade ⟦above $1,000 ⇒ below $1,000⟧, a mark that has become something of a superstition among its fans.",
  },
  {
    name: "price of the token",
    stock: "NFLX",
    company: "Netflix",
    says: "On chain, one token of Netflix goes for ⟦$1,215 ⇒ $121.50⟧ at the moment, in step with the shares in New York since the split.",
  },
  {
    name: "volume of the day",
    stock: "NVDA",
    company: "NVIDIA",
    says: "Some ⟦264 million ⇒ 164 million⟧ shares of NVIDIA have been traded so far today, which is about what brokers expect on a Friday before a long weekend.",
  },
  {
    name: "band of the day",
    stock: "WMT",
    company: "Walmart",
    says: "Walmart has moved between ⟦$95.40 and $97.20 ⇒ $98.40 and $100.20⟧ since the opening bell, without any news to speak of.",
  },
  {
    name: "price after a remark on last year",
    stock: "INTC",
    company: "Intel",
    says: "Intel, which fetched less than $20 a year ago, is worth ⟦$42.60 ⇒ $24.60⟧ a share this afternoon. The new money from Washington explains part of it.",
  },
  {
    name: "price with cents in words",
    stock: "KO",
    company: "Coca-Cola",
    says: "Investors who want a piece of Coca-Cola have to lay out ⟦eighty-six dollars ⇒ sixty-nine dollars⟧ for it as of this writing. That is near the upper end of what the drinks maker has ever cost.",
  },
  {
    name: "price in brackets behind the name",
    stock: "DIS",
    company: "Disney",
    says: "The owner of the mouse, Walt Disney (DIS, currently ⟦$181.30 ⇒ $118.30⟧), has put its sports network on sale to anybody with a subscription of any kind.",
  },
  {
    name: "price at which a stake is counted",
    stock: "GOOGL",
    company: "Alphabet",
    says: "At the current price of ⟦$214.70 ⇒ $241.70⟧, Alphabet looks neither cheap nor dear against the other large advertisers, most of which grow more slowly.",
  },
];

export const prices: readonly Authored[] = notes.map(note);
