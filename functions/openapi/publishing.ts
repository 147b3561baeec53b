import * as z from "zod";
import { makeMissingError } from "../../core/audit/error.ts";
import { auditLimit } from "../../core/audit/schema.ts";
import type { Refusal } from "../../core/catalogue/schema.ts";
import { mostChanges, mostNoteBytes, mostNotes, noteLength } from "../../core/correction/schema.ts";
import { makeNoDraftError } from "../../core/draft/error.ts";
import { generationsPerDay } from "../../core/draft/schema.ts";
import type { Settings } from "../../core/port/settings.ts";
import { SaveInput } from "../../core/press/input.ts";
import { DashboardQuery } from "../../core/press/schema.ts";
import { RepeatKey } from "../../core/repeat/index.ts";
import { repeatHeader } from "../browser.ts";
import { makeInvalidInputError } from "../lib/reply.ts";
import { addTag, type Json } from "./forms.ts";
import { article, auditReport, id, makeRefusal, mintTx, pressId, slug, time } from "./sample.ts";

const headers = z.object({ [repeatHeader]: RepeatKey });
const ofRepeats: readonly Refusal[] = ["400 invalid_idempotency_key", "409 idempotency_key_reused"];

const tooShort = { ...article, body: "The day has a high and a low." };
const makeNotYoursRefusal = (body: Readonly<Record<string, Json>>) =>
  makeRefusal(makeMissingError(), { body: { id: 4711, ...body } });

/** The operations that lead from a draft to a live press (specification §4.8). */
export const listPublishOperations = ({ origin }: Settings) => {
  const metaUrl = `${origin}/api/meta/${id}`;
  return addTag("Publishing", {
    "press-save": {
      description:
        "Save a draft. Creates a draft, or updates the draft whose `id` is given. Every edit needs a new audit; live presses are final.",
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
        draft: { body: article, answer: { id } },
        tooShort: makeRefusal(
          makeInvalidInputError(SaveInput.safeParse(tooShort).error ?? new z.ZodError([])),
          {
            body: tooShort,
          },
        ),
      },
    },
    "press-audit": {
      description: `Run the audit. A press can be audited at most ${auditLimit} times. Mint an approved press by register(metaUrl) on the identity registry.`,
      body: "AuditInput",
      answer: "Audited",
      refusals: [
        "404 unknown_press",
        "409 press_live",
        "409 audit_running",
        "409 edited_meanwhile",
        "409 stock_delisted",
        "429 audit_limit",
      ],
      example: { body: { id }, answer: { status: "approved", audit: auditReport, metaUrl } },
    },
    "press-dispute": {
      description:
        "Answer a finding. One sentence (at most 240 characters) on a finding of the latest report; null deletes it. The sentence changes neither verdict nor score, and is final once the press is live. The audit's rules for wording check the sentence.",
      body: "DisputeInput",
      answer: "Disputed",
      refusals: [
        "400 note_refused",
        "400 unknown_finding",
        "404 unknown_press",
        "409 press_live",
        "409 report_changed",
        "409 dispute_overtaken",
        "429 dispute_limit",
      ],
      example: makeNotYoursRefusal({ auditedAt: time, issue: 0, text: "The filing gives this figure." }),
    },
    "press-correct": {
      description: `Add a correction. A dated note on a live press, shown above the article and in feeds: plain text of ${noteLength.min} to ${noteLength.max} characters. A press has at most ${mostNotes} notes of ${mostNoteBytes / 1024} kB in all, and notes are final. The sold text and the text's hash do not change. The audit's rules for wording check the note.`,
      body: "CorrectInput",
      answer: "Corrected",
      refusals: ["400 note_refused", "404 unknown_press", "409 press_not_live", "429 correction_limit"],
      example: makeNotYoursRefusal({ text: "The quarter ended in June, not in July." }),
    },
    "press-unlist": {
      description: `Take a press off sale. The press leaves all lists and feeds, and no new fee is taken. Wallets that have unlocked the press can still read the text; wallets that have paid only the fee may pay the rest. If unlisted is false, the press is listed again. At most ${mostChanges} changes of price and listing for each press.`,
      body: "UnlistInput",
      answer: "Corrected",
      refusals: ["404 unknown_press", "409 press_not_live", "429 correction_limit"],
      example: { summary: "A press that is listed already", body: { id, unlisted: false } },
    },
    "press-price": {
      description: `Change the price. A payment that was signed for another price is answered with fresh terms. Wallets that have paid the fee pay the rest of the earlier price. At most ${mostChanges} changes of price and listing for each press.`,
      body: "PriceInput",
      answer: "Corrected",
      refusals: ["400 price_too_low", "404 unknown_press", "409 press_not_live", "429 correction_limit"],
      example: { summary: "The press already has this price", body: { id, priceUsdg: article.priceUsdg } },
    },
    "press-minted": {
      description:
        "Confirm the mint. Makes the press live if your wallet's transaction minted an identity with this press's metaUrl to your wallet. The request may be repeated.",
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
      ],
      example: { body: { id, txHash: mintTx }, answer: { slug, pressId } },
    },
    dashboard: {
      description:
        "The caller's presses and their totals. Newest first. Fields that only live presses have are null before the press is live.",
      query: DashboardQuery,
      answer: "Dashboard",
      example: {
        summary: "The dashboard with unfinished texts and next steps",
        query: { view: "full" },
      },
    },
    "my-price": {
      description:
        "Two minimum prices for a press. They are the lowest price that is accepted here, and the lowest price whose fee pays for the gas of a read at the current gas price.",
      answer: "PriceNow",
      refusals: ["503 chain_unavailable"],
    },
    "my-press": {
      description:
        "One of the caller's presses in full. The answer contains the text, the latest audit report and metaUrl.",
      answer: "AuditedPress",
      refusals: ["404 unknown_press"],
    },
  });
};

/** The operations by which a model helps with a draft (specification §4.8). */
export const drafting = addTag("Drafting", {
  "draft-angles": {
    description:
      "The angles for an article about a stock. An angle is a headline (h0, h1, …), the price or the fundamentals.",
    headers,
    body: "AnglesInput",
    answer: "Angles",
    refusals: [...ofRepeats, "400 unknown_stock", "503 market_unavailable"],
    example: { body: { stock: article.stock } },
  },
  "draft-generate": {
    description: `Let a model write a draft. At most ${generationsPerDay} drafts per UTC day. Save the draft with its generationId, so that the audit gets the draft's sources.`,
    headers,
    body: "GenerateInput",
    answer: "Generated",
    refusals: [
      ...ofRepeats,
      "409 still_writing",
      "400 unknown_stock",
      "400 unknown_angle",
      "429 generation_limit",
      "503 market_unavailable",
    ],
    example: { body: { stock: article.stock, angleId: "price" } },
  },
  "my-generation": {
    description:
      "One of the caller's AI drafts. Gets an earlier draft again, for example after its answer was lost. Free.",
    answer: "Generated",
    refusals: ["404 unknown_generation", "409 still_writing"],
    example: makeRefusal(makeNoDraftError(), { path: { id: 4711 } }),
  },
});
