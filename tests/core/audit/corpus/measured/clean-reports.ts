import type { CleanDraft } from "./form.ts";

/** Reports, recaps and explainers with figures. */
export const cleanReports: readonly CleanDraft[] = [
  {
    name: "coke recap",
    stock: "KO",
    headline: "Coca-Cola sells fewer cans and earns more on each",
    preview:
      "Volume slipped by 1% in the second quarter while net revenue rose to $12.6 billion. The gap is price and mix, and the release says how much of each. A short reading for people who own no spreadsheet.",
    body: `Coca-Cola's second quarter looks odd at first sight. Unit case volume fell by 1%, and net revenue still grew from $12.0 billion to $12.6 billion, which is 5% more, the [quarterly release](https://investors.coca-colacompany.com/news/q2-release) says.

The difference has two names. Price and mix added 6 percentage points: the company charged more per case and sold a larger share of small packages, which carry a higher price per litre. Volume took back 1 point. Six minus one is the five that we see.

Small cans deserve a word of their own. A pack of ten mini cans holds less than half the drink of a regular twelve-pack and sells for about two thirds of the price. Shoppers who want to spend less buy less drink, and the company earns more on each litre of it.

How long can that go on? The [annual filing](https://www.sec.gov/ko-10k-2025) shows six years in a row in which price did most of the work. In Latin America the effect has already faded, according to the same filing. If volume keeps shrinking while price slows, revenue has nothing left to lean on. That is the number to watch in October, when the third quarter is due.`,
  },
  {
    name: "amazon margins",
    stock: "AMZN",
    headline: "Amazon's cloud earns most of the profit on a fifth of the sales",
    preview:
      "Of every dollar that Amazon earned from operations in the second quarter, 60 cents came from AWS, which made 19% of the sales. Two tables of the release are enough to see why investors look at little else.",
    body: `Amazon reported sales of $170 billion for its second quarter, of which AWS contributed $32 billion, or about 19%. The operating profit was $20 billion; AWS earned $12 billion of it. Both tables stand in the [release](https://ir.aboutamazon.com/q2-2026-release).

So a business with a fifth of the revenue made 60% of the profit. Put as margins, AWS kept 37.5 cents of each dollar that it took in, and the shops kept less than six: $8 billion on $138 billion.

Retail is not a bad business because of that. It brings customers, data and a delivery network that others pay to use, and its advertising arm hides inside the same segment. The [10-Q](https://www.sec.gov/amzn-10q-2026q2) lists advertising revenue of $16 billion, up from $13 billion a year earlier, without telling what it earns.

The lesson for readers of headlines is a simple one. A point of growth in the cloud moves the company's profit more than a point of growth in parcels. When the next report comes, look at the second table first, and at the first table only if you have time left over.`,
  },
  {
    name: "price earnings explainer",
    stock: "MSFT",
    headline: "What a price of 36 times earnings says about Microsoft",
    preview:
      "At today's quote Microsoft costs about 36 times what it earned per share over the last four quarters. The number is easy to work out and easy to misread. Here is the sum, and what it leaves out.",
    body: `Microsoft earned $14.20 per share over the last four quarters, if one adds the figures of its [four releases](https://www.microsoft.com/investor/earnings). The token stands at $512.30 as I write. Divide one by the other and you get about 36.

What does 36 mean? If nothing changed, the company would need 36 years to earn its price. Nobody expects that nothing changes. A buyer at this multiple assumes growth, and the multiple tells how much of it is paid for in advance.

Suppose earnings grew by 12% a year for five years. They would then be at $25.03 per share, and the same price would be 20 times earnings. Suppose they grew by 5%: then it would be $18.12 and 28 times. These are sums and no forecasts; the [annual report](https://www.sec.gov/msft-10k) names a dozen risks to any of them.

The ratio leaves out cash, debt and the question how much of the profit is real money. For a company that spends as much on servers as Microsoft does, free cash flow may say more. It was lower than net income in each of the last three quarters.`,
  },
  {
    name: "dividend arithmetic",
    stock: "JPM",
    headline: "JPMorgan raises its dividend, and what that adds up to in a year",
    preview:
      "The quarterly dividend goes from $1.50 to $1.60 a share. For somebody with 40 shares that is $16 more a year, before tax. The yield stays near 2%, and the payout ratio says that there is room.",
    body: `JPMorgan Chase will pay $1.60 per share each quarter from October on, up from $1.50. The board's decision stands in a [statement](https://www.jpmorganchase.com/ir/dividend-2026) that came with the results of the stress test.

The rise of ten cents is 6.7%. Over four quarters a share then brings $6.40 in place of $6.00. A holder of 40 shares gets $256 a year, which is $16 more than before. At a share price of about $301.50 the yield is 2.1%.

Whether the bank can afford it is not in doubt this year. It earned $20.00 per share over the last four quarters according to its [supplement](https://www.jpmorganchase.com/ir/supplement), so the new dividend takes 32% of profit. The regulator's scenario of a deep recession would have left the bank with a capital ratio of 14.2%, well above what is required.

Token holders should read the terms of the issuer before they plan with any of this. The tokens follow the share by a multiplier, and a dividend shows up there and not as a payment to the wallet. The [documentation](https://docs.robinhood.com/tokens) describes when the multiplier changes.`,
  },
  {
    name: "costco fees",
    stock: "COST",
    headline: "The membership fee is where Costco makes its money",
    preview:
      "Costco took in $5.2 billion in membership fees last fiscal year. That is about two thirds of its operating profit. The goods on the shelves are sold at little more than cost, and that is the plan.",
    body: `A warehouse club sells two things: goods and the right to buy them. At Costco the second one pays. In the fiscal year that ended in August 2025, membership fees brought $5.2 billion, while the operating income of the whole company was $7.8 billion, the [annual report](https://www.sec.gov/cost-10k-2025) says. That is 67%.

Fees have hardly any cost. Without them the company would have earned $2.6 billion on merchandise sales of more than $260 billion, a margin of 1%. Most grocers would call that a bad year.

The model has a consequence that visitors from other markets find hard to believe. Costco caps the markup on what it sells, at 14% for most brands and 15% for its own. When a supplier becomes cheaper, the price on the shelf falls. What counts is that members renew, and 92.7% of them did in the United States and Canada in that year.

The fee went up by five dollars in September 2024. Such rises come every seven years or so, and the renewal rate moved by a few tenths of a point afterwards. The figure for this year is due with the [next annual report](https://investor.costco.com/financials) in October.`,
  },
  {
    name: "share count",
    stock: "AAPL",
    headline: "Apple's share count has fallen by a third in ten years",
    preview:
      "In 2016 Apple had 21.9 billion shares after adjusting for splits. Now it has 14.6 billion. Whoever held one share all the time owns half as much again of the company, without having done anything.",
    body: `Ten years of buybacks have changed Apple more than most of its products did. The company had 21.9 billion shares in the autumn of 2016, counted after the split of 2020, and 14.6 billion this summer. The figures are from the cover pages of its [annual](https://www.sec.gov/aapl-10k-2016) and [quarterly](https://www.sec.gov/aapl-10q-2026q3) filings.

That is a fall of 33%. Turned around: a share that was one part in 21.9 billion is now one part in 14.6 billion, so its slice is 1.5 times what it was. Earnings per share would have risen by half even if profit had stood still.

Buybacks are no gift. The money could have gone into wages, factories or dividends, and the company bought at prices that looked high at the time. They turned out low; that need not repeat itself. At about $327 a share, $90 billion buys some 275 million shares, or 1.9% of what is left. In 2016 the same sum bought more than 3 billion.

The effect shrinks as the price grows. It is a reason to read profit and profit per share side by side, and to ask of every record which of the two it is.`,
  },
  {
    name: "netflix ads",
    stock: "NFLX",
    headline: "Half of new Netflix members now choose the plan with advertising",
    preview:
      "Netflix says that 55% of sign-ups in countries with advertising pick the cheaper plan. What that does to revenue per member depends on an auction that is two years old. A look at both halves of the sum.",
    body: `In markets where it is offered, 55% of people who sign up take the plan with advertising, Netflix wrote in its [letter to shareholders](https://ir.netflix.net/q2-2026-letter). A year ago it was 45%, so the share grew by ten percentage points.

The plan costs $7.99 a month in the United States; the one without advertising costs $17.99. On paper each new member of the first kind brings ten dollars less. Advertising has to fill that gap, and the letter does not say whether it does.

Some of it can be estimated from outside. If a member watches 40 hours a month with four minutes of advertising an hour, that makes 160 minutes, or 320 spots of half a minute. At $20 per thousand views they would bring $6.40. These are my own assumptions and the result moves with each of them.

The company's side is that ad technology of its own is young: it was switched on in the United States in April 2025, according to the [investor update](https://ir.netflix.net/ad-suite). Fill rates rise with the number of buyers. The next letter is due in the middle of October, and the line to look for is revenue per membership in that country.`,
  },
  {
    name: "intel table",
    stock: "INTC",
    headline: "Intel by segment: three lines that explain the quarter",
    preview:
      "Intel's revenue was $12.9 billion in the second quarter. A table with three rows shows where it came from, and a fourth row shows why that is less than their sum. No opinion on the price is offered here.",
    body: `Segment reports are easier to read as a table. All figures are in billions of dollars and come from the [earnings release](https://www.intc.com/q2-2026-release).

| segment | Q2 2026 | Q2 2025 |
|---|---|---|
| client computing | 7.9 | 7.9 |
| data center and AI | 4.1 | 3.9 |
| foundry | 4.6 | 4.4 |
| between segments | -3.7 | -3.3 |
| total | 12.9 | 12.9 |

The foundry makes chips for the other two, and what they pay it is inside the company. That is the row with the minus. Take it away and a total stays that has not moved within a year.

Foundry revenue from customers outside Intel is given in a footnote: $22 million. It is tiny, and it is the number on which the plan rests. The company's [10-Q](https://www.sec.gov/intc-10q-2026q2) says that volume from outside is expected from 2027.

What can be said from three lines? Data centers grew by 5%, which is slow in this market. Personal computers stood still. And the factories still work for one customer almost alone. Everything else in the release is about the future, and about the future a release is always kind.`,
  },
  {
    name: "palantir multiples",
    stock: "PLTR",
    headline: "Palantir grows fast, and its price has grown faster",
    preview:
      "Revenue rose by 48% in a year to $1.48 billion a quarter. The market value is still close to 60 times annual revenue. Both numbers can be right at once, but only one of them can stay.",
    body: `Palantir's revenue was $1.48 billion in the second quarter, against $1.00 billion in the same quarter a year before. That makes 48%, and the [release](https://investors.palantir.com/q2-2026) adds that business with companies in the United States grew faster still.

The price is another story. With about 2.4 billion shares and a quote of $152.60, the company is valued at roughly $366 billion. Four quarters at today's pace are $5.92 billion. Divide and you get about 62 times revenue, not profit.

For comparison I looked up what the market paid for other software companies at a like rate of growth. Snowflake reached more than 100 times in December 2020 and needed less than two years to come down to 20, its [filings](https://www.sec.gov/snow-10k) and price history show. Its revenue had tripled on the way.

There is no law in that. A company can grow into its price, and some have. But the arithmetic is strict: at 48% growth a year it takes about four years until revenue is 4.8 times as large, and only then would today's value be 13 times revenue. A reader may find that likely or not. It should be known before anybody argues about the product.`,
  },
  {
    name: "tesla energy",
    stock: "TSLA",
    headline: "Tesla's batteries for the grid had a better quarter than its cars",
    preview:
      "Storage deployments rose from 9.6 to 12.5 gigawatt hours within a year, while deliveries of cars fell. The margin tells the same story. What the update to shareholders shows on page nine.",
    body: `Tesla put 12.5 gigawatt hours of storage into service in the second quarter, 30% more than the 9.6 of a year ago. Deliveries of cars fell by 4% to 369,000 from 384,000 over the same time. Both are in the [quarterly update](https://ir.tesla.com/q2-2026-update).

Storage is still the small business. It brought $3.6 billion of $23.0 billion in revenue, or 16%. But its gross margin was 30.3%, and that of cars, leases and credits included, was 17.2%.

What does the gap come from? The company names lower prices of lithium cells and the ramp of the factory in Shanghai, which builds nothing but large batteries. Competitors from China sell similar containers, and tariffs decide where. The [10-Q](https://www.sec.gov/tsla-10q-2026q2) devotes a page to that risk.

Deployments come in lumps, since one project can be a tenth of a quarter. A fall next time would mean little by itself. The trend over eight quarters is what counts, and there the line has pointed up with two exceptions.

Disclosure: the publisher holds TSLA tokens.`,
    holds: true,
  },
  {
    name: "meta spending",
    stock: "META",
    headline: "Meta will spend more on buildings than it earned in 2022",
    preview:
      "Capital spending of $66 to $72 billion is planned for this year. Four years ago the whole company had a net income of $23.2 billion. An attempt to say what the money has to bring in.",
    body: `Meta expects to spend between $66 billion and $72 billion on buildings, servers and networks this year, its [second-quarter release](https://investor.atmeta.com/q2-2026) says. The middle of the range is $69 billion. In 2022 the company earned $23.2 billion after tax, so the plan is about three times as large as that year's profit.

What does it have to bring in? If half of the sum is servers, written off over five and a half years, and the rest is buildings that last for 25, the yearly charge comes to about $6.3 billion plus $1.4 billion. Revenue was $164.5 billion in 2024 according to the [annual report](https://www.sec.gov/meta-10k-2024). An extra 5% of that would cover the charge.

Put like this the plan looks less mad than the headline. The catch is that it is one year's plan, and the next year's is said to be larger. Charges add up like rings of a tree.

Management told analysts that advertising already pays for the machines, by better ranking. The release shows prices per advertisement up by 9%. Which part of that is due to the machines and which to the season, nobody outside can tell.`,
  },
  {
    name: "amd guidance",
    stock: "AMD",
    headline: "AMD's guidance in plain words: more of the same, with a wide margin",
    preview:
      "The company expects revenue of about $8.7 billion for the third quarter, give or take $300 million. That would be 28% more than a year ago. How such ranges have turned out in the last eight quarters.",
    body: `For the third quarter AMD expects revenue of $8.7 billion, give or take $300 million, according to the [outlook](https://ir.amd.com/q2-2026-results) that came with its results. In the third quarter of 2025 it was $6.8 billion by the same table, so the middle of the range means 28% more.

I went through the last eight outlooks and what became of them. Six times the actual figure lay in the upper half of the range, once it lay above it, and once in the lower half. The company has never missed its range in that time. Guidance of this kind is a promise made to be kept.

That says little about the stock. On five of the eight days after the results the shares fell, once by more than 10%. What moves the price is the difference between the range and what analysts had in their models, and those models are not public.

A reader of the next release can do without them. The lower end is $8.4 billion, the upper end $9.0 billion. A figure inside is the usual, a figure outside would be news, and anything written about a "beat" that lies inside is about somebody's model.`,
  },
  {
    name: "disney streaming",
    stock: "DIS",
    headline: "Disney's streaming has stopped losing money. What changed?",
    preview:
      "Three years ago the streaming business lost $1.5 billion in one quarter. Last quarter it earned $350 million. Most of the turn came from prices and from films that were not made. Four causes, by size.",
    body: `In the last quarter of its fiscal year 2022, Disney lost $1.5 billion on streaming. In the quarter to June 2026 it earned $350 million there. The swing is $1.85 billion a quarter, and the [filings](https://www.sec.gov/dis-10q) let us sort its causes.

First, prices. The plan without advertising cost $7.99 a month in the autumn of 2022 and costs $18.99 now in the United States, more than twice as much. Second, content: spending was cut by about $2 billion a year, mostly on series for single countries. Third, advertising, which hardly existed then. Fourth, overhead, where two technical platforms became one.

Subscribers are missing from the list on purpose. Their number has hardly changed in two years, and the company said in its [shareholder letter](https://thewaltdisneycompany.com/letter-2026) that it will no longer report it.

I find the third cause the most interesting one, since it is the only one that can go on for long. Prices meet a ceiling, cuts meet the bone. Advertising depends on hours watched, and hours depend on what was cut. The next quarters will show which of the two wins.`,
  },
  {
    name: "alphabet cash",
    stock: "GOOGL",
    headline: "Alphabet's cash pile is smaller than it looks, and that is fine",
    preview:
      "Cash and securities stood at $95.1 billion at the end of June. Debt, leases and a tax bill take $41.6 billion of it. The rest is $53.5 billion, and it is still more than most companies are worth.",
    body: `Alphabet's balance sheet at the end of June shows $95.1 billion in cash and marketable securities. Articles like to quote that figure alone. The [10-Q](https://www.sec.gov/googl-10q-2026q2) has three others that belong to it.

Long-term debt was $23.6 billion. Lease obligations came to $14.0 billion. And of the tax on foreign profits that the law of 2017 spread over years, $4.0 billion were still open. Together that is $41.6 billion, which leaves $53.5 billion.

Is it much? The company spent $22.4 billion on buildings and machines in the second quarter alone, and $13.6 billion on its own shares. At that pace the net pile would last for a quarter and a half if no more money came in. But money does come in: $27.7 billion from operations in the same three months.

So the pile is a cushion and not a treasure. Its size matters when a fine has to be paid or a company is bought. For a valuation the flow counts, and the flow is large enough to make the cushion a matter of taste.`,
  },
  {
    name: "nvidia concentration",
    stock: "NVDA",
    headline: "Two customers, 39% of sales: a footnote in Nvidia's report",
    preview:
      "One direct customer made 23% of Nvidia's revenue in the quarter and another 16%. They are probably not the names you think of. What a direct customer is, and why the footnote matters anyway.",
    body: `A footnote in Nvidia's [10-Q](https://www.sec.gov/nvda-10q-2026q2) says that one direct customer stood for 23% of revenue in the quarter and a second one for 16%. Together that is 39%, or about $18.2 billion of the $46.7 billion in sales.

Many articles concluded that two cloud companies buy two fifths of all chips. That is not what the footnote says. Direct customers are those who pay Nvidia's invoice: makers of boards and servers such as Foxconn or Quanta, who assemble machines for others. The filing says so two lines further down.

Who ends up with the chips is told elsewhere. Large cloud providers were about half of the data center revenue, the company's [commentary](https://investor.nvidia.com/q2-cfo-commentary) says. Data center revenue was $41.1 billion, so they took something like $20 billion worth.

The footnote matters all the same. If one maker of servers has trouble with parts, a fifth of the sales waits. It happened in the spring of last year, when a cooling part was late and shipments slid from one quarter into the next. Concentration in the middle of a chain is harder to see than at its end.`,
  },
  {
    name: "filing calendar",
    stock: "TSLA",
    headline: "Four dates for Tesla readers before the year is out",
    preview:
      "From the delivery count in October to the last filing in December: what comes when, where it is published, and which of the four usually moves the price least. A calendar to pin to the wall.",
    body: `Whoever follows Tesla from documents instead of headlines needs four dates for the rest of the year.

On Friday, October 2, 2026, the company should publish production and deliveries for the third quarter. It has always done so on the second or third day of the quarter, on its [investor site](https://ir.tesla.com). The report with the figures came about three weeks after that in each of the last five years, so the week of October 19 is likely. Nothing has been announced yet.

The 10-Q follows within a day or two of the report, in the [SEC's register](https://www.sec.gov/edgar). It is long, and it is where warranty reserves and legal matters stand. The annual meeting's proposals, finally, have to be filed before the meeting, which is set for November 12, 2026, a Thursday.

Which of the four moves the price least? By my own count over three years, the 10-Q: on average 1.1% on the day. The delivery count moved it by 3.4%. One might think that the document with the most facts in it would do more. It does, but only for those who read it.`,
  },
  {
    name: "foreign exchange",
    stock: "KO",
    headline: "A strong dollar costs Coca-Cola more than sugar does",
    preview:
      "Exchange rates took 3 percentage points from reported growth last quarter. In money that is some $360 million of revenue. How the effect comes about, in three small sums with invented numbers.",
    body: `Coca-Cola sells in more than 200 countries and reports in one currency. In the second quarter the translation cost 3 points of growth, says the [release](https://investors.coca-colacompany.com/news/q2-release). On last year's $12.0 billion that is $360 million.

Suppose that a bottler in Mexico pays 100 pesos for syrup. At 17 pesos to the dollar this is $5.88 in the books. At 20 pesos it is $5.00. Nobody in Mexico paid less, and the revenue in dollars fell by 15%.

Suppose further that the syrup's ingredients were bought in dollars for $2.00. Before, the gross profit was $3.88; afterwards it is $3.00, which is 23% less. Profit suffers more than revenue when costs are in the strong currency. This is why the company also hedges, and why the hedge has a line of its own in the [annual report](https://www.sec.gov/ko-10k-2025).

Hedges delay the effect by about a year. They do not remove it. A reader who wants to know how the business is doing can look at organic growth, which leaves currencies out, and then decide how long a strong dollar may last. On that question I have no view that is worth money.`,
  },
  {
    name: "token multiplier",
    stock: "COST",
    headline: "Why one Costco token is not quite one Costco share",
    preview:
      "The token's multiplier stands a little above one, because dividends are added to it instead of being paid out. For a price of $958 the difference is about five dollars. What that means when you compare quotes.",
    body: `A stock token on this chain follows its share through a number called the multiplier. For Costco it reads 1.0052 today, and everybody can ask for it: the [token's contract](https://robinhoodchain.blockscout.com/token/cost) has a function for it, and the standard behind it is [ERC-8056](https://eips.ethereum.org/EIPS/eip-8056).

It starts at one. When the company pays a dividend, the issuer does not send money to thousands of wallets. The multiplier goes up by the dividend divided by the price instead. A holder of one token then holds the worth of 1.0052 shares.

At a share price of $958.20 the token is worth $963.18, which is $4.98 more. Whoever compares the token's price with the share's on another site and finds half a percent between them has found the dividends of about a year, and no bargain.

Splits work by the same number. If the company split three for one, the multiplier would triple overnight and the price per share would be a third. Wallets that show raw amounts will look wrong for a while after such a day. That has happened before with other tokens, and it was the display that was wrong.`,
  },
  {
    name: "options expiry",
    stock: "NVDA",
    headline: "What the third Friday of September does to Nvidia, if anything",
    preview:
      "On September 18 options and futures expire together. Volume will be high and reporters will explain every tick by it. The last twelve such days show an effect on volume and none on the direction.",
    body: `Four times a year stock options, index options and index futures expire on the same day. The next time is Friday, September 18, 2026, as the [exchange's calendar](https://www.cboe.com/calendar) shows. Commentators call it triple witching.

I looked at the last twelve of these Fridays for Nvidia. On average 1.9 times as many shares changed hands as on the Fridays before and after. The close was higher than the open on six of the twelve days and lower on the other six.

The volume has a plain reason. Dealers who sold options hold shares against them, and when the options end they no longer need the shares. They sell some and buy others, mostly in the closing auction. That is work, and work makes volume. A direction would need that all dealers stood on the same side, and the [data on open interest](https://www.theocc.com/market-data) show that calls and puts were nearly even on most of these days.

So there is a day of noise ahead. Somebody who wants to trade may find it easier than usual, because many others want to as well. Somebody who wants to know something will learn it on another day.`,
  },
  {
    name: "amazon parcels",
    stock: "AMZN",
    headline: "Amazon delivers 17 million parcels a day, and each costs less",
    preview:
      "Shipping costs rose by 6% in a year while units sold rose by 11%. That means about 4.5% less per unit. The company says why in one sentence, and its filing says more in a table.",
    body: `Shipping cost Amazon $24.6 billion in the second quarter, 6% more than the $23.2 billion of a year ago. Units sold grew by 11% over the same time. Both figures are in the supplement of the [release](https://ir.aboutamazon.com/q2-2026-release).

Cost per unit therefore changed by the ratio 1.06 to 1.11, which is 0.955: a fall of 4.5%. For a company that moves some 17 million parcels a day, as its [sustainability report](https://sustainability.aboutamazon.com/report) puts it, that is real money.

The reason given is regional stock. Since 2023 the country is divided into eight regions, and most orders are filled from within one. A parcel that travels fewer miles passes through fewer hands. The second reason is not given: more of what people order is small, and several small things share a box.

There are limits to both. Regions cannot become smaller for ever, since then each would have to hold every article. And wages are the largest part of the cost of the last mile; they went up by about 5% with the raise of last September. If the cost per unit falls again in the third quarter, it will be in spite of them.`,
  },
];
