/**
 * The description of the one DynamoDB table, which infra creates in the cloud and the local runtime creates on one machine. `core/record`
 * says which entity uses which index, and design §3 says which queries use an index.
 */
export const storage = {
  partitionKey: "pk",
  sortKey: "sk",
  /**
   * The attribute with an item's time of expiry in seconds since the epoch. DynamoDB deletes expired items hours late, so the code checks
   * the expiry too.
   */
  ttlAttribute: "expiresAt",
  /** All indexes contain whole items, so that public data can always be read with one request. */
  indexes: [
    { name: "gsi1", partitionKey: "gsi1pk", sortKey: "gsi1sk" },
    { name: "gsi2", partitionKey: "gsi2pk", sortKey: "gsi2sk" },
    { name: "gsi3", partitionKey: "gsi3pk", sortKey: "gsi3sk" },
  ],
} as const;

const wallet = `wallet_${"?".repeat(42)}`;

/**
 * The partition keys of the table's records by kind, as patterns of IAM's StringLike (a test compares the patterns with ElectroDB's keys).
 * The function of a row in `routes.ts` or `jobs.ts` may write only the kinds of records that the row names.
 */
const kinds = {
  /** A draft or a live press, with its audits, mints and verdict, but without its text. */
  press: ["id_*"],
  /** Texts of presses. */
  text: ["textOf_*"],
  /** Identities, and the votes on these identities. */
  identity: ["pressId_*"],
  /** Sequences of words from live presses, by which copied texts are found. */
  run: ["hash_*"],
  /** Bylines, under keys that describe how the bylines look, so that bylines that look alike can be found. */
  byline: ["looks_*"],
  /** A publisher's unfinished texts, and the description that an author has written for the author's page. */
  publisher: [`publisher_${"?".repeat(42)}`],
  session: ["tokenHash_*"],
  nonce: ["nonce_*"],
  /** A wallet's own data: the list of its sessions, its quotas, its proposed angles for articles, and its AI drafts. */
  wallet: [wallet],
  /** The authors and stocks that a wallet follows, the presses that it has saved, and the browsers that get its notifications. */
  follow: [`follower_${"?".repeat(42)}`],
  /** The followers of an author or a stock, and the number of these followers. */
  followed: ["followed_author:*", "followed_stock:*"],
  /** Tokens of private feeds. */
  feedToken: ["feedToken_*"],
  /** The last errand of a wallet, and the cost of all errands of the wallet. */
  errand: [`sender_${"?".repeat(42)}`],
  /** The wallet that a push address belongs to. */
  pushEndpoint: ["pushEndpoint_*"],
  settlement: [`${wallet}#pressId_*`],
  /** A wallet's used nonces, and its payment identifiers. */
  authorization: [`${wallet}#method_*`, `${wallet}#identifier_*`],
  /** Chain transactions that have paid for something or minted a press. */
  transfer: ["txHash_*"],
  /** Signed receipts, each stored under the hash of the transaction that paid the leg. */
  receipt: ["receiptOf_*"],
  /** The service's signing keys, with their leases and sent transactions. */
  key: [`address_${"?".repeat(42)}`, "transaction_*"],
  keyring: ["name_relayers"],
  /** Gas accounts. */
  gas: ["subject_*"],
  /** The block in which a wallet's balance or allowance last changed. */
  holder: [`holder_${"?".repeat(42)}`],
  /** The use of the RPC relay by each IP address. */
  relayUse: ["address_*#window_*"],
  /** Prices and the list of stocks. */
  market: ["name_quote:*", "name_stocks", "name_marks", "name_overview"],
  /** A stock's price series, split into several items. */
  series: ["symbol_*"],
  /** The views of an author's articles by day, and the log files whose views are already counted. */
  views: [`viewsOf_${"?".repeat(42)}`, "viewFilesOf_*"],
  /** The costs of models on a day: the costs of the whole service, of all new wallets together, and of each wallet. */
  budget: ["owner_*"],
  /** Counters. */
  counter: ["name_press", "name_generation"],
} as const;

/**
 * The folder of the edge's log in the bucket of logs, and the fields of a log line. The folder has subfolders by year, month and day. The
 * fields of the log contain no address, cookie or country.
 */
export const edgeLog = {
  prefix: "edge",
  fields: [
    "date",
    "time",
    "cs-method",
    "cs-uri-stem",
    "cs-uri-query",
    "sc-status",
    "cs(Referer)",
    "cs(User-Agent)",
    "x-edge-result-type",
    "x-edge-request-id",
    "time-taken",
    "sc-bytes",
  ],
} as const;

/**
 * The S3 key of the search index in its bucket. When the layout of the index's tables changes, the key must get a new number, and the job
 * then builds a new index.
 */
export const searchIndexFile = "presses-3.db";

export type RecordKind = keyof typeof kinds;
export type IndexName = (typeof storage.indexes)[number]["name"];

/** The key patterns of the given kinds of records. */
export function listKeys(names: readonly RecordKind[]): readonly string[] {
  return names.flatMap((name) => kinds[name].map((key) => `$market#${key}`));
}

/**
 * Splits `reads`, a field of a row in `routes.ts` or `jobs.ts`, into the kinds of records and the indexes. The indexes contain whole items
 * of the table, but no index contains sessions or the texts of presses.
 */
export function splitReads(reads: readonly (RecordKind | IndexName)[]) {
  return { kinds: reads.filter(isRecordKind), indexes: reads.filter((name) => !isRecordKind(name)) };
}

export function isRecordKind(name: string): name is RecordKind {
  return name in kinds;
}

/**
 * The paths of the font files in the repository. The bundle of a Lambda function that draws pictures contains the font files under the same
 * paths as the repository.
 */
export const typefaceFiles = [
  "node_modules/@fontsource/newsreader/files/newsreader-latin-600-normal.woff",
  "node_modules/@fontsource/newsreader/files/newsreader-latin-ext-600-normal.woff",
  "node_modules/@fontsource/figtree/files/figtree-latin-600-normal.woff",
  "node_modules/@fontsource/figtree/files/figtree-latin-ext-600-normal.woff",
] as const;

/**
 * The WebAssembly file of `core/chain/signature.ts`. The bundle of every function that signs something or asks the chain contains this
 * file.
 */
export const curveFile = "node_modules/tiny-secp256k1/lib/secp256k1.wasm";
