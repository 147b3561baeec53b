import type { Reading } from "../../../../../core/port/model.ts";

type Calculation = Reading["calculations"][number];

type Entry = readonly [
  excerpt: string,
  result: string,
  operation: Calculation["operation"],
  ...operands: readonly string[],
];

/**
 * Calculations of clean drafts of the second tuning part, all of them right: as a model lists them that reads well, and
 * that at times names operands in another order or a neighbouring operation.
 */
const entries: Readonly<Record<string, readonly Entry[]>> = {
  "apple june quarter": [
    [
      "services revenue rose 14% from a year earlier to $31.35 billion",
      "14%",
      "change_percent",
      "$31.35 billion",
      "$27.5 billion",
    ],
    ["$48.15 billion, 7% more than the $45 billion", "7%", "change_percent", "$45 billion", "$48.15 billion"],
    ["make up $79.5 billion of that", "$79.5 billion", "sum", "$31.35 billion", "$48.15 billion"],
    ["of that, or about 77%", "77%", "share_percent", "$103.4 billion", "$79.5 billion"],
    ["40 basis points less, though still", "40 basis points", "difference", "46.5%", "46.9%"],
    ["still 20 more than the 46.3% of a year ago", "20", "difference", "46.5%", "46.3%"],
    ["so that $24.9 billion went to holders", "$24.9 billion", "sum", "$21 billion", "$3.9 billion"],
    ["services grew twice as fast as the iPhone", "twice", "multiple", "14%", "7%"],
  ],
  "nvidia july quarter": [
    ["so the growth is 55%", "55%", "change_percent", "$40.0 billion", "$62.0 billion"],
    ["April quarter's $57.4 billion it is 8%", "8%", "change_percent", "$62.0 billion", "$57.4 billion"],
    ["Data centers account for almost 89% of it", "89%", "share_percent", "$62.0 billion", "$70.0 billion"],
    [
      "The remaining $3.0 billion comes from cars",
      "$3.0 billion",
      "difference",
      "$70.0 billion",
      "$62.0 billion",
      "$5.0 billion",
    ],
    ["from 74.4% to 75.2%, or 0.8 points", "0.8 points", "difference", "74.4%", "75.2%"],
    ["a range of $73.5 billion to $76.5 billion", "$76.5 billion", "changed_by", "$75 billion", "2%"],
    ["a range of $73.5 billion to $76.5 billion", "$73.5 billion", "changed_by", "$75 billion", "2%"],
    [
      "midpoint lies about 7% above the quarter just reported",
      "7%",
      "change_percent",
      "$70.0 billion",
      "$75 billion",
    ],
  ],
  "amazon three segments": [
    ["the growth of 12.7% contains", "12.7%", "change_percent", "$167.7 billion", "$189.0 billion"],
    ["$13.4 billion of it, or nearly 64%", "64%", "share_percent", "$13.4 billion", "$21.0 billion"],
    ["it brings in just under 20% of revenue", "20%", "share_percent", "$37.3 billion", "$189.0 billion"],
    ["Its margin is about 36%", "36%", "share_percent", "$13.4 billion", "$37.3 billion"],
    [
      "With $1.5 billion on $41.3 billion the margin is 3.6%",
      "3.6%",
      "quotient",
      "$1.5 billion",
      "$41.3 billion",
    ],
    ["had yielded $1.1 billion, which was 3.0%", "3.0%", "share_percent", "$1.1 billion", "$36.8 billion"],
    ["That is 38% less while operating cash flow", "38%", "change_percent", "$11.2 billion", "$18.2 billion"],
    [
      "Operating income was $21.0 billion",
      "$21.0 billion",
      "sum",
      "$13.4 billion",
      "$6.1 billion",
      "$1.5 billion",
    ],
  ],
  "tesla deliveries": [
    ["That is an increase of 7.3%", "7.3%", "change_percent", "384,000", "412,000"],
    ["for 389,000 of the deliveries, or 94%", "94%", "share_percent", "389,000", "412,000"],
    ["adds up to 23,000", "23,000", "difference", "412,000", "389,000"],
    ["Since 9,500 of them found no buyer", "9,500", "difference", "421,500", "412,000"],
    ["30% above the 9.6 of last year", "30%", "change_percent", "9.6", "12.5"],
    ["which makes a gain of 2.4 points", "2.4 points", "difference", "15.0%", "17.4%"],
  ],
  "jpmorgan second quarter": [
    ["The difference of $1.2 billion", "$1.2 billion", "difference", "$24.6 billion", "$23.4 billion"],
    ["difference of $1.2 billion amounts to 5%", "5%", "share_percent", "$1.2 billion", "$23.4 billion"],
    ["Provisions fell by an eighth", "an eighth", "change_percent", "$3.2 billion", "$2.8 billion"],
    ["a decline of 12.5%", "12.5%", "change_percent", "$2.8 billion", "$3.2 billion"],
    ["is $5.60 a share", "$5.60", "quotient", "$15.3 billion", "2.73 billion"],
    ["Four such quarters would be $22.40", "$22.40", "product", "$5.60", "Four"],
    ["there are 3.5 points to spare", "3.5 points", "difference", "15.0%", "11.5%"],
    ["The capital ratio is 40 basis points lower", "40 basis points", "difference", "15.4%", "15.0%"],
  ],
  "palantir multiple": [
    ["The one divided by the other is 140", "140", "quotient", "$152.60", "$1.09"],
    ["which is 58 times the $6.22 billion", "58 times", "multiple", "$363 billion", "$6.22 billion"],
    ["After one year the multiple is 100", "100", "quotient", "140", "40%"],
    ["the price must be 47% higher at the end", "47%", "yearly_percent", "8%", "five"],
    ["The multiple is then 38 rather than 26", "38", "changed_by", "26", "47%"],
  ],
  "alphabet cloud backlog": [
    ["The growth of 40% is eight points faster", "40%", "change_percent", "$13.6 billion", "$19.1 billion"],
    ["Four quarters of this size would be $76.4 billion", "$76.4 billion", "per_period", "$19.1 billion"],
    ["which makes more than $75 billion", "$75 billion", "product", "four", "$19.1 billion"],
    ["the increase within one quarter is 16%", "16%", "change_percent", "$155 billion", "$180 billion"],
    ["15% above the $96.4 billion of last year", "15%", "change_percent", "$96.4 billion", "$110.9 billion"],
    ["nearly twice the $91 billion of 2025", "twice", "multiple", "$180 billion", "$91 billion"],
  ],
  "meta revenue per person": [
    ["in June, makes $16.55", "$16.55", "quotient", "$58.6 billion", "3.54 billion"],
    ["3.48 billion people, or $13.65", "$13.65", "quotient", "$47.5 billion", "3.48 billion"],
    ["each person is worth $2.90 more", "$2.90", "difference", "$16.55", "$13.65"],
    ["$2.90 more, an increase of 21%", "21%", "share_percent", "$2.90", "$13.65"],
    ["The number of people grew by 1.7%", "1.7%", "change_percent", "3.48 billion", "3.54 billion"],
    ["1.21 times 1.017 is 1.23", "1.23", "product", "1.21", "1.017"],
  ],
  "amd segment table": [
    ["Data Center | 5.4 | 3.2 | 69%", "69%", "change_percent", "3.2", "5.4"],
    ["Client and Gaming | 4.3 | 3.6 | 19%", "19%", "change_percent", "3.6", "4.3"],
    ["Total | 10.6 | 7.6 | 39%", "10.6", "sum", "5.4", "4.3", "0.9"],
    ["$2.2 billion of the additional $3.0 billion", "$3.0 billion", "difference", "10.6", "7.6"],
    ["the segment's growth would be 38%", "38%", "change_percent", "3.9", "5.4"],
    ["bring in 51% of revenue after 42%", "51%", "share_percent", "5.4", "10.6"],
    ["51% of revenue after 42%, nine points more", "nine points", "difference", "51%", "42%"],
  ],
};

export const right: readonly (readonly [name: string, calculations: readonly Calculation[]])[] =
  Object.entries(entries).map(([name, list]) => [
    name,
    list.map(([excerpt, result, operation, ...operands]) => ({ excerpt, result, operation, operands })),
  ]);
