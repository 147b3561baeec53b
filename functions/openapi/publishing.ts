import { auditLimit } from "../../core/audit/schema.ts";
import { generationsPerDay } from "../../core/draft/schema.ts";
import { manuscriptBytes, mostManuscripts } from "../../core/manuscript/schema.ts";
import type { Settings } from "../../core/port/settings.ts";
import { DashboardQuery, draftsPerDay } from "../../core/press/schema.ts";
import { article, auditReport, id, mintTx, press, pressId, refusal, refused, slug, time } from "./sample.ts";
import { type Json, type Operations, parametersOf } from "./schemas.ts";

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
  readerVotes: { up: 0, down: 0 },
  tags: {},
  reads: 0,
  status: "draft",
  earnedUsdg: 0,
  updatedAt: time,
} as const;

const halfThought = {
  stock: article.stock,
  headline: "What a margin",
  preview: "",
  body: "Half a thought.",
  publisherName: "",
  priceUsdg: "",
} as const;
const text = { name: "margin-note-1", ...halfThought } as const;
const staleManuscript = { stale_manuscript: "Changed elsewhere since updatedAt, or a press by now." };

type Publishing =
  | "press-keep"
  | "press-discard"
  | "my-manuscript"
  | "press-save"
  | "press-audit"
  | "press-dispute"
  | "press-minted"
  | "dashboard"
  | "my-press";

/** From a draft to a live press (specification §4.8). */
export function publishing({ origin }: Settings): Pick<Operations, Publishing> {
  const metaUrl = `${origin}/api/meta/${id}`;
  return {
    "press-save": {
      tag: "Publishing",
      summary: "Save a draft",
      description:
        "Creates a draft, or updates the one with `id`. Every edit needs a new audit; live presses are final.",
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
          stale_draft: "Saved elsewhere since updatedAt.",
          ...staleManuscript,
        },
        429: { draft_limit: `More than ${draftsPerDay} new drafts in a UTC day.` },
        503: {
          market_unavailable: "No market data.",
        },
      },
      examples: {
        draft: { summary: "A new draft", body: article, status: 200, answer: { id } },
        tooShort: {
          summary: "A text of a few words",
          body: { ...article, body: "The range of the day is no fence." },
          status: 400,
          answer: {
            ...refused("invalid_input", "body: needs at least 150 words, and has 8"),
            issues: [{ path: "body", message: "needs at least 150 words, and has 8" }],
          },
        },
        unknownStock: refusal(
          400,
          "unknown_stock",
          "stock: there is no active stock token MOON on this chain.",
          "A stock that is not on the chain",
          { body: { ...article, stock: "MOON" } },
        ),
        live: refusal(
          409,
          "press_live",
          "This press is live and can no longer be edited.",
          "A press that is live",
          { body: { ...article, id } },
        ),
      },
    },
    "press-keep": {
      tag: "Publishing",
      summary: "Keep an unfinished text",
      description: `In any state, under a name of yours, for your other devices: at most ${mostManuscripts} a wallet, each at most ${manuscriptBytes / 1024} kB as JSON. No press changes, and no day's limit.`,
      body: "KeepInput",
      answers: { 200: { description: "Kept.", schema: "Kept" } },
      refusals: {
        409: {
          ...staleManuscript,
          too_many_manuscripts: `${mostManuscripts} are kept already.`,
        },
      },
      examples: {
        half: { summary: "Half a thought", body: text, status: 200, answer: { updatedAt: time } },
        stale: {
          summary: "A new one of a name that is taken",
          body: text,
          status: 409,
          answer: {
            ...refused(
              "stale_manuscript",
              "This text was changed elsewhere since you opened it. Nothing was overwritten: load it again.",
            ),
            updatedAt: time,
          },
        },
      },
    },
    "press-discard": {
      tag: "Publishing",
      summary: "Discard an unfinished text",
      description: "One that is not there is discarded already.",
      body: "DiscardInput",
      answers: { 200: { description: "It is gone.", schema: "Discarded" } },
      refusals: { 409: staleManuscript },
      examples: {
        gone: {
          summary: "One that is gone already",
          body: { name: "no-such-text" },
          status: 200,
          answer: { discarded: true },
        },
      },
    },
    "my-manuscript": {
      tag: "Publishing",
      summary: "Own unfinished text",
      description: "In full, or the press that it has become.",
      path: { name: { description: "The name that it was kept under.", schema: { type: "string" } } },
      answers: { 200: { description: "The text.", schema: "Manuscript" } },
      refusals: { 404: { unknown_manuscript: "You have no unfinished text of this name." } },
      examples: {
        half: {
          summary: "Half a thought",
          path: { name: text.name },
          status: 200,
          answer: { name: text.name, updatedAt: time, press: null, contents: halfThought },
        },
        unknown: refusal(
          404,
          "unknown_manuscript",
          "You have no unfinished text of this name.",
          "No text of yours",
          { path: { name: "no-such-text" } },
        ),
      },
    },
    "press-audit": {
      tag: "Publishing",
      summary: "Run the audit",
      description: `At most ${auditLimit} times a press. Mint an approved press by register(metaUrl) on the identity registry.`,
      body: "AuditInput",
      answers: { 200: { description: "Audited.", schema: "Audited" } },
      refusals: {
        404: missing,
        409: {
          press_live: "A live press is final.",
          audit_running: "An audit of this press is running.",
          edited_meanwhile: "Edited during the audit.",
          stock_delisted: "Its stock is no longer listed; not counted.",
        },
        429: {
          audit_limit: `The press has had its ${auditLimit} audits.`,
          model_limit: "The wallet's model budget of the UTC day is used up; not counted.",
        },
        503: {
          model_budget_spent: "The service's model budget of the UTC day is used up; not counted.",
          audit_unavailable: "The audit agent is unavailable; the draft stays saved, not counted.",
        },
      },
      examples: {
        approved: {
          summary: "A draft",
          body: { id },
          status: 200,
          answer: { status: "approved", audit: auditReport, metaUrl },
        },
        unknownPress: refusal(
          404,
          "unknown_press",
          "You have no press with this id.",
          "Not a press of yours",
          { body: { id: 4711 } },
        ),
        live: refusal(
          409,
          "press_live",
          "This press is live: its text is final and was audited.",
          "A press that is live",
          { body: { id } },
        ),
      },
    },
    "press-dispute": {
      tag: "Publishing",
      summary: "Answer a finding",
      description:
        "One sentence (at most 240 characters) on a finding of the latest report; null deletes it. It changes neither verdict nor score, and is final once the press is live.",
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
        429: { dispute_limit: "60 changes of one report's answers." },
      },
      examples: {
        live: refusal(
          409,
          "press_live",
          "This press is live: its report has a hash on the chain and is final.",
          "A press that is live",
          { body: { id, auditedAt: time, issue: 0, text: "The filing that is linked gives this figure." } },
        ),
        unknownPress: refusal(
          404,
          "unknown_press",
          "You have no press with this id.",
          "Not a press of yours",
          { body: { id: 4711, auditedAt: time, issue: 0, text: null } },
        ),
      },
    },
    "press-minted": {
      tag: "Publishing",
      summary: "Confirm the mint",
      description:
        "Makes the press live if your wallet's transaction minted an identity with this press's metaUrl to it. May be repeated.",
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
          transaction_not_found: "No node has seen it for two minutes; may be repeated.",
        },
        404: missing,
        409: { not_approved: "The press is not approved." },
        429: { too_many_mints: "Three other confirmations are under way." },
        503: {
          mint_pending: "Not confirmed yet; repeat the request.",
          confirmation_timed_out: "The mint could not be checked; repeat.",
          queue_unavailable: "The confirmation was not accepted; repeat.",
        },
      },
      examples: {
        live: {
          summary: "The transaction that minted it",
          body: { id, txHash: mintTx },
          status: 200,
          answer: { slug, pressId },
        },
        unknownPress: refusal(
          404,
          "unknown_press",
          "You have no press with this id.",
          "Not a press of yours",
          { body: { id: 4711, txHash: mintTx } },
        ),
      },
    },
    dashboard: {
      tag: "Publishing",
      summary: "Own presses and their sums",
      description: "Newest first. Fields of live presses are null before.",
      query: parametersOf(DashboardQuery),
      answers: { 200: { description: "The presses.", schema: "Dashboard" } },
      refusals: { 400: { invalid_input: "There is no such view." } },
      examples: {
        publisher: {
          summary: "A publisher's",
          status: 200,
          answer: {
            presses: [{ ...draftPress, id: id + 1 }, livePress],
            totals: { earnedUsdg: livePress.earnedUsdg, live: 1, reads: 1 },
          },
        },
        full: {
          summary: "With unfinished texts and the last unlocks",
          query: { view: "full" },
          status: 200,
          answer: {
            presses: [livePress],
            totals: { earnedUsdg: livePress.earnedUsdg, live: 1, reads: 1 },
            manuscripts: [{ name: text.name, headline: text.headline, stock: text.stock, updatedAt: time }],
            sales: [
              {
                at: time,
                wallet: press.publisher,
                payTo: press.publisher,
                amountUsdg: livePress.earnedUsdg,
                tx: mintTx,
                slug,
                headline: press.headline,
              },
            ],
          },
        },
      },
    },
    "my-press": {
      tag: "Publishing",
      summary: "Own press in full",
      description: "With text, latest audit report and metaUrl.",
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
        unknownPress: refusal(
          404,
          "unknown_press",
          "You have no press with this id.",
          "Not a press of yours",
          { path: { id: 4711 } },
        ),
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
    description: "Headlines (h0, h1, …), price and fundamentals.",
    body: "AnglesInput",
    answers: { 200: { description: "The angles.", schema: "Angles" } },
    refusals: {
      400: { unknown_stock: "No active stock token has this ticker." },
      503: {
        market_unavailable: "No market data.",
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
      unknownStock: refusal(
        400,
        "unknown_stock",
        "stock: there is no active stock token MOON on this chain.",
        "A stock that is not on the chain",
        { body: { stock: "MOON" } },
      ),
    },
  },
  "draft-generate": {
    tag: "Drafting",
    summary: "Have a draft written",
    description: `At most ${generationsPerDay} a UTC day. Save it with its generationId, so that its sources reach the audit.`,
    body: "GenerateInput",
    answers: { 200: { description: "The draft and what it was written from.", schema: "Generated" } },
    refusals: {
      400: {
        unknown_stock: "No active stock token has this ticker.",
        unknown_angle: "This angle was not offered lately.",
      },
      429: {
        generation_limit: `More than ${generationsPerDay} AI drafts in a UTC day.`,
        model_limit: "The wallet's model budget of the UTC day is used up; not counted.",
      },
      503: {
        model_unavailable: "No usable draft; not counted.",
        model_budget_spent: "The service's model budget of the UTC day is used up; not counted.",
        model_busy: "Too many requests at once; repeat.",
        market_unavailable: "No market data.",
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
      unknownAngle: refusal(
        400,
        "unknown_angle",
        "angleId: you have not been offered h99 for this stock lately. Ask for angles again.",
        "An angle that was not shown",
        { body: { stock: article.stock, angleId: "h99" } },
      ),
    },
  },
};
