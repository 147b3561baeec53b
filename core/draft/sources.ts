import type { Quote, Stock } from "../market/schema.ts";
import type { Angle, Headline, Source } from "./schema.ts";

/** Reports that go with the price, for what may have moved it, or that tell of the business. */
const besides = 3;

type Known = {
  readonly stock: Stock;
  readonly quote: Quote | undefined;
  /** What the caller has been shown lately, newest first. */
  readonly reports: readonly Headline[];
};

/** What a draft on this angle is written from. */
export function sourcesFor(angle: Angle, { stock, quote, reports }: Known): readonly Source[] {
  const price = quote === undefined ? [] : [quotePage(quote)];
  switch (angle.kind) {
    case "headline":
      return [...reports.filter(({ link }) => link === angle.link).map(report), ...price];
    case "price":
      return [...price, ...reports.slice(0, besides).map(report)];
    case "fundamentals":
      return [...reports.filter(isOnBusiness).slice(0, besides).map(report), filings(stock), ...price];
  }
}

/** Whether a report tells of what a company earns, spends, sells or owes. */
export function isOnBusiness({ title, summary }: Headline): boolean {
  return /\b(?:revenues?|sales|sold|profits?|earn(?:s|ed|ings)|loss(?:es)?|margins?|results|guidance|outlook|dividends?|buybacks?|cash flow|debt|deliver(?:s|ed|ies)|orders|shipments|subscribers|quarterly|capital expenditure|spending)\b/i.test(
    `${title} ${summary}`,
  );
}

/** The company's name out of a token's, as in "Apple • Robinhood Token". */
export function companyOf({ name }: Stock): string {
  return name.split("•")[0]?.trim() || name;
}

/** As of when and in which range a token is quoted, in words. */
export function quoted({ mid, dayLow, dayHigh, halted, asOf }: Quote): string {
  const time = `${asOf.slice(0, 10)} ${asOf.slice(11, 16)} UTC`;
  const range = `between ${usd(dayLow)} and ${usd(dayHigh)} on the day`;
  return `${usd(mid)} a token as of ${time}, ${range}${halted ? ", with trading halted" : ""}`;
}

function usd(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

function report({ title, summary, source, link, publishedAt }: Headline): Source {
  return { title, source, link, text: `${publishedAt}: ${title}. ${summary}`.trim() };
}

function quotePage(quote: Quote): Source {
  const { symbol, volume } = quote;
  return {
    title: `${symbol} quote`,
    source: "Robinhood",
    link: `https://robinhood.com/stocks/${encodeURIComponent(symbol)}`,
    text: `${symbol} is at ${quoted(quote)}. Shares traded today: ${volume}.`,
  };
}

/** EDGAR writes a share class with a hyphen. */
function filings(stock: Stock): Source {
  const ticker = encodeURIComponent(stock.symbol.replace(".", "-"));
  return {
    title: `Filings of ${companyOf(stock)}`,
    source: "SEC EDGAR",
    link: `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${ticker}`,
    text: `Where the annual, quarterly and current reports of ${companyOf(stock)} can be read. None of them is quoted here.`,
  };
}
