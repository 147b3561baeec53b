import type { CleanDraft } from "../../measured/form.ts";

/** Columns, explainers, lists and essays. */
export const columns: readonly CleanDraft[] = [
  {
    name: "apple essay on waiting",
    stock: "AAPL",
    headline: "Apple and the art of arriving late",
    preview:
      "Apple is rarely first and seldom in a hurry. An essay on what its patience has in common with a good kitchen, and on the moment when waiting stops being a virtue and turns into an excuse.",
    body: `There is a kind of restaurant that never has the dish everybody is talking about. A year later it has it, the dish is better there than anywhere else, and nobody remembers who served it first. Apple has long been that restaurant.

The company did not make the first music player, the first telephone with a touch screen or the first watch that counts steps. It watched others learn in public, and paid them the compliment of not repeating their mistakes. That is a strategy, and it is a comfortable one as long as the customers are prepared to wait.

With assistants that talk, the comfort is smaller. Software of this kind improves by being used, and what is used now learns now. A kitchen that stays closed collects no complaints, and without complaints no cook improves.

I do not know whether the company is late or merely quiet. From outside the two look the same. What can be said is that patience is only a virtue for somebody who knows what he is waiting for. Apple's managers say that they do. Owners of the stock, and of tokens that follow it, have little choice but to ask them again every quarter.

This is an opinion and no advice.`,
  },
  {
    name: "nvidia fall and recovery",
    stock: "NVDA",
    headline: "Why a fall of 20% needs more than 20% to heal",
    preview:
      "Percentages do not cancel each other out. A short explainer with invented sums, for everybody who owns a stock that swings as NVIDIA does: why minus 20% and plus 20% leave you with 96, and what averages hide.",
    body: `Imagine that you hold a stock worth $100, say a piece of NVIDIA in some imaginary year. On Monday it falls 20% and you have $80. On Tuesday it rises 20%. You now have $96, because the second percentage is taken from the smaller sum.

To get back to $100 you would need 25%: twenty dollars on eighty. After a fall of 50% it takes 100%, after one of 90% it takes 900%. The deeper the hole, the faster the ladder grows.

The same happens with averages. Suppose a stock gains 50% in one year and loses 40% in the next. The average of the two is plus 5%, and yet $1,000 has become $1,500 and then $900. What you really earned per year is minus 5.1%, since 0.949 times 0.949 is about 0.90.

Does this matter for a calm stock? Hardly. Up 1% and down 1% costs a hundredth of a percent. For a stock that moves by 3% on ordinary days it adds up: fifty pairs of such days, up and down, take 4.4% away without any news at all.

None of these numbers is a price of NVIDIA's. Its real ones are in the [company's filings](https://www.sec.gov/edgar/search/) and in the quote beside this text.`,
  },
  {
    name: "microsoft points and percent",
    stock: "MSFT",
    headline: "Two points or six percent? How to read a margin at Microsoft",
    preview:
      "When a margin falls from 34% to 32%, one headline says two points and another says 6%. Both are right. How to tell percentages from percentage points, with examples from Microsoft's last two fiscal years.",
    body: `Microsoft's cloud had a gross margin of 72% in fiscal 2024, of 69% in fiscal 2025 and of 67% in fiscal 2026. How much did it fall within those two years? By five percentage points. Or by 6.9%, if five is set against seventy-two. Whoever writes "by 5%" has made a mistake, though a small one.

The mistake grows when the base is small. If a product's share of sales climbs from 2% to 3%, it has gained one point. It has also gained 50%. A press release will choose the second, a rival's the first.

A third trap is the percentage of a percentage. Suppose that 40% of customers use a product, and that 25% of them pay. Then 10% of all customers pay, and not 65%. Microsoft said in July that "a quarter of a third" of its seats had the assistant switched on; that is a little more than 8%.

And there are basis points, a hundred to the percentage point. Banks love them. When Microsoft's borrowing cost went from 4.15% to 4.40% on its newest bond, it was 25 basis points, a quarter of a point, or 6% more interest.

Sources: [Microsoft, annual report](https://www.microsoft.com/en-us/investor), [Form 10-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000789019&type=10-K)`,
  },
  {
    name: "coke dividend in euros",
    stock: "KO",
    headline: "What becomes of Coca-Cola's $2.12 on its way to a European account",
    preview:
      "Coca-Cola pays $2.12 a year on a share. After withholding tax and at $1.17 to the euro, €1.54 arrives. The arithmetic of a foreign dividend, step by step, and why the yield does not care about the currency.",
    body: `Coca-Cola pays 53 cents a quarter, four times a year: $2.12. On a price of $68.90 the yield is 3.1%. So far the dollar.

**Step one: tax.** The United States withhold 15% from most holders in countries with a treaty, if the form has been filed. That is $0.318 of $2.12, and $1.802 remains. Without the form it is 30%, or $0.636.

**Step two: exchange.** At $1.17 to the euro, $1.802 becomes €1.54. A year ago, at $1.10, the same dollars would have been €1.64. The ten cents of difference are about 6%, and they have nothing to do with lemonade.

**Step three: the yield again.** The share's price in euros is $68.90 divided by 1.17, or €58.89. Before tax the dividend is €1.81, and €1.81 on €58.89 is once more 3.1%. The currency stands above and below the line, and drops out.

**Step four: tokens.** A token's issuer may pay the dividend in cash, or raise the number of shares that a token stands for. In the second case nothing arrives, and the holding grows by the same 3.1% a year, less tax.

Sources: [The Coca-Cola Company, dividends](https://investors.coca-colacompany.com/), [Internal Revenue Service, Publication 515](https://www.irs.gov/publications/p515)`,
  },
  {
    name: "tesla robot humour",
    stock: "TSLA",
    headline: "A robot walks into an earnings call",
    preview:
      "Tesla's humanoid was mentioned more often than its cars on the company's latest call. Our columnist counted, sighed and asked the robot for a statement. It is still buffering. A few sober figures are hidden in between.",
    body: `The robot was mentioned 41 times. I counted, since somebody has to. The cars, which brought in about three quarters of the money, were mentioned 29 times, and the weather in Texas twice.

"Optimus will be the biggest product ever," said the chief executive on July 22, as he had said in April, and in January, and in a voice that suggests he has met it. The robot could not be reached. It is understood to be folding a shirt.

Let us be fair. The company sold $22.8 billion of goods and services in the second quarter, of which cars and their parts were $17.1 billion, or 75%. The robot contributed zero dollars and zero cents, which is exactly as much as last year. Its growth rate cannot be computed; one may not divide by zero, not even in Austin.

Production is to begin "at scale" next year. In the spring it was "late this year", so that the future has moved by only a few months, a good result by local standards.

The token cost around $400 on Friday, and went up by a few dollars while I wrote this. Neither of us knows why.

Sources: [Tesla, second-quarter update](https://ir.tesla.com/), [Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001318605&type=10-Q)`,
  },
  {
    name: "costco card list",
    stock: "COST",
    headline: "Five numbers behind Costco's membership card",
    preview:
      "Costco earns more with the card than with the chicken. Five numbers explain how: 81 million households, two fees, a rebate with a ceiling, a renewal rate above 92%, and a share of profit that surprises first-time readers.",
    body: `1. **81 million.** So many households pay for a card, according to the last quarterly report. Slightly fewer than half, 38.5 million, have the dearer one. A year ago the two numbers were 78 million and 36 million; the total has grown by 3.8%, the dearer card by 6.9%.

2. **$65 and $130.** The prices of the two cards in the United States since September 2024. If all of the 81 million lived there, the fees would be 42.5 million times $65 plus 38.5 million times $130, or $7.77 billion. Many live elsewhere and pay less: the fees of the last four quarters were $5.6 billion.

3. **$1,250.** The most that a holder of the dearer card can get back in a year, 2% of purchases. One reaches it at $62,500, a sum better suited to restaurants than to families.

4. **92.7%.** The share of members in the United States and Canada who renew. Worldwide it is 90.2%, two and a half points lower.

5. **Just over half.** That is what $5.6 billion in fees would be of Costco's operating income of $10.9 billion, if collecting them cost nothing.

Sources: [Costco, Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000909832&type=10-Q), [Costco, membership](https://www.costco.com/join-costco.html)`,
  },
  {
    name: "jpmorgan deposit questions",
    stock: "JPM",
    headline: "What does a rate cut cost JPMorgan? Four questions and answers",
    preview:
      "If the Federal Reserve cuts by 25 basis points, a bank's loans become cheaper at once and its deposits only slowly. Four questions about the gap between the two, with round sums, and what JPMorgan itself says about them.",
    body: `**What is the gap?** A bank that lends at 6.00% and pays 2.25% on deposits keeps 375 basis points. On a loan of $10,000 that is $375 a year, before costs and losses.

**What happens after a cut?** Say that the central bank lowers its rate by 25 basis points. A loan with a variable rate goes to 5.75% straight away. If the deposit only follows by ten, to 2.15%, the gap is 360 basis points. The bank loses $15 on those $10,000, which is 4% of its former income on them.

**And for JPMorgan?** The bank publishes a table on this in each quarterly report. A parallel fall of all rates by a full point would cost it about $2.1 billion in interest within twelve months. With net interest income of some $98 billion a year that is a little over 2%. Deposits at big banks react slowly, and part of the book is fixed.

**Is there an upside?** Cheaper money brings more loans, fewer defaults and busier markets. None of it is in the table.

The token was at $301.50 on Friday; the next meeting on rates ends on September 16.

Sources: [JPMorgan Chase, Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000019617&type=10-Q), [Federal Reserve, calendar](https://www.federalreserve.gov/monetarypolicy/fomccalendars.htm)`,
  },
  {
    name: "amazon one basis point",
    stock: "AMZN",
    headline: "At Amazon, a hundredth of a percent is a nice little company",
    preview:
      "A company with $717 billion in sales moves a lot of money with tiny percentages. One basis point of Amazon's revenue is almost $72 million. A tour of small numbers with large meanings, from cents per parcel to days of payment.",
    body: `Amazon's sales in 2025 were $717 billion. A basis point, a hundredth of a percent, is $71.7 million of that. Many a listed company would like to have it as revenue.

Take the parcels. If Amazon delivers about nine billion of them in the United States in a year, each cent saved on a parcel is $90 million. A robot that saves 25 cents on every tenth parcel is worth $225 million a year. It is also invisible in the margin: $225 million is three basis points of sales.

Or take time. The company pays suppliers later than its customers pay it. One day of sales is nearly $2 billion, since $717 billion spread over 365 days makes $1.96 billion. Stretch the bills by two days and almost $4 billion more lies in the account, free of interest.

The small numbers work the other way as well. An increase of wages by 50 cents an hour, for a million people who work 1,800 hours a year, comes to $900 million. That would be 12.6 basis points.

So when somebody tells you that a measure "hardly moves the margin", ask how many basis points.

Sources: [Amazon, annual report](https://ir.aboutamazon.com/), [Form 10-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001018724&type=10-K)`,
  },
  {
    name: "netflix old and new shares",
    stock: "NFLX",
    headline: "Netflix after the split: how to compare old charts with new ones",
    preview:
      "Since November 2025 ten shares of Netflix are what one share was. Old prices, dividends that never were, earnings and analysts' targets have to be divided by ten. A small guide with the errors that readers send us most.",
    body: `On November 17, 2025 Netflix began to trade after a split of ten for one. Who had 12 shares then had 120. Nobody became richer, for each of the 120 was worth a tenth.

**Prices.** The token's $121.50 of today corresponds to $1,215 of the old kind. A close of $900 in an article from early 2025 means $90 in today's money. It follows that the rise from there is 35%, and not a fall of 86.5%, as a reader complained.

**Earnings.** Netflix earned $25.30 on an old share in 2025, which are $2.53 on a new one. The price is 48 times that: $121.50 divided by $2.53. With the old figures, $1,215 and $25.30, it is 48 as well. Ratios survive a split.

**Volume.** Ten times as many shares change hands when the same amount of money does. "Record volume" in the weeks after a split is therefore often none.

**Tokens.** An issuer can multiply its tokens by ten or let each of them stand for ten shares. Look it up before you compare a token with a chart.

Sources: [Netflix, investor relations](https://ir.netflix.net/), [Form 8-K on the split](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001065280&type=8-K)`,
  },
  {
    name: "meta revenue per person",
    stock: "META",
    headline: "Meta earns $16.55 per person and quarter, and why that is growing",
    preview:
      "Divide Meta's revenue by the people who use one of its apps every day, and you get $16.55 for the second quarter. It was $13.65 a year ago. Most of the growth is price, a little is reach, and almost none is time.",
    body: `Meta no longer publishes what it earns with a user in each country. The average can still be worked out. Revenue of $58.6 billion in the second quarter, divided by 3.54 billion people who opened at least one of its apps on an average day in June, makes $16.55.

A year earlier it was $47.5 billion and 3.48 billion people, or $13.65. So each person is worth $2.90 more, an increase of 21%. The number of people grew by 1.7%. Put together, 1.21 times 1.017 is 1.23, the growth of revenue.

Seen over a day the sum is modest. A quarter has 91 days: $16.55 is about 18 cents a day for all apps together, less than a text message used to cost.

What drives it? According to the company the price of an ad rose by 11% and the number of ads shown by 11%. Better selection explains the first. The second has to do with more places for ads, in threads and in messages above all. The time that people spend was "roughly flat" in the United States.

The limits are plain. Not everybody on earth can be reached, and not each of them buys.

Sources: [Meta, second-quarter results](https://investor.atmeta.com/), [Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001326801&type=10-Q)`,
  },
  {
    name: "alphabet two classes",
    stock: "GOOGL",
    headline: "GOOGL or GOOG? What a vote at Alphabet costs",
    preview:
      "Alphabet has three classes of shares, and two of them trade. The one with a vote sometimes costs more and sometimes less than the one without. What the letters mean, what happened in the split of 2022, and why the gap is small.",
    body: `Alphabet's class A share, GOOGL, carries one vote. Class C, GOOG, carries none. Class B is not traded; it has ten votes and lies mostly with the two founders, who together hold a little more than half of all votes with well under an eighth of the capital.

What is a vote worth under these conditions? Not much. The gap between the two tickers has stayed within about 1% for most of the last five years. In some months the class without a vote was even dearer, since the company bought back mostly that one.

An example of the size: on a day when class A closes at $240.00 and class C at $241.20, the difference is half a percent. Ten thousand dollars then buy 41.67 shares of the one, or 41.46 of the other.

Both were split twenty for one in July 2022. A share of class A that had closed at $2,255 on the Friday before became twenty shares of $112.75. Charts that forget this show a crash that never took place.

Tokens follow a class, too. The one named GOOGL stands for class A; its holder has a price, and no vote at all.

Sources: [Alphabet, proxy statement](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001652044&type=DEF+14A), [Alphabet investor relations](https://abc.xyz/investor/)`,
  },
  {
    name: "disney long year",
    stock: "DIS",
    headline: "Disney's year has 53 weeks this time, and that is worth 2%",
    preview:
      "Disney's fiscal year ends on the Saturday that is closest to the end of September. This year it is October 3, so that the year has a week more. Who compares it with the last one should take about 1.9% off.",
    body: `Most people's years have 365 days. Disney's has 364, as a rule: 52 weeks, which end on the Saturday closest to September 30. The last one closed on September 27, 2025. The present one closes on October 3, 2026, and a look at the calendar shows that 371 days lie between the two, or 53 weeks.

One week more on 52 is 1.9%. If the business stood still, revenue would rise by about 1.9% all the same, and so would wages and rents. The fourth quarter is affected most, with 14 weeks instead of 13. There the effect is 7.7%.

A growth of 10% in that quarter would therefore be a growth of about 2% per week: 1.10 divided by 1.077 is 1.021. The week in question begins on September 27. It is a weak one at the cinema, and an average one for parks.

Costco had such a year in fiscal 2023, Apple in fiscal 2023 as well. Companies mention it, usually in a footnote. Headlines often do not.

Disney will publish the fourth quarter in November. Read the footnote first.

Sources: [The Walt Disney Company, Form 10-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001744489&type=10-K), [Disney investor relations](https://thewaltdisneycompany.com/investor-relations/)`,
  },
  {
    name: "intel letter from a holder",
    stock: "INTC",
    headline: "Confessions of somebody who owns Intel and still reads the footnotes",
    preview:
      "The author holds the token that follows Intel, and says so. A letter about patience, about factories that cost more than they earn, and about the difference between a turnaround and a story about one.",
    body: `Let me begin with the interest that I have: I hold tokens that follow Intel. I bought them when friends laughed, and have been laughed at since for having laughed back too early. Read what follows with that in mind.

What keeps me is not the share price. It is the sight of a company that finally says aloud what does not work. The plan for the newest process used to be a row of dates. Now it is a row of conditions: a customer first, then the machines. I have seldom been so glad to read the word "if".

What worries me is in the footnotes. The factory in Ohio has been postponed again. Partners own a large part of the one in Ireland, and of one in Arizona. Their share of the profit comes before mine, in good years as in bad ones.

A turnaround is a matter of yields, contracts and depreciation. A story about a turnaround needs only a stage. I try to read as though I owned nothing, and do not always succeed. Somebody without a position will see things that I miss; that is why this letter begins as it does.

Sources: [Intel, Form 10-K](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000050863&type=10-K), [Intel newsroom](https://newsroom.intel.com/)`,
    holds: true,
  },
  {
    name: "amd server share",
    stock: "AMD",
    headline: "AMD gains an eighth, or three points, or a billion",
    preview:
      "AMD's share of the server processors sold has gone from 24% to 27% within a year. One may call it three points or an eighth. In money it is roughly a billion dollars a year, for the market itself is growing as well.",
    body: `Market share is the figure that rivals quote against each other, so it pays to read it twice. According to a count by Mercury Research AMD sold 27% of all server processors in the second quarter. A year ago it was 24%. The gain is three percentage points; set against 24 it is an eighth, or 12.5%.

Units are not dollars. AMD's chips are the dearer ones on average, and by revenue its share is between 39% and 41%, depending on who counts and on what is called a server.

Nor is the pie the same. If the market grew from $26 billion to $28 billion a year, then 40% of it is $11.2 billion. The year before AMD had about 39% of $26 billion, or $10.1 billion. The difference is roughly a billion; with an unchanged share it would have been close to $0.8 billion. In other words, some three quarters of the additional money came from the pie and a quarter from the slice.

Intel still sells most of the rest. A third group, processors that cloud companies design for themselves, appears in none of these counts.

The token stood at about $165 on Friday.

Sources: [AMD, investor presentation](https://ir.amd.com/), [Mercury Research](https://www.mercuryresearch.com/)`,
  },
  {
    name: "palantir multiple",
    stock: "PLTR",
    headline: "What has to go right for Palantir at 140 times earnings",
    preview:
      "At $152.60 Palantir costs about 140 times what it may earn this year, and 58 times its sales. A thought experiment shows how long it must grow for an ordinary multiple. It is arithmetic, and neither a forecast nor advice.",
    body: `Analysts expect Palantir to earn $1.09 a share in 2026 without special items. The token was at $152.60 on Friday. The one divided by the other is 140. With 2.38 billion shares the company is valued at about $363 billion, which is 58 times the $6.22 billion in revenue that it forecasts for the year.

Now the thought experiment. Suppose that the price stands still, and that earnings grow by 40% a year. After one year the multiple is 100, after two about 71, after three 51, after five 26. So five years of 40% each, without a gain in the price, lead to the multiple that the market as a whole has today.

If the holder wants to earn 8% a year as well, the price must be 47% higher at the end of the five years. The multiple is then 38 rather than 26, and he needs more than another year of such growth to get to 26.

Is 40% for so long possible? A few companies have done it. Most have not. The experiment only translates a price into an expectation.

Sources: [Palantir, second-quarter results](https://investors.palantir.com/), [Form 10-Q](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001321655&type=10-Q)`,
  },
];
