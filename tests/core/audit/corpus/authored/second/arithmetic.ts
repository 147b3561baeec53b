import type { Authored } from "../form.ts";

export const arithmetic: readonly Authored[] = [
  {
    name: "growth of services worked out wrong",
    stock: "AAPL",
    headline: "Services carry Apple's June quarter",
    preview: "Subscriptions and the App Store grew three times as fast as the company as a whole.",
    body: `Apple's revenue came to $98.7 billion in the three months to June, according to the [quarterly statement](https://investor.example.com/apple/q3). A year earlier it had been $94.0 billion, so the whole company grew by 5 per cent.

The livelier part was services. That line went from $24.0 billion to $27.6 billion, a gain of $3.6 billion, or 13 per cent. It now makes up 28 per cent of sales. The iPhone added $2.2 billion and reached $46.8 billion, a rise of 4.9 per cent.

Neither number settles the old quarrel over store fees. A ruling that touched even a tenth of services would concern $2.76 billion a quarter, which is more than the telephone added in a year.

The author has no position in Apple.`,
    fault: "or 13 per cent",
    clean: "or 15 per cent",
  },
  {
    name: "cloud share of revenue wrong",
    stock: "MSFT",
    headline: "How much of Microsoft is cloud?",
    preview: "A look at the segments behind a $76.4 billion quarter.",
    body: `Start with the big number: $76.4 billion of revenue in the quarter, of which $46.7 billion is what Microsoft calls its cloud. That is just under 59 per cent of everything it sold, on the figures in the [earnings release](https://investor.example.com/msft/release).

The three reporting segments cut the cake differently. Productivity brought in $33.1 billion, Intelligent Cloud $29.9 billion and personal computing $13.4 billion. The last of these is 17.5 per cent of the whole, and has been shrinking in weight for years.

Why do the two counts differ? Because Office subscriptions sit in Productivity yet belong to the cloud. Take Intelligent Cloud alone and you miss at least $16.8 billion.

I own no Microsoft shares and no derivative of them.`,
    fault: "just under 59 per cent",
    clean: "just over 61 per cent",
  },
  {
    name: "table total with digits swapped",
    stock: "JPM",
    headline: "JPMorgan by division: who earned what",
    preview: "The corporate and investment bank edged past the consumer arm.",
    body: `The bank's [supplement](https://investor.example.com/jpm/supplement) sets out managed revenue for the second quarter by division, in billions of dollars:

| Division | Revenue |
|---|---|
| Consumer | 18.8 |
| Corporate and investment | 19.5 |
| Asset and wealth | 5.8 |
| Corporate | 1.5 |
| Total | 46.5 |

Two things deserve notice. The investment bank leads the consumer arm by $0.7 billion, and the two together took in $38.3 billion. Asset and wealth management, though small, needs little capital: its pre-tax margin was 36 per cent, which means roughly $2.1 billion before tax.

The head-office line swings with interest rates. A year ago it stood at $1.8 billion, so it has lost a sixth. Management told [the call](https://news.example.com/jpm-call) that a further decline was likely but gave no figure for it.

Disclosure: the writer holds no position in the bank.`,
    fault: "| Total | 46.5 |",
    clean: "| Total | 45.6 |",
  },
  {
    name: "total dividend bill wrong (per share times shares)",
    stock: "KO",
    headline: "Coca-Cola's next cheque to shareholders",
    preview: "A quarterly dividend of 53 cents, and what it costs.",
    body: `Fifty-three cents a share does not sound like much. Multiply it by the 4.30 billion shares in issue and the bill is about $2.82 billion for one quarter, as the [dividend notice](https://investor.example.com/ko/dividend) lets anyone work out.

Over a year the holder of one share collects $2.12. With the stock at $68.90, that is a yield of 3.1 per cent. Someone with 200 shares gets $106 a quarter and $424 a year before tax.

Last year's rate was 51 cents, so the rise is two cents, or 3.9 per cent. It is slower than the growth in organic sales, put at 5 per cent in the [half-year report](https://investor.example.com/ko/half).

The author owns no Coca-Cola shares.`,
    fault: "about $2.82 billion",
    clean: "about $2.28 billion",
  },
  {
    name: "million barrels turned into billion",
    stock: "XOM",
    headline: "A new vessel off Guyana, in barrels",
    preview: "What 180,000 barrels a day means over a year.",
    body: `A floating production vessel with room for 180,000 barrels of oil a day is due to join the three of its kind that Exxon Mobil describes in its [project sheet](https://investor.example.com/xom/guyana). Run it flat out for 365 days and it would lift 65.7 billion barrels.

No vessel runs flat out. At an availability of 90 per cent the daily figure drops to 162,000 barrels. Exxon's share of the block is 45 per cent, which leaves it with 72,900 barrels a day before the government takes its part.

At an oil price of $65 those barrels would fetch about $4.7 million a day. The vessel itself costs $1.8 billion, spread over the partners; Exxon's part of that is $810 million.

No position held by the author.`,
    fault: "65.7 billion barrels",
    clean: "65.7 million barrels",
  },
  {
    name: "yuan converted wrongly",
    stock: "BABA",
    headline: "Alibaba's cloud spending, in dollars",
    preview: "Capital outlays reached 38 billion yuan in the June quarter.",
    body: `Alibaba spent 38 billion yuan on plant and equipment in the quarter to June. At 7.10 yuan to the dollar, the rate used in its [results announcement](https://investor.example.com/baba/june), that is roughly $5.9 billion.

Cloud revenue over the same period was 35.5 billion yuan, or $5.0 billion. So the group laid out more on machines than the machines brought in: 1.07 yuan for every yuan of cloud sales.

Free cash flow suffered. It moved from an inflow of 17.4 billion yuan to an outflow of 14.2 billion, a swing of 31.6 billion. The three-year budget announced in early 2025 was 380 billion yuan; one quarter at the present pace uses up a tenth of it, as [analysts pointed out](https://news.example.com/baba-capex).

The author has neither shares nor options in Alibaba.`,
    fault: "roughly $5.9 billion",
    clean: "roughly $5.4 billion",
  },
  {
    name: "price-earnings multiple wrong",
    stock: "WMT",
    headline: "The price of a steady grocer",
    preview: "Walmart is valued like a software firm. Here are the sums.",
    body: `Walmart trades at $99.30 this morning. Set that against the $2.65 a share that the retailer expects to earn this fiscal year, going by its [guidance](https://investor.example.com/wmt/guidance), and the stock costs about 34 times earnings.

Its own ten-year average is 25, according to [this data page](https://data.example.com/wmt-multiples). At 25 times, the same earnings would give a price of $66.25, which is a third less than today's.

Defenders reply that profit is growing faster than sales. Operating income rose 8 per cent in the July quarter while revenue rose 4.8 per cent. Advertising, with growth of 46 per cent, supplies much of the gap although it is barely 3 per cent of turnover.

The writer does not hold Walmart in any form.`,
    fault: "about 34 times",
    clean: "about 37 times",
  },
  {
    name: "basis points called percentage points",
    stock: "COST",
    headline: "Costco's margin creeps up",
    preview: "Higher sales, and a little more of each dollar kept.",
    body: `The warehouse club sold goods worth $86.0 billion in its latest reported quarter and kept $3.44 billion as operating income. That is a margin of 4.0 per cent. In the year-ago quarter it had kept $3.04 billion out of $80.0 billion, or 3.8 per cent; hence a gain of 20 percentage points, and one that most shoppers would never see on their receipt.

Sales were up 7.5 per cent, operating income 13.2 per cent. Part of the difference came from membership fees, which the [quarterly filing](https://investor.example.com/cost/10q) puts at $1.3 billion, and which carry almost no cost.

Spread over 914 warehouses, turnover comes to about $94 million per building in a single quarter.

The author holds no position in Costco.`,
    fault: "a gain of 20 percentage points",
    clean: "a gain of 20 basis points",
  },
  {
    name: "average of four months wrong",
    stock: "TSLA",
    headline: "Tesla registrations: four months of figures",
    preview: "Monthly counts from April to July, and what they add up to.",
    body: `Here are the monthly registrations gathered by a [trade body](https://stats.example.com/ev-registrations) for a basket of European and Asian markets:

- April: 41,200
- May: 38,600
- June: 44,900
- July: 47,300

Together they make 172,000 cars, an average of 45,000 a month. July was the best of the four, ahead of May, the worst, by 8,700 cars.

The same months of last year produced 160,000, so the basket has grown by 7.5 per cent. June to July alone brought a rise of 5.3 per cent. None of this includes the United States or China, and the body warns that late filings usually add 1 to 2 per cent to the newest month.

I hold no Tesla shares, long or short.`,
    fault: "an average of 45,000",
    clean: "an average of 43,000",
  },
  {
    name: "headline buyback figure does not match the body",
    stock: "NFLX",
    headline: "Netflix spends $1.2 billion on its own shares",
    preview: "The streaming company bought at an average price of $120.",
    body: `In the second quarter the company took 17.5 million of its shares off the market. It paid $120 on average, going by the table in its [shareholder letter](https://investor.example.com/nflx/letter), which puts the outlay at $2.1 billion.

That left $6.4 billion of the $8.5 billion that the board had approved. If the pace held, the money would last about three quarters more.

Cash from operations was $2.8 billion and spending on equipment $0.2 billion; free cash flow of $2.6 billion thus covered the purchases, with half a billion to spare. Net debt did the opposite of what one might fear, and shrank from $5.6 billion to $5.1 billion.

The writer has no stake in Netflix.`,
    fault: "$1.2 billion",
    clean: "$2.1 billion",
  },
  {
    name: "wrong comparison of two profits",
    stock: "DIS",
    headline: "Parks still pay for the rest of Disney",
    preview: "Streaming makes money now, but not like the castle does.",
    body: `Disney's experiences division, meaning parks, ships and plush mice, reported operating income of $2.5 billion for the quarter to June. Streaming managed $1.0 billion. So the parks earned more than three times what the subscriptions did.

A year earlier the numbers were $2.4 billion and $0.4 billion, a ratio of six. The distance is closing quickly. Streaming revenue of $6.5 billion gives the unit a margin of 15 per cent; the parks, with $9.1 billion of revenue, have 27 per cent. Both are in the [segment tables](https://investor.example.com/dis/segments).

The company intends to put $60 billion into parks and ships over ten years, an average of $6 billion a year, says [its plan](https://news.example.com/dis-plan).

Author's holdings in Disney: none.`,
    fault: "more than three times",
    clean: "two and a half times",
  },
  {
    name: "number of rises miscounted against a list",
    stock: "CAT",
    headline: "Caterpillar's order book keeps swelling",
    preview: "Turbines for data centres lift the backlog again.",
    body: `Mid-year order backlog at Caterpillar, in billions of dollars, as listed in its [fact book](https://investor.example.com/cat/factbook): 30.4 in 2022, 27.5 in 2023, 30.0 in 2024, 34.1 in 2025 and 37.6 in 2026. The pile has thus grown for the fourth year running.

From the low point the increase is $10.1 billion, or 37 per cent. The last twelve months contributed $3.5 billion of it. Power generation accounts for 40 per cent of today's orders, about $15 billion, whereas construction machines have slipped to 25 per cent.

Roughly $22 billion should be shipped within a year. The remaining $15.6 billion is for later delivery, an unusual share for a maker of bulldozers.

The author does not own the stock.`,
    fault: "for the fourth year running",
    clean: "for the third year running",
  },
  {
    name: "sum of job cuts with digits swapped",
    stock: "INTC",
    headline: "Where Intel's cuts fall",
    preview: "Four states bear the brunt of the latest round.",
    body: `State filings collected [here](https://filings.example.com/warn-notices) show how Intel's latest round is spread. Oregon loses 2,400 posts, Arizona 1,150, California 780 and Texas 320. In all, 4,560 posts go in the four states.

Oregon's part is a little over half. The site employed 20,000 people before the round, so 12 per cent of them are leaving. Arizona, with 12,500, parts with 9.2 per cent.

The company has said that the step saves $700 million a year from 2027 and costs $450 million in severance, to be booked in two equal parts of $225 million. On those numbers the outlay is earned back in about eight months, as its [statement](https://investor.example.com/intc/restructuring) suggests.

No Intel shares are held by the writer.`,
    fault: "4,560 posts",
    clean: "4,650 posts",
  },
  {
    name: "a fifth more instead of a quarter more",
    stock: "NVO",
    headline: "Wegovy sales in kroner: a closer look",
    preview: "The slimming drug regained ground in the second quarter.",
    body: `Sales of Wegovy reached 20.0 billion kroner between April and June, against 16.0 billion in the same months of 2025; that is a fifth more, and better than the group's growth of 6 per cent.

Group sales amounted to 81.6 billion kroner, up from 77.0 billion. Ozempic, still the largest product, contributed 31.8 billion, or 39 per cent, and was flat. Put the two together and they stand for 51.8 billion, as the [interim report](https://investor.example.com/nvo/interim) shows.

Volume tells another story than value. Prescriptions for Wegovy in America grew by 40 per cent while net prices fell by about a tenth, which the finance chief described on [the call](https://news.example.com/nvo-call) as the cost of cash customers.

The author holds no position in Novo Nordisk.`,
    fault: "a fifth more",
    clean: "a quarter more",
  },
  {
    name: "bookings per trip wrong",
    stock: "UBER",
    headline: "What an Uber trip is worth",
    preview: "Dividing the quarter by its 3.5 billion journeys.",
    body: `Uber counted 3.5 billion trips in the second quarter and gross bookings of $50.0 billion. One trip, be it a ride or a bag of noodles, therefore brought in about $12.70 at the till.

Of the bookings, $13.5 billion stayed with the company as revenue, a take rate of 27 per cent. That is $3.86 a trip. After costs, adjusted operating profit was $2.25 billion, or 4.5 per cent of bookings and some 64 cents a trip. All inputs stand in the [results deck](https://investor.example.com/uber/deck).

With 190 million people using the app each month, the average user makes six trips a month. Two years ago the figure was 5.6, going by [older slides](https://investor.example.com/uber/archive).

The author has no interest in the shares.`,
    fault: "about $12.70",
    clean: "about $14.30",
  },
  {
    name: "preview growth rate differs from the body",
    stock: "AMZN",
    headline: "Amazon Web Services speeds up",
    preview: "Cloud revenue grew by 18 per cent, and profit by even more.",
    body: `The web-services arm of Amazon took in $32.4 billion between April and June. The comparable sum last year was $27.0 billion. An increase of $5.4 billion is 20 per cent, the best rate in two years.

Operating income climbed from $9.0 billion to $11.7 billion, which is 30 per cent more, so the margin went from 33.3 to 36.1 per cent. Those numbers come from the [segment note](https://investor.example.com/amzn/segments).

For the parent, cloud is 18.0 per cent of sales of $180 billion but three fifths of operating income of $19.5 billion. Retail in North America earned $6.6 billion and the international shops $1.2 billion, which completes the sum.

I have no holding in Amazon.`,
    fault: "18 per cent",
    clean: "20 per cent",
  },
  {
    name: "fall measured against the later value",
    stock: "SAP",
    headline: "SAP pays down its borrowings",
    preview: "Debt is lower than a year ago, and so is the interest bill.",
    body: `At the end of June SAP owed banks and bondholders €6.8 billion. Twelve months before, the figure was €8.0 billion. Financial debt has thus come down by 17.6 per cent.

The firm's cash pile of €9.3 billion exceeds what it owes by €2.5 billion. Interest cost €68 million in the half-year, against €84 million previously, as shown in the [half-year statement](https://investor.example.com/sap/half-year).

Free cash flow of €5.2 billion in six months went three ways: €2.9 billion in dividends, €1.1 billion on its own shares and €1.2 billion to lenders. Bond maturities are light from here, with €0.6 billion due in 2027 and €0.9 billion in 2028, according to [a ratings note](https://ratings.example.com/sap).

The writer holds no SAP shares.`,
    fault: "17.6 per cent",
    clean: "15 per cent",
  },
  {
    name: "years of backlog wrong",
    stock: "BA",
    headline: "How long is Boeing's queue?",
    preview: "Thousands of aircraft wait to be built.",
    body: `In July Boeing handed over 35 of its 737s, eight Dreamliners, three 777s and two 767s: 48 aircraft, the [monthly tally](https://investor.example.com/ba/deliveries) says. June had seen 60, so the count fell by a fifth.

The order book holds 6,000 jets. Were the company to deliver 50 a month, emptying it would take about twelve years, assuming nobody ordered another.

The 737 accounts for 4,300 of those orders, or 72 per cent. Its present build rate is 42 a month and the next step, subject to the regulator, is 47. Five more a month would mean 60 more a year.

Cash follows deliveries: customers pay about 60 per cent of the price on handover, [an industry guide](https://aviation.example.com/payments) explains.

No position in Boeing is held by this author.`,
    fault: "about twelve years",
    clean: "about ten years",
  },
];
