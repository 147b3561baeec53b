import * as z from "zod";
import { Quote, Stock } from "../market/schema.ts";
import type { ModelAnswer, ModelUsage } from "../port/model.ts";
import { OwnPress } from "../press/schema.ts";

/** The body of a request for an audit run (specification §4.8). */
export const AuditInput = z.object({ id: z.int().positive() });
export type AuditInput = z.infer<typeof AuditInput>;

/** The outcome of an audit run, from which the press's status follows (design §2). */
export const Verdict = z.enum(["approve", "revise", "reject"]);
export type Verdict = z.infer<typeof Verdict>;

export const Severity = z.enum(["low", "medium", "high", "critical"]);
export type Severity = z.infer<typeof Severity>;

/**
 * One finding of an audit. `check` is the name, in kebab case, of the rule or of the kind of fault that the model found. `detail` says what
 * the writer should change.
 */
export const Issue = z
  .object({ severity: Severity, check: z.string().min(1).max(60), detail: z.string().min(1).max(1000) })
  .readonly();
export type Issue = z.infer<typeof Issue>;

/** The press as it is audited: its texts at one revision. `body` is Markdown. */
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

/** A source of an AI draft. `text` is the part of the source that the drafting model saw. */
const Source = z
  .object({ title: z.string(), source: z.string(), link: z.string(), text: z.string() })
  .readonly();

/**
 * A live press that resembles the audited press. `own` says whether both presses have the same publisher. `shared` is the estimated share
 * of one press's text that also occurs in the other press, as a number from 0 to 1. The number is computed for each of the two presses, and
 * the larger number is used. The texts are compared by sequences of five words.
 */
const SimilarPress = z
  .object({ headline: z.string(), preview: z.string(), own: z.boolean(), shared: z.number().min(0).max(1) })
  .readonly();
export type SimilarPress = z.infer<typeof SimilarPress>;

const UnitsText = z.string().regex(/^\d+$/);

/**
 * The facts that the audit run gathers from other sources than the text when the run begins. `gatheredAt` is the time when the facts were
 * gathered (ISO 8601). The publisher's balance of the token is given in the token's base units, as a text of decimal digits.
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
    /**
     * The press's price, and the lowest price at which the platform's fee would now cover the gas of a read. Both prices are given in USDG
     * base units, as texts of decimal digits.
     */
    price: z.object({ units: UnitsText, carrying: UnitsText }).readonly().optional(),
  })
  .readonly();
export type AuditFacts = z.infer<typeof AuditFacts>;

/** The input of the reviewing model. */
export const ReviewRequest = z.object({ draft: AuditDraft, facts: AuditFacts }).readonly();
export type ReviewRequest = z.infer<typeof ReviewRequest>;

/**
 * The result of the model's reading: findings that quote the draft, the number of claims that the model listed, and the number of
 * misquotes.
 */
export const Review = z
  .object({
    summary: z.string(),
    issues: z.array(Issue).readonly(),
    /** The number of claims of fact that the model listed, and the number of claims for which the model found no support. */
    claims: z.int().min(0),
    unsupported: z.int().min(0),
    /** The number of entries of the model's answer that were left out because their quotes are not in the draft. */
    dropped: z.int().min(0),
  })
  .readonly();
export type Review = z.infer<typeof Review>;

/** The audit result of specification §2.3, as an audit run returns it. */
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

/**
 * A check that ran: who made the check, the number of its findings, and the question that it cannot judge. In older reports checks have no
 * label.
 */
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

/** A publisher's answer to a finding. `at` is the time of the answer in ISO 8601 UTC. */
export const Dispute = z
  .object({
    issue: z.int().min(0).describe("The finding's place in the report's issues, counted from 0."),
    text: z.string(),
    at: z.string(),
  })
  .readonly();
export type Dispute = z.infer<typeof Dispute>;

/** The maximum length of a publisher's answer in characters, which is enough for one sentence. */
export const longestDispute = 240;

/**
 * The body of a request that answers a finding. `auditedAt` identifies the report that contains the finding. If `text` is null, the answer
 * is withdrawn.
 */
export const DisputeInput = z.object({
  id: z.int().positive(),
  auditedAt: z.iso.datetime(),
  issue: z.int().min(0).max(999),
  text: z
    .string()
    .trim()
    .min(3)
    .max(longestDispute)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u, "one line of plain text")
    .nullable(),
});
export type DisputeInput = z.infer<typeof DisputeInput>;

export const Disputed = z.object({ disputes: z.array(Dispute).readonly() }).readonly();
export type Disputed = z.infer<typeof Disputed>;

/**
 * The stored and shown form of a report: the audit result with the facts and the checks of the audit. Older reports contain only the audit
 * result.
 */
export const FullReport = AuditReport.unwrap()
  .extend({
    checks: z.array(CheckRun).readonly().optional(),
    reading: Review.unwrap()
      .pick({ claims: true, unsupported: true, dropped: true })
      .readonly()
      .describe(
        "The numbers of claims that the model listed, of claims without support, and of entries that misquoted the text.",
      )
      .optional(),
    disputes: z.array(Dispute).readonly().describe("The publisher's answers to findings.").optional(),
  })
  .readonly();
export type FullReport = z.infer<typeof FullReport>;

/** The answer to an audit request, as defined in specification §4.8. */
export const Audited = z
  .object({
    status: z.enum(["approved", "revise", "rejected"]),
    audit: AuditReport,
    metaUrl: z
      .string()
      .describe("The address that the mint gives to the identity after the press is approved."),
  })
  .readonly();
export type Audited = z.infer<typeof Audited>;

/** One of the caller's presses in full (specification §4.8); the audit report is null until the first audit. */
export const AuditedPress = z.object({ ...OwnPress.shape, audit: FullReport.nullable() });

/**
 * The input of the state machine. `run` identifies the audit run that has reserved the press; `correlationId` identifies the request that
 * started the run, so that the logs of the run's steps can be found.
 */
export const AuditOrder = z
  .object({ id: z.int().positive(), run: z.string().min(1), correlationId: z.string().optional() })
  .readonly();
export type AuditOrder = z.infer<typeof AuditOrder>;

/** The result of an audit's first step: the text at one revision, and the facts from outside the text. */
export const Evidence = z
  .object({
    order: AuditOrder.unwrap().extend({ revision: z.int() }).readonly(),
    draft: AuditDraft,
    facts: AuditFacts,
  })
  .readonly();
export type Evidence = z.infer<typeof Evidence>;

/** The input of the last step of an audit. The last step stores the findings of all earlier steps. */
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

/** The maximum number of audits of one press (specification §8). */
export const auditLimit = 8;

/**
 * Asks the model to list an article's statements, quoted word for word. The model does not calculate the score and does not decide about
 * the article.
 */
export type Reviewer<Reading> = {
  review(request: ReviewRequest): Promise<ModelAnswer<Reading>>;
  /** The maximum number of calls in a review, and the maximum number of tokens of each call. */
  most(request: ReviewRequest): readonly ModelUsage[];
};

/**
 * Runs the audit's state machine to its end. If a step of the audit refuses the press, `makeNamedRefusal` converts the step's error code to
 * an error, and this error is thrown. Throws `audit_unavailable` (`upstream`) if the audit takes too long, or fails without a code that
 * `makeNamedRefusal` knows.
 */
export type AuditWorkflow = {
  run(order: AuditOrder): Promise<void>;
};
