import * as z from "zod";
import { AddressInput, HashInput } from "../chain/hex.ts";
import { StockSymbol } from "../market/schema.ts";
import { limits, line, Markdown, Price, paragraph } from "./input.ts";

const Id = z.int().positive();

/** What a publisher saves (specification §2.9). `priceUsdg` is read as base units. */
export const SaveInput = z
  .strictObject({
    id: Id.optional(),
    generationId: z.int().optional(),
    headline: line(limits.headline),
    stock: StockSymbol,
    priceUsdg: Price,
    publisherName: line(limits.publisherName),
    preview: paragraph(limits.preview),
    body: Markdown,
    /** The draft's time as the editor last saw it: a save on top of a newer one is refused. Without it the last one wins. */
    updatedAt: z.iso.datetime().optional(),
  })
  .refine(({ id, updatedAt }) => updatedAt === undefined || id !== undefined, {
    path: ["updatedAt"],
    message: "belongs to a saved draft: send its id as well",
  });
export type SaveInput = z.infer<typeof SaveInput>;

export const pageSize = 200;

/** What a list is asked for: newest first, further pages by the cursor of the one before. */
export const ListQuery = z.object({
  stock: StockSymbol.optional(),
  cursor: z.string().max(300).optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, `must be an integer from 1 to ${pageSize}`)
    .transform(Number)
    .pipe(z.int().min(1).max(pageSize))
    .optional(),
});
export type ListQuery = z.infer<typeof ListQuery>;

/** Specification §2.1. */
export const Press = z.object({
  id: z.int(),
  pressId: z.int(),
  slug: z.string(),
  headline: z.string(),
  preview: z.string(),
  stock: z.string(),
  publisher: z.string(),
  publisherName: z.string(),
  priceUsdg: z.number(),
  priceUnits: z.string(),
  publishedAt: z.string(),
  readMinutes: z.int(),
  auditScore: z.int(),
  aiAssisted: z.boolean(),
  publisherHolds: z.boolean(),
  priceAtPublish: z.number(),
  votes: z.object({ up: z.int(), down: z.int() }),
  tags: z.record(z.string(), z.int()),
  reads: z.int(),
  mintTx: z.string(),
  auditTx: z.string().nullable(),
});
export type Press = Readonly<z.infer<typeof Press>>;

export const PressList = z.object({ presses: z.array(Press).readonly(), cursor: z.string().optional() });
export type PressList = Readonly<z.infer<typeof PressList>>;

/** The audit as readers see it. */
export const AuditSummary = z.object({
  verdict: z.enum(["approve", "revise", "reject"]),
  score: z.int(),
  summary: z.string(),
  engine: z.string(),
  auditedAt: z.string(),
});
export type AuditSummary = Readonly<z.infer<typeof AuditSummary>>;

/** Specification §2.2. */
export const PressDetail = z.object({
  press: z.object({ ...Press.shape, priceNow: z.number() }),
  audit: AuditSummary,
  unlocked: z.boolean(),
  body: z.string().nullable(),
});
export type PressDetail = Readonly<z.infer<typeof PressDetail>>;

/**
 * Specification §2.10: a press as its publisher sees it. Until it is audited and live, what comes with that is null;
 * the slug too, for the headline may still change it.
 */
export const DashboardPress = z.object({
  ...Press.shape,
  pressId: z.int().nullable(),
  slug: z.string().nullable(),
  publishedAt: z.string().nullable(),
  auditScore: z.int().nullable(),
  publisherHolds: z.boolean().nullable(),
  priceAtPublish: z.number().nullable(),
  mintTx: z.string().nullable(),
  status: z.enum(["draft", "revise", "rejected", "approved", "live"]),
  earnedUsdg: z.number(),
  updatedAt: z.string(),
});
export type DashboardPress = Readonly<z.infer<typeof DashboardPress>>;

/** Specification §4.8: all presses of a publisher, newest first, and their sums. */
export const Dashboard = z.object({
  presses: z.array(DashboardPress).readonly(),
  totals: z.object({ earnedUsdg: z.number(), live: z.int(), reads: z.int() }),
});
export type Dashboard = Readonly<z.infer<typeof Dashboard>>;

/** One of the caller's presses in full, but for its audit report. The URL is null while there is nothing to mint. */
export const OwnPress = z.object({
  press: DashboardPress,
  body: z.string(),
  metaUrl: z.string().nullable(),
});
export type OwnPress = Readonly<z.infer<typeof OwnPress>>;

/** Confirmation of a mint (specification §4.8). */
export const MintedInput = z.strictObject({ id: Id, txHash: HashInput });
export type MintedInput = z.infer<typeof MintedInput>;

/**
 * The queue's message for it: which press, which transaction, which wallet says so, and how many times the chain has
 * been asked before.
 */
export const MintOrder = z.object({
  id: Id,
  txHash: HashInput,
  wallet: AddressInput,
  attempt: z.int().nonnegative(),
});
export type MintOrder = z.infer<typeof MintOrder>;
