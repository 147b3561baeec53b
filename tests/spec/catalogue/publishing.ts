import type { Row } from "./row.ts";

/** Section 4.8. */
export const publishing = [
  { id: "4.8 session", claim: "all publishing endpoints need a session" },
  { id: "4.8 own presses", claim: "a publisher sees and changes only their own presses" },
  {
    id: "4.8 save",
    claim: "a draft of 2.9 is answered with { id }",
    beside: "`updatedAt` as well, for who has sent one",
  },
  { id: "4.8 save: resets", claim: "any edit resets the status to draft" },
  { id: "4.8 save: live", claim: "a live press cannot be edited: 409" },
  {
    id: "4.8 save: twenty a day",
    claim: "at most 20 new drafts for a wallet and day: 429, and the next day it goes on",
  },
  { id: "4.8 save: AI label", claim: "with a generationId the press is labelled AI-assisted" },
  { id: "4.8 save: AI facts", claim: "and the AI draft's source facts reach the audit" },
  { id: "4.8 audit", claim: "{ id } is answered with { status, audit, metaUrl }" },
  { id: "4.8 audit: status", claim: "status is approved, revise or rejected" },
  { id: "4.8 audit: eight", claim: "at most eight audits of a press: 429" },
  { id: "4.8 audit: unavailable", claim: "503 when the audit agent is unavailable; the draft stays saved" },
  { id: "4.8 mint", claim: "the publisher's wallet calls register(metaUrl) on the identity registry" },
  { id: "4.8 minted", claim: "{ id, txHash } is answered with { slug, pressId }" },
  { id: "4.8 minted: succeeded", claim: "checked: the transaction succeeded" },
  { id: "4.8 minted: sender", claim: "checked: the signed-in wallet sent it" },
  { id: "4.8 minted: identity", claim: "checked: it minted an identity to that wallet" },
  { id: "4.8 minted: metaUrl", claim: "checked: the identity points to this press's metaUrl" },
  { id: "4.8 minted: only then", claim: "only then does the press go live" },
  { id: "4.8 minted: repeated", claim: "repeating it for a live press returns the same result" },
  { id: "4.8 angles", claim: "{ stock } is answered with { angles, freshNews, remaining }" },
  { id: "4.8 angles: freshNews", claim: "freshNews is a boolean" },
  { id: "4.8 angles: remaining", claim: "remaining is an integer: the generations that are left today" },
  { id: "4.8 angle", claim: "an angle has id, kind (headline, price or fundamentals), title and detail" },
  { id: "4.8 angle: headline", claim: "headline angles also carry source, link and publishedAt" },
  { id: "4.8 angle: headline ids", claim: "their ids are h0, h1 and so on" },
  { id: "4.8 angle: other ids", claim: "the other ids are price and fundamentals" },
  {
    id: "4.8 generate",
    claim: "{ stock, angleId } is answered with { generationId, draft, sources, remaining }",
  },
  { id: "4.8 generate: generationId", claim: "an integer, with which a press is saved" },
  { id: "4.8 generate: draft", claim: "{ headline, preview, body } that can be saved as it is" },
  { id: "4.8 generate: sources", claim: "a list of { title, source, link }" },
  { id: "4.8 generate: remaining", claim: "one less than before" },
  { id: "4.8 generate: five a day", claim: "five generations for a wallet and day: the sixth is 429" },
  {
    id: "4.8 dashboard",
    claim: "{ presses, totals }: all presses of the caller",
    beside:
      "after a megabyte, about 500 presses, a `cursor` for older ones; `totals` are of those in the answer",
  },
  { id: "4.8 dashboard: totals", claim: "totals are { earnedUsdg, live, reads } over them" },
  {
    id: "4.8 own press",
    claim: "one of the caller's presses with its full text, latest audit report and metaUrl",
  },
  {
    id: "4.8 own press: fields",
    open: "the exact field names of an own press",
    decided: "{ press, body, audit or null, auditCount, metaUrl or null }",
  },
] as const satisfies readonly Row[];
