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

const wallet = `wallet_${"?".repeat(42)}`;

/**
 * Partition keys of the table's records by kind, in the notation of IAM's StringLike (a test compares them with ElectroDB's). A row
 * of `routes.ts` or `jobs.ts` writes those that it names and no others, whatever its code tries.
 */
const kinds = {
  /** A press, saved or live, with its audits, mints and verdict; not its text. */
  press: ["id_*"],
  /** Texts of presses. */
  text: ["textOf_*"],
  /** What an identity stands for, and the votes on it. */
  identity: ["pressId_*"],
  /** Runs of words of live presses. */
  run: ["hash_*"],
  /** A publisher's unfinished texts. */
  publisher: [`publisher_${"?".repeat(42)}`],
  session: ["tokenHash_*"],
  nonce: ["nonce_*"],
  /** What belongs to a wallet alone: its sessions' list, quotas, angles and AI drafts. */
  wallet: [wallet],
  settlement: [`${wallet}#pressId_*`],
  /** What a wallet has signed, by its nonce, and the names that it gave to payments. */
  authorization: [`${wallet}#method_*`, `${wallet}#identifier_*`],
  /** Transactions on the chain that have paid for something or minted a press. */
  transfer: ["txHash_*"],
  /** Signed receipts, by the transaction that paid. */
  receipt: ["receiptOf_*"],
  /** A key of ours, who holds it, and what it has sent. */
  key: [`address_${"?".repeat(42)}`, "transaction_*"],
  keyring: ["name_relayers"],
  /** Accounts of gas. */
  gas: ["subject_*"],
  /** In which block a wallet's means have changed. */
  holder: [`holder_${"?".repeat(42)}`],
  /** What an address has asked of the RPC proxy. */
  relayUse: ["address_*#window_*"],
  /** Prices and the list of stocks. */
  market: ["name_quote:*", "name_stocks", "name_marks", "name_overview"],
  /** The prices of a stock, by its parts. */
  series: ["symbol_*"],
  /** What models have cost on a day: of the service, of all new wallets, of a wallet. */
  budget: ["owner_*"],
  /** The last numbers that were given out. */
  counter: ["name_press", "name_generation"],
} as const;

/** The prepared search index in its bucket. Another layout of its tables takes another number: the job then begins anew. */
export const searchIndexFile = "presses-1.db";

export type RecordKind = keyof typeof kinds;
export type IndexName = (typeof storage.indexes)[number]["name"];

/** What the partition keys of these kinds look like. */
export function keysLike(names: readonly RecordKind[]): readonly string[] {
  return names.flatMap((name) => kinds[name].map((key) => `$market#${key}`));
}

/** The kinds of records, and the indexes, that a row's `reads` name. Indexes carry whole items, but neither texts nor sessions. */
export function readsOf(reads: readonly (RecordKind | IndexName)[]) {
  return { kinds: reads.filter(isKind), indexes: reads.filter((name) => !isKind(name)) };
}

export function isKind(name: string): name is RecordKind {
  return name in kinds;
}

/** The typefaces' files below the repository, which are packed under the same paths beside a function that draws. */
export const typefaceFiles = [
  "node_modules/@fontsource/newsreader/files/newsreader-latin-600-normal.woff",
  "node_modules/@fontsource/newsreader/files/newsreader-latin-ext-600-normal.woff",
  "node_modules/@fontsource/figtree/files/figtree-latin-600-normal.woff",
  "node_modules/@fontsource/figtree/files/figtree-latin-ext-600-normal.woff",
] as const;
