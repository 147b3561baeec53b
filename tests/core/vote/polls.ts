import type { HDAccount } from "viem/accounts";
import { encodeFunctionData } from "viem/utils";
import { reputationAbi } from "../../../core/chain/abi.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { type Hex, lower } from "../../../core/chain/hex.ts";
import type { Chain, RpcOutcome } from "../../../core/port/chain.ts";
import { record, tally } from "../../../core/vote/index.ts";
import type { Tally } from "../../../core/vote/schema.ts";
import type { EngineName } from "../../support/database.ts";
import { listPress, type Payments, startPayments, testAccount } from "../../support/payment.ts";
import { startTestTable } from "../../support/table.ts";

export const { reputationRegistry } = mainnet.contracts;
export const publisherAccount = testAccount(1);
export const voters = [2, 3, 4, 5, 6, 7, 8].map(testAccount);

export type Polls = Payments;

/** A devnet, a table on this engine, and the ports over them. */
export async function startPolls(engine: EngineName = "embedded"): Promise<Polls> {
  const payments = await startPayments();
  if (engine === "embedded") return payments;
  await payments.store.stop();
  const store = await startTestTable(engine);
  return {
    ...payments,
    store,
    ports: { ...payments.ports, table: store.table },
    stop: async () => {
      await Promise.all([payments.devnet.stop(), store.stop()]);
    },
  };
}

/** A live press of the publisher's; its agent id. */
export function list(polls: Polls): Promise<number> {
  return listPress(polls, publisherAccount);
}

/** What a wallet says in `giveFeedback`: an upvote without a tag unless changed. */
export type Said = { readonly value?: bigint; readonly decimals?: number; readonly tag?: string };

export function calldata(pressId: number | bigint, { value = 1n, decimals = 0, tag = "" }: Said = {}): Hex {
  return encodeFunctionData({
    abi: reputationAbi,
    functionName: "giveFeedback",
    args: [
      BigInt(pressId),
      value,
      decimals,
      tag,
      "",
      "https://news.example/press/x",
      "",
      `0x${"00".repeat(32)}`,
    ],
  });
}

/** Sends a transaction and answers its hash once it is mined, whether it succeeded or not. */
export async function mine({ client }: Polls, account: HDAccount, to: Hex | undefined, data: Hex) {
  const hash = await client.sendTransaction({ account, to, data, gas: 500_000n });
  await client.waitForTransactionReceipt({ hash });
  return lower(hash);
}

/** Casts a vote on the chain; the hash of its transaction. */
export function cast(polls: Polls, account: HDAccount, pressId: number, said?: Said): Promise<Hex> {
  return mine(polls, account, reputationRegistry, calldata(pressId, said));
}

/** Casts votes as fast as the chain takes them: a wallet's own in their order, all of them in few blocks. */
export async function castAll(
  { client }: Polls,
  votes: readonly { readonly account: HDAccount; readonly pressId: number; readonly said?: Said }[],
): Promise<readonly Hex[]> {
  const wallets = new Map(votes.map(({ account }) => [account.address, account]));
  const nonces = new Map<Hex, number>();
  for (const address of wallets.keys()) nonces.set(address, await client.getTransactionCount({ address }));
  const hashes: Hex[] = [];
  for (const { account, pressId, said } of votes) {
    const nonce = nonces.get(account.address) ?? 0;
    nonces.set(account.address, nonce + 1);
    const data = calldata(pressId, said);
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

/** The press's counts as the table has them. */
export async function tallyOf({ ports }: Pick<Polls, "ports">, pressId: number): Promise<Tally> {
  const { data } = await ports.table.entities.press.get({ id: pressId + 1000 }).go({ consistent: true });
  if (data === null) throw new Error("There is no such press");
  return tally(data);
}

/** The wallet's vote on the press, as it is kept. */
export async function voteOf({ ports }: Pick<Polls, "ports">, pressId: number, account: HDAccount) {
  const key = { pressId, wallet: lower(account.address) };
  return (await ports.table.entities.vote.get(key).go({ consistent: true })).data ?? undefined;
}

/** Records votes one after another; what the last one was answered. */
export async function recordAll(polls: Pick<Polls, "ports">, ...hashes: readonly Hex[]) {
  let last: Tally | undefined;
  for (const txHash of hashes) last = await record(polls.ports, { txHash });
  return last;
}

type Answer = Readonly<Record<string, unknown>>;

/** A node that changes what it answers of a transaction and of its receipt; `undefined` leaves an answer as it is. */
export function doctored(
  polls: Polls,
  doctor: {
    readonly transaction?: (answer: Answer) => unknown;
    readonly receipt?: (answer: Answer) => unknown;
  },
): Polls {
  const changes: Readonly<Record<string, ((answer: Answer) => unknown) | undefined>> = {
    eth_getTransactionByHash: doctor.transaction,
    eth_getTransactionReceipt: doctor.receipt,
  };
  const chain: Chain = {
    async batch(calls) {
      const outcomes = await polls.ports.chain.batch(calls);
      return outcomes.map((outcome, index): RpcOutcome => {
        const change = changes[calls[index]?.method ?? ""];
        if (change === undefined || outcome.status !== "ok" || !isAnswer(outcome.result)) return outcome;
        return { status: "ok", result: change(outcome.result) };
      });
    },
  };
  return { ...polls, ports: { ...polls.ports, chain } };
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null;
}
