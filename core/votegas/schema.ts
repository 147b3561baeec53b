import * as z from "zod";

/** The body of a request for the ETH that the wallet still needs for a vote on a press. */
export const GasInput = z.object({ pressId: z.int().nonnegative() });
export type GasInput = z.infer<typeof GasInput>;

export const GasSent = z.object({
  wei: z.string().describe("The number of wei that were sent: 0 if the wallet has enough ETH."),
  tx: z.string().optional(),
  already: z
    .literal(true)
    .optional()
    .describe("The ETH had been sent before, and this request sent nothing."),
});
export type GasSent = z.infer<typeof GasSent>;

/**
 * The ETH for a vote is calculated with these percentages of the gas estimate and of the gas price. The fee of the purchase must cover the
 * ETH for the vote.
 */
const voteSpare = { gas: 105n, price: 110n } as const;

/** The gas limit of a vote from a wallet with little ETH. */
export function addGasMargin(estimate: bigint): bigint {
  return (estimate * voteSpare.gas) / 100n;
}

/** The number of wei that a vote needs, calculated from the vote's gas estimate and the gas price. */
export function computeVoteCost(estimate: bigint, gasPrice: bigint): bigint {
  return (addGasMargin(estimate) * gasPrice * voteSpare.price) / 100n;
}
