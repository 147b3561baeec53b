import * as z from "zod";
import { auditLimit } from "../../core/audit/schema.ts";
import type { Refusal } from "../../core/catalogue/schema.ts";
import { mostChanges, mostNotes, noteLength } from "../../core/correction/schema.ts";
import { generationsPerDay } from "../../core/draft/schema.ts";
import type { Settings } from "../../core/port/settings.ts";
import { DashboardQuery } from "../../core/press/schema.ts";
import { repeatHeader } from "../browser.ts";
import { idOf, tagged } from "./forms.ts";
import { article, auditReport, id, mintTx, pressId, refusal, refusalBody, slug, time } from "./sample.ts";

const ofModel: readonly Refusal[] = ["429 model_limit", "503 model_budget_spent"];

/** The header by which a client repeats a request without repeating its effect. */
const headers = z.object({
  [repeatHeader]: z
    .string()
    .describe(
      "A key of your own for this request, 8 to 128 of [A-Za-z0-9_-]. Sent again within 24 hours, it gets the first answer and does nothing.",
    ),
});
const ofRepeats: readonly Refusal[] = ["400 invalid_idempotency_key", "409 idempotency_key_reused"];

/** The operations from a draft to a live press (specification §4.8). */
export const publishing = ({ origin }: Settings) => {
  const metaUrl = `${origin}/api/meta/${id}`;
  return tagged("Publishing", {
    "press-save": {
      summary: "Save a draft",
      description:
        "Creates a draft, or updates the one with `id`. Every edit needs a new audit; live presses are final.",
      headers,
      body: "SaveInput",
      answer: "Saved",
      refusals: [
        ...ofRepeats,
        "400 price_too_low",
        "400 unknown_stock",
        "400 unknown_generation",
        "404 unknown_press",
        "409 press_live",
        "409 stale_draft",
        "409 stale_manuscript",
        "429 draft_limit",
        "503 market_unavailable",
      ],
      examples: {
        draft: { summary: "A new draft", body: article, answer: { id } },
        tooShort: {
          summary: "A text of a few words",
          body: { ...article, body: "The day has a high and a low." },
          status: 400,
          answer: {
            ...refusalBody("invalid_input", "body: needs at least 150 words, and has 8"),
            issues: [{ path: "body", message: "needs at least 150 words, and has 8" }],
          },
        },
      },
    },
    "press-audit": {
      summary: "Run the audit",
      description: `At most ${auditLimit} times a press. Mint an approved press by register(metaUrl) on the identity registry.`,
      body: "AuditInput",
      answer: "Audited",
      refusals: [
        "404 unknown_press",
        "409 press_live",
        "409 audit_running",
        "409 edited_meanwhile",
        "409 stock_delisted",
        "429 audit_limit",
        ...ofModel,
        "503 audit_unavailable",
      ],
      examples: {
        approved: {
          summary: "A draft",
          body: { id },
          answer: { status: "approved", audit: auditReport, metaUrl },
        },
      },
    },
    "press-dispute": {
      summary: "Answer a finding",
      description:
        "One sentence (at most 240 characters) on a finding of the latest report; null deletes it. It changes neither verdict nor score, and is final once the press is live.",
      body: "DisputeInput",
      answer: "Disputed",
      refusals: [
        "400 unknown_finding",
        "404 unknown_press",
        "409 press_live",
        "409 report_changed",
        "409 dispute_overtaken",
        "429 dispute_limit",
      ],
      examples: {
        live: refusal(
          "409 press_live",
          "This article is live: its report has a hash on the chain and is final.",
          "A press that is live",
          { body: { id, auditedAt: time, issue: 0, text: "The filing that is linked gives this figure." } },
        ),
      },
    },
    "press-correct": {
      summary: "Add a correction",
      description: `A dated note on a live press, shown above it and in feeds: plain text of ${noteLength.min} to ${noteLength.max} characters, at most ${mostNotes}, final. The text that was sold and its hash stay. The audit's rules for wording read it.`,
      body: "CorrectInput",
      answer: "Corrected",
      refusals: ["400 note_refused", "404 unknown_press", "409 press_not_live", "429 correction_limit"],
      examples: {
        refused: refusal("404 unknown_press", "You have no article with this id.", "Not a press of yours", {
          body: { id: 4711, text: "The quarter ended in June, not in July." },
        }),
      },
    },
    "press-unlist": {
      summary: "Take a press off sale",
      description: `Off all lists and feeds, and no new fee is taken. Who has unlocked it keeps it; who has paid its fee may complete. false lists it again. At most ${mostChanges} changes of price and listing a press.`,
      body: "UnlistInput",
      answer: "Corrected",
      refusals: ["404 unknown_press", "409 press_not_live", "429 correction_limit"],
      examples: {
        listed: { summary: "A press that is listed already", body: { id, unlisted: false } },
      },
    },
    "press-price": {
      summary: "Change the price",
      description: `A payment that was signed for another price is answered with fresh terms. Who has paid the fee completes at the price of then. At most ${mostChanges} changes of price and listing a press.`,
      body: "PriceInput",
      answer: "Corrected",
      refusals: ["400 price_too_low", "404 unknown_press", "409 press_not_live", "429 correction_limit"],
      examples: {
        same: { summary: "The price that it has", body: { id, priceUsdg: 0.25 } },
      },
    },
    "press-minted": {
      summary: "Confirm the mint",
      description:
        "Makes the press live if your wallet's transaction minted an identity with this press's metaUrl to it. May be repeated.",
      body: "MintedInput",
      answer: "Minted",
      refusals: [
        "400 transaction_failed",
        "400 wrong_sender",
        "400 no_identity_minted",
        "400 wrong_identity_uri",
        "400 transaction_already_used",
        "400 transaction_not_found",
        "404 unknown_press",
        "409 not_approved",
        "429 too_many_mints",
        "503 mint_pending",
        "503 confirmation_timed_out",
        "503 queue_unavailable",
      ],
      examples: {
        live: {
          summary: "The transaction that minted the identity",
          body: { id, txHash: mintTx },
          answer: { slug, pressId },
        },
      },
    },
    dashboard: {
      summary: "Own presses and their sums",
      description: "Newest first. Fields of live presses are null before they go live.",
      query: DashboardQuery,
      answer: "Dashboard",
      refusals: ["400 invalid_input", "400 invalid_cursor"],
      examples: {
        full: { summary: "With unfinished texts and the last unlocks", query: { view: "full" } },
      },
    },
    "my-price": {
      summary: "What a price must be",
      description:
        "The lowest price that is accepted here, and the lowest whose fee pays for the gas of a read at the current gas price.",
      answer: "PriceNow",
      refusals: ["503 chain_unavailable"],
    },
    "my-press": {
      summary: "Own press in full",
      description: "With text, latest audit report and metaUrl.",
      path: z.object({ id: idOf("The press's internal id.") }),
      answer: "AuditedPress",
      refusals: ["404 unknown_press"],
      examples: { live: { summary: "A live press", path: { id } } },
    },
  });
};

/** The operations by which a model helps with a draft (specification §4.8). */
export const drafting = tagged("Drafting", {
  "draft-angles": {
    summary: "What may be written about a stock",
    description: "Headlines (h0, h1, …), price and fundamentals.",
    headers,
    body: "AnglesInput",
    answer: "Angles",
    refusals: [...ofRepeats, "400 unknown_stock", "503 market_unavailable"],
    examples: { angles: { summary: "For a stock", body: { stock: article.stock } } },
  },
  "draft-generate": {
    summary: "Have a draft written",
    description: `At most ${generationsPerDay} a UTC day. Save it with its generationId, so that its sources reach the audit.`,
    headers,
    body: "GenerateInput",
    answer: "Generated",
    refusals: [
      ...ofRepeats,
      "409 still_writing",
      "400 unknown_stock",
      "400 unknown_angle",
      "429 generation_limit",
      ...ofModel,
      "503 model_unavailable",
      "503 model_busy",
      "503 market_unavailable",
    ],
    examples: { price: { summary: "On the price", body: { stock: article.stock, angleId: "price" } } },
  },
  "my-generation": {
    summary: "Own AI draft",
    description: "A draft that was written before, such as one whose answer was lost. It uses up nothing.",
    path: z.object({ id: idOf("The generationId.") }),
    answer: "Generated",
    refusals: ["404 unknown_generation", "409 still_writing"],
    examples: {
      unknown: refusal("404 unknown_generation", "You have no such AI draft.", "Not a draft of yours", {
        path: { id: 4711 },
      }),
    },
  },
});
