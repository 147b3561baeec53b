import type { CleanDraft } from "../../measured/form.ts";
import type { FreshFault } from "../form.ts";

/** Wire reports and notes of a broker's desk: tables, bridges, ranges and prices of the day. */
export const clean: readonly CleanDraft[] = [
  {
    name: "aapl-third-quarter-table",
    stock: "AAPL",
    headline: "Apple's June quarter: revenue up 8.9% to $102.4 billion as services pass 30% of sales",
    preview:
      "Every product line grew in the three months to June 27, but only the iPhone and services grew faster than the company as a whole. The table, the margin and what the dividend yields at Friday's price.",
    body: `Apple's fiscal third quarter, which ended on June 27, brought in $102.4 billion, against $94.0 billion a year earlier, an increase of 8.9%. The company [reported the figures](https://www.apple.com/newsroom/2026/07/apple-reports-third-quarter-results/) on Thursday, July 30.

| Line | 2026, $bn | 2025, $bn | Change |
| --- | ---: | ---: | ---: |
| iPhone | 48.9 | 44.6 | +9.6% |
| Mac | 8.4 | 8.0 | +5.0% |
| iPad | 6.7 | 6.6 | +1.5% |
| Wearables, home | 7.5 | 7.4 | +1.4% |
| Services | 30.9 | 27.4 | +12.8% |
| **Total** | **102.4** | **94.0** | **+8.9%** |

Services made up 30.2% of sales, about one percentage point more than a year ago, and added $3.5 billion of the $8.4 billion of growth; the iPhone added $4.3 billion. That leaves $0.6 billion for everything else.

Gross margin was 46.8%, which makes roughly $47.9 billion of gross profit. Net income of $26.6 billion over 14.7 billion diluted shares came to $1.81 a share, up from $1.57, or 15.3%: earnings per share rose faster than sales because the margin widened and the share count shrank.

The quarterly dividend stays at 27 cents. Four of them make $1.08, a yield of a third of one percent on a share that changed hands at $327.20 shortly after 11 a.m. in New York on Friday.`,
  },
  {
    name: "nvda-guidance-plus-minus",
    stock: "NVDA",
    headline: "NVIDIA guides to $98 billion, plus or minus 2%, after a quarter of $91 billion",
    preview:
      "Revenue nearly doubled from a year earlier and rose a tenth from the spring. What the guidance range means in dollars, and which lines the company leaves out of its summary.",
    body: `NVIDIA's revenue in the quarter that ended on July 26 was $91.0 billion, the company [said on August 26](https://nvidianews.nvidia.com/news/nvidia-announces-financial-results-for-second-quarter-fiscal-2027). That is 10.3% more than the $82.5 billion of the quarter before and 95% more than the $46.7 billion of a year earlier.

For the current quarter management expects $98.0 billion, plus or minus 2%. In dollars the band runs from $96.04 billion to $99.96 billion, so even its top stops just short of a hundred. The middle would be 7.7% above the quarter just reported. Gross margin is seen at 75.0%, plus or minus 50 basis points; it was 74.8% in the July quarter.

Data center sales were $81.9 billion, or 90% of the whole. Gaming brought $5.2 billion, professional visualization $1.4 billion and automotive $0.9 billion. Those four make $89.4 billion; the remaining $1.6 billion is OEM and other business that the summary does not name.

The company returned $14.3 billion to holders in the quarter. All but $243 million of that went into buybacks: the dividend is one cent a share on roughly 24.3 billion shares.

In Friday's trading the stock was at $181.40, 2.1% above Thursday's close of $177.60. On the evening of the report it had first dropped as low as $168 after hours before it recovered most of that loss within the hour.`,
  },
  {
    name: "googl-payout-arithmetic",
    stock: "GOOGL",
    headline: "Alphabet paid out more than its free cash flow over the past twelve months",
    preview:
      "Buybacks of $61.4 billion and dividends of $10.5 billion came to about 108% of free cash flow. The payout yield is still under 2.5%, because the company is worth so much.",
    body: `Alphabet spent $61.4 billion on its own shares in the twelve months to June 30 and paid $10.5 billion in dividends. Together that is $71.9 billion, against free cash flow of $66.7 billion in the same period. The payout therefore exceeded the cash flow by $5.2 billion, or about 8%; the difference came out of a cash pile that can stand it.

Set against a market value of roughly $2.92 trillion (12.1 billion shares of all classes, taken at the Class A price of $241.70), the payout works out to just under 2.5%. The dividend alone, at 22 cents a quarter or 88 cents a year, yields 0.36%. The buyback does most of the work: almost six dollars for each dollar of dividend.

In April the board approved a further $70 billion for repurchases, the same amount as a year before, according to the [quarterly report](https://abc.xyz/investor/). At Friday's price that would retire about 290 million shares, or 2.4% of the total. In practice the count falls more slowly, since employees receive new stock. Over the past year it went from 12.2 billion to 12.1 billion, a decline of less than one percent despite $61.4 billion of purchases.

Capital spending explains the squeeze. It was $24.9 billion in the June quarter alone, and the guidance for the full year was raised at the last report. Each extra $10 billion of spending takes 15% off a free cash flow of $66.7 billion, all else being equal, and all else rarely is.`,
  },
  {
    name: "nvda-midday-wrap",
    stock: "NVDA",
    headline: "Chips lead at midday: NVIDIA up 2.1%, AMD 1.8%, Intel left behind",
    preview:
      "A soft payrolls figure and falling yields lifted large technology shares on Friday, with NVIDIA on course for a weekly gain of about 4%. Tesla and Palantir fell.",
    body: `NEW YORK, Friday, September 4. Semiconductor shares led a modest rise an hour and a half into the session after the Labor Department said that employers added 94,000 jobs in August, fewer than the 110,000 economists had expected and well below July's 131,000.

NVIDIA rose 2.1% to $181.40 from Thursday's $177.60 and has so far traded between $178.90 and $183.20. It ended last week at $174.20; if the price holds, the week's gain will be 4.1%. AMD added 1.8% to $164.80. Intel went the other way, down 1.2% to $24.60.

Among the rest of the largest names Apple gained 0.6%, Microsoft 0.5% and Amazon 0.6%. Tesla lost 1.4% to $402.60, and Palantir, at $152.60, was 2.1% lower after a run of eleven percent in the two weeks before.

The yield on the ten-year Treasury note fell seven basis points to 4.08%. Traders in rate futures put the odds of a quarter-point cut at the Federal Reserve's meeting of September 15 and 16 at 84%, up from 71% on Thursday, a change of 13 percentage points in a morning.

Markets are closed on Monday for Labor Day, which tends to thin trading on the Friday before: volume in the first 90 minutes was about a fifth below the average of the past 20 sessions. The jobs report is at [bls.gov](https://www.bls.gov/news.release/empsit.nr0.htm).`,
  },
  {
    name: "tsla-deliveries-half-year",
    stock: "TSLA",
    headline: "Tesla delivered 770,300 cars in the first half, 6.9% more than a year before",
    preview:
      "The second quarter did better than the first, and inventories came down by 6,400 cars. To reach 1.7 million this year Tesla would need a far better second half.",
    body: `Tesla handed over 412,300 cars in the second quarter, 7.3% more than the 384,100 of the same quarter of 2025, the company [said on July 2](https://ir.tesla.com/press-release/tesla-second-quarter-2026-production-deliveries-deployments). Of these, 398,600 were Model 3 and Model Y, or 96.7%; the other models together came to 13,700.

Production was 405,900, so deliveries exceeded it by 6,400 and stock on hand fell by as much.

Add the 358,000 of the first quarter and the half-year stands at 770,300, against 720,800 in the first half of 2025. The gain of 49,500 cars is 6.9%.

What would the full year need? The average estimate in a survey of 19 analysts is 1.7 million. That leaves 929,700 for July to December, or just under 465,000 a quarter, which is 12.7% above the pace of the quarter just ended. A repeat of the second quarter, twice over, would give 1,594,900 and miss by more than a hundred thousand.

Revenue from cars was $17.9 billion in the quarter, or about $43,400 for each delivery. The figure mixes in leases and regulatory credits, and so it says little about what one buyer paid.

The shares were down 1.4% at $402.60 on Friday. They have lost a little over 18% since the record close of $492.10 that they set last December, a figure that bears no relation to the number of cars sold either way.`,
  },
  {
    name: "ko-organic-bridge",
    stock: "KO",
    headline: "Coca-Cola's 6% organic growth shrinks to 3% once currencies and disposals are in",
    preview:
      "Price and mix gave four points, volume two; currency and refranchising took three away again. The bridge from organic to reported growth, and the guidance it supports.",
    body: `Coca-Cola's second quarter is a small lesson in how one company can report two growth rates. Organic revenue rose 6%: four points from price and mix, two from concentrate volume. Then the dollar took two points and the sale of bottling operations another one. What is left is reported growth of 3%, from $12.53 billion to $12.91 billion.

Comparable earnings per share were 91 cents, 4.6% more than the 87 cents of a year ago, [according to the company](https://investors.coca-colacompany.com/news-events/press-releases).

For the year Coca-Cola still expects comparable earnings to grow by 6% to 8% from the $3.00 of 2025. That is a range of $3.18 to $3.24. At $68.90 on Friday the stock trades at about 21.5 times the middle of it, $3.21. On the $3.00 already earned the multiple is 23.

Volume was not even across the map. Latin America was up 5%, Asia Pacific 4% and Europe, the Middle East and Africa 2%, while North America slipped by 1%. A simple average of the four would be 2.5%; the two come from weighting each region by its cases, and the company gives those weights only once a year.

The quarterly dividend of 53 cents, $2.12 a year, makes a yield of 3.1%.`,
  },
  {
    name: "pltr-multiple-of-sales",
    stock: "PLTR",
    headline: "Palantir grows 67% and still costs about 50 times this year's sales",
    preview:
      "At $152.60 the market pays $363 billion for a company that expects revenue of $7.2 billion. What a lower multiple would mean, in dollars a share, as a thought experiment.",
    body: `Palantir's revenue in the second quarter rose 67% to $1.68 billion from $1.004 billion. For the full year the company [expects](https://investors.palantir.com/) $7.18 billion to $7.20 billion.

Multiply 2.38 billion shares by Friday's $152.60 and the company is worth $363 billion. Divide that by $7.19 billion and the multiple is 50.5. Few companies of such size have ever been priced at fifty times revenue, and fewer have kept the price.

Now the thought experiment. If investors were to pay 25 times this year's revenue, the company would be worth $179.75 billion, or about $75.50 a share, roughly half of what it costs now. If instead they went on paying 50.5 times and revenue grew by 40% next year, the same sum would give a little under $214. Neither is a forecast; the first assumes that only the mood changes, the second that it does not change at all.

Growth was strongest with American companies, where revenue all but doubled to $610 million from $306 million. The United States government bought for $630 million, up 48% from $426 million. The remaining $440 million came from abroad.

The adjusted operating margin was 52%. Add the growth rate, as the company likes to do, and its "Rule of 40" score is 119. The shares fell 2.1% on Friday morning, from $155.90.`,
  },
  {
    name: "intc-foundry-narrower-loss",
    stock: "INTC",
    headline: "Intel's foundry loses $2.4 billion, a quarter less than a year ago",
    preview:
      "Sales of $13.8 billion were 7.0% higher, gross margin recovered by 8.9 points and the foundry's loss narrowed. The table needs one negative line to add up.",
    body: `Intel's second quarter, in billions of dollars:

| | 2026 |
| --- | ---: |
| Client computing | 8.2 |
| Data center and AI | 4.5 |
| Foundry | 4.7 |
| All other | 1.0 |
| Eliminations | (4.6) |
| **Net revenue** | **13.8** |

The eliminations are there because nearly all the foundry's customers are other parts of Intel; without that line the column would come to 18.4. Revenue grew 7.0% from $12.9 billion.

The foundry lost $2.4 billion. A year ago it was $3.2 billion, so the loss shrank by 25%, or $800 million. Gross margin for the group rose to 38.6% from 29.7%, which is 8.9 percentage points; in relative terms the margin is 30% higher, but nobody on the desk speaks of margins that way.

For the third quarter Intel [guides](https://www.intc.com/) to revenue of $13.4 billion to $14.4 billion. The midpoint, $13.9 billion, is 0.7% above the quarter just reported.

The market did not like it at first. On July 23 the shares closed at $23.40 and slid to $22.10 after hours, a drop of 5.6%. They have come back since: $24.60 on Friday is 11.3% above that evening's low, though 1.2% below Thursday's close of $24.90.`,
  },
  {
    name: "amzn-price-path",
    stock: "AMZN",
    headline: "Amazon since its results: up 3.8%, down 2.3%, up 1.7%, and 3.2% in all",
    preview:
      "Three moves that seem to add up to 3.2% do so only by luck, because percentages of different bases are multiplied. The path of Amazon's shares from July 30 to Friday.",
    body: `On Thursday, July 30, Amazon closed at $221.40. The results came out after the bell, and within half an hour the shares were at $232.90 in late trading, 5.2% higher. The enthusiasm did not last the night. The close on Friday, July 31, was $229.80, a gain of 3.8% on the day.

August was a slow leak. On Monday the 31st the stock ended at $224.50, 2.3% below the close of July. September has so far recovered 1.7%: at eleven o'clock this Friday the price was $228.40, against $227.00 on Thursday evening and within the day's range of $225.90 to $230.10.

From before the results to now the gain is 3.2%. Those who add up the pieces (3.8 less 2.3 plus 1.7) also arrive at 3.2, but that is luck: one should multiply 1.038 by 0.977 and 1.017, which gives 1.031, and the missing tenth is rounding.

For comparison, the Nasdaq 100 gained 2.4% over the same five weeks. Amazon's lead is thus 0.8 percentage points, which on a holding of $10,000 comes to some $80.

The 52-week range is wider than all of this: from $186.30 to $258.60. The current price is 11.7% under the top and 22.6% over the bottom. Consensus, as collected by [MarketScreener](https://www.marketscreener.com/), puts the average target at $282, or 23.5% above the price, and $23.40 above the top of that range.`,
  },
  {
    name: "googl-table-with-hedges",
    stock: "GOOGL",
    headline: "Alphabet grows 13.4%, or 12% without the weaker dollar's help",
    preview:
      "Cloud revenue is up by 21%, the ad network shrinks again, and $1.3 billion of the increase came from exchange rates. The table of the second quarter, hedges included.",
    body: `Alphabet's revenue in the second quarter, in billions of dollars:

| | 2026 | 2025 | Change |
| --- | ---: | ---: | ---: |
| Search | 61.0 | 54.2 | +12.5% |
| YouTube ads | 11.1 | 9.8 | +13.3% |
| Network | 7.2 | 7.4 | -2.7% |
| Subscriptions, devices | 13.0 | 11.2 | +16.1% |
| *Google Services* | *92.3* | *82.6* | *+11.7%* |
| Cloud | 16.5 | 13.6 | +21.3% |
| Other bets | 0.4 | 0.4 | 0.0% |
| Hedging | 0.1 | (0.2) | |
| **Total** | **109.3** | **96.4** | **+13.4%** |

The dollar was weaker than a year ago, which added $1.3 billion to sales abroad. At constant rates revenue would have been $108.0 billion and growth 12%. The hedges, which normally lean against the currency, this time gained as well: a swing of $300 million from a loss of two hundred to a gain of one.

Advertising as a whole (search, YouTube and network) was $79.3 billion, 11.1% more than $71.4 billion, and made up 72.6% of revenue after 74.1%. The decline of a point and a half is the cloud's doing.

Operating income was $35.2 billion, a margin of 32.2%. The [release](https://abc.xyz/investor/) gives it by segment, but leaves some costs of AI research unallocated, so the segments' sum is higher than the total.

The Class A share stood at $241.70 on Friday.`,
  },
  {
    name: "nflx-regions-and-outlook",
    stock: "NFLX",
    headline: "Netflix grows fastest in Asia, earns most at home and expects about $51 billion",
    preview:
      "Asia-Pacific revenue rose 23% in the second quarter. The guidance for 2026 implies growth of 12% to 14% and operating income of $16 billion or a little more.",
    body: `Netflix's second quarter by region, in billions of dollars:

| | 2026 | 2025 | Growth |
| --- | ---: | ---: | ---: |
| United States and Canada | 5.45 | 4.93 | 10.5% |
| Europe, Middle East, Africa | 4.05 | 3.54 | 14.4% |
| Latin America | 1.50 | 1.31 | 14.5% |
| Asia-Pacific | 1.60 | 1.30 | 23.1% |
| **Total** | **12.60** | **11.08** | **13.7%** |

Asia-Pacific is now larger than Latin America; a year ago it was the smallest of the four by $10 million. North America still brings 43% of revenue, down from 44.5%.

For the year the company [expects](https://ir.netflix.net/) revenue of $50.7 billion to $51.7 billion. On the $45.2 billion of 2025 that means growth of 12.2% to 14.4%. The operating margin is to be 31.5%, so operating income would land at $16.0 billion to $16.3 billion. The June quarter's margin of 33.1% was higher, but the autumn, with its big releases, is always lower.

Advertising revenue is to double to about $3 billion. That would be just under 6% of the total, and it would supply $1.5 billion of an increase of $6.0 billion at the midpoint: one dollar in four of the growth from one in seventeen of the revenue.

The shares changed hands at $121.50 on Friday, 0.9% more than on Thursday evening.`,
  },
  {
    name: "pltr-deal-sizes",
    stock: "PLTR",
    headline: "Palantir signs $3.1 billion of contracts, 52 of them for ten million dollars or more",
    preview:
      "Customers rose to 1,046 and old ones spent 39% more than a year ago. Why the deals above one, five and ten million must not be added up, and what the top twenty pay.",
    body: `Palantir booked contracts with a total value of $3.1 billion in the second quarter, 37% more than $2.27 billion a year earlier. It closed 192 deals of at least one million dollars; of those, 81 were for at least five million and 52 for at least ten. The three numbers are nested. A reader who adds them to get 325 counts the large ones three times.

What remains after subtraction: 111 deals between one and five million, 29 between five and ten, and the 52.

The number of customers rose 23% to 1,046 from 849. Net dollar retention was 139%, eleven points more than the 128% of last summer, which means that customers of a year ago now spend 39% more. The top twenty have spent $101 million each on average over the past twelve months, or $2.02 billion in total.

Remaining deal value with American companies came to $5.0 billion, up 79% from $2.79 billion. It is not the same as remaining performance obligations, which leave out contracts that can be terminated, as most government ones can; these were $3.4 billion.

The company's [letter to shareholders](https://www.palantir.com/q2-2026-letter/en/) dwells on the first of these figures and mentions the second in a table.

On Friday the shares slipped to $152.60, a fall of 2.1%, after touching $156.90 early on.`,
  },
  {
    name: "dis-parks-price-and-attendance",
    stock: "DIS",
    headline: "Fewer visitors, fuller tills: how Disney's home parks grew 5% in the June quarter",
    preview:
      "Attendance fell 1% and spending per guest rose 6%. Multiplied, that gives the growth Disney reported for its domestic parks; the division as a whole earned $2.71 billion.",
    body: `Attendance at Disney's American parks was 1% lower in the quarter to June 27 than a year before, and each guest spent 6% more. One multiplies these: 0.99 times 1.06 is 1.049, and indeed revenue of the domestic parks rose by about 5%, from $6.40 billion to $6.72 billion.

Experiences, the division to which they belong, took in $9.60 billion, up 5.6% from $9.09 billion. Besides the domestic parks that includes $1.81 billion from those abroad and $1.07 billion from consumer products.

Operating income of $2.71 billion made a margin of 28.2%, half a percentage point above last year's 27.7%. Two new ships began service in the year, and the costs of launching them, $90 million in the quarter, came out of that figure. Without them the margin would have been 29.2%.

Occupancy at the hotels in Florida and California was 87%, two points higher than a year ago. A competitor's new park in Orlando, open since May 2025, is thus less of a problem than it had seemed, or so the company argued on the [call](https://thewaltdisneycompany.com/investor-relations/).

For the fiscal year Disney expects the division's operating income to grow by 8%. Through nine months it stands at $8.53 billion, 6.9% up from $7.98 billion; growth in the last quarter therefore has to be better than the average of the first three.

The shares traded at $118.30 on Friday, off 0.5%.`,
  },
  {
    name: "msft-averages-and-range",
    stock: "MSFT",
    headline: "Microsoft trades above both averages and 7.5% below its high",
    preview:
      "A technical note for Friday's session: the range so far, the distance to the 50-day and 200-day lines, and how far the stock is from the average target of $604.",
    body: `**Desk note, 11 a.m. New York.** Microsoft is at $512.30 after $509.60 on Thursday, a gain of half a percent. Low of the day so far $508.80, high $515.10, so a span of $6.30 or 1.2% of the price. The average daily span of the past month has been 1.6%.

The 50-day average runs at $503.90; the price is 1.7% above it. The 200-day average is $487.20, and the distance there is 5.2%. The shorter line crossed the longer one from below on June 11. Signals of this kind have worked in five of the last eight cases, if "worked" means a higher price three months on, and the mean gain over all eight was 3.4%.

The 52-week high was set on October 28, 2025, at $553.70. From there to here is a fall of 7.5%; the way back would be a rise of 8.1%, since the base is smaller. In March the stock had been as low as $428.10, and it has gained 19.7% since.

Of 58 analysts, 53 rate it a buy, four a hold and one a sell, according to [MarketBeat](https://www.marketbeat.com/stocks/NASDAQ/MSFT/). The average target is $604, or 17.9% above the price, the highest $700 and the lowest $470, which would be a loss of 8.3%.

Implied volatility for October is 22%, equivalent to a daily move of about 1.4%.`,
  },
  {
    name: "tsla-margin-bridge",
    stock: "TSLA",
    headline: "Where Tesla's extra 140 basis points of car margin came from",
    preview:
      "Cheaper cells and a better mix added 270 basis points, lower prices and tariffs took 130 away. Credits fell by 29%, and earnings rose to 46 cents a share.",
    body: `Tesla's automotive gross margin, without regulatory credits, was 16.4% in the second quarter after 15.0% in the same quarter of 2025. The bridge between the two, in basis points, as given in the [shareholder deck](https://ir.tesla.com/):

| | |
| --- | ---: |
| Second quarter of 2025 | 1,500 |
| Cost per vehicle | +210 |
| Mix | +60 |
| Pricing | -90 |
| Tariffs | -40 |
| **Second quarter of 2026** | **1,640** |

The largest item, cost per vehicle, came mainly from cells. Lithium carbonate has become cheaper for a third year, and the new cell line in Texas reached the yield that had been planned for 2024.

Credits brought $310 million, 29% less than $439 million a year ago. With them the margin would be 17.8%, so they still add nearly a point and a half; two years ago they added nearly four.

Earnings were 46 cents a share, up 15% from 40 cents. Of the six cents, credits took away about three after tax, which means that the rest of the business added nine.

What comes next depends on prices, of which the company controls only its own. A further cut of one percent would cost about 80 basis points of margin, and the cost line would have to make that good. The stock, at $402.60, has moved between $395.00 and $409.30 on Friday.`,
  },
  {
    name: "pltr-token-spread",
    stock: "PLTR",
    headline: "Palantir's token: a spread of 39 basis points by day and three times that at night",
    preview:
      "On Friday morning a buyer paid $152.90 and a seller got $152.30. Overnight, with the exchange closed, the gap was wider. What a round trip costs in dollars.",
    body: `Holders of tokenized Palantir pay for the convenience of trading at any hour, and the price is the spread. At eleven on Friday morning in New York, with the exchange open, the best bid was $152.30 and the best offer $152.90. The middle is $152.60, and the gap of 60 cents is 39 basis points of it.

At three the same morning, hours before the opening, we saw $154.10 bid and $155.90 offered: $1.80, or 116 basis points of the middle at $155.00. That is three times as much, and it is in the nature of things, since nobody who quotes a price at night can hedge at the exchange.

For an order of $5,000 the half-spread, which is what one side of a trade costs against the middle, was about $10 by day and $29 by night. A round trip doubles both. Against a commission of zero these are the true costs, and a holder who makes such a round trip once a week would lose a little over $1,000 a year to the day spread and about $3,000 to the night one.

The share itself was down 2.1% from $155.90 and had traded between $148.20 and $156.90 since the opening, a span of $8.70 or 5.7% of the price. On such days a spread of 39 basis points is small change.

Quotes are from our own log; the method is described in a [public note](https://docs.xstocks.fi/).`,
  },
  {
    name: "nflx-before-and-after-split",
    stock: "NFLX",
    headline: "Netflix at $121.50: why it is down 9% since mid-2025 and not down 91%",
    preview:
      "Anyone who compares today's price with a chart from before the ten-for-one split gets nonsense. We do the conversion and look at the results of the second quarter.",
    body: `A chart that has not been adjusted shows Netflix at $1,339 at the end of June 2025 and at $121.50 this Friday, which would be a loss of 91%. Between the two lies a split: since November 17, 2025, each old share has been ten new ones. In today's shares the old price is $133.90, and the decline is a little over 9%.

The same goes for everything per share. Earnings of $7.19 in the second quarter of 2025 are 72 cents in present terms. This year's second quarter brought 81 cents, an increase of 12.5% on the rounded figures.

Revenue was $12.6 billion, 13.7% above $11.08 billion. The operating margin was 33.1%, so about $4.17 billion remained before interest and tax.

Over the past 52 weeks the share has moved between $82.10 and $134.10, adjusted. At $121.50 it stands about three quarters of the way up that range. On Friday alone the span was $119.80 to $122.60 by eleven o'clock, and the gain on Thursday's $120.40 was 0.9%.

Holders of options need not convert anything by hand: contracts were adjusted on the same day, with ten times the number of contracts and a tenth of the strike. The [split notice](https://ir.netflix.net/) has a worked example in which one share at $1,100 turns into ten at $110.`,
  },
  {
    name: "aapl-three-largest",
    stock: "AAPL",
    headline: "Apple, NVIDIA and Microsoft are worth $13 trillion between them",
    preview:
      "Apple leads by about $400 billion. What NVIDIA's share would have to cost to draw level, computed from Friday morning's prices and the latest share counts.",
    body: `The three most valuable companies in New York were together worth $13.0 trillion on Friday morning. The ranking, with share counts from the latest quarterly reports:

| | Price | Shares, bn | Value, $bn |
| --- | ---: | ---: | ---: |
| Apple | $327.20 | 14.70 | 4,810 |
| NVIDIA | $181.40 | 24.30 | 4,408 |
| Microsoft | $512.30 | 7.43 | 3,806 |

Apple's lead over NVIDIA is $402 billion. To put it another way, NVIDIA would have to gain 9.1% while Apple stood still; its shares would then cost about $198. From Apple's side the same gap is 8.4%, because the base is larger. Microsoft is a full trillion behind the leader.

A share's price by itself says nothing here. Microsoft's is the highest of the three and its market value the lowest.

The order has changed often. At the end of October 2025 NVIDIA was the first company to close above five trillion dollars; the price then was $207.04, and on Friday it was 12.4% below that.

Share counts shrink at different speeds. Apple retires about 2.5% of its stock a year, Microsoft well under 1%. Over ten years at 2.5%, a holder who does nothing ends up with a stake 29% larger. The counts are on the cover pages of the [10-Q filings](https://www.sec.gov/cgi-bin/browse-edgar).`,
  },
  {
    name: "amzn-segment-margins",
    stock: "AMZN",
    headline: "AWS is a fifth of Amazon's sales and more than half of its operating income",
    preview:
      "Amazon's second quarter in three lines: a retail business at home, one abroad and a cloud division that earns 34 cents on each dollar. We work through the margins.",
    body: `Three segments, three very different businesses. In the second quarter Amazon took in $193.1 billion and kept $23.9 billion as operating income, a margin of 12.4%.

| Segment | Sales, $bn | Operating income, $bn | Margin |
| --- | ---: | ---: | ---: |
| North America | 111.6 | 8.6 | 7.7% |
| International | 42.1 | 1.9 | 4.5% |
| AWS | 39.4 | 13.4 | 34.0% |

AWS accounted for 20.4% of sales and 56% of operating income. Without it, what is left would have earned $10.5 billion on $153.7 billion, a margin of 6.8%. Nobody expects a break-up; the sum only shows how much the cloud carries.

Total sales were up 15.1% from $167.7 billion in the second quarter of 2025. AWS grew by 27.5%, from $30.9 billion, and so supplied a third of the $25.4 billion increase: $8.5 billion.

Margins at AWS move more than the retail ones do. A single point of margin there is worth $394 million a quarter; a point in North America is worth $1.1 billion, because the sales underneath are almost three times as large. Stock-based pay falls unevenly over the year and mostly in the second quarter, which is why the desk compares each quarter with the same one a year earlier and not with the spring.

The numbers are from the [earnings release of July 30](https://ir.aboutamazon.com/quarterly-results/default.aspx); the percentages are ours. The shares traded at $228.40 late on Friday morning, 0.6% up on the day.`,
  },
  {
    name: "amd-midpoint",
    stock: "AMD",
    headline: "AMD sees third-quarter sales of $11.8 billion, give or take $300 million",
    preview:
      "The midpoint would be nearly 28% above last year. Data center chips are now just over half of revenue, and the second quarter grew by about 42%.",
    body: `Advanced Micro Devices expects revenue of $11.8 billion in the third quarter, plus or minus $300 million, it [said on August 4](https://ir.amd.com/). The range of $11.5 billion to $12.1 billion compares with $9.25 billion a year ago. Growth would be nearly 28% at the midpoint, 24% at the lower end and 31% at the upper.

In the second quarter revenue was $10.9 billion, about 42% more than $7.7 billion. Data center chips brought $5.6 billion (51.4%), PC and gaming chips $4.3 billion (39.4%) and embedded ones $1.0 billion (9.2%).

One caution about the comparison: the second quarter of 2025 carried a charge of some $800 million for chips that could no longer be shipped to China. The charge hit costs and not sales, but the missing shipments hit both. Management put the lost revenue at about $700 million for that quarter. Had it come in, the base would have been $8.4 billion and growth 30%.

Adjusted gross margin was 54%, against 43% a year ago or, without the charge, also 54%. So eleven points of improvement are, on closer inspection, none.

The stock rose 1.8% to $164.80 on Friday. It is down from $172.40 on the eve of the report, a loss of 4.4% in a month in which the sector was little changed.`,
  },
  {
    name: "msft-index-contribution",
    stock: "MSFT",
    headline: "Seven stocks account for 22 of the S&P 500's 31 basis points",
    preview:
      "NVIDIA alone supplied almost half of Friday morning's gain in the index. Microsoft's half percent was worth three hundredths of a percent. How contributions are computed.",
    body: `An hour and a half into Friday's session the S&P 500 was up 0.31%. Who moved it? Multiply each stock's weight by its change and you have its contribution, in basis points:

| | Weight | Move | Contribution |
| --- | ---: | ---: | ---: |
| Apple | 7.0% | +0.65% | +4.5 |
| NVIDIA | 6.7% | +2.14% | +14.3 |
| Microsoft | 5.9% | +0.53% | +3.1 |
| Amazon | 3.7% | +0.62% | +2.3 |
| Alphabet (A only) | 2.5% | +0.62% | +1.6 |
| Meta | 2.4% | -0.50% | -1.2 |
| Tesla | 1.9% | -1.37% | -2.6 |

The seven have a combined weight of 30.1% and a combined contribution of 22.0 basis points. The other 493 companies, with 69.9% of the weight, supplied the remaining nine. Per unit of weight the large stocks therefore did more than five times as much as the rest, and most of that is NVIDIA.

Microsoft rose from $509.60 to $512.30. Since it is 5.9% of the index, its $2.70 moved the S&P 500 by about 0.03%.

Weights drift with prices. A stock that outperforms the index by 10% in a year goes from 5.9% to about 6.5%, with no one buying a single share. The [index provider](https://www.spglobal.com/spdji/en/) publishes official weights at month-end; ours are estimates for August 31, and they count float rather than all shares.`,
  },
  {
    name: "aapl-outlook-range",
    stock: "AAPL",
    headline: "Apple's outlook puts fiscal 2026 revenue within reach of $466 billion",
    preview:
      "Growth in the mid to high single digits for the September quarter would make the year about 12% larger than the last. Tariffs still take a percentage point off the margin.",
    body: `On the call of July 30 Apple's finance chief said that revenue in the September quarter would grow at a mid to high single-digit rate. A year ago it was $102.5 billion. Five percent more is $107.6 billion, nine percent is $111.7 billion; we use six, which makes $108.7 billion.

The first three quarters brought $143.8 billion, $111.2 billion and $102.4 billion, together $357.4 billion. With our estimate the fiscal year, which ends on September 26, would come to $466.1 billion, 12.0% more than the $416.2 billion of fiscal 2025. Most of that lead was won around Christmas: the December quarter alone was up 15.7% from $124.3 billion.

Gross margin is guided at 47% to 48%. In the middle, and on $108.7 billion, gross profit would be $51.6 billion. Tariffs cost $1.1 billion in the June quarter, a little over one percentage point of revenue; Apple expects about the same again, [it said](https://investor.apple.com/).

The new iPhones will be shown on Wednesday, September 9, and go on sale, if the company keeps to its habit, nine days later. Only the last week or so of sales will then fall into the quarter, and a delay of a few days moves billions from one fiscal year into the next without anyone having bought more or fewer.

Apple's shares were at $327.20 on Friday, up 0.6%.`,
  },
  {
    name: "meta-capex-range",
    stock: "META",
    headline: "Meta lifts the floor of its spending plan and leaves the ceiling where it was",
    preview:
      "Capital spending of $130 billion to $145 billion this year, after $58.3 billion in the first half. Advertising revenue grew about 25% as both volume and price went up.",
    body: `Meta now plans to spend between $130 billion and $145 billion on capital projects this year. Until July the range had been $125 billion to $145 billion. The middle moves from $135 billion to $137.5 billion, an increase of just under 2%, so the headline "Meta raises capex" was true and also rather small.

The first half took $58.3 billion: $27.6 billion in the first quarter and $30.7 billion in the second. For the plan to hold, the second half must take between $71.7 billion and $86.7 billion, that is, at the very least 23% more than the first.

Revenue in the second quarter was $59.8 billion, 26% up from $47.5 billion. Advertising makes up $58.4 billion of that. The number of ad impressions grew 14% and the average price per ad 10%; taken together (1.14 times 1.10) that is growth of about 25%, which is what the advertising line shows.

The operating margin fell by two percentage points to 41%. The apps earned $29.2 billion, Reality Labs lost $4.7 billion, and $24.5 billion was left for the group. Without Reality Labs' loss the margin would have been close to 49%.

The plan is set out in the [second-quarter release](https://investor.atmeta.com/). The stock, at $741.20 on Friday morning, was half a percent below Thursday's close.`,
  },
];

export const faulty: readonly FreshFault[] = [
  {
    name: "nvda-two-percent-band",
    kind: "arithmetic",
    subtle: false,
    of: "nvda-guidance-plus-minus",
    replace: [
      [
        "from $96.04 billion to $99.96 billion, so even its top stops just short of a hundred",
        "from $94.04 billion to $101.96 billion, so its top lies beyond a hundred",
      ],
    ],
    excerpt: "from $94.04 billion to $101.96 billion",
    truth:
      "Two percent of $98.0 billion is $1.96 billion: the band runs from $96.04 billion to $99.96 billion.",
  },
  {
    name: "amzn-aws-margin",
    kind: "arithmetic",
    subtle: true,
    of: "amzn-segment-margins",
    replace: [["| AWS | 39.4 | 13.4 | 34.0% |", "| AWS | 39.4 | 13.4 | 39.0% |"]],
    excerpt: "| AWS | 39.4 | 13.4 | 39.0% |",
    truth: "13.4 of 39.4 is 34.0%, the 34 cents on the dollar of the preview.",
  },
  {
    name: "amd-embedded-share",
    kind: "arithmetic",
    subtle: false,
    of: "amd-midpoint",
    replace: [["$1.0 billion (9.2%)", "$1.0 billion (19.2%)"]],
    excerpt: "embedded ones $1.0 billion (19.2%)",
    truth: "$1.0 billion of $10.9 billion is 9.2%.",
  },
  {
    name: "tsla-quarter-growth",
    kind: "arithmetic",
    subtle: false,
    of: "tsla-deliveries-half-year",
    replace: [["7.3% more than the 384,100", "12.3% more than the 384,100"]],
    excerpt: "412,300 cars in the second quarter, 12.3% more than the 384,100",
    truth: "From 384,100 to 412,300 is 7.3%.",
  },
  {
    name: "msft-nvda-contribution",
    kind: "arithmetic",
    subtle: true,
    of: "msft-index-contribution",
    replace: [["| NVIDIA | 6.7% | +2.14% | +14.3 |", "| NVIDIA | 6.7% | +2.14% | +17.3 |"]],
    excerpt: "| NVIDIA | 6.7% | +2.14% | +17.3 |",
    truth: "6.7 times 2.14 is 14.3; only so do the seven come to 22.0.",
  },
  {
    name: "aapl-event-in-the-past",
    kind: "dates",
    subtle: false,
    of: "aapl-outlook-range",
    replace: [
      [
        "The new iPhones will be shown on Wednesday, September 9, and go on sale",
        "The new iPhones were shown to the press on Wednesday, September 9, and go on sale",
      ],
    ],
    excerpt: "were shown to the press on Wednesday, September 9",
    truth: "September 9, 2026, is next Wednesday; nothing has been shown yet.",
  },
  {
    name: "amzn-end-of-august",
    kind: "dates",
    subtle: true,
    of: "amzn-price-path",
    replace: [["On Monday the 31st the stock", "On Wednesday the 31st the stock"]],
    excerpt: "Wednesday the 31st",
    truth: "August 31, 2026, was a Monday.",
  },
  {
    name: "nvda-day-range",
    kind: "prices",
    subtle: true,
    of: "nvda-midday-wrap",
    replace: [
      ["has so far traded between $178.90 and $183.20", "has so far traded between $171.90 and $189.20"],
    ],
    excerpt: "traded between $171.90 and $189.20",
    truth: "The day's range is $178.90 to $183.20.",
  },
  {
    name: "tsla-up-instead-of-down",
    kind: "prices",
    subtle: false,
    of: "tsla-deliveries-half-year",
    replace: [
      [
        "The shares were down 1.4% at $402.60 on Friday. They have lost a little over 18% since",
        "The shares were up 6.4% at $434.30 on Friday. They have lost almost 12% since",
      ],
    ],
    excerpt: "The shares were up 6.4% at $434.30 on Friday",
    truth: "Tesla stood at $402.60, down 1.4%; the day's high is $409.30.",
  },
  {
    name: "nflx-day-span",
    kind: "prices",
    subtle: false,
    of: "nflx-before-and-after-split",
    replace: [
      [
        "the span was $119.80 to $122.60 by eleven o'clock",
        "the span was $112.80 to $131.60 by eleven o'clock",
      ],
    ],
    excerpt: "the span was $112.80 to $131.60",
    truth: "The day's range is $119.80 to $122.60.",
  },
  {
    name: "meta-transposed-price",
    kind: "prices",
    subtle: true,
    of: "meta-capex-range",
    replace: [
      [
        "The stock, at $741.20 on Friday morning, was half a percent below Thursday's close.",
        "The stock, at $714.20 on Friday morning, was 4.1% below Thursday's close.",
      ],
    ],
    excerpt: "The stock, at $714.20 on Friday morning",
    truth: "Meta stood at $741.20; the day's low is $733.00.",
  },
];
