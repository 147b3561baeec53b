import { extended, type Labelled, labelled, rewritten } from "./desk.ts";
import {
  buyback,
  capex,
  deliveries,
  essay,
  grounded,
  groundedSources,
  range,
  remedies,
  supply,
} from "./good.ts";

const drafted = { sources: groundedSources };

/** Drafts that are wrong about a number that the auditor can know. */
export const figures: readonly Labelled[] = [
  labelled(
    "a price from another year",
    extended(supply, "The Nvidia token trades at $118.20 this afternoon, in the middle of its range."),
    ["figures"],
  ),
  labelled("a price before a split", extended(supply, "NVDA is now quoted at $1,240 on this chain."), [
    "figures",
  ]),
  labelled(
    "a price of somebody's dreams",
    rewritten(deliveries, {
      3: "The token, which trades near $640, reflects hopes about software and robots more than cars in car parks. Whoever reads the next release should subtract before applauding.",
    }),
    ["figures"],
  ),
  labelled("a price a little off", extended(capex, "Microsoft changes hands at $545 as this is written."), [
    "figures",
  ]),
  labelled(
    "a price in the headline",
    { ...remedies, headline: "Alphabet trades at $310: the search remedy that could cost it least" },
    ["figures", "headline"],
  ),
  labelled(
    "a price said in passing",
    extended(essay, "At today's $512 a token, that third is worth more than any carmaker."),
    ["figures"],
  ),
  labelled(
    "a high that never was",
    rewritten(
      range,
      {
        0: "The Alphabet token stands at $241.70 this afternoon, after a low of $239.20 and a high of $267.50 during the session. That is a wide range, on a day with two announcements that had been awaited for weeks.",
      },
      { headline: "Alphabet's day: why two announcements did not matter" },
    ),
    ["figures"],
  ),
  labelled(
    "a move that the range forbids",
    extended(
      buyback,
      "Apple is down 14% today after the filing. Disclosure: the publisher holds none of it.",
    ),
    ["figures"],
  ),
  labelled(
    "a jump that the range forbids",
    extended(remedies, "The stock surged 22% this morning on the judge's words."),
    ["figures"],
  ),
  labelled(
    "an AI draft that misquotes a source",
    rewritten(grounded, {
      1: "The first is about a supplier in Taiwan, whose sales in August rose 43% from a year earlier ([Pacific Business Wire](https://wire.example/tsmc-sales)). The supplier makes chips for many customers, and a part of the growth belongs to phones.",
    }),
    ["figures"],
    drafted,
  ),
  labelled(
    "an AI draft that doubles a budget",
    rewritten(grounded, {
      2: "The second concerns a customer. A large cloud company plans to spend $160 billion on data centers in the fiscal year that began in July ([Daily Ledger](https://ledger.example/cloud-budget)). A budget is not an order, and buildings come before servers.",
    }),
    ["figures"],
    drafted,
  ),
  labelled(
    "an AI draft with a figure from nowhere",
    extended(grounded, "Nvidia's share of the market for such processors was 87% in the last quarter."),
    ["figures"],
    drafted,
  ),
  labelled(
    "an AI draft with two figures from nowhere",
    extended(grounded, "Gross margin came to 74.6%, and the company holds $56.8 billion in cash."),
    ["figures"],
    drafted,
  ),
  labelled(
    "an AI draft whose writer adds a source",
    extended(
      grounded,
      "Gross margin came to 74.6%, the [quarterly filing](https://www.sec.gov/nvda-10q) says.",
    ),
    [],
    drafted,
  ),
  labelled(
    "an AI draft with a stale price",
    rewritten(grounded, {
      3: "Nvidia's token trades at $94.30 today. What would show how firm the order book is are the company's own figures for supply commitments and customer prepayments, which come with the next quarterly filing.",
    }),
    ["figures"],
    drafted,
  ),
];
