import { auditLimit } from "../../core/audit/schema.ts";
import { generationsPerDay } from "../../core/draft/schema.ts";
import type { Settings } from "../../core/port/settings.ts";
import { draftsPerDay } from "../../core/press/schema.ts";
import type { Operations } from "./operation.ts";
import { article, auditReport, id, mintTx, press, pressId, refused, slug, time } from "./sample.ts";
import type { Json } from "./schemas.ts";

const missing = { unknown_press: "You have no press with this id." };
const draftPress = {
  ...press,
  pressId: null,
  slug: null,
  publishedAt: null,
  auditScore: null,
  publisherHolds: null,
  priceAtPublish: null,
  mintTx: null,
  auditTx: null,
  votes: { up: 0, down: 0 },
  tags: {},
  reads: 0,
  status: "draft",
  earnedUsdg: 0,
  updatedAt: time,
} as const;

type Publishing = "press-save" | "press-audit" | "press-dispute" | "press-minted" | "dashboard" | "my-press";

/** From a draft to a live press (specification §4.8). */
export function publishing({ origin }: Settings): Pick<Operations, Publishing> {
  const metaUrl = `${origin}/api/meta/${id}`;
  return {
    "press-save": {
      tag: "Publishing",
      summary: "Save a draft",
      description:
        "Without an id a new draft, with one your own anew. Every edit must be audited again; a live press is not edited.",
      body: "SaveInput",
      answers: { 200: { description: "Saved.", schema: "Saved" } },
      refusals: {
        400: {
          unknown_stock: "No active stock token has this ticker.",
          unknown_generation: "You have no such AI draft about this stock.",
        },
        404: missing,
        409: {
          press_live: "A live press is final.",
          stale_draft: "It was saved elsewhere since updatedAt; that time is in the answer.",
        },
        429: { draft_limit: `More than ${draftsPerDay} new drafts in a UTC day.` },
        503: {
          market_unavailable: "The stock cannot be looked up right now.",
          press_busy: "Another save of this press is under way.",
        },
      },
      examples: {
        draft: { summary: "A new draft", body: article, status: 200, answer: { id } },
        tooShort: {
          summary: "A text of a few words",
          body: { ...article, body: "The range of the day is no fence." },
          status: 400,
          answer: {
            ...refused("invalid_input", "body: has 8 words; at least 150"),
            issues: [{ path: "body", message: "has 8 words; at least 150" }],
          },
        },
        unknownStock: {
          summary: "A stock that is not on the chain",
          body: { ...article, stock: "MOON" },
          status: 400,
          answer: refused("unknown_stock", "stock: there is no active stock token MOON on this chain."),
        },
        live: {
          summary: "A press that is live",
          body: { ...article, id },
          status: 409,
          answer: refused("press_live", "This press is live and can no longer be edited."),
        },
      },
    },
    "press-audit": {
      tag: "Publishing",
      summary: "Run the audit",
      description: `Rules and a model read the draft; up to ${auditLimit} times a press. An approved press is minted by calling register(metaUrl) on the identity registry from the publisher's wallet.`,
      body: "AuditInput",
      answers: { 200: { description: "Audited.", schema: "Audited" } },
      refusals: {
        404: missing,
        409: {
          press_live: "A live press is final.",
          audit_running: "An audit of this press is running.",
          edited_meanwhile: "The press was edited while it was audited; it counts if the model was asked.",
          stock_delisted: "Its stock is no longer listed; nothing was counted.",
        },
        429: {
          audit_limit: `The press has had its ${auditLimit} audits.`,
          model_limit: "The wallet has used up its audits and AI drafts of the UTC day; nothing was counted.",
        },
        503: {
          model_budget_spent:
            "The service's audits and AI drafts of the UTC day are used up; nothing was counted.",
          audit_unavailable: "The audit agent is unavailable; the draft stays saved, nothing was counted.",
        },
      },
      examples: {
        approved: {
          summary: "A draft",
          body: { id },
          status: 200,
          answer: { status: "approved", audit: auditReport, metaUrl },
        },
        unknownPress: {
          summary: "Not a press of yours",
          body: { id: 4711 },
          status: 404,
          answer: refused("unknown_press", "You have no press with this id."),
        },
        live: {
          summary: "A press that is live",
          body: { id },
          status: 409,
          answer: refused("press_live", "This press is live: its text is final and was audited."),
        },
      },
    },
    "press-dispute": {
      tag: "Publishing",
      summary: "Answer a finding",
      description:
        "One sentence of plain text on one finding of the latest report, at most 240 characters; null takes it back. It is stored with the report, shown with it as disputed, and changes neither verdict nor score. Nothing changes once the press is live: the onchain verdict carries the report's hash.",
      body: "DisputeInput",
      answers: { 200: { description: "All answers to the report.", schema: "Disputed" } },
      refusals: {
        400: { unknown_finding: "The report has no such finding." },
        404: missing,
        409: {
          press_live: "A live press's report is final.",
          report_changed: "This is not the latest report.",
          dispute_overtaken: "The press was changed meanwhile.",
        },
        429: { dispute_limit: "The answers to this report have been changed 60 times." },
      },
      examples: {
        live: {
          summary: "A press that is live",
          body: { id, auditedAt: time, issue: 0, text: "The filing that is linked gives this figure." },
          status: 409,
          answer: refused(
            "press_live",
            "This press is live: its report has a hash on the chain and is final.",
          ),
        },
        unknownPress: {
          summary: "Not a press of yours",
          body: { id: 4711, auditedAt: time, issue: 0, text: null },
          status: 404,
          answer: refused("unknown_press", "You have no press with this id."),
        },
      },
    },
    "press-minted": {
      tag: "Publishing",
      summary: "Confirm the mint",
      description:
        "The transaction must have succeeded, been sent by your wallet, minted an identity to it, and set the identity's URI to the press's metaUrl. Then the press goes live. A repeat says the same again.",
      body: "MintedInput",
      answers: {
        200: { description: "The press is live.", schema: "Minted" },
      },
      refusals: {
        400: {
          transaction_failed: "It failed on the chain.",
          wrong_sender: "Another wallet sent it.",
          no_identity_minted: "It minted no identity to your wallet.",
          wrong_identity_uri: "The identity does not point to the press's metaUrl.",
          transaction_already_used: "It has made another press live.",
          transaction_not_found: "No node has seen it for two minutes; it may be named again.",
        },
        404: missing,
        409: { not_approved: "The press is not approved." },
        429: { too_many_mints: "Three other transactions of this press are under way." },
        503: {
          mint_pending: "The transaction is not confirmed yet; the same request will tell.",
          confirmation_timed_out: "The mint could not be checked; confirm it again.",
          queue_unavailable: "The confirmation could not be taken; try again.",
          press_busy: "Another confirmation of this press is under way.",
        },
      },
      examples: {
        live: {
          summary: "The transaction that minted it",
          body: { id, txHash: mintTx },
          status: 200,
          answer: { slug, pressId },
        },
        unknownPress: {
          summary: "Not a press of yours",
          body: { id: 4711, txHash: mintTx },
          status: 404,
          answer: refused("unknown_press", "You have no press with this id."),
        },
      },
    },
    dashboard: {
      tag: "Publishing",
      summary: "Own presses and their sums",
      description:
        "All presses of the session's wallet, newest first. What only a live press has is null before.",
      answers: { 200: { description: "The presses.", schema: "Dashboard" } },
      examples: {
        publisher: {
          summary: "A publisher's",
          status: 200,
          answer: {
            presses: [{ ...draftPress, id: id + 1 }, livePress],
            totals: { earnedUsdg: livePress.earnedUsdg, live: 1, reads: 1 },
          },
        },
      },
    },
    "my-press": {
      tag: "Publishing",
      summary: "Own press in full",
      description:
        "With its text, its latest audit report, and the URL that it is minted with once it is approved.",
      path: { id: { description: "The press's internal id.", schema: { type: "integer", minimum: 1 } } },
      answers: { 200: { description: "The press.", schema: "AuditedPress" } },
      refusals: { 404: missing },
      examples: {
        live: {
          summary: "A live press",
          path: { id },
          status: 200,
          answer: { press: livePress, body: article.body, audit: auditReport, metaUrl, auditCount: 1 },
        },
        unknownPress: {
          summary: "Not a press of yours",
          path: { id: 4711 },
          status: 404,
          answer: refused("unknown_press", "You have no press with this id."),
        },
      },
    },
  };
}

const livePress = {
  ...press,
  status: "live",
  earnedUsdg: 0.225,
  updatedAt: time,
} as const satisfies Json;

const report = {
  title: "Microsoft sets the date of its quarterly report",
  source: "Nasdaq",
  link: "https://www.nasdaq.com/articles/microsoft-sets-date",
} as const;

/** A model's help with a draft (specification §4.8). */
export const drafting: Pick<Operations, "draft-angles" | "draft-generate"> = {
  "draft-angles": {
    tag: "Drafting",
    summary: "What may be written about a stock",
    description:
      "Its latest headlines (h0, h1, …), its price, and what lies behind it. Without news the others stand.",
    body: "AnglesInput",
    answers: { 200: { description: "The angles.", schema: "Angles" } },
    refusals: {
      400: { unknown_stock: "No active stock token has this ticker." },
      503: {
        market_unavailable: "The stock cannot be looked up right now.",
        draft_busy: "Try again shortly.",
      },
    },
    examples: {
      angles: {
        summary: "For a stock",
        body: { stock: article.stock },
        status: 200,
        answer: {
          angles: [
            {
              id: "h0",
              kind: "headline",
              ...report,
              detail: "What the report says, and what it leaves open.",
              publishedAt: time,
            },
            {
              id: "price",
              kind: "price",
              title: "Where MSFT stands in its day's range",
              detail: "MSFT is at 415.25. What that says, and what it does not.",
            },
          ],
          freshNews: true,
          remaining: generationsPerDay,
        },
      },
      unknownStock: {
        summary: "A stock that is not on the chain",
        body: { stock: "MOON" },
        status: 400,
        answer: refused("unknown_stock", "stock: there is no active stock token MOON on this chain."),
      },
    },
  },
  "draft-generate": {
    tag: "Drafting",
    summary: "Have a draft written",
    description: `On an angle that you were shown, up to ${generationsPerDay} times a UTC day. Save it with its generationId: the press is then labelled as AI-assisted and its sources reach the audit.`,
    body: "GenerateInput",
    answers: { 200: { description: "The draft and what it was written from.", schema: "Generated" } },
    refusals: {
      400: {
        unknown_stock: "No active stock token has this ticker.",
        unknown_angle: "You have not been shown this angle lately.",
      },
      429: {
        generation_limit: `More than ${generationsPerDay} AI drafts in a UTC day.`,
        model_limit: "The wallet has used up its audits and AI drafts of the UTC day; nothing was counted.",
      },
      503: {
        model_unavailable: "The model gives no usable draft; the try does not count.",
        model_budget_spent:
          "The service's audits and AI drafts of the UTC day are used up; nothing was counted.",
        model_busy: "Too many ask at once; try again.",
        market_unavailable: "The stock cannot be looked up right now.",
        draft_busy: "Try again shortly.",
      },
    },
    examples: {
      price: {
        summary: "On the price",
        body: { stock: article.stock, angleId: "price" },
        status: 200,
        answer: {
          generationId: 1,
          draft: { headline: article.headline, preview: article.preview, body: article.body },
          sources: [report],
          remaining: generationsPerDay - 1,
        },
      },
      unknownAngle: {
        summary: "An angle that was not shown",
        body: { stock: article.stock, angleId: "h99" },
        status: 400,
        answer: refused(
          "unknown_angle",
          "angleId: you have not been offered h99 for this stock lately. Ask for angles again.",
        ),
      },
    },
  },
};
