import type { CleanDraft } from "../../measured/form.ts";

/** Wire stories, recaps and deals. */
export const news: readonly CleanDraft[] = [
  {
    name: "iphone event ahead",
    stock: "AAPL",
    headline: "Four days before its event, Apple leans on three product lines",
    preview:
      "iPhone, services and Mac brought Apple $87.6bn of the $103.4bn it booked last quarter. China turned up, Europe did not. What the numbers say ahead of Tuesday's launch in Cupertino, and what to listen for.",
    body: `CUPERTINO - Apple shows its new phones on Tuesday, September 8. It does so with three lines that carry the house: in the June quarter iPhones made $48.1bn, services $31.4bn and Macs $8.1bn. That is $87.6bn out of $103.4bn in net sales.

Greater China climbed 8% year on year to $16.6bn, from $15.4bn. Versus the March quarter, however, sales there dropped 2%. The two rates do not contradict each other, as spring is always the weaker season after the New Year's gifts.

Europe was flat at $24.0bn in dollars, and down 5% in constant currency, since the euro bought more dollars than a year earlier.

What should one listen for on Tuesday? Prices first. A Pro model at $1,099 would be 10% dearer than today's $999. A second point is memory, which now costs Apple about $30 more per phone according to TrendForce. On 230 million phones a year this would be $6.9bn.

Apple's token fetched $327.20 at 11 a.m. in New York today, Friday.

*Read more*
- [Apple newsroom](https://www.apple.com/newsroom/)
- [TrendForce on memory prices](https://www.trendforce.com/presscenter/news)`,
  },
  {
    name: "two customers of nvidia",
    stock: "NVDA",
    headline: "Two unnamed customers paid NVIDIA $27.3 billion in one quarter",
    preview:
      "Customer A and customer B account for 39% of NVIDIA's sales in the July quarter, its filing shows. Supply commitments jumped by half. Both numbers cut the same way, if demand should ever pause.",
    body: `Somebody bought 23% of everything NVIDIA sold in the July quarter, and somebody else 16%. The names are not disclosed. On quarterly sales of $70.0 billion the pair comes to 39%, that is $27.3 billion. In the comparable quarter of last year the two largest buyers stood at 23% and 16% as well, only of a smaller cake: $46.7 billion.

NVIDIA notes that these "direct customers" are often assemblers, who build servers on behalf of the cloud companies. The filing estimates that cloud providers take around 50% of data center sales, whoever pays the invoice.

Less discussed is page 31. Purchase commitments for supply and capacity went from $30 billion in April to $45 billion in July, one and a half times as much. Inventory sits at $15.0 billion; at $17.4 billion in quarterly cost of sales this lasts for 78 days.

A pause in orders would meet both. For now there is none in sight: lead times, said the company, run to "well over a year".

NVDA tokens trade at $181.40 as of 15:00 UTC.

Filing: [NVIDIA 10-Q for the quarter to July 26](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001045810&type=10-Q)`,
  },
  {
    name: "jpmorgan raises dividend",
    stock: "JPM",
    headline: "JPMorgan lifts its dividend by 10% and may buy back $50 billion",
    preview:
      "The bank will pay $1.65 a share each quarter, up from $1.50. At today's price the new rate yields 2.2%. The repurchase plan is worth up to 6% of the company, though nobody says how fast it will be used.",
    body: `NEW YORK (own report) - JPMorgan Chase is raising its quarterly dividend to $1.65 a share. Holders had received $1.50 so far, meaning a step of 15 cents or 10 percent. Payment follows on October 31 to those registered on October 6.

Annualised, the dividend now stands at $6.60. Relative to the current $301.50 this yields 2.2 percent. Payout remains modest: analysts polled by FactSet look for earnings of $21.90 this year, thus three dollars in ten go to shareholders as cash.

More weight lies in the second decision. The board authorised repurchases of $50 billion, effective since July 1, with no end date. Market capitalisation is roughly $820 billion, on 2.72 billion shares. Used in full, the programme would retire about 6 percent of them.

History counsels patience. Of the previous $30 billion authorisation the bank spent $7.1 billion in its first quarter, a little under a quarter of it. A similar pace would use up the new one in about seven quarters.

Regulators passed the bank in June's stress test; its buffer falls to 2.5 percent from 3.3, or 80 basis points.

Links: [JPMorgan Chase, press releases](https://www.jpmorganchase.com/newsroom/press-releases) | [Federal Reserve, stress tests](https://www.federalreserve.gov/supervisionreg/dfa-stress-tests-2026.htm)`,
  },
  {
    name: "costco special dividend question",
    stock: "COST",
    headline: "Will Costco pay another special dividend? The cash says it could",
    preview:
      "Costco sits on $16.4 billion of cash and securities against $5.7 billion of long-term debt. The last special dividend cost $6.7 billion. Doing it again would still leave about $4 billion more cash than debt.",
    body: `Every few years Costco empties its pockets. There was $7 a share in 2012, $5 in 2015, $7 in 2017, $10 in 2020 and $15 in January 2024. Five payments, $44 in total, over twelve years.

The question returns because the pockets are full. At the end of the third fiscal quarter, on May 10, cash and short-term securities came to 16.4 billion dollars. Take away 5.7 billion of long-term debt and 10.7 billion remain.

A repeat of 2024 costs $15 times 443.7 million shares: $6.66 billion. With $20 apiece it would be about $8.9 billion. Either fits. A token at $958.20 would see the equivalent of 1.6% or 2.1% of its price handed out.

Two arguments stand against it. Costco is opening 30 warehouses this fiscal year, five of them relocations, so 25 net; construction eats north of $6 billion. And management likes surprise: asked in May, the CFO answered that special dividends "remain a tool", which is word for word what he said a year before.

Quarterly results are scheduled for September 24, a Thursday.

Further reading: [Costco investor relations](https://investor.costco.com/), [its 10-Q for the third quarter](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000909832&type=10-Q)`,
  },
  {
    name: "coke and the peso",
    stock: "KO",
    headline: "A weaker peso takes the fizz out of Coca-Cola's best market",
    preview:
      "Mexicans drink more Coke per head than anybody. Sales there grew 9% in pesos in the last quarter but a mere 1% in dollars. How an exchange rate of 18.40 does that, and why it reads differently in each direction.",
    body: `A year ago 17.10 pesos bought one dollar. At the end of June it took 18.40. Put that way the dollar gained 7.6%. Seen from Mexico City, where a peso went from 5.85 US cents to 5.43, the national currency lost 7.1%. Same move, two bases; Coca-Cola's accountants need the second.

Bottlers in Mexico sold concentrate-based drinks for 9% more pesos during the second quarter. Multiply 1.09 by 0.929 and you are left with 1.013: growth of about 1% by the time it reaches Atlanta.

Mexico makes up near 5% of group revenue. Eight lost points on a twentieth amount to 0.4 points for the group. Brazil's real, the Turkish lira and Argentina's peso did the rest of the damage, which the company sums up at three points.

Hedging softens profit more than revenue. Coca-Cola covers the major currencies about a year ahead, the peso included, but the lira hardly.

Today's token price, $68.90, is a cent or two from where it was on Thursday.

Data: [Banco de México, exchange rates](https://www.banxico.org.mx/tipcamb/main.do?page=tip&idioma=en), [Coca-Cola, second quarter 2026](https://investors.coca-colacompany.com/)`,
  },
  {
    name: "netflix price rise",
    stock: "NFLX",
    headline: "Netflix asks Americans for two dollars more, again",
    preview:
      "The standard plan in the United States goes up to $19.99 a month. Cheapest in percent is the premium plan's rise, dearest the one with ads. If nobody leaves, the change is worth about $1.5 billion a year.",
    body: `From next week on, new customers of Netflix in the US pay $19.99 for the standard plan; it was $17.99. Existing ones follow as their contracts renew.

| Plan | Old | New | Rise |
|---|---|---|---|
| With ads | $7.99 | $8.99 | 12.5% |
| Standard | $17.99 | $19.99 | 11.1% |
| Premium | $24.99 | $26.99 | 8.0% |

A dollar is a bigger step than two when it starts from eight. Netflix can afford it: according to Antenna, monthly churn is 1.9%, less than half of the 4.6% average for its rivals.

How much might it bring? Assume 80 million paying households, 45% of them on the plan with ads. These 36 million add $12 a year each, or $432 million. The other 44 million add $24 each, which is $1.06 billion. Together we arrive at $1.49 billion, before anyone cancels. Should one household in ten do so, nearly all of the gain would be gone, for each takes its entire fee along.

By late morning the token had slipped to $121.50, within the day's $119.80 - $122.60.

See also: [Netflix, plans and pricing](https://help.netflix.com/en/node/24926) and [Antenna, insights](https://www.antenna.live/insights)`,
  },
  {
    name: "tesla revenue per car",
    stock: "TSLA",
    headline: "Tesla's average car sold for about $40,000, some $1,100 less than last year",
    preview:
      "Divide what Tesla earned from selling cars by the cars it delivered and the trend is plain: prices keep sliding. Regulatory credits, pure profit in the past, are down by a third. Cheaper batteries made up for both.",
    body: `Sales of cars, leases and credits aside, brought Tesla $16.5bn between April and June. Deliveries were 412,000. The average: $40,050. One year before, $15.8bn over 384,000 cars gave $41,150, hence $1,100 or 2.7% more than now.

Credits, which other carmakers buy to meet emission rules, faded to $290m (previous year: $439m). Being down 34%, they still equal almost a quarter of the quarter's operating profit of $1.2bn.

Even so the gross margin on cars improved, to 17.4% excluding credits. Tesla names three causes. Cells became cheaper by roughly $900 a vehicle; fixed costs were spread over 7.3% more cars; freight fell by an unspecified sum.

Free cash flow of $0.9bn compares with $0.1bn, i.e. nine times last year's tiny base. Capital spending is guided to "over $20bn" in 2026, more than double the $8.5bn of 2025.

Tesla will post third-quarter deliveries on or around Friday, October 2. Its token is worth $402.60 this morning, having opened lower.

Documents: [Tesla quarterly update](https://ir.tesla.com/), [10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001318605&type=10-Q)`,
  },
  {
    name: "meta sells bonds",
    stock: "META",
    headline: "Meta borrows $25 billion, and pays less than one might think",
    preview:
      "Four tranches, from five to forty years, found buyers within hours. The longest pays 115 basis points over Treasuries. Interest on all of it amounts to some $1.3 billion a year, or five days of operating profit at the pace of last quarter.",
    body: `Meta raised $25bn in the bond market on Wednesday, September 2. Orders topped $90bn, 3.6 times what was on offer, bankers told Bloomberg.

How it was sliced:

- $4bn for five years at 4.45%
- $8bn for ten years at 4.95%
- $7bn for thirty years at 5.60%
- $6bn for forty years at 5.75%

Add them up and you have the 25. Weighted by size, the coupon averages 5.24%, so that interest will cost $1.31bn annually. A simple mean of the four would be 5.19%; the long tranches are the heavier ones.

On the forty-year piece Meta pays 115bp above Treasuries, on the five-year piece 55bp. Initial talk had been 140bp and 75bp. Strong demand therefore saved 25bp and 20bp.

Can Meta carry this? Operating profit in the second quarter alone was $24.0bn. Spread over 91 days, that is $264m a day; five days' worth covers a year of new interest. Debt after the sale stands near $75bn, half as much again as before.

Its token changed little and was last seen at $741.20.

Reports: [Bloomberg](https://www.bloomberg.com/markets/rates-bonds), [Meta prospectus](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001326801&type=424B)`,
  },
  {
    name: "microsoft copilot seats",
    stock: "MSFT",
    headline: "20 million seats: what Copilot may add to Microsoft's sales",
    preview:
      "Microsoft counts 20 million paid Copilot seats, one third more than in January. At list price this would be $7.2 billion a year. Discounts make it rather $5 billion, analysts reckon: 1.5% of revenue, and growing.",
    body: `Microsoft has sold 20 million seats of its office assistant, its chief executive told analysts at the end of July. There were 15 million in January. Growth of a third within half a year is quick; compared to 450 million commercial users of Office the penetration is below 5% all the same, or 4.4% to be exact.

List price is $30 per month. 20m x $30 x 12 = $7.2bn. Hardly anyone pays list. Large customers obtain 20% to 40% off, resellers say, which leaves $4.3bn to $5.8bn. In the middle, at 30% off, we get to $5.0bn, about 1.5% of the $327bn that Microsoft turned over in fiscal 2026.

What would it take for Copilot to matter? Ten percent of revenue is $32.7bn. At $21 a month one needs 130 million seats, 6.5 times as many as there are.

Costs are the unknown. Each answer burns computing time, and heavy users are the ones who renew. Gross margin in the cloud was 67% last year, after 69%, off two points.

MSFT tokens: $512.30 (Friday, 11:00 New York time).

More: [Microsoft investor relations](https://www.microsoft.com/en-us/investor), [FY26 10-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000789019&type=10-K)`,
  },
  {
    name: "amd warrants",
    stock: "AMD",
    headline: "160 million reasons: what OpenAI's warrants mean for AMD holders",
    preview:
      "OpenAI may acquire up to 160 million shares of AMD for a cent each. That equals 9.9% of today's stock, yet dilutes holders by 9.0%. The price of the exercise is $1.6 million; the price of the shares is another matter.",
    body: `When AMD and OpenAI announced their pact in October 2025, one clause stood out. In return for buying six gigawatts of accelerators, OpenAI may subscribe 160 million AMD shares at $0.01.

Arithmetic, first part. AMD has 1.62 billion shares outstanding. 160 million is 9.9% of this. After issue there would be 1.78 billion, and OpenAI would own 9.0%. Dilution is the latter number, not the former.

Second part. Exercise costs $1.6 million altogether. Valued at $164.80, today's quote, the stake is $26.4 billion. Almost nothing of it is owed today: tranches vest one by one as gigawatts are delivered, and the last of them only if AMD trades at $600, some 3.6 times the present level.

Third part. Is it worth it? AMD speaks of "double-digit billions" in sales per gigawatt. Six times, let us say, $15 billion makes $90 billion over several years. A warrant that costs up to $26 billion at present prices is then a rebate of 29%. Were the stock at $600, the rebate would reach $96 billion and exceed the sales, a paradox that only success can produce.

Papers: [AMD 8-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000002488&type=8-K), [OpenAI announcement](https://openai.com/news/)`,
  },
  {
    name: "amazon prime days",
    stock: "AMZN",
    headline: "Prime Day grew 3.3%, and inflation ate most of it",
    preview:
      "Shoppers in the United States spent $24.9bn online during the four days of Amazon's sale in July, Adobe estimates. A year ago it was $24.1bn. Phones for the first time accounted for more than half of orders.",
    body: `Four days, $24.9 billion. Adobe's count of American online shopping for July 7 to 10, when Amazon held Prime Day and rivals held theirs, shows a plus of 3.3% on the $24.1 billion spent in 2025.

Prices online rose 2.4% within twelve months. Strip that out and volumes went up less than 1%.

Growth used to be other than this. In 2025 Amazon doubled the length of the event to four days, so spending jumped 30%, from $18.6bn on a comparable basis. No such trick was left for this year. On average each of the days made $6.2 billion: more than any Tuesday in the year, less than half of a Cyber Monday.

Mobile devices generated 53.1% of online sales (prior year: 49.6%), three and a half points extra. Buy-now-pay-later was used for 8.2%, or about $2 billion.

Amazon itself mentions "record" units and gives no sums, as ever. Its third-quarter guidance of $192bn to $198bn includes the event, since both years had it in July.

At $228.40 the token is 0.2% above the midpoint between this day's low and high.

From: [Adobe Digital Insights](https://business.adobe.com/resources/digital-economy-index.html), [About Amazon](https://www.aboutamazon.com/news)`,
  },
  {
    name: "disney billion film",
    stock: "DIS",
    headline: "Disney's summer film passes a billion, but who keeps the money?",
    preview:
      "A sequel has taken $1.04 billion at box offices worldwide, three fifths of it abroad. Cinemas keep about half. After production and marketing Disney's gain in theatres is just under $200 million, with toys still to come.",
    body: `On its fifth weekend the film crossed the line: $1.04bn worldwide, reports Box Office Mojo, of which $412m in the United States and Canada and $628m elsewhere. Abroad thus supplies 60%.

Not all of that arrives in Burbank. As a rule of thumb studios keep 55% of domestic tickets, 40% of foreign ones and a mere quarter in China. China accounts for $90m of the $628m. So:

1. Domestic: 55% of $412m, or $227m.
2. Foreign without China: 40% of $538m, or $215m.
3. China: 25% of $90m, about $22m.

Disney's take is then close to $464m, some 45 cents on every dollar at the till.

Making the film swallowed $180m, after tax credits. Promotion may have required another $100m. What is left, $184m, is a good result without being a sensation; the first part, in 2016, cleared more on a smaller gross as dollars were dearer and marketing cheaper.

Films matter for other reasons. Consumer products booked $1.1bn last quarter, and characters sell park tickets for decades.

A DIS token goes for $118.30 this Friday.

Numbers: [Box Office Mojo](https://www.boxofficemojo.com/), [Disney 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001744489&type=10-Q)`,
  },
  {
    name: "government stake in intel",
    stock: "INTC",
    headline: "Washington is up by a fifth on its Intel shares",
    preview:
      "The US government paid $20.47 for each of its 433.3 million Intel shares a year ago. They are worth $10.7 billion at this morning's price, a paper gain of $1.8 billion. Warrants could add to it, under one condition.",
    body: `In August 2025 the United States became Intel's largest shareholder. It got 433.3 million shares at $20.47, or $8.87 billion, most of which had been promised as grants anyway.

One year on Intel trades at $24.60. Multiplied out, the package is valued at $10.66 billion, giving the taxpayer a book profit of $1.79 billion. That equals 20%, ahead of Treasury bills, behind the S&P 500's 23% over the period.

Could Washington sell? It has promised to vote with the board and made no promise about holding. A sale all at once would be awkward: average volume is 68 million shares a day, hence the stake represents more than six full trading days.

There is a second leg. Warrants allow the purchase of a further 5% at $20, should Intel give up majority control of its foundry. With shares above $20 they are in the money; with the foundry fully owned they cannot be used.

Elsewhere SoftBank, which invested $2 billion at $23, is ahead by 7%.

Sources used:
* [Intel 8-K, August 2025](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000050863&type=8-K)
* [US Department of Commerce](https://www.commerce.gov/news)`,
  },
  {
    name: "waymo half million",
    stock: "GOOGL",
    headline: "Waymo doubles to half a million rides a week",
    preview:
      "Alphabet's robotaxis now complete 500,000 paid trips each week with some 3,000 cars, twice last year's number. Per car that is 24 rides a day. Revenue may be $500 million a year: next to nothing at Alphabet's scale.",
    body: `Waymo carries paying passengers half a million times per week, the company announced on Thursday, September 3. In the summer of 2025 it reported a quarter of a million. Growth: 100%.

Its fleet numbers around 3,000 cars in eleven cities. Every car therefore makes 167 trips weekly, 24 a day. Twelve months ago 1,500 vehicles did the same, so utilisation has not budged.

No fares are published. YipitData puts the mean at $19.20. 500,000 x $19.20 x 52 weeks = $499 million a year. Beside Alphabet's $110.9 billion of sales in a single quarter it is a rounding error: annualised, a bit over 0.1%.

Losses are larger than that. "Other Bets", Waymo being the chief among them, lost $1.3bn in the second quarter on revenue of $0.4bn.

Why should holders care? Because of slope. Double twice more and it is two million a week, four times as many as today; Uber handles in excess of 250 million globally in the same week, drivers included.

GOOGL was changing hands for $241.70 per token on Friday.

Via: [Waymo blog](https://waymo.com/blog/), [YipitData](https://www.yipitdata.com/), [Alphabet 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001652044&type=10-Q)`,
  },
  {
    name: "palantir customer count",
    stock: "PLTR",
    headline: "Palantir has a thousand customers; twenty of them pay a third",
    preview:
      "The customer count reached 1,004 in June, up 18%. The top twenty spend $90 million a year on average. Existing clients raised their spending by 34%. A recap of the contract figures in Palantir's last report.",
    body: `Palantir closed the second quarter with 1,004 customers. There were 849 in mid-2025, so 155 have been won on balance, 18% more.

Concentration persists. Over the trailing twelve months its top twenty spent $90m each on average ($75m a year before, +20%). Twenty times ninety is $1.8bn, about a third of the $5.4bn that Palantir took in during those months.

Net dollar retention hit 134%. In plain words: whoever was a customer a year ago pays 34% more now, those who left being counted with zero. It stood at 128% in March, six points lower.

Deals: 204 contracts of at least $1m were signed. 91 among them reach $5m, and 53 of those reach $10m. (Adding the three up, as one newsletter did, counts the large ones up to three times.) Total contract value was $2.9bn against $2.3bn, a rise of 26%.

Shares outstanding crept up 0.8% to 2.38bn from 2.36bn as options were exercised. Repurchases offset a tenth of that.

PLTR tokens opened at $155.10 and have eased to $152.60 since.

Primary documents: [Palantir investor relations](https://investors.palantir.com/), [10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001321655&type=10-Q)`,
  },
];
