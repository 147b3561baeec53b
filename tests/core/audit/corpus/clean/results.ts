import type { Named } from "../desk.ts";

/** Notes on quarterly figures, with sums and shares. */
export const results: readonly Named[] = [
  {
    name: "results with segments that add up",
    stock: "AMD",
    headline: "AMD's embedded business is back, and nobody talks about it",
    preview:
      "Processors for data centres get the attention. The smallest of the three segments has turned as well, after seven quarters of decline, and its margin is the best in the house.",
    body: `AMD took in $9.2 billion in the quarter to June, against $7.7 billion a year before. That is 19% more. The [earnings release](https://ir.amd.com/q2-2026-results) divides the sum into three: $4.1 billion from data centres, $4.0 billion from client computers and gaming, and $1.1 billion from embedded chips.

The first two get all the questions on the call. I would like to speak about the third. Embedded chips sit in cars, radio masts, X-ray machines and factory robots. The segment came into the house with the purchase of Xilinx in 2022, was at $1.5 billion a quarter in early 2023, and then fell because customers had ordered for two years ahead.

A year ago it stood at $0.8 billion. From there to $1.1 billion is a rise of 38%, the fastest of the three. The operating margin of the segment was 41%, so it earned about $450 million, and the [quarterly filing](https://www.sec.gov/amd-10q) says that orders exceeded shipments.

One caveat belongs here. Part of the rise may be shelves that are filled again. The filing gives no number for stocks at distributors, only a sentence that they are at a normal level. When sales stay above a billion through the winter, the sentence will have been right.`,
  },
  {
    name: "results of a retailer",
    stock: "WMT",
    headline: "Walmart sold more of everything except what it earns most on",
    preview:
      "Comparable sales rose 4.6 percent. Groceries and medicine did the lifting, general merchandise did not. Why a better top line and a thinner margin are two sides of one shelf.",
    body: `In the quarter to July, Walmart's American stores sold 4.6% more than a year before, counting only those open in both periods. The [presentation](https://stock.walmart.com/q2-fy27-presentation) breaks that into transactions, up 1.8%, and the average ticket, up 2.8%.

Groceries grew by a middle single-digit rate, health and wellness by more than ten percent. General merchandise, which means toys, clothes and lawn chairs, was flat. That mix has a price: a banana earns less than a garden chair. Gross margin fell by 20 basis points to 24.5%, and it would have fallen further without advertising and membership fees.

Those two deserve their own paragraph. Advertising revenue rose 31%, membership income 15%. Together they are a small share of sales and, by the company's account on the call, roughly a quarter of operating income. A store that sells attention beside its bananas can live with cheap bananas.

The guidance for the year went up by half a percentage point: net sales are to grow between 4.0% and 5.0%, after 3.5% to 4.5% before. The company calls consumers choosy but steady. As so often, the text of the [filing](https://www.sec.gov/wmt-10q) is more careful than the call, and it mentions tariffs eleven times.`,
  },
  {
    name: "results that split price from volume",
    stock: "KO",
    headline: "Five percent at Coca-Cola, and how little of it was thirst",
    preview:
      "Organic revenue grew five percent, but people did not drink more. Price and mix gave six points and volume took one away. How long such a sum can go on is the question of the year.",
    body: `Coca-Cola's organic revenue rose 5% in the second quarter. The [earnings release](https://investors.coca-colacompany.com/q2-2026) takes the number apart with a candour that other companies could learn from: price and mix added six percentage points, concentrate sales took one away. Six minus one is five.

Volume by region tells where the thirst went. Unit cases fell 3% in Latin America and 2% in North America, were flat in Europe, and grew 1% in Asia Pacific. Still water and sports drinks did worse than the drink with the company's name.

A company can raise prices for longer than its critics believe. From 2022 to 2024 price and mix gave between eight and twelve points a year, partly because of inflation in Argentina and Turkey, and volume kept up. What is different now is that both big regions of the Americas shrink together.

There is a bright spot in the same [filing](https://www.sec.gov/ko-10q): smaller packs. A mini can holds 7.5 ounces instead of twelve and brings in more per ounce. When people move to it, volume falls and revenue does not. The company does not say how much of the decline that explains. I suspect some of it; whoever knows the number at the bottlers is welcome to write to me.`,
  },
  {
    name: "results with an operating margin",
    stock: "NFLX",
    headline: "A third of Netflix's revenue is now profit before tax and interest",
    preview:
      "The streaming company earned $3.9 billion on revenue of $11.5 billion. The margin of 33.9 percent is a record, and half of it is a matter of when programmes are written off.",
    body: `Netflix reported revenue of $11.5 billion and an operating income of $3.9 billion for its second quarter. Divide the one by the other and you get 33.9%, the highest margin that the company has shown. A year earlier it was 27.2%, the [shareholder letter](https://ir.netflix.net/letter-q2-2026) says.

Some of this is real. Revenue rose by 17%, costs by less than 8%. Subscribers paid more, and advertising doubled from a base that the company keeps to itself.

Some of it is timing. Programmes are written off faster when they are watched sooner, and a new series carries most of its cost in its first three months. In the quarter to June there were few large premieres. The autumn has more, which is why the company itself expects a margin of 29% for the third quarter and about 30% for the whole year.

Free cash flow was $2.4 billion in the quarter. The [quarterly report](https://www.sec.gov/nflx-10q) shows that $1.6 billion of it went into the company's own shares, and the remaining $0.8 billion stayed in the bank. A split of ten for one in November 2025 has made comparisons of the share price awkward, so be careful with charts: what now stands at $121.50 would have been $1,215.`,
  },
  {
    name: "results of a bank",
    stock: "JPM",
    headline: "JPMorgan set aside $2.8 billion, most of it for cards",
    preview:
      "Provisions tell what a bank fears. In JPMorgan's second quarter they consisted of $2.4 billion of loans written off and $0.4 billion for those that may follow. Neither is unusual, and here is the comparison.",
    body: `Every quarter a bank has to say how much it expects to lose on loans. JPMorgan Chase put the number at $2.8 billion for the three months to June. The [earnings supplement](https://www.jpmorganchase.com/ir/quarterly-earnings) splits it: $2.4 billion were net charge-offs, loans that are already gone, and $0.4 billion went into reserves.

Credit cards account for $2.0 billion of the charge-offs, or five sixths. The card charge-off rate was 3.4%, against 3.5% a year before. Offices, the worry of 2023 and 2024, hardly figure any more. The bank had written down the worst of them by then.

Reserves for all loans together stand at $26.1 billion. Set against loans of $1.45 trillion, that is 1.8%. It would cover charge-offs at the present pace for almost eleven quarters.

What do these figures not tell? They rest on a forecast of unemployment, and the bank's weighted scenario has it peaking at 5.6%. A milder assumption would free reserves, a harsher one would eat them; the [quarterly filing](https://www.sec.gov/jpm-10q) gives both directions in a table that is worth ten minutes. Net income rose by 4% in the same quarter, so nobody should take the provision for a cry of alarm. It is bookkeeping, carefully done.`,
  },
  {
    name: "results with a narrowed range",
    stock: "META",
    headline: "Meta narrows its spending plan, and the middle moves up",
    preview:
      "The range for capital expenditure went from 114 to 124 billion dollars to a tighter 118 to 122. Read quickly, that is calm. The midpoint rose by a billion, and the sentence about next year is new.",
    body: `When Meta gave its outlook in April, it wanted to spend between $114 billion and $124 billion on servers, buildings and leases in 2026. In July the range became $118 billion to $122 billion. The [earnings release](https://investor.atmeta.com/q2-2026) calls it a narrowing, and it is one: ten billions of doubt have become four.

The middle of the range moved as well, from $119 billion to $120 billion. That is less than one percent and well within what a late invoice can do.

More telling is a sentence that was not there in spring. For 2027 the company expects expenses to grow faster than this year, driven by depreciation of what is being built now. Depreciation follows spending with a delay. Servers that are bought in December cost little this year and a full year's share next year.

In the first half, capital expenditure came to $55 billion. To reach $120 billion the second half must bring $65 billion, some 18% more than the first. The [quarterly filing](https://www.sec.gov/meta-10q) lists contractual commitments that make this plausible.

I draw no conclusion about the share. The company earns enough to pay for all this; whether the servers will earn enough is a question that no filing answers yet.`,
  },
  {
    name: "results of a fiscal third quarter",
    stock: "AAPL",
    headline: "Services were 29 percent of Apple's quarter, and the mix flatters",
    preview:
      "The June quarter is the weakest for iPhones, so the share of services always looks best in it. Compare four quarters instead of one, and the trend is there but half as steep.",
    body: `In Apple's third fiscal quarter, which ended on June 27, services brought in $27.4 billion of $94.0 billion. That is 29.1%. Commentators wrote that almost a third of the company is now services, and for these thirteen weeks it is nearly true.

But June is a special month. New iPhones come in September, so the quarter before is thin, and everything that does not follow the seasons looks large beside it. In the December quarter the share is closer to a fifth.

Add up four quarters and the seasons go away. Over the twelve months to June, services made up 25.6% of sales, after 24.4% in the twelve months before, as the [10-Q](https://www.sec.gov/aapl-10q) and the three before it show. So the share rises by about one percentage point a year. At that pace it would be a third sometime in the 2030s.

Gross margin is where the mix matters. Services earn 75 cents on the dollar, products 36. One more point of services therefore lifts the whole company's gross margin by about 0.4 points, other things being equal. The [data summary](https://www.apple.com/newsroom/pdfs/q3-2026) on the company's site has all the figures on one page, and none of the adjectives. Apple's token traded around $327 as I wrote this.`,
  },
  {
    name: "results with two kinds of earnings per share",
    stock: "INTC",
    headline: "Intel lost 9 cents a share, or earned 14: both are in the release",
    preview:
      "Two results for one quarter, one in black and one in red. The 23 cents between them consist of four items, and three of those come back every quarter. A guide for reading the bridge.",
    body: `Intel's second quarter ended with a loss of 9 cents a share under accounting rules, and with a profit of 14 cents in the company's own count. The distance is 23 cents. Which one is true?

Both are, and the [release](https://www.intc.com/q2-2026-results) contains the bridge from the one to the other. Share-based pay makes up 12 cents, restructuring 6 cents, the amortisation of acquired patents 4 cents, and a loss on investments 1 cent. Twelve, six, four and one are 23.

Are they to be left out? Amortisation of patents costs no cash, and the money was paid years ago. Restructuring sounds like a single event, though the company has shown it in eleven of the last twelve quarters. Share-based pay is a wage. Whoever removes it should add what the buybacks cost that keep the share count steady, and Intel has not bought back any since 2021, so the count has grown by 4% a year.

My own practice is to put back the restructuring and the shares and to leave out the rest. That yields 14 minus 18, hence a loss of 4 cents. It is neither the company's number nor the [filing's](https://www.sec.gov/intc-10q). It has the merit that I can explain it to my neighbour.`,
  },
  {
    name: "results in constant currency",
    stock: "MSFT",
    headline: "Azure's growth in constant currency, and why the dollar helped",
    preview:
      "Microsoft reports growth twice: as it happened, and as it would have been with last year's exchange rates. In the June quarter the difference was two points, and for once it was in the company's favour.",
    body: `Azure and other cloud services grew by 37% in the quarter to June, or by 35% in constant currency. The [earnings release](https://www.microsoft.com/en-us/investor/earnings/fy-2026-q4) prints the numbers side by side, and most reports take the first.

Constant currency is a thought experiment. It converts this year's sales abroad with last year's rates. If the dollar has fallen in between, a euro of sales turns into more dollars, and growth looks better than customers' behaviour would justify. From the summer of 2025 to the summer of 2026 the dollar fell against most currencies, so two points of the 37 came from the foreign exchange desk.

The size of the effect depends on where a segment sells. Azure earns roughly half abroad. The games business earns less there and had one point. LinkedIn had two.

There is a limit to the experiment. If the dollar is cheap, Microsoft may leave its euro prices alone instead of raising them, and then some of the exchange gain was a price that it chose not to ask. No table shows this.

For comparing one year with the next, take constant currency. For asking what arrives on the account, take the other. The company's own [notes on metrics](https://www.microsoft.com/en-us/investor/metrics) say the same in more words.`,
  },
  {
    name: "results with a backlog",
    stock: "CAT",
    headline: "Caterpillar's backlog holds eight months of sales, half of it turbines",
    preview:
      "The order book has grown to $44 billion. Excavators are not the reason. Data centres that cannot wait for the grid buy gas turbines and generators, and they pay deposits. A note with two divisions.",
    body: `Caterpillar ended June with orders worth $44 billion that it had not yet delivered, against $37.5 billion a year earlier. That is 17% more. Sales in the last twelve months were $66 billion, so the backlog equals two thirds of a year, or eight months. The [earnings release](https://investors.caterpillar.com/q2-2026) has both figures.

Ten years ago the book stood for diggers and mining trucks. Today about half of it, $22 billion, is in power and energy: turbines, large generators and the engines that drive them. Data centres that would have to wait four years for a grid connection buy their own plant.

Such orders come with deposits. The [filing](https://www.sec.gov/cat-10q) shows customer advances of $3.3 billion, which is 7.5% of the backlog. That makes cancellation dear, but it does not make it impossible, and the filing says that most orders may be cancelled before production starts.

Capacity is the other limit. The company is spending to double its output of large engines by 2030. Until then more orders mean longer waiting times and firmer prices rather than more machines. Construction, the oldest business, sold 2% less in the quarter. That is also part of the picture, although it got one line on the call.`,
  },
  {
    name: "results in barrels",
    stock: "XOM",
    headline: "What a dollar on the oil price means for Exxon, in barrels",
    preview:
      "Exxon pumps 4.6 million barrels of oil and gas a day. The obvious sum overstates what a dollar more is worth, for three reasons that the company itself sets out.",
    body: `Exxon Mobil produced 4.6 million barrels of oil equivalent a day in the second quarter. The quarter has 91 days, so it came to 418.6 million barrels. If each had sold for a dollar more, revenue would have been $418.6 million higher. That is the sum on the back of the envelope, and it is wrong in three ways.

First, oil equivalent contains gas. Roughly a third of the output is gas, counted at six thousand cubic feet to the barrel, and its price goes its own way.

Second, governments share. Under production-sharing contracts a higher price gives the state more barrels and the company fewer. The [annual report](https://www.sec.gov/xom-10k) describes this for Guyana, where cost recovery comes first and profit oil is divided in half.

Third, refineries. What the wells gain, the plants that buy crude may lose for a while, since petrol prices follow with a delay.

The company publishes its own [rule of thumb](https://corporate.exxonmobil.com/investors/sensitivities): a dollar on Brent over a full year moves annual earnings by about $500 million after tax. Our envelope would have said four times $418.6 million, which is $1,674 million, before tax. The gap between these two is a good measure of how much an envelope leaves out.`,
  },
  {
    name: "results with a retention rate",
    stock: "PLTR",
    headline: "How Palantir's old customers came to spend 28 percent more",
    preview:
      "Net dollar retention is a number with a simple definition and several blind spots. Palantir's stood at 128 percent in June. What it includes, what it leaves out, and one check by hand.",
    body: `Of all the figures in Palantir's [second-quarter letter](https://investors.palantir.com/q2-2026-letter), one is cited more than it is understood. Net dollar retention was 128%. It means that customers who were there a year ago paid $1.28 in the last twelve months for every dollar that they paid in the twelve months before.

Lost customers are in it, with zero. New ones are not. A company could therefore show 128% and still shrink, if it lost the art of finding new customers and the old base were small. Palantir is no such case: total revenue rose by more than the retention alone explains.

A check by hand goes like this. Say that revenue was $100 a year ago. At 128% the old customers now bring $128. If total revenue has grown by 45%, it stands at $145, and the remaining $17 must come from customers who arrived within the year. That is 12% of the total, a plausible share for a firm whose sales take months.

The blind spot is concentration. The [filing](https://www.sec.gov/pltr-10q) says that the top twenty customers pay $75 million each on average, together $1.5 billion over twelve months. A handful of them can move the rate by several points. It went from 118% to 128% within three quarters, and it may come back as quickly.`,
  },
];
