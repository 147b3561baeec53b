/**
 * The part of the corpus that is only measured. Whoever writes rules does not read it: a rule made for one of its
 * sentences would make its figures worthless. Written before the rules that it measures.
 */

/** A draft that a senior editor would publish. */
export type CleanDraft = {
  readonly name: string;
  readonly stock: string;
  readonly headline: string;
  readonly preview: string;
  readonly body: string;
  /** The publisher's wallet holds the token. */
  readonly holds?: true;
};

/** What is wrong with a faulty draft. */
export type FaultKind =
  | "arithmetic"
  | "dates"
  | "prices"
  | "copies"
  | "outlets"
  | "injections"
  | "promises"
  | "advice"
  | "pump"
  | "allegations"
  | "disclosure"
  | "quotes"
  | "headline"
  | "preview";

/** A clean draft with one fault planted in it. */
export type FaultyDraft = {
  readonly name: string;
  readonly kind: FaultKind;
  /** A quick reader would miss it. */
  readonly subtle: boolean;
  /** The clean draft's name. */
  readonly of: string;
  readonly headline?: string;
  readonly preview?: string;
  readonly publisherName?: string;
  /** Text of headline, preview or body that is replaced, once each: pairs of old and new. */
  readonly replace?: readonly (readonly [string, string])[];
  /** A paragraph that is added at the end of the body. */
  readonly add?: string;
  readonly holds?: boolean;
  /** A clean draft by another publisher that is live when this one is audited. */
  readonly copyOf?: string;
};

/** Quotes at the time of the audit, Friday 2026-09-04 15:03 UTC: mid, day's low, day's high in dollars. */
export const quotes: Readonly<
  Record<string, readonly [name: string, mid: number, low: number, high: number]>
> = {
  AAPL: ["Apple", 327.2, 324.1, 328.5],
  AMD: ["Advanced Micro Devices", 164.8, 161.3, 167.9],
  AMZN: ["Amazon", 228.4, 225.9, 230.1],
  COST: ["Costco", 958.2, 949.5, 962.7],
  DIS: ["Walt Disney", 118.3, 117.1, 119.4],
  GOOGL: ["Alphabet Class A", 241.7, 239.2, 243.9],
  INTC: ["Intel", 24.6, 24.1, 25.2],
  JPM: ["JPMorgan Chase", 301.5, 298.8, 303.4],
  KO: ["Coca-Cola", 68.9, 68.3, 69.4],
  META: ["Meta Platforms", 741.2, 733, 748.6],
  MSFT: ["Microsoft", 512.3, 508.8, 515.1],
  NFLX: ["Netflix", 121.5, 119.8, 122.6],
  NVDA: ["NVIDIA", 181.4, 178.9, 183.2],
  PLTR: ["Palantir", 152.6, 148.2, 156.9],
  TSLA: ["Tesla", 402.6, 395, 409.3],
};
