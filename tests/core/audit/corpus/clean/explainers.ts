import type { Named } from "../desk.ts";

/** Texts that explain how something works, with examples that are said to be examples. */
export const explainers: readonly Named[] = [
  {
    name: "a letter of credit explained",
    stock: "JPM",
    headline: "What a bank promises with a letter of credit",
    preview:
      "Exporters sleep better when a bank stands behind the buyer. The promise is old, precise and surprisingly narrow: a bank checks papers, never goods. How the business works and what JPMorgan earns with it.",
    body: `A maker of looms in Osaka ships to a mill in Peru that it has never met. It wants to be sure of its money before the ship leaves; the mill wants to be sure of its looms before it pays. A letter of credit solves this. The buyer's bank guarantees payment once certain documents are presented, and the seller may ask a second bank, often a large one such as JPMorgan, to confirm the guarantee.

The promise is narrow. Banks deal in documents. If the bill of lading, the invoice and the insurance certificate agree to the letter, the bank has to pay, even if the crates contain bricks. If a date is wrong by one day, it need not, even if the looms are perfect. The [rules](https://iccwbo.org/ucp-600) have 39 articles, and most disputes are about spelling.

Suppose the looms cost $2 million and the confirming bank asks 0.8% a year for 90 days. It would earn about $4,000. That is little money for little risk, which is why only banks with a great many such letters make a living from it. JPMorgan's [annual report](https://www.sec.gov/jpm-10k) puts its commitments of this kind at some tens of billions, most of which expire unused.`,
  },
  {
    name: "a service level explained",
    stock: "MSFT",
    headline: "99.99 percent: what Microsoft guarantees when it guarantees uptime",
    preview:
      "Cloud contracts promise availability in nines. Each nine has a length in minutes, a long list of exceptions and a refund that is smaller than most customers believe. A reading of Azure's agreement.",
    body: `Microsoft guarantees that virtual machines spread over two or more availability zones can be reached 99.99% of the time. A month of 30 days has 43,200 minutes, and a hundredth of a percent of that is 4.3 minutes. For a single machine with a fast disk the promise is 99.9%, which leaves 43.2 minutes.

What happens when it is broken? The [service level agreement](https://www.microsoft.com/licensing/docs/view/Service-Level-Agreements-SLA-for-Online-Services) has steps. Below the promised level a customer gets 10% of that month's bill for the service as a credit, below 99% he gets 25%, and below 95% he gets it all. One who pays $8,000 a month for the machines and sees them down for an hour gets $800. He does not get what his shop lost meanwhile.

Nor does the credit come by itself. It has to be claimed within two months, with logs. Planned maintenance does not count, and neither does anything outside the data centre.

So a guarantee of uptime is really a discount with conditions. It is useful all the same, because it disciplines the vendor and can be compared with [those of competitors](https://cloud.google.com/terms/sla), which are built the same way. For Microsoft's accounts the credits are too small to be mentioned in the annual report.`,
  },
  {
    name: "buybacks and pay in shares explained",
    stock: "AAPL",
    headline: "Two taps and one bathtub: Apple's share count explained",
    preview:
      "Apple buys back billions of its shares and hands out new ones to its staff. The level in the tub falls anyway. How to work out how much of a buyback merely makes up for pay in shares.",
    body: `Imagine a bathtub with two taps. The drain is the buyback: the company buys its shares and cancels them. The upper tap is pay in shares: engineers receive stock that did not exist before. What matters to an owner is the level of the water.

At the start of the last fiscal year Apple had 15.12 billion shares outstanding, and at its end 14.77 billion. The level fell by 0.35 billion, or 2.3%. The [annual report](https://www.sec.gov/aapl-10k) gives both streams. Around 0.42 billion shares were bought and cancelled, and 0.07 billion were issued net of those withheld for taxes. The first minus the second is the 0.35 billion.

So one share in six that Apple bought only made up for one that it had given away. That is a good ratio; at several software companies it is one in two, and at a few the tub fills.

The price paid matters too. A company that buys its shares when they are dear drains less water with the same money. Apple spent about $90 billion in that year, an average of roughly $214 a share. Whether that was cheap is for everybody to judge alone. The [cash flow statement](https://www.apple.com/newsroom/pdfs/fy2025) shows it as what it is, money that went out.`,
  },
  {
    name: "regulatory credits explained",
    stock: "TSLA",
    headline: "The credits that Tesla sold, and why the buyers stop needing them",
    preview:
      "For years other carmakers paid Tesla so that they could miss emission rules. With the fine in America set to zero, that market dries up. How credits work, and what a contract still brings.",
    body: `A regulatory credit is a receipt. A maker whose fleet emits less than a rule allows receives credits; one whose fleet emits more has to buy them or pay a fine. Tesla sells only electric cars, so it always had some to spare and no cost of making them.

In 2024 it sold credits for $2.76 billion, the [annual report](https://www.sec.gov/tsla-10k-2024) shows. Every dollar of that was margin. Since then the sums have shrunk, because an American law of July 2025 set the fine for missing the fuel economy standard to zero. Nobody pays for a receipt that protects from nothing.

Two markets are left. Europe averages the emissions of 2025 to 2027 and lets makers form pools, for which they pay the cleanest member. California and the states that follow it have their own scheme, now fought over in court.

Old contracts still run. Tesla reports a line called remaining performance obligations for credits, and the [latest 10-Q](https://www.sec.gov/tsla-10q) expects most of it to become revenue within a year. After that, the income will depend on Brussels. A reader who compares this year's car margin with that of 2024 should subtract the credits in both years; otherwise he compares a harvest with a field.`,
  },
  {
    name: "a fiscal calendar explained",
    stock: "NVDA",
    headline: "Why Nvidia is in 2027 while everybody else is in 2026",
    preview:
      "Nvidia's fiscal year ends on the last Sunday of January and carries the number of the year in which it ends. That makes comparisons tricky. A small calendar for readers of its reports.",
    body: `On Sunday, January 25, 2026, Nvidia closed its fiscal year 2026. The next day fiscal 2027 began. Whoever reads in September that "second-quarter fiscal 2027" revenue rose is therefore not looking into the future. The quarter ended on July 26, 2026.

The rule is that the year ends on the last Sunday of January. It has 52 weeks as a rule and 53 in some years, namely when the calendar would otherwise drift. In a year of 53 weeks one quarter has fourteen of them, and its growth looks about a thirteenth better than it was. The [annual report](https://www.sec.gov/nvda-10k) points to such years in the first note.

Why January? Chip makers sell to firms that sell at Christmas. A year that ends after the holidays catches the returns and lets the staff count stock in a quiet month. Retailers do the same for the same reason.

For comparisons with a company on the calendar year, shift by one month and one number. Nvidia's second quarter, from late April to late July, is nearest to AMD's from April to June. The [investor calendar](https://investor.nvidia.com/events) gives the dates of the next reports. It takes one minute to look, and it spares one the sort of chart in which the leader appears to be a year ahead of time.`,
  },
  {
    name: "membership fees explained",
    stock: "COST",
    headline: "A $65 card, twelve slices: how Costco books its membership",
    preview:
      "Costco gets the yearly fee on the first day and earns it over twelve months. The delay makes a fee increase show up slowly, and it makes a liability out of something that customers will hardly ever claim back.",
    body: `On the day on which somebody pays $65 for a Costco card, the company has earned nothing yet. It has received money for a promise: a year of access. Accounting rules have it book one twelfth each month, which is $5.42 when rounded.

The rest stands on the balance sheet as deferred membership fees. At the end of the last quarter this was $2.7 billion, the [quarterly report](https://www.sec.gov/cost-10q) says, and it is a curious liability, since hardly anybody will ever be paid back, although the company promises a refund to each member who is dissatisfied.

The delay matters when the fee changes. In September 2024 the basic fee went from $60 to $65, a rise of 8.3%. Members paid it at their next renewal, and each payment was then spread over twelve months. It took almost two years until all of the increase had reached the income statement: up to twelve months to the last renewal, and twelve more to earn it.

Therefore the growth of fee income in 2025 and early 2026 was partly the echo of one decision. From this autumn on, it will come from new members and from those who move to the dearer card at $130. The [company's own notes](https://investor.costco.com/membership) give the renewal rate beside it.`,
  },
  {
    name: "gross and net revenue explained",
    stock: "AMZN",
    headline: "One toaster, two revenues: how Amazon counts a sale",
    preview:
      "The same appliance at the same price can be $100 of revenue for Amazon or $15. It depends on who owns it when it is sold. Why growth slows on paper when the marketplace wins.",
    body: `Take a toaster for $100. If Amazon bought it from the maker for $80 and sells it itself, it books revenue of $100 and a cost of $80. If a merchant sells it on Amazon's marketplace, Amazon books its commission only. At a referral fee of 15%, this is $15; should the merchant also pay $9 for storage and shipping, it is $24.

The customer sees no difference. The accounts do. In the first case Amazon keeps $20 before its own costs, a gross margin of 20%. In the second it keeps a good part of the $24, at a margin that is much higher. Revenue is larger in the first case and profit may be larger in the second.

The principle is called principal against agent, and the [annual report](https://www.sec.gov/amzn-10k) explains it in the first note. Who controls the goods before the sale, who sets the price, who bears the risk of a full warehouse? Whoever answers "Amazon" to these has a principal.

Merchants now sell about 62% of all units, up from 60% two years ago, says the [quarterly release](https://ir.aboutamazon.com/q2-2026). Each point that moves from own stock to the marketplace lowers reported revenue. So a reader who only looks at the growth of online stores will underrate a good year.`,
  },
  {
    name: "film costs explained",
    stock: "DIS",
    headline: "When a film stops being an asset: Disney's write-downs, explained",
    preview:
      "A film costs money for three years and earns it in three weeks. In between it sits on the balance sheet. How Disney decides how fast to write it off, with an invented film as the example.",
    body: `Call the film "The Lighthouse". It cost $200 million to make, and before it opens it is an asset on Disney's balance sheet, like a ship in a shipping company's. Then it opens, and the asset has to melt in proportion to what it earns.

Suppose that the studio expects $500 million of revenue over ten years from tickets, streaming and toys, and $300 million of that in the first year. Then three fifths of the cost, $120 million, are written off in the first year, and $80 million remain. This is the individual-film method, described in the [annual report](https://www.sec.gov/dis-10k).

Now the film disappoints. The estimate falls from $500 million to $250 million, of which $150 million came in the first year. The ratio is the same, three fifths. But what is still to come, $100 million less marketing of $40 million, is worth $60 million at most, and the $80 million must be written down by $20 million at once.

Films made for streaming follow another rule: they belong to a group, and the group is tested as a whole. A flop can hide there among successes. This is allowed under [the standard](https://www.fasb.org/asc-926) and is one reason why comparisons of studios should look at cash spent on content.`,
  },
  {
    name: "gross bookings explained",
    stock: "UBER",
    headline: "From a $30 ride to Uber's revenue: where the other dollars go",
    preview:
      "Gross bookings are what riders pay. Revenue is what is left for the company by the rules of accounting, and these differ by country. One ride, followed from the app to the income statement.",
    body: `A rider pays $30 for a trip across town. Of this, $2 are tolls, $1 is a city fee and $3 are a tip. The tip goes to the driver, always. The tolls and the fee are passed on.

Gross bookings, in Uber's definition, include the tolls and the fee and exclude the tip: $27. The driver gets, let us say, $18 of the fare besides the tip. Then $6 remain, since $27 minus $18 minus $3 of tolls and fees is $6. From these the company has to pay insurance, card fees and its own staff.

What is revenue? In most American cities the driver is the company's customer, so revenue would be the $6. In the United Kingdom, where a court decided in 2021 that drivers are workers, the company itself sells the ride. There the whole fare is revenue, and the driver's share is a cost. The [annual report](https://www.sec.gov/uber-10k) tells how much of the take rate comes from this change of model.

So the take rate, revenue divided by gross bookings, can rise although nothing has changed for anybody in the car. In our example it is 22% under the one model. Whoever compares Uber with a rival does better to look at adjusted earnings as a share of gross bookings, as the company's [investor page](https://investor.uber.com/metrics) suggests, and for once not without reason.`,
  },
  {
    name: "trading hours explained",
    stock: "GOOGL",
    headline: "The token has no weekend: Alphabet on a holiday Monday",
    preview:
      "American exchanges are shut from tonight until Tuesday morning. The token goes on trading. What its price means in those hours, who sets it, and why a gap on Tuesday is nobody's fault.",
    body: `This afternoon at four o'clock in New York the stock exchanges close, and because Monday, September 7, is Labor Day, they will not open until Tuesday at half past nine. Alphabet's share has no price in between. Its token does.

What is such a price worth? During market hours, firms that may create and redeem tokens keep the two together: if the token is dearer than the share, they sell the one and buy the other. On a Sunday they cannot buy the share. They quote a wider range and charge for the risk of being wrong on Tuesday.

So the price at the weekend is an estimate, made by few with little money. In most weeks it is a good one. When news comes, it moves first, and it has been too far as often as not far enough. I have no statistics on this that I would trust; the [chain's explorer](https://robinhoodchain.blockscout.com) would allow somebody to make one.

Two consequences are practical. A quote on a Sunday should not be compared with Friday's close as if both were the same thing. And an order that would be small on a Friday may move the price on a Sunday. The [exchange's calendar](https://www.nyse.com/markets/hours-calendars) lists all holidays to 2028.`,
  },
  {
    name: "yield of a wafer explained",
    stock: "INTC",
    headline: "Intel's yield: what fifteen more good chips in a hundred are worth",
    preview:
      "A wafer costs the same whether its chips work or not. That is why the share of good ones decides about profit. A made-up wafer shows the arithmetic, and Intel's filing shows where to look for it.",
    body: `Intel says that the yield of its newest process improves by several percent a month. The remark, made on the [July call](https://www.intc.com/q2-2026-call), has been repeated often, mostly without an idea of what it is worth. Let us take a wafer that nobody sells.

Our wafer costs $18,000 and has room for 600 chips. If 60% of them work, there are 360, and each costs $50. If 75% work, there are 450, and each costs $40. Fifteen points of yield have lowered the cost of a chip by a fifth, with no new machine and no new worker.

The first points are the most valuable. From 30% to 45% the cost per chip falls from $100 to about $67, by a third. From 85% to 95% it falls by a little more than a tenth. That is why a factory's first year hurts and its third is pleasant.

Intel does not publish yields, nor does any competitor. The trace is in the gross margin of the products made on the process, and in a sentence on "start-up costs" in the [filing](https://www.sec.gov/intc-10q). When the costs fall while volume rises, yield has gone up. A single quarter proves nothing, for write-downs of old stock blur the picture.`,
  },
];
