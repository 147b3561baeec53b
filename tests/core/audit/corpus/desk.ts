import type { AuditDraft, AuditFacts } from "../../../../core/audit/schema.ts";

/** A draft with the checks that an editor would raise on it, at medium or worse. */
export type Labelled = {
  readonly name: string;
  readonly draft: AuditDraft;
  readonly facts: AuditFacts;
  readonly expected: readonly Check[];
};

export type Check =
  | "advice"
  | "copied"
  | "dates"
  | "disclosure"
  | "figures"
  | "headline"
  | "hidden"
  | "manipulation"
  | "preview"
  | "promises"
  | "pump"
  | "sources"
  | "subject";

/** An article as a publisher writes it. */
export type Article = Pick<AuditDraft, "headline" | "preview" | "body"> & { readonly stock: Ticker };

const stocks = {
  AAPL: { name: "Apple", mid: 327.2, dayHigh: 328.5, dayLow: 324.1, volume: 37_225_806 },
  GOOGL: { name: "Alphabet Class A", mid: 241.7, dayHigh: 243.9, dayLow: 239.2, volume: 22_410_935 },
  MSFT: { name: "Microsoft", mid: 512.3, dayHigh: 515.1, dayLow: 508.8, volume: 18_903_212 },
  NVDA: { name: "NVIDIA", mid: 181.4, dayHigh: 183.2, dayLow: 178.9, volume: 164_882_010 },
  TSLA: { name: "Tesla", mid: 402.6, dayHigh: 409.3, dayLow: 395, volume: 81_554_377 },
} as const;
export type Ticker = keyof typeof stocks;

/** A Friday. */
const gatheredAt = "2026-09-04T15:03:00.000Z";

export function factsOf(stock: Ticker, changes: Partial<AuditFacts> = {}): AuditFacts {
  const { name, ...prices } = stocks[stock];
  return {
    gatheredAt,
    quote: { symbol: stock, ...prices, halted: false, asOf: "2026-09-04T15:02:30.000Z" },
    stock: { symbol: stock, name: `${name} • Robinhood Token`, address: `0x${"1".repeat(40)}` },
    publisherHolds: false,
    publisherBalance: "0",
    sources: [],
    similar: [],
    ...changes,
  };
}

export const holding = { publisherHolds: true, publisherBalance: "2500000000000000000" } as const;

export function labelled(
  name: string,
  article: Article,
  expected: readonly Check[] = [],
  facts: Partial<AuditFacts> = {},
): Labelled {
  const aiAssisted = facts.sources !== undefined;
  return {
    name,
    draft: { ...article, publisherName: "Harbour Notes", aiAssisted },
    facts: factsOf(article.stock, facts),
    expected,
  };
}

/** An article with some of its paragraphs, counted from 0, written anew. */
export function rewritten(
  article: Article,
  paragraphs: Readonly<Record<number, string>>,
  changes: Partial<Article> = {},
): Article {
  const body = article.body
    .split("\n\n")
    .map((paragraph, at) => paragraphs[at] ?? paragraph)
    .join("\n\n");
  return { ...article, body, ...changes };
}

export function extended(article: Article, paragraph: string): Article {
  return { ...article, body: `${article.body}\n\n${paragraph}` };
}
