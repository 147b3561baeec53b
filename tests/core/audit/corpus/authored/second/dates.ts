import type { Authored } from "../form.ts";

export const dates: readonly Authored[] = [
  {
    name: "wrong weekday for a date",
    stock: "TSM",
    headline: "TSMC's board approves another fab budget",
    preview: "The directors met in August and signed off on new tools.",
    body: `Meeting in Hsinchu on Thursday, August 12, the directors of Taiwan Semiconductor approved money for new tools and for the shells of two further buildings, [the resolution](https://investor.example.com/tsm/board) records.

The sum is large but in keeping with what the chairman had outlined in July. Most of it serves the most advanced lines at home; the remainder goes to packaging, where customers have complained of queues.

Sales for August are due to be published on Thursday, September 10. They will give the second of three monthly readings for the quarter. A [broker's calendar](https://calendar.example.com/asia) lists them for the early afternoon, Taipei time.

Neither the author nor the author's family holds shares in the company.`,
    fault: "Thursday, August 12,",
    clean: "Wednesday, August 12,",
  },
  {
    name: "results for a quarter that has not ended",
    stock: "JPM",
    headline: "Fees lift JPMorgan's investment bank",
    preview: "Deal makers had a better time of it than a year before.",
    body: `Advisers and underwriters at JPMorgan Chase had a good run. Their fees for the third quarter of 2026 rose from a year earlier, the bank reported, with mergers ahead of share sales and bonds last.

The [release](https://investor.example.com/jpm/release) gives three reasons: large deals that had been put off were signed, private-equity firms returned to the market, and lending terms eased. Trading in shares also did well, trading in rates less so.

One caution is in order. Fees are booked when transactions close, so the published figures reflect handshakes of last winter. What was agreed over the summer will show up later, if regulators allow. A [law firm's tracker](https://deals.example.com/tracker) counts several large cases still under review.

The author holds no position in the bank.`,
    fault: "the third quarter of 2026",
    clean: "the second quarter of 2026",
  },
  {
    name: "yesterday given the wrong weekday",
    stock: "DIS",
    headline: "Disney names a new head for its cruise line",
    preview: "The appointment was made public yesterday.",
    body: `Yesterday, Wednesday, Disney told staff that its cruise business would get a new president, drawn from the parks in Florida. A [memo](https://news.example.com/dis-memo) seen by several newsrooms praises her for opening two hotels on schedule.

The line is in the midst of its largest expansion. More ships are on order at a German yard, and a licensed vessel is being built for Japan. The plan, set out in an [investor briefing](https://investor.example.com/dis/cruise), depends on filling cabins at prices well above those of rivals.

She takes over on October 1, a Thursday, and her predecessor will stay as adviser until the end of the year. No change of strategy was mentioned.

The writer has no shares in Disney.`,
    fault: "Yesterday, Wednesday,",
    clean: "Yesterday, Thursday,",
  },
  {
    name: "term of a contract ends in the wrong year",
    stock: "UBER",
    headline: "Uber and its airport deal, explained",
    preview: "The concession was granted for five years.",
    body: `Anyone who lands at the airport in question sees the signs at once: one pick-up zone, one brand. The concession was signed in March 2023 for a term of five years, and accordingly lapses in March 2027 unless the authority renews it.

A [council paper](https://city.example.com/paper) now recommends an open tender. Taxi owners support the idea; so does a smaller rival. Uber answers in a [public letter](https://investor.example.com/uber/letter) that travellers have grown used to the zone and that queues have become shorter.

The council is to debate the paper on Tuesday, September 15. A vote would follow later in the autumn, and nothing prevents the present holder from bidding again under the new terms.

The author has no position in Uber.`,
    fault: "March 2027",
    clean: "March 2028",
  },
  {
    name: "session told as over while it runs",
    stock: "TSLA",
    headline: "Tesla's Friday: a recall and a shrug",
    preview: "A software fix goes out to owners; the market takes it calmly.",
    body: `A recall that needs no workshop seldom frightens anyone. Tesla shares finished today's session with barely a ripple, after the road-safety agency published [a notice](https://safety.example.com/recall) about the reversing camera in some older cars.

The picture may stay dark for a few seconds when the driver selects reverse. Tesla sends a correction over the air, and owners need do nothing but accept it. No accident has been linked to the fault, according to the notice.

The maker learned of the matter from service records. It gathered complaints through the spring and told the agency in August, as the law requires. A [company page](https://investor.example.com/tsla/recalls) lists the affected model years and explains how to check the version installed.

I hold no Tesla stock.`,
    fault: "finished today's session",
    clean: "began today's session",
  },
  {
    name: "clearance said to follow the closing it preceded",
    stock: "SAP",
    headline: "SAP folds a data start-up into its suite",
    preview: "The purchase went through in early summer.",
    body: `The small company that SAP bought this year is about to disappear as a brand. The cartel office gave its consent on June 9, three weeks after the deal closed on June 30, and engineers have been at work on joining the two products ever since.

By the end of the year, says a [road map](https://investor.example.com/sap/roadmap), customers should find the start-up's catalogue inside the main suite. Those who want the old version can keep it for two years, without new functions.

Users seem relieved. Their [association](https://users.example.com/statement) had feared a rise in licence fees, which SAP has ruled out for contracts already signed. What newcomers pay will be announced with the product itself.

The author holds no SAP shares.`,
    fault: "three weeks after",
    clean: "three weeks before",
  },
  {
    name: "trading said to resume on a public holiday",
    stock: "WMT",
    headline: "Walmart heads into the long weekend",
    preview: "Grills, school bags and an early start to the autumn.",
    body: `The last summer weekend is a serious matter at Walmart. Stores have stacked charcoal by the doors, and school supplies are already making way for pumpkins.

For those who watch the stock, it is time to pause as well. After this afternoon's close, regular trading in New York resumes on Monday, September 7; the exchange's [calendar](https://exchange.example.com/hours) has the details for Labor Day.

The retailer's own agenda is thin. Its [events page](https://investor.example.com/wmt/events) shows a talk by the finance chief at a conference in the middle of the month and nothing else before October. Any word on traffic over the holiday will therefore come from card companies and from firms that count telephones in car parks.

No Walmart shares are held by the author.`,
    fault: "on Monday, September 7",
    clean: "on Tuesday, September 8",
  },
  {
    name: "payment on 1 October placed in this month",
    stock: "KO",
    headline: "Coca-Cola's dividend calendar",
    preview: "Which day counts, and when the money arrives.",
    body: `Income investors keep diaries, so here are the entries for Coca-Cola. The record date is Tuesday, September 15. The cash itself arrives later this month, on October 1.

To be on the register in time, a buyer must own the shares before the ex-dividend day, which under the present settlement rules is the same as the record date. The [notice](https://investor.example.com/ko/notice) spells this out, and brokers repeat it on their [help pages](https://brokers.example.com/ex-dividend).

On the ex-day a stock usually opens lower by something like the dividend, all else being equal. Nothing is gained by buying on the eve, in other words, apart from a tax slip. Holders of tokens should read the terms of their issuer, since these can differ.

The writer holds no Coca-Cola shares.`,
    fault: "later this month",
    clean: "early next month",
  },
  {
    name: "coming event told in the past",
    stock: "AAPL",
    headline: "Apple's September stage is set",
    preview: "Invitations are out and the guessing has begun.",
    body: `Each year the same ritual, and each year it works. On Wednesday, September 9, Apple showed its new telephones at its own theatre in Cupertino, with the usual film for those at home, the [invitation](https://investor.example.com/aapl/invitation) says.

Parts makers in Asia have hinted at a thinner frame and a better camera. Such hints are often right about shapes and wrong about names. Prices are the least certain matter of all, given the cost of memory.

For the accounts the timing matters little. Phones that reach shops in the second half of September add only a sliver to the fiscal year that ends in that month; the harvest falls in the quarter after, as [past filings](https://filings.example.com/aapl) show.

The author has no Apple shares.`,
    fault: "On Wednesday, September 9, Apple showed",
    clean: "On Wednesday, September 9, Apple is to show",
  },
  {
    name: "eighteen months counted from the wrong year",
    stock: "NKE",
    headline: "Nike's slow walk back to the shoe shop",
    preview: "The brand is repairing ties with old partners.",
    body: `Shopkeepers have long memories. In the eighteen months since March 2024 Nike has returned to dozens of chains that it had dropped in favour of its own website, and the conversation, one of them says, has become polite again.

The change shows on the shelves. Running shoes stand at the front, older fashion models at the back or in the outlet. A [retail survey](https://retail.example.com/shoes) finds fewer reductions than last summer, although more than the company would like.

Nike's fiscal year starts in June, and its first quarter ended on August 31. Results are expected towards the end of September, according to the [investor site](https://investor.example.com/nke/events), which has not yet given the day.

No Nike shares are owned by the writer.`,
    fault: "since March 2024",
    clean: "since March 2025",
  },
];
