import type { Reading } from "../../../../../core/port/model.ts";

type Calculation = Reading["calculations"][number];

/**
 * The wrong sums of the second tuning part, as a model that reads well lists them: the draft's name, the calculation, and
 * for the draft without the fault the words that stand there instead.
 */
export const wrong: readonly (readonly [
  name: string,
  calculation: Calculation,
  right: Pick<Calculation, "excerpt" | "result"> & Partial<Calculation>,
])[] = [
  [
    "growth of the whole company",
    {
      excerpt: "Total revenue came to $103.4 billion, up 15% from $94.0 billion",
      result: "15%",
      operation: "change_percent",
      operands: ["$94.0 billion", "$103.4 billion"],
    },
    { excerpt: "Total revenue came to $103.4 billion, up 10% from $94.0 billion", result: "10%" },
  ],
  [
    "growth of earnings with its digits swapped",
    {
      excerpt: "after $1.05, an increase of 45%",
      result: "45%",
      operation: "change_percent",
      operands: ["$1.05", "$1.62"],
    },
    { excerpt: "after $1.05, an increase of 54%", result: "54%" },
  ],
  [
    "sum of three segments",
    {
      excerpt: "goods and services for $198.0 billion in the second quarter",
      result: "$198.0 billion",
      operation: "sum",
      operands: ["$110.4 billion", "$41.3 billion", "$37.3 billion"],
    },
    { excerpt: "goods and services for $189.0 billion in the second quarter", result: "$189.0 billion" },
  ],
  [
    "difference of two years' deliveries",
    {
      excerpt: "38,000 more than in the same months of 2025",
      result: "38,000",
      operation: "difference",
      operands: ["412,000", "384,000"],
    },
    { excerpt: "28,000 more than in the same months of 2025", result: "28,000" },
  ],
  [
    "price over four quarters' earnings",
    {
      excerpt: "stands at about 16.5 times that sum",
      result: "16.5 times",
      operation: "quotient",
      operands: ["$301.50", "$22.40"],
    },
    { excerpt: "stands at about 13.5 times that sum", result: "13.5 times" },
  ],
  [
    "value of all shares",
    {
      excerpt: "the company is valued at about $336 billion",
      result: "$336 billion",
      operation: "product",
      operands: ["2.38 billion", "$152.60"],
    },
    { excerpt: "the company is valued at about $363 billion", result: "$363 billion" },
  ],
  [
    "million for billion",
    {
      excerpt: "a share of 21% after 21.6%",
      result: "21%",
      operation: "share_percent",
      operands: ["$16.5 million", "$79.0 billion"],
    },
    {
      excerpt: "a share of 21% after 21.6%",
      result: "21%",
      operands: ["$16.5 billion", "$79.0 billion"],
    },
  ],
  [
    "dollars for cents",
    {
      excerpt: "The quarterly dividend is $53, so $2.12 a year",
      result: "$2.12",
      operation: "per_period",
      operands: ["$53"],
    },
    {
      excerpt: "The quarterly dividend is 53 cents, so $2.12 a year",
      result: "$2.12",
      operands: ["53 cents"],
    },
  ],
  [
    "headline's increase of a forecast",
    {
      excerpt: "Palantir adds $400 million to its forecast",
      result: "$400 million",
      operation: "difference",
      operands: ["$6.20 billion", "$5.90 billion"],
    },
    { excerpt: "Both ends are $300 million higher", result: "$300 million" },
  ],
  [
    "preview's growth of the year",
    {
      excerpt: "Microsoft's revenue grew 18% in the fiscal year to June 30",
      result: "18%",
      operation: "change_percent",
      operands: ["$281.7 billion", "$327.0 billion"],
    },
    { excerpt: "Microsoft's revenue grew 16% in the fiscal year to June 30", result: "16%" },
  ],
  [
    "cents a day",
    {
      excerpt: "$16.55 is about 28 cents a day for all apps together",
      result: "28 cents",
      operation: "quotient",
      operands: ["$16.55", "91"],
    },
    { excerpt: "$16.55 is about 18 cents a day for all apps together", result: "18 cents" },
  ],
  [
    "midpoint of the new range",
    {
      excerpt: "the midpoint moved from $51.2 billion to $51.7 billion",
      result: "$51.7 billion",
      operation: "average",
      operands: ["$51.2 billion", "$51.8 billion"],
    },
    { excerpt: "the midpoint moved from $51.2 billion to $51.5 billion", result: "$51.5 billion" },
  ],
  [
    "gap after a cut in basis points",
    {
      excerpt: "to 2.15%, the gap is 340 basis points",
      result: "340 basis points",
      operation: "difference",
      operands: ["5.75%", "2.15%"],
    },
    { excerpt: "to 2.15%, the gap is 360 basis points", result: "360 basis points" },
  ],
  [
    "total row of a table",
    {
      excerpt: "Total | 10.6 | 7.6 | 29%",
      result: "29%",
      operation: "change_percent",
      operands: ["7.6", "10.6"],
    },
    { excerpt: "Total | 10.6 | 7.6 | 39%", result: "39%" },
  ],
  [
    "percentage of a percentage",
    {
      excerpt: "Then 15% of all customers pay, and not 65%",
      result: "15%",
      operation: "portion",
      operands: ["25%", "40%"],
    },
    { excerpt: "Then 10% of all customers pay, and not 65%", result: "10%" },
  ],
  [
    "nvda-two-percent-band",
    {
      excerpt: "the band runs from $94.04 billion to $101.96 billion",
      result: "$101.96 billion",
      operation: "changed_by",
      operands: ["$98.0 billion", "2%"],
    },
    { excerpt: "the band runs from $96.04 billion to $99.96 billion", result: "$99.96 billion" },
  ],
  [
    "amzn-aws-margin",
    {
      excerpt: "AWS | 39.4 | 13.4 | 39.0%",
      result: "39.0%",
      operation: "share_percent",
      operands: ["13.4", "39.4"],
    },
    { excerpt: "AWS | 39.4 | 13.4 | 34.0%", result: "34.0%" },
  ],
  [
    "amd-embedded-share",
    {
      excerpt: "and embedded ones $1.0 billion (19.2%)",
      result: "19.2%",
      operation: "share_percent",
      operands: ["$1.0 billion", "$10.9 billion"],
    },
    { excerpt: "and embedded ones $1.0 billion (9.2%)", result: "9.2%" },
  ],
  [
    "tsla-quarter-growth",
    {
      excerpt: "12.3% more than the 384,100 of the same quarter",
      result: "12.3%",
      operation: "change_percent",
      operands: ["384,100", "412,300"],
    },
    { excerpt: "7.3% more than the 384,100 of the same quarter", result: "7.3%" },
  ],
  [
    "msft-nvda-contribution",
    {
      excerpt: "NVIDIA | 6.7% | +2.14% | +17.3",
      result: "+17.3",
      operation: "product",
      operands: ["6.7%", "+2.14%"],
    },
    { excerpt: "NVIDIA | 6.7% | +2.14% | +14.3", result: "+14.3" },
  ],
];
