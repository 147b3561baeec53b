import * as z from "zod";
import { getResult, makeChainError } from "../chain/call.ts";
import { type Address, type Hex, lower } from "../chain/hex.ts";
import { SentTransaction } from "../chain/receipt.ts";
import { decodeFeedback, type FeedbackFields, FeedbackReceipt, findFeedback } from "../chain/registry.ts";
import { AppError, type ErrorKind, makeBusyError } from "../error.ts";
import { poll } from "../port/clock.ts";
import type { AllPorts } from "../ports.ts";
import { feeDays, Standing } from "../rank/schema.ts";
import { computeFee } from "../record/payment.ts";
import type { AgentItem, PressItem, VoteItem } from "../record/press.ts";
import { commit } from "../transact.ts";
import { type RecordInput, type Tally, VoteTag, type VoteValue, voteTags } from "./schema.ts";

type VotePorts = Pick<AllPorts, "table" | "clock" | "chain" | "settings">;

/** The maximum number of times that a write is tried again because another request has changed the same wallet's vote. */
const maxAttempts = 6;

/**
 * Records a confirmed vote and returns the press's counts (specification §4.6). For each wallet and press, only the vote that is the newest
 * on the chain is stored, even if an older vote is recorded later. A repeated vote changes nothing. A vote by the press's publisher gets
 * the same answer as any other vote, but is neither counted nor stored. Throws the errors of `readOnchainVote`, `unknown_press`
 * (`missing`), and `table_busy` (`upstream`).
 */
export async function recordVote(ports: VotePorts, input: RecordInput): Promise<Tally> {
  const registry = ports.settings.contracts.reputationRegistry;
  const ballot = await readOnchainVote({ chain: ports.chain, registry }, lower(input.txHash));
  const found = await readRecords(ports, ballot);
  const { agent } = found;
  // Only a live press has an identity in the table.
  if (agent === undefined) throw makeRefusal("unknown_press");
  if (ballot.voter !== agent.publisher) await storeVote(ports, agent, ballot, found);
  return readTally(ports, agent.id);
}

/** The stored data for a vote: the press's identity, the wallet's stored vote and the wallet's fee. */
type VoteRecords = {
  readonly agent: AgentItem | undefined;
  /** The wallet's stored vote. */
  readonly kept: VoteItem | undefined;
  /** The wallet's fee for the press in USDG base units, if the wallet has unlocked the press (the payment to the publisher is settled). */
  readonly ownFee: number | undefined;
};

/** Reads the records in one consistent request. */
async function readRecords({ table }: VotePorts, { pressId, voter: wallet }: Ballot): Promise<VoteRecords> {
  const { agent, vote, settlement } = table.entities;
  const [press, kept, read] = await table.together([
    agent.get({ pressId }).params(),
    vote.get({ pressId, wallet }).params(),
    settlement.get({ wallet, pressId, leg: "publisher" }).params(),
  ]);
  const leg = read === undefined ? null : settlement.parse(read).data;
  return {
    agent: press === undefined ? undefined : (agent.parse(press).data ?? undefined),
    kept: kept === undefined ? undefined : (vote.parse(kept).data ?? undefined),
    ownFee: leg?.state === "settled" ? computeFee(leg) : undefined,
  };
}

/** The fees that give a reader's vote its weight, and the part of these fees that was paid for this press, in USDG base units. */
type ReaderFees = { readonly fees: number; readonly ownFee: number };

/**
 * The fees that give a reader's vote its weight, in USDG base units: the fee for this press, and the fees that the wallet has paid for
 * other presses in the 90 days before the vote is recorded. The function makes one query of the index. The query returns at most a
 * megabyte, which is about 500 fees, with the newest first.
 */
async function loadFees(
  { table, clock }: VotePorts,
  { voter, pressId }: Ballot,
  ownFee: number,
): Promise<ReaderFees> {
  const since = new Date(clock.now() - feeDays * 24 * 60 * 60 * 1000).toISOString();
  const { data } = await table.entities.settlement.query
    .listed({ listedAs: "fee", listedFor: voter })
    .gt({ listedAt: since })
    .go({ order: "desc" });
  const others = data.filter((fee) => fee.pressId !== pressId);
  return { ownFee, fees: others.reduce((sum, { signed }) => sum + Number(signed.amount), ownFee) };
}

async function storeVote(
  ports: VotePorts,
  agent: AgentItem,
  ballot: Ballot,
  firstRecords: VoteRecords,
): Promise<void> {
  const isKept = await poll(ports.clock, { tries: maxAttempts }, async (tried) => {
    const { kept, ownFee } = tried === 1 ? firstRecords : await readRecords(ports, ballot);
    const paid = ownFee === undefined ? undefined : await loadFees(ports, ballot, ownFee);
    const next = makeItem(ports, agent, ballot, paid);
    return !isNewerVote(next, kept) || (await replaceVote(ports, agent.id, kept, next)) || undefined;
  });
  if (isKept === undefined) throw makeBusyError(new Error("Other requests kept changing the vote"));
}

/**
 * Whether a vote replaces the stored vote. A vote replaces the stored vote if the new vote is later on the chain. If the same transaction
 * now has another position on the chain, a reorganisation of the chain has moved it, and the new position is right. A repeated vote also
 * replaces the stored vote if the wallet has unlocked the press in the meantime, or if the wallet's fees have changed.
 */
function isNewerVote(newVote: VoteItem, storedVote: VoteItem | undefined): boolean {
  if (storedVote === undefined) return true;
  if (newVote.txHash !== storedVote.txHash) return newVote.position > storedVote.position;
  return (
    newVote.position !== storedVote.position || (newVote.reader === true && storedVote.fees !== newVote.fees)
  );
}

function makeItem(
  { clock }: VotePorts,
  agent: AgentItem,
  ballot: Ballot,
  paid: ReaderFees | undefined,
): VoteItem {
  const { pressId, slug, headline, stock } = agent;
  const { voter: wallet, value, tag, txHash, position, castAt } = ballot;
  const at = new Date(castAt ?? clock.now()).toISOString();
  const frozen = { slug, headline, stock };
  const vote = { pressId, wallet, value, tag, txHash, position, at, ...frozen };
  return paid === undefined ? { ...vote, reader: false } : { ...vote, reader: true, ...paid };
}

async function readTally({ table }: VotePorts, id: number): Promise<Tally> {
  const { data } = await table.entities.press.get({ id }).go({ consistent: true });
  if (data === null) throw new Error(`Press ${id} has an identity but no record`);
  return makeTally(data);
}

/**
 * Replaces the stored vote, or adds the wallet's first vote, and adjusts the press's counts in the same table transaction. Returns `false`,
 * without a change, if another vote has been stored meanwhile. Only the write of the vote has a condition, so votes of other wallets cause
 * no retry. Throws `table_busy` (`upstream`) if other table transactions keep changing the press.
 */
async function replaceVote(
  ports: Pick<AllPorts, "table" | "clock">,
  id: number,
  storedVote: VoteItem | undefined,
  newVote: VoteItem,
): Promise<boolean> {
  const { tags, ...counts } = computeChange(storedVote, newVote);
  // The write is refused if the stored vote has changed in a value that affects the press's counts.
  const seen = ["txHash", "position", "reader", "fees"] as const;
  const outcome = await commit(ports, (entities) => ({
    vote: entities.vote
      .put(newVote)
      .where((stored, { notExists, eq }) =>
        storedVote === undefined
          ? notExists(stored.txHash)
          : seen
              .map((name) => {
                const value = storedVote[name];
                return value === undefined ? notExists(stored[name]) : eq(stored[name], value);
              })
              .join(" AND "),
      )
      .commit(),
    press: entities.press
      .patch({ id })
      .add(counts)
      .data((stored, { add }) => {
        for (const { tag, by } of tags) add(stored.tags[tag], by, 0);
      })
      .commit(),
  }));
  if (outcome.done) return true;
  if (outcome.refused.has("vote")) return false;
  if (outcome.refused.has("press")) throw new Error(`A vote was cast on press ${id}, which has no record`);
  throw makeBusyError(outcome);
}

/** The public counts of a press's votes, without unused tags. */
export function makeTally({
  votesUp,
  votesDown,
  tags,
}: Pick<PressItem, "votesUp" | "votesDown" | "tags">): Tally {
  const counted = voteTags.map((tag) => [tag, tags[tag] ?? 0] as const).filter(([, count]) => count > 0);
  return { votes: { up: votesUp, down: votesDown }, tags: Object.fromEntries(counted) };
}

/** The numbers from which the rank of the press is computed (core/rank). */
export function readRankNumbers(item: PressItem): Standing {
  const { otherReads = 0, readFees = 0, voterFees = 0, upFees = 0, downFees = 0 } = item;
  const texts = { readFees, voterFees, upFees, downFees };
  return Standing.parse({
    reads: otherReads,
    ...Object.fromEntries(Object.entries(texts).map(([name, units]) => [name, String(units)])),
  });
}

/** The numbers of votes by wallets that have unlocked the press. */
export function readReaderVotes({
  readerUp = 0,
  readerDown = 0,
}: Pick<PressItem, "readerUp" | "readerDown">) {
  return { up: readerUp, down: readerDown };
}

type VoteStatement = Pick<VoteItem, "value" | "tag" | "reader" | "fees" | "ownFee">;

/** Calculates how a vote changes the press's counts. The vote either replaces the wallet's earlier vote or is the wallet's first vote. */
function computeChange(before: VoteStatement | undefined, after: VoteStatement) {
  const computeFeeChange = (amount: (said: VoteStatement) => number | undefined) =>
    (amount(after) ?? 0) - (before === undefined ? 0 : (amount(before) ?? 0));
  const computeCountChange = (holds: (said: VoteStatement) => boolean) =>
    Number(holds(after)) - Number(before !== undefined && holds(before));
  return {
    votesUp: computeCountChange(({ value }) => value === 1),
    votesDown: computeCountChange(({ value }) => value === -1),
    readerUp: computeCountChange(({ value, reader }) => value === 1 && reader === true),
    readerDown: computeCountChange(({ value, reader }) => value === -1 && reader === true),
    upFees: computeFeeChange(({ value, fees }) => (value === 1 ? fees : 0)),
    downFees: computeFeeChange(({ value, fees }) => (value === -1 ? fees : 0)),
    voterFees: computeFeeChange(({ ownFee }) => ownFee),
    tags: voteTags
      .map((tag) => ({ tag, by: computeCountChange((said) => said.tag === tag) }))
      .filter(({ by }) => by !== 0),
  };
}

/** A vote on the chain. */
export type Ballot = {
  /** The agent id in the vote. The table may have no press with this id. */
  readonly pressId: number;
  readonly voter: Address;
  readonly value: VoteValue;
  readonly tag: VoteTag;
  readonly txHash: Hex;
  /** Block and index of the transaction, padded so that later transactions sort after earlier transactions. */
  readonly position: string;
  /** The time of the vote in milliseconds; `undefined` if the node does not give the time of a log. */
  readonly castAt: number | undefined;
};

/**
 * Reads a vote from the chain in one round trip, and checks rules 1 and 2 of specification §4.6. The calldata and the registry's event must
 * describe the same vote, and the event must name the transaction's sender as the voter. The voter's wallet itself must send the
 * transaction directly to the registry. So contracts, and wallets whose transactions a bundler sends, cannot vote. The auditor's verdict is
 * not a valid vote, because its value is the score of a live press, which is 70 or more (design §2). Throws
 * `transaction_unconfirmed` (`input`), `transaction_failed`, `not_a_vote` or `invalid_vote_value`, `unknown_press` (`missing`) for an id
 * that is too large for a press, and `chain_unavailable` (`upstream`) if the chain does not answer.
 */
async function readOnchainVote(
  { chain, registry }: Pick<AllPorts, "chain"> & { readonly registry: Address },
  txHash: Hex,
): Promise<Ballot> {
  const [sent, mined] = await chain.batch([
    { method: "eth_getTransactionByHash", params: [txHash] },
    { method: "eth_getTransactionReceipt", params: [txHash] },
  ]);
  const receipt = getResult(mined, z.nullable(FeedbackReceipt));
  if (receipt === null) throw makeRefusal("transaction_unconfirmed");
  const transaction = getResult(sent, SentTransaction);
  if (!areSameTransaction(txHash, transaction, receipt))
    throw makeChainError("answers that contradict each other");

  if (receipt.status !== "0x1") throw makeRefusal("transaction_failed");
  const asked = transaction.to === registry ? decodeFeedback(transaction.input) : undefined;
  const [taken, ...more] = findFeedback(receipt, registry);
  if (asked === undefined || taken === undefined || more.length > 0) throw makeRefusal("not_a_vote");
  if (voteFields.some((name) => asked[name] !== taken[name]) || taken.client !== transaction.from)
    throw makeRefusal("not_a_vote");
  return {
    voter: taken.client,
    value: parseValue(taken),
    tag: parseTag(taken),
    pressId: readPressId(taken),
    txHash,
    position: `${padNumber(receipt.blockNumber)}-${padNumber(receipt.transactionIndex)}`,
    castAt: taken.at === undefined ? undefined : Number(taken.at) * 1000,
  };
}

/** Whether the receipt and the transaction in the node's answers both belong to the given transaction hash. */
function areSameTransaction(txHash: Hex, transaction: SentTransaction, receipt: FeedbackReceipt): boolean {
  return (
    transaction.hash === txHash &&
    receipt.transactionHash === txHash &&
    transaction.from === receipt.from &&
    transaction.to === receipt.to
  );
}

/** The fields in which the calldata and the registry's event must agree. */
const voteFields = ["agentId", "value", "valueDecimals", "tag1"] as const;

function parseValue({ value, valueDecimals }: FeedbackFields): VoteValue {
  if (valueDecimals === 0 && value === 1n) return 1;
  if (valueDecimals === 0 && value === -1n) return -1;
  throw makeRefusal("invalid_vote_value");
}

/** A vote with an unknown tag is stored without a tag (specification §2.6). */
function parseTag({ tag1 }: FeedbackFields): VoteTag {
  const known = VoteTag.safeParse(tag1);
  return known.success ? known.data : "";
}

/** The registry gives ids in order, beginning with 0. So an id that is too large for a JavaScript number does not exist yet. */
function readPressId({ agentId }: FeedbackFields): number {
  if (agentId > BigInt(Number.MAX_SAFE_INTEGER)) throw makeRefusal("unknown_press");
  return Number(agentId);
}

function padNumber(number: bigint): string {
  return String(number).padStart(16, "0");
}

/** The reasons why a transaction is not a vote, each with a stable code and a message. */
const messages = {
  transaction_unconfirmed:
    "The chain has not confirmed this transaction. Record the vote after the confirmation.",
  transaction_failed: "The transaction failed on the chain, so it casts no vote.",
  not_a_vote:
    "This is no vote: a vote is a call of giveFeedback that the voter's wallet itself sends to the reputation registry.",
  invalid_vote_value: "A vote's value is 1 or -1, with no decimals.",
  unknown_press: "The vote is for an article that is not listed here.",
} as const;

const kinds: Partial<Readonly<Record<keyof typeof messages, ErrorKind>>> = { unknown_press: "missing" };

/** The number of seconds to wait before another attempt. */
const anotherLook = 1;

function makeRefusal(code: keyof typeof messages): AppError {
  const retryAfter = code === "transaction_unconfirmed" ? anotherLook : undefined;
  return new AppError(kinds[code] ?? "input", code, messages[code], { retryAfter });
}
