import type { Row } from "./row.ts";

/** Section 3. */
export const states = [
  {
    id: "3 status values",
    claim: "a press's status is draft, revise, rejected, approved or live, and each is reached",
  },
  { id: "3 save", claim: "a new press, and any that is not live, is a draft after a save" },
  {
    id: "3 save: audit again",
    claim: "after a save the press must be audited again before it can be minted",
  },
  { id: "3 save: daily limit", claim: "new drafts count toward the daily limit, updates do not" },
  { id: "3 save: live", claim: "saving a live press is refused with 409 and changes nothing" },
  {
    id: "3 audit: condition",
    claim: "an audit needs the audit agent, and happens at most eight times for a press",
  },
  { id: "3 audit: next state", claim: "the press takes the status that the audit's response names" },
  { id: "3 audit: stored", claim: "the audit result is stored" },
  { id: "3 audit: counted", claim: "the audit count increases" },
  { id: "3 audit: metaUrl", claim: "a metaUrl is returned" },
  { id: "3 mint: succeeded", claim: "a failed transaction makes nothing live" },
  { id: "3 mint: sender", claim: "nor does one that another wallet has sent" },
  { id: "3 mint: to the wallet", claim: "nor one that mints no identity to the signed-in wallet" },
  { id: "3 mint: URI", claim: "nor an identity whose URI is not the press's metaUrl" },
  { id: "3 mint: live", claim: "an approved press whose mint holds to all four is live" },
  { id: "3 mint: response", claim: "the response gives slug and pressId" },
  {
    id: "3 mint repeated",
    claim: "a repeated confirmation of a live press returns the same and leaves it live",
  },
  {
    id: "3 thresholds",
    open: "which scores and verdicts make approved, revise or rejected",
    decided:
      "a critical issue rejects; else 70 without a high issue approves; else below 40 rejects; else revise",
  },
  {
    id: "3 other transitions",
    open: "which states may be audited or minted, and how else to leave revise and rejected",
    decided:
      "whatever is not live may be audited (live: 409); only what is approved may be minted (else 409)",
  },
  {
    id: "3 unlock: fee recorded",
    claim: "a treasury payment takes (wallet, press) from not unlocked to fee recorded",
  },
  { id: "3 unlock: unlocked", claim: "the publisher payment after it takes them to unlocked" },
  { id: "3 unlock: order", claim: "a publisher payment before the fee is 409" },
  { id: "3 unlock: once", claim: "a second purchase by the same wallet is 409 and charges nothing" },
  {
    id: "3 unlock: read again",
    claim: "once unlocked, the wallet's session reads body again without paying",
  },
] as const satisfies readonly Row[];
