import { extended, holding, type Labelled, labelled, rewritten } from "./desk.ts";
import { buyback, capex, deliveries, essay, remedies, supply } from "./good.ts";

const withoutLinks = (body: string) => body.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");

const hearsay = {
  stock: "TSLA",
  headline: "What insiders expect from Tesla's robot day",
  preview:
    "The robot event is two weeks away and expectations differ widely. What people close to the company expect to see, what they doubt, and why the date was moved twice this year.",
  body: `Tesla will show its robot in two weeks, and people familiar with the matter say that the new version can fold laundry without help. Insiders said that the hands were redesigned over the summer after a supplier left.

Analysts expect a price of about $25,000 when sales begin. Some say that this is below the cost of the parts, which sources close to the supply chain put at $38,000 for the present version. Studies show that households would pay at most half of that for a machine that does chores, and many believe that the first thousand units will stay in Tesla's own factories anyway.

The date was moved twice. It is rumoured that the reason was battery life, which reportedly fell short of four hours in tests. Experts agree that anything below six is of little use on a shift.

The [invitation](https://www.tesla.com/events) itself only names the place and the hour. Everyone knows that such events run late, and word is that this one will have no test by the audience. What the stock does afterwards depends less on the robot than on whether a production date is named, as was the case with the truck in 2019.`,
} as const;

const thin = {
  stock: "MSFT",
  headline: "Five habits of people who sleep well in volatile markets",
  preview:
    "Volatility keeps investors awake at night. Five habits that help, from writing down a plan to leaving the phone in another room. None of them needs more than ten minutes a day.",
  body: `Markets go up and markets go down. People who sleep well anyway have habits in common. The first habit is to write down a plan before the week begins. A plan on paper is harder to change in a bad moment than a plan in the head, and it can be read again when the moment has passed.

The second habit is to look at prices at fixed hours only. Whoever looks all day sees mostly noise, and noise is tiring. The third habit is to leave the phone in another room at night. It sounds trivial and it works, because nobody gets up to fetch it.

The fourth habit is to talk with somebody who does not trade. Such people ask the best questions, for they do not know what one is supposed to think. The fifth habit is to go for a walk when a decision feels urgent. Very few decisions are still urgent after a walk around the block, and the ones that are can be made with a cooler head.

None of this is new, and that is the point of it. Calm is made of small things that are repeated. Those who keep to them for a month will notice the difference by themselves, and need nobody to tell them about it.`,
} as const;

const opening = supply.body
  .split("\n\n")
  .slice(0, 2)
  .join(" ")
  .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");

/** Drafts with the faults of haste: nothing in them is meant to mislead. */
export const sloppy: readonly Labelled[] = [
  labelled("hearsay throughout", hearsay, ["sources"]),
  labelled("figures and no link at all", { ...supply, body: withoutLinks(supply.body) }, ["sources"]),
  labelled("a court case without a link", { ...remedies, body: withoutLinks(remedies.body) }, ["sources"]),
  labelled("not about its stock", thin, ["subject"]),
  labelled(
    "a headline from another article",
    { ...capex, headline: "Xbox studios face closures after a weak holiday lineup" },
    ["headline"],
  ),
  labelled(
    "a headline that promises an interview",
    { ...deliveries, headline: "Exclusive interview: a Tesla engineer on battery chemistry" },
    ["headline"],
  ),
  labelled(
    "a preview about something that never comes",
    {
      ...remedies,
      preview:
        "Cloud margins, YouTube subscriptions and the Waymo expansion to Tokyo: where the next ten billion of profit could come from, with a table of assumptions and a sensitivity analysis.",
    },
    ["preview"],
  ),
  labelled(
    "a preview with a figure of its own",
    {
      ...supply,
      preview:
        "Purchase commitments of $61 billion stand in the notes of Nvidia's filing. What they mean, why they grew, and how to read the next report with them in mind.",
    },
    ["preview"],
  ),
  labelled("a preview that is the article's beginning", { ...supply, preview: opening.slice(0, 398) }, [
    "preview",
  ]),
  labelled(
    "a preview that says the opposite",
    {
      ...buyback,
      preview:
        "Apple's spending on its own shares increased again in the June quarter. The filing shows where the money for the growing programme comes from, and what the board plans next.",
    },
    ["preview"],
    holding,
  ),
  labelled(
    "a headline with another figure than the text",
    { ...supply, headline: "Nvidia's supply commitments jump to $95 billion" },
    ["headline"],
  ),
  labelled(
    "a percentage that the text corrects",
    { ...supply, headline: "Nvidia revenue grew 64% in the period, a filing shows" },
    ["headline"],
  ),
  labelled("a holder who keeps silent", deliveries, ["disclosure"], holding),
  labelled(
    "a holder who denies it",
    extended(capex, "Disclosure: the author holds no position in any company named here."),
    ["disclosure"],
    holding,
  ),
  labelled(
    "a holder who names another stock",
    extended(essay, "Disclosure: the author owns shares of Ford and GM."),
    ["disclosure"],
    holding,
  ),
  labelled(
    "an impossible date",
    rewritten(supply, {
      2: "The last time this number moved so quickly was on September 31, 2022. Demand from cloud customers then paused, and Nvidia wrote down inventory; the [annual report for that year](https://www.sec.gov/nvda-10k-2023) put the charge at $2.17 billion.",
    }),
    ["dates"],
  ),
  labelled(
    "a weekday that the date does not have",
    extended(
      remedies,
      "The judge heard the closing arguments on Tuesday, August 21, 2026, and asked for nothing further.",
    ),
    ["dates"],
  ),
  labelled(
    "a past that lies ahead",
    extended(capex, "The company reported these figures on October 28, 2027, after the close of trading."),
    ["dates"],
  ),
  labelled(
    "last year's date for today",
    extended(
      deliveries,
      "Today, September 4, 2025, the company confirmed that the next release comes in October.",
    ),
    ["dates"],
  ),
];
