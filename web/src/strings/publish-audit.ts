import { count } from "../format.ts";
import type { Part } from "../publish/audit/place.ts";

const parts: Readonly<Record<Part, string>> = { headline: "Headline", preview: "Preview", body: "Text" };

/** Words of the audit beside the editor. */
export const audit = {
  title: "Audit",
  lead: "Rules and a reviewing model read the text against its sources and the quote. Only what they approve can be minted.",
  run: "Run the audit",
  again: "Audit again",
  left: (left: number) => `${left} of 8 audits left`,
  leftShort: (left: number) => `${count(left, "audit", "audits")} left`,
  none: "This press has had its eight audits.",
  noneLead: "Publish the text as a new press instead: that one has eight of its own.",
  copy: "Copy it to a new press",
  faults: (fields: readonly string[]) => `Not ready for an audit: ${fields.join(", ")}.`,
  unsaved: "The text could not be saved, so it was not audited.",
  running: "The audit is running…",
  runningLead: "It mostly takes a few seconds, half a minute at most.",
  seconds: (seconds: number) => `${seconds} s`,
  unavailableTitle: "The audit agent is not available",
  unavailable: "Your draft is saved, and this run does not count.",
  failedTitle: "The audit did not run",
  elsewhere: "Another audit of this press is running. Its result will be shown here.",
  verdicts: { approve: "Approved", revise: "To be revised", reject: "Rejected" },
  outdated: "The text has changed since this audit.",
  issues: "What to change",
  noIssues: "The audit raised no issue.",
  show: (part: Part) => `Show in ${parts[part].toLowerCase()}`,
  goTo: (part: Part) => `Go to ${parts[part].toLowerCase()}`,
  whole: "The text as a whole",
  holding: (stock: string) => `Your wallet held ${stock} tokens.`,
  holdingNone: (stock: string) => `Your wallet held no ${stock} tokens.`,
  quote: (price: string) => `Quote: ${price}`,
  by: (engine: string) => `By ${engine}`,
} as const;
