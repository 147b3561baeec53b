import type { LocalAccount } from "viem";
import * as z from "zod";
import { mainnet } from "../../../core/chain/deployment.ts";
import type { Address, Hex } from "../../../core/chain/hex.ts";
import { encodeVote } from "../../support/payment.ts";
import { type Answer, ask } from "./ask.ts";
import { chain } from "./service.ts";

export const Tally = z.strictObject({
  votes: z.strictObject({ up: z.int(), down: z.int() }),
  tags: z.record(z.string(), z.int()),
});

export type Vote = {
  readonly value?: 1 | -1 | 2;
  readonly tag?: string;
  readonly decimals?: number;
  /** The press's URL. */
  readonly url?: string;
  /** The contract that gets the vote's call; by default, this is the reputation registry. */
  readonly to?: Address;
};

/**
 * Sends a vote's transaction and waits for its block; the transaction may fail in this block. The gas limit is fixed, because a gas
 * estimate fails for a transaction that would fail.
 */
export async function castVote(account: LocalAccount, pressId: number, vote: Vote = {}): Promise<Hex> {
  const { value = 1, tag = "", decimals = 0, url = "", to = mainnet.contracts.reputationRegistry } = vote;
  const data = encodeVote(pressId, { value: BigInt(value), decimals, tag, url });
  const client = await chain();
  const { transactionHash } = await client.sendTransactionSync({ account, to, data, gas: 1_000_000n });
  return transactionHash;
}

export function recordVote(txHash: Hex): Promise<Answer> {
  return ask("/api/votes/record", { body: { txHash } });
}

/** Sends a vote, registers the vote with the service and reads the counts of votes. */
export async function voteAndCount(account: LocalAccount, pressId: number, choice: Vote = {}) {
  return Tally.parse((await recordVote(await castVote(account, pressId, choice))).body);
}
