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
  | "arithmetic"
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

/** An article with what it is in a few words. */
export type Named = Article & {
  readonly name: string;
  /** The publisher's wallet holds the token. */
  readonly holds?: true;
};

const stocks = {
  AAPL: { name: "Apple", mid: 327.2, dayHigh: 328.5, dayLow: 324.1, volume: 37_225_806 },
  AMD: { name: "Advanced Micro Devices", mid: 164.8, dayHigh: 167.9, dayLow: 161.3, volume: 24_118_530 },
  AMZN: { name: "Amazon", mid: 228.4, dayHigh: 230.1, dayLow: 225.9, volume: 30_276_118 },
  ASML: { name: "ASML", mid: 1046.5, dayHigh: 1058.2, dayLow: 1039, volume: 1_204_377 },
  BA: { name: "Boeing", mid: 229.7, dayHigh: 232.4, dayLow: 227.6, volume: 5_880_412 },
  BABA: { name: "Alibaba", mid: 134.9, dayHigh: 137.5, dayLow: 133.2, volume: 14_007_265 },
  CAT: { name: "Caterpillar", mid: 548.3, dayHigh: 554.1, dayLow: 543.8, volume: 2_318_904 },
  COST: { name: "Costco", mid: 958.2, dayHigh: 962.7, dayLow: 949.5, volume: 1_530_226 },
  DIS: { name: "Walt Disney", mid: 118.3, dayHigh: 119.4, dayLow: 117.1, volume: 7_442_019 },
  GOOGL: { name: "Alphabet Class A", mid: 241.7, dayHigh: 243.9, dayLow: 239.2, volume: 22_410_935 },
  INTC: { name: "Intel", mid: 24.6, dayHigh: 25.2, dayLow: 24.1, volume: 68_155_902 },
  JPM: { name: "JPMorgan Chase", mid: 301.5, dayHigh: 303.4, dayLow: 298.8, volume: 6_920_447 },
  KO: { name: "Coca-Cola", mid: 68.9, dayHigh: 69.4, dayLow: 68.3, volume: 11_903_561 },
  META: { name: "Meta Platforms", mid: 741.2, dayHigh: 748.6, dayLow: 733, volume: 9_847_130 },
  MSFT: { name: "Microsoft", mid: 512.3, dayHigh: 515.1, dayLow: 508.8, volume: 18_903_212 },
  NFLX: { name: "Netflix", mid: 121.5, dayHigh: 122.6, dayLow: 119.8, volume: 20_466_871 },
  NKE: { name: "Nike", mid: 72.4, dayHigh: 73.3, dayLow: 71.6, volume: 8_733_150 },
  NVDA: { name: "NVIDIA", mid: 181.4, dayHigh: 183.2, dayLow: 178.9, volume: 164_882_010 },
  NVO: { name: "Novo Nordisk", mid: 54.2, dayHigh: 55.1, dayLow: 53.7, volume: 10_215_648 },
  PLTR: { name: "Palantir", mid: 152.6, dayHigh: 156.9, dayLow: 148.2, volume: 52_608_233 },
  SAP: { name: "SAP", mid: 271.8, dayHigh: 274.6, dayLow: 269.3, volume: 1_188_540 },
  SHEL: { name: "Shell", mid: 73.6, dayHigh: 74.2, dayLow: 72.9, volume: 4_016_772 },
  TM: { name: "Toyota Motor", mid: 198.4, dayHigh: 200.1, dayLow: 196.9, volume: 310_485 },
  TSLA: { name: "Tesla", mid: 402.6, dayHigh: 409.3, dayLow: 395, volume: 81_554_377 },
  TSM: { name: "Taiwan Semiconductor", mid: 243.1, dayHigh: 246, dayLow: 240.2, volume: 9_655_318 },
  UBER: { name: "Uber", mid: 94.7, dayHigh: 95.9, dayLow: 93.8, volume: 13_270_604 },
  WMT: { name: "Walmart", mid: 99.3, dayHigh: 100.2, dayLow: 98.4, volume: 12_881_097 },
  XOM: { name: "Exxon Mobil", mid: 112.5, dayHigh: 113.6, dayLow: 111.7, volume: 12_040_385 },
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
