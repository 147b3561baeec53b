const tags: Readonly<Record<string, string>> = {
  accurate: "Accurate",
  "well-sourced": "Well sourced",
  insightful: "Insightful",
  misleading: "Misleading",
  outdated: "Outdated",
  biased: "Biased",
};

/** Words of voting. */
export const vote = {
  title: "Was it worth reading?",
  lead: "A vote is a transaction of your wallet, for everybody to see. It takes a little ETH for gas. Your latest vote counts.",
  value: "Your vote",
  up: "Worth it",
  down: "Not worth it",
  tag: "In a word",
  noTag: "No tag",
  tagName: (tag: string) => tags[tag] ?? tag,
  cast: "Vote onchain",
  steps: {
    asking: "Confirm in your wallet…",
    mining: "Waiting for the chain…",
    recording: "Counting your vote…",
  },
  goOn: "Count my vote",
  unfinished: "Your vote is on its way and is not counted yet.",
  done: "Your vote counts.",
  again: "Vote again",
  own: "Publishers cannot vote on their own press.",
  reverted: "The chain refused the vote. A publisher cannot vote on their own press.",
  slow: "The chain has not confirmed the vote yet. Try again in a while.",
  rejected: "You declined in your wallet. Nothing was sent.",
} as const;
