import type { FreshFault } from "../form.ts";

/** Dates that the calendar contradicts, and prices that the quote contradicts. */
export const moments: readonly FreshFault[] = [
  {
    name: "weekday of a release",
    kind: "dates",
    subtle: true,
    of: "costco august",
    replace: [["on Wednesday, September 2", "on Thursday, September 2"]],
    excerpt: "Thursday, September 2",
    truth: "September 2, 2026 was a Wednesday",
  },
  {
    name: "tonight nine days ago",
    kind: "dates",
    subtle: false,
    of: "nvidia july quarter",
    replace: [
      [
        "The report came out on Wednesday, August 26, after the close.",
        "The report comes out tonight, August 26, after the close.",
      ],
    ],
    excerpt: "tonight, August 26",
    truth: "today is September 4; the report came out nine days ago",
  },
  {
    name: "quarter that has not ended",
    kind: "dates",
    subtle: true,
    of: "microsoft fiscal year",
    replace: [
      [
        "For the quarter that ends on September 30 Microsoft forecasts $86.0 billion to $87.2 billion.",
        "In the quarter that ended on September 30 Microsoft took in $86.6 billion.",
      ],
    ],
    excerpt: "the quarter that ended on September 30",
    truth: "the quarter ends in 26 days",
  },
  {
    name: "yesterday a month ago",
    kind: "dates",
    subtle: false,
    of: "palantir raised forecast",
    replace: [
      [
        "Palantir raised its forecast for 2026 on August 3.",
        "Palantir raised its forecast for 2026 yesterday, August 3.",
      ],
    ],
    excerpt: "yesterday, August 3",
    truth: "yesterday was September 3",
  },
  {
    name: "next month in the past",
    kind: "dates",
    subtle: false,
    of: "alphabet cloud backlog",
    replace: [
      [
        "Alphabet published its results on July 23.",
        "Alphabet will publish its full report next month, on July 23.",
      ],
    ],
    excerpt: "next month, on July 23",
    truth: "July 23 was six weeks ago; next month is October",
  },
  {
    name: "quote of July as that of now",
    kind: "dates",
    subtle: true,
    of: "tesla deliveries",
    replace: [
      [
        "The token was quoted at $402.60 on Friday; its high for the day was $409.30.",
        "The token is quoted at $402.60 right now, as of July 24.",
      ],
    ],
    excerpt: "right now, as of July 24",
    truth: "a quote of July 24 is six weeks old",
  },
  {
    name: "digits of the price swapped",
    kind: "prices",
    subtle: true,
    of: "apple june quarter",
    replace: [
      [
        "traded at $327.10 on Friday morning, inside the day's range of $324.10 to $328.50.",
        "traded at $372.10 on Friday morning.",
      ],
    ],
    excerpt: "$372.10",
    truth: "$327.20; the day's range is $324.10 to $328.50",
  },
  {
    name: "price beside a neighbour's",
    kind: "prices",
    subtle: true,
    of: "amd server share",
    replace: [
      [
        "The token stood at about $165 on Friday.",
        "On Friday Intel's token stood at $24.60 and AMD's at about $185.",
      ],
    ],
    excerpt: "AMD's at about $185",
    truth: "$164.80; the day's range is $161.30 to $167.90",
  },
  {
    name: "price of minutes ago",
    kind: "prices",
    subtle: false,
    of: "meta spending range",
    replace: [
      [
        "The token stood at $741 on Friday.",
        "A few minutes ago, on Friday morning, the token stood at $641.",
      ],
    ],
    excerpt: "the token stood at $641",
    truth: "$741.20; the day's low is $733",
  },
  {
    name: "range of the day",
    kind: "prices",
    subtle: true,
    of: "alphabet cloud backlog",
    replace: [
      [
        "The price of the class A token lay between $239.20 and $243.90 on Friday.",
        "The price of the class A token lay between $229.20 and $233.90 on Friday.",
      ],
    ],
    excerpt: "between $229.20 and $233.90 on Friday",
    truth: "between $239.20 and $243.90",
  },
  {
    name: "decimal point of the price",
    kind: "prices",
    subtle: false,
    of: "disney streaming profit",
    replace: [["The token was quoted at $118.30 on Friday.", "The token was quoted at $11.83 on Friday."]],
    excerpt: "$11.83",
    truth: "$118.30",
  },
  {
    name: "price thirty dollars too high",
    kind: "prices",
    subtle: false,
    of: "amazon three segments",
    replace: [
      [
        "On Friday the token was at $228.40, near the middle of its range for the day.",
        "On Friday the token was at $258.40, near the middle of its range for the day.",
      ],
    ],
    excerpt: "the token was at $258.40",
    truth: "$228.40; the day's range is $225.90 to $230.10",
  },
];
