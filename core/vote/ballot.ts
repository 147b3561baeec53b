import * as z from "zod";
import { result, unavailable } from "../chain/call.ts";
import type { Address, Hex } from "../chain/hex.ts";
import {
  FeedbackReceipt,
  feedbackIn,
  SentTransaction,
  type Statement,
  statementIn,
} from "../chain/registry.ts";
import { AppError, type ErrorKind } from "../error.ts";
import type { Chain } from "../port/chain.ts";
import { VoteTag, type VoteValue } from "./schema.ts";

/** A vote as the chain has it. */
export type Ballot = {
  /** The agent id of the press, listed or not. */
  readonly pressId: number;
  readonly voter: Address;
  readonly value: VoteValue;
  readonly tag: VoteTag;
  readonly txHash: Hex;
  /** Block and index of the transaction, padded so that later ones sort after earlier ones. */
  readonly position: string;
  /** Milliseconds; `undefined` where the node does not tell a log's time. */
  readonly castAt: number | undefined;
};

/**
 * Reads a vote from the chain in one round trip, and holds it to rules 1 and 2 of specification §4.6. What the wallet
 * asked for and what the registry took have to be the same, and the registry has to have taken it from the sender. So a
 * wallet that others send for (a contract, a bundler) does not vote: its transaction is not sent to the registry.
 *
 * The auditor's verdicts are no votes by their value alone: what is live has scored 70 or more (design §2).
 *
 * Throws `input` `transaction_unconfirmed`, `transaction_failed`, `not_a_vote` or `invalid_vote_value`, `missing`
 * `unknown_press` for an id beyond any press's, and `upstream` `chain_unavailable` when the chain cannot say.
 */
export async function readBallot(
  { chain, registry }: { readonly chain: Chain; readonly registry: Address },
  txHash: Hex,
): Promise<Ballot> {
  const [sent, mined] = await chain.batch([
    { method: "eth_getTransactionByHash", params: [txHash] },
    { method: "eth_getTransactionReceipt", params: [txHash] },
  ]);
  const receipt = result(mined, z.nullable(FeedbackReceipt));
  if (receipt === null) throw refusal("transaction_unconfirmed");
  const transaction = result(sent, SentTransaction);
  if (!speakOfOne(txHash, transaction, receipt)) throw unavailable("answers that contradict each other");

  if (receipt.status !== "0x1") throw refusal("transaction_failed");
  const asked = transaction.to === registry ? statementIn(transaction.input) : undefined;
  const [taken, ...more] = feedbackIn(receipt, registry);
  if (asked === undefined || taken === undefined || more.length > 0) throw refusal("not_a_vote");
  if (!same(asked, taken) || taken.client !== transaction.from) throw refusal("not_a_vote");
  return {
    voter: taken.client,
    value: voteValue(taken),
    tag: voteTag(taken),
    pressId: pressIdIn(taken),
    txHash,
    position: `${pad(receipt.blockNumber)}-${pad(receipt.transactionIndex)}`,
    castAt: taken.at === undefined ? undefined : Number(taken.at) * 1000,
  };
}

/** Whether both answers are about this transaction. */
function speakOfOne(txHash: Hex, transaction: SentTransaction, receipt: FeedbackReceipt): boolean {
  return (
    transaction.hash === txHash &&
    receipt.transactionHash === txHash &&
    transaction.from === receipt.from &&
    transaction.to === receipt.to
  );
}

function same(one: Statement, other: Statement): boolean {
  return (
    one.agentId === other.agentId &&
    one.value === other.value &&
    one.valueDecimals === other.valueDecimals &&
    one.tag1 === other.tag1
  );
}

function voteValue({ value, valueDecimals }: Statement): VoteValue {
  if (valueDecimals === 0 && value === 1n) return 1;
  if (valueDecimals === 0 && value === -1n) return -1;
  throw refusal("invalid_vote_value");
}

/** Specification §2.6: an unknown tag is stored as no tag. */
function voteTag({ tag1 }: Statement): VoteTag {
  const known = VoteTag.safeParse(tag1);
  return known.success ? known.data : "";
}

/** The registry counts from 0: an id that a number cannot hold is nobody's yet. */
function pressIdIn({ agentId }: Statement): number {
  if (agentId > BigInt(Number.MAX_SAFE_INTEGER)) throw refusal("unknown_press");
  return Number(agentId);
}

function pad(number: bigint): string {
  return String(number).padStart(16, "0");
}

/** Why a transaction counts as no vote: stable codes, and what the caller is told. */
const messages = {
  transaction_unconfirmed: "The chain has not confirmed this transaction. Record the vote once it has.",
  transaction_failed: "The transaction failed on the chain, so it casts no vote.",
  not_a_vote:
    "This is no vote: a vote is a call of giveFeedback that the voter's wallet sends to the reputation registry itself.",
  invalid_vote_value: "A vote's value is 1 or -1, with no decimals.",
  unknown_press: "The vote is for a press that is not listed here.",
} as const;

const kinds: Partial<Readonly<Record<keyof typeof messages, ErrorKind>>> = { unknown_press: "missing" };

/** Seconds until it is worth asking again. */
const anotherLook = 1;

export function refusal(code: keyof typeof messages): AppError {
  const retryAfter = code === "transaction_unconfirmed" ? anotherLook : undefined;
  return new AppError(kinds[code] ?? "input", code, messages[code], { retryAfter });
}
