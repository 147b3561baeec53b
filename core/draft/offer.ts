import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import { makeBusyError } from "../error.ts";
import { type Quote, readCompany, type Stock } from "../market/schema.ts";
import type { AllPorts } from "../ports.ts";
import { commit } from "../transact.ts";

import { type Angle, Headline, HeadlineAngle, type Source, StandingAngle } from "./schema.ts";

type Ports = Pick<AllPorts, "table" | "clock">;

/** Milliseconds for which an angle can be chosen after the angle was last shown. */
const lifetime = 24 * 60 * 60 * 1000;
/** The maximum number of stored reports per wallet and stock. The number is limited because a table item has at most 400 kB. */
const remembered = 60;
const attempts = 5;

/** A report, the angle on the report, and the time when the angle was last shown. */
const ShownHeadline = z.object({ angle: HeadlineAngle, report: Headline, shownAt: z.number() }).readonly();
type ShownHeadline = z.infer<typeof ShownHeadline>;

const Shown = z
  .object({
    /** The reports, sorted by the time when each report was last shown; the most recently shown report comes first. */
    reports: z.array(ShownHeadline).readonly(),
    standing: z.array(StandingAngle).readonly(),
  })
  .readonly();
export type ShownAngles = z.infer<typeof Shown>;

const nothing: ShownAngles = { reports: [], standing: [] };

/** The angles that a wallet was shown for a stock within the last day. */
export async function readShownAngles(ports: Ports, wallet: Address, symbol: string): Promise<ShownAngles> {
  return (await readOffer(ports, wallet, symbol)).shown;
}

/**
 * Suggests an angle for each report, and stores the angles that are shown. For the same report, a wallet always sees the same angle with
 * the same id, and within a day the id is not used for another report. Throws `table_busy` (`upstream`).
 */
export async function suggestAngles(
  ports: Ports,
  wallet: Address,
  stock: Stock,
  sources: { readonly reports: readonly Headline[]; readonly standing: readonly StandingAngle[] },
): Promise<readonly Angle[]> {
  for (let left = attempts; left > 0; left -= 1) {
    const { version, shown } = await readOffer(ports, wallet, stock.symbol);
    const now = ports.clock.now();
    const current = mergeReports(stock, sources.reports, shown.reports, now);
    const before = shown.reports.filter(
      ({ report }) => !current.some((entry) => entry.report.link === report.link),
    );
    const kept: ShownAngles = {
      reports: [...current, ...before].slice(0, remembered),
      standing: sources.standing,
    };
    const item = {
      wallet,
      stock: stock.symbol,
      version: version + 1,
      shown: kept,
      expiresAt: Math.ceil((now + lifetime) / 1000),
    };
    const outcome = await commit(ports, ({ offer }) => ({
      offer: offer
        .put(item)
        .where(({ version: stored }, { eq, notExists }) =>
          version === 0 ? notExists(stored) : eq(stored, version),
        )
        .commit(),
    }));
    if (outcome.done) return [...current.map(({ angle }) => angle), ...sources.standing];
    if (outcome.refused.size === 0) throw makeBusyError(outcome);
  }
  throw makeBusyError(new Error("During every attempt, other requests changed the shown angles"));
}

async function readOffer({ table, clock }: Ports, wallet: Address, stock: string) {
  const { data } = await table.entities.offer.get({ wallet, stock }).go({ consistent: true });
  if (data === null) return { version: 0, shown: nothing };
  const { reports, standing } = Shown.parse(data.shown);
  const since = clock.now() - lifetime;
  const known = reports.filter(({ shownAt }) => shownAt > since);
  return { version: data.version, shown: { reports: known, standing } };
}

function mergeReports(
  stock: Stock,
  reports: readonly Headline[],
  knownReports: readonly ShownHeadline[],
  shownAt: number,
): readonly ShownHeadline[] {
  let next = Math.max(-1, ...knownReports.map(({ angle }) => Number(angle.id.slice(1)))) + 1;
  return reports.map((report) => {
    const entry = knownReports.find((candidate) => candidate.report.link === report.link);
    if (entry !== undefined) return { ...entry, shownAt };
    const angle = makeAngle(report, stock, `h${next}`);
    next += 1;
    return { angle, report, shownAt };
  });
}

function makeAngle({ title, source, link, publishedAt }: Headline, stock: Stock, id: string): HeadlineAngle {
  const on = new Date(publishedAt).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return {
    id,
    kind: "headline",
    title,
    detail: `${source} reported this on ${on}. What it changes for ${readCompany(stock)}, what is on record, and what is still open.`,
    source,
    link,
    publishedAt,
  };
}

/**
 * The maximum number of reports among the sources of the price angle or of the fundamentals angle. In the price angle, reports may explain
 * why the price has moved.
 */
const besides = 3;

type OfferFacts = {
  readonly stock: Stock;
  readonly quote: Quote | undefined;
  /** The reports that were recently shown to the caller, the newest report first. */
  readonly reports: readonly Headline[];
};

/** The sources for a draft on the given angle. */
export function listSources(angle: Angle, { stock, quote, reports }: OfferFacts): readonly Source[] {
  const price = quote === undefined ? [] : [makeQuoteSource(quote)];
  switch (angle.kind) {
    case "headline":
      return [...reports.filter(({ link }) => link === angle.link).map(makeReportSource), ...price];
    case "price":
      return [...price, ...reports.slice(0, besides).map(makeReportSource)];
    case "fundamentals":
      return [
        ...reports.filter(isBusinessReport).slice(0, besides).map(makeReportSource),
        makeFilingsSource(stock),
        ...price,
      ];
  }
}

/** Whether a report is about what a company earns, spends, sells or owes. */
export function isBusinessReport({ title, summary }: Headline): boolean {
  return /\b(?:revenues?|sales|sold|profits?|earn(?:s|ed|ings)|loss(?:es)?|margins?|results|guidance|outlook|dividends?|buybacks?|cash flow|debt|deliver(?:s|ed|ies)|orders|shipments|subscribers|quarterly|capital expenditure|spending)\b/i.test(
    `${title} ${summary}`,
  );
}

/** Describes a quote in words, with the time of the quote and the day's price range. */
export function describeQuote({ mid, dayLow, dayHigh, halted, asOf }: Quote): string {
  const time = `${asOf.slice(0, 10)} ${asOf.slice(11, 16)} UTC`;
  const range = `between ${formatUsd(dayLow)} and ${formatUsd(dayHigh)} on the day`;
  return `${formatUsd(mid)} a token as of ${time}, ${range}${halted ? ", with trading halted" : ""}`;
}

function formatUsd(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

function makeReportSource({ title, summary, source, link, publishedAt }: Headline): Source {
  return { title, source, link, text: `${publishedAt}: ${title}. ${summary}`.trim() };
}

function makeQuoteSource(quote: Quote): Source {
  const { symbol, volume } = quote;
  return {
    title: `${symbol} quote`,
    source: "Robinhood",
    link: `https://robinhood.com/stocks/${encodeURIComponent(symbol)}`,
    text: `${symbol} is at ${describeQuote(quote)}. Shares traded today: ${volume}.`,
  };
}

/** EDGAR, the database of the SEC, puts a hyphen before the share class in a ticker. */
function makeFilingsSource(stock: Stock): Source {
  const ticker = encodeURIComponent(stock.symbol.replace(".", "-"));
  return {
    title: `Filings of ${readCompany(stock)}`,
    source: "SEC EDGAR",
    link: `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${ticker}`,
    text: `Where the annual, quarterly and current reports of ${readCompany(stock)} can be read. None of these reports is quoted here.`,
  };
}
