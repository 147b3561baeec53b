import type { Authored } from "./form.ts";

export const prices: readonly Authored[] = [
  {
    name: "Thursday's close far from a quote said to have hardly moved",
    stock: "TSLA",
    headline: "Tesla calm ahead of the long weekend",
    preview: "After a lively August the carmaker's share is taking a breather. What traders are waiting for.",
    body: `Wall Street is closed on Monday for Labor Day, and trading in Tesla feels as though the holiday had begun. The stock closed at $431.50 on Thursday and had moved by less than 1% from there when this article was written, shortly after eleven in New York.

The next date of note is the update on the robotaxi permit in Nevada. The [regulator's calendar](https://dmv.nv.gov/hearings/2026-09) lists a hearing for the middle of the month; the company says that it has filed all documents.

Registrations in Europe, by contrast, have been published and were mixed: up in Norway, down in Germany and France. Tesla does not comment on monthly figures.

The author holds no position in Tesla, and no tokens either.`,
    fault: "closed at $431.50 on Thursday",
    clean: "closed at $401.50 on Thursday",
  },
  {
    name: "NVIDIA is given the price of AMD",
    stock: "NVDA",
    headline: "NVIDIA lines up a second source for its memory",
    preview: "Samsung is to supply part of the fast memory chips from early next year.",
    body: `NVIDIA will buy high-bandwidth memory from Samsung as well as from SK Hynix, the Korean company [confirmed](https://news.samsung.com/global/hbm-supply-2026) overnight. Deliveries are to begin in the first quarter of 2027. No volumes were given.

A second supplier gives the American company more weight in price talks. Memory is now the costliest single component on an accelerator board, and for most of last year Hynix could more or less name its terms.

Investors took the news in their stride. One NVIDIA share changes hands for $164.80, hardly different from the opening. Micron, which also makes such chips and is also a supplier, said it was sold out for the coming year in any event.

Disclosure: the author holds no position in NVIDIA, Micron or the Koreans.`,
    fault: "changes hands for $164.80",
    clean: "changes hands for $181.40",
  },
  {
    name: "a day's high that was not reached",
    stock: "GOOGL",
    headline: "Alphabet gains a reprieve in the advertising case",
    preview: "An appeals court in Virginia has put the order on hold. The market's answer was brief.",
    body: `The Court of Appeals for the Fourth Circuit has stayed the order against Google's advertising exchange until it has heard both sides, a [docket entry](https://www.ca4.uscourts.gov/docket/google-2026) of Friday morning shows. A hearing is due in November.

In the first minutes after the entry became public, the Class A share shot up, but the burst did not last: from a session high of $248.90 it had come back to about $241.70 by eleven o'clock local time.

A stay says nothing about the outcome. The judges merely found that a sale of the exchange could hardly be undone later. The Justice Department, which had asked for speed, declined to comment; publishers who are suing for damages said that their claims were unaffected.

The author has no position in Alphabet.`,
    fault: "session high of $248.90",
    clean: "session high of $243.90",
  },
  {
    name: "price before the ten-for-one split",
    stock: "NFLX",
    headline: "Netflix buys itself a piece of the football calendar",
    preview: "Two more matches on Christmas Day, and a price that nobody wants to name.",
    body: `Q: What has Netflix bought?
A: The rights to two further National Football League games on Christmas Day, for the seasons 2026 to 2028. That is what the [league's statement](https://www.nfl.com/communications/netflix-2026) says.

Q: And what does it cost?
A: Neither side tells. Earlier packages were reported at about $75 million a game, but that was for fewer markets.

Q: How did the stock react?
A: Barely. It trades at about $1,215 on Friday, in the middle of the day's range so far.

Q: Any risk?
A: Live broadcasts must not fail. A boxing match in 2024 stuttered on many screens, and advertisers have contractual rebates if it happens again.

Q: Does the author hold a position in Netflix?
A: No.`,
    fault: "about $1,215",
    clean: "about $121.50",
  },
  {
    name: "distance to the target computed from a wrong current price",
    stock: "META",
    headline: "One analyst, one target: Meta at $815",
    preview: "A bank has taken up coverage of Meta. What the number means, and what it does not.",
    body: `A new voice joins the choir. A mid-sized bank in Boston began to cover Meta Platforms on Thursday with a target of $815 for the next twelve months, a [summary of the note](https://research.example-bank.com/meta-initiation) says.

That is 17% above the current price of about $698, and it rests on an assumption about WhatsApp: the analyst believes that paid messages from companies will yield as much by 2028 as Instagram's stories do today.

Targets are opinions. Of the sixty or so analysts who follow the company, the most cautious sees the share falling, chiefly because depreciation on all those data centres is going to rise for years. Legal trouble over the protection of minors is in nobody's model.

The author holds no position in Meta and has no connection with the bank.`,
    fault: "17% above the current price of about $698",
    clean: "10% above the current price of about $741",
  },
  {
    name: "the Hong Kong price is taken for that of the ADS",
    stock: "BABA",
    headline: "Alibaba raises the stakes in its chip venture",
    preview: "The group's semiconductor arm is to receive fresh capital. Hong Kong and New York both nodded.",
    body: `Alibaba will put more money into T-Head, the unit that designs its processors, ahead of a possible listing, [a notice to the Hong Kong exchange](https://www.hkexnews.hk/alibaba/2026-09-04) said. It did not state an amount or a date.

In Hong Kong the ordinary share ended Friday at HK$131.50. In New York, where trading began at half past nine, the depositary share costs $131.50 at present; one of these represents eight of the others.

The unit's accelerators are used chiefly in Alibaba's own data centres. Beijing has advised local companies against American chips, so that demand is assured for now. Supply is a different question, since the foundries on the mainland have less capacity for advanced nodes than they have applicants.

The author holds no position in Alibaba.`,
    fault: "the depositary share costs $131.50 at present",
    clean: "the depositary share costs $134.90 at present",
  },
  {
    name: "an earlier price of the same day lies above the day's high",
    stock: "PLTR",
    headline: "Palantir gives back part of its early gain",
    preview: "A contract with the Army set the tone at the opening. Then sellers came.",
    body: `It was over almost before it had begun. An hour ago, Palantir stood at $158.30; shortly after eleven in New York, the quotation is $152.60. The stock thereby lives up to its reputation as one of the most restless in the index.

The cause of the morning's excitement was an entry in the [Pentagon's contract list](https://www.defense.gov/contracts/2026-09-03): the Army is extending an agreement on logistics software until 2029. Its ceiling is unchanged, which not everybody noticed at first.

A ceiling, besides, is not an order. The Army may call up services to that amount, and in earlier agreements of this type it has left a good part unused.

More than 52 million shares have been traded today. The author has no position in Palantir.`,
    fault: "stood at $158.30",
    clean: "stood at $155.30",
  },
  {
    name: "a floor that the day's low has broken",
    stock: "JPM",
    headline: "JPMorgan to open another hundred branches",
    preview: "While rivals close counters, the largest American bank goes on building them.",
    body: `The branch is dead, they say. JPMorgan Chase has not been told. It means to open a further hundred of them by the end of 2027, most of them in the Carolinas, Tennessee and Alabama, according to a [statement](https://www.jpmorganchase.com/newsroom/branches-2026).

A new branch needs about four years to pay for itself, the head of the retail bank once said. Deposits gathered in person tend to stay put, even when rates elsewhere are higher, and that is worth a great deal to a lender.

The market was untroubled by the expense. Since the opening bell on Friday, the stock has not dipped below $301, and turnover was unremarkable. Weak payrolls data earlier in the morning had pushed down bond yields, something that banks seldom enjoy.

The author holds no position in JPMorgan.`,
    fault: "has not dipped below $301",
    clean: "has not dipped below $298",
  },
  {
    name: "headline puts the share above a mark it has not reached",
    stock: "KO",
    headline: "Coca-Cola stays above $70 as Costa sale drags on",
    preview: "The coffee chain has been for sale for a year. Now one of the last bidders is said to waver.",
    body: `Coca-Cola paid £3.9 billion for Costa Coffee in 2019 and would be glad, one gathers, to get half of it back. Talks with a private equity firm have been extended once more, [a London newspaper](https://www.example-times.co.uk/business/costa-talks) reported on Friday.

Neither party wished to comment. The stumbling block is said to be the vending machines, a profitable sideline that the seller would prefer to keep and the buyer considers the best part.

For the Atlanta company it is a side issue. Coffee shops contribute very little to its operating profit, and the share price did not budge on the report. Should a sale come about, a loss on the books is likely; the company has already written off a part.

The author has no position in Coca-Cola.`,
    fault: "stays above $70",
    clean: "stays above $68",
  },
  {
    name: "the euro price is printed as the dollar price in New York",
    stock: "ASML",
    headline: "ASML and the two price tags",
    preview: "Listed in Amsterdam and in New York: how the two quotations hang together.",
    body: `A reader from Leeds asks why his screen shows two prices for ASML that have little to do with each other. The reply is short: one is in euros, the other in dollars, and the share is the very same.

In Amsterdam it was at €896 on Friday afternoon. A euro costs $1.168. In New York, the share goes for about $896 at the same moment. Whenever a gap opens between the two places, traders close it within seconds, as Euronext describes in a [primer on dual listings](https://www.euronext.com/en/learn/dual-listings).

Whoever pays in another currency carries the exchange rate as a risk on top. The dividend is set in euros and converted on the day of payment, so that it, too, varies with the dollar.

The author holds no position in ASML.`,
    fault: "goes for about $896",
    clean: "goes for about $1,046.50",
  },
  {
    name: "the preview states a price above the day's range",
    stock: "WMT",
    headline: "Walmart's drones reach Atlanta",
    preview:
      "The retailer widens delivery by air to a fifth metropolitan area. The tokenised share is at $103.40.",
    body: `ATLANTA, 4 Sept – Groceries from above: Walmart and its partner Wing have begun to deliver by drone in the suburbs of Atlanta, the retailer [said on Friday](https://corporate.walmart.com/news/2026/09/04/drones-atlanta). Six shops take part to begin with.

Customers within six miles may order goods of up to two and a half pounds. Ice cream, eggs and medicines without prescription have been the favourites elsewhere, and the median flight lasts less than five minutes.

Whether it pays is unclear. Walmart does not disclose what a flight costs, and the fee charged to customers scarcely covers the battery. Residents in Texas have complained about the noise; a quieter propeller is promised for next year.

The author has no position in Walmart or in Alphabet, the owner of Wing.`,
    fault: "is at $103.40",
    clean: "is at $99.30",
  },
  {
    name: "gain since purchase computed from a wrong current price",
    stock: "INTC",
    headline: "Uncle Sam's Intel stake, one year on",
    preview: "Washington paid $20.50 a share. An interim account of an unusual investment.",
    body: `In August 2025 the American government became Intel's largest shareholder, at $20.50 a share. The [agreement](https://www.intc.com/filings/us-government-agreement) converted subsidies that had been granted but not paid out.

One year later the Treasury can be content. At $26.65 on Friday morning, the share stands 30% above what the taxpayer gave for it. In between it had been a good deal higher and, for some weeks, lower.

The stake is passive; Washington has no seat on the board and has promised to vote with it, with few exceptions. Critics fear something else: that customers abroad will come to regard Intel as an arm of the state. The company itself lists this among its risks, and says that foreign subsidies might be refused to it in consequence.

The author holds no position in Intel.`,
    fault: "At $26.65 on Friday morning, the share stands 30% above",
    clean: "At $24.60 on Friday morning, the share stands 20% above",
  },
];
