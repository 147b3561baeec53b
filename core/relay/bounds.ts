import * as z from "zod";
import type { RpcCall } from "../port/chain.ts";
import { costs, gasLimit } from "./schema.ts";

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
export function excess({ method, params }: RpcCall): string | undefined {
  if (nests(params, levels)) return "The parameters are nested too deeply.";
  if (method !== "eth_feeHistory" || FeeHistory.safeParse(params).success) return undefined;
  return `Ask for 1 to ${feeHistoryBlocks} blocks, and for up to ${feeHistoryPercentiles} percentiles.`;
}

const Transaction = z.record(z.string(), z.unknown());
const Gas = z.string().regex(/^0x[0-9a-fA-F]{1,16}$/);

/** The call with no more gas than is relayed. It gets the limit where it names none, or none that is a quantity. */
export function withBoundedGas({ method, params }: RpcCall): RpcCall {
  const transaction = Transaction.safeParse(params[0]);
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
