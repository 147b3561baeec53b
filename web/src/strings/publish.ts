import type { DashboardPress } from "../../../core/press/schema.ts";

type Status = DashboardPress["status"];

/** Words that the publisher's pages share, and those of the dashboard. */
export const publish = {
  title: "Your presses",
  lead: "What you have written, where each text stands, and what it has earned.",
  signInLead: "Your drafts and earnings are shown to nobody but you.",
  signInAgain:
    "This browser may read what was paid for, but publishing takes a sign-in: a signature that proves the wallet is yours.",
  loading: "Loading your presses…",
  failed: "Your presses could not be loaded",
  write: "Write a press",
  earned: "Earned",
  live: "Live presses",
  reads: "Paid reads",
  emptyTitle: "Write your first press",
  empty:
    "A press is a short article about one tokenized stock. You write it, an audit checks it, you mint it, and readers pay you for it: nine tenths of the price go to your wallet with each read.",
  emptySteps: [
    "Write it yourself, or start from an AI draft.",
    "Run the audit: it names what to change.",
    "Mint its identity from your wallet, and it is live.",
  ],
  presses: "Presses",
  unsavedTitle: "Only in this browser",
  unsaved:
    "These texts do not meet their limits yet, so they could not be saved. They are kept here until they do.",
  untitled: "Without a headline yet",
  changed: (when: string) => `Changed ${when}`,
  continueWriting: "Go on writing",
  discard: "Discard",
  discardTitle: "Discard this text?",
  discardLead: "It stands in this browser and nowhere else.",
  about: (headline: string) => `: ${headline}`,
  status: {
    draft: "Draft",
    revise: "To be revised",
    rejected: "Rejected",
    approved: "Approved",
    live: "Live",
  } satisfies Readonly<Record<Status, string>>,
  next: {
    draft: "Go on to the audit",
    revise: "Revise it",
    rejected: "Rewrite it",
    approved: "Mint it",
    live: "View and share",
  } satisfies Readonly<Record<Status, string>>,
  edit: "Edit",
  price: "Price",
  score: "Audit",
  noScore: "Not audited",
  votes: (up: number, down: number) => `${up} up, ${down} down`,
  saved: (when: string) => `Saved ${when}`,
  published: (when: string) => `Live since ${when}`,
  ai: "AI-assisted",
  missingTitle: "You have no such press",
  missing: "It may belong to another wallet than the one that you are signed in with.",
  toDashboard: "Your presses",
} as const;
