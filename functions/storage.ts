/**
 * The one DynamoDB table, as data: what infra creates in the cloud and the local runtime on one machine.
 * Which entity uses which index stands in `core/record`; the reads that they serve in design §3.
 */
export const storage = {
  partitionKey: "pk",
  sortKey: "sk",
  /** Seconds since the epoch. Deletion lags by hours, so expiry is also checked in code. */
  ttlAttribute: "expiresAt",
  /** All indexes carry whole items: each public read is one request. */
  indexes: [
    { name: "gsi1", partitionKey: "gsi1pk", sortKey: "gsi1sk" },
    { name: "gsi2", partitionKey: "gsi2pk", sortKey: "gsi2sk" },
    { name: "gsi3", partitionKey: "gsi3pk", sortKey: "gsi3sk" },
  ],
} as const;

/**
 * Partition keys of records that open endpoints write, in the notation of IAM's StringLike (a test compares them with ElectroDB's).
 * A row of `routes.ts` that names some may write no others, whatever its code tries.
 */
export const leadingKeys = {
  /** In which block a wallet's means have changed. */
  holder: `$market#holder_${"?".repeat(42)}`,
  /** Prices and the list of stocks. */
  market: "$market#name_*",
  /** The prices of a stock, by its parts. */
  series: "$market#symbol_*",
  /** What models have cost on a day: of the service, of all new wallets, of a wallet. */
  budget: "$market#owner_*",
  /** Presses by their numbers, saved and live, with their audits. */
  press: "$market#id_*",
  nonce: "$market#nonce_*",
  /** Signed receipts, by the transaction that paid. */
  receipt: "$market#receiptOf_*",
  /** What an address has asked of the RPC proxy. */
  relayUse: "$market#address_*#window_*",
  /** What belongs to a wallet alone: the angles that it was offered. A settlement's key goes on after the address. */
  wallet: `$market#wallet_${"?".repeat(42)}`,
  /** A publisher's unfinished texts. */
  publisher: `$market#publisher_${"?".repeat(42)}`,
} as const;

/** The prepared search index in its bucket. Another layout of its tables takes another number: the job then begins anew. */
export const searchIndexFile = "presses-1.db";

/** The typefaces' files below the repository, which are packed under the same paths beside a function that draws. */
export const typefaceFiles = [
  "node_modules/@fontsource/newsreader/files/newsreader-latin-600-normal.woff",
  "node_modules/@fontsource/newsreader/files/newsreader-latin-ext-600-normal.woff",
  "node_modules/@fontsource/figtree/files/figtree-latin-600-normal.woff",
  "node_modules/@fontsource/figtree/files/figtree-latin-ext-600-normal.woff",
] as const;
