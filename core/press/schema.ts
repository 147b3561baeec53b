import * as z from "zod";
import { ManuscriptEntry } from "../manuscript/schema.ts";
import { StockSymbol } from "../market/schema.ts";
import { Standing } from "../rank/schema.ts";

/** The limits for a press, taken from the specification (§2.9 and §8), or from design §2 if the specification gives no limit. */
export const limits = {
  headline: { min: 8, max: 90 },
  preview: { min: 80, max: 400 },
  publisherName: { min: 1, max: 60 },
  body: { minWords: 150, maxBytes: 100 * 1024 },
  /** The limits of the price, in USDG base units. */
  priceUnits: { min: 10_000n, max: 1_000_000_000n },
} as const;

/**
 * The platform's fee, as a percentage of a press's price (specification §8). The terms, the site's texts and the documents all use this
 * constant for the fee percentage.
 */
export const feePercent = 10;

/**
 * Former values of the fee percentage, the newest first. After a loss of the table, these former values are needed to recognise old
 * payments.
 */
export const formerFeePercents: readonly number[] = [];

/** Splits a price in base units into the fee, rounded down, and the rest for the owner (specification §4.4). */
export function splitPrice(
  priceUnits: bigint,
  percent = feePercent,
): { readonly fee: bigint; readonly publisher: bigint } {
  const fee = (priceUnits * BigInt(percent)) / 100n;
  return { fee, publisher: priceUnits - fee };
}

export { countBytes, countCharacters, countMinutes, countWords } from "./text.ts";

export const Id = z.int().positive();
/** A time in ISO 8601 UTC. The time is the service's own output, so this schema describes the time and does not validate it. */
const Time = z.string().meta({ format: "date-time" });

export const pageSize = 200;

/**
 * The position where a list continues. If the list has another page, the answer contains this cursor, and the query for the next page
 * contains the same cursor.
 */
export const CursorQuery = z.object({
  cursor: z.string().max(300).optional().describe("The cursor that the previous page gave."),
});
export const NextCursor = z
  .string()
  .exactOptional()
  .describe("The cursor of the next page. The last page has no cursor.");

/**
 * The query for a list whose newest entries come first. The query for the next page of a list contains the cursor that the previous page
 * gave.
 */
export const ListQuery = z.object({
  stock: StockSymbol.optional().describe(
    "A ticker, in upper or lower case: lists only presses about its stock.",
  ),
  ...CursorQuery.shape,
  limit: z
    .string()
    .regex(/^\d{1,3}$/, `must be an integer from 1 to ${pageSize}`)
    .transform(Number)
    .pipe(z.int().min(1).max(pageSize))
    .optional()
    .meta({
      type: "integer",
      minimum: 1,
      maximum: pageSize,
      description: "The maximum number of presses on a page.",
    }),
  with: z.enum(["findings"]).optional().describe("`findings` adds the audit's findings to each press."),
});
export type ListQuery = z.infer<typeof ListQuery>;

/** The maximum number of new drafts per wallet and UTC day (specification §8). */
export const draftsPerDay = 20;

/** The answer to a save. `updatedAt` is present only if the client has sent `updatedAt`. */
export const Saved = z.object({ id: z.int(), updatedAt: Time.exactOptional() });
export type Saved = Readonly<z.infer<typeof Saved>>;

/** An author counts as new until the author's third press goes live, or until this number of days after the first press. */
export const pressesUntilKnown = 3;
export const daysUntilKnown = 30;

/** Whether the author of a press is new on this site. `now` is given in milliseconds. */
export function isNewAuthor(
  { newAuthorUntil }: { readonly newAuthorUntil: string | null },
  now: number,
): boolean {
  return newAuthorUntil !== null && Date.parse(newAuthorUntil) > now;
}

/** A dated note by the author of a live press. */
export const Correction = z.object({ at: Time, text: z.string().describe("Plain text.") });
export type Correction = Readonly<z.infer<typeof Correction>>;

/** A press in a list (specification §2.1). */
export const Press = z.object({
  id: z.int().describe("Internal id, used by the registration file and the audit report."),
  pressId: z.int().describe("Onchain identity id (ERC-8004), used by payments and votes. 0 is a valid id."),
  slug: z.string().describe("The press's name in URLs, which never changes."),
  headline: z.string(),
  preview: z.string().describe("Free preview."),
  stock: z.string().describe("Ticker of the stock token."),
  publisher: z.string().describe("Wallet address, lower-case."),
  publisherName: z.string(),
  bylineAmbiguous: z
    .boolean()
    .describe(
      "True if this byline looks like another wallet's byline or names no person. If true, show the publisher's address beside the byline.",
    ),
  priceUsdg: z.number().describe("The price for display; calculate with `priceUnits`."),
  priceUnits: z.string().describe("Exact price of both payments together in USDG base units (six decimals)."),
  publishedAt: Time,
  readMinutes: z.int(),
  auditScore: z.int().describe("Audit agent's score, 0 to 100."),
  aiAssisted: z.boolean().describe("The press began as an AI draft."),
  publisherHolds: z.boolean().describe("The publisher held the stock token at the time of the audit."),
  priceAtPublish: z.number().describe("The stock's price in USD per token when the press went live."),
  votes: z
    .object({ up: z.int(), down: z.int() })
    .describe("Onchain votes, without those of the publisher's own wallet."),
  readerVotes: z
    .object({ up: z.int(), down: z.int() })
    .describe(
      "The votes of wallets that have unlocked the press. If a wallet has voted before its purchase, its vote counts here only after the vote is recorded again.",
    ),
  standing: Standing.describe(
    "The press's readers, and the fees that its readers and voters have paid. These numbers and the press's age decide its position on the front page.",
  ),
  tags: z.record(z.string(), z.int()).describe("The number of votes for each tag."),
  reads: z.int().describe("Paid unlocks."),
  newAuthorUntil: Time.nullable().describe(
    "The author counts as new until this time, thirty days after the author's first press. The value is null after the author's third press, or if this press went live thirty days or more after the first.",
  ),
  corrections: z
    .array(Correction)
    .readonly()
    .describe("The author's notes since the press went live, the oldest first."),
  priceChangedAt: Time.nullable().describe("When the price was changed last."),
  unlistedAt: Time.nullable().describe(
    "When the author removed the press from lists and from sale. Wallets that have unlocked the press can still read it.",
  ),
  mintTx: z.string().describe("Transaction that minted the identity."),
  auditTx: z
    .string()
    .nullable()
    .describe("Transaction of the audit's onchain verdict; null until the verdict is posted."),
});
export type Press = Readonly<z.infer<typeof Press>>;

/** The name that readers see for an author. The name contains the wallet's address if another wallet has a byline that looks the same. */
export function formatSignature({
  publisherName,
  publisher,
  bylineAmbiguous,
}: Pick<Press, "publisherName" | "publisher" | "bylineAmbiguous">): string {
  return bylineAmbiguous ? `${publisherName} (${publisher})` : publisherName;
}

/**
 * The numbers of an audit's findings, by severity. A press with a finding of a higher severity than medium cannot go live. The OpenAPI
 * document refers to this schema by name.
 *
 * @public
 */
export const Findings = z.object({ low: z.int(), medium: z.int() });
export type Findings = Readonly<z.infer<typeof Findings>>;

export const ListedPress = z.object({
  ...Press.shape,
  findings: Findings.exactOptional().describe(
    "The field is present only if the request asks for findings and the audit has stored its findings.",
  ),
});
export type ListedPress = Readonly<z.infer<typeof ListedPress>>;

export const PressList = z.object({
  presses: z.array(ListedPress).readonly(),
  cursor: z
    .string()
    .optional()
    .describe(
      "The cursor of the next page. The last page has no cursor, and an answer to a request without `limit` and `cursor` has no cursor.",
    ),
});
export type PressList = Readonly<z.infer<typeof PressList>>;

/** The description that an author has written. */
export const Profile = z.object({
  text: z.string().describe("Plain text, which may be empty."),
  link: z
    .string()
    .nullable()
    .describe(
      "A web page that the author calls their own. Nobody has checked whether the page belongs to the author.",
    ),
});
export type Profile = Readonly<z.infer<typeof Profile>>;

/** A wallet's public profile, which is made from the wallet's live presses. */
export const Author = z.object({
  address: z.string().describe("Wallet address, lower-case."),
  names: z
    .array(
      z.object({ name: z.string(), since: Time.describe("When the first press under this name went live.") }),
    )
    .readonly()
    .describe("Every byline that the wallet has used, the newest first."),
  profile: Profile.nullable().describe(
    "The author's description of themselves, given only on the first page.",
  ),
  since: Time.describe("When the wallet's first press went live."),
  complete: z
    .boolean()
    .describe(
      "False if the wallet has more presses than one answer holds. If `complete` is false, the numbers cover only the presses in this answer.",
    ),
  totals: z.object({
    presses: z.int(),
    reads: z.int().describe("Paid unlocks by wallets other than the author's and the owner's."),
    votes: z
      .object({ up: z.int(), down: z.int() })
      .describe("The votes of wallets that have unlocked the press."),
  }),
  audits: z.object({ lowest: z.int(), average: z.int(), highest: z.int() }).describe("Scores, 0 to 100."),
  presses: z
    .array(ListedPress)
    .readonly()
    .describe("The newest presses first, at most about 500, with the findings of their audits."),
  cursor: NextCursor,
});
export type Author = Readonly<z.infer<typeof Author>>;

/**
 * The number of points, out of 100, that each finding takes from an audit's score, and the minimum scores for `approve` and `revise`
 * (design §2).
 */
export const auditScale = {
  penalties: { low: 2, medium: 8, high: 20, critical: 100 },
  approve: 70,
  revise: 40,
} as const;

/** The public part of the audit. */
export const AuditSummary = z.object({
  verdict: z.enum(["approve", "revise", "reject"]),
  score: z.int(),
  summary: z.string(),
  engine: z.string().describe("The auditor's engine: model and prompt version."),
  auditedAt: Time,
});
export type AuditSummary = Readonly<z.infer<typeof AuditSummary>>;

/** The endpoints for the two payments of a purchase: the fee and the publisher's share (specification §4.4). */
export const payAt = { fee: "/api/pay/treasury", publisher: "/api/pay/publisher" } as const;

/** The answer about one press (specification §2.2). */
export const PressDetail = z.object({
  press: z.object({
    ...Press.shape,
    priceNow: z.number().describe("The stock's price now, in USD per token."),
    payAt: z
      .object({ fee: z.literal(payAt.fee), publisher: z.literal(payAt.publisher) })
      .readonly()
      .describe("The URLs that accept a POST of { pressId }. The fee must be paid first."),
  }),
  audit: AuditSummary,
  unlocked: z.boolean(),
  body: z
    .string()
    .nullable()
    .describe("Full text in Markdown; null unless the session's wallet is the publisher or has unlocked it."),
});
export type PressDetail = Readonly<z.infer<typeof PressDetail>>;

/**
 * A press as the dashboard shows it to its publisher (specification §2.10). Fields of the audit are null before the audit. Fields about
 * publication are null until the press is live. The slug is also null until the press is live, because a new headline may still change the
 * slug.
 */
export const DashboardPress = z.object({
  ...Press.shape,
  pressId: z.int().nullable(),
  slug: z.string().nullable(),
  publishedAt: Time.nullable(),
  auditScore: z.int().nullable(),
  publisherHolds: z.boolean().nullable(),
  priceAtPublish: z.number().nullable(),
  mintTx: z.string().nullable(),
  status: z.enum(["draft", "revise", "rejected", "approved", "live"]),
  earnedUsdg: z.number().describe("The sum of the payments to the publisher for this press."),
  updatedAt: Time,
});
export type DashboardPress = Readonly<z.infer<typeof DashboardPress>>;

/** A reader's payment to the owner of a press. */
export const Sale = z.object({
  at: Time,
  wallet: z.string().describe("Who paid."),
  payTo: z.string().describe("The wallet that was paid, because it owned the press then."),
  amountUsdg: z.number(),
  tx: z.string(),
  slug: z.string(),
  headline: z.string(),
});
export type Sale = Readonly<z.infer<typeof Sale>>;

/** A page of the list of all payments to an author, newest first. */
export const Sales = z.object({ sales: z.array(Sale).readonly(), cursor: NextCursor });
export type Sales = Readonly<z.infer<typeof Sales>>;

/**
 * An unfinished audit blocks changes of its press for at most this number of milliseconds. This time is much longer than the time limit of
 * the audit's state machine.
 */
export const auditHoldMs = 60_000;

/** The next step that an article needs before it can go live, and the time from which the article has been waiting for this step. */
export const Wait = z.object({
  id: z.int(),
  for: z
    .enum(["audit", "audit-running", "revision", "mint", "confirmation"])
    .describe(
      "The next step. `since` depends on the step: the time of the save for `audit`, of the audit request for `audit-running`, of the audit for `revision` and `mint`, and of the mint's report for `confirmation`.",
    ),
  since: Time,
});
export type Wait = Readonly<z.infer<typeof Wait>>;

/** The minimum prices of this stage. */
export const PriceNow = z.object({
  leastUsdg: z.number().describe("The lowest price that a save accepts, in USDG."),
  carryingUsdg: z
    .number()
    .describe(
      "The lowest price, in USDG, whose fee pays for the gas of a read at the current gas price. A press below this price can be sold until its publisher's gas allowance of the day is used up.",
    ),
});
export type PriceNow = z.infer<typeof PriceNow>;

/** All presses of a publisher, newest first, with totals (specification §4.8). */
export const Dashboard = z.object({
  presses: z.array(DashboardPress).readonly(),
  totals: z
    .object({ earnedUsdg: z.number(), live: z.int(), reads: z.int() })
    .describe(
      "Totals of the presses in this answer. If neither the request nor the answer has a cursor, the totals cover all presses.",
    ),
  cursor: NextCursor,
  manuscripts: z
    .array(ManuscriptEntry)
    .readonly()
    .exactOptional()
    .describe("Unfinished texts, the latest change first. Only the full view has this field."),
  waits: z
    .array(Wait)
    .readonly()
    .exactOptional()
    .describe("The next step of each press that is not live. Only the full view has this field."),
});
export type Dashboard = Readonly<z.infer<typeof Dashboard>>;

/** The dashboard's query. Without the parameter `view` the answer has exactly the form of the specification. */
export const DashboardQuery = z.object({
  ...CursorQuery.shape,
  view: z
    .literal("full")
    .optional()
    .describe("Adds unfinished texts and each press's next step. All sales are at /api/me/sales."),
});

/** One of the caller's presses with all its fields except the audit report. The metadata URL of a press is null before the approval. */
export const OwnPress = z.object({
  press: DashboardPress,
  body: z.string(),
  metaUrl: z.string().nullable(),
  auditCount: z.int().describe("The number of audits so far, which is at most eight."),
});
export type OwnPress = Readonly<z.infer<typeof OwnPress>>;

/** A press's ERC-8004 registration file. The file also has fields with which a reader can verify the text (design §2). */
export const Registration = z.object({
  type: z.literal("https://eips.ethereum.org/EIPS/eip-8004#registration-v1"),
  name: z.string(),
  description: z.string(),
  image: z.url(),
  services: z.array(z.object({ name: z.string(), endpoint: z.url() })).readonly(),
  x402Support: z.literal(true),
  active: z.literal(true),
  registrations: z
    .array(z.object({ agentId: z.int(), agentRegistry: z.string() }))
    .readonly()
    .describe("The list is empty until the identity is minted and confirmed."),
  supportedTrust: z.tuple([z.literal("reputation")]).readonly(),
  contentHash: z.string().describe("keccak256 of the text's UTF-8 bytes."),
  audit: AuditSummary.pick({ verdict: true, score: true }),
  price: z.object({ amount: z.number(), units: z.string(), asset: z.string() }),
});
export type Registration = Readonly<z.infer<typeof Registration>>;

const decimals = 6;

/**
 * Converts a decimal amount of USDG to base units (six decimals). The result is exact, because the function copies the digits and does not
 * calculate. The result is `undefined` for a text with a sign, an exponent or more than six decimals, and for any other text that is not a
 * valid amount.
 */
export function toUnits(amount: string): bigint | undefined {
  const match = /^(\d+)(?:\.(\d{1,6}))?$/.exec(amount);
  if (match === null) return undefined;
  const [, whole = "", fraction = ""] = match;
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** Converts base units to the nearest number of USDG, for display only. */
export function toUsdg(units: bigint | string): number {
  const digits = String(units).padStart(decimals + 1, "0");
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}

/** The minimum and the maximum price of a press, as people write them: "0.01 to 1,000". */
export const priceRange = [limits.priceUnits.min, limits.priceUnits.max]
  .map((units) => toUsdg(units).toLocaleString("en-US"))
  .join(" to ");
