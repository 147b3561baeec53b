import type { Reading } from "../../../core/audit/reading.ts";
import { applyRules } from "../../../core/audit/rule/index.ts";
import type { AuditDraft, AuditFacts, Issue } from "../../../core/audit/schema.ts";

export const appleFacts: AuditFacts = {
  gatheredAt: "2026-09-04T08:03:00.000Z",
  quote: {
    symbol: "AAPL",
    mid: 327.2,
    dayHigh: 328.5,
    dayLow: 324.1,
    volume: 37_225_806,
    halted: false,
    asOf: "2026-09-04T08:02:50.667Z",
  },
  stock: {
    symbol: "AAPL",
    name: "Apple • Robinhood Token",
    address: "0xaf3d76f1834a1d425780943c99ea8a608f8a93f9",
  },
  publisherHolds: false,
  publisherBalance: "0",
  sources: [],
  similar: [],
};

/**
 * An article in which no rule should find a fault. The article contains numbers, links, a sentence that promises nothing, and a question as
 * its headline.
 */
export const goodDraft: AuditDraft = {
  headline: "Is Apple's services growth slowing? What the filing shows",
  stock: "AAPL",
  publisherName: "Harbour Notes",
  preview:
    "Services have carried Apple's margins for years. The latest quarterly filing shows where growth is coming from, which part is slowing, and which number to watch in the next report.",
  body: `Apple's services business grew 11% in the June quarter, according to its [10-Q filing](https://www.sec.gov/apple-10q), down from 14% a year earlier. The segment now brings in about $27 billion a quarter, and its gross margin is roughly twice that of hardware.

Two things explain the slower pace. App Store commissions in Europe fell after the company changed its terms to comply with the Digital Markets Act; the [European Commission](https://ec.europa.eu/dma) has published the new fee table. And the payments from Google for the default search position, which analysts at Bernstein put at more than $20 billion a year, are in question after the antitrust ruling in Washington.

On the other side, subscriptions keep growing. The company reports more than one billion paid subscriptions across its own and third-party apps, and the filing attributes most of the quarter's growth to them. Advertising is the smallest part and the one about which least is disclosed.

The token trades near $327 and moved little today. Nothing about that price is guaranteed, and a slower services line would weigh on margins whatever the stock does. The number to watch in the next report is deferred revenue: it shows subscriptions that have been paid for but not yet delivered, and so tends to turn before the growth rate does.`,
  aiAssisted: false,
};

/** The good draft with a paragraph added to its body. */
export function addToGoodDraft(paragraph: string): AuditDraft {
  return { ...goodDraft, body: `${goodDraft.body}\n\n${paragraph}` };
}

/** Adds the paragraph to the body of the good draft, and returns the findings of the rules on this text. */
export const inspectAdded = (paragraph: string, facts: AuditFacts = appleFacts) =>
  applyRules(addToGoodDraft(paragraph), facts);

/** The severities of the findings of a check. */
export const listSeverities = (issues: readonly Issue[], check: string) =>
  issues.filter((issue) => issue.check === check).map(({ severity }) => severity);

/** A possible answer of a model to the good draft: one claim, one kept promise and no findings. */
export const soundReading: Reading = {
  claims: [
    {
      sentence: "Apple's services business grew 11% in the June quarter",
      support: "link",
      source: "10-Q filing",
    },
  ],
  teasers: [
    {
      place: "preview",
      promise: "which number to watch in the next report",
      kept: true,
      where: "The number to watch in the next report is deferred revenue",
    },
  ],
  calculations: [],
  findings: [],
  summary: "Sound.",
};
