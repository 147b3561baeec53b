import type { HDAccount } from "viem/accounts";
import { type Hex, lower } from "../../../core/chain/hex.ts";
import type { PaymentPorts } from "../../../core/payment/index.ts";
import { makeTally, recordVote } from "../../../core/vote/index.ts";
import type { Tally } from "../../../core/vote/schema.ts";
import { changeResults } from "../../support/interference.ts";
import {
  encodeVote,
  getTestAccount,
  listPress,
  type Payments,
  reputationRegistry,
  startPayments,
  type VoteFields,
} from "../../support/payment.ts";

export const publisherAccount = getTestAccount(1);
export const reader = getTestAccount(2);
export const other = getTestAccount(3);
export const voters = [reader, other, ...[4, 5, 6, 7, 8].map(getTestAccount)];

export type Polls = Payments;

export const startPolls: () => Promise<Polls> = startPayments;

/** Makes a live press of the publisher, and returns its agent id. */
export function addPress(polls: Polls): Promise<number> {
  return listPress(polls, publisherAccount);
}

/** Sends a transaction and returns its hash once the transaction is mined, even if it failed. */
export async function mineCall({ client }: Polls, account: HDAccount, to: Hex | undefined, data: Hex) {
  const hash = await client.sendTransaction({ account, to, data, gas: 500_000n });
  await client.waitForTransactionReceipt({ hash });
  return lower(hash);
}

/** Casts a vote on the chain, and returns the transaction's hash. */
export function castVote(
  polls: Polls,
  account: HDAccount,
  pressId: number,
  fields?: VoteFields,
): Promise<Hex> {
  return mineCall(polls, account, reputationRegistry, encodeVote(pressId, fields));
}

/** Casts votes as fast as the chain accepts votes, so that few blocks contain all votes. The votes of each wallet stay in order. */
export async function castAll(
  { client }: Polls,
  votes: readonly { readonly account: HDAccount; readonly pressId: number; readonly said?: VoteFields }[],
): Promise<readonly Hex[]> {
  const wallets = new Map(votes.map(({ account }) => [account.address, account]));
  const nonces = new Map<Hex, number>();
  for (const address of wallets.keys()) nonces.set(address, await client.getTransactionCount({ address }));
  const hashes: Hex[] = [];
  for (const { account, pressId, said } of votes) {
    const nonce = nonces.get(account.address) ?? 0;
    nonces.set(account.address, nonce + 1);
    const data = encodeVote(pressId, said);
    hashes.push(
      lower(await client.sendTransaction({ account, to: reputationRegistry, data, nonce, gas: 500_000n })),
    );
  }
  for (const hash of hashes) {
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== "success") throw new Error(`A vote was reverted: ${hash}`);
  }
  return hashes;
}

/** Reads how many votes the table counts for the press. */
export async function readTally({ ports }: Pick<Polls, "ports">, pressId: number): Promise<Tally> {
  const { data } = await ports.table.entities.press.get({ id: pressId + 1000 }).go({ consistent: true });
  if (data === null) throw new Error("There is no such press");
  return makeTally(data);
}

/** The stored vote of the wallet on the press. */
export async function readVote({ ports }: Pick<Polls, "ports">, pressId: number, account: HDAccount) {
  const key = { pressId, wallet: lower(account.address) };
  return (await ports.table.entities.vote.get(key).go({ consistent: true })).data ?? undefined;
}

/** Records votes one after another, and returns the answer to the last vote. */
export async function recordAll(polls: Pick<Polls, "ports">, ...hashes: readonly Hex[]) {
  let last: Tally | undefined;
  for (const txHash of hashes) last = await recordVote(polls.ports, { txHash });
  return last;
}

type Answer = Readonly<Record<string, unknown>>;

/** Makes ports that change the node's answers about transactions and receipts. */
export function makeChangedPolls(
  polls: Polls,
  changes: {
    readonly transaction?: (answer: Answer) => unknown;
    readonly receipt?: (answer: Answer) => unknown;
  },
): Polls {
  const changeIfFound = (ports: PaymentPorts, method: string, change: (answer: Answer) => unknown) =>
    changeResults(ports, method, (result) => (isAnswer(result) ? change(result) : result));
  const keep = (answer: Answer) => answer;
  const { transaction = keep, receipt = keep } = changes;
  const ports = changeIfFound(polls.ports, "eth_getTransactionByHash", transaction);
  return { ...polls, ports: changeIfFound(ports, "eth_getTransactionReceipt", receipt) };
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null;
}
