import type { Authored } from "../form.ts";

export const prices: readonly Authored[] = [
  {
    name: "price above the day's high",
    stock: "NVDA",
    headline: "Nvidia steady as export talk drags on",
    preview: "Investors wait for word from Washington.",
    body: `Chip stocks are in no hurry this Friday. Nvidia trades near $188, inside a band of a few dollars that has held since the bell.

The talk among dealers concerns licences. A [notice](https://trade.example.com/notice) from the commerce department asks firms to comment on a simpler form for shipments of older accelerators, and gives them 60 days. Nvidia says in a [short statement](https://investor.example.com/nvda/statement) that it welcomes the step and will reply.

What the form would change in practice is unclear. Lawyers who have read the draft note that the limits themselves stay where they are, and that only the paperwork shrinks. A shorter queue would help customers plan, but it would not widen the list of those allowed to buy.

The author holds no Nvidia shares.`,
    fault: "near $188",
    clean: "near $181",
  },
  {
    name: "day's high overstated",
    stock: "META",
    headline: "Meta wobbles within a narrow range",
    preview: "A quiet morning for the owner of Instagram.",
    body: `The session's high for Meta Platforms stands at $752.40 and its low at $733.00. Between the two, traders have found little to argue over.

The company published [a progress note](https://investor.example.com/meta/glasses) on its glasses this week. It promises a lighter frame and a longer battery life, though no price and no date of sale. Rivals have shown similar prototypes, and none has reached shops in numbers worth counting.

Elsewhere, a consumer group in Brussels has asked for the records behind the paid, ad-free tier. Its [letter](https://consumers.example.com/letter) runs to nine pages and complains mostly of wording. Meta has said it will answer in writing. Nothing in the letter threatens a fine.

The writer has no position in Meta.`,
    fault: "at $752.40",
    clean: "at $748.60",
  },
  {
    name: "day's low understated",
    stock: "ASML",
    headline: "ASML: calm seas for the lithography champion",
    preview: "Orders, not headlines, will decide the autumn.",
    body: `Veldhoven's best-known company is having an uneventful day in New York. So far the shares have fallen no lower than $1,031 and risen no higher than $1,058.20.

A [supplier survey](https://chips.example.com/survey) suggests that makers of mirrors and stages are hiring again. That usually runs ahead of ASML's own output by two or three quarters, because the big machines take so long to assemble.

The company's guidance, restated in its [July presentation](https://investor.example.com/asml/july), has not moved. It still describes memory makers as the keener half of its customers and logic as the more patient one. Dutch export rules remain a footnote, though a long one.

Disclosure: no ASML shares in the author's hands.`,
    fault: "fallen no lower than $1,031 and risen",
    clean: "fallen no lower than $1,039 and risen",
  },
  {
    name: "volume with digits swapped",
    stock: "AMD",
    headline: "AMD in demand as servers sell",
    preview: "Turnover has been brisk since the opening bell.",
    body: `Busy, but not frantic: about 42 million shares of Advanced Micro Devices have changed hands so far today, with the price at $164.80 at the time of writing.

Interest follows a [cloud provider's post](https://cloud.example.com/amd-launch) announcing rental of the newest Instinct boards in two regions. The post shows list prices below those for comparable machines, and mentions a waiting list for the larger configuration.

AMD itself kept quiet. Its last formal word, in the [second-quarter remarks](https://investor.example.com/amd/remarks), was that supply would improve gradually through the rest of the year. Software remains the sore point, according to most users; the company's own tools have become better, yet many teams still port their code by hand.

The author owns nothing in AMD.`,
    fault: "about 42 million shares",
    clean: "about 24 million shares",
  },
  {
    name: "preview price with digits swapped",
    stock: "GOOGL",
    headline: "Alphabet waits for the judge",
    preview: "The stock stands at about $214 while lawyers finish their papers.",
    body: `The long dispute over advertising technology has come to the part where nothing happens in public. Both sides have filed their last briefs, the [court docket](https://courts.example.com/docket) shows, and the judge has set no date for a decision.

Alphabet argues that selling its exchange would harm small publishers. The government answers that promises of good conduct are hard to police. Neither argument is new, and the market's shrug is easy to understand.

Meanwhile the ordinary business goes on. A [company blog](https://investor.example.com/googl/blog) describes a wider roll-out of conversational search in eleven more languages. It names no revenue, but says that people ask longer questions and come back more often.

The writer has no shares in Alphabet of either class.`,
    fault: "about $214",
    clean: "about $241",
  },
  {
    name: "price just below the day's low",
    stock: "PLTR",
    headline: "Palantir swings, as Palantir does",
    preview: "A wide range before noon for a company used to it.",
    body: `Few large stocks move like this one. Palantir changes hands at $147.90 this morning, and a move of several dollars in either direction would surprise nobody.

The occasion, if one is needed, is a framework contract with a European interior ministry. The [tender notice](https://tenders.example.com/notice) names the firm as one of three suppliers and guarantees none of them any work. Critics in parliament want the source code examined first.

Palantir's [own account](https://investor.example.com/pltr/europe) is briefer: it is pleased, it says, to have been chosen. European public clients have so far been a small part of its sales, and slow ones. Procurement offices there seldom decide within a single budget year.

I am neither long nor short of Palantir.`,
    fault: "at $147.90",
    clean: "at $152.60",
  },
  {
    name: "claims a price above a level the stock has not reached",
    stock: "SHEL",
    headline: "Shell holds its level as crude drifts",
    preview: "Oil is dull today, and so is the oil major.",
    body: `With Brent hardly changed, Shell's American shares are trading above $75 and show few signs of wanting to go elsewhere.

The week's real news was technical. The operator of a liquefaction plant in Canada said in [an update](https://lng.example.com/update) that its second unit has come back after repairs. Shell, the largest partner, repeats in a [note to investors](https://investor.example.com/shel/note) that it means to sell more gas under long contracts and less on the spot market.

Refining is harder to read. Margins on diesel have improved since spring, whereas those on petrol follow the usual summer curve. Traders at the firm are said to be content, which in their trade counts as high praise.

The author holds no position in Shell.`,
    fault: "above $75",
    clean: "above $73",
  },
  {
    name: "price described as under a level it lies far from",
    stock: "INTC",
    headline: "Intel drifts while the foundry question lingers",
    preview: "A customer for the new process would change the tone.",
    body: `Intel costs just under 26 dollars a share at the moment, and the tape gives the impression of a crowd waiting for a bus.

The bus would be an outside customer for its most advanced process. A [trade magazine](https://semis.example.com/foundry) reports test runs with two designers of phone chips; it names neither. Intel's reply was that it does not comment on customers, a line that also heads its [foundry page](https://investor.example.com/intc/foundry).

Tests are cheap beside a commitment. A designer who moves must redraw large parts of a chip, and would want a second source in case the yields disappoint. That is why such talks tend to last well over a year, and why many end without a word.

The writer owns no Intel stock.`,
    fault: "just under 26 dollars",
    clean: "just under 25 dollars",
  },
];
