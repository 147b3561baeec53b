import * as z from "zod";
import { Quote, Stock } from "../market/schema.ts";
import { OwnPress } from "../press/schema.ts";

/** Body of an audit run (specification §4.8). */
export const AuditInput = z.object({ id: z.int().positive() });
export type AuditInput = z.infer<typeof AuditInput>;

/** The outcome of a run (design §2): the status follows from the verdict. */
export const Verdict = z.enum(["approve", "revise", "reject"]);
export type Verdict = z.infer<typeof Verdict>;

export const Severity = z.enum(["low", "medium", "high", "critical"]);
export type Severity = z.infer<typeof Severity>;

/** One finding. `check` names the rule or the model's concern in kebab case, `detail` tells the writer what to change. */
export const Issue = z
  .object({ severity: Severity, check: z.string().min(1).max(60), detail: z.string().min(1).max(1000) })
  .readonly();
export type Issue = z.infer<typeof Issue>;

/** The press as it is audited: its words at one revision. `body` is Markdown. */
export const AuditDraft = z
  .object({
    headline: z.string(),
    stock: z.string(),
    publisherName: z.string(),
    preview: z.string(),
    body: z.string(),
    aiAssisted: z.boolean(),
  })
  .readonly();
export type AuditDraft = z.infer<typeof AuditDraft>;

/** Something that an AI draft was written from. `text` is what the drafting step was shown of it. */
const Source = z
  .object({ title: z.string(), source: z.string(), link: z.string(), text: z.string() })
  .readonly();

/**
 * A live press that resembles the one under audit. `own`: of the same publisher; `shared`: the share of the one's runs of
 * five words that stand in the other, 0 to 1.
 */
const SimilarPress = z
  .object({ headline: z.string(), preview: z.string(), own: z.boolean(), shared: z.number().min(0).max(1) })
  .readonly();
export type SimilarPress = z.infer<typeof SimilarPress>;

const UnitsText = z.string().regex(/^\d+$/);

/**
 * The facts from outside the text, gathered when the run begins (`gatheredAt`, ISO 8601). Balance in the token's base
 * units, decimal.
 */
export const AuditFacts = z
  .object({
    gatheredAt: z.iso.datetime(),
    quote: Quote,
    stock: Stock,
    publisherHolds: z.boolean(),
    publisherBalance: UnitsText,
    sources: z.array(Source).readonly(),
    similar: z.array(SimilarPress).readonly(),
    /** The press's price, and the price whose fee pays for the gas of a read now. USDG base units, decimal. */
    price: z.object({ units: UnitsText, carrying: UnitsText }).readonly().optional(),
  })
  .readonly();
export type AuditFacts = z.infer<typeof AuditFacts>;

/** The input of the reviewing model. */
export const ReviewRequest = z.object({ draft: AuditDraft, facts: AuditFacts }).readonly();
export type ReviewRequest = z.infer<typeof ReviewRequest>;

/** The result of the model's reading: its findings that quote the draft, and how much it read and misquoted. */
export const Review = z
  .object({
    summary: z.string(),
    issues: z.array(Issue).readonly(),
    /** How many claims of fact the model listed, and for how many it found no support. */
    claims: z.int().min(0),
    unsupported: z.int().min(0),
    /** How many entries were left out because their quotes are not in the draft. */
    dropped: z.int().min(0),
  })
  .readonly();
export type Review = z.infer<typeof Review>;

/** The audit result of specification §2.3, as a run answers it. */
export const AuditReport = z
  .object({
    verdict: Verdict,
    score: z.int().min(0).max(100),
    summary: z.string(),
    issues: z.array(Issue).readonly(),
    facts: AuditFacts.unwrap().pick({ quote: true, publisherHolds: true, publisherBalance: true }).readonly(),
    engine: z.string(),
    auditedAt: z.string(),
  })
  .readonly();
export type AuditReport = z.infer<typeof AuditReport>;

/** A check that ran: who ran it, how much it found, and what it cannot judge. Older reports have no label. */
export const CheckRun = z
  .object({
    check: z.string(),
    label: z.string().describe("The check's name for readers.").optional(),
    by: z.enum(["rules", "model", "rules and model"]),
    found: z.int().min(0),
    cannotJudge: z.string(),
  })
  .readonly();
export type CheckRun = z.infer<typeof CheckRun>;

/** A publisher's answer to a finding. `at`: ISO 8601 UTC. */
export const Dispute = z
  .object({
    issue: z.int().min(0).describe("The finding's place in the report's issues, counted from 0."),
    text: z.string(),
    at: z.string(),
  })
  .readonly();
export type Dispute = z.infer<typeof Dispute>;

/** The longest answer in characters: one sentence. */
export const longestDispute = 240;

/** Body of an answer to a finding. `auditedAt` names the report that is answered, `text` null takes an answer back. */
export const DisputeInput = z.object({
  id: z.int().positive(),
  auditedAt: z.iso.datetime(),
  issue: z.int().min(0).max(999),
  text: z
    .string()
    .trim()
    .min(3)
    .max(longestDispute)
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, "one line of plain text")
    .nullable(),
});
export type DisputeInput = z.infer<typeof DisputeInput>;

export const Disputed = z.object({ disputes: z.array(Dispute).readonly() }).readonly();
export type Disputed = z.infer<typeof Disputed>;

/** The report as it is stored and shown: the result with what was checked. Older reports have only the result. */
export const FullReport = AuditReport.unwrap()
  .extend({
    checks: z.array(CheckRun).readonly().optional(),
    reading: Review.unwrap()
      .pick({ claims: true, unsupported: true, dropped: true })
      .readonly()
      .describe("Claims that the model listed, those without support, and entries that misquoted the text.")
      .optional(),
    disputes: z.array(Dispute).readonly().describe("The publisher's answers to findings.").optional(),
  })
  .readonly();
export type FullReport = z.infer<typeof FullReport>;

/** The answer of specification §4.8. */
export const Audited = z
  .object({
    status: z.enum(["approved", "revise", "rejected"]),
    audit: AuditReport,
    metaUrl: z.string().describe("The address that the identity is minted with once the press is approved."),
  })
  .readonly();
export type Audited = z.infer<typeof Audited>;

/** One of the caller's presses in full (specification §4.8); the report is null until the first audit. */
export const AuditedPress = z.object({ ...OwnPress.shape, audit: FullReport.nullable() });

/**
 * The input of the state machine. `run` names the run that holds the press, `correlationId` the request that
 * asked for it, by which its steps' logs are found.
 */
export const AuditOrder = z
  .object({ id: z.int().positive(), run: z.string().min(1), correlationId: z.string().optional() })
  .readonly();
export type AuditOrder = z.infer<typeof AuditOrder>;

/** The first step's result: the text at one revision, and what is known outside it. */
export const Evidence = z
  .object({
    order: AuditOrder.unwrap().extend({ revision: z.int() }).readonly(),
    draft: AuditDraft,
    facts: AuditFacts,
  })
  .readonly();
export type Evidence = z.infer<typeof Evidence>;

/** The input of the last step, which stores it: everything that the steps before found. */
export const RunFindings = z
  .object({
    order: Evidence.unwrap().shape.order,
    facts: AuditReport.unwrap().shape.facts,
    issues: z.array(Issue).readonly(),
    review: Review,
    engine: z.string(),
  })
  .readonly();
export type RunFindings = z.infer<typeof RunFindings>;

/** How many audits one press may have (specification §8). */
export const auditLimit = 8;
