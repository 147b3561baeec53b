/** Words of the reader's history. */
export const history = {
  title: "Your history",
  lead: "What you have unlocked, and how you have voted.",
  signInLead: "Your unlocks and votes are shown to nobody but you.",
  failed: "Your history could not be loaded",
  loading: "Loading your history…",
  unlocks: "Unlocked presses",
  noUnlocksTitle: "Nothing unlocked yet",
  noUnlocks: "A press that you unlock stays here, with its receipt.",
  find: "Find a press",
  votes: "Votes",
  noVotes: "You have not voted yet. Below the text of every press that you have unlocked you can.",
  up: "Up",
  down: "Down",
  receipt: "Receipt",
  receiptOf: (headline: string) => `: ${headline}`,
} as const;
