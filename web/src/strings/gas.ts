/** Texts of the ETH for a vote. */
export const gas = {
  lead: "Or we send it to you, once, if the fee of this article carries it.",
  get: "Get the gas for this vote",
} as const;
