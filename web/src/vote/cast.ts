import { parseAbi, zeroHash } from "viem";
import { Tally, type VoteTag, type VoteValue } from "../../../core/vote/schema.ts";
import { GasSent } from "../../../core/votegas/schema.ts";
import { ApiProblem, type Hash, HashForm, postJson } from "../api/request.ts";
import { vote as words } from "../strings/reader.ts";
import { retryWhilePending, switchToServiceChain, waitForOutcome } from "../wallet/ask.ts";
import { showAndSend } from "../wallet/ether.ts";
import type { Wallets } from "../wallet/wallets.ts";

const reputation = parseAbi([
  "function giveFeedback(uint256 agentId, int128 value, uint8 valueDecimals, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)",
]);

export type Ballot = {
  readonly pressId: number;
  /** The address of the press's page. */
  readonly url: string;
  readonly value: VoteValue;
  readonly tag: VoteTag;
};

/** Asks the wallet to send a vote (specification §4.6). Throws WalletProblem. */
export async function sendVote(wallets: Wallets, { pressId, url, value, tag }: Ballot): Promise<Hash> {
  await switchToServiceChain(wallets);
  return showAndSend(wallets, {
    to: wallets.service.erc8004.reputationRegistry,
    abi: reputation,
    functionName: "giveFeedback",
    args: [BigInt(pressId), BigInt(value), 0, tag, "", url, "", zeroHash],
  });
}

/** Asks the service to send the connected wallet the ETH that a vote needs, and waits until the ETH has arrived. Throws ApiProblem. */
export async function requestGas(wallets: Wallets, pressId: number): Promise<void> {
  const { tx } = await retryWhilePending(() => postJson("/api/votes/gas", { pressId }, GasSent));
  if (tx !== undefined) await waitForOutcome(wallets, HashForm.parse(tx));
}

/**
 * Waits for a vote's transaction. If the vote was reverted, calls `onReverted`. Throws Error with a text for people if the vote was
 * reverted or takes too long.
 */
export async function awaitVote(wallets: Wallets, tx: Hash, onReverted: () => void): Promise<void> {
  const outcome = await waitForOutcome(wallets, tx);
  if (outcome === "success") return;
  if (outcome === "slow") throw new Error(words.slow);
  onReverted();
  throw new Error(words.reverted);
}

/** The error code with which the service answers if its node does not know the transaction yet. */
const unconfirmed = "transaction_unconfirmed";

/** The service's codes for a vote that the service will refuse at each attempt. */
const finalRefusals: ReadonlySet<string | undefined> = new Set([
  "not_a_vote",
  "invalid_vote_value",
  "unknown_press",
]);
const isFinalRefusal = (error: unknown) => error instanceof ApiProblem && finalRefusals.has(error.code);

/** The maximum number of attempts if a node does not know the mined transaction yet, and the milliseconds between two attempts. */
const lag = { times: 5, pause: 800 } as const;

/** Makes the service count a mined vote. Calls `onRefused` if the service's refusal is final. Throws ApiProblem after a failure. */
export async function recordVote(tx: Hash, onRefused: () => void): Promise<Tally> {
  for (let times = 1; ; times += 1) {
    try {
      return await postJson("/api/votes/record", { txHash: tx }, Tally);
    } catch (error) {
      if (isFinalRefusal(error)) onRefused();
      const early = error instanceof ApiProblem && error.code === unconfirmed && times < lag.times;
      if (!early) throw error;
      await new Promise((resolve) => setTimeout(resolve, lag.pause));
    }
  }
}
