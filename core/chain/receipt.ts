import { encodeEventTopics, numberToHex, parseAbi } from "viem/utils";
import * as z from "zod";
import type { Chain, RpcCall } from "../port/chain.ts";
import { erc20Abi, exactProxyAbi } from "./abi.ts";
import { Block, getResult, latestBlock, makeChainError, Quantity, requireAnswer } from "./call.ts";
import { type Address, AddressInput, HashInput, type Hex, HexInput, lower } from "./hex.ts";
import type { Permit } from "./permit2.ts";

const Log = z.object({
  address: AddressInput.transform(lower),
  topics: z.array(HexInput),
  data: HexInput,
  logIndex: Quantity.transform(Number),
});

/** The fields of a transaction's receipt that the service uses. Addresses and hashes are in lower case. */
export const Receipt = z.object({
  transactionHash: HashInput.transform(lower),
  status: z.enum(["0x0", "0x1"]),
  from: AddressInput.transform(lower),
  blockNumber: Quantity,
  gasUsed: Quantity,
  /** The gas price in wei per gas unit. A node may leave this price out of the receipt. */
  effectiveGasPrice: Quantity.optional(),
  logs: z.array(Log),
});
export type Receipt = z.infer<typeof Receipt>;

const [transferTopic] = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer" });

/**
 * The indexes of the logs that show that the transaction moved exactly the permit's amount from the payer to the payee. Each index is
 * counted over the whole block. The proxy's event names no payer or payee, so the token's `Transfer` event is the proof (x402 scheme exact,
 * transfer method permit2).
 */
export function findPaymentLogs(receipt: Receipt, permit: Permit): readonly number[] {
  if (receipt.status !== "0x1") return [];
  return receipt.logs
    .filter((log) => log.address === permit.token && isTransfer(log, permit))
    .map(({ logIndex }) => logIndex);
}

const settledTopics: readonly unknown[] = (["Settled", "SettledWithPermit"] as const).flatMap((eventName) =>
  encodeEventTopics({ abi: exactProxyAbi, eventName }),
);

/**
 * Returns those indexes from `findPaymentLogs` whose transfer was made by a permit. A transfer by a permit also counts if another contract
 * has called the proxy. A transfer by a permit is recognised because the proxy emits its event right after the token's Transfer event.
 */
export function findSettlementLogs(receipt: Receipt, permit: Permit, proxy: Address): readonly number[] {
  const told = receipt.logs.filter(({ address }) => address === permit.token || address === proxy);
  return findPaymentLogs(receipt, permit).filter((logIndex) => {
    const next = told[told.findIndex((log) => log.logIndex === logIndex) + 1];
    return next?.address === proxy && settledTopics.includes(next.topics[0]);
  });
}

/**
 * Whether a log is a token's `Transfer` event of exactly the given amount between the given accounts. The function compares the 32-byte
 * words of the log without decoding them, because this is faster. A transaction with 48 payments has over a hundred logs, and all logs are
 * searched for each payment.
 */
export function isTransfer(
  { topics, data }: Receipt["logs"][number],
  { from, to, amount }: Pick<Permit, "from" | "to" | "amount">,
): boolean {
  const [topic, ...indexed] = topics;
  const words = [from, to].map((address) => `0x${address.slice(2).padStart(64, "0")}`);
  const same = indexed.length === 2 && indexed.every((word, index) => lower(word) === words[index]);
  return same && topic === transferTopic && data.length === 66 && BigInt(data) === amount;
}

const [approvalTopic] = encodeEventTopics({
  abi: parseAbi(["event Approval(address indexed owner, address indexed spender, uint256 value)"]),
});

/** The wallets whose USDG balance or Permit2 approval a transaction has changed, as its receipt shows. */
export function listChangedWallets(
  { status, logs }: Receipt,
  { usdg, permit2 }: { readonly usdg: Address; readonly permit2: Address },
): readonly Address[] {
  if (status !== "0x1") return [];
  const changed = logs.flatMap(({ address, topics: [topic, first, second] }) => {
    if (address !== usdg || first === undefined || second === undefined) return [];
    if (topic === transferTopic) return parseAddress(second);
    return topic === approvalTopic && parseAddress(second) === permit2 ? parseAddress(first) : [];
  });
  return [...new Set(changed)];
}

function parseAddress(word: Hex): Address {
  return lower(`0x${word.slice(-40)}`);
}

/** The receipt in an answer to `eth_getTransactionReceipt`; `undefined` while there is no receipt. */
export function parseReceipt(answer: {
  readonly status: string;
  readonly result?: unknown;
}): Receipt | undefined {
  const parsed = Receipt.safeParse(answer.result);
  return parsed.success ? parsed.data : undefined;
}

/** The maximum number of blocks in one log query. Providers refuse a log query over more than 10,000 blocks or without a last block. */
export const windowSize = 5_000n;

/** The first and the last block of an `eth_getLogs` filter. */
export type BlockWindow = { readonly fromBlock: Hex; readonly toBlock: Hex };

/**
 * Splits a range of blocks into windows that fit into one log query each. Returns the oldest windows in order, but at most `most` windows.
 */
export function splitBlocks(from: bigint, to: bigint, most: number): readonly BlockWindow[] {
  return Array.from({ length: most }, (_, index) => from + windowSize * BigInt(index))
    .filter((first) => first <= to)
    .map((first) => {
      const last = first + windowSize - 1n;
      return { fromBlock: numberToHex(first), toBlock: numberToHex(last < to ? last : to) };
    });
}

type Ports = { readonly chain: Chain };

/** A range of blocks, including its first and its last block. */
export type BlockRange = { readonly from: bigint; readonly to: bigint };

/**
 * The range of the blocks that were made since the given time. The time is in milliseconds since the epoch. Throws `upstream` when the
 * chain cannot be read.
 */
export async function findBlocksSince({ chain }: Ports, since: number): Promise<BlockRange> {
  const [latest] = await chain.batch([latestBlock]);
  const to = getResult(latest, Block).number;
  const seconds = BigInt(Math.floor(since / 1000));
  let [from, high] = [0n, to];
  while (from < high) {
    const middle = (from + high) / 2n;
    const [answer] = await chain.batch([
      { method: "eth_getBlockByNumber", params: [numberToHex(middle), false] },
    ]);
    if (getResult(answer, Block).timestamp < seconds) from = middle + 1n;
    else high = middle;
  }
  return { from, to };
}

/**
 * A transaction as a node shows it, with all hex values in lower case. A node may show a transaction as pending for a moment after its
 * receipt exists, so only the receipt shows whether the transaction is in a block. All fields that are read here are covered by the
 * transaction's hash.
 */
export const SentTransaction = z.object({
  to: z.nullable(AddressInput.transform(lower)),
  hash: HashInput.transform(lower),
  from: AddressInput.transform(lower),
  input: HexInput,
});
export type SentTransaction = z.infer<typeof SentTransaction>;

export type MinedTransaction = { readonly sent: SentTransaction; readonly receipt: Receipt };

/**
 * Reads transactions that are known to be in blocks. The result is in the same order as the input. One batch has two calls for each
 * transaction. Throws `upstream` if the node does not show a transaction or its receipt.
 */
export async function readTransactions(
  { chain }: { readonly chain: Chain },
  hashes: readonly Hex[],
): Promise<readonly MinedTransaction[]> {
  const answers = await chain.batch(
    hashes.flatMap((hash) => [
      { method: "eth_getTransactionByHash", params: [hash] },
      { method: "eth_getTransactionReceipt", params: [hash] },
    ]),
  );
  return hashes.map((_, index) => {
    const receipt = parseReceipt(requireAnswer(answers[2 * index + 1]));
    if (receipt === undefined) throw makeChainError("a transaction without its receipt");
    return { sent: getResult(answers[2 * index], SentTransaction), receipt };
  });
}

/** A log in the answer of `eth_getLogs`, with its transaction. */
export const ChainLog = z.object({
  transactionHash: HashInput.transform(lower),
  blockNumber: Quantity,
  topics: z.tuple([HexInput], HexInput),
  data: HexInput,
});
export type ChainLog = z.infer<typeof ChainLog>;

/** The maximum number of log queries in one batch. Providers refuse batches of more than 20 queries. */
const callsAtOnce = 12;

/**
 * Reads the events that match the given filters in a range of blocks, in the order of the blocks. One query is made for each filter and
 * each window of blocks. Each query names the address of a contract, so an event of the same kind from another contract is ignored. Throws
 * `upstream` when the chain cannot be read.
 */
export async function readEvents(
  { chain }: Ports,
  { from, to }: BlockRange,
  filters: readonly { readonly address: Address; readonly topics: readonly unknown[] }[],
): Promise<readonly ChainLog[]> {
  const found: ChainLog[] = [];
  let start = from;
  while (start <= to) {
    const windows = splitBlocks(start, to, Math.floor(callsAtOnce / filters.length));
    const calls = windows.flatMap((window): readonly RpcCall[] =>
      filters.map((filter) => ({ method: "eth_getLogs", params: [{ ...filter, ...window }] })),
    );
    const [height, ...answers] = await chain.batch([{ method: "eth_blockNumber", params: [] }, ...calls]);
    if (getResult(height, Quantity) < to)
      throw makeChainError("a node that is behind what was seen of the chain");
    found.push(...answers.flatMap((answer) => getResult(answer, z.array(ChainLog))));
    const [last] = windows.slice(-1);
    start = last === undefined ? to + 1n : BigInt(last.toBlock) + 1n;
  }
  return found.toSorted((one, other) => Number(one.blockNumber - other.blockNumber));
}
