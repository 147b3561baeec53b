import type { Article } from "./index.ts";

export const filings: Article = {
  headline: "Where a company's own numbers are filed, and how to read them first",
  stock: "AAPL",
  priceUsdg: 0.6,
  preview:
    "Before reading what others write about Apple's quarter, read the quarter. The filing is free, complete and dated, and three of its sections answer most questions that a headline raises. A map for the first fifteen minutes.",
  body: `Every company that is listed in the United States files its numbers with the regulator, and every filing is public. For Apple as for any other company the way there is the same: the [SEC's search page](https://www.sec.gov/search-filings) takes a name or a ticker and lists the filings by date.

## Which form to open

The annual report is form 10-K, the quarterly report form 10-Q, and news between the two comes on form 8-K. The [guide on how to read a 10-K](https://www.investor.gov/introduction-investing/general-resources/news-alerts/alerts-bulletins/investor-bulletins/how-read) walks through the sections in order. A press release is shorter and friendlier, but it chooses what to show. The filing does not have that choice.

## What to read first

Begin with the discussion by the management, which says in words what moved and why. Go on to the statements themselves, and compare each line with the same quarter a year before, since most businesses have seasons. Then read the notes on risks and legal matters, where a company has to write down what it would rather not.

## With a token in mind

A token that follows AAPL gives no vote and files nothing of its own. Whoever writes about the token should therefore cite the company's filing for the business, and the issuer's documents for the token. Those are two sources for two questions.

This is a reading guide and not investment advice.`,
};
