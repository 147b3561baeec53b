import type { Authored } from "./form.ts";

export const arithmetic: readonly Authored[] = [
  {
    name: "growth rate does not follow from the two figures in the preview",
    stock: "AAPL",
    headline: "Apple's services arm keeps outrunning its hardware",
    preview: "Services brought in $27.6 billion in the June quarter, against $24.0 billion a year earlier.",
    body: `The iPhone pays the rent at Apple, but the subscriptions buy the furniture. App Store commissions, iCloud storage and licensing again grew faster than the hardware in the June quarter, according to the company's [quarterly statement](https://investor.apple.com/results/2026-q3).

Measured against the year before, services advanced 13%, while revenue from products rose 6% over the same stretch. Management named storage plans and advertising as the two strongest lines, and warned that new App Store rules in Europe might weigh on the autumn.

What the filing does not say is how much of the arm rests on the search arrangement with Google. Apple has never split that number out, and the guesses of analysts differ widely.

The author holds no position in Apple, neither shares nor tokens.`,
    fault: "services advanced 13%",
    clean: "services advanced 15%",
  },
  {
    name: "dividend yield miscalculated from payout and price",
    stock: "KO",
    headline: "Coca-Cola's cheque arrives again in October",
    preview:
      "The drinks maker has declared its next quarterly dividend. What it amounts to at today's price.",
    body: `Few companies are as punctual. Coca-Cola's board has [declared a quarterly dividend](https://investors.coca-colacompany.com/dividends/2026-q3) of $0.53 a share, unchanged from the spring and two cents more than the $0.51 paid last year, an increase of 3.9%.

Four such payments come to $2.12 a year. With the share at $68.90 on Friday morning, the yield works out at about 3.8%, before any tax withheld at source.

The payout is not free of questions. Coffee, the bottling disposals and a long-running dispute with the American tax authority all lay claim to the same cash, and the company has so far set money aside for the last of these rather than settle it.

Disclosure: the writer holds no position in Coca-Cola.`,
    fault: "about 3.8%",
    clean: "about 3.1%",
  },
  {
    name: "three segments do not add up to the total in the headline",
    stock: "MSFT",
    headline: "Microsoft's three divisions bring in $76.9 billion",
    preview: "Office software remains the largest of the three; the cloud is catching up.",
    body: `REDMOND – Microsoft reports in three divisions, and for the quarter to the end of June the split looks as follows, according to the [earnings release](https://www.microsoft.com/investor/earnings/fy-2026-q4):

- Productivity and Business Processes: $33.1 billion
- Intelligent Cloud: $29.9 billion
- More Personal Computing: $12.9 billion

Operating income for the group came to $34.6 billion, or 45% of revenue. The finance chief said that demand for Azure capacity still exceeded what the company could supply, and that the shortage would last at least until the end of the calendar year.

Windows licences, which sit in the last of the three divisions, had been helped a year ago by the end of support for an older version; that effect is now gone, she added.

The author holds no position in Microsoft or in the token.`,
    fault: "More Personal Computing: $12.9 billion",
    clean: "More Personal Computing: $13.9 billion",
  },
  {
    name: "one cent times the number of shares is off by a factor of ten",
    stock: "NVDA",
    headline: "The smallest dividend in big technology",
    preview: "NVIDIA pays its owners one cent a share every quarter. A short calculation.",
    body: `**Why does NVIDIA pay a dividend at all?** Habit, mostly. The company has sent out a cheque every quarter since 2012, and stopping would look odd. The [latest notice](https://investor.nvidia.com/dividend/2026-q3) again names $0.01 a share.

**What does that cost?** There are 24.3 billion shares outstanding, so a single payment takes about $2.43 billion out of the till. Free cash flow in the most recent quarter was $13.5 billion; the dividend claims less than 2% of it.

**Where does the rest go?** Chiefly into buybacks and into commitments to suppliers, which have grown faster than revenue for several quarters. That is the number that deserves watching, since orders placed for chips nobody collects would have to be written down.

*The author has no position in NVIDIA.*`,
    fault: "about $2.43 billion",
    clean: "about $243 million",
  },
  {
    name: "basis points off by a factor of ten",
    stock: "JPM",
    headline: "JPMorgan earns a little more on each loan",
    preview: "The bank's interest margin widened in the second quarter, helped by cheaper deposits.",
    body: `JPMorgan Chase's net interest margin reached 2.61% in the three months to June, the bank said in its [second-quarter supplement](https://www.jpmorganchase.com/ir/quarterly-earnings/2q26). In the first quarter the figure had been 2.48%.

Net interest income rose to $24.0 billion from $23.2 billion, or by 3.4%. Deposits that had been parked in dearer certificates last year have been rolling off, and customers have accepted less for staying.

Expanding by 130 basis points in a single quarter is more than the bank had led investors to expect, though the chief financial officer cautioned that cuts by the Federal Reserve would take some of it back. Card charge-offs, at 3.4% of balances, were steady.

The author owns neither JPMorgan shares nor tokens and holds no position.`,
    fault: "Expanding by 130 basis points",
    clean: "Expanding by 13 basis points",
  },
  {
    name: "operating margin does not follow from revenue in the preview",
    stock: "NFLX",
    headline: "Netflix turns more of its takings into profit",
    preview: "Revenue climbed 15% to $11.5 billion in the second quarter, and costs did not keep pace.",
    body: `A streaming service is a fixed cost with a cash register attached. Once the series is shot, the next viewer is nearly free, and Netflix's [letter to shareholders](https://ir.netflix.net/letters/2026-q2) shows how that plays out.

Operating income came to $3.68 billion, up from $3.0 billion on revenue of $10.0 billion in the same quarter last year. The margin, 30% back then, now stands at 34%, although the company spent more on live sport than ever before.

There are two caveats. Amortisation of new titles falls mostly into the second half, and the letter again points to a dispute over taxes in Brazil as a possible charge. Subscriber numbers are no longer published, so that nobody outside the company can tell price from volume.

No position held by the author.`,
    fault: "now stands at 34%",
    clean: "now stands at 32%",
  },
  {
    name: "revenue per car does not follow from revenue and deliveries",
    stock: "TSLA",
    headline: "What a Tesla brings in these days",
    preview: "Divide the carmaker's sales by the number of cars and the price war becomes visible.",
    body: `Tesla handed over 410,000 cars in the second quarter, according to its [delivery report](https://ir.tesla.com/press/2026-q2-deliveries). Automotive revenue, leaving out regulatory credits and leasing, came to $16.81 billion.

So much for the raw material. Per car that is roughly $45,000, and $1,500 less than the $42,500 of last summer. Cheaper versions of the Model Y account for most of the slide; subsidised financing, which the company books as a reduction of revenue, explains the remainder.

Energy storage went the other way. Deployments rose by a fifth, to 12 gigawatt-hours from 10, and the division now has a better gross margin than the cars do. It is also lumpy: one large battery park can decide a quarter.

The writer has no position in Tesla.`,
    fault: "roughly $45,000",
    clean: "roughly $41,000",
  },
  {
    name: "countdown of aircraft outstanding is wrong",
    stock: "BA",
    headline: "Boeing hands over third batch to Gulf carrier",
    preview: "The order for sixty jets is being delivered in five equal tranches.",
    body: `ARLINGTON (4 September) – Boeing has completed the third tranche of a sixty-aircraft order placed by a carrier in the Gulf, the manufacturer [announced](https://boeing.mediaroom.com/2026-09-03-third-tranche) on Thursday.

The contract, signed in 2022, foresees five tranches of twelve 737 MAX jets each. With three of the five delivered, 28 aircraft are still to come, the last of them in the autumn of 2028. The airline did not comment.

Deliveries matter to Boeing because customers pay the greater part of the price only when they collect the aircraft. Production of the type stands at 42 a month; the regulator must approve every further increase, and suppliers of seats and lavatories remain the narrowest point of the chain.

The author holds no position in Boeing.`,
    fault: "28 aircraft are still to come",
    clean: "24 aircraft are still to come",
  },
  {
    name: "every fifth instead of every fourth",
    stock: "COST",
    headline: "Who pays Costco for the privilege of shopping",
    preview: "A look at the membership rolls, where the warehouse chain makes much of its profit.",
    body: `You pay before you have bought so much as a banana: that is the deal at Costco, and 81.2 million households have taken it, says the retailer's [latest quarterly filing](https://investor.costco.com/filings/2026-q3).

The geography is worth a second look. Outside the United States and Canada, Costco counts 20.3 million paying households. In other words, every fifth card was issued in Asia, Europe, Mexico or Australia, and the share is growing, because that is where most new warehouses open.

Renewal rates abroad are lower than at home. Members who joined online through a promotion leave more often, the finance department says, and their weight in the total has been increasing for a year. Fees rose last in 2024.

I hold no position in Costco; my mother-in-law's card does the work.`,
    fault: "every fifth card",
    clean: "every fourth card",
  },
  {
    name: "rank among four regions is wrong",
    stock: "WMT",
    headline: "Walmart abroad: China first, Canada last",
    preview: "Four markets, four growth rates, one of them in a league of its own.",
    body: `Walmart's international business grew again in the quarter to July, and the differences between countries are wide. At constant currency, the [earnings presentation](https://stock.walmart.com/financials/2026-q2-presentation) shows these increases in sales:

- China: 21.8%
- Mexico: 6.1%
- Canada: 4.7%
- Central America: 7.3%

Mexico, the biggest of the four by revenue, thus ranked second, and its pace is half of what it was two years ago. The company blames a slower economy and discounters that open a shop on every corner; it means to answer with lower prices on some 2,000 basic goods.

In China, it is Sam's Club that does the pulling. Membership income there grew faster than sales, though the company gives no figure for it.

The author has no position in Walmart.`,
    fault: "thus ranked second",
    clean: "thus ranked third",
  },
  {
    name: "headline's increase contradicts the subscriber counts in the body",
    stock: "DIS",
    headline: "Disney+ wins 2.6 million subscribers in spring quarter",
    preview:
      "Growth came mostly from outside North America, where bundles with telecoms firms did their part.",
    body: `Disney's streaming service ended June with 130.4 million subscribers, compared with 128.0 million at the end of March, the company said in its [report for the third fiscal quarter](https://thewaltdisneycompany.com/investor/2026-q3).

North America contributed 0.6 million of the newcomers; the remaining 1.8 million signed up elsewhere, many of them through mobile contracts in Europe and Japan. Average revenue per subscriber slipped by three cents to $7.86, since wholesale customers pay less.

Operating income in streaming reached $390 million. Theme parks earned several times that, but hotel bookings in Florida for the autumn are running about 2% below last year's, a softness the company attributes to a new competitor in Orlando.

The author does not hold a position in Disney.`,
    fault: "2.6 million subscribers",
    clean: "2.4 million subscribers",
  },
  {
    name: "free cash flow is not operating cash flow less capital spending",
    stock: "XOM",
    headline: "Exxon pays out more than it takes in",
    preview:
      "Dividends and buybacks exceeded the quarter's free cash flow. The balance sheet made up the rest.",
    body: `Let us follow the money. In the second quarter, Exxon Mobil's operations generated $14.8 billion of cash, according to its [earnings release](https://investor.exxonmobil.com/earnings/2026-q2). Wells, pipelines and a chemical complex in Texas swallowed $6.9 billion in capital spending.

That left free cash flow of $8.9 billion. Shareholders received $4.2 billion in dividends and a further $5.0 billion through repurchases, $9.2 billion in all. The gap of $1.3 billion was met out of cash in hand.

None of this is alarming for a company of that size, and it has happened before when oil was cheap. It does show what the plan depends on: management's budget to 2030 assumes a barrel of Brent at $65, and the futures curve is only just above it.

Disclosure: no position.`,
    fault: "free cash flow of $8.9 billion",
    clean: "free cash flow of $7.9 billion",
  },
  {
    name: "number of shares bought back is ten times too high",
    stock: "SHEL",
    headline: "Shell finishes another buyback round",
    preview: "The oil major spent the full $3.5 billion it had set aside for the three months to July.",
    body: `LONDON – Shell has wrapped up the latest leg of its share repurchases and begun the next one, a [regulatory notice](https://www.shell.com/investors/regulatory-news/2026-buyback) shows. It was the nineteenth quarter in a row in which the group spent at least $3 billion.

Translated into American depositary shares, the average price paid was $70. The programme therefore removed the equivalent of 500 million of them from circulation. At Friday's $73.60, the depositary share costs some 5% more than Shell paid on average.

Some shareholders would rather see the money in new fields. Reserves last year covered fewer than eight years of production, less than at most rivals, and the chief executive has been asked about it on every call since. His reply has been that barrels must compete for capital like anything else.

The author holds no position in Shell.`,
    fault: "the equivalent of 500 million of them",
    clean: "the equivalent of 50 million of them",
  },
  {
    name: "currency conversion from kroner to dollars is wrong",
    stock: "NVO",
    headline: "Novo Nordisk's quarter, in kroner and in dollars",
    preview: "Sales reached DKK 76.8 billion. American readers may want that in their own money.",
    body: `The Danes report in kroner, the token is priced in dollars, and between the two lies an exchange rate. Novo Nordisk itself used 6.40 kroner to the dollar as the average for the second quarter in its [company announcement](https://www.novonordisk.com/investors/q2-2026).

On that basis sales amounted to $12.9 billion. Products against obesity brought in DKK 19.2 billion, a quarter of the total; the rest is diabetes and, to a small degree, rare diseases.

A weak dollar hurts the company, since well over half of its business is done in the United States. At constant rates sales would have grown by 7% instead of the 3% reported. Hedges cover the coming year for the most part, yet they only postpone the effect.

The author has no position in Novo Nordisk.`,
    fault: "$12.9 billion",
    clean: "$12.0 billion",
  },
  {
    name: "average of four quarterly rates is wrong",
    stock: "SAP",
    headline: "SAP's order book: steadier than it looks",
    preview: "The cloud backlog has been growing at much the same pace for a year.",
    body: `One number moves SAP's share more than profit does: the current cloud backlog, meaning the contracted revenue of the coming twelve months. The [half-year report](https://www.sap.com/investors/2026-half-year) lets us look at four quarters in a row.

At constant currencies, the backlog grew by 29% in the third quarter of 2025, by 28% in the fourth, by 27% in the first quarter of 2026 and by 28% in the second. That averages 27%, with hardly any spread, and it takes some of the drama out of the reaction in the spring, when the shares fell sharply on what was a single point.

The company still expects a slight deceleration this year. Large conversions by German industry have been postponed, and public customers in America are slower to sign.

Holdings: the author has no position in SAP.`,
    fault: "That averages 27%",
    clean: "That averages 28%",
  },
  {
    name: "midpoint of the guidance range is wrong",
    stock: "TM",
    headline: "Toyota puts a range around its year",
    preview: "For the first time in years the carmaker gives investors a corridor instead of a point.",
    body: `TOKYO. Toyota Motor expects revenue of between ¥48.0 trillion and ¥49.6 trillion for the fiscal year to March 2027, it said in its [first-quarter summary](https://global.toyota/en/ir/financial-results/2027-q1). Until now it had published a single figure.

The midpoint, ¥48.6 trillion, would be 1.7% above last year's ¥48.0 trillion; at the lower end revenue would be flat. Tariffs in the United States and the price of steel are the main reasons for the caution, the accounting officer said.

Volume is not the problem. The group plans to build ten million vehicles under the Toyota and Lexus badges, the plants run close to capacity and waiting lists for hybrids in North America are long. It is the margin on each car that has been shrinking.

The author holds no Toyota position.`,
    fault: "The midpoint, ¥48.6 trillion,",
    clean: "The midpoint, ¥48.8 trillion,",
  },
  {
    name: "preview gives the wrong size of the earnings beat",
    stock: "AMD",
    headline: "AMD's data centre chips carry the quarter",
    preview: "Adjusted profit came in eleven cents a share above the consensus; revenue was better as well.",
    body: `Advanced Micro Devices earned $1.17 a share in the second quarter, adjusted for the usual items, its [results release](https://ir.amd.com/news/2026-q2-results) shows. Analysts polled by the data services had on average expected $1.09.

Revenue was $9.2 billion, where the polls had said $9.0 billion, a surplus of 2.2%. Server processors and accelerators together made up half of it, at $4.6 billion; gaming consoles were weak, as they tend to be this late in a product cycle.

Less pleasing was the inventory, which has been piling up ahead of the next accelerator generation. The company calls this deliberate. Should the launch slip, the stock would age quickly, and AMD has had to write down chips for the Chinese market before.

The author has no position in AMD.`,
    fault: "eleven cents a share",
    clean: "eight cents a share",
  },
  {
    name: "a miss against estimates is called a beat",
    stock: "UBER",
    headline: "Uber's quarter: busy roads, mixed books",
    preview: "More trips, more bookings, and a profit line that needs explaining.",
    body: `Anyone who tried to get a car in a big city this summer will believe the first number: trips rose 18% on the year. Gross bookings, too, ended above the company's own range, the [second-quarter release](https://investor.uber.com/results/2026-q2) says.

Then there is profit. Analysts had pencilled in 68 cents a share. Uber reported 63 cents, and so beat the consensus by five cents, a difference due largely to the revaluation of its stakes in Asian ride-hailing firms, over which it has no say.

Such stakes have swung the result in both directions for years. Strip them out and what remains is a business whose insurance bill in California is falling and whose partnerships with robotaxi operators cost money before they earn any.

The author holds no position in Uber.`,
    fault: "and so beat the consensus by five cents",
    clean: "and so missed the consensus by five cents",
  },
  {
    name: "job cuts as a fraction of office staff is wrong",
    stock: "AMZN",
    headline: "Amazon thins out its offices once more",
    preview: "14,000 corporate posts are to go by the end of the year. The warehouses are not affected.",
    body: `Amazon will shed 14,000 office jobs, a [memo to employees](https://www.aboutamazon.com/news/company-news/september-2026-memo) published on Wednesday says, most of them in human resources, devices and the games division. Notice periods run for ninety days.

The company employs some 350,000 people in such roles. About one in 20 of them must therefore look for something else. Set against the whole payroll of 1.56 million, drivers and pickers included, it is a matter of 0.9%.

Is artificial intelligence to blame? The memo mentions it twice and layers of management five times. Former executives say that the hiring during the pandemic is the simpler explanation: the number of managers then grew faster than the number of those who were managed.

The author neither works for Amazon nor holds a position in it.`,
    fault: "About one in 20 of them",
    clean: "About one in 25 of them",
  },
  {
    name: "total growth divided by years given as compound rate",
    stock: "META",
    headline: "Three years that made Meta's advertising machine",
    preview: "From the trough of 2022 to the record of 2025: a growth rate and what lies behind it.",
    body: `In 2022 the obituaries were ready. Apple had closed the tracking tap, TikTok had taken the young, and Meta's advertising revenue had slipped to $112.5 billion, as the [annual report](https://investor.atmeta.com/annual-report-2022) of the time records.

Three years on, in 2025, it was $194.4 billion. That is a compound growth rate of 24% a year, achieved by a company many had written off, and with fewer employees than it had at the start.

How was it done? More short videos, better matching of advertisement and viewer, and a wave of Chinese exporters with money to spend. The [latest report](https://investor.atmeta.com/annual-report-2025) names the last of these as a risk: should tariffs shut those merchants out, their budgets would vanish with them.

The author has no position in Meta, short or long.`,
    fault: "a compound growth rate of 24% a year",
    clean: "a compound growth rate of 20% a year",
  },
  {
    name: "annualised run rate is not four times the quarter",
    stock: "GOOGL",
    headline: "Google Cloud has two years of work on its books",
    preview: "The backlog of Alphabet's cloud arm has reached $121.6 billion.",
    body: `Google Cloud took in $15.2 billion in the second quarter and kept $3.04 billion of that as operating profit, a margin of 20%. Both numbers are in Alphabet's [quarterly release](https://abc.xyz/investor/2026-q2).

Annualized, revenue is running at $62.8 billion. The signed but undelivered orders equal exactly two years at that rate, which is why management keeps asking the board for more data centers rather than more salespeople.

A backlog is a promise and not cash, of course. Part of it comes from young artificial intelligence labs that pay their bills with money raised from investors, some of it from Alphabet itself. If the funding window closed, a number of those contracts would be renegotiated, and the company says as much among its risk factors.

The author holds no position in Alphabet.`,
    fault: "running at $62.8 billion",
    clean: "running at $60.8 billion",
  },
  {
    name: "price to earnings ratio does not follow from price and estimate",
    stock: "INTC",
    headline: "Is Intel cheap? Depends on the year you pick",
    preview: "Two estimates, two multiples, and a turnaround in between.",
    body: `At $24.60, Intel's share looks inexpensive next to the rest of the industry. Whether it is depends on profits that do not exist yet.

Analysts expect earnings of 60 cents a share for the current year, going by the [consensus page](https://www.intc.com/stock-info/consensus) the company maintains. The share is thus valued at about 31 times this year's profit. For 2027, the consensus is $1.20, and the multiple falls to 20.5, precisely because the estimate doubles.

A doubling, then, is in the price. It assumes that the factories fill up, that the new process yields as promised and that an outside customer of some weight signs on. Intel has named none so far. In the quarter just past the foundry division lost more than $2 billion.

The author holds no Intel position and plans none this week.`,
    fault: "about 31 times",
    clean: "about 41 times",
  },
  {
    name: "total in the table is not the sum of its rows",
    stock: "CAT",
    headline: "Caterpillar grows 9% on the hunger for power",
    preview: "Generators for data centres outsell the yellow excavators.",
    body: `Caterpillar's sales rose 9% in the second quarter. The table, drawn up from the [results release](https://investors.caterpillar.com/results/2026-q2), shows where the growth came from.

| Sales, $ billion | Q2 2025 | Q2 2026 |
| --- | --- | --- |
| Construction | 6.0 | 6.2 |
| Mining | 3.0 | 3.1 |
| Power and energy | 6.7 | 7.8 |
| Financial products | 0.9 | 1.0 |
| **Total** | **16.6** | **17.1** |

Power and energy alone supplied $1.1 billion of the increase. Operators of data centres order reciprocating engines as a stopgap until the grid connection arrives, and waiting times have lengthened to more than two years.

In construction, dealers reduced their stock somewhat. Tariffs cost the group between $400 million and $450 million in the quarter; it expects a similar burden in the next.

No position in Caterpillar is held by the author.`,
    fault: "**17.1**",
    clean: "**18.1**",
  },
  {
    name: "percentage in the table is the difference in units",
    stock: "ASML",
    headline: "ASML in four rows",
    preview: "Orders, sales, machines and margin of the lithography group at a glance.",
    body: `The Dutch maker of lithography machines has published its second quarter. We have put the essentials of the [press release](https://www.asml.com/en/investors/q2-2026) into a table, with changes on the year.

| | Q2 2025 | Q2 2026 | Change |
| --- | --- | --- | --- |
| Net bookings (€ billion) | 5.5 | 6.6 | +20% |
| Net sales (€ billion) | 7.7 | 8.47 | +10% |
| Systems sold (units) | 76 | 95 | +19% |
| Gross margin | 53.7% | 52.9% | -0.8 points |

That units rose faster than sales is due to the mix: many of the machines were older models for makers of memory chips, which cost a fraction of the newest scanners. The margin reflects the same thing.

Of exports to China, the company says only that their share will go on declining this year.

The author has no position in ASML.`,
    fault: "+19%",
    clean: "+25%",
  },
  {
    name: "earnings per ADS is not eight times earnings per ordinary share",
    stock: "BABA",
    headline: "Alibaba: one report, two kinds of share",
    preview: "Why the profit per share in Hong Kong and in New York differs by a factor of eight.",
    body: `Every quarter, readers write in to ask which of Alibaba's profits is the right one. Both are. One American depositary share stands for eight ordinary shares, as the [filing](https://www.alibabagroup.com/en-US/ir-filings/2026-june-quarter) explains in a footnote.

For the June quarter, the company shows adjusted earnings of RMB 1.85 per ordinary share. Holders in New York read RMB 15.80 per depositary share instead. Nothing else is different: the same profit is divided into bigger pieces.

Revenue grew by 4% to RMB 247.0 billion from RMB 237.5 billion. The cloud did better than that, while the battle over one-hour delivery went on burning cash. Meituan and JD.com show no sign of calling a truce, and the regulator has already summoned all three for a talk.

The author holds no position in Alibaba.`,
    fault: "RMB 15.80",
    clean: "RMB 14.80",
  },
  {
    name: "a doubling is called a tripling",
    stock: "PLTR",
    headline: "Palantir's corporate customers at home are the engine",
    preview:
      "American companies paid Palantir $306 million in the quarter; a year before it was $153 million.",
    body: `Once upon a time Palantir lived off generals and spies. They still pay well, but the tempo is set elsewhere, as the [letter to shareholders](https://investors.palantir.com/letters/2026-q2) makes clear in its usual sermon-like prose.

Revenue from private firms in the United States has tripled within four quarters. Insurers, hospitals and utilities sign up after brief trial workshops, and contracts are getting longer: the average term is now a little over three years.

Europe is another matter. There, revenue has stagnated since last autumn, and two German states have let pilot projects lapse over doubts about data protection. The chief executive speaks of a continent that does not want to win; customers there mention the price list.

I own no Palantir, and hold no position against it.`,
    fault: "has tripled within four quarters",
    clean: "has doubled within four quarters",
  },
  {
    name: "share of a whole wrong, whole spread over three months",
    stock: "TSM",
    headline: "TSMC's spring, month by month",
    preview: "Sales ebbed from April to June, and yet the quarter was the best ever.",
    body: `Taiwan Semiconductor tells the market its sales every month, which spares analysts some guessing. April brought NT$349 billion, May NT$321 billion and June NT$264 billion, the [monthly statements](https://investor.tsmc.com/english/monthly-revenue/2026) show.

The downward path is mostly currency: the Taiwan dollar rose, and customers pay in the American one. Some orders had also been pulled forward into April to be on the safe side of tariffs.

Of the quarter's total, chips for high-performance computing accounted for NT$560 billion, or 54%. Smartphones came next. The board has approved further spending on the sites in Arizona, where wages and building costs weigh on the gross margin by two to three percentage points.

Disclosure: the author has no position in TSMC.`,
    fault: "or 54%",
    clean: "or 60%",
  },
  {
    name: "duration of the contract does not fit its dates and annual rate",
    stock: "NKE",
    headline: "Nike's most expensive shirt is half paid for",
    preview: "A look at a kit contract that began in 2018 and ends in 2033.",
    body: `Sponsorship deals rarely make it into a company's accounts by name. This one did, because a club in Europe is listed and had to publish the [agreement with Nike](https://investors.example-club.eu/filings/nike-agreement).

The twelve-year contract is worth $780 million in total, or $52 million a season, plus royalties on shirts sold. Eight of those seasons are over, seven are left, and the club would like to talk about better terms before the last three.

Nike is in no hurry. The company has been trimming what it calls demand creation, sells less in China than it did, and would rather put its money into running shoes. Under its chief executive, back since October 2024, it has let two smaller teams go to rivals.

The author holds no position in Nike.`,
    fault: "The twelve-year contract",
    clean: "The fifteen-year contract",
  },
  {
    name: "market value from price and share count with digits swapped",
    stock: "AAPL",
    headline: "What a hundred billion buys at Apple",
    preview: "The board's repurchase programme sounds enormous. Against the size of the company it is not.",
    body: `$100 billion: with such a sum one could acquire most members of the S&P 500 outright. Apple is spending it on Apple. The board approved the programme in May, according to the [announcement](https://www.apple.com/newsroom/2026/05/second-quarter-results), and a good part of it has been used.

But how much is it really? Apple has 14.8 billion shares outstanding, and at Friday's $327.20 apiece they are worth $4.48 trillion together. The programme covers about 2% of the company. It would take decades at this pace to buy it all, quite apart from the small matter of who would sell.

The purchases do help earnings per share along. They also do nothing for the question that occupies investors this autumn, which is whether the new assistant will arrive on time.

The author holds no position in Apple.`,
    fault: "worth $4.48 trillion together",
    clean: "worth $4.84 trillion together",
  },
  {
    name: "debt-to-equity ratio miscalculated",
    stock: "DIS",
    headline: "Disney keeps whittling away at the Fox debt",
    preview: "Borrowings are down by $4 billion in a year. The ratio creditors look at has improved, too.",
    body: `Seven years after Disney swallowed most of 21st Century Fox, the bill is still being paid. At the end of June 2026, borrowings stood at $42 billion, compared with $46 billion twelve months earlier, the [balance sheet](https://thewaltdisneycompany.com/investor/10-q-2026-q3) shows.

Shareholders' equity has meanwhile grown from $102 billion to $105 billion. Debt to equity is down to 0.34, after 0.45 a year ago, and two rating agencies have a positive outlook on the company.

What will it do with the room? Ships, for one thing: the cruise line is to have thirteen of them by 2031. A larger dividend is conceivable as well. Acquisitions are not on the list, says the finance chief, who was not yet there for the last one.

The author has no position in Disney.`,
    fault: "down to 0.34",
    clean: "down to 0.40",
  },
  {
    name: "growth between two figures written as words is wrong",
    stock: "KO",
    headline: "More fizz than expected",
    preview: "Coca-Cola sold nine billion unit cases in a single quarter.",
    body: `It was a hot June in much of Europe, and people were thirsty. Coca-Cola's volume, counted in unit cases of twenty-four small bottles each, rose accordingly, the [second-quarter release](https://investors.coca-colacompany.com/results/2026-q2) tells us.

A year ago the company had shifted eight and a half billion of them. The increase of half a billion amounts to nearly nine per cent, and the sugar-free variety contributed more of it than the classic. Water and sports drinks stood still.

Prices did less than in previous years. In Mexico a higher levy on sweetened drinks came into force in January, and the bottler there passed it on in full; the volumes in that country shrank. In India, the monsoon arrived early and spoiled what should have been the best weeks.

The writer holds no position in Coca-Cola and prefers tea.`,
    fault: "nearly nine per cent",
    clean: "nearly six per cent",
  },
  {
    name: "Uber's revenue per trip is wrong",
    stock: "UBER",
    headline: "Where the fifteen dollars go",
    preview: "The average Uber trip costs $15.00. We follow the money from the rider to the shareholder.",
    body: `Take $48.0 billion of gross bookings, divide by 3.2 billion trips, meals included, and you have the average fare of Uber's second quarter: fifteen dollars on the nose. Both inputs are in the [quarterly release](https://investor.uber.com/results/2026-q2-tables).

Drivers, couriers, restaurants and tax offices get the larger part. Uber booked $12.0 billion as revenue, which is a quarter of the bookings. Per trip, it keeps $4.25 before paying for insurance, computing and its own staff.

What is left at the end is a matter of cents. That is why small things matter so much here: a new rule on minimum pay in one big city, or a jury in another, can use up the profit from a million rides. New York and Seattle have supplied examples of both.

The author has no position in Uber.`,
    fault: "it keeps $4.25",
    clean: "it keeps $3.75",
  },
];
