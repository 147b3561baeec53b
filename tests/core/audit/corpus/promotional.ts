import { type Article, extended, holding, type Labelled, labelled, rewritten } from "./desk.ts";
import { capex, deliveries, essay, remedies, supply } from "./good.ts";

const rocket: Article = {
  stock: "TSLA",
  headline: "Why Tesla is about to explode and how to get in early",
  preview:
    "The smart money is loading up on Tesla before the big event. This could be the most important trade of your decade, and the window is closing fast. Read on while there is still time.",
  body: `Let me be honest with you: I have never been this excited about a stock. Tesla is about to explode, and almost nobody is paying attention. The robot event is in two weeks. When the market sees what is coming, the token will skyrocket, and those who waited will chase it at twice the price.

Look at the [invitation](https://www.tesla.com/events). They would not rent a stadium for nothing! Friends of mine have gone all in, and I have told my own mother to buy. You cannot lose here: even if the robot disappoints, the taxi business alone is worth more than today's price.

This is a once in a lifetime opportunity. Ten years ago people laughed at those who bought at the split-adjusted price of a sandwich, and those people are retired today. Do not be the one who tells the story of what might have been. Get in now, before everyone else does, and thank me later.

I expect nothing less than a double by Christmas. The downside is basically zero, because big funds will defend the price. Massive gains await those with the courage to act now. Diamond hands will be rewarded, as they always have been with Tesla. 🚀`,
};

const adviser: Article = {
  stock: "NVDA",
  headline: "A simple plan to turn Nvidia's dip into retirement money",
  preview:
    "Most people fail in markets because they have no plan. Here is mine for Nvidia, with amounts and dates. Follow it and you will look back on this dip as the best thing that happened to you.",
  body: `Every dip in Nvidia has been a gift so far, and this one is no different. Here is the plan. Sell whatever has not moved this year. Put half of your savings into the token this week, and the other half when the price falls by another three percent. Set no stop, since stops only serve those who hunt them.

Why am I so sure? Because the [order book](https://www.sec.gov/nvda-10q) is public. Commitments are up, which means that sales are going to follow as surely as the day follows the night. The shares will certainly double within eighteen months; there has never been a cycle in which they did not.

You should also move your pension if your provider lets you. I recommend that readers buy in three steps, and hold until the end of next year without looking. Those who do will make a fortune while others are still reading reports. It is essentially risk-free, as the dividend of patience is always paid.

If you have doubts, ask yourself what you would have given for this chance in 2019. My advice is to act before the next earnings call. After that it is too late, and the easy money will have been made by somebody else.`,
};

const newsletter: Article = {
  stock: "AAPL",
  headline: "Apple: the quiet compounder nobody wants you to own",
  preview:
    "Wall Street talks about everything except the one stock that keeps making ordinary people wealthy. A look at why Apple beats every alternative, and how subscribers of this letter profit from it.",
  body: `Wall Street does not want you to own Apple, because there is nothing to sell you afterwards. The [filing](https://www.sec.gov/apple-10q) shows a machine that prints cash in every season. There is no scenario in which a holder comes out poorer over ten years.

Our subscribers know this. Those who joined two years ago have seen gains that others only dream of, and our model portfolio has never had a losing year. The token lets you share in it from one dollar on, at any hour, without asking a bank.

Here is what we do next. We add at every price below 330, and so should every reader with a horizon beyond the summer. A position of a tenth of your wealth is the least that makes sense; a third is better. Hurry, since the window before the product launch is short.

Sceptics will tell you about regulation. They told us the same in 2015, in 2018 and in 2022, and each time those who listened to them paid for it. Apple is unstoppable. It is a no-brainer, and in a year from now you will wish that you had bought more of it than you dared. Sign up for the full list of picks on our site!`,
};

/** Drafts that sell: labelled by what an editor would strike out. */
export const promotional: readonly Labelled[] = [
  labelled("a rocket", rocket, ["pump", "promises"]),
  labelled("a rocket of a holder", rocket, ["pump", "promises", "disclosure"], holding),
  labelled("a plan for the reader's savings", adviser, ["advice", "promises"]),
  labelled("a newsletter's pitch", newsletter, ["advice", "promises", "pump"]),
  labelled(
    "one order at the end",
    extended(supply, "So what now? Buy NVDA today and hold it through the next report."),
    ["advice"],
  ),
  labelled(
    "one promise at the end",
    extended(capex, "Whoever holds Microsoft for five years is guaranteed a profit."),
    ["promises"],
  ),
  labelled(
    "a recommendation in a polite form",
    extended(remedies, "We would recommend buying the token ahead of the ruling."),
    ["advice"],
  ),
  labelled(
    "a recommendation without the word",
    extended(deliveries, "Readers would be wise to sell their Tesla tokens before the next release."),
    ["advice"],
  ),
  labelled(
    "a certain rise",
    rewritten(supply, {
      3: "Given these orders the stock will certainly rise once guidance is out. There is no way it can fall from here, because capacity is sold until 2028.",
    }),
    ["promises"],
  ),
  labelled(
    "a promised price",
    extended(essay, "Even so, the token will reach $600 by December, that much is sure."),
    ["promises"],
  ),
  labelled(
    "urgency in the headline",
    { ...supply, headline: "Nvidia's supply commitments: last chance to get in before it's too late" },
    ["pump"],
  ),
  labelled(
    "urgency in the preview",
    { ...capex, preview: `${capex.preview} Don't miss out: this is going to skyrocket.` },
    ["pump"],
  ),
  labelled(
    "forum talk",
    extended(deliveries, "Apes together strong: HODL, diamond hands, and we all get lambos!!"),
    ["pump"],
  ),
  labelled(
    "shouting",
    extended(
      remedies,
      "THIS IS THE CHANCE OF A LIFETIME!!! The smart money is loading up and massive gains are waiting!!!",
    ),
    ["pump"],
  ),
];
