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

export const feedAndQuote: Article = {
  headline: "A price feed is not a quote: two numbers for one stock",
  stock: "MSFT",
  priceUsdg: 0.75,
  preview:
    "Contracts read the price of a stock from a feed, people read it from a quote. For MSFT the two can differ and both be right. Where each number comes from, how old it may be, and which one a program should trust for what.",
  body: `Two numbers for one stock look like a mistake. With tokenized shares they are normal, because people and contracts get their prices by different roads.

## The quote

A quote comes from a market data service over the web. It names a bid, an ask and a time, and it speaks of one share. It is made for people: fresh while the market is open, and marked when trading is halted. Nothing on the chain can see it.

## The feed

A price feed is a contract. A network of operators writes a number into it when the price has moved far enough, or when enough time has passed since the last write. The [documentation of Chainlink's feeds](https://docs.chain.link/data-feeds) calls these two conditions the deviation threshold and the heartbeat. Between two writes the number stands still by design, so a reader has to check the time of the last round before the answer, as the [interface reference](https://docs.chain.link/data-feeds/api-reference) advises.

## Why they differ

Timing is one reason. The other is what is being priced: a feed for the MSFT token may already contain the multiplier of the token, while the quote is for the bare share. A program that compares the two without knowing this finds a difference every time. A program that settles money should read the feed and its age. A page that informs people should show the quote and its time.

This describes data sources. It is not investment advice.`,
};

const multiplier: Article = {
  headline: "How to read the multiplier of a tokenized stock",
  stock: "AAPL",
  priceUsdg: 0.5,
  preview:
    "A tokenized share carries a number that most wallets never show. The multiplier says how many shares one token stands for, and it is the reason why a token and its share can be quoted apart without anybody being wrong.",
  body: `A tokenized stock is a token on a chain that follows one listed share. It looks like any other token in a wallet: a balance and a ticker. What the balance does not say is how many shares each token stands for. That is the job of the multiplier.

## Why there is one

Companies pay dividends and split their shares. A token could be sent to every holder each time, which is slow and costs gas. The alternative is to leave all balances alone and change one number in the contract. [ERC-8056](https://eips.ethereum.org/EIPS/eip-8056) describes this idea as a scaled display amount: the raw balance stays what it was, and an interface multiplies it before it shows anything.

## How to read it

Open the contract of the token in the [block explorer](https://robinhoodchain.blockscout.com) and call the function uiMultiplier. The answer is an integer with eighteen decimals. Divide, and you hold the number of shares behind one token. When Apple pays a dividend that is reinvested, the multiplier of the AAPL token grows a little while every balance stays the same.

## What follows from it

Compare like with like. A price for the share has to be multiplied before it is set beside a price for the token, and a chart that mixes the two shows a gap that is not there. Anyone who reads a raw balance from the chain should apply the multiplier before adding it up.

This text explains a mechanism. It is not investment advice.`,
};

export const tradingHalt: Article = {
  headline: "What a trading halt means for the holder of a stock token",
  stock: "TSLA",
  priceUsdg: 0.4,
  preview:
    "An exchange can stop the trading of a share within a moment, while the token that follows it keeps moving from wallet to wallet. What a halt is, who calls it, and what the word beside a quote of TSLA does and does not tell.",
  body: `A share on an exchange does not trade at all times. Besides nights and weekends there are halts: the exchange stops the trading of one stock, for minutes or for longer, and says why. The [SEC's page on halts](https://www.investor.gov/introduction-investing/investing-basics/glossary/trading-halts-and-delays) names the usual reasons, among them news that everybody should have time to read, and an imbalance between buyers and sellers.

## Meanwhile, on the chain

A token has no closing bell. While TSLA is halted on its exchange, the token that follows it can still be sent from one wallet to another, because the token contract knows nothing of the exchange. What stops is the flow of fresh prices: a quote that was taken before the halt stays where it was. That is why a quote carries both a mark for the halt and the time at which it was made.

## How to read the mark

The mark says that the price beside it is the last one known, and no more than that. It does not say what comes after. Exchanges publish every halt with its code and its time, for example in the [list that Nasdaq keeps](https://www.nasdaqtrader.com/trader.aspx?id=TradeHalts), and the holder of a token can look there for the reason before reading anything into a number that stands still.

Nothing here is advice to buy or to sell.`,
};

export const askingPrice: Article = {
  headline: "Bid, ask and mid: what one price of a stock leaves out",
  stock: "NVDA",
  priceUsdg: 0.25,
  preview:
    "A page that shows one price for NVDA has already made a choice for you. Behind it stand a bid and an ask, and the distance between them says more about a quiet hour than the figure in the middle.",
  body: `Ask for the price of a stock and you will mostly get one number. There are at least two. The bid is what somebody is ready to pay now, the ask is what somebody wants for selling now. The [SEC's glossary for investors](https://www.investor.gov/introduction-investing/investing-basics/glossary) keeps short definitions of both, and of the spread between them.

## Where the mid comes from

The mid is the average of bid and ask. Nobody has to trade at it. It is a fair way to show one stock over time, because it does not jump from side to side when buyers and sellers take turns, and it is what this market prints beside an article about NVDA.

## What the spread says

When many people trade, the spread is narrow and the mid is close to what an order would get. At night, before a company reports, or in a token with few holders, the spread widens. The mid may then stay calm while the price of an actual order is far from it. The [guide to order types](https://www.investor.gov/introduction-investing/investing-basics/how-stock-markets-work/types-orders) explains why a market order meets the ask, and why a limit order may wait.

## A habit worth having

Look at the time of a quote first, then at both sides, and only then at the number in the middle. One price is a summary, and a summary leaves things out.

This is an explanation of terms and no advice to trade.`,
};

export const contractAddress: Article = {
  headline: "Match a stock token by its contract address, not by its ticker",
  stock: "GOOGL",
  priceUsdg: 0.3,
  preview:
    "Anybody can issue a token and call it GOOGL. The name is a label that its maker chose; the address is the one thing that cannot be copied. A short routine for telling the token that follows a share from one that only says so.",
  body: `The ticker of a token is a piece of text that its maker typed. Nothing on a chain reserves it. The [ERC-20 standard](https://eips.ethereum.org/EIPS/eip-20) makes name and symbol optional and says nothing about who may use which, so a second token that calls itself GOOGL breaks no rule and costs its maker very little.

## What cannot be copied

Every contract stands at one address, and no other contract on that chain can stand there. A list of addresses that you took from the issuer is therefore worth more than any search by name. This market matches stock tokens by address for the same reason: an article about GOOGL is tied to one contract, whatever others call themselves.

## A short routine

Take the address from the issuer's own page or service, never from a message or from a search result. Open that address in the [block explorer](https://robinhoodchain.blockscout.com) and look at the contract: is its source published, how long has it been there, how many holders does it have? Compare the whole address, since the first and last characters alone can be imitated with some computing time. Then keep the address in your wallet's own list, so that the next payment does not begin with a search.

The routine takes two minutes. It is a precaution and not advice on what to hold.`,
};

/** The publisher's input for a demo press (specification §2.9). */
export type Article = {
  readonly headline: string;
  readonly stock: string;
  /** The price in USDG. */
  readonly priceUsdg: number;
  readonly preview: string;
  readonly body: string;
};

/** The demo's publishers are test accounts that own no stocks, so their articles need no disclosure. */
export const publishers: readonly {
  readonly account: number;
  readonly publisherName: string;
  readonly articles: readonly Article[];
}[] = [
  { account: 4, publisherName: "Ines Calloway", articles: [filings, contractAddress] },
  { account: 5, publisherName: "The Ledger Desk", articles: [tradingHalt, feedAndQuote] },
  { account: 6, publisherName: "Tomas Reyle", articles: [askingPrice, multiplier] },
];
