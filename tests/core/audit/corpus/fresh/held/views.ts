import type { CleanDraft } from "../../measured/form.ts";

/** Explainers, lists, questions, jokes and essays. */
export const views: readonly CleanDraft[] = [
  {
    name: "folding iphone sums",
    stock: "AAPL",
    headline: "If Apple folds: a back-of-the-envelope for a phone that does not exist",
    preview:
      "Nobody outside Apple knows what a folding iPhone costs or when it comes. We do the sum anyhow, with our own guesses on the table: eight million phones at $2,000 each move the needle less than one would expect.",
    body: `Q: How much could it bring in?
A: Let us guess 8 million phones in the first year at $2,000. Makes $16 billion.

Q: That sounds like a lot.
A: It is 3.9% of the $415 billion that Apple sold during its last complete fiscal year. Also, many buyers would otherwise have taken a Pro for $1,100. If six in ten did, then 4.8 million Pros, or $5.28 billion, have to come off. What remains is $10.7 billion, just 2.6%.

Q: And in profit?
A: Suppose half of $2,000 is material and assembly while Apple keeps 40% on a Pro. The gross profit on the folder would be $8 billion, minus $2.1 billion foregone on Pros: $5.9 billion.

Q: Per share?
A: With about 14.7 billion shares, some 40 cents before tax and marketing.

Q: Is any of this true?
A: The multiplication is. The inputs are ours. Replace eight with four and each result halves; take 20 million instead and it is two and a half times as much.

Last year's sales are from [Apple's 10-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000320193&type=10-K). All else is conjecture, labelled as such.`,
  },
  {
    name: "nvidia essay on shovels",
    stock: "NVDA",
    headline: "Against the shovel: NVIDIA and a tired metaphor",
    preview:
      "In a gold rush, the saying goes, sell shovels. It is applied to NVIDIA so often that nobody asks any more whether it fits. It does not, and the reasons why tell more about the company than the metaphor ever did.",
    body: `Every boom gets the comparison it deserves, and this one got the shovel. Sell tools to the diggers, we are told, and let them worry about gold. NVIDIA is supposed to be that merchant, leaning on his counter while the fools march uphill.

Consider the shovel. It is the same in every shop. It needs no instruction. It lasts until the handle breaks, and if your merchant annoys you, another is across the street. Not one of these things holds for a graphics processor. Its buyers have trained for years to use it; their programs are written in its dialect; they queue politely for the privilege.

Consider the merchant, too. The one of legend took cash and kept his distance from the mine. NVIDIA invests in its customers, rents capacity back from some of them, and thereby becomes a bit of a digger. If the hill turns out to be empty, it will have mud on its boots.

Better to think of a harbour. Ships come because other ships do; pilots know its shallows. A harbour can charge for a long time. It is also the last to notice that trade has found a different coast.

Metaphors are not analysis, mine included. One should just change them from time to time, like filters.`,
  },
  {
    name: "six bank ratios",
    stock: "JPM",
    headline: "Six ratios for reading a bank, with JPMorgan as the patient",
    preview:
      "Banks have no sales and no gross margin, so the usual tools fail. Six ratios help: overhead, returns, capital, losses, book value and loans to deposits. For each there is a formula, JPMorgan's figure, and what is normal.",
    body: `1. *Overhead ratio.* Expenses over revenue. JPMorgan: $23.8bn / $45.8bn = 52%. Below 60% is good.
2. *Return on tangible equity.* Profit over what would be left without goodwill. The second quarter's $15.3bn, times four, on $306bn: 20%. Ten is the cost of capital, more or less.
3. *CET1.* Best capital over risk-weighted assets; $290bn over $1.93tn makes 15.0%. Required are 11.5%.
4. *Net charge-off rate.* Loans given up, over all loans, annualised. $2.45bn in the quarter, or $9.8bn a year, on $1.4tn comes to 0.70%. For cards alone it is 3.4%, five times as much.
5. *Price to book.* $301.50 over a book value of $124 per share is 2.4. The sector trades around 1.3; hence one pays almost double for the best pupil.
6. *Loans to deposits.* $1.4tn over $2.5tn, so 56 cents on the dollar. Before 2008 it used to be above 80.

A caution: three of the six move when interest rates do, not when management does anything. Compare a bank to its own history, then with its peers, in this order.

Taken from [JPMorgan's quarterly supplement](https://www.jpmorganchase.com/ir/quarterly-earnings) and the [FDIC's quarterly profile](https://www.fdic.gov/quarterly-banking-profile).`,
  },
  {
    name: "hot dog inflation",
    stock: "COST",
    headline: "This hot dog has outlived a dozen treasury secretaries and all of inflation",
    preview:
      "Costco has charged $1.50 for a hot dog and a soda since 1985. Prices in general have since tripled. We calculate, mustard on the keyboard, what it should cost and how many of them fit into one share.",
    body: `Some things in life are fixed: the speed of light, the number of days in a week, and the price of a hot dog at Costco. A buck fifty, soda included. It was so in 1985.

Consumer prices have gone up by a factor of 3.04 in those 41 years, going by the Bureau of Labor Statistics. A hot dog faithful to the index would cost $4.56. Your discount on history therefore is $3.06, which is 67% off.

Put differently, $1.50 shrinks to 49 cents in 1985 money. Nobody has cut prices by two thirds with less fuss.

What does kindness cost? Costco sells around 200 million combos a year, or half a million a day with change left over. Three dollars foregone on each would be $600 million. (They would sell fewer at $4.50. Economists, sit down.) Compared with operating income of roughly $10.9 billion, we speak of five and a half percent: the world's cheapest advertising campaign.

And the share? At $958.20 it buys 638 combos and leaves $1.20 for a tip. In January 2020 one got about 200. The hot dog, sadly, does not pay dividends.

Crunched with: [BLS inflation calculator](https://www.bls.gov/data/inflation_calculator.htm), [Costco annual report](https://investor.costco.com/)`,
  },
  {
    name: "coke compounding",
    stock: "KO",
    headline: "Slow money: what ten years of a 3% dividend add up to",
    preview:
      "A $2.12 dividend that grows by 5% a year is $3.45 after ten years. Whoever spends it has collected $26.67 by then, whoever reinvests it owns over a third more shares. Hypothetical figures, using Coca-Cola as the model.",
    body: `Take a payment of $2.12 a share and let it grow 5% every year. One year from now it is $2.23, in five years $2.71, in ten $3.45. (Times 1.05 each time; 1.05 to the tenth power is 1.629.) Held against a purchase price of $68.90, the yield rises from 3.1% to 5.0% without the share doing anything.

Adding up ten years, the first at $2.12 and the last at $3.29, an owner receives $26.67. It is 39% of what was paid. Ten flat payments would have been $21.20.

Now put dividends to work. Say that the price grows by 5% as well, so that the yield stays at 3.1%. Each year the holding gains 3.1% in shares: 100 become 103.1, then 106.3, and after a decade 135.7. Price (+63%) and count (+36%) multiply to 2.21. Hence $10,000 turns into about $22,100. Seventy-two divided by 8.1, the total return in percent, says that money doubles in nine years; the rule of thumb is not far off.

Real life brings taxes, cuts and crashes. Coca-Cola itself gives no promise of growth beyond the declared quarter.

Base figures: [Coca-Cola dividend history](https://investors.coca-colacompany.com/stock-information/dividends)`,
  },
  {
    name: "netflix hours",
    stock: "NFLX",
    headline: "98 billion hours of Netflix make 98 minutes a day",
    preview:
      "Twice a year Netflix reveals what its customers watched. The total for January to June, up 3%, sounds astronomical. Per membership it is 98 minutes a day, slightly fewer than a year ago. Explained in four divisions.",
    body: `**Division one.** Netflix streamed 98 billion hours in the first half of 2026. It has an estimated 330 million memberships; officially it ceased to report them after 2024, at 302 million. 98,000 / 330 = 297 hours for each.

**Division two.** January through June is 181 days. 297 / 181 = 1.64 hours, equal to 98 minutes. By a coincidence worth framing the billions and the minutes match.

**Division three.** In the first half of 2025 viewers managed 95 billion hours. So the total is up 3.2%. With 314 million memberships back then, the average was 303 hours, i.e. 100 minutes. Per head viewing thus fell 2%. Growth came entirely from more heads: 330 is 5.1% above 314.

**Division four.** Money. Revenue during those six months amounted to $24.8 billion. Over 98 billion hours we obtain 25 cents an hour. A cinema takes about six dollars an hour, 24 times as much, popcorn excluded.

What do we learn? Watching time is saturated in most homes; price and advertising have to do the growing.

Where the data are: [Netflix engagement report](https://about.netflix.com/en/newsroom), [letter to shareholders](https://ir.netflix.net/)`,
  },
  {
    name: "tesla two multiples",
    stock: "TSLA",
    headline: "Is Tesla at 230 times earnings or at 90? Both, it depends on the year",
    preview:
      "Price over earnings has two parts, and one of them is a choice. On the last twelve months Tesla trades at 230, on 2028 forecasts at 90. Why neither figure is wrong, and why the second needs a very good crystal ball.",
    body: `A ratio of 230 and one of 90 are going around for the same stock on the same day. Someone must be lying? No.

The first takes the last four quarters. Tesla earned $0.40, $0.50, $0.39 and $0.46 per share, adjusted: $1.75 in sum. $402.60 / $1.75 = 230.

The second takes what analysts expect for 2028, on average $4.47. $402.60 / $4.47 = 90. Between the two lies growth of 155%, to be achieved in two and a half years, or 45% annually.

You may go on. On reported rather than adjusted earnings of $1.15 the ratio is 350. Relative to the best year so far, 2023 with $4.30 thanks to a tax credit, it is 94.

Dispersion tells a story of its own. For 2028 the lowest estimate is $1.90, the highest $9.80, a factor of five. Among big carmakers a factor of two is usual. When experts differ so much, their average is a number without a neighbourhood.

So ask, on hearing a multiple: whose earnings, which year, adjusted for what?

Estimates via [LSEG](https://www.lseg.com/en/data-analytics), earnings from [Tesla's 10-Q filings](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001318605&type=10-Q).`,
  },
  {
    name: "meta glasses questions",
    stock: "META",
    headline: "Smart glasses: what readers asked us, and what Meta has said so far",
    preview:
      "Do they sell, do they earn, and who may film whom? Last week's report on Meta's glasses drew more mail than usual. Answers to five questions, with as few figures as possible and as many caveats as necessary.",
    body: `*Do people buy them?* Evidently. EssilorLuxottica, who makes them, said that units more than tripled in the first half of the year. Tripled from how many, it did not say. Estimates for all of 2026 range between six and ten million pairs.

*Does Meta make money on them?* It does not break that out. Its hardware division loses roughly eleven dollars for each one it takes in, yet most of this goes to research on things that are years away.

*What does a pair cost?* From about $300 to just under $800, with a display in the lens. Prescription lenses come on top.

*May I be filmed without noticing?* There is a small light. Regulators in Ireland and Italy asked in 2021 whether it can be seen, and Meta has since enlarged it. Covering it stops the recording, in theory.

*Why does an advertising company want glasses?* Because phones belong to two other firms, whose rules once cost Meta about ten billion dollars a year by its own account. Owning the next device is insurance.

More letters next Friday. Beforehand, on Monday, American exchanges are closed for Labor Day.

We relied on [EssilorLuxottica's half-year report](https://www.essilorluxottica.com/en/investors/) and [Meta's filings](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001326801&type=10-Q).`,
  },
  {
    name: "fiscal calendars",
    stock: "MSFT",
    headline: "Why Microsoft is already living in 2027: a field guide to fiscal years",
    preview:
      "Microsoft began fiscal 2027 on July 1, NVIDIA is halfway through its own, Apple ends 2026 in three weeks. Comparing their quarters means comparing different months. A short guide, plus a trick to keep them apart.",
    body: `Today is September 4, 2026, everywhere save in corporate accounting.

At **Microsoft** it is fiscal 2027. Years there run July to June, so the current quarter, FY27 Q1, ends on September 30.

At **NVIDIA** it is fiscal 2027 too, although a different one: it started in late January and is in its third quarter, which closes on October 25.

At **Apple** fiscal 2026 still has three weeks to go, through September 26. **Costco** finished fiscal 2026 last Sunday. **Disney** will do so on October 3.

And **Amazon** lives with the rest of us, January to December.

Is it important? Consider "cloud growth last quarter". Microsoft's 37%, Amazon's 21% and Alphabet's 40% are for April to June, fair enough. NVIDIA's 55% in data centers covers May to July, a month of boom later. In "fiscal 2026", moreover, NVIDIA means eleven months of 2025.

The trick is to write down when a period *ends* and to forget its name. Then compare only what ended within a month.

A last trap: some years have 53 weeks. One extra week lifts a quarter of 13 weeks by 7.7%, with no customer more.

Look them up in the [SEC's EDGAR database](https://www.sec.gov/edgar/searchedgar/companysearch), under fiscal year end, four digits: 0630 is Microsoft.`,
  },
  {
    name: "average cost puzzle",
    stock: "AMD",
    headline: "Ten shares at $100, ten at $200: a puzzle about averages",
    preview:
      "Buy the same number of shares twice or spend the same sum twice? The average price differs, $150 against $133. With made-up prices and a stock that moves like AMD's, we show why, and what it does not prove.",
    body: `Here is a puzzle for a slow Friday. A stock costs $100 in spring and $200 in autumn. Anna buys ten shares each time. Ben spends $1,500 each time. Who pays less per share?

Anna hands over $1,000 and $2,000, which is $3,000 for 20 shares: $150 on average. Ben gets 15 shares in spring but only 7.5 in autumn. His $3,000 bought 22.5 shares. Average: $133.33.

Ben did better by 11%, and no skill was involved. Equal sums buy more when things are cheap. Mathematicians call his the harmonic mean. It never exceeds the ordinary one.

Does it follow that you should split your purchases? Not from this. Had Ben invested everything in spring, he would own 30 shares at $100. Had it been autumn, 15 at $200. Spreading gives neither the best result nor the worst; that is the whole of its charm.

With AMD, which in one real twelve-month stretch more than doubled from its low, such gaps do occur. For a stock that wobbles between $99 and $101, the two averages are $100.00 and $99.99. Then the puzzle is worth a cent.

No sources were harmed; the numbers are invented, apart from AMD's swings, for which see [the price history at Nasdaq](https://www.nasdaq.com/market-activity/stocks/amd/historical).`,
  },
  {
    name: "percentages that do not sum",
    stock: "AMZN",
    headline: "Why our pie chart of Amazon added up to 101%, and who is to blame",
    preview:
      "A reader wrote that our chart of Amazon's revenue is wrong because its slices total 101%. All slices but one are right, and so is the reader's addition. A note about rounding, with the unrounded figures in a table.",
    body: `"Your percentages make 101," wrote a reader from Utrecht. Indeed they do.

| Source | $bn | Share | As printed |
|---|---|---|---|
| Online stores | 66.7 | 35.3% | 35% |
| Services to sellers | 44.6 | 23.6% | 24% |
| AWS | 37.3 | 19.7% | 20% |
| Advertising | 18.6 | 9.8% | 10% |
| Subscriptions | 13.6 | 7.2% | 7% |
| Physical stores and other | 8.2 | 4.3% | 4% |
| Sum | 189.0 | 99.9% | 100% |

Wait: here the right column makes 100. And the middle one 99.9! Our chart had split the last row into 6.1 and 2.1, which are 3.2% and 1.1%, printed as 3% and 1%. Still 100. It also split advertising, by error, into 9.3 and 9.3; both are 4.9%, printed as 5%. That is 10 again. The culprit was the slice for subscriptions, which we had rounded up from 7.2% to 8% since somebody feared the label would not fit.

So we take it back. The 101 came from us after all, whereas the 99.9 is honest rounding. No single rounded figure is off by more than half a unit; six of them can miss by up to three.

Corrected on Friday. Amounts: [Amazon, second quarter](https://ir.aboutamazon.com/).`,
  },
  {
    name: "disney holder on tickets",
    stock: "DIS",
    headline: "I own Disney and queued for two hours: a shareholder's field report",
    preview:
      "A family of four in Orlando, $1,012 for a day, and a holder of the token among them: the author. On dynamic prices, the value of skipping a queue, and the odd feeling of paying oneself a tiny fraction of a cent.",
    body: `Disclosure goes first: my wallet holds DIS tokens, and I would not mind if they rose. On the day in question I was on the other side of the till.

Four tickets, date-based, came to $716. For skipping queues we paid $34 each, $136 in all. Parking was $35; lunch, mouse-shaped, $125. Total: $1,012, or $253 per person. Tickets alone would have been $109 apiece in 2019 for a date like ours; now they are $179, a good 64% more, in a period when prices in general climbed by just under 30%.

Is that too dear? At half past ten the park was full. Prices that fill a park are, to a shareholder, correct. My daughter, aged nine, formulated a dissenting view.

What I noticed as an owner is how evenly the day was priced: every inconvenience had a remedy, and every remedy a tariff. It works as long as the free part remains good. At two of seven rides we waited for more than an hour without the option to pay.

My share of the profit? With 1.8 billion shares outstanding and my 60, about three millionths of a cent per dollar.

See [Disney's ticket calendar](https://disneyworld.disney.go.com/admission/tickets/) and the [BLS consumer price index](https://www.bls.gov/cpi/).`,
    holds: true,
  },
  {
    name: "softbank intel yen",
    stock: "INTC",
    headline: "SoftBank is 7% ahead with Intel in dollars, and 11% in yen",
    preview:
      "SoftBank paid $2 billion for almost 87 million Intel shares in August 2025. In dollars they have gained 7%. As the yen weakened from 147 to 152, its books in Tokyo show more. A lesson on returns in two currencies.",
    body: `Masayoshi Son's company bought into Intel at $23 a share last summer. For $2 billion it obtained 86.96 million of them.

At $24.60, where INTC tokens trade this Friday, the lot is worth $2.14 billion. The gain is $139 million, i.e. 7.0%.

SoftBank reports in yen, though. Then, a dollar was 147 yen, making the outlay 294 billion. Now it is 152, so that the holding equals 325.2 billion yen. From 294 to 325.2 is 10.6%. Returns do not add (7.0 plus 3.4 is 10.4) but compound: 1.070 x 1.034 = 1.106.

Had the yen gained instead, to 138, its $2.14 billion would be 295 billion yen. All of the profit would have vanished bar one billion.

How big is this for SoftBank? Its net asset value exceeded 33 trillion yen at the end of June. Intel contributes one percent, give or take. On the other hand the stake opens doors, in foundry as well as in memory.

Seen from Santa Clara, SoftBank's 2% is a vote of confidence and a rather small one next to Washington's 10%.

Consulted: [SoftBank Group, earnings](https://group.softbank/en/ir), [Bank of Japan, rates](https://www.boj.or.jp/en/statistics/market/forex/index.htm)`,
  },
  {
    name: "alphabet court calendar",
    stock: "GOOGL",
    headline: "Google before the courts: what has happened, and what comes when",
    preview:
      "Two antitrust cases in the United States, four fines in Europe, and a calendar that fills up through the autumn. An overview of dates and sums for holders of GOOGL who have lost track, with €8.25 billion as a starting point.",
    body: `**Done.** In Europe the Commission fined Google €2.42bn in 2017 over shopping, €4.34bn in 2018 over Android, later cut to €4.13bn, and €1.49bn in 2019 over advertising, since annulled. On paper it was €8.25bn; what survived is €6.55bn. Converted at $1.17, this is $7.66bn, less than seven percent of one quarter's revenue.

**Search.** In August 2024 a court in Washington found a monopoly. The remedies of September 2, 2025, a Tuesday, spared Chrome. Appeals have been pending ever since.

**Advertising technology.** A second ruling, dated April 17, 2025, went against Google in Virginia. What it must sell, if anything, is open.

**Europe again.** In September 2025 there was another fine, €2.95bn, for ad technology. At 0.9% of Alphabet's annual sales, it stayed well clear of the 10% ceiling.

**Next.** A hearing on the search appeal is set for Thursday, September 17. Brussels wants to decide on app stores "before the year is out".

Markets shrug: on Friday GOOGL touched $243.90, then eased by two dollars or so.

Cases: [European Commission, press corner](https://ec.europa.eu/commission/presscorner/home/en), [US Department of Justice, antitrust](https://www.justice.gov/atr)`,
  },
  {
    name: "palantir growth paths",
    stock: "PLTR",
    headline: "29, 56, 39: how to average Palantir's growth without cheating",
    preview:
      "Palantir's sales went from $2.23 billion to an expected $6.22 billion within three years. That is 179% in total and 41% a year. There are three ways to compute an average growth rate, and one of them tends to flatter.",
    body: `Sales: $2.23bn in 2023, $2.87bn in 2024, $4.48bn in 2025. For 2026 the company's own midpoint is $6.22bn. Growth rates: 29%, 56%, 39%.

*Way one*, the plain mean. (28.7 + 56.1 + 38.8) / 3 = 41.2%.

*Way two*, compounding. 6.22 / 2.23 = 2.79; the cube root is 1.408. So 40.8%. This is the honest one, since starting from 2.23 it really leads to 6.22.

*Way three*, which is a sin: total growth over years. 179% / 3 = 60%. It appears in more presentations than you would think.

One and two are close because the rates do not differ wildly. Let a company grow 100% and then shrink 50%: the mean says plus 25% per annum, compounding says zero. Zero is right.

What about 2027? At 40.8% again sales would be $8.76bn. Analysts pencil in $8.3bn, growth of about a third. In dollars even that is the largest step yet, $2.1bn, ahead of this year's $1.7bn. Slower can be bigger.

Price on Friday, for the record: $152.60, some 3% below the day's best of $156.90.

Sourced from [Palantir's 10-K and 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001321655&type=10-K).`,
  },
];
