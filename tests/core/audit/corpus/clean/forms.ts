import type { Named } from "../desk.ts";

/** Tables, questions and answers, calendars, corrections and letters. */
export const forms: readonly Named[] = [
  {
    name: "a table of spending",
    stock: "GOOGL",
    headline: "Alphabet's capital spending in one table, and what it leaves out",
    preview:
      "Four quarters, one column for spending and one for cash flow. The table shows how much of what Alphabet earns it puts into buildings and servers. A note on leases, which are not in it.",
    body: `The following figures are from Alphabet's [quarterly releases](https://abc.xyz/investor/earnings), in billions of dollars.

| Quarter | Cash from operations | Capital expenditure | Free cash flow |
|---|---|---|---|
| Q3 2025 | 48.4 | 24.0 | 24.4 |
| Q4 2025 | 52.4 | 27.9 | 24.5 |
| Q1 2026 | 47.1 | 31.5 | 15.6 |
| Q2 2026 | 50.6 | 36.2 | 14.4 |
| Sum | 198.5 | 119.6 | 78.9 |

In the first row capital expenditure takes half of the cash from operations, in the last row a little more than 70%. For all four quarters together it is 60%. The company earns more than ever in cash and keeps less of it; that is the whole story of the last year in one line.

Two things are missing. Leases of data centres that others build do not count as capital expenditure until they begin, and the [10-Q](https://www.sec.gov/googl-10q) tells of some $30 billion in leases that have been signed and not begun. Then there is the depreciation of what was bought, which comes later and appears in no cash flow at all.

Buybacks were $15 billion or so in each quarter. In the last two, free cash flow was about as large. Should spending go on like this, either borrowing goes up or buybacks go down, and the company has done some of both.`,
  },
  {
    name: "questions and answers about a dividend",
    stock: "WMT",
    headline: "Walmart's dividend and your token: eight questions, short answers",
    preview:
      "When does a token holder get Walmart's dividend, in what form, and what is withheld? Questions that readers sent us over the summer, with answers from the filing and the contract.",
    body: `**How much does Walmart pay?** For this fiscal year $0.99 a share, in four payments of $0.2475 each, says the [announcement](https://stock.walmart.com/dividends).

**When is the next one?** The fourth payment is due on January 4, 2027, a Monday. One has to be on the list of shareholders in December.

**Am I on this list with a token?** No. The issuer's custodian is. It receives the money.

**What do I get, then?** The token's multiplier rises. With 100 tokens and a share price of $99, a payment of $0.2475 would buy, before tax, a quarter of a share: 100 times $0.2475 is $24.75.

**Before or after tax?** After. Dividends of American companies paid abroad are subject to a withholding tax of 30%, lower under many treaties. The [issuer's factsheet](https://robinhood.com/eu/en/support/articles/stock-tokens) says which rate it applies.

**Can I claim it back?** Ask somebody who knows your country's rules. We do not.

**Why is there no entry in my wallet?** Because nothing was sent. The raw balance stays, and the multiplier does the work.

**Can Walmart cut the dividend?** Legally, any board can. This one has raised it every year since 1974, when it was five cents, and the company makes no promise for the future.`,
  },
  {
    name: "a chronology of manufacturing nodes",
    stock: "INTC",
    headline: "Seven dates in the life of Intel's foundry",
    preview:
      "From a plan announced by video in 2021 to a first outside customer. A chronology without comment, then two paragraphs with some, for readers who have lost the thread of Intel's most expensive project.",
    body: `**March 23, 2021.** The company announces that it will make chips for others and build two plants in Arizona for $20 billion.

**July 26, 2021.** It renames its processes. What was 10 nanometres becomes Intel 7.

**February 15, 2022.** It agrees to buy Tower Semiconductor, a foundry, for $5.4 billion.

**August 16, 2023.** The purchase fails, since China's regulator has not approved it. Intel pays a break fee of $353 million.

**April 2, 2024.** Accounts are split for the first time. The foundry lost $7 billion in 2023, on sales of $18.9 billion, nearly all to Intel itself.

**September 16, 2024.** The foundry is to become a subsidiary with its own board.

**August 22, 2025.** The United States takes a stake of about ten percent, in exchange for grants that had been promised before.

The dates are in the [press archive](https://www.intc.com/news-events/press-releases) and in the [filings](https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000050863).

What the list shows is a change of direction every year or so, with one constant: the need for a large customer who is not Intel. Between the first date and the last lie four years and five months. In that time the process planned for 2025 was finished, more or less on schedule. A customer who fills a plant with it was not found. Whether the state as an owner helps in the search is the next date that somebody will add.`,
  },
  {
    name: "a correction",
    stock: "AMZN",
    headline: "Correction: what we got wrong about Amazon's satellite costs",
    preview:
      "In our article of August 20 we divided by the wrong number. The cost per satellite that we named was twice what it should have been. Here is the right sum, and what remains of our argument.",
    body: `On Thursday, August 20, we wrote that each satellite of Amazon's network had cost about $12 million by the end of June. That was wrong. A reader in Bremen pointed it out within the hour, and we thank her.

Here is what happened. We took the spending that the company has named for the programme so far, which is $2.4 billion for satellites without launches, and divided it by 200. But 200 was the number of satellites in service. Another 200 had been built and stood in a hall in Florida waiting for a rocket, as the [filing with the communications regulator](https://www.fcc.gov/ibfs/kuiper-progress) states on page four. So 400 satellites had been made, and $2.4 billion divided by 400 is $6 million.

Further down we called the satellites "five times as dear" as those of the competitor. This was right by luck. With $6 million against the $1.2 million that the competitor has spoken of, five times is correct; with our $12 million it would have been ten. We had made the second division with the right number and the first with the wrong one.

Our main point, that the regulator's deadline is harder to keep than the budget, is not affected. The article has been changed and bears a note. The [annual report](https://www.sec.gov/amzn-10k) gives no figure per satellite.`,
  },
  {
    name: "letters from readers",
    stock: "TSLA",
    headline: "Readers ask about Tesla's warranty reserve, and we look it up",
    preview:
      "Three letters on one subject: how much does Tesla put aside for repairs, is it enough, and why does the number grow when the cars get better? We went through five annual reports with a ruler.",
    body: `A reader from Leeds wants to know how much Tesla sets aside for repairs under warranty. At the end of June it was $8.3 billion, the [10-Q](https://www.sec.gov/tsla-10q) says in the note on accrued warranty. The guarantee on a new car covers four years or 50,000 miles, on the battery eight years.

A reader from Lyon asks whether this is enough. Nobody can know, but one can look at how the reserve is used. In the first half of the year Tesla paid $0.9 billion for repairs and added $1.3 billion for cars sold. It also changed its estimate for older cars by $0.1 billion upward. So the reserve rose from $7.8 billion by $0.5 billion: 1.3 plus 0.1 minus 0.9. At the current pace of repairs it would last for more than four years.

The third letter, unsigned, asks why the reserve grows if the cars get better. The answer is that the fleet grows. Per car still under warranty, the reserve has been nearly flat since 2023, by our estimate about $1,100. We divided by the deliveries of the last four years and neglected batteries, so take the figure with some salt.

We print letters on accounts rather than on people. For the latter, other pages have more room, as our [rules for letters](https://harbour.example/letters) explain.`,
  },
  {
    name: "a glossary",
    stock: "NVDA",
    headline: "A short glossary for reading about Nvidia, from die to rack",
    preview:
      "Ten words that come up in every article on Nvidia and that few articles explain. No word takes more than two sentences. At the end, a made-up order shows how they hang together.",
    body: `**Die.** The piece of silicon itself. **Package.** One or more dies with memory around them on a carrier. **HBM.** The memory in question, stacked in layers of eight, twelve or sixteen.

**Reticle.** The largest area that a lithography machine can expose at once, about 858 square millimetres. Big dies come close to it, hence two of them in a package.

**CoWoS.** The Taiwanese method of joining dies and memory. For two years it was the narrowest place in the chain, as [Nvidia's annual report](https://www.sec.gov/nvda-10k) says in other words.

**Tray, rack.** A tray holds several packages, a rack holds up to eighteen such trays plus switches. **Liquid cooling.** What a rack of 130 kilowatts needs, because air no longer suffices.

**Scale-up, scale-out.** The first joins packages in a rack, the second joins racks.

Now suppose that somebody orders ten racks with 72 packages each. These are 720 packages and, with two dies each, 1,440 dies. If each package carries eight stacks of memory, 5,760 stacks are needed. When one supplier of memory is late by a month, all ten racks are late by a month, even if 1,440 dies lie ready. That is why [inventory](https://www.sec.gov/nvda-10q) can grow while customers wait. It is not a paradox but the last missing part.`,
  },
  {
    name: "a checklist for a proxy statement",
    stock: "META",
    headline: "Read Meta's proxy statement in twenty minutes: a checklist",
    preview:
      "The proxy statement is long, and most of it can be skipped. Six places deserve a look: votes, pay, deals with insiders, security, proposals and dates. Where they are and what to compare them with.",
    body: `The [proxy statement](https://www.sec.gov/meta-def14a) has 118 pages. You need about nine of them.

1. **Votes per share.** Class B shares have ten votes, class A shares one. Note the share of votes that the founder controls; it was about 61% this spring. Everything else on the agenda has to be read in this light.
2. **Pay table.** The founder's salary is one dollar. Look at the column "all other compensation" instead, where the cost of his security stands: about $27 million.
3. **Pay ratio.** The median employee earned around $400,000. Compare with last year rather than with other companies, whose staff is of a different kind.
4. **Transactions with related persons.** Two pages. Check for aircraft.
5. **Proposals of shareholders.** Each has a reply by the board. Read the reply first; a long one means that the proposal hit something.
6. **Dates.** Proposals for next year must arrive by a day in December, named on the last page but two.

What you may skip without regret: the letter at the beginning, the photographs of directors, and the chapter on culture. If there are minutes left, compare the independent votes on item five with those of last year in the [report on the meeting](https://www.sec.gov/meta-8k). A founder's majority hides them, but they can be worked out.`,
  },
  {
    name: "arguments for and against",
    stock: "DIS",
    headline: "Should Disney sell its cable channels? Four reasons each way",
    preview:
      "Rivals have spun off their cable networks. Disney keeps saying no. We collect the best arguments for both sides without deciding, and we add the one number on which the question turns.",
    body: `**For a sale.** First, subscriptions to cable fall by some seven percent a year, and an asset that shrinks is worth most today. Second, a company without channels would be simpler, with parks, films and streaming, and simple companies are easier to value. Third, the channels tie up people who could work on streaming. Fourth, two rivals have shown that it can be done within a year.

**Against a sale.** First, the channels still earn. Linear networks had an operating income of $3.0 billion in the last fiscal year, the [annual report](https://www.sec.gov/dis-10k) says. Second, sport holds the bundle together, and sport stays with Disney in any case. Third, programmes are made once and used twice; a buyer would have to pay for them, or they would have to be divided. Fourth, a spin-off takes debt along, and lenders want a price for that.

The number on which all turns is the pace of decline. If $3.0 billion shrinks by 7% a year, it is still about $2.4 billion after three years. If it shrinks by 15%, it is $1.8 billion. A buyer will assume the second and the seller the first. That is a common reason for deals not to happen.

Management repeated in [August](https://thewaltdisneycompany.com/investor-relations/q3-2026) that it sees more value in keeping them. We found both columns hard to fill with weak arguments, which speaks for the question.`,
  },
  {
    name: "a calendar of next week",
    stock: "AAPL",
    headline: "Apple's week ahead: five dates between Labor Day and Friday",
    preview:
      "A product event, a court deadline, two holidays from news and a number from Taiwan. What is on the calendar for Apple from September 7 to September 11, and what to expect from none of it.",
    body: `**Monday, September 7.** American exchanges are closed for Labor Day. The token goes on trading, as always with fewer participants.

**Tuesday, September 8.** Nothing is planned. Experience says that photographs of the new phones will leak on this day at the latest.

**Wednesday, September 9.** The company's autumn event begins at 10:00 in Cupertino, which is 17:00 UTC. The [invitation](https://www.apple.com/apple-events) has a picture and no list of products. Prices are usually named in the last ten minutes.

**Thursday, September 10.** Suppliers in Taiwan have to publish their sales for August by the tenth of the month. The largest assembler said for July that it was growing by 9%. Its [monthly report](https://www.foxconn.com/en-us/investor-relations/monthly-revenue) does not separate phones from servers, and servers now make up more than two fifths.

**Friday, September 11.** In the dispute with a game maker, both sides must answer three questions of the judge by midnight Pacific time. Orders for the new phones may open on the same day, if the pattern of past years holds.

How did the share do in such weeks? In five of the last ten years it was higher on the Friday after the event than on the Friday before, in five it was lower. That is what a coin would do, and it is why we end here.`,
  },
  {
    name: "a diary of a holder's mistakes",
    stock: "AMD",
    headline: "Notes of a slow reader: what I learned from misjudging AMD",
    preview:
      "Two years ago I wrote that AMD's accelerators would stay a footnote. They did not. I went back to find out which sentence was the wrong one, and it was not the one that I would have guessed.",
    holds: true,
    body: `In September 2024 I wrote in my notebook that AMD's accelerators would "stay a footnote to somebody else's book". The company took in $5 billion with them in that year and a good deal more in the next. I have read my notes again.

My first reason was software. Developers were used to another company's tools. This was true, and it mattered less than I thought, because nine tenths of the demand came from a handful of customers who write their own.

My second reason was supply. I believed that the packaging lines in Taiwan were booked. They were, yet they doubled within eighteen months; the [supplier's report](https://investor.tsmc.com/annual-report-2025) has the photographs.

My third reason is the one that I would have defended to the last. Customers, I wrote, do not want a second source as much as they say. In October 2025 one of the largest signed for six gigawatts over several years, and the [filing](https://www.sec.gov/amd-8k) shows that it got warrants on AMD's shares for it. So it wanted a second source, and it wanted to be paid for wanting. I was wrong by half.

What do I take from it? To write down reasons, with dates. One learns nothing from an opinion alone. Disclosure: I hold AMD tokens, bought in the spring of this year, after most of this had happened.`,
  },
  {
    name: "a comparison of two annual reports",
    stock: "JPM",
    headline: "Two annual reports side by side: what JPMorgan changed in a year",
    preview:
      "We laid the risk chapters of 2024 and 2025 next to each other and marked each sentence that is new, gone or moved. Of 31 pages, two were really different. They concern deposits and data.",
    body: `Risk chapters are written by lawyers and read by nobody. All the more reason to compare them by machine. We took JPMorgan's annual reports for [2024](https://www.sec.gov/jpm-10k-2024) and [2025](https://www.sec.gov/jpm-10k-2025), cut both into sentences and sorted these.

Of 1,240 sentences in the newer chapter, 1,116 stand word for word in the older one. That is 90%. Another 74 were changed by a word or a date. The remaining 50 are new, and 38 of them fall into two sections.

The first section is on deposits. Where the older report spoke of competition by money market funds, the newer one adds stablecoins and tokenised deposits, and it says that laws could allow others to pay interest on them. Fourteen sentences, no number.

The second is on data. The bank charges firms that fetch customers' data by way of interfaces, and this policy may be limited by regulators. Twenty-four sentences describe how. This is the kind of risk that one can read as a source of income if one turns it around.

What has gone? Nine sentences about office loans, and every mention of a bank that failed in 2023. An absence says more than a warning, sometimes. We offer the list of all 50 sentences to anybody who asks. Our script cannot tell important from unimportant; that part took us an evening.`,
  },
];
