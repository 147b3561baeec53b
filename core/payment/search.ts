import { decodeEventLog, encodeEventTopics, numberToHex } from "viem/utils";
import * as z from "zod";
import { authorizationAbi, erc20Abi, permit2Abi } from "../chain/abi.ts";
import {
  Block,
  getResult,
  lateness,
  latestBlock,
  makeChainError,
  makeContractCall,
  Quantity,
  requireAnswer,
  Word,
} from "../chain/call.ts";
import { findUsedLogs, makeUsedFilter } from "../chain/eip3009.ts";
import { type Address, HashInput, type Hex, HexInput, lower } from "../chain/hex.ts";
import { listCalls } from "../chain/order.ts";
import { decodeNonce, encodeNonceCall, isNonceSpent } from "../chain/permit2.ts";
import {
  type BlockWindow,
  findSettlementLogs,
  type MinedTransaction,
  parseReceipt,
  type Receipt,
  readTransactions,
  type SentTransaction,
  splitBlocks,
  windowSize,
} from "../chain/receipt.ts";
import type { RpcCall } from "../port/chain.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import type { Authorization, LegTransfer } from "../record/payment.ts";
import { findMethod, toEip3009 } from "./method.ts";
import { longestLife } from "./schema.ts";

/** How an authorization's nonce was spent. */
export type NonceUse =
  /** The authorization was settled by one of the transfers in `proofs`, none of which has paid for another purchase. */
  | { readonly kind: "paid"; readonly proofs: readonly LegTransfer[] }
  /** The authorization's nonce was spent for something else: the authorization has moved no money, and never will. */
  | { readonly kind: "unpaid" }
  /** The chain does not show at present how the nonce was spent, so no other payment may charge the payer yet. */
  | { readonly kind: "unclear" };

/**
 * The result of a search that begins with the logs. `unclear`: either no transfer or more than one transfer could belong to the
 * authorization; this result also gives the range of blocks that was searched.
 */
type LogSearchResult =
  | Exclude<NonceUse, { readonly kind: "unclear" }>
  | { readonly kind: "unclear"; readonly none: boolean; readonly from: bigint; readonly head: HeadBlock };

type HeadBlock = z.infer<typeof Block>;

export type SearchPorts = Pick<AllPorts, "chain" | "settings" | "table">;

/**
 * Finds how an authorization's nonce was spent, even if another sender or another contract has spent it (invariant 1). `since`: a block
 * that is older than the first presentation of the authorization; `undefined` if the authorization was never presented before. Throws
 * `upstream` if a node gives no answer.
 */
export async function searchSettlement(
  ports: SearchPorts,
  authorization: Authorization,
  since: bigint | undefined,
): Promise<NonceUse> {
  const search = authorization.method === "permit2" ? searchPermit : searchAuthorization;
  const found = await search(ports, authorization, since);
  if (found.kind !== "unclear") return found;
  const otherwise = await isSpentElsewhere(ports, authorization, { ...found, since });
  return { kind: otherwise ? "unpaid" : "unclear" };
}

/**
 * The maximum number of windows, transactions or blocks that one batch of RPC calls reads. The search makes three calls for a window of
 * logs, and two calls for a transaction or a block; providers refuse batches of more than 20 calls.
 */
const windowsAtOnce = 6;

const transactionsAtOnce = 10;
const blocksAtOnce = 10;

/**
 * For a permit that was never presented before, the search goes back by this number of blocks. At 100 ms per block, this number of blocks
 * covers half an hour.
 */
const lookBack = 4n * windowSize;

/**
 * The maximum number of transfers that are looked up in the table, and the maximum number of transfers without a known purchase that are
 * examined further. The limits are higher than the number of transfers that any payer makes within minutes.
 */
const mostTransfers = 1_000;

const mostUnused = 40;

const Transfer = z.object({
  transactionHash: HashInput.transform(lower),
  blockNumber: Quantity,
  logIndex: Quantity.transform(Number),
  topics: z.tuple([HexInput], HexInput),
  data: HexInput,
});

type Transfer = z.infer<typeof Transfer>;

const Invalidation = Transfer.pick({ blockNumber: true, topics: true, data: true });

/**
 * Permit2 emits no event with the nonce, so the token's transfers from payer to payee after the block `since` are examined. A transfer
 * belongs to the permit if its transaction shows the permit's nonce, or if the nonce became spent in the transfer's block.
 */
async function searchPermit(
  ports: SearchPorts,
  permit: Authorization,
  since: bigint | undefined,
): Promise<LogSearchResult> {
  const [latest] = await ports.chain.batch([latestBlock]);
  const head = getResult(latest, Block);
  const from = since ?? (head.number > lookBack ? head.number - lookBack : 0n);
  const found = await readLogs(ports, permit, from, head.number);
  // Once the deadline has passed by more than `lateness`, all nodes show the logs, and no further log can follow.
  const over = head.timestamp > permit.deadline + lateness;
  const whole = since !== undefined || from === 0n || found.begun + longestLife <= permit.deadline;
  const unclear = { kind: "unclear", none: found.transfers.length === 0, from, head } as const;
  if (found.transfers.length > mostTransfers || !(whole || over)) return unclear;
  const free = await findUnused(ports, found.transfers);
  if (free.length > mostUnused) return unclear;

  const candidates = await findCandidates(ports, permit, free);
  const shown = candidates.filter(({ spends }) => spends === "this permit");
  if (shown.length > 0) return makePaidResult(shown);
  if (candidates.some(({ spends }) => spends === "this permit elsewhere")) return { kind: "unpaid" };
  // If the payer invalidated the nonce in a block, no transfer in the same block counts as the transfer that has spent the nonce.
  const hidden = candidates.filter(
    ({ spends, blockNumber }) => spends === "who knows" && !found.takenBack.includes(blockNumber),
  );
  const isSpentIn = await findSpendingBlocks(
    ports,
    permit,
    hidden.map(({ blockNumber }) => blockNumber),
  );
  const certain = hidden.filter(({ blockNumber }) => isSpentIn.get(blockNumber) === true);
  if (certain.length > 0) return makePaidResult(certain);
  const possible = hidden.filter(({ blockNumber }) => isSpentIn.get(blockNumber) === undefined);
  const takenBack = found.takenBack.length > 0;
  if (possible.length === 0) return takenBack || over ? { kind: "unpaid" } : { ...unclear, none: true };
  // If no node has the chain's state at the time of the transfer, a single transfer counts as the transfer of this permit. If several
  // transfers were found, the result is unclear.
  return possible.length === 1 && !takenBack ? makePaidResult(possible) : unclear;
}

function makePaidResult(transfers: readonly Transfer[]): LogSearchResult {
  return {
    kind: "paid",
    proofs: transfers.map(({ transactionHash: txHash, logIndex }) => ({ txHash, logIndex })),
  };
}

type PermitLogs = {
  /** Finds transfers of the permit's exact amount from payer to payee, oldest first. */
  readonly transfers: readonly Transfer[];
  /** The blocks in which the payer has invalidated the nonce (Permit2's `invalidateUnorderedNonces`). */
  readonly takenBack: readonly bigint[];
  /** The time of the first block whose logs were read, in seconds since the Unix epoch. */
  readonly begun: bigint;
};

/**
 * Reads the logs of the blocks `from` to `to` in groups of windows (ranges of blocks). Stops at the first window that begins after the
 * permit's deadline.
 */
async function readLogs(
  ports: SearchPorts,
  permit: Authorization,
  from: bigint,
  to: bigint,
): Promise<PermitLogs> {
  const transfers: Transfer[] = [];
  const takenBack: bigint[] = [];
  let begun: bigint | undefined;
  const width = windowSize * BigInt(windowsAtOnce);
  for (let start = from; start <= to; start += width) {
    const windows = splitBlocks(start, to, windowsAtOnce);
    const [height, ...answers] = await ports.chain.batch([
      { method: "eth_blockNumber", params: [] },
      ...windows.flatMap((window) => makeLogCalls(ports, permit, window)),
    ]);
    // The nonce was already spent at the block `to`, so the logs of a node that has not reached the block `to` may lack the transfer.
    if (getResult(height, Quantity) < to)
      throw makeChainError("a node that is behind what was seen of the chain");
    for (const index of windows.keys()) {
      const [first, moved, taken] = answers.slice(3 * index, 3 * index + 3);
      const { timestamp } = getResult(first, Block);
      begun ??= timestamp;
      if (timestamp > permit.deadline) return { transfers, takenBack, begun };
      transfers.push(...getResult(moved, z.array(Transfer)).filter((log) => hasAmount(log, permit)));
      const spent = getResult(taken, z.array(Invalidation)).filter((log) => cancelsNonce(log, permit));
      takenBack.push(...spent.map(({ blockNumber }) => blockNumber));
    }
  }
  if (begun === undefined)
    throw makeChainError("a node that is behind the block in which a permit was presented");
  return { transfers, takenBack, begun };
}

function makeLogCalls(
  { settings }: SearchPorts,
  { from, to, token }: Authorization,
  range: BlockWindow,
): readonly RpcCall[] {
  const moved = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args: { from, to } });
  const taken = encodeEventTopics({
    abi: permit2Abi,
    eventName: "UnorderedNonceInvalidation",
    args: { owner: from },
  });
  return [
    { method: "eth_getBlockByNumber", params: [range.fromBlock, false] },
    { method: "eth_getLogs", params: [{ address: token, topics: moved, ...range }] },
    { method: "eth_getLogs", params: [{ address: settings.contracts.permit2, topics: taken, ...range }] },
  ];
}

function hasAmount({ topics, data }: Transfer, { amount }: Authorization): boolean {
  const { args } = decodeEventLog({ abi: erc20Abi, eventName: "Transfer", topics, data });
  return args.value === amount;
}

function cancelsNonce({ topics, data }: z.infer<typeof Invalidation>, { nonce }: Authorization): boolean {
  const { args } = decodeEventLog({
    abi: permit2Abi,
    eventName: "UnorderedNonceInvalidation",
    topics,
    data,
  });
  return args.word === nonce >> 8n && isNonceSpent(nonce, args.mask);
}

/** Selects the transfers that have not paid for another leg. */
async function findUnused(
  { table }: SearchPorts,
  transfers: readonly Transfer[],
): Promise<readonly Transfer[]> {
  if (transfers.length === 0) return [];
  const keys = transfers.map(({ transactionHash: txHash, logIndex }) => ({ txHash, logIndex }));
  const { data } = await table.entities.transfer.get(keys).go({ consistent: true });
  return transfers.filter(
    ({ transactionHash, logIndex }) =>
      !data.some((used) => used.txHash === transactionHash && used.logIndex === logIndex),
  );
}

/**
 * The permit that a transaction has spent, according to the transaction's calldata. `elsewhere`: a relayer of another stage has sent the
 * transaction.
 */
type SpentPermit = "this permit" | "this permit elsewhere" | "another permit" | "who knows";

type Candidate = Transfer & { readonly spends: SpentPermit };

/**
 * Finds the transfers that may belong to a permit. For each transfer, the result says whether the transaction has spent this permit or
 * another permit, as far as the calldata shows this.
 */
async function findCandidates(
  ports: SearchPorts,
  permit: Authorization,
  transfers: readonly Transfer[],
): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (let first = 0; first < transfers.length; first += transactionsAtOnce) {
    const some = transfers.slice(first, first + transactionsAtOnce);
    const mined = await readTransactions(
      ports,
      some.map(({ transactionHash }) => transactionHash),
    );
    for (const [index, { sent, receipt }] of mined.entries()) {
      const transfer = some[index];
      const { exactProxy } = ports.settings.contracts;
      const logs = findSettlementLogs(receipt, permit, exactProxy);
      if (transfer === undefined || !logs.includes(transfer.logIndex)) continue;
      candidates.push({ ...transfer, spends: readPermitSpend(ports, permit, sent) });
    }
  }
  return candidates;
}

/** The call of a transaction; a transaction that creates a contract has no target. */
type SentCall = { readonly to: Address | undefined; readonly data: Hex };

function readPermitSpend(
  { settings }: SearchPorts,
  permit: Authorization,
  { from, to, input }: SentTransaction,
): SpentPermit {
  const known: readonly SentCall[] = to === null ? [] : listCalls({ to, data: input });
  const calls = known.length > 0 ? known : [{ to: undefined, data: input }];
  const shown = calls.map((call) => readCallSpend(settings, permit, call));
  if (!shown.includes("this permit")) return shown.includes("who knows") ? "who knows" : "another permit";
  return settings.siblingRelayers?.includes(from) ? "this permit elsewhere" : "this permit";
}

/**
 * Finds which permit a call has spent. A call to the proxy names the permit, and a call to the token or to Permit2 settles no permit of the
 * proxy. A call to another contract counts as a use of this permit if it contains the nonce.
 */
function readCallSpend(
  { contracts }: Settings,
  { nonce }: Authorization,
  { to, data }: SentCall,
): SpentPermit {
  const { exactProxy, usdg, permit2 } = contracts;
  if (to === usdg || to === permit2) return "another permit";
  const settled = to === exactProxy ? decodeNonce(data) : undefined;
  if (settled !== undefined) return settled === nonce ? "this permit" : "another permit";
  const holds = Buffer.from(data.slice(2), "hex").includes(
    Buffer.from(numberToHex(nonce, { size: 32 }).slice(2), "hex"),
  );
  if (holds) return "this permit";
  return to === exactProxy ? "another permit" : "who knows";
}

/** For each block, finds whether the nonce became spent in this block; `undefined` if the node no longer has the block's state. */
async function findSpendingBlocks(
  { chain, settings }: SearchPorts,
  { from, nonce }: Authorization,
  blocks: readonly bigint[],
): Promise<ReadonlyMap<bigint, boolean | undefined>> {
  const found = new Map<bigint, boolean | undefined>();
  const asked = encodeNonceCall(from, nonce);
  const distinct = [...new Set(blocks)];
  for (let first = 0; first < distinct.length; first += blocksAtOnce) {
    const some = distinct.slice(first, first + blocksAtOnce);
    const calls = some
      .flatMap((block) => [block - 1n, block])
      .map((at) => makeContractCall(settings.contracts.permit2, asked, numberToHex(at)));
    const words = (await chain.batch(calls)).map((outcome) =>
      outcome.status === "ok" ? Word.safeParse(outcome.result).data : undefined,
    );
    for (const [index, block] of some.entries()) {
      const [before, after] = words.slice(2 * index, 2 * index + 2);
      const isKnown = before !== undefined && after !== undefined;
      found.set(block, isKnown ? !isNonceSpent(nonce, before) && isNonceSpent(nonce, after) : undefined);
    }
  }
  return found;
}

const Told = z.array(z.object({ transactionHash: HashInput.transform(lower) }));

/**
 * Finds how an authorization was spent (invariant 1). The token emits an indexed event for each nonce that is used or cancelled. Therefore,
 * one log shows how the nonce was spent, no matter which sender or contract has spent it.
 */
async function searchAuthorization(
  ports: SearchPorts,
  authorization: Authorization,
  since: bigint | undefined,
): Promise<LogSearchResult> {
  const [latest] = await ports.chain.batch([latestBlock]);
  const head = getResult(latest, Block);
  const from = since ?? (head.number > lookBack ? head.number - lookBack : 0n);
  const { used, cancelled } = await readNonceUses(ports, authorization, from, head.number);
  const [mined] = await readTransactions(ports, used);
  if (mined !== undefined) return readSettlement(ports, authorization, mined);
  // If the deadline has passed by more than `lateness` seconds, every node shows the log of the nonce's use.
  const over = head.timestamp > authorization.deadline + lateness;
  return cancelled || over ? { kind: "unpaid" } : { kind: "unclear", none: true, from, head };
}

/** The transaction in which the nonce was used, in a list of at most one entry, and whether the nonce was cancelled. */
async function readNonceUses(
  { chain }: SearchPorts,
  authorization: Authorization,
  from: bigint,
  to: bigint,
): Promise<{ readonly used: readonly Hex[]; readonly cancelled: boolean }> {
  const { address, topics } = makeUsedFilter(toEip3009(authorization));
  const [cancellation] = encodeEventTopics({ abi: authorizationAbi, eventName: "AuthorizationCanceled" });
  // For each range of blocks, two requests find the events for used and for cancelled nonces. The requests differ only in the first topic,
  // because both events have the same two indexed arguments.
  const [usage, ...of] = topics;
  const width = windowSize * BigInt(windowsAtOnce);
  for (let start = from; start <= to; start += width) {
    const windows = splitBlocks(start, to, windowsAtOnce);
    const [height, ...answers] = await chain.batch([
      { method: "eth_blockNumber", params: [] },
      ...windows.flatMap((range) => [
        { method: "eth_getLogs", params: [{ address, topics: [usage, ...of], ...range }] },
        { method: "eth_getLogs", params: [{ address, topics: [cancellation, ...of], ...range }] },
      ]),
    ]);
    // The nonce was already spent at the block `to`, so a node that has not reached the block `to` may lack the log of the nonce.
    if (getResult(height, Quantity) < to)
      throw makeChainError("a node that is behind what was seen of the chain");
    const told = answers.map((answer) =>
      getResult(answer, Told).map(({ transactionHash }) => transactionHash),
    );
    const used = told.filter((_, index) => index % 2 === 0).flat();
    const cancelled = told.some((logs, index) => index % 2 === 1 && logs.length > 0);
    if (used.length > 0 || cancelled) return { used, cancelled };
  }
  return { used: [], cancelled: false };
}

/**
 * Whether the transaction that used the nonce made the signed transfer for this stage, and whether this transfer has paid no other leg of a
 * purchase.
 */
async function readSettlement(
  { table, settings }: SearchPorts,
  authorization: Authorization,
  { sent, receipt }: MinedTransaction,
): Promise<LogSearchResult> {
  const proofs = [...findProofs(authorization, receipt)];
  // A key of another stage settles only payments that were presented to the other stage.
  if (settings.siblingRelayers?.includes(sent.from)) return { kind: "unpaid" };
  if (proofs.length === 0) return { kind: "unpaid" };
  const { data } = await table.entities.transfer.get(proofs).go({ consistent: true });
  const free = proofs.filter(({ logIndex }) => !data.some((taken) => taken.logIndex === logIndex));
  return free.length === 0 ? { kind: "unpaid" } : { kind: "paid", proofs: free };
}

/** Every node that shows a block also shows the block's logs after this number of seconds. */
const logsDelay = 10n;

/** The transfers by which a transaction has settled an authorization, read from the transaction's receipt. */
export function findProofs(authorization: Authorization, receipt: Receipt): readonly LegTransfer[] {
  const logs = findMethod(authorization).paidBy(authorization, receipt);
  return logs.map((logIndex) => ({ txHash: receipt.transactionHash, logIndex }));
}

/**
 * Whether the nonce was certainly spent for something else, even though no log shows how the nonce was spent. A wallet can spend its own
 * Permit2 nonce without a log. From the chain's state, the function finds the block in which the nonce became spent. The result is true
 * only if this block contains no settlement of this authorization. The node may no longer have the state of the block in which the nonce
 * became spent. Without this state, the result is true only if the logs are complete and show no transfer that could belong to the
 * authorization.
 */
async function isSpentElsewhere(
  ports: SearchPorts,
  authorization: Authorization,
  {
    none,
    from,
    head,
    since,
  }: Extract<LogSearchResult, { kind: "unclear" }> & { readonly since: bigint | undefined },
): Promise<boolean> {
  const spending = await findSpendBlock(ports, authorization, from, head.number);
  if (spending === undefined) return false;
  if (spending.exact) return !(await mayContainSettlement(ports, authorization, spending.block));
  const blocks = await ports.chain.batch([makeBlockCall(from), makeBlockCall(spending.block)]);
  const [first, block] = blocks.map((outcome) => getResult(outcome, Block).timestamp);
  if (first === undefined || block === undefined) return false;
  const whole = since !== undefined || from === 0n || first + longestLife <= authorization.deadline;
  return none && whole && block + logsDelay <= head.timestamp;
}

/**
 * The block in which a nonce became spent. If `exact` is not set, `block` is only the earliest checked block in which the nonce is spent,
 * and the nonce may have become spent before this block.
 */
type SpendBlock = { readonly block: bigint; readonly exact: boolean };

/** The number of blocks that one step of the search reads. */
const pointsAtOnce = 7n;

/**
 * Finds from the chain's state in which block of a range a nonce became spent. Returns `undefined` if the node does not show the nonce as
 * spent at all.
 */
async function findSpendBlock(
  ports: SearchPorts,
  authorization: Authorization,
  from: bigint,
  to: bigint,
): Promise<SpendBlock | undefined> {
  const steps = [to];
  // The search goes back from the newest block in growing steps, because a nonce was usually spent recently, and nodes may no longer have
  // the state of older blocks.
  for (let back = 1n; to - back > from; back *= 2n) steps.push(to - back);
  if (from < to) steps.push(from);
  let { spent, unspent } = findSpendRange(steps, await readSpentNonce(ports, authorization, steps));
  if (spent === undefined) return undefined;
  while (unspent !== undefined && spent - unspent > 1n) {
    const gap: bigint = spent - unspent;
    const parts = gap < pointsAtOnce + 1n ? gap : pointsAtOnce + 1n;
    const low = unspent;
    const points = Array.from(
      { length: Number(parts) - 1 },
      (_, index) => low + (gap * BigInt(index + 1)) / parts,
    );
    const blocks: readonly bigint[] = [spent, ...points.toReversed(), low];
    const inside = await readSpentNonce(ports, authorization, points.toReversed());
    ({ spent = spent, unspent } = findSpendRange(blocks, [true, ...inside, false]));
  }
  return { block: spent, exact: unspent !== undefined };
}

/**
 * Checks a list of blocks, starting with the newest, and stops at the first block in which the nonce is not known to be spent. Returns the
 * oldest block in which the nonce is spent, and the next older block of the list if the nonce is known to be unspent in that older block.
 */
function findSpendRange(blocks: readonly bigint[], seen: readonly (boolean | undefined)[]) {
  const length = seen.findIndex((isSpent) => isSpent !== true);
  const end = length === -1 ? blocks.length : length;
  return { spent: blocks[end - 1], unspent: seen[end] === false ? blocks[end] : undefined };
}

/** Whether a nonce is spent at each block; `undefined` if the node no longer has the state of the block. */
async function readSpentNonce(
  { chain, settings }: SearchPorts,
  authorization: Authorization,
  blocks: readonly bigint[],
): Promise<readonly (boolean | undefined)[]> {
  const method = findMethod(authorization);
  const outcomes = await chain.batch(
    blocks.map((block) => method.spentCall(settings, authorization, numberToHex(block))),
  );
  return outcomes.map((outcome) =>
    outcome.status === "ok" ? method.isSpent(authorization, outcome) : undefined,
  );
}

/** The maximum number of transactions of one block that are examined. */
const mostInBlock = 200;

const Filled = z.object({ transactions: z.array(HashInput) });

/** Whether a block may contain a settlement of the authorization, according to the receipts of the block's transactions. */
async function mayContainSettlement(
  { chain, settings }: SearchPorts,
  authorization: Authorization,
  block: bigint,
): Promise<boolean> {
  const [answer] = await chain.batch([makeBlockCall(block)]);
  const { transactions } = getResult(answer, Filled);
  if (transactions.length > mostInBlock) return true;
  for (let first = 0; first < transactions.length; first += 2 * transactionsAtOnce) {
    const some = transactions.slice(first, first + 2 * transactionsAtOnce);
    const receipts = await chain.batch(
      some.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
    );
    for (const outcome of receipts) {
      const receipt = parseReceipt(requireAnswer(outcome));
      if (receipt === undefined || findLogs(settings, authorization, receipt).length > 0) return true;
    }
  }
  return false;
}

/** Finds the logs of a transaction that show exactly the transfer that the authorization allows. Anybody may have sent the transaction. */
function findLogs(
  { contracts }: Settings,
  authorization: Authorization,
  receipt: Receipt,
): readonly number[] {
  return authorization.method === "permit2"
    ? findSettlementLogs(receipt, authorization, contracts.exactProxy)
    : findUsedLogs(receipt, toEip3009(authorization));
}

function makeBlockCall(block: bigint): RpcCall {
  return { method: "eth_getBlockByNumber", params: [numberToHex(block), false] };
}
