import type { Named } from "../desk.ts";

/** Short reports of something that happened. */
export const news: readonly Named[] = [
  {
    name: "news of a pay scale",
    stock: "COST",
    headline: "Costco lifts its top hourly wage by a dollar",
    preview:
      "The warehouse chain moves every step of its pay scale up from this month. For the most senior clerks it is one dollar more an hour, and the bill can be estimated from two numbers in the annual report.",
    body: `Costco has told its hourly staff in the United States that every step of the pay scale moves up this month. The top step for service clerks goes from $30.20 to $31.20 an hour, according to the [notice to employees](https://investor.costco.com/pay-notice-2026), a rise of 3.3%.

It is the second increase within three years. The lowest step rises by fifty cents to $20.50. Workers who are on neither end of the scale get between the two, depending on how many hours they have behind them.

What does it cost? The company does not say. Its [annual report](https://www.sec.gov/cost-10k) counts about 208,000 full-time employees worldwide, of whom roughly two thirds work in the United States. A full-time year has 2,080 hours, so each dollar costs $2,080 per person before payroll taxes. If all of 100,000 people got the whole dollar, that would be $208 million a year. The real sum is lower, because most are not on the top step.

For a retailer with a net income of several billions this is a cost one can see and live with. The next quarterly report, due later in September, will be the first to contain a few weeks of it.`,
  },
  {
    name: "news of a storm",
    stock: "DIS",
    headline: "A storm shut Disney's Florida parks for a day and a half",
    preview:
      "Walt Disney World closed at noon on Wednesday and opened again on Friday morning. The lost time is small for the company, though it shows how much of one segment's income stands on one peninsula.",
    body: `The gates of Walt Disney World in Florida closed at noon on Wednesday and opened again this morning at nine. In between, a tropical storm crossed the state with more rain than wind. The resort's [weather page](https://disneyworld.disney.go.com/weather-update) says that nobody was hurt and that guests in its hotels stayed where they were.

The closure took a day and a half of opening hours. Disney does not publish revenue by park, but suppose the resort takes in $40 million on an average day. Then the loss would be $60 million at most, and less in fact, since many visitors moved their tickets to another date instead of asking for their money.

Storms of this kind are in the budget. The [annual report](https://www.sec.gov/dis-10k) lists hurricanes among the risks of the Experiences segment every year, and insurance pays only for damage beyond a deductible that the company keeps to itself.

Early September is also the quietest stretch of the season: schools have opened, and Labor Day weekend is the last busy one before October. Had the storm come six weeks earlier, the sum would have been a different one. The company did not change its outlook, nor was it expected to.`,
  },
  {
    name: "news of deliveries of jets",
    stock: "BA",
    headline: "Boeing handed over 48 jets in August, eight more than a year ago",
    preview:
      "Three in four were narrow-bodies. The monthly count is the closest thing to a pulse that the plane maker publishes, and this one shows a line that holds its rhythm through the holiday month.",
    body: `Boeing delivered 48 commercial aircraft in August, its [orders and deliveries page](https://www.boeing.com/commercial/orders-deliveries) shows. A year earlier it was 40, so the increase is 20%.

Of the 48, 36 were of the 737 family, seven were 787 Dreamliners, three were 777 freighters and two were 767s. The narrow-bodies therefore made up exactly three quarters. Airlines in Asia took 17 of the jets, North American carriers 15, and the remaining 16 went to Europe, the Middle East and two leasing companies.

August is usually slow, because inspectors and customers' delegations take holidays too. That the count did not sag suggests that the supply of seats, which held back the wide-bodies in spring, has got better. The company said in its [July results](https://investors.boeing.com/second-quarter-2026) that it had about twenty finished 787s waiting for cabins.

Deliveries matter more than orders for one plain reason: customers pay most of the price on handover. Eight more jets than a year ago do not tell how much cash that was, since discounts are secret and a freighter is no 737. The picture for the quarter will be complete when September, as always the busiest of the three months, has been counted.`,
  },
  {
    name: "news of a walkout",
    stock: "AMZN",
    headline: "Staff at two German Amazon warehouses walk out for three days",
    preview:
      "The union calls it a warning. The company says that parcels arrive on time. Both can be right, because the network was built so that no single building matters, and that is the union's real problem.",
    body: `Employees of Amazon's warehouses in Leipzig and Bad Hersfeld stopped work on Tuesday morning, and they want to stay out until tonight. The trade union ver.di, which called for the strike, speaks of [about 1,100 participants](https://www.verdi.de/presse/amazon-streik) at the two sites. The company's [German press desk](https://www.aboutamazon.de/news/streik) speaks of fewer and says that customers will notice nothing.

The dispute is older than some of those who take part in it. Since 2013 the union has asked for a collective agreement like that of the retail trade; Amazon points to wages that are close to it and negotiates with works councils only.

Why do parcels come anyway? The company runs some twenty large warehouses in Germany and more across the border in Poland. When one is slow, software gives its orders to the others within minutes. A walkout in two places raises transport costs and does not empty shelves.

International operations brought in roughly a fifth of Amazon's revenue last year, and Germany is the largest country among them. Even so, a three-day strike is too small to show in a quarterly report. It would take a strike in many countries at the same time, something that unions have tried in November and so far not achieved.`,
  },
  {
    name: "news of a delayed factory",
    stock: "INTC",
    headline: "Intel's Ohio factory slips again, and the state renegotiates",
    preview:
      "The first of two buildings near Columbus is now planned for the early 2030s. Ohio has asked for a new timetable before it pays the rest of its grants. What the contract says about delays.",
    body: `The first of Intel's two chip factories near Columbus will not run before 2031, the company told the state in its [yearly progress report](https://development.ohio.gov/intel-progress-report). When ground was broken in September 2022, the plan was for production in 2025.

Ohio has committed about $2 billion in incentives. Of that, $600 million were grants for the two buildings, $300 million each, and they have been paid. The larger remainder consists of tax relief and road works, much of it spent on land that other firms use as well.

The grant agreement lets the state claim money back if the buildings are not finished by the end of 2028. The development department and the company are now talking about a later date. In return the state wants a count of construction workers on the site every quarter, which it did not get until now.

Intel says in its [latest quarterly filing](https://www.sec.gov/intc-10q) that it builds in step with customers' orders. That sentence explains the delay better than any other. A modern factory costs upward of ten billions to equip, and an empty one is the most expensive kind. Cranes have not left the site, though; the shell of the first building is closed, so that machines could be moved in within two years of a decision.`,
  },
  {
    name: "news of a bank that guarantees bonds",
    stock: "JPM",
    headline: "JPMorgan guarantees a water bond, and the city saves on interest",
    preview:
      "A letter of credit from the bank stands behind a new city bond. The guarantee protects those who hold the bond, costs the city a yearly fee, and still saves it money. The sums are public.",
    body: `When a mid-sized city borrows for new water pipes, lenders look at its books and ask for a premium. A city in Texas found a way to lower it this week. Its [offering statement](https://emma.msrb.org/water-revenue-2026) shows that JPMorgan Chase guarantees every payment on the $120 million issue with a letter of credit until September 2031.

With the guarantee the bonds carry the bank's short-term rating instead of the city's own. The underwriters estimate in the same document that this takes 0.60 percentage points off the interest. On $120 million that is $720,000 a year. The bank asks a fee of 0.35%, or $420,000. What is left for the city is $300,000 a year, before lawyers.

The bank does not lend anything unless the city fails to pay. It has to hold capital against the promise nevertheless, as its [annual report](https://www.sec.gov/jpm-10k) explains under off-balance-sheet commitments.

A guarantee of this sort says nothing about JPMorgan's shares or the token that follows them. It is a product with a price. Five years from now the letter ends, and whether the bank renews it will depend on the city's books and its own appetite. The statement warns of exactly that on page nine.`,
  },
  {
    name: "news of an outage",
    stock: "META",
    headline: "Instagram was down for 52 minutes; a configuration change was to blame",
    preview:
      "On Tuesday evening a part of Meta's services could not be reached from Europe. The company's engineers name the cause in a short report, and they describe what the next outage will look like if they are right.",
    body: `From 18:04 to 18:56 UTC on Tuesday, many people in Europe could not open Instagram. The interruption lasted 52 minutes, says the [status page for business customers](https://metastatus.com/history), and it hit Facebook's advertising tools as well for the last half hour.

The [engineers' report](https://engineering.fb.com/2026/09/02/outage-report) is frank. A change of configuration was meant for a test network and was sent to all routers of one region. A safety check should have stopped it. The check ran, found the mistake and wrote it to a log that nobody watched at that hour.

Advertisers did not lose money that they had spent, since ads that are not shown are not charged. Meta lost the difference. Suppose that Europe brings in $120 million of advertising a day, spread evenly over the clock. Then 52 minutes of 1,440 would come to $4.3 million. Evenings are busier than nights, so it may have been twice as much. For a company of that size either number is noise.

The engineers add one lesson that deserves to be quoted in other firms. From now on the safety check may halt a change and need not ask. Whoever wants to overrule it must find a second colleague.`,
  },
  {
    name: "news of a contract's ceiling",
    stock: "PLTR",
    headline: "A ceiling is not a sale: Palantir's new Army agreement, read slowly",
    preview:
      "The Army has put 21 contracts for Palantir's software under one roof. The number in the announcement is a limit, not an order. Three lines in the contract notice tell what is certain.",
    body: `The United States Army has combined 21 agreements with Palantir into a single one. The [contract notice](https://www.defense.gov/contracts/palantir-enterprise) names a maximum of $1.5 billion over five years, and that number has made the rounds since Wednesday.

It is a ceiling. The notice obliges the Army to order $12 million of software in the first year; everything above that needs a separate order, and each order needs money that Congress has approved. If the Army used the ceiling evenly, it would be $300 million a year. It may also use a tenth of that.

Why bother, then? An enterprise agreement spares both sides the work of bidding for every extension, and it fixes a price list. Units that hesitated because of paperwork can order within days. In the past such agreements have raised spending, although not by a rule that one could write down.

Palantir counts only funded orders in its remaining deal value, its [quarterly filing](https://www.sec.gov/pltr-10q) explains. So the step will hardly be visible there in November. The token changed hands near $152 on Friday afternoon, within the day's range, which is about what a reader of the notice would expect. The line to watch is the one on orders, published whenever one exceeds $7.5 million.`,
  },
  {
    name: "news of a licence",
    stock: "UBER",
    headline: "London renews Uber's licence for thirty months",
    preview:
      "The city's transport authority used to grant the company short extensions. This time it grants the full term but two things are new: a report on drivers' hours, and a fee for each trip that is not shared.",
    body: `Transport for London has renewed Uber's operator licence for thirty months, the [decision](https://tfl.gov.uk/corporate/uber-licence-2026) published on Thursday says. That is the longest term that the law allows without a review in between, and six years ago it would have surprised everybody: in 2019 the authority refused any renewal, and a court had to decide.

Two conditions are new. Uber has to report each quarter how many drivers worked more than 60 hours in a week. And it has to collect the city's new levy of 35 pence for trips with a single passenger in the centre between 7:00 and 19:00.

The levy goes to the city, so it is no revenue. It could still cost demand. At an average fare of £14 it adds 2.5%, which is less than the usual swing between a wet and a dry evening.

London is one of the company's five largest markets, according to its [annual report](https://www.sec.gov/uber-10k), and for a long time it stood as an example of regulatory risk in the same document. The paragraph has become shorter each year. In the next edition it may be two sentences, although nobody at the company would say so in advance, and the authority keeps the right to revoke.`,
  },
  {
    name: "news of a subscription price",
    stock: "NFLX",
    headline: "Netflix raises its standard plan by $1.50 in two countries",
    preview:
      "Subscribers in Canada and Australia pay more from October. The company tends to begin with smaller markets and to go on from there, though not always. What the last three rounds looked like.",
    body: `Netflix has told subscribers in Canada and Australia that the standard plan without advertising will cost more from October 1. In both countries the monthly price rises by $1.50 in local money: from C$18.99 to C$20.49, and from A$20.99 to A$22.49, the company's [help page](https://help.netflix.com/en/node/24926) shows. That is 7.9% in Canada and 7.1% in Australia.

The plan with advertising keeps its price. The gap between the two therefore widens, which is hardly an accident: advertising brings in money a second time, and the company has said in its [shareholder letter](https://ir.netflix.net/letter-q2-2026) that more than half of new members choose it where it is offered.

In 2022, 2023 and 2025 the company raised prices in a few countries first and in the United States some months later. Three cases are not a law. In 2024 it stopped after two countries, and nothing followed.

How many subscribers leave after such a step? Netflix no longer publishes the count by quarter. Its revenue will tell indirectly. If the average revenue per membership in the two regions grows by less than the price, people have moved to the cheaper plan, and that may suit the company quite well.`,
  },
  {
    name: "news of a recall",
    stock: "NKE",
    headline: "Nike recalls 41,000 pairs of a children's shoe over a loose eyelet",
    preview:
      "A metal ring can come off and be swallowed. No child was hurt. The recall is small, cheap and quick, and the regulator's notice shows how such a procedure ought to run.",
    body: `Parents who bought a certain Nike running shoe for toddlers since February should look at its eyelets. In some pairs the lowest metal ring can be pulled off, and a small child could swallow it. The [recall notice](https://www.cpsc.gov/Recalls/2026/nike-toddler-shoe) of the consumer safety commission covers 41,000 pairs in the United States and 3,500 in Canada, 44,500 in all.

There were nine reports of loose rings and none of an injury. Nike stopped the sale on August 21, a Friday, and informed the commission on the following Monday. Buyers get a voucher for the full price of $55 and need not send the shoes back; a photograph of the cut tongue is enough.

If every pair came back, the vouchers would be worth about $2.4 million. In practice, fewer than half of such goods ever turn up. The [annual report](https://www.sec.gov/nke-10k) does not even have a line for product recalls, because they never reached a sum worth one.

The supplier of the ring is not named. It delivered to one factory only, says the notice, and the other two factories that make the model used another part. That is why the size printed under the tongue, together with a five-digit code, tells whether a pair is affected.`,
  },
];
