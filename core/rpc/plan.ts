import { keccak256, parseTransaction } from "viem/utils";
import * as z from "zod";
import { HashInput, type Hex, HexInput, lower } from "../chain/hex.ts";
import type { RpcCall } from "../port/chain.ts";
import { allowedMethods, costs, gasLimit, type RpcError } from "./schema.ts";

/** How one call ended, in JSON-RPC's words. */
export type Outcome = { readonly result: unknown } | { readonly error: RpcError };

export function failure(code: number, message: string, data?: unknown): Outcome {
  return { error: data === undefined ? { code, message } : { code, message, data } };
}

/** A call as it came in. `answered`: it has an id. A read that nobody gets an answer to is not made. */
export type Call = { readonly method: string; readonly params: unknown; readonly answered: boolean };

/** What is to be done about a call. */
export type Plan =
  | { readonly kind: "done"; readonly outcome: Outcome }
  | { readonly kind: "read"; readonly call: RpcCall; readonly key: string }
  | { readonly kind: "send"; readonly transaction: Transaction };

export type Transaction = { readonly call: RpcCall; readonly hash: Hex };

const allowed: ReadonlySet<string> = new Set(allowedMethods);
const nothing = { kind: "done", outcome: { result: null } } as const;

/** What is to be done about a call: refuse it, answer it without the chain, ask a node, or send a transaction. */
export function plan(
  { chainId, blocks }: { readonly chainId: number; readonly blocks: Blocks },
  { method, params, answered }: Call,
): Plan {
  if (!allowed.has(method)) return refused(-32601, "Method not available through this endpoint.");
  if (!Array.isArray(params)) return refused(-32602, "Parameters go by position, in an array.");
  const reason = tooCostly({ method, params });
  if (reason !== undefined) return refused(-32602, reason);
  const call = withBoundedGas({ method, params });
  if (method === "eth_sendRawTransaction") {
    const signed = readTransaction(call.params, chainId);
    if (signed.refusal !== undefined) return refused(-32602, signed.refusal);
    return { kind: "send", transaction: { call, hash: signed.hash } };
  }
  if (!answered) return nothing;
  if (method === "eth_chainId") return certain(`0x${chainId.toString(16)}`);
  if (method === "net_version") return certain(String(chainId));
  const block = blocks.find(call);
  return block === undefined ? { kind: "read", call, key: JSON.stringify(call) } : certain(block);
}

function refused(code: number, message: string): Plan {
  return { kind: "done", outcome: failure(code, message) };
}

function certain(result: unknown): Plan {
  return { kind: "done", outcome: { result } };
}

/** Blocks of one `eth_feeHistory`, as go-ethereum has it, and percentiles of each. */
const feeHistoryBlocks = 1024;
const feeHistoryPercentiles = 100;

/** Levels of arrays and objects in parameters; a call with state overrides and an access list has five. */
const levels = 16;

/** Nodes take the number of blocks as a number, and as text in decimal or hex. */
const Count = z
  .union([z.number(), z.string().regex(/^(?:0x[0-9a-fA-F]+|\d+)$/)])
  .transform(Number)
  .pipe(z.int().min(1).max(feeHistoryBlocks));

const FeeHistory = z.tuple(
  [Count, z.unknown()],
  z.union([z.array(z.unknown()).max(feeHistoryPercentiles), z.null()]),
);

/** Why a call asks for more than is relayed, if it does. All else about parameters is for the node to say. */
function tooCostly({ method, params }: RpcCall): string | undefined {
  if (nests(params, levels)) return "The parameters are nested too deeply.";
  if (method !== "eth_feeHistory" || FeeHistory.safeParse(params).success) return undefined;
  return `Ask for 1 to ${feeHistoryBlocks} blocks, and for up to ${feeHistoryPercentiles} percentiles.`;
}

const CallObject = z.record(z.string(), z.unknown());
const Gas = z.string().regex(/^0x[0-9a-fA-F]{1,16}$/);

/** The call with no more gas than is relayed. It gets the limit where it names none, or none that is a quantity. */
function withBoundedGas({ method, params }: RpcCall): RpcCall {
  const transaction = CallObject.safeParse(params[0]);
  if ((method !== "eth_call" && method !== "eth_estimateGas") || !transaction.success)
    return { method, params };
  const { gas: asked, ...rest } = transaction.data;
  const given = Gas.safeParse(asked);
  const gas = given.success && BigInt(given.data) < gasLimit ? given.data : `0x${gasLimit.toString(16)}`;
  // At the end: nodes that read names in any casing take the last one, so that a "GAS" before it does not count.
  return { method, params: [{ ...rest, gas }, ...params.slice(1)] };
}

const costOfMethod: ReadonlyMap<string, number> = new Map(Object.entries(costs));

/** What a call costs of an address's allowance. */
export function costOf({ method }: RpcCall): number {
  return costOfMethod.get(method) ?? 1;
}

function nests(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => nests(inner, depth - 1));
}

/** A signed transaction for our chain with its hash, or what keeps it from being one. */
type Signed = { readonly hash: Hex; readonly refusal?: undefined } | { readonly refusal: string };

/**
 * Reads the parameters of `eth_sendRawTransaction`: one transaction, signed for this chain and no other (EIP-155, which
 * types 1, 2 and 4 include). A legacy one without a chain could be replayed anywhere, and a blob has no place on an
 * Arbitrum chain: both are refused.
 */
function readTransaction(params: readonly unknown[], chainId: number): Signed {
  const given = HexInput.safeParse(params[0]);
  if (params.length !== 1 || !given.success || given.data === "0x") {
    return { refusal: "Give one signed transaction, as 0x-prefixed hex." };
  }
  const transaction = parsed(lower(given.data));
  if (transaction === undefined) return { refusal: "This is not a transaction." };
  if (transaction.type === "eip4844") return { refusal: "This chain takes no blobs." };
  if (transaction.r === undefined || transaction.s === undefined) {
    return { refusal: "The transaction is not signed." };
  }
  if (transaction.chainId === undefined) {
    return { refusal: "The transaction is signed for no chain in particular (EIP-155)." };
  }
  if (transaction.chainId !== chainId) {
    return {
      refusal: `The transaction is signed for chain ${transaction.chainId}, and this one is ${chainId}.`,
    };
  }
  return { hash: keccak256(given.data) };
}

function parsed(raw: Hex) {
  try {
    return parseTransaction(raw);
  } catch {
    // Its errors quote the transaction; to say that it is not one is enough.
    return undefined;
  }
}

/** How many blocks are kept, and the bytes of JSON that one may have. */
const room = 64;
const largest = 64 * 1024;

/** Blocks that were asked for by their hash. A hash stands for one content, so what is kept is exact for ever. */
export type Blocks = {
  find(call: RpcCall): unknown;
  keep(call: RpcCall, result: unknown): void;
};

const Params = z.tuple([HashInput, z.boolean()]);
const Block = z.looseObject({ hash: HashInput });

/** A memory for as long as the process lives; the oldest block makes room for the newest. */
export function rememberBlocks(): Blocks {
  const kept = new Map<string, unknown>();
  return {
    find: (call) => kept.get(keyOf(call) ?? ""),
    keep(call, result) {
      const key = keyOf(call);
      const block = Block.safeParse(result);
      // Another block than was asked for, or none yet, is this moment's answer only.
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

function keyOf({ method, params }: RpcCall): string | undefined {
  const parsed = Params.safeParse(params);
  if (method !== "eth_getBlockByHash" || !parsed.success) return undefined;
  const [hash, full] = parsed.data;
  return `${lower(hash)} ${full}`;
}
