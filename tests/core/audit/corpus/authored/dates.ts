import type { Authored } from "./form.ts";

export const dates: readonly Authored[] = [
  {
    name: "wrong weekday for the event",
    stock: "AAPL",
    headline: "Apple's autumn event leaves eighteen days before its year ends",
    preview: "The launch falls so late in the fiscal year that little of it will show in the next report.",
    body: `Apple has sent out invitations for its autumn presentation, to be held on Wednesday, September 8, at its headquarters in Cupertino, according to [the company's notice](https://investor.example.com/aapl/event).

Anyone hoping to see new devices in the next set of accounts should look at the calendar first. The fiscal year closes on Saturday, September 26, eighteen days after the presentation, and first deliveries usually begin about ten days after a launch. Most of the season's sales therefore belong to the December quarter.

The stock trades near $327.20 late on Friday morning in New York, inside a narrow range of $324.10 to $328.50. Such quiet before a launch is not unusual; the content of these shows has often been known weeks ahead.

The author holds no position in Apple.`,
    fault: "Wednesday, September 8",
    clean: "Tuesday, September 8",
  },
  {
    name: "results for a fiscal quarter that has not ended",
    stock: "NVDA",
    headline: "NVIDIA's inventories grew in the second quarter",
    preview: "A look at one line of the balance sheet that the chip designer published in late August.",
    body: `Everybody read the revenue line. Fewer turned to page six of [the release](https://investor.example.com/nvda/q2-fy27), where NVIDIA lists what sits in its warehouses.

The company reported on August 26 for the second quarter of its fiscal 2027, which ended on October 25. Inventories were higher than three months earlier, and the company put this down to systems that were waiting for cables and cooling parts.

Stock in the warehouse can mean two things: demand that is about to be served, or demand that did not come. The release does not settle the matter, and neither does the order book, of which only a total is given.

On Friday morning the shares change hands at about $181.40, between a low of $178.90 and a high of $183.20.

The author holds no NVIDIA shares and has no position in any derivative of them.`,
    fault: "which ended on October 25",
    clean: "which ended on July 26",
  },
  {
    name: "tonight beside a date four weeks away",
    stock: "NKE",
    headline: "Nike: three questions before the first-quarter numbers",
    preview: "Wholesale orders, discounts and China are what readers of the next report will look for.",
    body: `**When does Nike report?** The company will open its books tonight, after the close on Thursday, October 1, says [its calendar](https://investor.example.com/nke/calendar). The figures cover the first quarter of fiscal 2027, which ended on August 31.

**What will matter?** Three things: whether shops are ordering for spring again, how much of the range is still sold at a discount, and whether sales in Greater China have stopped falling. Management named all three in June.

**Where is the share price?** At about $72.40 on Friday morning; the day's low is $71.60 and the high $73.30.

**Is a turn certain?** No. Spring orders can be cancelled, and a smaller discount may simply mean fewer pairs sold.

*The author has no position in Nike.*`,
    fault: "tonight, after the close on Thursday, October 1",
    clean: "next month, after the close on Thursday, October 1",
  },
  {
    name: "past results told as coming",
    stock: "JPM",
    headline: "JPMorgan's loan losses in plain numbers",
    preview: "What the bank put aside for bad cards in the spring, and when the next reading is due.",
    body: `NEW YORK – JPMorgan Chase will publish its second-quarter results on July 14, and the provision for credit losses is the figure that lenders' analysts have returned to most often since, to judge by the questions on [the call](https://investor.example.com/jpm/2q26-call).

The bank set aside more for credit cards than a year earlier. It gave growth of the book as the main reason and said that late payments had moved little.

The next reading comes on Tuesday, October 13, with the third quarter. Until then the monthly card data, filed around the middle of each month, are the only fresh evidence.

The shares stand at about $301.50 on Friday, in the upper part of a range from $298.80 to $303.40.

The writer holds no shares of the bank.`,
    fault: "will publish its second-quarter results on July 14",
    clean: "published its second-quarter results on July 14",
  },
  {
    name: "five years since 2019",
    stock: "UBER",
    headline: "From $45 to twice that: Uber's long road since its listing",
    preview: "The ride-hailing group has doubled its offer price, but buyers at the start needed patience.",
    body: `It was one of the more awkward debuts in recent memory. Uber sold its shares at $45 in May 2019, and on the first day they fell.

In the five years since that listing, the company has given up its own robotaxi unit, bought a delivery rival, and turned a habit of losses into free cash flow, as [its annual report](https://investor.example.com/uber/annual) sets out line by line.

The stock now changes hands at about $94.70, a little more than twice the offer price. That sounds grand until one remembers how long it sat below the starting line. Nor is the road ahead empty: driverless fleets may need Uber as a marketplace, or may learn to do without one.

Disclosure: I own no Uber shares and hold no options on them.`,
    fault: "In the five years since that listing",
    clean: "In the seven years since that listing",
  },
  {
    name: "quote taken at an hour still to come",
    stock: "MSFT",
    headline: "Microsoft's capital spending: what the notes say",
    preview: "Leases that have been signed but not begun are the part of the bill that few readers see.",
    body: `Microsoft's annual report for the year to June 30 contains a short note with a long shadow: leases for data centres that are signed but have not yet begun.

- They stand outside the balance sheet until the building is handed over.
- They are payable over terms of up to twenty years, says [the filing](https://investor.example.com/msft/10-k-2026).
- They come on top of the purchases of equipment shown in the cash-flow statement.

None of this is hidden, and none of it is unusual in the trade. It does mean that a reader who stops at capital expenditure sees only part of the obligation. If demand for computing disappoints, rent is still due.

The price used here, $512.30, was taken at 2:45 p.m. New York time on Friday, September 4.

The author holds no position in Microsoft.`,
    fault: "was taken at 2:45 p.m. New York time",
    clean: "was taken at 11:02 a.m. New York time",
  },
  {
    name: "offer closes before it opens",
    stock: "BABA",
    headline: "Alibaba offers to buy back part of its dollar notes",
    preview: "Holders have a few weeks to decide whether to sell their bonds back to the company.",
    body: `Alibaba wants to retire some of its older dollar debt. Under [the terms](https://investor.example.com/baba/tender) holders may tender notes from Monday, September 14, until Friday, September 11, and will be paid in cash.

The company says that it will use existing funds. It has set a ceiling on the total, so that holders may see only a part of their notes accepted if many come forward.

For shareholders the effect is modest: less interest to pay, less cash in the till. The American shares trade at about $134.90 on Friday morning, close to the middle of a day's range of $133.20 to $137.50.

An offer of this kind can also be withdrawn; the terms list falling markets among the reasons.

I hold neither the shares nor the notes.`,
    fault: "until Friday, September 11",
    clean: "until Monday, October 12",
  },
  {
    name: "trading on Labor Day",
    stock: "CAT",
    headline: "Caterpillar dealers trim their yards",
    preview: "Fewer machines stand unsold than in spring, a dealers' survey says.",
    body: `Yellow iron is moving off the lot. Dealers of Caterpillar machines held less stock at the end of August than at the end of May, according to [a survey of 140 yards](https://dealers.example.com/survey/august) released on Thursday.

Excavators led the decline; large bulldozers hardly moved. The authors warn that rental firms account for a good part of the orders and can cancel at short notice.

The shares are quoted at about $548.30 in New York on Friday, September 4, against a high for the day of $554.10. The next chance to react to the survey's regional tables, which are due over the weekend, comes on Monday, when the exchange opens again.

Caterpillar itself publishes third-quarter figures in late October.

The author has no position in the company.`,
    fault: "comes on Monday, when the exchange opens again",
    clean: "comes on Tuesday, when the exchange opens again after Labor Day",
  },
  {
    name: "first half said to run to September",
    stock: "META",
    headline: "Meta's headcount crept up in the first half",
    preview: "Hiring was concentrated among engineers for machine learning and infrastructure.",
    body: `Meta Platforms employed more people at the end of the first half than at its beginning, and nearly all of the additions were technical staff, [its quarterly filing](https://investor.example.com/meta/10-q) shows.

Over those months, January to September, the company cut posts in recruiting and in parts of its headset business while it hired for data centres and model training.

Payroll is not the largest item in Meta's rising costs; depreciation of servers is catching up with it quickly. But people, unlike servers, come with share awards, and these dilute existing holders unless they are bought back.

The stock is at about $741.20 on Friday morning, having been as low as $733.00 and as high as $748.60.

The columnist holds no shares in Meta.`,
    fault: "January to September",
    clean: "January to June",
  },
  {
    name: "ten-year note maturing in the past by a typo",
    stock: "KO",
    headline: "Coca-Cola borrows for ten years",
    preview: "The drinks group sold a new note in August and will use the money to repay older paper.",
    body: `ATLANTA – Coca-Cola has sold a ten-year note to institutional investors, its first of that length this year, [the prospectus](https://investor.example.com/ko/notes) says.

The paper was issued in August and falls due in August 2016. Proceeds go towards commercial paper and other debt that has to be repaid before the end of December.

Ratings of the company were not changed by the sale. Interest cost is nonetheless drifting upward, because the paper being repaid dates from cheaper times.

The shares trade at about $68.90 on Friday, within a day's range of only $1.10: low $68.30, high $69.40.

A higher interest bill does not threaten the dividend by itself, yet it is one more claim on cash ahead of it.

The reporter holds no securities of the company.`,
    fault: "falls due in August 2016",
    clean: "falls due in August 2036",
  },
  {
    name: "a record since a year to come",
    stock: "INTC",
    headline: "Intel's foundry wins its busiest August of test runs in five years",
    preview: "Trial wafers for outside customers rose, though trials are not orders.",
    body: `If test wafers were revenue, Intel would have had a splendid summer. They are not.

The foundry arm ran more trial wafers for outside customers in August than in any August since 2031, the company told [a trade conference](https://conference.example.com/intel-foundry) on Wednesday. It did not name the customers, nor did it say how many trials have become contracts.

Manufacturers of chips commonly run trials at two or three foundries at once. A trial costs little and commits nobody, while the machinery behind it costs Intel a great deal whether used or idle.

Investors seem to agree that the news is small: the stock stands at about $24.60 on Friday morning, between $24.10 and $25.20 for the day.

*Position of the author: none.*`,
    fault: "in any August since 2031",
    clean: "in any August since 2021",
  },
  {
    name: "thirty-first of June",
    stock: "SHEL",
    headline: "Shell's net debt: the half-year picture",
    preview: "Buybacks and a payment to a joint venture left the oil group's borrowing slightly higher.",
    body: `LONDON – Shell's net debt was somewhat higher on 31 June than at the turn of the year, the group's [half-year report](https://investor.example.com/shel/half-year) shows.

Two items explain most of the change. The company went on buying its own shares each quarter, and it paid its part of the cost of a gas project in which it has partners. Working capital took in some cash as well, as it often does when prices rise.

Gearing remains modest by the standards of the past decade. The caveat is the oil price: each sustained fall reduces cash flow well before spending can be cut.

Shell's New York-listed shares are changing hands at about $73.60, after a low of $72.90 and a high of $74.20.

The author holds no position in Shell.`,
    fault: "on 31 June than",
    clean: "on 30 June than",
  },
  {
    name: "permit granted before it was applied for",
    stock: "DIS",
    headline: "Disney gets its permit for a new hotel wing",
    preview: "The county's approval came quickly; the building itself will take far longer.",
    body: `Walt Disney may add a wing of 300 rooms to one of its Florida hotels. The county has said yes, and it said so with unusual speed.

According to [the public register](https://county.example.org/permits), the company handed in its application on August 25, and the council approved it on August 12, by six votes to one. The single vote against came from a member worried about traffic.

Work is to begin next spring. Disney has not put a price on the project, and rooms alone decide little about a division that earns its money at the gate and in the shops.

The shares are little moved at about $118.30, between $117.10 and $119.40 on the day.

I have no position in Disney.`,
    fault: "and the council approved it on August 12",
    clean: "and the council approved it on September 2",
  },
  {
    name: "age that does not fit the year of birth",
    stock: "BA",
    headline: "Boeing supplier names new head of quality",
    preview:
      "An engineer with three decades in aerospace takes over inspection at a maker of fuselage parts.",
    body: `A change of guard at one of the smaller firms in Boeing's supply chain: Corwen Aerostructures, which makes door frames, has appointed Martha Ellery as head of quality from October 1, it said in [a statement](https://news.example.com/corwen-ellery).

Ellery, who was born in March 1971 and is now 49 years old, began as a stress engineer and later led inspection at an engine maker. She succeeds a manager who retires at the end of this month.

For Boeing the matter is not trivial. Door frames have to be reworked when holes are drilled out of line, and rework is what has slowed its lines before.

Boeing shares trade at about $229.70 on Friday; the range so far is $227.60 to $232.40.

The author owns neither company's stock.`,
    fault: "is now 49 years old",
    clean: "is now 55 years old",
  },
  {
    name: "fiscal year name that does not fit the date",
    stock: "WMT",
    headline: "Walmart's grocery share keeps margins thin",
    preview: "Food brings shoppers in, and pushes the gross margin down.",
    body: `Food is a fine way to fill a car park and a poor way to earn a margin. Walmart's second quarter of fiscal 2025, which ended on July 31, 2026, offered the usual illustration.

Groceries grew faster than clothing and toys, [the company's presentation](https://investor.example.com/wmt/q2) shows, so that the mix moved towards goods that earn less per dollar. Advertising and membership fees made up some of the difference.

How long that can last is a fair question. Advertising grows from a small base, and suppliers who pay for it might one day ask for lower listing costs in return.

At about $99.30, the shares stand near the middle of Friday's range from $98.40 to $100.20.

Disclosure: no position in Walmart, and none planned.`,
    fault: "second quarter of fiscal 2025, which",
    clean: "second quarter of fiscal 2027, which",
  },
  {
    name: "after-hours trading before the close",
    stock: "AMD",
    headline: "AMD slips from its high after a rival shows a server chip",
    preview: "A competing processor gave traders something to chew on before the long weekend.",
    body: `Advanced Micro Devices gave back some of its gain after a rival presented a server processor with more cores than AMD's current top model.

In after-hours trading on Friday, September 4, the stock reached $167.90 and then fell to as little as $161.30; it is now quoted at about $164.80. Some 24.1 million shares have changed hands.

Core counts make good slides. What counts for buyers is the work done per watt, and independent measurements of the new chip do not exist yet, as [one laboratory](https://bench.example.com/server-cpus) was careful to point out.

AMD's own next model is promised for next year. Delays are common in this business on both sides.

The author holds no position in AMD or in its rivals.`,
    fault: "In after-hours trading on Friday, September 4",
    clean: "In regular trading on Friday, September 4",
  },
  {
    name: "wrong Amsterdam hour for the New York opening",
    stock: "ASML",
    headline: "Two markets, one share: how ASML trades across the Atlantic",
    preview: "For two hours on most trading days ASML can be bought in Amsterdam and New York at once.",
    body: `ASML is listed twice, and for part of the day its two prices have to agree.

Amsterdam opens at nine in the morning and closes at half past five in the afternoon, local time. New York joins at half past four in the afternoon Amsterdam time, when its own opening bell rings at 9:30 a.m. Until the Dutch close the two overlap, a little longer in the few weeks when the clocks change on different dates; after it, New York sets the price alone. The hours are set out by [the exchange](https://exchange.example.com/hours).

Differences between the two are small, since dealers watch the euro as well as the share. Spreads do widen when one side has closed.

In New York the shares trade at about $1,046.50 on Friday, in a range of $1,039.00 to $1,058.20.

The author has no ASML shares in either place.`,
    fault: "at half past four in the afternoon Amsterdam time",
    clean: "at half past three in the afternoon Amsterdam time",
  },
  {
    name: "yesterday beside the day before it",
    stock: "GOOGL",
    headline: "Alphabet signs a wind contract for its Iowa data centres",
    preview: "Twelve years of electricity at a fixed price, starting in 2028.",
    body: `Alphabet has agreed to buy the output of a wind farm in Iowa for twelve years. The contract was signed yesterday, September 2, and runs from 2028 to 2040, the operator says in [its announcement](https://power.example.com/iowa-wind).

Neither side disclosed the price. Fixed contracts protect a buyer when electricity grows dearer and cost it money when electricity grows cheaper; which of the two will happen is anyone's guess.

The farm has still to be built. Its turbines are ordered, but the line that is to connect it to the grid awaits a state permit.

Class A shares of Alphabet stand at about $241.70 this morning, with a low of $239.20 and a high of $243.90.

I hold no Alphabet shares of any class.`,
    fault: "signed yesterday, September 2,",
    clean: "signed on Wednesday, September 2,",
  },
  {
    name: "two weeks to a date six weeks away",
    stock: "NFLX",
    headline: "Netflix and the art of counting viewers",
    preview:
      "The streaming group reports in two weeks, on October 15, and will again give no subscriber number.",
    body: `Netflix stopped publishing its number of subscribers every quarter, and some of us have not got over it.

When third-quarter figures arrive on Thursday, October 15, there will be revenue, margin and a few words on advertising. For viewing itself one must turn to the company's half-yearly list of hours watched, which can be found [on its site](https://investor.example.com/nflx/viewing).

Hours are an honest measure of a sort. They flatter long series and children's films that run ten times on a rainy Sunday, and they say nothing about what each hour earns.

The shares cost about $121.50 on Friday morning, after swinging between $119.80 and $122.60.

The writer holds no position in Netflix, only a subscription.`,
    fault: "reports in two weeks, on October 15,",
    clean: "reports in just under six weeks, on October 15,",
  },
  {
    name: "next month beside a day of the present month",
    stock: "XOM",
    headline: "Exxon to show investors its Guyana plans",
    preview: "A field trip for analysts should bring detail on costs, less on prices.",
    body: `Exxon Mobil will take analysts through its Guyana business next month, on Tuesday, September 29, the company said in [a short notice](https://investor.example.com/xom/guyana).

What to listen for:

1. The cost per barrel of the newest vessel, compared with the first.
2. The date on which the partners have recovered their outlay, after which the state's share of the oil rises.
3. Gas, for which there is a pipeline but not yet a large buyer.

What not to expect is a view on the oil price, on which Exxon as a rule makes none. A fall there would outweigh anything said on the day.

The shares stand at about $112.50 on Friday morning; low $111.70, high $113.60.

No position is held by the author.`,
    fault: "next month, on Tuesday, September 29,",
    clean: "later this month, on Tuesday, September 29,",
  },
  {
    name: "closing price on a Saturday",
    stock: "SAP",
    headline: "SAP's late adopters have until the end of 2027",
    preview: "Support for the older business software runs out, and many customers have not moved.",
    body: `WALLDORF – Customers of SAP's older software have a little over a year left of ordinary support: it ends on 31 December 2027. After that they pay extra, move, or do without.

How many still have to move is disputed. A users' group put the share at about half in [its latest poll](https://users.example.org/sap-poll), whose fieldwork ended at the market's close on Saturday, 29 August; the company calls such polls unrepresentative.

Late movers are a comfort and a risk at once. They are revenue still to come, but a customer forced to choose may also choose a competitor.

SAP's shares in New York trade at about $271.80 today, between $269.30 and $274.60.

The author holds no SAP shares.`,
    fault: "at the market's close on Saturday, 29 August",
    clean: "at the market's close on Friday, 28 August",
  },
  {
    name: "investor day told as past though still to come",
    stock: "PLTR",
    headline: "Palantir's commercial customers take the stage",
    preview: "Ten companies on the programme, and one question about contract length.",
    body: `Palantir likes its customers to do the talking. At its conference in Denver ten of them spoke on Thursday, September 17, from a shipyard to a chain of hospitals, says [the programme](https://investor.example.com/pltr/conference).

Such events are theatre, and good theatre. But the question for shareholders is a dull one: how long do the contracts run, and can they be ended early? The last quarterly filing states the total value of what is signed, then notes that part of it can be cancelled at the customer's convenience.

A price of about $152.60, with swings on Friday alone from $148.20 to $156.90, leaves little room for dull answers.

The author holds no Palantir shares, long or short.`,
    fault: "ten of them spoke on Thursday, September 17,",
    clean: "ten of them are to speak on Thursday, September 17,",
  },
];
