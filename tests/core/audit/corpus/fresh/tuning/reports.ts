import type { CleanDraft } from "../../measured/form.ts";

/** News: results, deliveries and forecasts, each figure in agreement with the others. */
export const reports: readonly CleanDraft[] = [
  {
    name: "apple june quarter",
    stock: "AAPL",
    headline: "Apple's services grew twice as fast as the iPhone in the June quarter",
    preview:
      "Apple's services revenue rose 14% in its third fiscal quarter while the iPhone added 7%. The gross margin slipped by 40 basis points from the March quarter, and the company bought back $21 billion of stock.",
    body: `Apple's services revenue rose 14% from a year earlier to $31.35 billion in the quarter that ended on June 27, the company said on July 30. Twelve months before it had been $27.5 billion. The iPhone brought in $48.15 billion, 7% more than the $45 billion of the same quarter in 2025.

Total revenue came to $103.4 billion, up 10% from $94.0 billion. Services and the iPhone together make up $79.5 billion of that, or about 77%; the Mac, the iPad and the wearables are the rest.

The gross margin was 46.5%, against 46.9% in the March quarter: 40 basis points less, though still 20 more than the 46.3% of a year ago. The company put the sequential decline down to the price of memory.

Apple spent $21 billion on its own shares and $3.9 billion on dividends, so that $24.9 billion went to holders. The token that follows the stock traded at $327.10 on Friday morning, inside the day's range of $324.10 to $328.50.

The report on the quarter that ends in September is due toward the end of October.

Sources: [Apple, results for the third fiscal quarter](https://www.apple.com/newsroom/), [Apple, Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000320193&type=10-Q)`,
  },
  {
    name: "nvidia july quarter",
    stock: "NVDA",
    headline: "NVIDIA's data center sales: 8% more in three months, 55% more in a year",
    preview:
      "NVIDIA sold $62.0 billion of data center equipment in the July quarter. That is 55% above last year and 8% above the April quarter. For the next three months the company forecasts $75 billion in total, give or take 2%.",
    body: `NVIDIA's data center business took in $62.0 billion in the second quarter of fiscal 2027, which ended on July 26. A year earlier it was $40.0 billion, so the growth is 55%. Measured against the April quarter's $57.4 billion it is 8%, the slowest sequential gain in five quarters.

All of NVIDIA together sold $70.0 billion. Data centers account for almost 89% of it and gaming for another $5.0 billion. The remaining $3.0 billion comes from cars, workstations and parts for other makers.

The gross margin widened from 74.4% to 75.2%, or 0.8 points. Diluted earnings were $1.62 a share after $1.05, an increase of 54%, one point less than that of data center revenue.

For the October quarter the company expects $75 billion, plus or minus 2%. That is a range of $73.5 billion to $76.5 billion, and its midpoint lies about 7% above the quarter just reported.

The stock's token changed hands near $181 on Friday. The report came out on Wednesday, August 26, after the close.

Sources: [NVIDIA newsroom](https://nvidianews.nvidia.com/), [NVIDIA, CFO commentary on Form 8-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001045810&type=8-K)`,
  },
  {
    name: "jpmorgan second quarter",
    stock: "JPM",
    headline: "JPMorgan earns more on interest and sets less aside for bad loans",
    preview:
      "Net interest income at JPMorgan Chase rose 5% to $24.6 billion in the second quarter. Provisions fell by an eighth. The capital ratio is 40 basis points lower than a year ago, at 15.0%, because more went back to shareholders.",
    body: `JPMorgan Chase reported net interest income of $24.6 billion for the three months to June 30, compared with $23.4 billion a year before. The difference of $1.2 billion amounts to 5%. Cards and a larger securities book did most of it, the bank said on July 14.

Provisions for credit losses were $2.8 billion after $3.2 billion, a decline of 12.5%. Charge-offs on cards ran at 3.4%, within the bank's forecast of 3.3% to 3.5% for the year.

The net income of $15.3 billion, spread over some 2.73 billion shares, is $5.60 a share. Four such quarters would be $22.40. At Friday's $301.50 the token therefore stands at about 13.5 times that sum, which is not a forecast: banks seldom have four equal quarters.

The common equity tier 1 ratio came to 15.0%, against 15.4% in June 2025. Those 40 basis points went to shareholders, mostly through $8 billion of repurchases in the quarter. The regulatory minimum stays at 11.5%, so there are 3.5 points to spare.

Sources: [JPMorgan Chase, second-quarter results](https://www.jpmorganchase.com/ir/quarterly-earnings), [Form 8-K of July 14](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000019617&type=8-K)`,
  },
  {
    name: "costco august",
    stock: "COST",
    headline: "Costco closes its fiscal year with an August of 5.8%",
    preview:
      "Comparable sales at Costco rose 5.8% in the four weeks to August 30, or 6.4% without fuel and currencies. Shoppers came 3.5% more often and spent 2.2% more per visit. The fiscal year ends with $287.0 billion in net sales.",
    body: `Costco's net sales for the four weeks that ended on August 30 were $21.9 billion, up 7.9% from $20.3 billion. Sales at comparable warehouses rose 5.8%, the company said on Wednesday, September 2. Cheaper gasoline and a strong dollar cost it 0.6 points; without both the figure is 6.4%.

Two things make up the 5.8%. Visits were up 3.5%, and the average receipt was up 2.2%. Added they give 5.7, but the two multiply: each of the additional visits is a larger one, too.

By region, the United States reached 5.4%, Canada 6.5%, and all other countries 7.1%. Orders online and by app gained 18%; they are still less than a tenth of the whole.

With August the fiscal year is complete. It had 52 weeks and net sales of $287.0 billion, 6.3% more than the $270.0 billion of the year before. Membership fees are not part of it; they come with the full results on September 24.

The token cost between $949.50 and $962.70 on Friday.

Sources: [Costco, August sales results](https://investor.costco.com/), [Form 8-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000909832&type=8-K)`,
  },
  {
    name: "coke price and volume",
    stock: "KO",
    headline: "Coca-Cola sold 1% more drinks and charged 5% more for them",
    preview:
      "Organic revenue at Coca-Cola grew 6% in the second quarter, of which one point is volume and five are price and mix. Exchange rates took half of it away. Earnings rose to 92 cents a share.",
    body: `**How much did Coca-Cola grow?** By 6% if acquisitions and currencies are left out. Volume contributed one point, price and mix five. Reported in dollars the growth is 3%, from $12.5 billion to $12.9 billion, because the peso, the real and the yen bought fewer of them.

**Where did the volume come from?** India and Brazil were up by 4% each, while North America lost 2%. The company speaks of a wet June.

**And the profit?** Comparable earnings were 92 cents a share, after 87 cents in the second quarter of 2025. Five cents on 87 is almost 6%. Currencies cost about four cents; without them it would have been some 96 cents.

**What does a holder get?** The quarterly dividend is 53 cents, so $2.12 a year. At $68.90 for the token on Friday that is a yield of 3.1%. It has been raised in each of the last 64 years.

**What next?** The company left its forecast for the year where it was: organic growth of 5% to 6%, and a currency headwind of one to two points on revenue.

The report dates from July 21.

Sources: [The Coca-Cola Company, second-quarter results](https://investors.coca-colacompany.com/), [Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000021344&type=10-Q)`,
  },
  {
    name: "netflix advertising",
    stock: "NFLX",
    headline: "Netflix expects to double its advertising revenue, again",
    preview:
      "Netflix raised its forecast for 2026 to between $51.2 billion and $51.8 billion. Advertising is to double to roughly $3 billion, which would still be less than 6% of the whole. The operating margin slipped to 33.2%.",
    body: `Netflix took in $12.6 billion in the second quarter, 14% more than the $11.05 billion of a year earlier. In constant currency the gain would have been 13%, the company told shareholders in its letter of July 16.

For the full year it now expects $51.2 billion to $51.8 billion. The old range was $50.7 billion to $51.7 billion; its bottom went up by half a billion and its top by $100 million, so the midpoint moved from $51.2 billion to $51.5 billion.

Advertising remains a small part that grows quickly. It brought about $1.5 billion in 2025 and is to reach roughly $3 billion this year. Set against the midpoint that is a little less than 6% of revenue.

The operating margin was 33.2% after 34.1%, a decline of 0.9 percentage points, or 2.6% in relative terms. A tax dispute in Brazil explains most of it. Operating income of $4.18 billion was nevertheless 11% higher than the $3.77 billion of a year ago.

Since the split of November 2025, ten shares for one, the stock trades in three digits: its token was at $121.50 on Friday.

Sources: [Netflix, letter to shareholders](https://ir.netflix.net/), [Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001065280&type=10-Q)`,
  },
  {
    name: "tesla deliveries",
    stock: "TSLA",
    headline: "Tesla delivered 412,000 cars and built 9,500 more than that",
    preview:
      "Tesla's deliveries rose 7.3% to 412,000 in the second quarter, the first increase in four. Production was higher still, so inventory grew. Energy storage set a record of 12.5 gigawatt-hours.",
    body: `Tesla delivered 412,000 vehicles between April and June, 28,000 more than in the same months of 2025, when the count was 384,000. That is an increase of 7.3%, and the first after three quarters of decline.

The Model 3 and the Model Y account for 389,000 of the deliveries, or 94%. Everything else, from the Cybertruck to the Semi, adds up to 23,000.

The factories made 421,500 cars. Since 9,500 of them found no buyer before the quarter ended, inventory is now at 17 days of sales, up from 15.

Storage did better: the company installed 12.5 gigawatt-hours, 30% above the 9.6 of last year. Two thirds of the growth came from the plant in Shanghai.

In its report of July 22 Tesla put the automotive gross margin without regulatory credits at 17.4%. It was 15.0% a year ago, which makes a gain of 2.4 points. Lower prices for batteries were worth about $900 a car.

The token was quoted at $402.60 on Friday; its high for the day was $409.30.

Sources: [Tesla, production and deliveries](https://ir.tesla.com/press), [Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001318605&type=10-Q)`,
  },
  {
    name: "meta spending range",
    stock: "META",
    headline: "Meta lifts its spending plan by $5 billion at both ends",
    preview:
      "Meta now wants to invest $115 billion to $125 billion in 2026, two thirds more than last year at the midpoint. Revenue grew 23% in the second quarter, costs grew faster, and the operating margin fell by two points to 41%.",
    body: `Meta Platforms raised its range for capital expenditure in 2026 to $115 billion to $125 billion on July 29. Until then it had said $110 billion to $120 billion. The new midpoint of $120 billion compares with $72 billion spent in 2025: two thirds more.

Revenue in the second quarter was $58.6 billion, an increase of 23% from $47.5 billion. Impressions contributed 11% and the average price per ad 11% as well. Multiplied, the two explain nearly all of it.

Operating income rose less, by about 18% from $20.4 billion to $24.0 billion. The margin is accordingly 41% instead of 43%. Depreciation alone went up by $2.6 billion.

Reality Labs lost $4.4 billion, a little less than the $4.5 billion of the prior year, on revenue of $0.4 billion. In other words, each dollar of its sales cost twelve dollars to make, give or take.

The finance chief said on the call that "growth in expenses will be above growth in revenue" in 2027, too. She gave no figure.

The token stood at $741 on Friday.

Sources: [Meta, second-quarter results](https://investor.atmeta.com/), [Form 8-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001326801&type=8-K)`,
  },
  {
    name: "microsoft fiscal year",
    stock: "MSFT",
    headline: "Microsoft ends fiscal 2026 with $327 billion in revenue",
    preview:
      "Microsoft's revenue grew 16% in the fiscal year to June 30 and 14% in its last quarter. Azure gained 37%, or 36% at constant exchange rates. Contracts signed but not yet delivered are worth $490 billion.",
    body: `Microsoft took in $327.0 billion in fiscal 2026, which ended on June 30. The year before it was $281.7 billion, so that revenue grew 16%. The fourth quarter alone contributed $87.1 billion, 14% more than the $76.4 billion of the same quarter in fiscal 2025.

Azure and other cloud services grew 37%. A weaker dollar helped by one percentage point; at constant exchange rates it is 36%. The company had promised "between 35% and 36%".

Commercial contracts that are signed but not delivered amount to $490 billion, up by a third from $368 billion. Around 40% of that, or $196 billion, should become revenue within twelve months. OpenAI stands for a large part of the remainder.

Capital expenditure including leases was $34.9 billion in the quarter and $121.6 billion in the year. The finance chief expects the growth of spending to slow in fiscal 2027, "but not the spending".

For the quarter that ends on September 30 Microsoft forecasts $86.0 billion to $87.2 billion. On the first Friday of September the token traded at $512.30.

Sources: [Microsoft, earnings release FY26 Q4](https://www.microsoft.com/en-us/investor), [Form 10-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000789019&type=10-K)`,
  },
  {
    name: "amd segment table",
    stock: "AMD",
    headline: "AMD's second quarter by segment, and what the table hides",
    preview:
      "AMD's revenue rose 39% to $10.6 billion in the second quarter. Data centers supplied $2.2 billion of the additional $3.0 billion. A table of the three segments, and three notes on how to read it.",
    body: `AMD reported on August 4. In billions of dollars, with the second quarter of 2025 beside it:

| Segment | Q2 2026 | Q2 2025 | Change |
|---|---|---|---|
| Data Center | 5.4 | 3.2 | 69% |
| Client and Gaming | 4.3 | 3.6 | 19% |
| Embedded | 0.9 | 0.8 | 12.5% |
| Total | 10.6 | 7.6 | 39% |

First, the base. The spring of 2025 was weak in data centers, because export rules kept $0.7 billion of accelerators in the warehouse. Compared with 3.9 rather than 3.2 the segment's growth would be 38%.

Second, the mix. Data centers now bring in 51% of revenue after 42%, nine points more in a year. Of the $3.0 billion that the company added, $2.2 billion came from there.

Third, the margin. It was 54% without special items, as forecast, and as in the first quarter. Accelerators earn less than server processors do, so that growth has not made the margin larger.

For the third quarter AMD expects $11.2 billion, plus or minus $300 million. The token traded between $161.30 and $167.90 on Friday.

Sources: [AMD, second-quarter results](https://ir.amd.com/), [Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000002488&type=10-Q)`,
  },
  {
    name: "amazon three segments",
    stock: "AMZN",
    headline: "A fifth of Amazon's sales earns almost two thirds of its profit",
    preview:
      "AWS made $13.4 billion of Amazon's $21.0 billion in operating income in the second quarter, on just under a fifth of the revenue. Stores in North America came second, and the rest of the world improved its margin from a low base.",
    body: `Amazon's three segments sold goods and services for $189.0 billion in the second quarter: $110.4 billion in North America, $41.3 billion abroad, and $37.3 billion at AWS. A year ago the total was $167.7 billion; the growth of 12.7% contains 80 basis points from exchange rates.

Operating income was $21.0 billion. AWS earned $13.4 billion of it, or nearly 64%, although it brings in just under 20% of revenue. Its margin is about 36%. North America contributed $6.1 billion and the international stores $1.5 billion.

International is the quiet surprise. With $1.5 billion on $41.3 billion the margin is 3.6%. Twelve months earlier $36.8 billion of sales had yielded $1.1 billion, which was 3.0%.

Cash is the other side. Over the last four quarters Amazon invested $131 billion, and its free cash flow shrank to $11.2 billion after $18.2 billion. That is 38% less while operating cash flow grew 16%.

The forecast for the current quarter: sales of $192 billion to $198 billion. On Friday the token was at $228.40, near the middle of its range for the day.

Sources: [Amazon, second-quarter results](https://ir.aboutamazon.com/), [Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001018724&type=10-Q)`,
  },
  {
    name: "disney streaming profit",
    stock: "DIS",
    headline: "Disney's streaming profit is up by a third and its parks sell dearer tickets",
    preview:
      "Streaming earned Disney $468 million in its third fiscal quarter, $122 million more than a year ago. At the domestic parks fewer guests spent more. Revenue rose 5% to $24.8 billion.",
    body: `Walt Disney's streaming services earned $468 million in the three months to June 27. In the same quarter of fiscal 2025 they had earned $346 million; the $122 million between the two are an increase of 35%. As recently as the summer of 2022 the services had lost more than $1 billion a quarter.

The experiences division raised its operating income by 8%, from $2.5 billion to $2.7 billion. Attendance at the parks in the United States fell 1%, but each guest spent 5% more. Together that makes about 4% of growth for the gates; cruises supplied the rest.

Linear television kept shrinking. Its operating income was $0.6 billion, 14% less than the $0.7 billion of the year before, and it is no longer far above that of streaming.

In all, revenue was $24.8 billion after $23.65 billion, a plus of 5%. Adjusted earnings of $1.77 a share compare with $1.61, or 10% more.

Disney keeps its forecast for the fiscal year, which ends on October 3: earnings growth in the low teens, as a percentage. The token was quoted at $118.30 on Friday.

Sources: [The Walt Disney Company, third-quarter results](https://thewaltdisneycompany.com/investor-relations/), [Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001744489&type=10-Q)`,
  },
  {
    name: "intel smaller loss",
    stock: "INTC",
    headline: "Intel halves its loss per share with a quarter fewer people",
    preview:
      "Intel lost 5 cents a share in the second quarter, after 10 cents a year earlier. The foundry's loss shrank by a quarter. So did the workforce, from 99,500 to about 75,000 people.",
    body: `Intel's net loss was $240 million in the second quarter, or 5 cents on each of 4.8 billion shares. In the spring of 2025 it had been 10 cents before special charges. Revenue rose by 4% from $12.9 billion to $13.4 billion.

The foundry, which makes chips for Intel itself and, it hopes, for others, lost $2.4 billion after $3.2 billion. That is 25% less. External customers paid it $60 million; management wants that to be "in the billions" by 2029 and gives no interim goals.

The gross margin recovered from 29.7% to 36.1%, a gain of 6.4 percentage points. About half of those points come from a charge that was not repeated, so that the underlying improvement is nearer to three.

The company counts some 75,000 employees. A year and a half ago there were 99,500. Of the 24,500 who have gone, roughly 5,000 left with businesses that were sold.

For the third quarter Intel forecasts $13.2 billion to $14.2 billion. The token was at $24.60 on Friday morning, 1.6% below the share's close of $25.00 on August 28.

Sources: [Intel, second-quarter results](https://www.intc.com/), [Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000050863&type=10-Q)`,
  },
  {
    name: "alphabet cloud backlog",
    stock: "GOOGL",
    headline: "Google Cloud passes a run rate of $75 billion",
    preview:
      "Google Cloud's revenue rose 40% to $19.1 billion in the second quarter, which makes more than $75 billion if it is multiplied by four. Its backlog grew 16% within three months. Search grew, too, and paid partners less of it.",
    body: `Alphabet's cloud division took in $19.1 billion in the second quarter, after $13.6 billion in the same period of 2025. The growth of 40% is eight points faster than a year ago. Four quarters of this size would be $76.4 billion.

The backlog rose to $180 billion. At the end of March it was $155 billion, so that the increase within one quarter is 16%. Slightly more than half should turn into revenue over the next 24 months, according to the filing.

Across all of Alphabet revenue reached $110.9 billion, 15% above the $96.4 billion of last year. Advertising supplied $79.0 billion. Partners such as phone makers and browsers received $16.5 billion of that, a share of 21% after 21.6%.

Spending remains the question. Capital expenditure in 2026 is to be "about $180 billion", nearly twice the $91 billion of 2025. Depreciation grew 39% in the quarter.

The price of the class A token lay between $239.20 and $243.90 on Friday. Alphabet published its results on July 23.

Sources: [Alphabet investor relations](https://abc.xyz/investor/), [Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001652044&type=10-Q)`,
  },
  {
    name: "palantir raised forecast",
    stock: "PLTR",
    headline: "Palantir adds $300 million to its forecast for the year",
    preview:
      "Palantir grew 53% in the second quarter and now expects $6.20 billion to $6.24 billion for 2026. American companies bought 87% more. Growth and margin together exceed 100 for the first time.",
    body: `Palantir raised its forecast for 2026 on August 3. It expects revenue of $6.20 billion to $6.24 billion, where it had said $5.90 billion to $5.94 billion. Both ends are $300 million higher; the midpoint is $6.22 billion.

The second quarter brought $1.53 billion, 53% more than the $1.00 billion of last year. Companies in the United States paid $580 million of it, after $310 million, which is an increase of 87%. The American government paid $620 million after $430 million, or 44% more. Together the United States stands for 78% of revenue.

The adjusted operating margin was 48%. Software investors like to add growth and margin, and are content with 40. Palantir's sum is 101, and passed 100 for the first time. The measure leaves out $190 million of stock compensation, which would take about 12 points off the margin.

Abroad the picture is different. Customers outside of the United States paid $330 million, only 27% more than the $260 million of a year ago.

The token fell as low as $148.20 on Friday before it recovered to $152.60.

Sources: [Palantir, second-quarter results](https://investors.palantir.com/), [Form 8-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001321655&type=8-K)`,
  },
];
