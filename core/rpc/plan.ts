import { keccak256, parseTransaction } from "viem/utils";
import * as z from "zod";
import { HashInput, type Hex, HexInput, lower } from "../chain/hex.ts";
import { tryCall } from "../error.ts";
import type { RpcCall } from "../port/chain.ts";
import { allowedMethods, costs, gasLimit, type RpcError } from "./schema.ts";

/** The outcome of one call, as JSON-RPC reports it. */
export type CallOutcome = { readonly result: unknown } | { readonly error: RpcError };

export function makeFailure(code: number, message: string, data?: unknown): CallOutcome {
  return { error: data === undefined ? { code, message } : { code, message, data } };
}

/**
 * A call that the RPC relay has received. If `answered` is true, the call has an id and gets an answer. A call that only reads and has no
 * id is not sent to a node.
 */
export type PlannedCall = { readonly method: string; readonly params: unknown; readonly answered: boolean };

export type RpcPlan =
  | { readonly kind: "done"; readonly outcome: CallOutcome }
  | { readonly kind: "read"; readonly call: RpcCall; readonly key: string }
  | { readonly kind: "send"; readonly transaction: Transaction };

export type Transaction = { readonly call: RpcCall; readonly hash: Hex };

const allowed: ReadonlySet<string> = new Set(allowedMethods);
const nothing = { kind: "done", outcome: { result: null } } as const;

/** The plan for a call: refuse it, answer it from memory, ask a node, or broadcast a transaction. */
export function planCall(
  { chainId, blocks }: { readonly chainId: number; readonly blocks: BlockCache },
  { method, params, answered }: PlannedCall,
): RpcPlan {
  if (!allowed.has(method)) return makeRefusedPlan(-32601, "Method not available through this endpoint.");
  if (!Array.isArray(params)) return makeRefusedPlan(-32602, "Give the parameters by position, in an array.");
  const reason = findExceededLimit({ method, params });
  if (reason !== undefined) return makeRefusedPlan(-32602, reason);
  const call = capGas({ method, params });
  if (method === "eth_sendRawTransaction") {
    const signed = readTransaction(call.params, chainId);
    if (signed.refusal !== undefined) return makeRefusedPlan(-32602, signed.refusal);
    return { kind: "send", transaction: { call, hash: signed.hash } };
  }
  if (!answered) return nothing;
  if (method === "eth_chainId") return makeAnswerPlan(`0x${chainId.toString(16)}`);
  if (method === "net_version") return makeAnswerPlan(String(chainId));
  const block = blocks.find(call);
  return block === undefined ? { kind: "read", call, key: JSON.stringify(call) } : makeAnswerPlan(block);
}

function makeRefusedPlan(code: number, message: string): RpcPlan {
  return { kind: "done", outcome: makeFailure(code, message) };
}

function makeAnswerPlan(result: unknown): RpcPlan {
  return { kind: "done", outcome: { result } };
}

/**
 * The maximum numbers of blocks and of percentiles for one call of `eth_feeHistory`. The maximum number of blocks is the same as
 * go-ethereum's.
 */
const feeHistoryBlocks = 1024;
const feeHistoryPercentiles = 100;

/**
 * The maximum number of levels of arrays and objects in parameters. The parameters of a call with state overrides and an access list have
 * five nested levels.
 */
const levels = 16;

/** Nodes accept the number of blocks of `eth_feeHistory` as a number, and as text in decimal or hex. */
const Count = z
  .union([z.number(), z.string().regex(/^(?:0x[0-9a-fA-F]+|\d+)$/)])
  .transform(Number)
  .pipe(z.int().min(1).max(feeHistoryBlocks));

const FeeHistory = z.tuple(
  [Count, z.unknown()],
  z.union([z.array(z.unknown()).max(feeHistoryPercentiles), z.null()]),
);

/**
 * Checks a call against the RPC relay's limits, and returns a message about a limit that the call exceeds, if any. The node checks all
 * parameters for which the RPC relay has no limit.
 */
function findExceededLimit({ method, params }: RpcCall): string | undefined {
  if (isDeeperThan(params, levels)) return "The parameters are nested too deeply.";
  if (method !== "eth_feeHistory" || FeeHistory.safeParse(params).success) return undefined;
  return `Ask for 1 to ${feeHistoryBlocks} blocks, and for up to ${feeHistoryPercentiles} percentiles.`;
}

const CallObject = z.record(z.string(), z.unknown());
const Gas = z.string().regex(/^0x[0-9a-fA-F]{1,16}$/);

/** Returns the call with at most the allowed amount of gas. A call without a valid amount of gas gets the maximum amount. */
function capGas({ method, params }: RpcCall): RpcCall {
  const transaction = CallObject.safeParse(params[0]);
  if ((method !== "eth_call" && method !== "eth_estimateGas") || !transaction.success)
    return { method, params };
  const { gas: asked, ...rest } = transaction.data;
  const given = Gas.safeParse(asked);
  const gas = given.success && BigInt(given.data) < gasLimit ? given.data : `0x${gasLimit.toString(16)}`;
  // Some nodes ignore the case of field names, and use the last of several fields with the same name. So the field `gas` is put last, and
  // an earlier field "GAS" has no effect.
  return { method, params: [{ ...rest, gas }, ...params.slice(1)] };
}

const costOfMethod: ReadonlyMap<string, number> = new Map(Object.entries(costs));

/** The cost of a call, which counts towards the limit of the caller's IP address. */
export function findCost({ method }: RpcCall): number {
  return costOfMethod.get(method) ?? 1;
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}

/** A signed transaction for our chain and the transaction's hash, or the reason why the transaction is refused. */
type SignedTransaction = { readonly hash: Hex; readonly refusal?: undefined } | { readonly refusal: string };

/**
 * Parses the parameters of `eth_sendRawTransaction`, which are one transaction that is signed for this chain only. A transaction of type 1,
 * 2 or 4 names its chain, and a legacy transaction must name its chain by EIP-155. The function refuses a legacy transaction without a
 * chain id, which could be replayed on any chain, and a blob transaction, which an Arbitrum chain does not support.
 */
function readTransaction(params: readonly unknown[], chainId: number): SignedTransaction {
  const given = HexInput.safeParse(params[0]);
  if (params.length !== 1 || !given.success || given.data === "0x") {
    return { refusal: "Give one signed transaction, as 0x-prefixed hex." };
  }
  // The errors of viem quote the transaction, so they are replaced by errors without the transaction.
  const transaction = tryCall(() => parseTransaction(lower(given.data)));
  if (transaction === undefined) return { refusal: "This is not a transaction." };
  if (transaction.type === "eip4844") return { refusal: "This chain accepts no blobs." };
  if (transaction.r === undefined || transaction.s === undefined) {
    return { refusal: "The transaction is not signed." };
  }
  if (transaction.chainId === undefined) {
    return { refusal: "The transaction's signature names no chain (EIP-155)." };
  }
  if (transaction.chainId !== chainId) {
    return {
      refusal: `The transaction is signed for chain ${transaction.chainId}, but this chain is ${chainId}.`,
    };
  }
  return { hash: keccak256(given.data) };
}

/** The maximum number of cached blocks, and the maximum size of a cached block in bytes of JSON. */
const room = 64;
const largest = 64 * 1024;

/** Cached blocks, keyed by block hash. A hash identifies the content of its block, so the cache never expires. */
export type BlockCache = {
  find(call: RpcCall): unknown;
  storeResult(call: RpcCall, result: unknown): void;
};

const Params = z.tuple([HashInput, z.boolean()]);
const Block = z.looseObject({ hash: HashInput });

/** A cache of blocks in memory. When the cache is full, a new block replaces the oldest block. */
export function openBlockCache(): BlockCache {
  const kept = new Map<string, unknown>();
  return {
    find: (call) => kept.get(findBlockKey(call) ?? ""),
    storeResult(call, result) {
      const key = findBlockKey(call);
      const block = Block.safeParse(result);
      // An answer without a block, or with another block than the requested block, may change later. An answer that may change later is not
      // cached.
      if (key === undefined || !block.success || !key.startsWith(lower(block.data.hash))) return;
      if (Buffer.byteLength(JSON.stringify(result)) > largest) return;
      kept.set(key, result);
      for (const oldest of kept.keys()) {
        if (kept.size <= room) break;
        kept.delete(oldest);
      }
    },
  };
}

function findBlockKey({ method, params }: RpcCall): string | undefined {
  const parsed = Params.safeParse(params);
  if (method !== "eth_getBlockByHash" || !parsed.success) return undefined;
  const [hash, full] = parsed.data;
  return `${lower(hash)} ${full}`;
}
